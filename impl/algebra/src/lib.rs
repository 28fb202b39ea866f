//! Scalars, points, encodings, multi-scalar multiplication, FFT and hashing to scalars on BLS12-381.

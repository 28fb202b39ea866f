//! The executable hacspec specification of Aardvark.

//! The kernel: arithmetic on eight field elements at a time, and sums of points with it.
//!
//! A processor with AVX-512 IFMA multiplies eight pairs of 52-bit integers in one instruction; one
//! with AVX-512F alone does the same by a few instructions of floating-point arithmetic, and one
//! with AVX2 and FMA by such instructions on four pairs each. The kernel uses that for work on many
//! points at once. From the bottom:
//!
//! | file | what |
//! |---|---|
//! | `lanes` | the operations on vectors of eight words, a trait |
//! | `avx512` | its instances on AVX-512, but for products of limbs: |
//! | `ifma`, `doubles` | those by AVX-512 IFMA, and by fused multiply-adds of doubles |
//! | `avx2`, `assembly` | the instance on AVX2, and its products, by such multiply-adds as well |
//! | `portable` | the instance in plain Rust, which tests run everywhere |
//! | `constants`, `field` | F_p in eight limbs of 52 bits, R = 2^416: products and differences |
//! | `inversion` | one inversion for sixteen elements |
//! | `rows`, `additions` | eight points side by side; additions of rows that share an inversion |
//! | `sums` | sums of groups of points, one group a lane |
//! | `chained` | sums of groups of the same size, all in step |
//! | `shifted` | sums of shifted points by Horner's rule, many in step |
//! | `multiples`, `secret_digits` | many points, each times its own scalar, or all times one secret |
//! | `complete` | points in homogeneous coordinates: additions without exceptions or inversions |
//! | `few` | sums of few multiples |
//! | `images` | the endomorphism of points |
//! | `membership` | checks of the subgroup |
//! | `roots` | decoding: square roots of sixteen elements in step |
//! | `tower`, `miller` | `F_(p^12)` with an element a lane; eight pieces of a Miller loop |
//! | `halves` | squarings of one element of `F_(p^12)`, its coefficients side by side |
//! | `coordinates` | decoding of points by both coordinates |
//!
//! **Exact.** All sums are those of the curve's group, for any points: infinity, equal and opposite
//! ones, any order. Results leave the kernel as canonical residues, so they are the same bit for
//! bit as without it.
//!
//! **Bounds.** 416 bits leave 35 above p. Sums and differences are therefore not reduced: each adds
//! a bit or so, and a tree of additions stays below 2^34 p² in every product (`field`,
//! `additions`).
//!
//! **Which one runs** is decided once a process, by what the processor has; the environment
//! variable `AARDVARK_KERNEL`, `scalar`, `avx2`, `avx512` or `ifma`, forces one
//! ([`Kernel::in_use`]).

mod additions;
#[cfg(target_arch = "x86_64")]
mod assembly;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod chained;
mod complete;
mod constants;
mod coordinates;
#[cfg(target_arch = "x86_64")]
mod doubles;
mod few;
mod field;
mod halves;
#[cfg(target_arch = "x86_64")]
mod ifma;
mod images;
mod inversion;
mod lanes;
mod membership;
mod miller;
mod multiples;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable;
mod roots;
mod rows;
mod secret_digits;
mod shifted;
mod sums;
#[cfg(test)]
mod tests;
mod tower;
#[cfg(test)]
mod traced;

use std::sync::OnceLock;

use thiserror::Error;

pub(crate) use chained::chained_sums;
pub(crate) use coordinates::{BothCoordinates, COORDINATES_IN_STEP};
pub(crate) use few::sum_of_few;
pub(crate) use halves::{CyclotomicSquared, Halves, PLACES, Squared};
pub(crate) use images::multiply_by_z_squared;
pub(crate) use lanes::{LANES, Lanes};
pub(crate) use membership::in_subgroup;
pub(crate) use miller::{DOUBLINGS_AFTER_ADDITIONS, LINES, Pair, Pieces, SQUARINGS};
pub(crate) use multiples::{Digits, multiples};
#[cfg(test)]
pub(crate) use portable::Portable;
pub(crate) use roots::{Encodings, IN_STEP};
pub(crate) use secret_digits::{SecretDigits, secret_multiples};
pub(crate) use shifted::shifted_sums;
pub(crate) use sums::group_sums;
#[cfg(test)]
pub(crate) use tests::{available, with_each};

/// The environment variable that forces a kernel.
pub const VARIABLE: &str = "AARDVARK_KERNEL";

/// How field arithmetic on many points is done, the slowest first. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kernel {
    /// One element at a time, by blst.
    Scalar,
    /// Eight elements at a time, four in a register, by the floating-point arithmetic of FMA and
    /// the integers of AVX2.
    Avx2,
    /// Eight elements at a time, by the floating-point arithmetic of AVX-512F.
    Avx512,
    /// Eight elements at a time, by AVX-512 IFMA.
    Ifma,
}

/// Why a kernel that the environment asks for cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KernelError {
    /// It is the name of none.
    #[error("{VARIABLE} is {0:?}: it must be scalar, avx2, avx512 or ifma")]
    Unknown(String),
    /// The processor, or the system, lacks the instructions.
    #[error("{VARIABLE} is {}, but this processor has no {}", .0.name(), .0.instructions())]
    Missing(Kernel),
}

impl Kernel {
    /// The kernel that this process uses: the one that [`VARIABLE`] names when it is first asked
    /// for, or the fastest one here, also where the variable's value is refused
    /// ([`Kernel::requested`]).
    pub fn in_use() -> Self {
        static IN_USE: OnceLock<Kernel> = OnceLock::new();
        *IN_USE.get_or_init(|| Self::requested().unwrap_or_else(|_| Self::fastest()))
    }

    /// The kernel that [`VARIABLE`] names, or the fastest one here where it is not set.
    ///
    /// # Errors
    /// A name of no kernel, or of one that this processor does not have.
    pub fn requested() -> Result<Self, KernelError> {
        match std::env::var_os(VARIABLE) {
            None => Ok(Self::fastest()),
            Some(name) => Self::named(&name.to_string_lossy(), Self::fastest()),
        }
    }

    /// Whether [`Kernel::requested`] is no error. Where nothing is requested, the processor is not
    /// looked at, which takes longer than some commands do.
    ///
    /// # Errors
    /// Those of [`Kernel::requested`].
    pub fn check_request() -> Result<(), KernelError> {
        match std::env::var_os(VARIABLE) {
            None => Ok(()),
            Some(_) => Self::requested().map(|_| ()),
        }
    }

    /// The kernel of this name, on a machine whose fastest one this is.
    fn named(name: &str, fastest: Self) -> Result<Self, KernelError> {
        match Self::ALL.into_iter().find(|kernel| kernel.name() == name) {
            Some(kernel) if kernel <= fastest => Ok(kernel),
            Some(kernel) => Err(KernelError::Missing(kernel)),
            None => Err(KernelError::Unknown(name.to_owned())),
        }
    }

    /// All kernels, the slowest first.
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Avx2, Self::Avx512, Self::Ifma];

    /// The fastest kernel that this processor has: where it has one, it has all slower ones.
    pub fn fastest() -> Self {
        let there = |kernel: &Self| *kernel == Self::Scalar || InLanes::of(*kernel).is_some();
        Self::ALL.into_iter().rfind(there).unwrap_or(Self::Scalar)
    }

    /// `scalar`, `avx2`, `avx512` or `ifma`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Ifma => "ifma",
        }
    }

    /// What a processor must have for it.
    const fn instructions(self) -> &'static str {
        match self {
            Self::Scalar => "64-bit words",
            Self::Avx2 => "AVX2 and FMA",
            Self::Avx512 => "AVX-512F",
            Self::Ifma => "AVX-512 IFMA",
        }
    }
}

/// An instance of [`Lanes`] that this processor has. [`in_lanes`] takes it out.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) enum InLanes {
    /// Of [`Kernel::Avx2`].
    Avx2(avx2::Avx2),
    /// Of [`Kernel::Avx512`].
    Avx512(doubles::Doubles),
    /// Of [`Kernel::Ifma`].
    Ifma(ifma::Ifma),
}

#[cfg(target_arch = "x86_64")]
impl InLanes {
    /// The instance of a kernel, if this processor has it and all slower ones.
    fn of(kernel: Kernel) -> Option<Self> {
        let slower = kernel <= Kernel::Avx2 || avx2::Avx2::detect().is_some();
        match kernel {
            _ if !slower => None,
            Kernel::Scalar => None,
            Kernel::Avx2 => avx2::Avx2::detect().map(Self::Avx2),
            Kernel::Avx512 => doubles::Doubles::detect().map(Self::Avx512),
            Kernel::Ifma => ifma::Ifma::detect().map(Self::Ifma),
        }
    }
}

/// An expression in which a variable that is an [`InLanes`] is the instance itself.
#[cfg(target_arch = "x86_64")]
macro_rules! in_lanes {
    ($lanes:ident => $work:expr) => {
        match $lanes {
            $crate::kernel::InLanes::Avx2($lanes) => $work,
            $crate::kernel::InLanes::Avx512($lanes) => $work,
            $crate::kernel::InLanes::Ifma($lanes) => $work,
        }
    };
}

/// An instance of [`Lanes`]: there is none here that is faster than blst.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy, Debug)]
pub(crate) enum InLanes {
    /// Never used.
    #[allow(dead_code, reason = "plain Rust is slower than blst")]
    Portable(portable::Portable),
}

#[cfg(not(target_arch = "x86_64"))]
impl InLanes {
    const fn of(_: Kernel) -> Option<Self> {
        None
    }
}

/// An expression in which a variable that is an [`InLanes`] is the instance itself.
#[cfg(not(target_arch = "x86_64"))]
macro_rules! in_lanes {
    ($lanes:ident => $work:expr) => {
        match $lanes {
            $crate::kernel::InLanes::Portable($lanes) => $work,
        }
    };
}

pub(crate) use in_lanes;

/// The lanes to work with, if this process uses them.
pub(crate) fn lanes() -> Option<InLanes> {
    InLanes::of(Kernel::in_use())
}

/// The lanes to work with on a pairing, whose single elements leave some of them empty: with AVX2
/// blst takes less.
pub(crate) fn lanes_for_pairings() -> Option<InLanes> {
    lanes().filter(|_| Kernel::in_use() >= Kernel::Avx512)
}

//! Eight words of 64 bits side by side, and the operations that the kernel is written in.
//!
//! Everything above this file is written once, over [`Lanes`]. Its instances are
//! [`super::portable`], plain Rust, those of [`super::avx512`], one processor instruction or two
//! for each operation, but for products of limbs without IFMA ([`super::doubles`]), and that of
//! [`super::avx2`], with two registers for a vector. A value of an instance is what allows its
//! operations: where they need instructions that not every processor has, such a value is made only
//! after looking.

/// Words that are worked on together.
pub(crate) const LANES: usize = 8;

/// Limbs of a field element.
pub(crate) const LIMBS: usize = 8;

/// Words of a field element outside of the kernel.
pub(crate) const WORDS: usize = 6;

/// Bits of a limb: what multiplications of single limbs take of a word.
pub(crate) const LIMB_BITS: u32 = 52;

/// Eight field elements, limb by limb, the lowest limb first: word ℓ of each vector belongs to
/// element ℓ.
pub(crate) type Element<L> = [<L as Lanes>::Vector; LIMBS];

/// Operations on vectors of eight words of 64 bits, lane by lane and modulo 2^64.
pub(crate) trait Lanes: Copy + Send + Sync + 'static {
    /// Eight words.
    type Vector: Copy + Send + Sync;

    /// The same word in every lane.
    fn splat(self, word: u64) -> Self::Vector;
    /// The words of all lanes.
    fn to_words(self, vector: Self::Vector) -> [u64; LANES];
    /// Vector w has word w of row ℓ in lane ℓ.
    fn transposed(self, rows: [&[u64; WORDS]; LANES]) -> [Self::Vector; WORDS];
    /// These words are read soon, y best right behind x; nothing else follows from it.
    fn prefetch(self, _x: &[u64; WORDS], _y: &[u64; WORDS]) {}
    /// a + b.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a - b.
    fn subtract(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a and b, bit by bit.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a or b, bit by bit.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a 2^bits; 0 where `bits` is 64 or more.
    fn shift_left(self, a: Self::Vector, bits: u32) -> Self::Vector;
    /// floor(a / 2^bits); 0 where `bits` is 64 or more.
    fn shift_right(self, a: Self::Vector, bits: u32) -> Self::Vector;
    /// floor(a / 2^52) of signed words.
    fn carry(self, a: Self::Vector) -> Self::Vector;
    /// sum + (a b mod 2^52), of the lowest 52 bits of a and b.
    fn add_low_product(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// sum + floor(a b / 2^52), of the lowest 52 bits of a and b.
    fn add_high_product(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// A word to which exactly `lows` lower and `highs` upper halves are added by
    /// [`Lanes::gather_low`] and [`Lanes::gather_high`] before it is read: minus what those add
    /// beside the halves.
    fn gathering(self, _lows: u64, _highs: u64) -> Self::Vector {
        self.splat(0)
    }
    /// [`Lanes::add_low_product`] to a word of [`Lanes::gathering`].
    fn gather_low(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        self.add_low_product(sum, a, b)
    }
    /// [`Lanes::add_high_product`] to a word of [`Lanes::gathering`].
    fn gather_high(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        self.add_high_product(sum, a, b)
    }
    /// a in the lanes whose bit is set, b in the others.
    fn select(self, lanes: u8, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The lanes whose word is 0.
    fn zeros(self, a: Self::Vector) -> u8;
    /// Lane ℓ gets the word of lane ℓ xor `distance`, which is 1, 2 or 4.
    fn swapped(self, a: Self::Vector, distance: usize) -> Self::Vector;

    /// [`super::field::product`], compiled once for the instance. Limbs of a and b are below 2^52
    /// but in lanes whose product nobody reads: there they may be anything, and so may the product.
    fn product(self, a: &Element<Self>, b: &Element<Self>) -> Element<Self>;
    /// [`super::field::square`], compiled once for the instance; limbs as for products.
    fn square(self, a: &Element<Self>) -> Element<Self>;
    /// [`Lanes::product`], where it is to stand.
    #[inline(always)]
    fn set_product(self, to: &mut Element<Self>, a: &Element<Self>, b: &Element<Self>) {
        *to = self.product(a, b);
    }
    /// a := [`Lanes::product`] of a and b.
    #[inline(always)]
    fn multiply(self, a: &mut Element<Self>, b: &Element<Self>) {
        *a = self.product(a, b);
    }
    /// [`Lanes::square`], where it is to stand.
    #[inline(always)]
    fn set_square(self, to: &mut Element<Self>, a: &Element<Self>) {
        *to = self.square(a);
    }
    /// Does some work with the instance's instructions allowed to the compiler.
    fn run<W: Work<Self>>(self, work: W) -> W::Output;
}

/// Work over lanes, whose `run` is to be inlined into that of the instance.
pub(crate) trait Work<L: Lanes> {
    /// What comes out.
    type Output;
    /// Does it.
    fn run(self, lanes: L) -> Self::Output;
}

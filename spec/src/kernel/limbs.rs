//! Arithmetic in the base field F_p on limbs of 52 bits: what one lane of the kernel does for a
//! product and for a square, word by word.
//!
//! An element a stands as an integer a R modulo p, R = 2^416, in eight limbs of 52 bits, lowest
//! first. The integer need not be below p: what is below 2^34 p fits, so sums before a product are
//! not reduced. Words have 64 bits and are added up without carries, which is why their additions
//! must not overflow; the multiplication takes the lowest 52 bits of two words and gives the low or
//! the high 52 bits of their product, added to a word.
//!
//! - **Product.** The halves of the products of limbs, added up in 16 words.
//! - **Fold.** Limbs 0 to 5, carries taken to the next word, are replaced: limb i counts 2^(52 i),
//!   and 2^(-52 (6 - i)) modulo p stands for it six limbs further up.
//! - **Two rounds of Montgomery's** remove limbs 6 and 7: t + m p 2^(52 i) is a multiple of
//!   2^(52 (i + 1)) for m = -t_i / p modulo 2^52.
//!
//! What is left are the upper eight words: t / R modulo p, below t / R + p (1 + 2^-49), so below
//! 1.5 p where the factors' product is below 2^34 p².

use crate::base::integers::*;
use hacspec_lib::*;

/// Limbs of an element.
pub const LIMB_COUNT: usize = 8;

/// 2^52, which limbs are below.
pub const LIMB_BASE: u64 = 4_503_599_627_370_496;

/// Limbs that are folded at once.
pub const FOLDED_LIMBS: usize = 6;

/// -1 / p modulo 2^52.
pub const MINUS_INVERSE: u64 = 1_125_887_021_744_125;

/// Eight limbs, lowest first.
pub fn limbs_of(l0: u64, l1: u64, l2: u64, l3: u64, l4: u64, l5: u64, l6: u64, l7: u64) -> Seq<u64> {
    let low = Seq::<u64>::new(0).push_owned(l0).push_owned(l1).push_owned(l2).push_owned(l3);
    low.push_owned(l4).push_owned(l5).push_owned(l6).push_owned(l7)
}

/// p, the modulus of the base field of BLS12-381.
pub fn limbs_modulus() -> Seq<u64> {
    limbs_of(
        4_222_124_650_637_995,
        4_480_601_151_241_119,
        1_883_421_074_697_215,
        329_812_468_902_415,
        2_080_788_367_864_709,
        486_514_101_631_693,
        539_007_656_565_323,
        106_513,
    )
}

/// 2^(-52 (6 - i)) modulo p, for i below [`FOLDED_LIMBS`].
pub fn limbs_fold(i: usize) -> Seq<u64> {
    if i == 0 {
        limbs_of(
            529_228_607_245_960,
            3_766_595_252_657_343,
            2_589_121_283_939_324,
            2_503_850_150_381_624,
            1_793_001_117_361_977,
            2_510_182_077_833_889,
            1_550_722_421_499_649,
            74_513,
        )
    } else if i == 1 {
        limbs_of(
            1_851_839_030_634_073,
            2_185_585_555_874_537,
            2_538_282_485_378_588,
            2_320_099_686_853_705,
            4_455_358_543_762_909,
            2_003_907_812_998_217,
            3_229_575_486_387_761,
            53_930,
        )
    } else if i == 2 {
        limbs_of(
            4_005_202_700_434_202,
            2_185_318_751_765_816,
            4_360_435_588_285_408,
            2_657_871_409_793_264,
            3_406_693_015_290_076,
            1_313_113_546_182_139,
            1_399_764_335_557_608,
            91_242,
        )
    } else if i == 3 {
        limbs_of(
            3_727_415_285_668_604,
            2_120_444_312_012_707,
            4_150_979_754_209_399,
            1_673_050_551_467_247,
            1_613_730_504_300_760,
            697_341_154_774_423,
            2_948_111_214_849_297,
            59_160,
        )
    } else if i == 4 {
        limbs_of(
            318_533_580_239_287,
            2_311_101_054_095_151,
            1_299_030_605_455_176,
            1_291_776_672_187_115,
            2_916_697_491_979_906,
            2_734_387_880_884_271,
            3_479_583_478_766_086,
            61_099,
        )
    } else {
        limbs_of(
            83_427_544_016_843,
            3_790_595_924_427_476,
            4_311_204_160_062_685,
            2_639_350_406_251_043,
            84_271_872_363_385,
            1_795_902_851_312_145,
            4_391_819_409_793_657,
            26_627,
        )
    }
}

/// The low half of the product of the lowest 52 bits of two words.
pub fn limb_low(a: u64, b: u64) -> u64 {
    u64_of_u128(u128_of_u64(a % LIMB_BASE) * u128_of_u64(b % LIMB_BASE) % u128_of_u64(LIMB_BASE))
}

/// Its high half.
pub fn limb_high(a: u64, b: u64) -> u64 {
    u64_of_u128(u128_of_u64(a % LIMB_BASE) * u128_of_u64(b % LIMB_BASE) / u128_of_u64(LIMB_BASE))
}

/// The words with `word` at place `k`, which is one of theirs.
pub fn words_with(words: &Seq<u64>, k: usize, word: u64) -> Seq<u64> {
    if k < words.len() {
        let above = words.slice(k + 1, words.len() - k - 1);
        words.slice(0, k).push_owned(word).concat_owned(above)
    } else {
        words.clone()
    }
}

/// The words with `summand` added to that at place `k`.
pub fn words_add(words: &Seq<u64>, k: usize, summand: u64) -> Seq<u64> {
    words_with(words, k, words[k] + summand)
}

/// One step of [`words_add_product`].
pub fn words_add_product_step(words: Seq<u64>, limbs: &Seq<u64>, limb: u64, place: usize, j: usize) -> Seq<u64> {
    let with_low = words_add(&words, place + j, limb_low(limbs[j], limb));
    words_add(&with_low, place + j + 1, limb_high(limbs[j], limb))
}

/// The words with `limb` times the limbs added at `place` and above: the integer grows by
/// `limb` times theirs times 2^(52 `place`).
pub fn words_add_product(words_before: Seq<u64>, limbs: &Seq<u64>, limb: u64, place: usize) -> Seq<u64> {
    let mut words = words_before;
    for j in 0..LIMB_COUNT {
        words = words_add_product_step(words, limbs, limb, place, j);
    }
    words
}

/// One step of [`words_carried`].
pub fn words_carried_step(words: Seq<u64>, i: usize) -> Seq<u64> {
    let with_carry = words_add(&words, i + 1, words[i] / LIMB_BASE);
    words_with(&with_carry, i, words[i] % LIMB_BASE)
}

/// The words with the first `count` brought below 2^52, what is above carried to the next.
pub fn words_carried(words_before: Seq<u64>, count: usize) -> Seq<u64> {
    let mut words = words_before;
    for i in 0..count {
        words = words_carried_step(words, i);
    }
    words
}

/// One step of [`words_folded`].
pub fn words_folded_step(words: Seq<u64>, i: usize) -> Seq<u64> {
    let limb = words[i];
    words_with(&words_add_product(words, &limbs_fold(i), limb, FOLDED_LIMBS), i, 0)
}

/// The words with the first six, which are below 2^52, replaced by what they are modulo p.
pub fn words_folded(words_before: Seq<u64>) -> Seq<u64> {
    let mut words = words_before;
    for i in 0..FOLDED_LIMBS {
        words = words_folded_step(words, i);
    }
    words
}

/// One step of [`words_rounds`].
pub fn words_rounds_step(words: Seq<u64>, i: usize) -> Seq<u64> {
    let multiple = limb_low(words[i], MINUS_INVERSE);
    words_carried_step(words_add_product(words, &limbs_modulus(), multiple, i), i)
}

/// The words with multiples of p added so that words 6 and 7 become 0.
pub fn words_rounds(words_before: Seq<u64>) -> Seq<u64> {
    let mut words = words_before;
    for i in FOLDED_LIMBS..LIMB_COUNT {
        words = words_rounds_step(words, i);
    }
    words
}

/// The limbs of t / R modulo p, for the 16 words of t.
pub fn limbs_reduced(words: Seq<u64>) -> Seq<u64> {
    let reduced = words_rounds(words_folded(words_carried(words, FOLDED_LIMBS)));
    words_carried(reduced.slice(LIMB_COUNT, LIMB_COUNT), LIMB_COUNT - 1)
}

/// One step of [`limbs_product`].
pub fn limbs_product_step(words: Seq<u64>, a: &Seq<u64>, b: &Seq<u64>, i: usize) -> Seq<u64> {
    words_add_product(words, a, b[i], i)
}

/// a b / R, for factors of eight limbs with a b < 2^34 p².
pub fn limbs_product(a: &Seq<u64>, b: &Seq<u64>) -> Seq<u64> {
    let mut words = Seq::<u64>::new(2 * LIMB_COUNT);
    for i in 0..LIMB_COUNT {
        words = limbs_product_step(words, a, b, i);
    }
    limbs_reduced(words)
}

/// One step of [`words_add_later_products`].
pub fn words_add_later_products_step(words: Seq<u64>, a: &Seq<u64>, i: usize, j: usize) -> Seq<u64> {
    words_add_product_step(words, a, a[i], i, j)
}

/// The words with a_i a_j added at i + j for all j behind i.
pub fn words_add_later_products(words_before: Seq<u64>, a: &Seq<u64>, i: usize) -> Seq<u64> {
    let mut words = words_before;
    for j in i + 1..LIMB_COUNT {
        words = words_add_later_products_step(words, a, i, j);
    }
    words
}

/// The words with the products of unequal limbs, each once.
pub fn words_of_unequal(a: &Seq<u64>) -> Seq<u64> {
    let mut words = Seq::<u64>::new(2 * LIMB_COUNT);
    for i in 0..LIMB_COUNT {
        words = words_add_later_products(words, a, i);
    }
    words
}

/// One step of [`words_doubled`].
pub fn words_doubled_step(doubled: Seq<u64>, words: &Seq<u64>, k: usize) -> Seq<u64> {
    doubled.push_owned(words[k] + words[k])
}

/// Each word twice.
pub fn words_doubled(words: &Seq<u64>) -> Seq<u64> {
    let mut doubled = Seq::<u64>::new(0);
    for k in 0..words.len() {
        doubled = words_doubled_step(doubled, words, k);
    }
    doubled
}

/// One step of [`words_add_squares`].
pub fn words_add_squares_step(words: Seq<u64>, a: &Seq<u64>, i: usize) -> Seq<u64> {
    words_add_product_step(words, a, a[i], i, i)
}

/// The words with the squares of the limbs.
pub fn words_add_squares(words_before: Seq<u64>, a: &Seq<u64>) -> Seq<u64> {
    let mut words = words_before;
    for i in 0..LIMB_COUNT {
        words = words_add_squares_step(words, a, i);
    }
    words
}

/// a² / R, for eight limbs with a² < 2^34 p².
pub fn limbs_square(a: &Seq<u64>) -> Seq<u64> {
    limbs_reduced(words_add_squares(words_doubled(&words_of_unequal(a)), a))
}

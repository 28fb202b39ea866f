//! The steps of products and squares in assembly, each with the registers and memory that it works
//! on.
//!
//! Registers: c0 to c8 are words, word w in c with the number w + 3 modulo 9; x and y are factors,
//! `high` and `both` are 2^104 and 2^104 + 2^52, t0, t1 and t2 are free between steps but where it
//! is said. `k` points to the constants and `s` to the scratch memory, where names in capitals are
//! offsets. Rows are pointed at in the middle, as the first in the scratch memory by `s`, p by `p`,
//! and folds by `row`: so all of a row is within 128 bytes, and instructions are short.

/// Two products of the factor: with the numbers at `i` and `i + 1` of a row. The lower half of the
/// first is added to word `a`, its upper and the lower of the second to `b`, the upper of that to
/// `c`.
///
/// Upper halves are made from 2^104 in a register and not from the number loaded to one: a copy
/// between registers takes no new one of the processor's, of which there are too few.
macro_rules! pair {
    ($x:literal, $row:literal, $i:literal, $a:literal, $b:literal, $c:literal) => {
        concat!(
            "vmovapd {t0}, {high}\n",
            "vmovapd {t1}, {high}\n",
            "vfmadd231pd {t0}, {", $x, "}, [{", $row, "} + 32 * ", $i, " - 128]\n",
            "vfmadd231pd {t1}, {", $x, "}, [{", $row, "} + 32 * ", $i, " - 96]\n",
            "vpaddq {", $b, "}, {", $b, "}, {t0}\n",
            "vpaddq {", $c, "}, {", $c, "}, {t1}\n",
            "vsubpd {t0}, {t0}, {both}\n",
            "vsubpd {t1}, {t1}, {both}\n",
            "vfmsub231pd {t0}, {", $x, "}, [{", $row, "} + 32 * ", $i, " - 128]\n",
            "vfmsub231pd {t1}, {", $x, "}, [{", $row, "} + 32 * ", $i, " - 96]\n",
            "vpaddq {", $a, "}, {", $a, "}, {t0}\n",
            "vpaddq {", $b, "}, {", $b, "}, {t1}\n",
        )
    };
}

/// One product of the factor, as in [`pair`].
macro_rules! single {
    ($x:literal, $row:literal, $i:literal, $low:literal, $high:literal) => {
        concat!(
            "vmovapd {t0}, {high}\n",
            "vfmadd231pd {t0}, {", $x, "}, [{", $row, "} + 32 * ", $i, " - 128]\n",
            "vpaddq {", $high, "}, {", $high, "}, {t0}\n",
            "vsubpd {t0}, {t0}, {both}\n",
            "vfmsub231pd {t0}, {", $x, "}, [{", $row, "} + 32 * ", $i, " - 128]\n",
            "vpaddq {", $low, "}, {", $low, "}, {t0}\n",
        )
    };
}

/// Makes doubles of limbs.
macro_rules! to_double {
    ($limb:literal) => {
        concat!(
            "vpor {", $limb, "}, {", $limb, "}, [{k} + {LOW}]\n",
            "vsubpd {", $limb, "}, {", $limb, "}, [{k} + {LOW}]\n",
        )
    };
}

/// Limb `i` of a factor, as doubles.
macro_rules! limb_in {
    ($to:literal, $factor:literal, $i:literal) => {
        concat!("vmovdqa {", $to, "}, [", $factor, " + 64 * ", $i, "]\n", to_double!($to))
    };
}

/// All limbs of a factor, stored.
macro_rules! limbs_in {
    ($factor:literal) => {
        concat!(
            limbs_in!($factor, 0), limbs_in!($factor, 1), limbs_in!($factor, 2), limbs_in!($factor, 3),
            limbs_in!($factor, 4), limbs_in!($factor, 5), limbs_in!($factor, 6), limbs_in!($factor, 7),
        )
    };
    ($factor:literal, $i:literal) => {
        concat!(limb_in!("x", $factor, $i), "vmovapd [{s} + 32 * ", $i, " - 128], {x}\n")
    };
}

/// What word `i` begins with.
macro_rules! begin {
    ($word:literal, $words:literal, $i:literal) => {
        concat!("vmovdqa {", $word, "}, [{k} + {", $words, "} + 32 * ", $i, "]\n")
    };
}

/// t2 := limb `i`, which is to be folded: a word's lowest 52 bits, as doubles, also stored. What is
/// above is carried to the next word.
macro_rules! limb_to_fold {
    ($i:literal, $word:literal, $next:literal) => {
        concat!(
            "vpand {t2}, {", $word, "}, [{k} + {LIMB}]\n",
            to_double!("t2"),
            "vmovapd [{s} + {FACTORS} + 32 * ", $i, "], {t2}\n",
            "vpsrlq {", $word, "}, {", $word, "}, 52\n",
            "vpaddq {", $next, "}, {", $next, "}, {", $word, "}\n",
        )
    };
}

/// A factor := a word's lowest 52 bits, as doubles: the first of four steps to minus the word by p,
/// modulo 2^52, between which other work stands.
macro_rules! multiple_1 {
    ($x:literal, $word:literal) => {
        concat!("vpand {", $x, "}, {", $word, "}, [{k} + {LIMB}]\n", to_double!($x))
    };
}

/// A free register := 2^104 and the upper half of the factor times -1 / p modulo 2^52.
macro_rules! multiple_2 {
    ($x:literal, $free:literal) => {
        concat!("vmovapd {", $free, "}, {high}\n", "vfmadd231pd {", $free, "}, {", $x, "}, [{k} + {INVERSE}]\n")
    };
}

/// The register := 2^52 and the lower half.
macro_rules! multiple_3 {
    ($x:literal, $free:literal) => {
        concat!(
            "vsubpd {", $free, "}, {", $free, "}, {both}\n",
            "vfmsub231pd {", $free, "}, {", $x, "}, [{k} + {INVERSE}]\n",
        )
    };
}

/// The factor := the lower half.
macro_rules! multiple_4 {
    ($x:literal, $free:literal) => {
        concat!("vsubpd {", $x, "}, {", $free, "}, [{k} + {LOW}]\n")
    };
}

/// What is above the lowest 52 bits of a word, those of a lower half more than it is, to the next.
macro_rules! carry_round {
    ($word:literal, $next:literal) => {
        concat!(
            "vpsubq {", $word, "}, {", $word, "}, [{k} + {LOW}]\n",
            "vpsrlq {", $word, "}, {", $word, "}, 52\n",
            "vpaddq {", $next, "}, {", $next, "}, {", $word, "}\n",
        )
    };
}

/// Stores a limb of the result, and carries to the next.
macro_rules! limb_out {
    ($i:literal, $word:literal, $next:literal) => {
        concat!(
            "vpsrlq {t2}, {", $word, "}, 52\n",
            "vpand {", $word, "}, {", $word, "}, [{k} + {LIMB}]\n",
            "vmovdqa [{out} + 64 * ", $i, "], {", $word, "}\n",
            "vpaddq {", $next, "}, {", $next, "}, {t2}\n",
        )
    };
}

/// A row of the product, the limbs of b times the factor, to nine words. `done` stands behind its
/// first half, when the lowest word is complete.
macro_rules! row_of_product {
    ($x:literal, [$w0:literal $w1:literal $w2:literal $w3:literal $w4:literal $w5:literal $w6:literal $w7:literal $w8:literal],
     $done:expr) => {
        concat!(
            pair!($x, "s", 0, $w0, $w1, $w2),
            pair!($x, "s", 2, $w2, $w3, $w4),
            $done,
            pair!($x, "s", 4, $w4, $w5, $w6),
            pair!($x, "s", 6, $w6, $w7, $w8),
        )
    };
}

/// What the limb to be folded that is in t2 adds to words 6 to 8, by its row, and on to the next.
macro_rules! lower_fold {
    () => {
        concat!(pair!("t2", "row", 0, "c0", "c1", "c2"), "add {row}, 256\n")
    };
}

/// The rows of a product: words 6 to 14 are c0 to c8 then, word 15 is kept, and the first step to
/// the first round's multiple of p is done in t2. Rows 0 to 5 leave limbs to be folded.
macro_rules! rows_of_product {
    () => {
        concat!(
            limb_in!("x", "{a}", 0),
            begin!("c3", "WORDS", 0), begin!("c4", "WORDS", 1), begin!("c5", "WORDS", 2),
            begin!("c6", "WORDS", 3), begin!("c7", "WORDS", 4), begin!("c8", "WORDS", 5),
            begin!("c0", "WORDS", 6), begin!("c1", "WORDS", 7), begin!("c2", "WORDS", 8),
            row_of_product!(
                "x", ["c3" "c4" "c5" "c6" "c7" "c8" "c0" "c1" "c2"],
                concat!(limb_to_fold!(0, "c3", "c4"), limb_in!("y", "{a}", 1))
            ),
            begin!("c3", "WORDS", 9),
            row_of_product!(
                "y", ["c4" "c5" "c6" "c7" "c8" "c0" "c1" "c2" "c3"],
                concat!(lower_fold!(), limb_to_fold!(1, "c4", "c5"), limb_in!("x", "{a}", 2))
            ),
            begin!("c4", "WORDS", 10),
            row_of_product!(
                "x", ["c5" "c6" "c7" "c8" "c0" "c1" "c2" "c3" "c4"],
                concat!(lower_fold!(), limb_to_fold!(2, "c5", "c6"), limb_in!("y", "{a}", 3))
            ),
            begin!("c5", "WORDS", 11),
            row_of_product!(
                "y", ["c6" "c7" "c8" "c0" "c1" "c2" "c3" "c4" "c5"],
                concat!(lower_fold!(), limb_to_fold!(3, "c6", "c7"), limb_in!("x", "{a}", 4))
            ),
            begin!("c6", "WORDS", 12),
            row_of_product!(
                "x", ["c7" "c8" "c0" "c1" "c2" "c3" "c4" "c5" "c6"],
                concat!(lower_fold!(), limb_to_fold!(4, "c7", "c8"), limb_in!("y", "{a}", 5))
            ),
            begin!("c7", "WORDS", 13),
            row_of_product!(
                "y", ["c8" "c0" "c1" "c2" "c3" "c4" "c5" "c6" "c7"],
                concat!(lower_fold!(), limb_to_fold!(5, "c8", "c0"), limb_in!("x", "{a}", 6))
            ),
            begin!("c8", "WORDS", 14),
            row_of_product!(
                "x", ["c0" "c1" "c2" "c3" "c4" "c5" "c6" "c7" "c8"],
                concat!(lower_fold!(), limb_in!("y", "{a}", 7))
            ),
            multiple_1!("t2", "c0"),
            begin!("x", "WORDS", 15),
            row_of_product!("y", ["c1" "c2" "c3" "c4" "c5" "c6" "c7" "c8" "x"], ""),
            "vmovdqa [{s} + {LAST}], {x}\n",
        )
    };
}

/// Limb `i` of the number to be squared.
macro_rules! limb_of_square {
    ($x:literal, $i:literal) => {
        concat!("vmovapd {", $x, "}, [{s} + 32 * ", $i, " - 128]\n")
    };
}

/// Doubles the words that got all products of unequal limbs, and adds the square of limb `i`.
macro_rules! square_of_limb {
    ($x:literal, $i:literal, $low:literal, $high:literal) => {
        concat!(
            "vpaddq {", $low, "}, {", $low, "}, {", $low, "}\n",
            "vpaddq {", $high, "}, {", $high, "}, {", $high, "}\n",
            single!($x, "s", $i, $low, $high),
        )
    };
}

/// A factor := limb `i`, which is to be folded.
macro_rules! limb_folded {
    ($x:literal, $i:literal) => {
        concat!("vmovapd {", $x, "}, [{s} + {FACTORS} + 32 * ", $i, "]\n")
    };
}

/// The rows of a square, with what [`rows_of_product`] leaves.
macro_rules! rows_of_square {
    () => {
        concat!(
            begin!("c3", "SQUARE", 0), begin!("c4", "SQUARE", 1), begin!("c5", "SQUARE", 2),
            begin!("c6", "SQUARE", 3), begin!("c7", "SQUARE", 4), begin!("c8", "SQUARE", 5),
            begin!("c0", "SQUARE", 6), begin!("c1", "SQUARE", 7), begin!("c2", "SQUARE", 8),
            limb_of_square!("x", 0),
            pair!("x", "s", 1, "c4", "c5", "c6"),
            pair!("x", "s", 3, "c6", "c7", "c8"),
            pair!("x", "s", 5, "c8", "c0", "c1"),
            single!("x", "s", 7, "c1", "c2"),
            square_of_limb!("x", 0, "c3", "c4"),
            limb_to_fold!(0, "c3", "c4"),
            limb_of_square!("y", 1),
            begin!("c3", "SQUARE", 9),
            pair!("y", "s", 2, "c6", "c7", "c8"),
            pair!("y", "s", 4, "c8", "c0", "c1"),
            pair!("y", "s", 6, "c1", "c2", "c3"),
            square_of_limb!("y", 1, "c5", "c6"),
            limb_to_fold!(1, "c4", "c5"),
            limb_to_fold!(2, "c5", "c6"),
            limb_of_square!("x", 2),
            begin!("c4", "SQUARE", 10),
            pair!("x", "s", 3, "c8", "c0", "c1"),
            pair!("x", "s", 5, "c1", "c2", "c3"),
            single!("x", "s", 7, "c3", "c4"),
            square_of_limb!("x", 2, "c7", "c8"),
            limb_to_fold!(3, "c6", "c7"),
            limb_to_fold!(4, "c7", "c8"),
            limb_of_square!("y", 3),
            begin!("c5", "SQUARE", 11),
            pair!("y", "s", 4, "c1", "c2", "c3"),
            pair!("y", "s", 6, "c3", "c4", "c5"),
            square_of_limb!("y", 3, "c0", "c1"),
            limb_to_fold!(5, "c8", "c0"),
            limb_of_square!("x", 4),
            begin!("c6", "SQUARE", 12),
            pair!("x", "s", 5, "c3", "c4", "c5"),
            single!("x", "s", 7, "c5", "c6"),
            square_of_limb!("x", 4, "c2", "c3"),
            // Words 6 to 8 have been doubled.
            limb_folded!("t2", 0), lower_fold!(),
            limb_folded!("t2", 1), lower_fold!(),
            limb_folded!("t2", 2), lower_fold!(),
            limb_folded!("t2", 3), lower_fold!(),
            limb_folded!("t2", 4), lower_fold!(),
            limb_folded!("t2", 5), lower_fold!(),
            limb_of_square!("y", 5),
            begin!("c7", "SQUARE", 13),
            pair!("y", "s", 6, "c5", "c6", "c7"),
            square_of_limb!("y", 5, "c4", "c5"),
            limb_of_square!("x", 6),
            begin!("c8", "SQUARE", 14),
            single!("x", "s", 7, "c7", "c8"),
            square_of_limb!("x", 6, "c6", "c7"),
            multiple_1!("t2", "c0"),
            limb_of_square!("y", 7),
            begin!("x", "SQUARE", 15),
            square_of_limb!("y", 7, "c8", "x"),
            "vmovdqa [{s} + {LAST}], {x}\n",
        )
    };
}

/// Two of the upper six numbers of a row, from `i` on, times the factor, to words 8 to 14.
macro_rules! upper {
    ($x:literal, $row:literal, 2) => {
        pair!($x, $row, 2, "c2", "c3", "c4")
    };
    ($x:literal, $row:literal, 4) => {
        pair!($x, $row, 4, "c4", "c5", "c6")
    };
    ($x:literal, $row:literal, 6) => {
        pair!($x, $row, 6, "c6", "c7", "c8")
    };
}

/// On to the row of limb `i`, and a factor := that limb.
macro_rules! next_fold {
    ($x:literal, $i:literal) => {
        concat!("add {row}, 256\n", limb_folded!($x, $i))
    };
}

/// The reduction of what the rows left, and the way out. Each step to a multiple of p waits for the
/// one before; between them stand parts of the folds, which wait for none, and what `next` says.
macro_rules! reduction {
    ($next:expr) => {
        concat!(
            "lea {row}, [{k} + {ROWS}]\n",
            limb_folded!("y", 0),
            upper!("y", "row", 2), upper!("y", "row", 4),
            multiple_2!("t2", "x"),
            upper!("y", "row", 6), next_fold!("y", 1), upper!("y", "row", 2),
            multiple_3!("t2", "x"),
            upper!("y", "row", 4), upper!("y", "row", 6), next_fold!("y", 2), upper!("y", "row", 2),
            multiple_4!("t2", "x"),
            upper!("y", "row", 4),
            // The first round.
            pair!("t2", "p", 0, "c0", "c1", "c2"),
            upper!("t2", "p", 2), upper!("t2", "p", 4), upper!("t2", "p", 6),
            upper!("y", "row", 6),
            carry_round!("c0", "c1"),
            multiple_1!("y", "c1"),
            next_fold!("x", 3),
            upper!("x", "row", 2), upper!("x", "row", 4), upper!("x", "row", 6),
            multiple_2!("y", "c0"),
            next_fold!("x", 4),
            upper!("x", "row", 2), upper!("x", "row", 4),
            multiple_3!("y", "c0"),
            upper!("x", "row", 6), next_fold!("x", 5), upper!("x", "row", 2), upper!("x", "row", 4),
            multiple_4!("y", "c0"),
            upper!("x", "row", 6),
            $next,
            // The second round.
            "vmovdqa {c0}, [{s} + {LAST}]\n",
            pair!("y", "p", 0, "c1", "c2", "c3"),
            pair!("y", "p", 2, "c3", "c4", "c5"),
            pair!("y", "p", 4, "c5", "c6", "c7"),
            carry_round!("c1", "c2"),
            pair!("y", "p", 6, "c7", "c8", "c0"),
            limb_out!(0, "c2", "c3"),
            limb_out!(1, "c3", "c4"),
            limb_out!(2, "c4", "c5"),
            limb_out!(3, "c5", "c6"),
            limb_out!(4, "c6", "c7"),
            limb_out!(5, "c7", "c8"),
            limb_out!(6, "c8", "c0"),
            "vmovdqa [{out} + 448], {c0}\n",
        )
    };
}

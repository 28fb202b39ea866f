//! The steps of products and squares in assembly, each with the registers and memory that it works
//! on.
//!
//! Registers: c0 to c8 are words, x is a factor, `high` and `both` are 2^104 and 2^104 + 2^52, t0,
//! t1, u0 and u1 are free between steps. `k` points to the constants, `s` to the scratch memory,
//! and `words`, `kept` and `row` to places in them; names in capitals are offsets there.

/// Two products of the factor x: with the numbers at `i` and `i + 1` of a row. The lower half of
/// the first is added to word `a`, its upper and the lower of the second to `b`, the upper of that
/// to `c`; `a` and `b` go to other registers.
macro_rules! pair {
    ($row:literal, $i:literal, $a:literal => $to_a:literal, $b:literal => $to_b:literal, $c:literal) => {
        concat!(
            "vmovapd {t0}, [{", $row, "} + 32 * ", $i, "]\n",
            "vmovapd {t1}, [{", $row, "} + 32 * ", $i, " + 32]\n",
            "vfmadd213pd {t0}, {x}, {high}\n",
            "vfmadd213pd {t1}, {x}, {high}\n",
            "vpaddq {", $b, "}, {", $b, "}, {t0}\n",
            "vpaddq {", $c, "}, {", $c, "}, {t1}\n",
            "vsubpd {u0}, {both}, {t0}\n",
            "vsubpd {u1}, {both}, {t1}\n",
            "vfmadd231pd {u0}, {x}, [{", $row, "} + 32 * ", $i, "]\n",
            "vfmadd231pd {u1}, {x}, [{", $row, "} + 32 * ", $i, " + 32]\n",
            "vpaddq {", $to_a, "}, {", $a, "}, {u0}\n",
            "vpaddq {", $to_b, "}, {", $b, "}, {u1}\n",
        )
    };
}

/// One product of the factor x, as in [`pair`].
macro_rules! single {
    ($row:literal, $i:literal, $low:literal, $high:literal) => {
        concat!(
            "vmovapd {t0}, [{", $row, "} + 32 * ", $i, "]\n",
            "vfmadd213pd {t0}, {x}, {high}\n",
            "vpaddq {", $high, "}, {", $high, "}, {t0}\n",
            "vsubpd {u0}, {both}, {t0}\n",
            "vfmadd231pd {u0}, {x}, [{", $row, "} + 32 * ", $i, "]\n",
            "vpaddq {", $low, "}, {", $low, "}, {u0}\n",
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

/// Stores a limb that is to be folded, a word's lowest 52 bits, and carries what is above to the
/// next word.
macro_rules! limb_to_fold {
    ($word:literal, $next:literal, $at:literal) => {
        concat!(
            "vpand {u0}, {", $word, "}, [{k} + {LIMB}]\n",
            to_double!("u0"),
            "vmovapd [", $at, "], {u0}\n",
            "vpsrlq {", $word, "}, {", $word, "}, 52\n",
            "vpaddq {", $next, "}, {", $next, "}, {", $word, "}\n",
        )
    };
}

/// A row of the product: x is the next limb of a; the word that is complete goes to t0, for which
/// `done` is there, the others go down by one.
macro_rules! row_of_product {
    ($done:expr) => {
        concat!(
            "vmovdqa {x}, [{a}]\n",
            to_double!("x"),
            "vmovdqa {c1}, [{words} + {WORDS} + 256]\n",
            pair!("s", 0, "c2" => "t0", "c3" => "c2", "c4"),
            $done,
            pair!("s", 2, "c4" => "c3", "c5" => "c4", "c6"),
            pair!("s", 4, "c6" => "c5", "c7" => "c6", "c8"),
            pair!("s", 6, "c8" => "c7", "c0" => "c8", "c1"),
            "vmovdqa {c0}, {c1}\n",
            "add {a}, 64\n",
            "add {words}, 32\n",
            "add {kept}, 32\n",
        )
    };
}

/// The next factor and the upper six numbers of the next row, to words 8 to 14, of `i`, one less
/// then.
macro_rules! upper_pairs {
    () => {
        concat!(
            "vmovapd {x}, [{kept} + {FACTORS}]\n",
            pair!("row", 2, "c2" => "c2", "c3" => "c3", "c4"),
            pair!("row", 4, "c4" => "c4", "c5" => "c5", "c6"),
            pair!("row", 6, "c6" => "c6", "c7" => "c7", "c8"),
            "add {kept}, 32\n",
            "add {row}, 256\n",
            "sub {i:e}, 1\n",
        )
    };
}

/// x := minus a word by p, modulo 2^52.
macro_rules! multiple {
    ($word:literal) => {
        concat!(
            "vpand {x}, {", $word, "}, [{k} + {LIMB}]\n",
            to_double!("x"),
            "vmovapd {t0}, [{k} + {INVERSE}]\n",
            "vfmadd213pd {t0}, {x}, {high}\n",
            "vsubpd {u0}, {both}, {t0}\n",
            "vfmadd231pd {u0}, {x}, [{k} + {INVERSE}]\n",
            "vsubpd {x}, {u0}, [{k} + {LOW}]\n",
        )
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
            "vpsrlq {t0}, {", $word, "}, 52\n",
            "vpand {", $word, "}, {", $word, "}, [{k} + {LIMB}]\n",
            "vmovdqa [{out} + 64 * ", $i, "], {", $word, "}\n",
            "vpaddq {", $next, "}, {", $next, "}, {t0}\n",
        )
    };
}

/// The double of limb `i` of a factor, stored.
macro_rules! limb_in {
    ($factor:literal, $i:literal) => {
        concat!(
            "vmovdqa {x}, [{", $factor, "} + 64 * ", $i, "]\n",
            to_double!("x"),
            "vmovapd [{s} + 32 * ", $i, "], {x}\n"
        )
    };
}

/// All of them.
macro_rules! limbs_in {
    ($factor:literal) => {
        concat!(
            limb_in!($factor, 0), limb_in!($factor, 1), limb_in!($factor, 2), limb_in!($factor, 3),
            limb_in!($factor, 4), limb_in!($factor, 5), limb_in!($factor, 6), limb_in!($factor, 7),
        )
    };
}

/// What word `i` begins with.
macro_rules! begin {
    ($word:literal, $words:literal, $i:literal) => {
        concat!("vmovdqa {", $word, "}, [{k} + {", $words, "} + 32 * ", $i, "]\n")
    };
}

/// Limb `i` of the number to be squared.
macro_rules! limb_of_square {
    ($i:literal) => {
        concat!("vmovapd {x}, [{s} + 32 * ", $i, "]\n")
    };
}

/// Doubles the words that got all products of unequal limbs, and adds the square of limb `i`.
macro_rules! square_of_limb {
    ($i:literal, $low:literal, $high:literal) => {
        concat!(
            "vpaddq {", $low, "}, {", $low, "}, {", $low, "}\n",
            "vpaddq {", $high, "}, {", $high, "}, {", $high, "}\n",
            single!("s", $i, $low, $high),
        )
    };
}

/// The rows of a product: words 6 to 14 are c0 to c8 then, and word 15 is kept.
macro_rules! rows_of_product {
    () => {
        concat!(
            limbs_in!("b"),
            begin!("c2", "WORDS", 0), begin!("c3", "WORDS", 1), begin!("c4", "WORDS", 2),
            begin!("c5", "WORDS", 3), begin!("c6", "WORDS", 4), begin!("c7", "WORDS", 5),
            begin!("c8", "WORDS", 6), begin!("c0", "WORDS", 7),
            "mov {words}, {k}\n",
            "mov {kept}, {s}\n",
            // Rows 0 to 5, whose lowest words become limbs to be folded.
            "mov {i:e}, 6\n",
            ".p2align 5\n",
            "3:\n",
            row_of_product!(limb_to_fold!("t0", "c2", "{kept} + {FACTORS}")),
            "sub {i:e}, 1\n",
            "jnz 3b\n",
            // Rows 6 and 7, whose lowest words are kept.
            "mov {kept}, {s}\n",
            "mov {i:e}, 2\n",
            ".p2align 5\n",
            "4:\n",
            row_of_product!("vmovdqa [{kept} + {MIDDLE}], {t0}\n"),
            "sub {i:e}, 1\n",
            "jnz 4b\n",
            "sub {a}, 512\n",
            "vmovdqa [{s} + {LAST}], {c0}\n",
            "vmovdqa {c0}, [{s} + {MIDDLE}]\n",
            "vmovdqa {c1}, [{s} + {MIDDLE} + 32]\n",
        )
    };
}

/// The rows of a square. Word k is register k + 3 modulo 9 of c0 to c8, so that words 6 to 14 are
/// those of [`rows_of_product`]; word 15, only a square's upper half, is kept as there.
macro_rules! rows_of_square {
    () => {
        concat!(
            limbs_in!("a"),
            begin!("c3", "SQUARE", 0), begin!("c4", "SQUARE", 1), begin!("c5", "SQUARE", 2),
            begin!("c6", "SQUARE", 3), begin!("c7", "SQUARE", 4), begin!("c8", "SQUARE", 5),
            begin!("c0", "SQUARE", 6), begin!("c1", "SQUARE", 7), begin!("c2", "SQUARE", 8),
            limb_of_square!(0),
            pair!("s", 1, "c4" => "c4", "c5" => "c5", "c6"),
            pair!("s", 3, "c6" => "c6", "c7" => "c7", "c8"),
            pair!("s", 5, "c8" => "c8", "c0" => "c0", "c1"),
            single!("s", 7, "c1", "c2"),
            square_of_limb!(0, "c3", "c4"),
            limb_to_fold!("c3", "c4", "{s} + {FACTORS}"),
            limb_of_square!(1),
            begin!("c3", "SQUARE", 9),
            pair!("s", 2, "c6" => "c6", "c7" => "c7", "c8"),
            pair!("s", 4, "c8" => "c8", "c0" => "c0", "c1"),
            pair!("s", 6, "c1" => "c1", "c2" => "c2", "c3"),
            square_of_limb!(1, "c5", "c6"),
            limb_to_fold!("c4", "c5", "{s} + {FACTORS} + 32"),
            limb_to_fold!("c5", "c6", "{s} + {FACTORS} + 64"),
            limb_of_square!(2),
            begin!("c4", "SQUARE", 10),
            pair!("s", 3, "c8" => "c8", "c0" => "c0", "c1"),
            pair!("s", 5, "c1" => "c1", "c2" => "c2", "c3"),
            single!("s", 7, "c3", "c4"),
            square_of_limb!(2, "c7", "c8"),
            limb_to_fold!("c6", "c7", "{s} + {FACTORS} + 96"),
            limb_to_fold!("c7", "c8", "{s} + {FACTORS} + 128"),
            limb_of_square!(3),
            begin!("c5", "SQUARE", 11),
            pair!("s", 4, "c1" => "c1", "c2" => "c2", "c3"),
            pair!("s", 6, "c3" => "c3", "c4" => "c4", "c5"),
            square_of_limb!(3, "c0", "c1"),
            limb_to_fold!("c8", "c0", "{s} + {FACTORS} + 160"),
            limb_of_square!(4),
            begin!("c6", "SQUARE", 12),
            pair!("s", 5, "c3" => "c3", "c4" => "c4", "c5"),
            single!("s", 7, "c5", "c6"),
            square_of_limb!(4, "c2", "c3"),
            limb_of_square!(5),
            begin!("c7", "SQUARE", 13),
            pair!("s", 6, "c5" => "c5", "c6" => "c6", "c7"),
            square_of_limb!(5, "c4", "c5"),
            limb_of_square!(6),
            begin!("c8", "SQUARE", 14),
            single!("s", 7, "c7", "c8"),
            square_of_limb!(6, "c6", "c7"),
            limb_of_square!(7),
            begin!("t1", "SQUARE", 15),
            square_of_limb!(7, "c8", "t1"),
            "vmovdqa [{s} + {LAST}], {t1}\n",
        )
    };
}

/// The reduction of what the rows left, and the way out.
macro_rules! reduction {
    () => {
        concat!(
            // The folds' share of words 6 and 7.
            "mov {kept}, {s}\n",
            "mov {row}, {k}\n",
            "mov {i:e}, 6\n",
            ".p2align 5\n",
            "5:\n",
            "vmovapd {x}, [{kept} + {FACTORS}]\n",
            pair!("row", 0, "c0" => "c0", "c1" => "c1", "c2"),
            "add {kept}, 32\n",
            "add {row}, 256\n",
            "sub {i:e}, 1\n",
            "jnz 5b\n",
            multiple!("c0"),
            "vmovapd [{s} + {FACTORS} + 192], {x}\n",
            "mov {kept}, {s}\n",
            "mov {row}, {k}\n",
            "mov {i:e}, 3\n",
            ".p2align 5\n",
            "6:\n",
            upper_pairs!(),
            "jnz 6b\n",
            // The first round's share of words 6 to 8.
            "vmovapd {x}, [{s} + {FACTORS} + 192]\n",
            "lea {words}, [{k} + {P}]\n",
            pair!("words", 0, "c0" => "c0", "c1" => "c1", "c2"),
            carry_round!("c0", "c1"),
            multiple!("c1"),
            "vmovapd [{s} + {FACTORS} + 224], {x}\n",
            // The other folds, and the first round.
            "mov {i:e}, 4\n",
            ".p2align 5\n",
            "7:\n",
            upper_pairs!(),
            "jnz 7b\n",
            // The second round.
            "vmovapd {x}, [{s} + {FACTORS} + 224]\n",
            "vmovdqa {c0}, [{s} + {LAST}]\n",
            pair!("words", 0, "c1" => "c1", "c2" => "c2", "c3"),
            carry_round!("c1", "c2"),
            pair!("words", 2, "c3" => "c3", "c4" => "c4", "c5"),
            pair!("words", 4, "c5" => "c5", "c6" => "c6", "c7"),
            pair!("words", 6, "c7" => "c7", "c8" => "c8", "c0"),
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

(* Translated from spec/src/kernel/limbs.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Arithmetic in the base field F_p on limbs of 52 bits: what one lane of the kernel does for a
    product and for a square, word by word.

    An element a stands as an integer a R modulo p, R = 2^416, in eight limbs of 52 bits, lowest
    first. The integer need not be below p: what is below 2^34 p fits, so sums before a product are
    not reduced. Words have 64 bits and are added up without carries, which is why their additions
    must not overflow; the multiplication takes the lowest 52 bits of two words and gives the low or
    the high 52 bits of their product, added to a word.

    - **Product.** The halves of the products of limbs, added up in 16 words.
    - **Fold.** Limbs 0 to 5, carries taken to the next word, are replaced: limb i counts 2^(52 i),
      and 2^(-52 (6 - i)) modulo p stands for it six limbs further up.
    - **Two rounds of Montgomery's** remove limbs 6 and 7: t + m p 2^(52 i) is a multiple of
      2^(52 (i + 1)) for m = -t_i / p modulo 2^52.

    What is left are the upper eight words: t / R modulo p, below t / R + p (1 + 2^-49), so below
    1.5 p where the factors' product is below 2^34 p². *)
From AardvarkSpec Require Export Prelude Base.Integers.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** Limbs of an element. *)
Definition LIMB_COUNT : usize :=
  8.

(** 2^52, which limbs are below. *)
Definition LIMB_BASE : u64 :=
  4503599627370496.

(** Limbs that are folded at once. *)
Definition FOLDED_LIMBS : usize :=
  6.

(** -1 / p modulo 2^52. *)
Definition MINUS_INVERSE : u64 :=
  1125887021744125.

(** Eight limbs, lowest first. *)
Definition limbs_of (l0 l1 l2 l3 l4 l5 l6 l7 : u64) : Seq u64 :=
  let low := [] ++ [l0] ++ [l1] ++ [l2] ++ [l3] in
  low ++ [l4] ++ [l5] ++ [l6] ++ [l7].

(** p, the modulus of the base field of BLS12-381. *)
Definition limbs_modulus : Seq u64 :=
  limbs_of
    4222124650637995
    4480601151241119
    1883421074697215
    329812468902415
    2080788367864709
    486514101631693
    539007656565323
    106513.

(** 2^(-52 (6 - i)) modulo p, for i below [`FOLDED_LIMBS`]. *)
Definition limbs_fold (i : usize) : Seq u64 :=
  if i =? 0 then
    limbs_of
      529228607245960
      3766595252657343
      2589121283939324
      2503850150381624
      1793001117361977
      2510182077833889
      1550722421499649
      74513
  else if i =? 1 then
    limbs_of
      1851839030634073
      2185585555874537
      2538282485378588
      2320099686853705
      4455358543762909
      2003907812998217
      3229575486387761
      53930
  else if i =? 2 then
    limbs_of
      4005202700434202
      2185318751765816
      4360435588285408
      2657871409793264
      3406693015290076
      1313113546182139
      1399764335557608
      91242
  else if i =? 3 then
    limbs_of
      3727415285668604
      2120444312012707
      4150979754209399
      1673050551467247
      1613730504300760
      697341154774423
      2948111214849297
      59160
  else if i =? 4 then
    limbs_of
      318533580239287
      2311101054095151
      1299030605455176
      1291776672187115
      2916697491979906
      2734387880884271
      3479583478766086
      61099
  else
    limbs_of
      83427544016843
      3790595924427476
      4311204160062685
      2639350406251043
      84271872363385
      1795902851312145
      4391819409793657
      26627.

(** The low half of the product of the lowest 52 bits of two words. *)
Definition limb_low (a b : u64) : u64 :=
  u64_of_u128 ((u128_of_u64 (a mod LIMB_BASE) * u128_of_u64 (b mod LIMB_BASE)) mod u128_of_u64 LIMB_BASE).

(** Its high half. *)
Definition limb_high (a b : u64) : u64 :=
  u64_of_u128 ((u128_of_u64 (a mod LIMB_BASE) * u128_of_u64 (b mod LIMB_BASE)) / u128_of_u64 LIMB_BASE).

(** The words with `word` at place `k`, which is one of theirs. *)
Definition words_with (words : Seq u64) (k : usize) (word : u64) : Seq u64 :=
  if k <? seq_length words then
    let above := seq_slice words (k + 1) (seq_length words - k - 1) in
    seq_slice words 0 k ++ [word] ++ above
  else
    words.

(** The words with `summand` added to that at place `k`. *)
Definition words_add (words : Seq u64) (k : usize) (summand : u64) : Seq u64 :=
  words_with words k (seq_at words k + summand).

(** One step of [`words_add_product`]. *)
Definition words_add_product_step (words limbs : Seq u64) (limb : u64) (place j : usize) : Seq u64 :=
  let with_low := words_add words (place + j) (limb_low (seq_at limbs j) limb) in
  words_add with_low (place + j + 1) (limb_high (seq_at limbs j) limb).

(** The words with `limb` times the limbs added at `place` and above: the integer grows by
    `limb` times theirs times 2^(52 `place`). *)
Definition words_add_product (words_before limbs : Seq u64) (limb : u64) (place : usize) : Seq u64 :=
  fold_left
    (fun words j => words_add_product_step words limbs limb place j)
    (range 0 LIMB_COUNT)
    words_before.

(** One step of [`words_carried`]. *)
Definition words_carried_step (words : Seq u64) (i : usize) : Seq u64 :=
  let with_carry := words_add words (i + 1) (seq_at words i / LIMB_BASE) in
  words_with with_carry i (seq_at words i mod LIMB_BASE).

(** The words with the first `count` brought below 2^52, what is above carried to the next. *)
Definition words_carried (words_before : Seq u64) (count : usize) : Seq u64 :=
  fold_left (fun words i => words_carried_step words i) (range 0 count) words_before.

(** One step of [`words_folded`]. *)
Definition words_folded_step (words : Seq u64) (i : usize) : Seq u64 :=
  let limb := seq_at words i in
  words_with (words_add_product words (limbs_fold i) limb FOLDED_LIMBS) i 0.

(** The words with the first six, which are below 2^52, replaced by what they are modulo p. *)
Definition words_folded (words_before : Seq u64) : Seq u64 :=
  fold_left (fun words i => words_folded_step words i) (range 0 FOLDED_LIMBS) words_before.

(** One step of [`words_rounds`]. *)
Definition words_rounds_step (words : Seq u64) (i : usize) : Seq u64 :=
  let multiple := limb_low (seq_at words i) MINUS_INVERSE in
  words_carried_step (words_add_product words limbs_modulus multiple i) i.

(** The words with multiples of p added so that words 6 and 7 become 0. *)
Definition words_rounds (words_before : Seq u64) : Seq u64 :=
  fold_left (fun words i => words_rounds_step words i) (range FOLDED_LIMBS LIMB_COUNT) words_before.

(** The limbs of t / R modulo p, for the 16 words of t. *)
Definition limbs_reduced (words : Seq u64) : Seq u64 :=
  let reduced := words_rounds (words_folded (words_carried words FOLDED_LIMBS)) in
  words_carried (seq_slice reduced LIMB_COUNT LIMB_COUNT) (LIMB_COUNT - 1).

(** One step of [`limbs_product`]. *)
Definition limbs_product_step (words a b : Seq u64) (i : usize) : Seq u64 :=
  words_add_product words a (seq_at b i) i.

(** a b / R, for factors of eight limbs with a b < 2^34 p². *)
Definition limbs_product (a b : Seq u64) : Seq u64 :=
  let words :=
    fold_left
      (fun words i => limbs_product_step words a b i)
      (range 0 LIMB_COUNT)
      (seq_new (2 * LIMB_COUNT) : Seq u64)
  in
  limbs_reduced words.

(** One step of [`words_add_later_products`]. *)
Definition words_add_later_products_step (words a : Seq u64) (i j : usize) : Seq u64 :=
  words_add_product_step words a (seq_at a i) i j.

(** The words with a_i a_j added at i + j for all j behind i. *)
Definition words_add_later_products (words_before a : Seq u64) (i : usize) : Seq u64 :=
  fold_left
    (fun words j => words_add_later_products_step words a i j)
    (range (i + 1) LIMB_COUNT)
    words_before.

(** The words with the products of unequal limbs, each once. *)
Definition words_of_unequal (a : Seq u64) : Seq u64 :=
  fold_left
    (fun words i => words_add_later_products words a i)
    (range 0 LIMB_COUNT)
    (seq_new (2 * LIMB_COUNT) : Seq u64).

(** One step of [`words_doubled`]. *)
Definition words_doubled_step (doubled words : Seq u64) (k : usize) : Seq u64 :=
  doubled ++ [seq_at words k + seq_at words k].

(** Each word twice. *)
Definition words_doubled (words : Seq u64) : Seq u64 :=
  fold_left (fun doubled k => words_doubled_step doubled words k) (range 0 (seq_length words)) [].

(** One step of [`words_add_squares`]. *)
Definition words_add_squares_step (words a : Seq u64) (i : usize) : Seq u64 :=
  words_add_product_step words a (seq_at a i) i i.

(** The words with the squares of the limbs. *)
Definition words_add_squares (words_before a : Seq u64) : Seq u64 :=
  fold_left (fun words i => words_add_squares_step words a i) (range 0 LIMB_COUNT) words_before.

(** a² / R, for eight limbs with a² < 2^34 p². *)
Definition limbs_square (a : Seq u64) : Seq u64 :=
  limbs_reduced (words_add_squares (words_doubled (words_of_unequal a)) a).

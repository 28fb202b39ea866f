(* Translated from spec/src/kernel/limbs.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Kernel.Limbs.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [limb_low] does not panic. *)
Definition limb_low_safe (a b : u64) : bool :=
  negb (LIMB_BASE =? 0) && negb (LIMB_BASE =? 0) &&
  within_u128 (u128_of_u64 (a mod LIMB_BASE) * u128_of_u64 (b mod LIMB_BASE)) &&
  negb (u128_of_u64 LIMB_BASE =? 0).

(** When [limb_high] does not panic. *)
Definition limb_high_safe (a b : u64) : bool :=
  negb (LIMB_BASE =? 0) && negb (LIMB_BASE =? 0) &&
  within_u128 (u128_of_u64 (a mod LIMB_BASE) * u128_of_u64 (b mod LIMB_BASE)) &&
  negb (u128_of_u64 LIMB_BASE =? 0).

(** When [words_with] does not panic. *)
Definition words_with_safe (words : Seq u64) (k : usize) (word : u64) : bool :=
  if k <? seq_length words then
    within_usize (k + 1) && (1 <=? seq_length words - k) &&
    (k + 1 + (seq_length words - k - 1) <=? seq_length words) &&
    (0 + k <=? seq_length words)
  else
    true.

(** When [words_add] does not panic. *)
Definition words_add_safe (words : Seq u64) (k : usize) (summand : u64) : bool :=
  (k <? seq_length words) && within_u64 (seq_at words k + summand) &&
  words_with_safe words k (seq_at words k + summand).

(** When [words_add_product_step] does not panic. *)
Definition words_add_product_step_safe (words limbs : Seq u64) (limb : u64) (place j : usize) : bool :=
  within_usize (place + j) && ((j <? seq_length limbs) && limb_low_safe (seq_at limbs j) limb) &&
  words_add_safe words (place + j) (limb_low (seq_at limbs j) limb) &&
  (let with_low := words_add words (place + j) (limb_low (seq_at limbs j) limb) in
    within_usize (place + j) && within_usize (place + j + 1) &&
    ((j <? seq_length limbs) && limb_high_safe (seq_at limbs j) limb) &&
    words_add_safe with_low (place + j + 1) (limb_high (seq_at limbs j) limb)).

(** When [words_add_product] does not panic. *)
Definition words_add_product_safe (words_before limbs : Seq u64) (limb : u64) (place : usize) : bool :=
  loop_safe
    (fun words j => words_add_product_step words limbs limb place j)
    (fun words j => words_add_product_step_safe words limbs limb place j)
    (range 0 LIMB_COUNT)
    words_before.

(** When [words_carried_step] does not panic. *)
Definition words_carried_step_safe (words : Seq u64) (i : usize) : bool :=
  within_usize (i + 1) && ((i <? seq_length words) && negb (LIMB_BASE =? 0)) &&
  words_add_safe words (i + 1) (seq_at words i / LIMB_BASE) &&
  (let with_carry := words_add words (i + 1) (seq_at words i / LIMB_BASE) in
    (i <? seq_length words) && negb (LIMB_BASE =? 0) &&
    words_with_safe with_carry i (seq_at words i mod LIMB_BASE)).

(** When [words_carried] does not panic. *)
Definition words_carried_safe (words_before : Seq u64) (count : usize) : bool :=
  loop_safe
    (fun words i => words_carried_step words i)
    (fun words i => words_carried_step_safe words i)
    (range 0 count)
    words_before.

(** When [words_folded_step] does not panic. *)
Definition words_folded_step_safe (words : Seq u64) (i : usize) : bool :=
  (i <? seq_length words) &&
  (let limb := seq_at words i in
    words_add_product_safe words (limbs_fold i) limb FOLDED_LIMBS &&
    words_with_safe (words_add_product words (limbs_fold i) limb FOLDED_LIMBS) i 0).

(** When [words_folded] does not panic. *)
Definition words_folded_safe (words_before : Seq u64) : bool :=
  loop_safe
    (fun words i => words_folded_step words i)
    (fun words i => words_folded_step_safe words i)
    (range 0 FOLDED_LIMBS)
    words_before.

(** When [words_rounds_step] does not panic. *)
Definition words_rounds_step_safe (words : Seq u64) (i : usize) : bool :=
  (i <? seq_length words) && limb_low_safe (seq_at words i) MINUS_INVERSE &&
  (let multiple := limb_low (seq_at words i) MINUS_INVERSE in
    words_add_product_safe words limbs_modulus multiple i &&
    words_carried_step_safe (words_add_product words limbs_modulus multiple i) i).

(** When [words_rounds] does not panic. *)
Definition words_rounds_safe (words_before : Seq u64) : bool :=
  loop_safe
    (fun words i => words_rounds_step words i)
    (fun words i => words_rounds_step_safe words i)
    (range FOLDED_LIMBS LIMB_COUNT)
    words_before.

(** When [limbs_reduced] does not panic. *)
Definition limbs_reduced_safe (words : Seq u64) : bool :=
  words_carried_safe words FOLDED_LIMBS && words_folded_safe (words_carried words FOLDED_LIMBS) &&
  words_rounds_safe (words_folded (words_carried words FOLDED_LIMBS)) &&
  (let reduced := words_rounds (words_folded (words_carried words FOLDED_LIMBS)) in
    (LIMB_COUNT + LIMB_COUNT <=? seq_length reduced) && (1 <=? LIMB_COUNT) &&
    words_carried_safe (seq_slice reduced LIMB_COUNT LIMB_COUNT) (LIMB_COUNT - 1)).

(** When [limbs_product_step] does not panic. *)
Definition limbs_product_step_safe (words a b : Seq u64) (i : usize) : bool :=
  (i <? seq_length b) && words_add_product_safe words a (seq_at b i) i.

(** When [limbs_product] does not panic. *)
Definition limbs_product_safe (a b : Seq u64) : bool :=
  within_usize (2 * LIMB_COUNT) &&
  (loop_safe
      (fun words i => limbs_product_step words a b i)
      (fun words i => limbs_product_step_safe words a b i)
      (range 0 LIMB_COUNT)
      (seq_new (2 * LIMB_COUNT) : Seq u64)) &&
  (let words :=
      fold_left
        (fun words i => limbs_product_step words a b i)
        (range 0 LIMB_COUNT)
        (seq_new (2 * LIMB_COUNT) : Seq u64)
    in
    limbs_reduced_safe words).

(** When [words_add_later_products_step] does not panic. *)
Definition words_add_later_products_step_safe (words a : Seq u64) (i j : usize) : bool :=
  (i <? seq_length a) && words_add_product_step_safe words a (seq_at a i) i j.

(** When [words_add_later_products] does not panic. *)
Definition words_add_later_products_safe (words_before a : Seq u64) (i : usize) : bool :=
  within_usize (i + 1) &&
  (loop_safe
      (fun words j => words_add_later_products_step words a i j)
      (fun words j => words_add_later_products_step_safe words a i j)
      (range (i + 1) LIMB_COUNT)
      words_before).

(** When [words_of_unequal] does not panic. *)
Definition words_of_unequal_safe (a : Seq u64) : bool :=
  within_usize (2 * LIMB_COUNT) &&
  (loop_safe
      (fun words i => words_add_later_products words a i)
      (fun words i => words_add_later_products_safe words a i)
      (range 0 LIMB_COUNT)
      (seq_new (2 * LIMB_COUNT) : Seq u64)).

(** When [words_doubled_step] does not panic. *)
Definition words_doubled_step_safe (doubled words : Seq u64) (k : usize) : bool :=
  (k <? seq_length words) && (k <? seq_length words) && within_u64 (seq_at words k + seq_at words k).

(** When [words_doubled] does not panic. *)
Definition words_doubled_safe (words : Seq u64) : bool :=
  loop_safe
    (fun doubled k => words_doubled_step doubled words k)
    (fun doubled k => words_doubled_step_safe doubled words k)
    (range 0 (seq_length words))
    [].

(** When [words_add_squares_step] does not panic. *)
Definition words_add_squares_step_safe (words a : Seq u64) (i : usize) : bool :=
  (i <? seq_length a) && words_add_product_step_safe words a (seq_at a i) i i.

(** When [words_add_squares] does not panic. *)
Definition words_add_squares_safe (words_before a : Seq u64) : bool :=
  loop_safe
    (fun words i => words_add_squares_step words a i)
    (fun words i => words_add_squares_step_safe words a i)
    (range 0 LIMB_COUNT)
    words_before.

(** When [limbs_square] does not panic. *)
Definition limbs_square_safe (a : Seq u64) : bool :=
  words_of_unequal_safe a && words_doubled_safe (words_of_unequal a) &&
  words_add_squares_safe (words_doubled (words_of_unequal a)) a &&
  limbs_reduced_safe (words_add_squares (words_doubled (words_of_unequal a)) a).

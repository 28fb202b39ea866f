(** Products and squares of the kernel, on limbs of 52 bits in words of 64 (`spec/src/kernel/limbs.rs`).

    [eight_limbs], [words_value] (the integer of limbs, lowest first) and [base_modulus] (p of BLS12-381) are in
    `Spec/Kernel/Limbs.v`. R is 2^416. That [limbs_product_safe] holds says that no sum of words reaches 2^64. *)
From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Kernel.Limbs Kernel.LimbsSafe.
From Aardvark Require Import Spec.Kernel.Limbs Lemmas.LimbReduction Lemmas.LimbProducts.
Local Open Scope N_scope.

(** For limbs below 2^52 whose integers' product is below 2^34 p^2 the kernel's product overflows no word, is a b / R
    modulo p, in limbs below 2^52, and less than 1.5 p. *)
Theorem limbs_product_correct : forall a b,
  eight_limbs a -> eight_limbs b -> words_value a * words_value b < 2 ^ 34 * (base_modulus * base_modulus) ->
  limbs_product_safe a b = true /\ eight_limbs (limbs_product a b) /\
  (words_value (limbs_product a b) * 2 ^ 416) mod base_modulus = (words_value a * words_value b) mod base_modulus /\
  2 * words_value (limbs_product a b) < 3 * base_modulus.
Proof.
  intros a b Ha Hb Hab. destruct (product_reduced a b Ha Hb) as (S & H & times & E & Hadded).
  { eapply N.lt_trans; [|exact room_for_products]. apply N.add_lt_mono_r, Hab. }
  split; [exact S|]. split; [exact H|]. rewrite <- base_power.
  exact (reduced_bound _ _ _ _ _ _ _ Hab E Hadded products_small (power_positive 8) eq_refl).
Qed.

(** The same of the kernel's square. *)
Theorem limbs_square_correct : forall a,
  eight_limbs a -> words_value a * words_value a < 2 ^ 34 * (base_modulus * base_modulus) ->
  limbs_square_safe a = true /\ eight_limbs (limbs_square a) /\
  (words_value (limbs_square a) * 2 ^ 416) mod base_modulus = (words_value a * words_value a) mod base_modulus /\
  2 * words_value (limbs_square a) < 3 * base_modulus.
Proof.
  intros a Ha Haa. destruct (square_reduced a Ha) as (S & H & times & E & Hadded).
  { eapply N.lt_trans; [|exact room_for_products]. apply N.add_lt_mono_r, Haa. }
  split; [exact S|]. split; [exact H|]. rewrite <- base_power.
  exact (reduced_bound _ _ _ _ _ _ _ Haa E Hadded products_small (power_positive 8) eq_refl).
Qed.

(* Translated from spec/src/base/group.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The groups of the pairing, G1, G2 and GT, each a type of its own.

    An element is represented by its discrete logarithm to its group's generator, its exponent, and
    the pairing multiplies exponents. Exponents are private to this file, so that outside of it
    rustc lets nothing be done with an element but what a group has: generator, identity, sum,
    difference, multiple by a scalar, equality; and the pairing, out of which no way leads back.
    Whoever commits, opens or verifies is given elements, and neither their exponents nor the
    trapdoor; only the functions that make public parameters are given one.

    [`known_exponent`] is for tests: the translation leaves it out and refuses whatever uses it. *)
From AardvarkSpec Require Export Prelude Base.Scalar.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** An element of G1: a commitment, an opening, a public power of the trapdoor. *)
Record G1 : Type := {
  (** The discrete logarithm to the generator. *)
  g1_exponent : Scalar;
}.

#[global] Instance Default_G1 : Default G1 := {| g1_exponent := default |}.

(** An element of G2: what a verification key holds of the trapdoor. *)
Record G2 : Type := {
  (** The discrete logarithm to the generator. *)
  g2_exponent : Scalar;
}.

#[global] Instance Default_G2 : Default G2 := {| g2_exponent := default |}.

(** An element of GT, the pairing's values; written as a sum, though it is a product of field
    elements. *)
Record GT : Type := {
  (** The discrete logarithm to the pairing of the two generators. *)
  gt_exponent : Scalar;
}.

#[global] Instance Default_GT : Default GT := {| gt_exponent := default |}.

(* Left out: known_exponent *)

(** The identity of G1, the point at infinity. *)
Definition g1_identity : G1 :=
  {| g1_exponent := scalar_zero |}.

(** The generator of G1. *)
Definition g1_generator : G1 :=
  {| g1_exponent := scalar_one |}.

(** a + b *)
Definition g1_add (a b : G1) : G1 :=
  {| g1_exponent := a.(g1_exponent) [+] b.(g1_exponent) |}.

(** a - b *)
Definition g1_subtract (a b : G1) : G1 :=
  {| g1_exponent := a.(g1_exponent) [-] b.(g1_exponent) |}.

(** The multiple of an element by a scalar. *)
Definition g1_scale (factor : Scalar) (element : G1) : G1 :=
  {| g1_exponent := factor [*] element.(g1_exponent) |}.

(** The multiple of the generator by a scalar. *)
Definition g1_multiple (factor : Scalar) : G1 :=
  {| g1_exponent := factor |}.

(** Whether two elements are the same. *)
Definition g1_equal (a b : G1) : bool :=
  a.(g1_exponent) [=?] b.(g1_exponent).

(** One step of [`g1_multiples`]. *)
Definition g1_multiples_step (elements : Seq G1) (factor : Scalar) : Seq G1 :=
  elements ++ [g1_multiple factor].

(** The multiples of the generator by scalars. *)
Definition g1_multiples (factors : Seq Scalar) : Seq G1 :=
  fold_left
    (fun elements i => g1_multiples_step elements (seq_at factors i))
    (range 0 (seq_length factors))
    [].

(** Element `i` of a sequence, and the identity beyond its end. *)
Definition g1_at (elements : Seq G1) (i : usize) : G1 :=
  if i <? seq_length elements then seq_at elements i else g1_identity.

(** One step of [`g1_resized`]. *)
Definition g1_resized_step (resized elements : Seq G1) (i : usize) : Seq G1 :=
  resized ++ [g1_at elements i].

(** The first `count` elements of a sequence, filled up with the identity. *)
Definition g1_resized (elements : Seq G1) (count : usize) : Seq G1 :=
  fold_left (fun resized i => g1_resized_step resized elements i) (range 0 count) [].

(** The sequence with `new` at index `i`; unchanged when `i` is beyond its end. *)
Definition g1_updated (elements : Seq G1) (i : usize) (new : G1) : Seq G1 :=
  if i <? seq_length elements then
    let above := seq_slice elements (i + 1) (seq_length elements - i - 1) in
    seq_slice elements 0 i ++ [new] ++ above
  else
    elements.

(** One step of [`g1_combination`]. *)
Definition g1_combination_step (total element : G1) (factor : Scalar) : G1 :=
  g1_add total (g1_scale factor element).

(** The sum of the elements, each times the scalar at its index; scalars that are lacking are 0. *)
Definition g1_combination (elements : Seq G1) (factors : Seq Scalar) : G1 :=
  fold_left
    (fun total i => g1_combination_step total (seq_at elements i) (scalar_at factors i))
    (range 0 (seq_length elements))
    g1_identity.

(** The generator of G2. *)
Definition g2_generator : G2 :=
  {| g2_exponent := scalar_one |}.

(** The multiple of G2's generator by a scalar. *)
Definition g2_multiple (factor : Scalar) : G2 :=
  {| g2_exponent := factor |}.

(** Element `i` of a sequence, and the multiple by 0 beyond its end. *)
Definition g2_at (elements : Seq G2) (i : usize) : G2 :=
  if i <? seq_length elements then seq_at elements i else g2_multiple scalar_zero.

(** The identity of GT. *)
Definition gt_identity : GT :=
  {| gt_exponent := scalar_zero |}.

(** a + b *)
Definition gt_add (a b : GT) : GT :=
  {| gt_exponent := a.(gt_exponent) [+] b.(gt_exponent) |}.

(** The multiple of an element by a scalar. *)
Definition gt_scale (factor : Scalar) (element : GT) : GT :=
  {| gt_exponent := factor [*] element.(gt_exponent) |}.

(** Whether two elements are the same. *)
Definition gt_equal (a b : GT) : bool :=
  a.(gt_exponent) [=?] b.(gt_exponent).

(** e(a, b): linear in both, and no identity for two generators. *)
Definition pairing (a : G1) (b : G2) : GT :=
  {| gt_exponent := a.(g1_exponent) [*] b.(g2_exponent) |}.

(** Whether e(left, g2) = e(right, key), as when `key` is the verification key's power of the
    trapdoor. *)
Definition pairings_equal (left' right' : G1) (key : G2) : bool :=
  gt_equal (pairing left' g2_generator) (pairing right' key).

End Specification.

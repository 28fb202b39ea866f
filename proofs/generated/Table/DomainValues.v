(* Translated from spec/src/table/domain_values.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Values, at a point off the domain, of the polynomials that the relations of a sheet speak of.

    A sheet's domain H is the N-th roots of unity, ω^i for i < N. Position 0 is the origin, N-3 the
    guard, N-2 and N-1 are the masks. L_i is the Lagrange polynomial of ω^i. Source: docs/tables.md,
    "Sheets". *)
From AardvarkSpec Require Export Prelude Base.Scalar Commitment.Kzg.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** ω^i. *)
Definition domain_point (n i : usize) : Scalar :=
  scalar_power (root_of_unity n) i.

(** Whether x^N = 1. *)
Definition on_domain (n : usize) (x : Scalar) : bool :=
  kzg_vanishing x n [=?] scalar_zero.

(** L_i(x), for x off the domain: ω^i (x^N - 1) / (N (x - ω^i)). *)
Definition lagrange_value (n i : usize) (x : Scalar) : Scalar :=
  domain_point n i [*] kzg_vanishing x n [*] scalar_inverse (kzg_size_scalar n [*] (x [-] domain_point n i)).

(** One step of [`interval_value`]. *)
Definition interval_value_step (total : Scalar) (n i : usize) (x : Scalar) : Scalar :=
  total [+] lagrange_value n i x.

(** The sum of L_i(x) over `count` positions from `first` on. *)
Definition interval_value (n first count : usize) (x : Scalar) : Scalar :=
  fold_left (fun total i => interval_value_step total n i x) (range first (first + count)) scalar_zero.

(** One step of [`vector_value`]. *)
Definition vector_value_step (total : Scalar) (n i : usize) (element x : Scalar) : Scalar :=
  total [+] element [*] lagrange_value n i x.

(** p(x), for the polynomial p of degree below N with these values on the domain. *)
Definition vector_value (n : usize) (vector : Seq Scalar) (x : Scalar) : Scalar :=
  fold_left
    (fun total i => vector_value_step total n i (seq_at vector i) x)
    (range 0 (seq_length vector))
    scalar_zero.

(** The position of the guard. *)
Definition guard_position (n : usize) : usize :=
  if 3 <=? n then n - 3 else 0.

(** The position of the first of the two masks. *)
Definition mask_position (n : usize) : usize :=
  if 2 <=? n then n - 2 else 0.

(** Z(x), which vanishes on the domain but for the masks: (x^N - 1) / ((x - ω^(N-2)) (x - ω^(N-1))). *)
Definition rows_vanishing (n : usize) (x : Scalar) : Scalar :=
  let first_mask := x [-] domain_point n (mask_position n) in
  let second_mask := x [-] domain_point n (mask_position n + 1) in
  kzg_vanishing x n [*] scalar_inverse (first_mask [*] second_mask).

(** s(x), which is 0 at the guard and 1 elsewhere on the domain. *)
Definition unguarded_value (n : usize) (x : Scalar) : Scalar :=
  scalar_one [-] lagrange_value n (guard_position n) x.

(** r_0 + r_1 x + r_2 x²: a mask of three coefficients at a point. *)
Definition mask_value (coefficients : Seq Scalar) (x : Scalar) : Scalar :=
  scalar_at coefficients 0 [+] x [*] (scalar_at coefficients 1 [+] x [*] scalar_at coefficients 2).

End Specification.

(* Translated from spec/src/mixnet/linear_relation.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Proofs of linear relations: "I know s with M s = X", M a matrix of group elements.

    Commitment T = M t with random t, challenge c, response z = t + c s; accepted iff M z = T + c X,
    row by row. All proofs of a mixnet are instances. Source: docs/mixnet.md, "Linear relations". *)
From AardvarkSpec Require Export Prelude Base.Scalar Base.Group.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** A proof of a linear relation, without its challenge. *)
Record LinearProof : Type := {
  (** T, an element a row. *)
  linear_first : Seq G1;
  (** z, a scalar a column. *)
  linear_responses : Seq Scalar;
}.

#[global] Instance Default_LinearProof : Default LinearProof := {| linear_first := default; linear_responses := default |}.

(** One step of [`linear_map`]. *)
Definition linear_map_step
    (products : Seq G1)
    (matrix : Seq (Seq G1))
    (s : Seq Scalar)
    (i : usize) : Seq G1 :=
  products ++ [g1_combination (seq_at matrix i) s].

(** M s *)
Definition linear_map (matrix : Seq (Seq G1)) (s : Seq Scalar) : Seq G1 :=
  fold_left (fun products i => linear_map_step products matrix s i) (range 0 (seq_length matrix)) [].

(** One step of [`linear_respond`]. *)
Definition linear_respond_step
    (responses nonces : Seq Scalar)
    (c : Scalar)
    (witness : Seq Scalar)
    (i : usize) : Seq Scalar :=
  responses ++ [seq_at nonces i [+] c [*] scalar_at witness i].

(** z = t + c s *)
Definition linear_respond (nonces : Seq Scalar) (c : Scalar) (witness : Seq Scalar) : Seq Scalar :=
  fold_left
    (fun responses i => linear_respond_step responses nonces c witness i)
    (range 0 (seq_length nonces))
    [].

(** The honest proof under a challenge. *)
Definition linear_prove (matrix : Seq (Seq G1)) (witness nonces : Seq Scalar) (c : Scalar) : LinearProof :=
  {| linear_first := linear_map matrix nonces; linear_responses := linear_respond nonces c witness |}.

(** Whether row `i` of M z is that of T + c X. *)
Definition linear_row_holds
    (matrix : Seq (Seq G1))
    (image : Seq G1)
    (proof : LinearProof)
    (c : Scalar)
    (i : usize) : bool :=
  g1_equal
    (g1_combination (seq_at matrix i) proof.(linear_responses))
    (g1_add (g1_at proof.(linear_first) i) (g1_scale c (g1_at image i))).

(** One step of [`linear_verify`]. *)
Definition linear_verify_step
    (held : bool)
    (matrix : Seq (Seq G1))
    (image : Seq G1)
    (proof : LinearProof)
    (c : Scalar)
    (i : usize) : bool :=
  held && linear_row_holds matrix image proof c i.

(** Whether a proof has an element a row and a scalar a column. *)
Definition linear_fits
    (matrix : Seq (Seq G1))
    (columns : usize)
    (image : Seq G1)
    (proof : LinearProof) : bool :=
  (seq_length image =? seq_length matrix) && (seq_length proof.(linear_first) =? seq_length matrix) &&
  (seq_length proof.(linear_responses) =? columns).

(** Whether M z = T + c X. *)
Definition linear_verify
    (matrix : Seq (Seq G1))
    (columns : usize)
    (image : Seq G1)
    (proof : LinearProof)
    (c : Scalar) : bool :=
  fold_left
    (fun held i => linear_verify_step held matrix image proof c i)
    (range 0 (seq_length matrix))
    (linear_fits matrix columns image proof).

(** One step of [`linear_simulate`]. *)
Definition linear_simulate_step
    (first : Seq G1)
    (matrix : Seq (Seq G1))
    (image : Seq G1)
    (c : Scalar)
    (responses : Seq Scalar)
    (i : usize) : Seq G1 :=
  first ++ [g1_subtract (g1_combination (seq_at matrix i) responses) (g1_scale c (g1_at image i))].

(** T = M z - c X: the commitment that goes with a challenge and responses, found without a witness. *)
Definition linear_simulate
    (matrix : Seq (Seq G1))
    (image : Seq G1)
    (c : Scalar)
    (responses : Seq Scalar) : Seq G1 :=
  fold_left
    (fun first i => linear_simulate_step first matrix image c responses i)
    (range 0 (seq_length matrix))
    [].

(** One step of [`linear_extract`]. *)
Definition linear_extract_step
    (extracted : Seq Scalar)
    (quotient : Scalar)
    (responses others : Seq Scalar)
    (i : usize) : Seq Scalar :=
  extracted ++ [quotient [*] (seq_at responses i [-] scalar_at others i)].

(** (z - z') / (c - c'): a witness, out of two accepted proofs with one T. *)
Definition linear_extract
    (c : Scalar)
    (responses : Seq Scalar)
    (d : Scalar)
    (others : Seq Scalar) : Seq Scalar :=
  let quotient := scalar_inverse (c [-] d) in
  fold_left
    (fun extracted i => linear_extract_step extracted quotient responses others i)
    (range 0 (seq_length responses))
    [].

(** One step of [`linear_sum_elements`]. *)
Definition linear_sum_elements_step (sums a b : Seq G1) (i : usize) : Seq G1 :=
  sums ++ [g1_add (seq_at a i) (g1_at b i)].

(** a + b, element by element. *)
Definition linear_sum_elements (a b : Seq G1) : Seq G1 :=
  fold_left (fun sums i => linear_sum_elements_step sums a b i) (range 0 (seq_length a)) [].

(** One step of [`linear_sum_scalars`]. *)
Definition linear_sum_scalars_step (sums a b : Seq Scalar) (i : usize) : Seq Scalar :=
  sums ++ [seq_at a i [+] scalar_at b i].

(** a + b, scalar by scalar. *)
Definition linear_sum_scalars (a b : Seq Scalar) : Seq Scalar :=
  fold_left (fun sums i => linear_sum_scalars_step sums a b i) (range 0 (seq_length a)) [].

(** The sum of two proofs under one challenge: a proof for the sum of their witnesses. *)
Definition linear_sum_proofs (a b : LinearProof) : LinearProof :=
  {| linear_first := linear_sum_elements a.(linear_first) b.(linear_first);
    linear_responses := linear_sum_scalars a.(linear_responses) b.(linear_responses) |}.

(** A row of `columns` elements, all the identity. *)
Definition linear_empty_row (columns : usize) : Seq G1 :=
  g1_resized [] columns.

End Specification.

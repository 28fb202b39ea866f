(* Translated from spec/src/mixnet/zero_test.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Whether sums are 0, and nothing else about them: each server multiplies each target (C_0, C_1)
    by a secret ζ of its own, and proves that it did.

    ```text
    C'_0 = ζ C_0        C'_1 = ζ C_1
    ```

    C_0 and C'_0 are not 0, so ζ is not. Source: docs/mixnet.md, "Queries". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Group Mixnet.LinearRelation
  Mixnet.MixnetTranscript.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A row that has an element of a target in the target's column. *)
Definition zero_test_row (targets : Seq (Seq G1)) (j l : usize) : Seq G1 :=
  g1_updated (linear_empty_row (seq_length targets)) j (g1_at (seq_at targets j) l).

(** One step of [`zero_test_matrix`]. *)
Definition zero_test_matrix_step (matrix targets : Seq (Seq G1)) (j : usize) : Seq (Seq G1) :=
  matrix ++ [zero_test_row targets j 0] ++ [zero_test_row targets j 1].

(** M: a column a target, two rows each. *)
Definition zero_test_matrix (targets : Seq (Seq G1)) : Seq (Seq G1) :=
  fold_left (fun matrix j => zero_test_matrix_step matrix targets j) (range 0 (seq_length targets)) [].

(** One step of [`zero_test_image`]. *)
Definition zero_test_image_step (image : Seq G1) (blinded : Seq (Seq G1)) (j : usize) : Seq G1 :=
  image ++ [g1_at (seq_at blinded j) 0] ++ [g1_at (seq_at blinded j) 1].

(** X: the components of the multiplied targets. *)
Definition zero_test_image (blinded : Seq (Seq G1)) : Seq G1 :=
  fold_left (fun image j => zero_test_image_step image blinded j) (range 0 (seq_length blinded)) [].

(** One step of [`zero_test_blind`]. *)
Definition zero_test_blind_step
    (blinded targets : Seq (Seq G1))
    (factors : Seq Scalar)
    (j : usize) : Seq (Seq G1) :=
  let zeta := scalar_at factors j in
  let first := g1_scale zeta (g1_at (seq_at targets j) 0) in
  let second := g1_scale zeta (g1_at (seq_at targets j) 1) in
  blinded ++ [[] ++ [first] ++ [second]].

(** The targets, each multiplied by its factor. *)
Definition zero_test_blind (targets : Seq (Seq G1)) (factors : Seq Scalar) : Seq (Seq G1) :=
  fold_left
    (fun blinded j => zero_test_blind_step blinded targets factors j)
    (range 0 (seq_length targets))
    [].

(** One step of [`zero_test_legal`]. *)
Definition zero_test_legal_step (legal : bool) (targets : Seq (Seq G1)) (j : usize) : bool :=
  legal && (seq_length (seq_at targets j) =? 2) && negb (g1_equal (g1_at (seq_at targets j) 0) g1_identity).

(** Whether all targets have two components, the first of which is not 0. *)
Definition zero_test_legal (targets : Seq (Seq G1)) : bool :=
  fold_left (fun legal j => zero_test_legal_step legal targets j) (range 0 (seq_length targets)) true.

(** Whether targets are shown to be multiplied by factors other than 0, under a challenge. *)
Definition verify_zero_test (targets blinded : Seq (Seq G1)) (proof : LinearProof) (c : Scalar) : bool :=
  let fits :=
    (seq_length targets =? seq_length blinded) && zero_test_legal targets && zero_test_legal blinded
  in
  let matrix := zero_test_matrix targets in
  fits && linear_verify matrix (seq_length targets) (zero_test_image blinded) proof c.

(** Whether targets are shown to be multiplied by factors other than 0, under the challenge that is
    drawn from the seed Z0 and the digest of T. *)
Definition verify_zero_test_drawn
    (seed : ByteString)
    (targets blinded : Seq (Seq G1))
    (proof : LinearProof)
    (first_digest : ByteString) : bool :=
  verify_zero_test targets blinded proof (zero_test_challenge seed first_digest).

End Specification.

(* Translated from spec/src/mixnet/zero_test.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.ZeroTest Base.BytesSafe Base.ScalarSafe Base.GroupSafe
  Mixnet.LinearRelationSafe Mixnet.MixnetTranscriptSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [zero_test_row] does not panic. *)
Definition zero_test_row_safe (targets : Seq (Seq G1)) (j l : usize) : bool :=
  (j <? seq_length targets) &&
  g1_updated_safe (linear_empty_row (seq_length targets)) j (g1_at (seq_at targets j) l).

(** When [zero_test_matrix_step] does not panic. *)
Definition zero_test_matrix_step_safe (matrix targets : Seq (Seq G1)) (j : usize) : bool :=
  zero_test_row_safe targets j 0 && zero_test_row_safe targets j 1.

(** When [zero_test_matrix] does not panic. *)
Definition zero_test_matrix_safe (targets : Seq (Seq G1)) : bool :=
  loop_safe
    (fun matrix j => zero_test_matrix_step matrix targets j)
    (fun matrix j => zero_test_matrix_step_safe matrix targets j)
    (range 0 (seq_length targets))
    [].

(** When [zero_test_image_step] does not panic. *)
Definition zero_test_image_step_safe (image : Seq G1) (blinded : Seq (Seq G1)) (j : usize) : bool :=
  (j <? seq_length blinded) && (j <? seq_length blinded).

(** When [zero_test_image] does not panic. *)
Definition zero_test_image_safe (blinded : Seq (Seq G1)) : bool :=
  loop_safe
    (fun image j => zero_test_image_step image blinded j)
    (fun image j => zero_test_image_step_safe image blinded j)
    (range 0 (seq_length blinded))
    [].

(** When [zero_test_blind_step] does not panic. *)
Definition zero_test_blind_step_safe
    (blinded targets : Seq (Seq G1))
    (factors : Seq Scalar)
    (j : usize) : bool :=
  (j <? seq_length targets) && (j <? seq_length targets).

(** When [zero_test_blind] does not panic. *)
Definition zero_test_blind_safe (targets : Seq (Seq G1)) (factors : Seq Scalar) : bool :=
  loop_safe
    (fun blinded j => zero_test_blind_step blinded targets factors j)
    (fun blinded j => zero_test_blind_step_safe blinded targets factors j)
    (range 0 (seq_length targets))
    [].

(** When [zero_test_legal_step] does not panic. *)
Definition zero_test_legal_step_safe (legal : bool) (targets : Seq (Seq G1)) (j : usize) : bool :=
  (if legal then j <? seq_length targets else true) &&
  (if legal && (seq_length (seq_at targets j) =? 2) then j <? seq_length targets else true).

(** When [zero_test_legal] does not panic. *)
Definition zero_test_legal_safe (targets : Seq (Seq G1)) : bool :=
  loop_safe
    (fun legal j => zero_test_legal_step legal targets j)
    (fun legal j => zero_test_legal_step_safe legal targets j)
    (range 0 (seq_length targets))
    true.

(** When [verify_zero_test] does not panic. *)
Definition verify_zero_test_safe (targets blinded : Seq (Seq G1)) (proof : LinearProof) (c : Scalar) : bool :=
  (if seq_length targets =? seq_length blinded then zero_test_legal_safe targets else true) &&
  (if (seq_length targets =? seq_length blinded) && zero_test_legal targets then
      zero_test_legal_safe blinded
    else
      true) &&
  (let fits :=
      (seq_length targets =? seq_length blinded) && zero_test_legal targets && zero_test_legal blinded
    in
    zero_test_matrix_safe targets &&
    (let matrix := zero_test_matrix targets in
      if fits then
        zero_test_image_safe blinded &&
        linear_verify_safe matrix (seq_length targets) (zero_test_image blinded) proof c
      else
        true)).

(** When [verify_zero_test_drawn] does not panic. *)
Definition verify_zero_test_drawn_safe
    (seed : ByteString)
    (targets blinded : Seq (Seq G1))
    (proof : LinearProof)
    (first_digest : ByteString) : bool :=
  verify_zero_test_safe targets blinded proof (zero_test_challenge seed first_digest).

End Specification.

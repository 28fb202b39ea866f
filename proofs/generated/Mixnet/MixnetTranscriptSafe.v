(* Translated from spec/src/mixnet/mixnet_transcript.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.MixnetTranscript Base.BytesSafe Base.ScalarSafe
  Commitment.ChallengeSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [mixnet_coefficients_step] does not panic. *)
Definition mixnet_coefficients_step_safe (drawn : Seq Scalar) (seed : ByteString) (i : usize) : bool :=
  batch_coefficient_safe seed i.

(** When [mixnet_coefficients] does not panic. *)
Definition mixnet_coefficients_safe (seed : ByteString) (count : usize) : bool :=
  loop_safe
    (fun drawn i => mixnet_coefficients_step drawn seed i)
    (fun drawn i => mixnet_coefficients_step_safe drawn seed i)
    (range 0 count)
    [].

End Specification.

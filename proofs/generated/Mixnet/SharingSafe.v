(* Translated from spec/src/mixnet/sharing.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.Sharing Base.ScalarSafe Base.GroupSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** When [share_of_step] does not panic. *)
Definition share_of_step_safe (total : Scalar) (coefficients : Seq Scalar) (server a : usize) : bool :=
  (1 <=? seq_length coefficients) && (a <=? seq_length coefficients - 1).

(** When [share_of] does not panic. *)
Definition share_of_safe (coefficients : Seq Scalar) (server : usize) : bool :=
  loop_safe
    (fun total a => share_of_step total coefficients server a)
    (fun total a => share_of_step_safe total coefficients server a)
    (range 0 (seq_length coefficients))
    scalar_zero.

(** When [share_commitments] does not panic. *)
Definition share_commitments_safe (coefficients : Seq Scalar) : bool :=
  g1_multiples_safe coefficients.

(** When [share_public_step] does not panic. *)
Definition share_public_step_safe (total : G1) (committed : Seq G1) (server a : usize) : bool :=
  (1 <=? seq_length committed) && (a <=? seq_length committed - 1).

(** When [share_public] does not panic. *)
Definition share_public_safe (committed : Seq G1) (server : usize) : bool :=
  loop_safe
    (fun total a => share_public_step total committed server a)
    (fun total a => share_public_step_safe total committed server a)
    (range 0 (seq_length committed))
    g1_identity.

(** When [share_verify] does not panic. *)
Definition share_verify_safe (committed : Seq G1) (server : usize) (share : Scalar) : bool :=
  share_public_safe committed server.

(** When [share_weight_step] does not panic. *)
Definition share_weight_step_safe (weight : Scalar) (servers : Seq usize) (server i : usize) : bool :=
  i <? seq_length servers.

(** When [share_weight] does not panic. *)
Definition share_weight_safe (servers : Seq usize) (server : usize) : bool :=
  loop_safe
    (fun weight i => share_weight_step weight servers server i)
    (fun weight i => share_weight_step_safe weight servers server i)
    (range 0 (seq_length servers))
    scalar_one.

(** When [share_combine_step] does not panic. *)
Definition share_combine_step_safe (total : G1) (servers : Seq usize) (shares : Seq G1) (i : usize) : bool :=
  (i <? seq_length servers) && share_weight_safe servers (seq_at servers i).

(** When [share_combine] does not panic. *)
Definition share_combine_safe (servers : Seq usize) (shares : Seq G1) : bool :=
  loop_safe
    (fun total i => share_combine_step total servers shares i)
    (fun total i => share_combine_step_safe total servers shares i)
    (range 0 (seq_length servers))
    g1_identity.

End Specification.

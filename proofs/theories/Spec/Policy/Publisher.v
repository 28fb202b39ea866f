(** The policy `publisher`.

    - [publishers_only]: where the policy accepts, somebody signed, and everybody who signed is listed. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Policy.PolicyReason Policy.Signers Policy.Publisher.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Policy.Signers.
Import ListNotations.
Local Open Scope N_scope.

Lemma all_listed_forall : forall publishers keys, all_listed publishers keys = true <-> Forall (fun k => In k publishers) keys.
Proof.
  intros publishers keys. unfold all_listed. rewrite (loop_over_elements _ _ _ (fun all_are k => all_listed_step all_are publishers k)).
  assert (G : forall all_are, fold_left (fun all_are k => all_listed_step all_are publishers k) keys all_are = true <->
    all_are = true /\ Forall (fun k => In k publishers) keys).
  { induction keys as [|k keys IH]; intros all_are; cbn [fold_left].
    - split; [intros ->; split; [reflexivity|constructor]|tauto].
    - rewrite IH. unfold all_listed_step. rewrite andb_true_iff, is_listed_in, Forall_cons_iff. tauto. }
  rewrite G. tauto.
Qed.

Theorem publishers_only : forall publishers keys,
  check_publisher publishers keys = Ok tt <-> keys <> [] /\ Forall (fun k => In k publishers) keys.
Proof.
  intros publishers keys. unfold check_publisher. rewrite <- all_listed_forall. destruct keys as [|k keys].
  - cbn. split; [discriminate|]. intros [H _]. congruence.
  - rewrite seq_length_cons. replace (seq_length keys + 1 =? 0) with false by (symmetry; apply N.eqb_neq; lia).
    destruct (all_listed publishers (k :: keys)); split; try discriminate; try (intros [_ H]; discriminate); intros _; split; congruence.
Qed.

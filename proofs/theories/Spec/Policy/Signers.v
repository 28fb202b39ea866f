(** Lists of public keys and of accounts.

    - [is_listed_in]: what is looked for stands in the list. *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Bytes Policy.Signers.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes.
Import ListNotations.
Local Open Scope N_scope.

Lemma is_listed_in : forall listed k, is_listed listed k = true <-> In k listed.
Proof.
  intros listed k. unfold is_listed. rewrite (loop_over_elements _ _ _ (fun found p => is_listed_step found p k)).
  assert (G : forall found, fold_left (fun found p => is_listed_step found p k) listed found = true <-> found = true \/ In k listed).
  { induction listed as [|p listed IH]; intros found; cbn [fold_left In]; [tauto|]. rewrite IH. unfold is_listed_step.
    rewrite orb_true_iff, bytes_equal_iff. tauto. }
  rewrite G. intuition discriminate.
Qed.

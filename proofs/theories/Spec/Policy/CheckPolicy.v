(** The policy of a chain, by its parts.

    - [check_policy_iff]: a transaction passes exactly where the signers may do it and its certificates are those that the
      policy asks for;
    - [uncertified_iff]: under all policies but `tables` these are none. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Block.Transaction Decoding.SignedDecoder
  Policy.PolicyReason Policy.Signers Policy.CheckPolicy.
From Aardvark Require Import Lemmas.LoopLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section CheckPolicy.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Lemma check_policy_iff : forall policy tx signed_by items,
  check_policy policy tx signed_by items = Ok tt <->
  check_signed policy tx signed_by = Ok tt /\ check_brought policy tx items = Ok tt.
Proof.
  intros policy tx signed_by items. unfold check_policy. destruct (check_signed policy tx signed_by) as [[]|e].
  - tauto.
  - split; [discriminate|]. intros [H _]. discriminate H.
Qed.

Lemma uncertified_iff : forall policy tx items, (forall creators, policy <> Policy_PolicyTables creators) ->
  check_brought policy tx items = Ok tt <-> items = [].
Proof.
  intros [rule|publishers|creators] tx items O; [| |now destruct (O creators)]; cbn [check_brought];
    (destruct items as [|brought items]; [split; reflexivity|]; rewrite seq_length_cons;
      replace (seq_length items + 1 =? 0) with false by (symmetry; apply N.eqb_neq; lia); split; discriminate).
Qed.

End CheckPolicy.

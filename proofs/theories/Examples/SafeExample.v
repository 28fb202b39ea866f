(** The premises of the safety theorems can be met: the history of ReachableExample.v.

    - [example_received]: all that was received in it is of bytes, and it fits into a machine: so the theorems of
      ReachableSafe.v speak of its last state;
    - [example_accepted]: and so do those of AcceptedSafe.v, also after the forged claim was accepted;
    - [example_applied]: which transactions were applied, for Applied.v. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Scheme Block.Operation Dictionary.Genesis
  Block.Transaction Block.State Block.BlockData Block.Phases Block.Validator Block.AggregatedBlock.
From Aardvark Require Import Lemmas.Field Examples.ModularScalars Lemmas.LoopLemmas Lemmas.History
  Lemmas.AnyBlock Spec.Block.Validator Safety.BoundsSafe Safety.ApplySafe Safety.GenesisStateSafe
  Safety.ReachableSafe Safety.AcceptedSafe Lemmas.Applied Lemmas.Openings Examples.ReachableExample
  Safety.SlotMapSafe.
Import ListNotations.
Local Open Scope N_scope.

#[local] Existing Instance toy_hash.

(** ** Whether values are of bytes, computed *)

Definition bytes_ok (x : ByteString) : bool := forallb (fun byte => byte <? 256) x.

Definition action_ok (act : Action) : bool :=
  match act with
  | Action_RequireValue v | Action_Put v => bytes_ok v
  | _ => true
  end.

Definition transaction_ok (tx : Transaction) : bool :=
  forallb (fun op => action_ok (action op)) (operations tx) && forallb (fun c => bytes_ok (value (claim_slot c))) (claims tx).

Definition block_ok (block : Block) : bool :=
  forallb transaction_ok (transactions block) &&
  forallb (fun vector => forallb (fun x => bytes_ok (value x)) vector) (tail_vectors block).

Lemma bytes_ok_sound : forall x, bytes_ok x = true -> of_bytes x.
Proof. intros x E. apply Forall_forall. intros byte I. apply N.ltb_lt. exact (proj1 (forallb_forall _ _) E byte I). Qed.

Lemma block_ok_sound : forall block, block_ok block = true -> block_of_bytes block.
Proof.
  intros block E. unfold block_ok in E. apply andb_true_iff in E. destruct E as [T V]. rewrite forallb_forall in T, V. split.
  - intros tx I. specialize (T tx I). unfold transaction_ok in T. apply andb_true_iff in T. destruct T as [O C].
    rewrite forallb_forall in O, C. split.
    + intros op J. specialize (O op J). destruct (action op); cbn [action_ok action_of_bytes] in *; auto using bytes_ok_sound.
    + intros c J. apply bytes_ok_sound, C, J.
  - intros vector x I J. specialize (V vector I). rewrite forallb_forall in V. apply bytes_ok_sound, V, J.
Qed.

(** ** The example *)

Lemma example_digests : digests_short.
Proof. intros tag x. reflexivity. Qed.

Lemma example_genesis_of_bytes : genesis_of_bytes genesis.
Proof.
  assert (E : forallb (fun e => bytes_ok (entry_value e)) (genesis_entries genesis) = true) by reflexivity.
  rewrite forallb_forall in E. intros e I. apply bytes_ok_sound, E, I.
Qed.

Lemma example_blocks_of_bytes : block_of_bytes (block_in sent_1) /\ block_of_bytes block_2 /\ block_of_bytes lying_block.
Proof. split; [|split]; apply block_ok_sound; vm_cast_no_check (eq_refl true). Qed.

Lemma received_step : forall h state any,
  received setup genesis h state -> block_of_bytes (block_in any) -> good_step h state any ->
  received setup genesis (h ++ [array_of (latest h) any]) (state_after state any).
Proof.
  intros h state any R B G. destruct (good_step_some h state any G) as (effects & A & N & I).
  exact (received_block setup genesis h state any _ effects _ R B A N I).
Qed.

Theorem example_received : received setup genesis [array_0; array_1; array_2] state_2 /\ in_memory [array_0; array_1; array_2].
Proof.
  destruct steps_good as [G1 G2], example_blocks_of_bytes as (B1 & B2 & _). split.
  - apply (received_step [array_0; array_1] state_1 (Plain block_2)); [|exact B2|exact G2].
    apply (received_step [array_0] state_0 sent_1); [|exact B1|exact G1].
    apply received_genesis. exact example_genesis_of_bytes.
  - split; [reflexivity|]. intros a I. apply N.ltb_lt.
    assert (E : forallb (fun a => array_size a <? 2 ^ 63) [array_0; array_1; array_2] = true)
      by vm_cast_no_check (eq_refl true).
    exact (proj1 (forallb_forall _ _) E a I).
Qed.

Lemma accepted_step : forall state any,
  accepted setup genesis state -> block_of_bytes (block_in any) ->
  match apply_any setup state any with
  | Ok (state', _) => (version state' + 1 <? 2 ^ 64) && (size state' <? 2 ^ 62)
  | Err _ => false
  end = true ->
  accepted setup genesis (state_after state any).
Proof.
  intros state any A B E. unfold state_after. destruct (apply_any setup state any) as [[s f]|] eqn:X; [|discriminate].
  apply andb_true_iff in E. rewrite !N.ltb_lt in E. exact (accepted_block setup genesis state any s f A B X E).
Qed.

Theorem example_accepted : accepted setup genesis state_2 /\ accepted setup genesis (state_after state_0 (Plain lying_block)).
Proof.
  destruct example_blocks_of_bytes as (B1 & B2 & B3).
  assert (A0 : accepted setup genesis state_0).
  { apply accepted_genesis; [exact example_genesis_of_bytes|]. split; apply N.ltb_lt; vm_cast_no_check (eq_refl true). }
  split; [|apply (accepted_step state_0 (Plain lying_block) A0 B3); vm_cast_no_check (eq_refl true)].
  apply (accepted_step state_1 (Plain block_2)); [|exact B2|vm_cast_no_check (eq_refl true)].
  apply (accepted_step state_0 sent_1 A0 B1). vm_cast_no_check (eq_refl true).
Qed.

(** The transactions: the first came in an aggregated block, without openings. *)
Definition forget : Transaction -> Transaction := reopen_transaction (fun _ _ => Opening_Malformed).

Theorem example_applied : has_applied setup genesis [forget puts; deletes] state_2 /\
  forall tx, In tx [forget puts; deletes] -> last_valid tx < 2 ^ 64.
Proof.
  destruct steps_good as [G1 G2]. split; [|intros tx [<-|[<-|[]]]; reflexivity].
  destruct (good_step_some _ _ _ G1) as (effects1 & A1 & _), (good_step_some _ _ _ G2) as (effects2 & A2 & _).
  apply (applied_block setup genesis [forget puts] state_1 (Plain block_2) state_2 effects2); [|exact A2].
  exact (applied_block setup genesis [] state_0 sent_1 state_1 effects1 (applied_nothing setup genesis) A1).
Qed.

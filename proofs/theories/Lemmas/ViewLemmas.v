(** What a view holds, position by position: the layers of claims, tail vectors, tail and window. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Scheme Dictionary.Genesis Dictionary.Writes Dictionary.Vectors Dictionary.Window
  Block.Transaction Block.BlockData Block.Tail Block.State Block.View.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.Writes Lemmas.History Spec.Dictionary.Window.
Import ListNotations.
Local Open Scope N_scope.

Section View.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Consecutive slots *)

Lemma slot_at_lay_slots : forall below start slots p,
  slot_at (lay_slots below start slots) p =
  if (start <=? p) && (p <? start + seq_length slots) then Some (seq_at slots (p - start)) else slot_at below p.
Proof.
  intros below start slots p. unfold lay_slots.
  apply (loop_invariant _ (fun i laid => slot_at laid p =
    if (start <=? p) && (p <? start + i) then Some (seq_at slots (p - start)) else slot_at below p)).
  - lia.
  - destruct (N.leb_spec start p), (N.ltb_spec p (start + 0)); cbn [andb]; try reflexivity. lia.
  - intros i laid Hi H. unfold lay_slots_step. rewrite slot_at_put_slot.
    destruct (N.eqb_spec p (start + i)) as [->|N].
    + destruct (N.leb_spec start (start + i)); [|lia]. destruct (N.ltb_spec (start + i) (start + (i + 1))); [|lia].
      cbn [andb]. do 2 f_equal. lia.
    + rewrite H. destruct (N.leb_spec start p); cbn [andb]; [|reflexivity].
      destruct (N.ltb_spec p (start + i)), (N.ltb_spec p (start + (i + 1))); try reflexivity; lia.
Qed.

(** ** Claims *)

(** The map holds at [p] what one of the claims says, or else no claim is of [p] and the map below shows. *)
Definition shows_claim (items : list Claim) (p : N) (found below : option Slot) : Prop :=
  (exists c, In c items /\ claim_position c = p /\ found = Some (claim_slot c)) \/
  ((forall c, In c items -> claim_position c <> p) /\ found = below).

Lemma slot_at_lay_claims : forall items below p,
  shows_claim items p (slot_at (lay_claims below items) p) (slot_at below p).
Proof.
  intros items below p. unfold lay_claims. rewrite (loop_over_elements _ _ _ lay_claims_step). revert below.
  induction items as [|c items IH]; intros below; cbn [fold_left].
  - right. split; [intros c []|reflexivity].
  - destruct (IH (lay_claims_step below c)) as [(d & I & P & E)|[A E]].
    + left. exists d. split; [right; assumption|auto].
    + rewrite E. unfold lay_claims_step. rewrite slot_at_put_slot. destruct (N.eqb_spec p (claim_position c)) as [->|N].
      * left. exists c. split; [left; reflexivity|auto].
      * right. split; [|reflexivity]. intros d [<-|I]; [congruence|]. apply A. assumption.
Qed.

(** The claims of all transactions. *)
Definition all_claims (items : list Transaction) : list Claim := flat_map claims items.

Lemma in_all_claims : forall items c, In c (all_claims items) <-> exists tx, In tx items /\ In c (claims tx).
Proof. intros. apply in_flat_map. Qed.

Lemma slot_at_lay_block_claims : forall items below p,
  shows_claim (all_claims items) p (slot_at (lay_block_claims below items) p) (slot_at below p).
Proof.
  intros items below p. unfold lay_block_claims. rewrite (loop_over_elements _ _ _ lay_block_claims_step). revert below.
  induction items as [|tx items IH]; intros below; cbn [fold_left].
  - right. split; [intros c []|reflexivity].
  - unfold shows_claim, all_claims in *. cbn [flat_map].
    destruct (IH (lay_block_claims_step below tx)) as [(d & I & P & E)|[A E]].
    + left. exists d. split; [apply in_app_iff; auto|auto].
    + rewrite E. unfold lay_block_claims_step. destruct (slot_at_lay_claims (claims tx) below p) as [(d & I & P & G)|[B G]].
      * left. exists d. split; [apply in_app_iff; auto|auto].
      * right. split; [|assumption]. intros d I. apply in_app_iff in I. destruct I; auto.
Qed.

(** ** Tail vectors *)

(** Position [p] lies in item [i] of the block's tail, at index [j]. *)
Definition in_tail_vector (start n : N) (vectors : list (list Slot)) (i j p : N) : Prop :=
  i < seq_length vectors /\ j < seq_length (seq_at vectors i) /\
  exists number, tail_vector_number start n i = Some number /\ p = number * n + j.

Lemma slot_at_lay_tail_vectors : forall below start n vectors p,
  (exists i j, in_tail_vector start n vectors i j p /\
    slot_at (lay_tail_vectors below start n vectors) p = Some (seq_at (seq_at vectors i) j)) \/
  ((forall i j, ~ in_tail_vector start n vectors i j p) /\
    slot_at (lay_tail_vectors below start n vectors) p = slot_at below p).
Proof.
  intros below start n vectors p.
  assert (G : (exists i j, i < seq_length vectors /\ in_tail_vector start n vectors i j p /\
      slot_at (lay_tail_vectors below start n vectors) p = Some (seq_at (seq_at vectors i) j)) \/
    ((forall i j, i < seq_length vectors -> ~ in_tail_vector start n vectors i j p) /\
      slot_at (lay_tail_vectors below start n vectors) p = slot_at below p)).
  { unfold lay_tail_vectors. apply (loop_invariant _ (fun k laid =>
      (exists i j, i < k /\ in_tail_vector start n vectors i j p /\
        slot_at laid p = Some (seq_at (seq_at vectors i) j)) \/
      ((forall i j, i < k -> ~ in_tail_vector start n vectors i j p) /\ slot_at laid p = slot_at below p))).
    - lia.
    - right. split; [intros i j; lia|reflexivity].
    - intros k laid Hk H. unfold lay_tail_vector. destruct (tail_vector_number start n k) as [number|] eqn:T.
      + rewrite slot_at_lay_slots.
        destruct (N.leb_spec (number * n) p); cbn [andb];
          [destruct (N.ltb_spec p (number * n + seq_length (seq_at vectors k)))|].
        1:{ left. exists k, (p - number * n). split; [lia|]. split; [|reflexivity]. split; [lia|]. split; [lia|].
            exists number. split; [assumption|lia]. }
        all: destruct H as [(i & j & Hi & I & E)|[A E]];
          [left; exists i, j; split; [lia|auto]|right; split; [|assumption]];
          intros i j Hi I; destruct (N.eq_dec i k) as [->|]; [|apply (A i j); [lia|assumption]];
          destruct I as (_ & Hj & m & Tm & ->); rewrite T in Tm; injection Tm as <-; lia.
      + destruct H as [(i & j & Hi & I & E)|[A E]]; [left; exists i, j; split; [lia|auto]|right; split; [|assumption]].
        intros i j Hi I. destruct (N.eq_dec i k) as [->|]; [|apply (A i j); [lia|assumption]].
        destruct I as (_ & _ & m & Tm & _). congruence. }
  destruct G as [(i & j & _ & I & E)|[A E]]; [left; exists i, j; auto|right; split; [|assumption]].
  intros i j I. apply (A i j); [apply I|assumption].
Qed.

(** ** The state over it *)

(** The validator's tail holds the position. *)
Definition in_tail (state : ValidatorState) (p : N) : bool := (tail_start state <=? p) && (p <? size state).

Lemma slot_at_lay_state : forall setup h state below p,
  honest_state setup h state ->
  slot_at (lay_state below state) p =
  if written_in (window state) p || in_tail state p then slot_at (array_slots (latest h)) p else slot_at below p.
Proof.
  intros setup h state below p H. unfold lay_state.
  rewrite (lay_window_correct _ _ _ _ _ (honest_window _ _ _ H)).
  destruct (written_in (window state) p); [reflexivity|]. cbn [orb]. rewrite slot_at_lay_slots. unfold in_tail.
  destruct (honest_tail _ _ _ H) as (_ & B & _ & L & T). rewrite (honest_size _ _ _ H).
  replace (tail_start state + seq_length (tail state)) with (array_size (latest h)) by lia.
  destruct (N.leb_spec (tail_start state) p); cbn [andb]; [|reflexivity].
  destruct (N.ltb_spec p (array_size (latest h))); [|reflexivity].
  rewrite <- T by lia. f_equal. lia.
Qed.

End View.

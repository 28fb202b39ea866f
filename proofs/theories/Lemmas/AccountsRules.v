(** The rules of the policy `accounts` one by one, without loops.

    - [accounts_pass_iff]: a transaction passes exactly where each rule holds: all keys are accounts, somebody pays, something is
      taken from each signer, what is added to the account of fees is no less than what is owed, and the rules of which
      Accounts.v says what follows from them. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Hash Base.Bytes Block.Operation Block.Transaction
  Policy.PolicyReason Policy.Signers Policy.Accounts Policy.CheckPolicy.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Spec.Policy.CheckPolicy.
Import ListNotations.
Local Open Scope N_scope.

(** What operations add to an account. *)
Definition added_to (account : ByteString) (items : list Operation) : N :=
  fold_right (fun o sum => if bytes_equal (operation_key o) account then added_amount o + sum else sum) 0 items.

Lemma forallb_fold : forall A (step : bool -> A -> bool) (holds : A -> bool) l,
  (forall all x, step all x = all && holds x) -> fold_left step l true = forallb holds l.
Proof.
  intros A step holds l S. enough (G : forall all, fold_left step l all = all && forallb holds l) by apply G.
  induction l as [|x l IH]; intros all; cbn [fold_left forallb]; [destruct all; reflexivity|].
  rewrite S, IH, andb_assoc. reflexivity.
Qed.

Lemma existsb_fold : forall A (step : bool -> A -> bool) (holds : A -> bool) l,
  (forall found x, step found x = found || holds x) -> fold_left step l false = existsb holds l.
Proof.
  intros A step holds l S. enough (G : forall found, fold_left step l found = found || existsb holds l) by apply G.
  induction l as [|x l IH]; intros found; cbn [fold_left existsb]; [destruct found; reflexivity|].
  rewrite S, IH, orb_assoc. reflexivity.
Qed.

Lemma keys_are_accounts_iff : forall items,
  keys_are_accounts items = true <-> forall o, In o items -> seq_length (operation_key o) = 32.
Proof.
  intros items. unfold keys_are_accounts. rewrite (loop_over_elements _ _ _ keys_are_accounts_step).
  rewrite (forallb_fold _ _ (fun o => seq_length (operation_key o) =? 32)) by reflexivity.
  rewrite forallb_forall. split; intros H o I; specialize (H o I); apply N.eqb_eq; exact H.
Qed.

Lemma has_payer_iff : forall items,
  has_payer items = true <-> exists o amount, In o items /\ action o = Action_Sub amount.
Proof.
  intros items. unfold has_payer. rewrite (loop_over_elements _ _ _ has_payer_step).
  rewrite (existsb_fold _ _ (fun o => is_sub (action o))) by reflexivity. rewrite existsb_exists. split.
  - intros (o & I & S). destruct (action o) as [| | | | |amount] eqn:A; try discriminate S. exists o, amount. split; assumption.
  - intros (o & amount & I & A). exists o. rewrite A. split; [exact I|reflexivity].
Qed.

Lemma is_taken_from_iff : forall items k,
  is_taken_from items k = true <-> exists o, In o items /\ takes (action o) = true /\ operation_key o = k.
Proof.
  intros items k. unfold is_taken_from.
  rewrite (loop_over_elements _ _ _ (fun found o => is_taken_from_step found o k)).
  rewrite (existsb_fold _ _ (fun o => takes (action o) && bytes_equal (operation_key o) k)) by reflexivity.
  rewrite existsb_exists. split; intros (o & I & H); exists o; (split; [exact I|]).
  - apply andb_true_iff in H. rewrite bytes_equal_iff in H. exact H.
  - apply andb_true_iff. rewrite bytes_equal_iff. exact H.
Qed.

Lemma signers_own_iff : forall items signers,
  signers_own items signers = true <->
  forall k, In k signers -> exists o, In o items /\ takes (action o) = true /\ operation_key o = k.
Proof.
  intros items signers. unfold signers_own.
  rewrite (loop_over_elements _ _ _ (fun all_own k => signers_own_step all_own items k)).
  rewrite (forallb_fold _ _ (fun k => is_taken_from items k)) by reflexivity. rewrite forallb_forall.
  split; intros H k I; specialize (H k I); apply is_taken_from_iff; exact H.
Qed.

Lemma signing_accounts_in : forall signed_by k,
  In k (signing_accounts signed_by) <-> exists signer, In signer signed_by /\ signer_account signer = k.
Proof.
  intros signed_by k. unfold signing_accounts. rewrite (loop_over_elements _ _ _ signing_accounts_step).
  assert (G : forall found, fold_left signing_accounts_step signed_by found = found ++ map signer_account signed_by).
  { induction signed_by as [|s l IH]; intros found; cbn [fold_left map]; [rewrite app_nil_r; reflexivity|].
    rewrite IH. unfold signing_accounts_step. rewrite <- app_assoc. reflexivity. }
  rewrite G. cbn [app]. rewrite in_map_iff. split; intros (s & A & B); exists s; split; assumption.
Qed.

Lemma capped_sum_is : forall a b, a <= MAX_SUM -> capped_sum a b = N.min MAX_SUM (a + b).
Proof. intros a b H. unfold capped_sum. destruct (N.ltb_spec (MAX_SUM - a) b); lia. Qed.

Lemma fee_paid_is : forall rule items, fee_paid rule items = N.min MAX_SUM (added_to (fee_account rule) items).
Proof.
  intros rule items. unfold fee_paid. rewrite (loop_over_elements _ _ _ (fun paid o => fee_paid_step paid o rule)).
  enough (G : forall paid, paid <= MAX_SUM -> fold_left (fun paid o => fee_paid_step paid o rule) items paid =
    N.min MAX_SUM (paid + added_to (fee_account rule) items)) by (rewrite G by (unfold MAX_SUM; lia); reflexivity).
  induction items as [|o items IH]; intros paid H; cbn [fold_left added_to fold_right]; [lia|].
  fold (added_to (fee_account rule) items). unfold fee_paid_step at 2. destruct (bytes_equal _ _).
  - unfold u128_of_u64. rewrite IH; rewrite capped_sum_is by exact H; [lia|apply N.le_min_l].
  - apply IH, H.
Qed.

Section Transaction.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What a transaction owes: a price for itself, for each byte without its openings, each claim, and each operation. *)
Definition owed (rule : FeeRule) (tx : Transaction) : N :=
  fee_base rule + fee_byte rule * (transaction_length tx - 48 * seq_length (claims tx)) +
  fee_claim rule * seq_length (claims tx) + fee_operation rule * seq_length (operations tx).

Lemma fee_of_is : forall rule tx, fee_base rule < 2 ^ 64 -> fee_of rule tx = N.min MAX_SUM (owed rule tx).
Proof.
  intros rule tx B. unfold fee_of, owed, price_of, bare_length, u128_of_u64, u128_of_usize. cbv zeta.
  assert (fee_base rule <= MAX_SUM) by (unfold MAX_SUM; lia).
  generalize (fee_byte rule * (transaction_length tx - 48 * seq_length (claims tx))) (fee_claim rule * seq_length (claims tx))
    (fee_operation rule * seq_length (operations tx)). intros x y z.
  rewrite (capped_sum_is (fee_base rule) x) by assumption. set (u := N.min _ (_ + x)).
  assert (u <= MAX_SUM) by apply N.le_min_l. rewrite (capped_sum_is u y) by assumption. set (v := N.min _ (u + y)).
  assert (v <= MAX_SUM) by apply N.le_min_l. rewrite (capped_sum_is v z) by assumption. subst u v. lia.
Qed.

Lemma owners_pass_iff : forall rule tx signed_by,
  fee_base (accounts_fee rule) < 2 ^ 64 ->
  check_accounts rule tx (signing_accounts signed_by) = Ok tt <->
  (forall o, In o (operations tx) -> seq_length (operation_key o) = 32) /\
  check_actions (operations tx) = Ok tt /\
  (exists o amount, In o (operations tx) /\ action o = Action_Sub amount) /\
  sums_equal (operations tx) = true /\
  owners_sign (operations tx) (signing_accounts signed_by) = true /\
  (forall signer, In signer signed_by ->
    exists o, In o (operations tx) /\ takes (action o) = true /\ operation_key o = signer_account signer) /\
  N.min MAX_SUM (owed (accounts_fee rule) tx) <= added_to (fee_account (accounts_fee rule)) (operations tx) /\
  keeps_minimum rule (operations tx) = true.
Proof.
  intros rule tx signed_by B. unfold check_accounts, check_kinds, check_amounts, check_payment.
  rewrite <- keys_are_accounts_iff, <- has_payer_iff, fee_paid_is, fee_of_is by exact B.
  assert (S : (forall signer, In signer signed_by ->
    exists o, In o (operations tx) /\ takes (action o) = true /\ operation_key o = signer_account signer) <->
    signers_own (operations tx) (signing_accounts signed_by) = true).
  { rewrite signers_own_iff. split.
    - intros H k I. apply signing_accounts_in in I. destruct I as (s & I & <-). exact (H s I).
    - intros H s I. apply H, signing_accounts_in. exists s. split; [exact I|reflexivity]. }
  rewrite S. clear S.
  destruct (keys_are_accounts _); [|split; [discriminate|intros (H & _); discriminate H]].
  destruct (check_actions _) as [[]|]; [|split; [discriminate|intros (_ & H & _); discriminate H]].
  destruct (has_payer _); [|split; [discriminate|intros (_ & _ & H & _); discriminate H]]. cbn [negb].
  destruct (sums_equal _); [|split; [discriminate|intros (_ & _ & _ & H & _); discriminate H]]. cbn [negb].
  destruct (owners_sign _ _); [|split; [discriminate|intros (_ & _ & _ & _ & H & _); discriminate H]]. cbn [negb].
  destruct (signers_own _ _); [|split; [discriminate|intros (_ & _ & _ & _ & _ & H & _); discriminate H]]. cbn [negb].
  destruct (N.ltb_spec (N.min MAX_SUM (added_to (fee_account (accounts_fee rule)) (operations tx)))
    (N.min MAX_SUM (owed (accounts_fee rule) tx))) as [L|L].
  - split; [discriminate|]. intros (_ & _ & _ & _ & _ & _ & H & _). lia.
  - destruct (keeps_minimum _ _); cbn [negb].
    + split; [intros _; repeat split; lia|reflexivity].
    + split; [discriminate|]. intros (_ & _ & _ & _ & _ & _ & _ & H). discriminate H.
Qed.

Theorem accounts_pass_iff : forall rule tx signed_by items,
  fee_base (accounts_fee rule) < 2 ^ 64 ->
  check_policy (Policy_PolicyAccounts rule) tx signed_by items = Ok tt <->
  (forall o, In o (operations tx) -> seq_length (operation_key o) = 32) /\
  check_actions (operations tx) = Ok tt /\
  (exists o amount, In o (operations tx) /\ action o = Action_Sub amount) /\
  sums_equal (operations tx) = true /\
  owners_sign (operations tx) (signing_accounts signed_by) = true /\
  (forall signer, In signer signed_by ->
    exists o, In o (operations tx) /\ takes (action o) = true /\ operation_key o = signer_account signer) /\
  N.min MAX_SUM (owed (accounts_fee rule) tx) <= added_to (fee_account (accounts_fee rule)) (operations tx) /\
  keeps_minimum rule (operations tx) = true /\
  items = [].
Proof.
  intros rule tx signed_by items B. rewrite check_policy_iff, uncertified_iff by discriminate. cbn [check_signed].
  rewrite owners_pass_iff by exact B. tauto.
Qed.

End Transaction.

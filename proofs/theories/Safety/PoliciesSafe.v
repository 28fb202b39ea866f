(** No transaction, no signers and no certificates make a policy's checks panic.

    - [check_policy_never_panics]: whatever a transaction of less than 2^64 bytes holds, whoever signed, and whatever it brings;
    - [certify_policy_never_panics]: so does what is looked at behind the openings, whatever its points and certificates are. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Hash Base.Bytes Block.Operation
  Block.Transaction Policy.PolicyReason Policy.Signers Policy.Accounts Policy.Publisher Policy.TableWrite Policy.Tables
  Policy.CheckPolicy Base.BytesSafe Block.OperationSafe Block.TransactionSafe Policy.SignersSafe Policy.AccountsSafe
  Policy.PublisherSafe Policy.TablesSafe Policy.CheckPolicySafe.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Safety.SlotMapSafe
  Safety.LengthsSafe Safety.TableWritesSafe Safety.TableJudgeSafe Safety.BoardSafe.
From Aardvark Require Lemmas.Field.
Import ListNotations.
Local Open Scope N_scope.

(** A key and a value of bytes, less than 4 GiB, and an amount of 64 bits. *)
Definition operation_in_memory (op : Operation) : Prop :=
  operation_received op /\ added_amount op < 2 ^ 64 /\ subtracted_amount op < 2 ^ 64.

(** Prices and minimum have 64 bits. *)
Definition rule_in_memory (rule : AccountsPolicy) : Prop :=
  fee_base (accounts_fee rule) < 2 ^ 64 /\ fee_byte (accounts_fee rule) < 2 ^ 64 /\
  fee_claim (accounts_fee rule) < 2 ^ 64 /\ fee_operation (accounts_fee rule) < 2 ^ 64.

(** What a policy says can be held in memory. *)
Definition policy_in_memory (policy : Policy) : Prop :=
  match policy with
  | Policy_PolicyAccounts rule => rule_in_memory rule
  | Policy_PolicyPublisher publishers => Forall short publishers
  | Policy_PolicyTables creators => Forall short creators
  | Policy_PolicyBoard organisers => Forall short organisers
  end.

(** Keys and accounts of signers are short. *)
Definition signer_in_memory (signer : Signer) : Prop := short (signer_account signer).

Ltac below := match goal with |- context [?i <? seq_length ?s] =>
  replace (i <? seq_length s) with true by (symmetry; apply N.ltb_lt; lia) end.

Section Operations.

Variable items : list Operation.
Hypothesis fit : Forall operation_in_memory items.

Let fits i (L : i < seq_length items) : operation_in_memory (seq_at items i) := each_in _ _ _ items i fit L.

Lemma keys_are_accounts_never_panics : keys_are_accounts_safe items = true.
Proof. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i acc Hi _. split; [apply N.ltb_lt; lia|exact I]. Qed.

Lemma check_actions_never_panics : check_actions_safe items = true.
Proof.
  apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i acc Hi _. split; [|exact I].
  unfold check_actions_step_safe. destruct acc; [|reflexivity]. below. cbn [andb]. destruct (is_put _); [reflexivity|].
  unfold delete_unguarded_safe. below. cbn [andb]. destruct (is_delete _); [|reflexivity].
  destruct (N.eqb_spec i 0); [reflexivity|]. replace (1 <=? i) with true by (symmetry; apply N.leb_le; lia).
  replace (i - 1 <? seq_length items) with true by (symmetry; apply N.ltb_lt; lia). cbn [andb].
  unfold requires_zero_safe. pose proof (fits (i - 1) ltac:(lia)) as ((K & V) & _).
  destruct (action (seq_at items (i - 1))); try reflexivity. rewrite bytes_equal_never_panics by apply K. cbn [andb].
  destruct (bytes_equal _ _); [|reflexivity]. apply bytes_equal_never_panics, V.
Qed.

Definition sum_fits (total : option N) : Prop := forall so_far, total = Some so_far -> so_far <= MAX_SUM.

Lemma sum_with_never_panics : forall total amount, sum_fits total -> sum_with_safe total amount = true /\ sum_fits (sum_with total amount).
Proof.
  intros [so_far|] amount S; [|split; [reflexivity|exact S]]. specialize (S so_far eq_refl). unfold sum_with_safe, sum_with.
  apply N.leb_le in S as S'. rewrite S'. cbn [andb]. destruct (N.ltb_spec (MAX_SUM - so_far) (u128_of_u64 amount)) as [|L].
  - split; [reflexivity|]. intros x E. discriminate.
  - unfold MAX_SUM in *. split; [apply N.ltb_lt; change (2 ^ 128) with 340282366920938463463374607431768211456; lia|].
    intros x E. injection E as <-. unfold MAX_SUM. lia.
Qed.

Lemma sums_equal_never_panics : sums_equal_safe items = true.
Proof.
  assert (Z : sum_fits (Some 0)) by (intros x E; injection E as <-; unfold MAX_SUM; lia).
  assert (A : sum_added_safe items = true).
  { apply (loop_over_elements_safe _ _ _ sum_fits _ sum_added_step_safe); [exact Z|]. intros. apply sum_with_never_panics. assumption. }
  assert (S : sum_subtracted_safe items = true).
  { apply (loop_over_elements_safe _ _ _ sum_fits _ sum_subtracted_step_safe); [exact Z|]. intros. apply sum_with_never_panics. assumption. }
  unfold sums_equal_safe. rewrite A, S. destruct (sum_added items); reflexivity.
Qed.

Lemma has_payer_never_panics : has_payer_safe items = true.
Proof. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i acc Hi _. split; [apply N.ltb_lt; lia|exact I]. Qed.

Lemma check_amounts_never_panics : check_amounts_safe items = true.
Proof. unfold check_amounts_safe. rewrite has_payer_never_panics, sums_equal_never_panics. destruct (negb _); reflexivity. Qed.

Lemma owners_sign_never_panics : forall signers, Forall short signers -> owners_sign_safe items signers = true.
Proof.
  intros signers S. apply (loop_over_elements_safe _ _ _ (fun _ => True) _ (fun all_sign op => owners_sign_step_safe all_sign op signers));
    [exact I|]. intros i acc Hi _. split; [|exact I]. unfold owners_sign_step_safe. destruct acc; [|reflexivity].
  destruct (negb _); [reflexivity|]. apply is_listed_never_panics. exact S.
Qed.

Lemma signers_own_never_panics : forall signers, signers_own_safe items signers = true.
Proof.
  intros signers. apply (loop_over_elements_safe _ _ _ (fun _ => True) _ (fun all_own s => signers_own_step_safe all_own items s));
    [exact I|]. intros i acc Hi _. split; [|exact I]. unfold signers_own_step_safe. destruct acc; [|reflexivity].
  apply (loop_over_elements_safe _ _ _ (fun _ => True) _ (fun found op => is_taken_from_step_safe found op (seq_at signers i)));
    [exact I|]. intros j found Hj _. split; [|exact I]. unfold is_taken_from_step_safe. destruct found; [reflexivity|].
  destruct (takes _); [|reflexivity]. apply bytes_equal_never_panics. apply (fits j Hj).
Qed.

Lemma capped_sum_most : forall a b, a <= MAX_SUM -> capped_sum_safe a b = true /\ capped_sum a b <= MAX_SUM.
Proof.
  intros a b H. unfold capped_sum_safe, capped_sum. apply N.leb_le in H as H'. rewrite H'. cbn [andb].
  destruct (N.ltb_spec (MAX_SUM - a) b) as [|L]; [split; [reflexivity|lia]|]. unfold MAX_SUM in *.
  split; [apply N.ltb_lt; change (2 ^ 128) with 340282366920938463463374607431768211456; lia|lia].
Qed.

Lemma fee_paid_never_panics : forall rule, fee_paid_safe rule items = true.
Proof.
  intros rule. apply (loop_over_elements_safe _ _ _ (fun paid => paid <= MAX_SUM) _ (fun paid op => fee_paid_step_safe paid op rule)).
  - unfold MAX_SUM. lia.
  - intros i paid Hi H. unfold fee_paid_step_safe, fee_paid_step. rewrite bytes_equal_never_panics by apply (fits i Hi). cbn [andb].
    destruct (bytes_equal _ _); [|split; [reflexivity|exact H]]. apply capped_sum_most. exact H.
Qed.

Lemma keeps_minimum_never_panics : forall rule, keeps_minimum_safe rule items = true.
Proof.
  intros rule. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros j acc Hj _. split; [|exact I].
  unfold keeps_minimum_step_safe. destruct acc; [|reflexivity]. below. rewrite bytes_equal_never_panics by apply (fits j ltac:(lia)).
  assert (C : changed_later_safe items j = true).
  { apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i found Hi _. split; [|exact I]. unfold changed_later_step_safe.
    destruct found; [reflexivity|]. replace (i <? seq_length items) with true by (symmetry; apply N.ltb_lt; lia).
    replace (j <? seq_length items) with true by (symmetry; apply N.ltb_lt; lia).
    rewrite bytes_equal_never_panics by apply (fits i ltac:(lia)). destruct (j <? i), (negb _); reflexivity. }
  rewrite C. destruct (is_requirement _), (bytes_equal _ _), (changed_later _ _); reflexivity.
Qed.

End Operations.

Section Policies.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A transaction of less than 2^64 bytes whose operations can be held in memory. *)
Definition transaction_in_memory (tx : Transaction) : Prop :=
  transaction_length tx < 2 ^ 64 /\ Forall operation_in_memory (operations tx).

Lemma claims_take_bytes : forall tx, 48 * seq_length (claims tx) <= transaction_length tx.
Proof.
  intros tx. unfold transaction_length. rewrite claims_length_sum.
  assert (G : 48 * seq_length (claims tx) <= sum_of claim_length (claims tx)).
  { induction (claims tx) as [|c s IH]; [rewrite seq_length_nil; lia|]. rewrite seq_length_cons, sum_of_cons.
    unfold claim_length at 1. lia. }
  lia.
Qed.

Lemma price_fits : forall price count, price < 2 ^ 64 -> count < 2 ^ 64 -> price_of_safe price count = true.
Proof.
  intros price count P C. unfold price_of_safe, u128_of_u64, u128_of_usize. apply N.ltb_lt.
  change (2 ^ 64) with 18446744073709551616 in *. change (2 ^ 128) with 340282366920938463463374607431768211456. nia.
Qed.

Lemma fee_of_never_panics : forall rule tx, rule_in_memory rule -> transaction_in_memory tx ->
  fee_of_safe (accounts_fee rule) tx = true.
Proof.
  intros rule tx (B & Y & C & O) (L & _). pose proof (claims_take_bytes tx) as Cl. pose proof (transaction_length_counts tx) as Co.
  unfold fee_of_safe. cbv zeta. unfold bare_length_safe. rewrite transaction_length_never_panics by exact L.
  replace (within_usize (48 * seq_length (claims tx))) with true by (symmetry; apply N.ltb_lt; lia).
  replace (48 * seq_length (claims tx) <=? transaction_length tx) with true by (symmetry; apply N.leb_le; exact Cl).
  rewrite price_fits by (first [exact Y|unfold bare_length; lia]). rewrite price_fits by (first [exact C|lia]).
  rewrite price_fits by (first [exact O|lia]). cbn [andb].
  assert (B' : u128_of_u64 (fee_base (accounts_fee rule)) <= MAX_SUM).
  { unfold u128_of_u64, MAX_SUM. change (2 ^ 64) with 18446744073709551616 in B. lia. }
  destruct (capped_sum_most _ (price_of (fee_byte (accounts_fee rule)) (bare_length tx)) B') as [-> M1].
  destruct (capped_sum_most _ (price_of (fee_claim (accounts_fee rule)) (seq_length (claims tx))) M1) as [-> M2].
  exact (proj1 (capped_sum_most _ _ M2)).
Qed.

Lemma signing_accounts_short : forall signed_by, Forall signer_in_memory signed_by -> Forall short (signing_accounts signed_by).
Proof.
  intros signed_by S. unfold signing_accounts. rewrite (loop_over_elements _ _ _ signing_accounts_step).
  assert (G : forall found, Forall short found -> Forall short (fold_left signing_accounts_step signed_by found)).
  { induction S as [|s signed_by Hs S IH]; intros found Hf; [exact Hf|]. cbn [fold_left]. apply IH.
    unfold signing_accounts_step. apply Forall_app. split; [exact Hf|]. constructor; [exact Hs|constructor]. }
  apply G. constructor.
Qed.

Lemma check_publisher_never_panics : forall publishers keys, Forall short publishers -> check_publisher_safe publishers keys = true.
Proof.
  intros publishers keys P. unfold check_publisher_safe. destruct (_ =? 0); [reflexivity|].
  apply (loop_over_elements_safe _ _ _ (fun _ => True) _ (fun all_are k => all_listed_step_safe all_are publishers k)); [exact I|].
  intros i acc Hi _. split; [|exact I]. unfold all_listed_step_safe. destruct acc; [|reflexivity].
  apply is_listed_never_panics. exact P.
Qed.

(** Each operation has two bytes at least. *)
Lemma operations_few : forall tx, transaction_length tx < 2 ^ 64 -> seq_length (operations tx) < 2 ^ 63.
Proof.
  intros tx L. unfold transaction_length in L. rewrite operations_length_sum in L.
  assert (G : 2 * seq_length (operations tx) <= sum_of operation_length (operations tx)).
  { clear L. induction (operations tx) as [|op items IH]; [reflexivity|]. rewrite seq_length_cons, sum_of_cons.
    assert (2 <= operation_length op) by (unfold operation_length; cbv zeta; destruct (action op); lia). lia. }
  change (2 ^ 64) with (2 * 2 ^ 63) in L. lia.
Qed.

Lemma operations_received : forall tx, transaction_in_memory tx -> forall op, In op (operations tx) -> operation_received op.
Proof. intros tx [_ O] op J. rewrite Forall_forall in O. apply O, J. Qed.

Lemma check_signed_never_panics : forall policy tx signed_by,
  policy_in_memory policy -> transaction_in_memory tx -> Forall signer_in_memory signed_by ->
  check_signed_safe policy tx signed_by = true.
Proof.
  intros policy tx signed_by P T S.
  assert (Keys : public_keys_of_safe signed_by = true).
  { apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i acc Hi _. split; [apply N.ltb_lt; lia|exact I]. }
  destruct policy as [rule|publishers|creators|organisers]; cbn [check_signed_safe policy_in_memory] in *.
  - replace (signing_accounts_safe signed_by) with true.
    2: { symmetry. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i acc Hi _. split; [apply N.ltb_lt; lia|exact I]. }
    pose proof (signing_accounts_short _ S) as Sh. destruct T as (L & O). cbn [andb]. unfold check_accounts_safe, check_kinds_safe.
    rewrite keys_are_accounts_never_panics, check_actions_never_panics, check_amounts_never_panics by exact O.
    assert (Pay : check_payment_safe rule tx (signing_accounts signed_by) = true).
    { unfold check_payment_safe. rewrite owners_sign_never_panics by assumption.
      rewrite signers_own_never_panics, fee_paid_never_panics, keeps_minimum_never_panics by exact O.
      rewrite fee_of_never_panics by (first [exact P|split; assumption]). cbn [andb].
      destruct (negb _); [reflexivity|]. destruct (negb _); [reflexivity|]. destruct (_ <? _); reflexivity. }
    rewrite Pay. destruct (keys_are_accounts _); cbn [andb]; destruct (check_kinds _); try reflexivity; destruct (check_amounts _); reflexivity.
  - rewrite Keys. now apply check_publisher_never_panics.
  - rewrite Keys. cbn [andb]. unfold check_tables_safe.
    destruct (read_table_write_never_panics _ (operations_received tx T)) as [-> G]. cbn [andb].
    destruct (read_table_write (operations tx)) as [[|sealed|runs]|]; [..|reflexivity]; specialize (G _ eq_refl); cbn [write_good] in G;
      apply check_publisher_never_panics; [exact P|exact G|apply G].
  - rewrite Keys. apply check_board_never_panics; [exact P|]. apply Forall_forall. exact (operations_received tx T).
Qed.

Theorem check_policy_never_panics : forall policy tx signed_by items,
  policy_in_memory policy -> transaction_in_memory tx -> Forall signer_in_memory signed_by ->
  check_policy_safe policy tx signed_by items = true.
Proof.
  intros policy tx signed_by items P T S. unfold check_policy_safe. rewrite check_signed_never_panics by assumption.
  cbn [andb]. destruct (check_signed _ _ _); [|reflexivity]. destruct policy as [rule|publishers|creators|organisers]; try reflexivity.
  cbn [check_brought_safe]. unfold check_tables_covered_safe.
  destruct (read_table_write_never_panics _ (operations_received tx T)) as [-> G]. cbn [andb].
  destruct (read_table_write (operations tx)) as [write|]; [|reflexivity].
  apply (check_covered_never_panics (seq_length (operations tx))); [now apply G|].
  pose proof (operations_few tx (proj1 T)). change (2 ^ 64) with (2 * 2 ^ 63). lia.
Qed.

Context {lawful : Field.LawfulScalars F}.

Theorem certify_policy_never_panics : forall policy setup dictionary tx items points meanings, transaction_in_memory tx ->
  certify_policy_safe policy setup dictionary tx items points meanings = true.
Proof.
  intros [rule|publishers|creators|organisers] setup dictionary tx items points meanings T; try reflexivity.
  apply certify_tables_never_panics; [apply operations_received, T|apply operations_few, T].
Qed.

End Policies.

(** Operations and steps of a write one by one: what comes of the last one, and what a step leaves under a key.

    - [map_operations_snoc], [read_steps_snoc]: a list of operations, run or read, up to its last one;
    - [step_content], [steps_content]: what stands under a key after steps;
    - [with_last_app], [comes_behind_last]: the last step of a list, and the last segment of a step. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Hash Dictionary.KeyMap Block.Rejection Block.Operation Block.Map Table.TableSchema
  Policy.PolicyReason Policy.TableSteps Policy.TableWrite.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.KeyMap.
Import ListNotations.
Local Open Scope N_scope.

Section StepContents.

Context {F : ScalarOperations} {scalar_given : Scalar.ScalarGiven} {hash_given : HashGiven}.

(** ** Operations one by one *)

Lemma map_operations_snoc : forall before items o x after, map_operations before (items ++ [o]) x = Ok after ->
  exists between content, map_operations before items x = Ok between /\
    run_action (key_map_get between (operation_key o)) (action o) = Ok content /\ after = key_map_put between (operation_key o) content.
Proof.
  intros before items o x after E. unfold map_operations in *. rewrite seq_length_app in E. change (seq_length [o]) with 1 in E.
  rewrite range_snoc in E by lia. rewrite fold_left_app in E. cbn [fold_left] in E.
  rewrite (fold_left_same _ _ _ (fun run j => map_operations_step run (seq_at items j) x j)) in E.
  2:{ intros acc j I. apply in_range in I. rewrite seq_at_app. destruct (N.ltb_spec j (seq_length items)); [reflexivity|lia]. }
  rewrite seq_at_app in E. destruct (N.ltb_spec (seq_length items) (seq_length items)); [lia|]. rewrite N.sub_diag in E.
  change (seq_at [o] 0) with o in E. unfold map_operations_step at 1 in E.
  destruct (fold_left _ (range 0 (seq_length items)) (Ok before)) as [between|]; [|discriminate]. exists between. unfold map_operation in E.
  destruct (run_action _ _) as [content|]; [|discriminate]. injection E as <-. exists content. auto.
Qed.

Lemma read_steps_snoc : forall s table first items o steps, read_steps s table ((first :: items) ++ [o]) = Ok steps ->
  exists between, read_steps s table (first :: items) = Ok between /\ with_operation between s table o = Ok steps.
Proof.
  intros s table first items o steps E. unfold read_steps in *. rewrite seq_length_app in E. change (seq_length [o]) with 1 in E.
  rewrite seq_length_cons in E |- *. rewrite range_snoc in E by lia. rewrite fold_left_app in E. cbn [fold_left] in E.
  rewrite (fold_left_same _ _ _ (fun steps j => read_steps_step steps s table (seq_at (first :: items) j))) in E.
  2:{ intros acc j I. apply in_range in I. rewrite seq_at_app, seq_length_cons. destruct (N.ltb_spec j (seq_length items + 1)); [reflexivity|lia]. }
  rewrite seq_at_app, seq_length_cons in E. destruct (N.ltb_spec (seq_length items + 1) (seq_length items + 1)); [lia|]. rewrite N.sub_diag in E.
  change (seq_at [o] 0) with o in E. unfold read_steps_step at 1 in E.
  destruct (fold_left _ (range 1 (seq_length items + 1)) (Ok [])) as [between|]; [|discriminate]. exists between. auto.
Qed.

(** ** What a step leaves *)

Definition entry_content (k : ByteString) (content : option ByteString) (entry : SegmentEntry) : option ByteString :=
  if bytes_equal (segment_entry_key entry) k then Some (segment_entry_value entry) else content.
Definition head_content (read : TableStep) (k : ByteString) (content : option ByteString) : option ByteString :=
  match step_after read with
  | HeadChange_HeadKept => content
  | HeadChange_HeadPut written => if bytes_equal (step_head read) k then Some written else content
  | HeadChange_HeadDeleted => if bytes_equal (step_head read) k then None else content
  end.
Definition deleted_content (k : ByteString) (content : option ByteString) (deleted : ByteString) : option ByteString :=
  if bytes_equal deleted k then None else content.

(** What stands under a key after a step, given what stood there before. *)
Definition step_content (read : TableStep) (k : ByteString) (content : option ByteString) : option ByteString :=
  fold_left (deleted_content k) (step_deleted read) (head_content read k (fold_left (entry_content k) (step_put read) content)).
Definition steps_content (steps : list TableStep) (k : ByteString) (content : option ByteString) : option ByteString :=
  fold_left (fun content read => step_content read k content) steps content.

Lemma entries_untouched : forall entries k content, Forall (fun entry => segment_entry_key entry <> k) entries ->
  fold_left (entry_content k) entries content = content.
Proof.
  intros entries k content H. revert content. induction H as [|entry entries D _ IH]; intros content; [reflexivity|]. cbn [fold_left].
  unfold entry_content at 2. apply bytes_equal_false in D. rewrite D. apply IH.
Qed.

Lemma deleted_untouched : forall deleted k content, Forall (fun d => d <> k) deleted -> fold_left (deleted_content k) deleted content = content.
Proof.
  intros deleted k content H. revert content. induction H as [|d deleted D _ IH]; intros content; [reflexivity|]. cbn [fold_left].
  unfold deleted_content at 2. apply bytes_equal_false in D. rewrite D. apply IH.
Qed.

(** ** The last step of a list *)

Lemma last_of : forall (earlier : list TableStep) last, seq_at (earlier ++ [last]) (seq_length (earlier ++ [last]) - 1) = last.
Proof.
  intros earlier last. rewrite seq_length_app. change (seq_length [last]) with 1. rewrite seq_at_app.
  destruct (N.ltb_spec (seq_length earlier + 1 - 1) (seq_length earlier)); [lia|].
  replace (seq_length earlier + 1 - 1 - seq_length earlier) with 0 by lia. reflexivity.
Qed.

Lemma with_last_app : forall earlier last changed, with_last (earlier ++ [last]) changed = earlier ++ [changed].
Proof.
  intros earlier last changed. unfold with_last. rewrite seq_length_app. change (seq_length [last]) with 1.
  destruct (N.ltb_spec 0 (seq_length earlier + 1)); [|lia]. f_equal. unfold seq_slice. cbn [N.to_nat skipn].
  replace (seq_length earlier + 1 - 1) with (seq_length earlier) by lia. unfold seq_length. rewrite Nnat.Nat2N.id.
  rewrite firstn_app, PeanoNat.Nat.sub_diag, firstn_all. apply app_nil_r.
Qed.

Lemma some_steps : forall steps : list TableStep, 0 < seq_length steps -> exists earlier last, steps = earlier ++ [last].
Proof.
  intros steps L. destruct steps as [|x steps] using rev_ind; [unfold seq_length in L; cbn in L; lia|]. eauto.
Qed.

Lemma NoDup_app_one : forall A (l : list A) x, NoDup l -> ~ In x l -> NoDup (l ++ [x]).
Proof.
  intros A l x N H. apply NoDup_rev in N. rewrite <- (rev_involutive (l ++ [x])). apply NoDup_rev. rewrite rev_app_distr. cbn [rev app].
  constructor; [|exact N]. now rewrite <- in_rev.
Qed.

Lemma is_step_head_in : forall steps head, is_step_head steps head = false -> forall read, In read steps -> step_head read <> head.
Proof.
  intros steps head. unfold is_step_head. rewrite (loop_over_elements _ _ _ (fun found read => is_step_head_step found read head)).
  assert (stays : forall l, fold_left (fun found read => is_step_head_step found read head) l true = true).
  { induction l as [|x l IH]; [reflexivity|]. exact IH. }
  induction steps as [|x steps IH]; intros E read I; [destruct I|]. cbn [fold_left] in E. unfold is_step_head_step at 2 in E. cbn [orb] in E.
  destruct (bytes_equal_spec (step_head x) head) as [Q|D]; [rewrite stays in E; discriminate|]. destruct I as [<-|I]; [exact D|].
  exact (IH E read I).
Qed.

Lemma expected_write : forall condition u, expect_write condition = Ok u -> condition = true.
Proof. intros [] u E; [reflexivity|discriminate]. Qed.

(** ** What operations leave *)

Lemma required_content : forall content required after, run_require content required = Ok after -> content = required /\ after = content.
Proof.
  intros content required after E. unfold run_require in E. destruct (contents_equal content required) eqn:Q; [|discriminate]. injection E as <-.
  apply contents_equal_iff in Q. auto.
Qed.

(** What does not change the map. *)
Lemma put_same : forall m k q, key_map_get (key_map_put m k (key_map_get m k)) q = key_map_get m q.
Proof. intros m k q. rewrite key_map_get_put. destruct (bytes_equal_spec k q) as [<-|]; reflexivity. Qed.

(** ** The last segment of a step *)

Lemma nth_error_snoc : forall A (l : list A) x i y, nth_error (l ++ [x]) i = Some y -> nth_error l i = Some y \/ i = length l /\ y = x.
Proof.
  intros A l x i y E. destruct (Compare_dec.lt_eq_lt_dec i (length l)) as [[L|L]|L].
  - left. rewrite nth_error_app1 in E by exact L. exact E.
  - right. split; [exact L|]. rewrite nth_error_app2 in E by lia. rewrite L, PeanoNat.Nat.sub_diag in E. cbn in E. congruence.
  - exfalso. assert (N : nth_error (l ++ [x]) i <> None) by congruence. apply nth_error_Some in N. rewrite app_length in N. cbn in N. lia.
Qed.

(** The number of a segment that comes behind others. *)
Lemma comes_behind_last : forall entries place, comes_behind entries place = true ->
  exists earlier last, entries = earlier ++ [last] /\ segment_place_revision place = segment_entry_revision last /\
    segment_place_number place = segment_entry_number last + 1.
Proof.
  intros entries place E. unfold comes_behind in E. repeat (apply andb_true_iff in E; destruct E as [E ?]). apply N.ltb_lt in E.
  destruct entries as [|x entries] using rev_ind; [unfold seq_length in E; cbn in E; lia|]. clear IHentries. exists entries, x.
  assert (Q : seq_at (entries ++ [x]) (seq_length (entries ++ [x]) - 1) = x).
  { rewrite seq_length_app. change (seq_length [x]) with 1. rewrite seq_at_app.
    destruct (N.ltb_spec (seq_length entries + 1 - 1) (seq_length entries)); [lia|].
    replace (seq_length entries + 1 - 1 - seq_length entries) with 0 by lia. reflexivity. }
  rewrite Q in *. repeat match goal with X : (_ =? _) = true |- _ => apply N.eqb_eq in X | X : (_ <? _) = true |- _ => apply N.ltb_lt in X end.
  split; [reflexivity|]. split; [congruence|lia].
Qed.

End StepContents.

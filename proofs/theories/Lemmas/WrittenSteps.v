(** What a transaction under the policy `tables` does to a map: the steps that are read of it say which contents it finds and leaves.

    - [steps_followed]: where the steps of a write are read and its operations run, the schema is the one that is pinned, each step finds what it
      says, and what each leaves is [step_content]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Hash Dictionary.KeyMap Block.Rejection Block.Operation Block.Map Table.TableSchema
  Table.TableKey Table.TablePolicy Policy.PolicyReason Policy.TableSteps Policy.TableWrite.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.KeyMap Safety.BoundsSafe
  Lemmas.StepContents.
From Aardvark Require Spec.Table.TableKey.
Import ListNotations.
Local Open Scope N_scope.

Section WrittenSteps.

Context {F : ScalarOperations} {scalar_given : Scalar.ScalarGiven} {hash_given : HashGiven}.

(** ** What a step fits *)

Variables (s : TableSchema) (table : ByteString).

(** The key is that of a segment of the run with this head. *)
Definition segment_of (head k : ByteString) (place : SegmentPlace) : Prop :=
  decode_table_key s k = Ok (TableKey_SegmentKey place) /\ encode_table_key (TableKey_HeadKey (segment_place_run place)) = head.
Definition entry_of (head : ByteString) (entry : SegmentEntry) : Prop :=
  exists place, segment_of head (segment_entry_key entry) place /\ segment_entry_revision entry = segment_place_revision place /\
    segment_entry_number entry = segment_place_number place.

(** Segments have consecutive numbers and one revision, from behind the one that is pinned, or from 1. *)
Definition numbered (read : TableStep) (base revision : N) : Prop :=
  (forall i entry, nth_error (step_put read) i = Some entry ->
    segment_entry_number entry = base + N.of_nat i /\ segment_entry_revision entry = revision) /\
  (step_pinned read = [] /\ base = 1 \/
   exists pinned, step_pinned read = [pinned] /\ base = segment_entry_number pinned + 1 /\ revision = segment_entry_revision pinned).

(** What a stage says of what is read. *)
Definition stage_fits (before : KeyMap) (read : TableStep) : Prop :=
  match step_stage read with
  | StepStage_StageBegun => step_pinned read = [] /\ step_put read = [] /\ step_deleted read = [] /\ step_after read = HeadChange_HeadKept
  | StepStage_StagePinned => step_pinned read <> [] /\ step_put read = [] /\ step_deleted read = [] /\ step_after read = HeadChange_HeadKept
  | StepStage_StageAnnounced k => step_deleted read = [] /\ step_after read = HeadChange_HeadKept /\
      exists place base revision, segment_of (step_head read) k place /\ numbered read base revision /\
        segment_place_revision place = revision /\ segment_place_number place = base + seq_length (step_put read) /\ key_map_get before k = None
  | StepStage_StageGrown => step_put read <> [] /\ step_deleted read = [] /\ step_after read = HeadChange_HeadKept
  | StepStage_StageSettled => (step_put read = [] -> step_pinned read = []) /\
      match step_after read with
      | HeadChange_HeadPut written => head_of_segments read written = true
      | _ => step_put read = []
      end
  end.

Record step_fits (before : KeyMap) (read : TableStep) : Prop := {
  fits_head : decode_table_key s (step_head read) = Ok (TableKey_HeadKey (step_place read));
  fits_table : place_table (step_place read) = table;
  fits_open : expect_open s (step_place read) = Ok tt;
  fits_before : key_map_get before (step_head read) = step_before read;
  fits_pinned : Forall (fun entry => entry_of (step_head read) entry /\
    key_map_get before (segment_entry_key entry) = Some (segment_entry_value entry)) (step_pinned read);
  fits_put : Forall (fun entry => entry_of (step_head read) entry /\ key_map_get before (segment_entry_key entry) = None) (step_put read);
  fits_deleted : Forall (fun k => exists place, segment_of (step_head read) k place) (step_deleted read);
  fits_numbers : exists base revision, numbered read base revision;
  fits_stage : stage_fits before read;
}.

(** The head of the run that a key is of. *)
Definition run_of_key (k : ByteString) : option ByteString :=
  match decode_table_key s k with
  | Ok (TableKey_HeadKey _) => Some k
  | Ok (TableKey_SegmentKey place) => Some (encode_table_key (TableKey_HeadKey (segment_place_run place)))
  | _ => None
  end.

Lemma run_of_segment : forall head k place, segment_of head k place -> run_of_key k = Some head.
Proof. intros head k place [D H]. unfold run_of_key. rewrite D, H. reflexivity. Qed.

(** A step touches keys of its run only. *)
Lemma step_untouched : forall before read k content, step_fits before read -> run_of_key k <> Some (step_head read) ->
  step_content read k content = content.
Proof.
  intros before read k content W D. unfold step_content. rewrite deleted_untouched, entries_untouched.
  - unfold head_content. destruct (bytes_equal_spec (step_head read) k) as [E|]; [|destruct (step_after read); reflexivity].
    elim D. unfold run_of_key. rewrite <- E, (fits_head _ _ W). reflexivity.
  - eapply Forall_impl; [|exact (fits_put _ _ W)].
    intros entry [(place & P & _) _] E. apply D. rewrite <- E. eapply run_of_segment. exact P.
  - eapply Forall_impl; [|exact (fits_deleted _ _ W)]. intros d (place & P) E. apply D. rewrite <- E. eapply run_of_segment. exact P.
Qed.

Lemma steps_untouched : forall before steps k content, Forall (step_fits before) steps ->
  (forall read, In read steps -> run_of_key k <> Some (step_head read)) -> steps_content steps k content = content.
Proof.
  intros before steps k content H. revert content. induction H as [|read steps W _ IH]; intros content D; [reflexivity|]. unfold steps_content. cbn
    [fold_left].
  rewrite (step_untouched before) by (try assumption; apply D; left; reflexivity). apply IH. intros r I. apply D. right. exact I.
Qed.

(** ** Steps while they are read *)

Record followed (before : KeyMap) (steps : list TableStep) (after : KeyMap) : Prop := {
  followed_content : forall k, key_map_get after k = steps_content steps k (key_map_get before k);
  followed_fits : Forall (step_fits before) steps;
  followed_heads : NoDup (map step_head steps);
  followed_settled : forall earlier last, steps = earlier ++ [last] -> Forall (fun read => step_settled read = true) earlier;
}.

(** The last step is another one. *)
Lemma last_followed : forall before earlier last after changed after',
  followed before (earlier ++ [last]) after -> step_fits before changed -> step_head changed = step_head last ->
  (forall k, key_map_get after' k = step_content changed k (steps_content earlier k (key_map_get before k))) ->
  followed before (earlier ++ [changed]) after'.
Proof.
  intros before earlier last after changed after' [C W N S] W' H C'. constructor.
  - intros k. rewrite C'. unfold steps_content. rewrite fold_left_app. reflexivity.
  - apply Forall_app in W as [W _]. apply Forall_app. auto.
  - rewrite map_app in N |- *. cbn [map] in *. rewrite H. exact N.
  - intros e l E. apply app_inj_tail in E as [<- _]. exact (S earlier last eq_refl).
Qed.

(** What stands under a key of the last step's run. *)
Lemma last_content : forall before earlier last after k, followed before (earlier ++ [last]) after -> run_of_key k = Some (step_head last) ->
  key_map_get after k = step_content last k (key_map_get before k).
Proof.
  intros before earlier last after k [C W N _] H. rewrite C. unfold steps_content. rewrite fold_left_app. cbn [fold_left]. f_equal.
  apply Forall_app in W as [W _]. apply (steps_untouched before earlier); [exact W|]. intros read I E. rewrite H in E. injection E as E.
  rewrite map_app in N. cbn [map] in N. apply NoDup_remove_2 in N. rewrite app_nil_r in N. apply N. rewrite E. now apply in_map.
Qed.

(** A requirement of the last step leaves it what it leaves. *)
Lemma last_kept : forall before earlier last after changed k,
  followed before (earlier ++ [last]) after -> step_fits before changed -> step_head changed = step_head last ->
  (forall q c, step_content changed q c = step_content last q c) ->
  followed before (earlier ++ [changed]) (key_map_put after k (key_map_get after k)).
Proof.
  intros before earlier last after changed k H W E S. eapply last_followed; [exact H|exact W|exact E|]. intros q. rewrite put_same, S.
  rewrite (followed_content _ _ _ H). unfold steps_content. rewrite fold_left_app. reflexivity.
Qed.

(** A write of the last step under a key is what it leaves there. *)
Lemma last_written : forall before earlier last after changed k content,
  followed before (earlier ++ [last]) after -> step_fits before changed -> step_head changed = step_head last ->
  (forall q c, step_content changed q c = if bytes_equal k q then content else step_content last q c) ->
  followed before (earlier ++ [changed]) (key_map_put after k content).
Proof.
  intros before earlier last after changed k content H W E S. eapply last_followed; [exact H|exact W|exact E|]. intros q.
  rewrite key_map_get_put, S, (followed_content _ _ _ H). unfold steps_content. rewrite fold_left_app. reflexivity.
Qed.

Ltac parts := cbn [step_head step_place step_before step_pinned step_put step_after step_deleted step_stage] in *.

Lemma begun_followed : forall before steps after place head pinned steps',
  followed before steps after -> decode_table_key s head = Ok (TableKey_HeadKey place) -> place_table place = table ->
  with_step steps s place head pinned = Ok steps' -> key_map_get after head = pinned ->
  followed before steps' (key_map_put after head (key_map_get after head)).
Proof.
  intros before steps after place head pinned steps' H D T E P. unfold with_step in E.
  destruct (expect_write _) eqn:E1; [|discriminate]. apply expected_write, andb_true_iff in E1 as [turn new]. apply negb_true_iff in new.
  destruct (expect_open_run s place) eqn:E2; [|discriminate]. injection E as <-. pose proof (is_step_head_in _ _ new) as Fresh.
  assert (O : expect_open s place = Ok tt) by (unfold expect_open_run in E2; destruct (expect_open s place) as [[]|]; [reflexivity|discriminate]).
  assert (before_head : key_map_get before head = pinned).
  { rewrite <- P, (followed_content _ _ _ H). symmetry. apply (steps_untouched before); [exact (followed_fits _ _ _ H)|].
    intros read I E. unfold run_of_key in E. rewrite D in E. injection E as E. apply (Fresh read I). now symmetry. }
  constructor.
  - intros k. rewrite put_same, (followed_content _ _ _ H). unfold steps_content. rewrite fold_left_app. reflexivity.
  - apply Forall_app. split; [exact (followed_fits _ _ _ H)|]. constructor; [|constructor]. constructor; unfold begun_step; parts; try assumption;
      try constructor.
    + exists 1, 0. split; [intros [|i] entry Q; discriminate Q|]. left. auto.
    + auto.
    + auto.
  - rewrite map_app. cbn [map]. unfold begun_step. parts. apply NoDup_app_one; [exact (followed_heads _ _ _ H)|].
    intros I. apply in_map_iff in I as (read & Q & I). exact (Fresh read I Q).
  - intros earlier last Q. apply app_inj_tail in Q as [<- _]. apply orb_true_iff in turn. destruct turn as [none|settled].
    + apply N.eqb_eq in none. destruct steps; [constructor|rewrite seq_length_cons in none; lia].
    + unfold last_settled in settled. apply andb_true_iff in settled as [some settled]. apply N.ltb_lt in some.
      destruct (some_steps _ some) as (e & l & ->). rewrite last_of in settled. apply Forall_app. split; [|auto].
      exact (followed_settled _ _ _ H e l eq_refl).
Qed.

Lemma head_changed_followed : forall before steps after o steps' content,
  followed before steps after -> with_head_change steps o = Ok steps' -> run_action (key_map_get after (operation_key o)) (action o) = Ok content ->
  followed before steps' (key_map_put after (operation_key o) content).
Proof.
  intros before steps after o steps' content H E R. unfold with_head_change in E. destruct (expect_write _) eqn:E1; [|discriminate].
  apply expected_write, N.ltb_lt in E1. destruct (some_steps _ E1) as (earlier & last & ->). rewrite last_of in E.
  destruct (step_with_head last o) as [changed|] eqn:E2; [|discriminate]. injection E as <-. rewrite with_last_app.
  pose proof (followed_fits _ _ _ H) as W. apply Forall_app in W as [_ W]. inversion W as [|? ? W' _]; subst. clear W. rename W' into W.
  unfold step_with_head in E2. destruct (expect_write (bytes_equal _ _)) eqn:E3; [|discriminate]. apply expected_write, bytes_equal_iff in E3.
  pose proof (fits_stage _ _ W) as stage. unfold stage_fits in stage. rewrite <- E3 in *.
  destruct (action o) as [|required|written| |amount|amount] eqn:A; try discriminate; cbn [run_action] in R; injection R as <-.
  - unfold put_head in E2. destruct (expect_write _) eqn:E4; [|discriminate]. apply expected_write, andb_true_iff in E4 as [turn heads]. injection E2
      as <-.
    assert (S : step_deleted last = [] /\ step_after last = HeadChange_HeadKept /\ (step_put last = [] -> step_pinned last = [])).
    { destruct (step_stage last); try discriminate; destruct stage as (X & Y & Z); intuition congruence. }
    destruct S as (S1 & S2 & S3).
    apply (last_written before earlier last); [exact H| |reflexivity|].
    + destruct W. constructor; parts; try assumption. unfold stage_fits. parts. auto.
    + intros q c. unfold step_content, head_content. parts. rewrite S1, S2. cbn [fold_left]. reflexivity.
  - unfold delete_head in E2. destruct (step_stage last) eqn:St; try discriminate. injection E2 as <-. destruct stage as (S0 & S1 & S2 & S3).
    apply (last_written before earlier last); [exact H| |reflexivity|].
    + destruct W. constructor; parts; try assumption. unfold stage_fits. parts. auto.
    + intros q c. unfold step_content, head_content. parts. rewrite S2, S3. cbn [fold_left]. reflexivity.
Qed.

(** A segment that is announced has the next number, and is none of those that the step put before it. *)
Lemma announced_next : forall before read k place, step_fits before read -> segment_of (step_head read) k place -> may_announce read place = true ->
  step_deleted read = [] /\ step_after read = HeadChange_HeadKept /\
  exists base revision, numbered read base revision /\ segment_place_revision place = revision /\
    segment_place_number place = base + seq_length (step_put read).
Proof.
  intros before read k place W P A. pose proof (fits_stage _ _ W) as stage. unfold stage_fits in stage. unfold may_announce in A.
  destruct (fits_numbers _ _ W) as (base & revision & Nm). pose proof Nm as (each & first).
  destruct (step_stage read) eqn:St; try discriminate.
  - destruct stage as (S0 & S1 & S2 & S3). split; [exact S2|]. split; [exact S3|]. apply N.eqb_eq in A. exists 1, (segment_place_revision place).
    split; [|split; [reflexivity|]].
    + split; [|left; auto]. intros i entry E. rewrite S1 in E. destruct i; discriminate.
    + rewrite S1, A. reflexivity.
  - destruct stage as (S0 & S1 & S2 & S3). split; [exact S2|]. split; [exact S3|]. exists base, revision. split; [exact Nm|].
    apply comes_behind_last in A as (earlier & last & Q & R & M). destruct first as [[X _]|(pinned & X & B & V)]; [contradiction|].
    rewrite X in Q. assert (last = pinned) as ->. { change [pinned] with ([] ++ [pinned]) in Q. apply app_inj_tail in Q. symmetry. apply Q. }
    split; [congruence|]. rewrite S1. unfold seq_length. cbn. lia.
  - destruct stage as (S0 & S1 & S2). split; [exact S1|]. split; [exact S2|]. exists base, revision. split; [exact Nm|].
    apply comes_behind_last in A as (earlier & last & Q & R & M). destruct (each (length earlier) last) as [X Y].
    { rewrite Q, nth_error_app2, PeanoNat.Nat.sub_diag by lia. reflexivity. }
    split; [congruence|]. rewrite Q, seq_length_app. unfold seq_length at 2. cbn. unfold seq_length. lia.
Qed.

Lemma segment_followed : forall before steps after place o steps' content,
  followed before steps after -> decode_table_key s (operation_key o) = Ok (TableKey_SegmentKey place) -> with_segment steps place o = Ok steps' ->
  run_action (key_map_get after (operation_key o)) (action o) = Ok content ->
  followed before steps' (key_map_put after (operation_key o) content).
Proof.
  intros before steps after place o steps' content H D E R. unfold with_segment in E. destruct (expect_write _) eqn:E1; [|discriminate].
  apply expected_write, N.ltb_lt in E1. destruct (some_steps _ E1) as (earlier & last & ->). rewrite last_of in E.
  destruct (step_with_segment last place o) as [changed|] eqn:E2; [|discriminate]. injection E as <-. rewrite with_last_app.
  pose proof (followed_fits _ _ _ H) as W. apply Forall_app in W as [_ W]. inversion W as [|? ? W' _]; subst. clear W. rename W' into W.
  unfold step_with_segment in E2. destruct (expect_write (bytes_equal _ _)) eqn:E3; [|discriminate]. apply expected_write, bytes_equal_iff in E3.
  assert (P : segment_of (step_head last) (operation_key o) place) by (split; [exact D|now symmetry]).
  pose proof (last_content _ _ _ _ _ H (run_of_segment _ _ _ P)) as now. pose proof (fits_stage _ _ W) as stage. unfold stage_fits in stage.
  set (k := operation_key o) in *. destruct (action o) as [|required|written| |amount|amount] eqn:A; try discriminate; cbn [run_action] in R.
  - apply required_content in R as [none ->]. unfold announce_segment in E2. destruct (expect_write _) eqn:E4; [|discriminate].
    apply expected_write in E4. injection E2 as <-. destruct (announced_next _ _ _ _ W P E4) as (S1 & S2 & base & revision & Nm & V & M).
    apply (last_kept before earlier last); [exact H| |reflexivity|reflexivity].
    assert (absent : key_map_get before k = None).
    { rewrite none in now. symmetry in now. unfold step_content, head_content in now. rewrite S1, S2 in now. cbn [fold_left] in now.
      rewrite entries_untouched in now; [exact now|]. apply Forall_forall. intros entry I Q. apply In_nth_error in I as (i & I).
      destruct (proj1 Nm i entry I) as [X _]. assert (L : (i < length (step_put last))%nat) by (apply nth_error_Some; congruence).
      pose proof (fits_put _ _ W) as puts. rewrite Forall_forall in puts. apply nth_error_In in I. destruct (puts _ I) as [(place' & [D' _] & _ & M')
        _].
      rewrite Q in D'. rewrite D in D'. injection D' as <-. unfold seq_length in M. lia. }
    destruct W. constructor; parts; try assumption. unfold stage_fits. parts. split; [exact S1|]. split; [exact S2|].
    exists place, base, revision. split; [exact P|]. split; [exact Nm|]. auto.
  - apply required_content in R as [some ->]. unfold pin_segment in E2. destruct (step_stage last) eqn:St; try discriminate. injection E2 as <-.
    destruct stage as (S0 & S1 & S2 & S3). apply (last_kept before earlier last); [exact H| |reflexivity|reflexivity].
    assert (present : key_map_get before k = Some required).
    { rewrite some in now. unfold step_content, head_content in now. rewrite S1, S2, S3 in now. cbn [fold_left] in now. now symmetry. }
    destruct W. constructor; parts; try assumption.
    + constructor; [|constructor]. split; [|exact present]. exists place. auto.
    + exists (segment_place_number place + 1), (segment_place_revision place). split; parts.
      * intros i entry Q. rewrite S1 in Q. destruct i; discriminate.
      * right. exists (segment_entry k place required). auto.
    + unfold stage_fits. parts. split; [discriminate|]. auto.
  - injection R as <-. unfold put_segment in E2. destruct (expect_write _) eqn:E4; [|discriminate]. apply expected_write in E4. injection E2 as <-.
    unfold is_announced in E4. destruct (step_stage last) as [| |k'| |] eqn:St; try discriminate. apply bytes_equal_iff in E4. cbn [segment_entry
      segment_entry_key] in E4.
    subst k'. destruct stage as (S1 & S2 & place' & base & revision & [D' _] & Nm & V & M & absent). rewrite D in D'. injection D' as <-.
    apply (last_written before earlier last); [exact H| |reflexivity|].
    + destruct W. constructor; parts; try assumption.
      * apply Forall_app. split; [assumption|]. constructor; [|constructor]. split; [|exact absent]. exists place. auto.
      * exists base, revision. split; parts; [|exact (proj2 Nm)]. intros i entry Q. apply nth_error_snoc in Q as [Q|[-> ->]]; [exact (proj1 Nm i
          entry Q)|].
        cbn [segment_entry segment_entry_number segment_entry_revision]. unfold seq_length in M. auto.
      * unfold stage_fits. parts. split; [destruct (step_put last); discriminate|]. auto.
    + intros q c. unfold step_content, head_content. parts. rewrite S1, S2. cbn [fold_left]. rewrite fold_left_app. cbn [fold_left].
      unfold entry_content at 1. cbn [segment_entry segment_entry_key segment_entry_value]. reflexivity.
  - injection R as <-. unfold delete_segment in E2. destruct (expect_write _) eqn:E4; [|discriminate]. apply expected_write in E4. injection E2 as <-.
    apply (last_written before earlier last); [exact H| |reflexivity|].
    + assert (S : (step_put last = [] -> step_pinned last = []) /\ match step_after last with
        | HeadChange_HeadPut written => head_of_segments last written = true | _ => step_put last = [] end).
      { destruct (step_stage last) eqn:St; try discriminate; [|exact stage]. destruct stage as (S0 & S1 & S2 & S3). rewrite S3. auto. }
      destruct W. constructor; parts; try assumption.
      apply Forall_app. split; [assumption|]. constructor; [|constructor]. exists place. exact P.
    + intros q c. unfold step_content, head_content. parts. rewrite fold_left_app. cbn [fold_left]. reflexivity.
Qed.

Lemma operation_followed : forall before steps after o steps' content,
  followed before steps after -> with_operation steps s table o = Ok steps' -> run_action (key_map_get after (operation_key o)) (action o) = Ok
    content ->
  followed before steps' (key_map_put after (operation_key o) content).
Proof.
  intros before steps after o steps' content H E R. unfold with_operation in E.
  destruct (decode_table_key s (operation_key o)) as [[t|place|place]|] eqn:D; try discriminate.
  - destruct (bytes_equal_spec (place_table place) table) as [T|]; [|discriminate]. unfold with_head in E.
    destruct (action o) as [|required|written| |amount|amount] eqn:A; try (apply (head_changed_followed before steps); [exact H|exact E|rewrite A;
      exact R]).
    + cbn [run_action] in R. apply required_content in R as [none ->]. exact (begun_followed _ _ _ _ _ _ _ H D T E none).
    + cbn [run_action] in R. apply required_content in R as [some ->]. exact (begun_followed _ _ _ _ _ _ _ H D T E some).
  - exact (segment_followed _ _ _ _ _ _ _ H D E R).
Qed.

(** ** The whole transaction *)

Theorem steps_followed : forall first rest before x after steps,
  action first = Action_RequireAbsent \/ (exists required, action first = Action_RequireValue required) ->
  read_steps s table (first :: rest) = Ok steps -> map_operations before (first :: rest) x = Ok after -> followed before steps after.
Proof.
  intros first rest before x after steps pins. revert after steps. induction rest as [|o rest IH] using rev_ind; intros after steps E R.
  - change [first] with ([] ++ [first]) in R. apply map_operations_snoc in R as (between & content & R & A & ->). cbn in R. injection R as <-.
    cbn in E. injection E as <-.
    assert (content = key_map_get before (operation_key first)) as ->.
    { destruct pins as [Q|(required & Q)]; rewrite Q in A; cbn [run_action] in A; apply required_content in A; apply A. }
    constructor; [intros k; apply put_same|constructor|constructor|]. intros [|x' e] l Q; discriminate.
  - rewrite app_comm_cons in E, R. apply read_steps_snoc in E as (steps0 & E0 & E). apply map_operations_snoc in R as (between & content & R & A & ->).
    exact (operation_followed _ _ _ _ _ _ (IH _ _ E0 R) E A).
Qed.

End WrittenSteps.

(** What the head and the segments of a run add up to, and what a judged step leaves under the keys of its run.

    - [extent_said]: what a head says is what its segments add up to; [extent_grown]: also of a run that grew;
    - [standing_kept], [segment_left]: segments of the revision that stands are not deleted, and stay;
    - [head_left], [entry_left]: a head and segments that are put stand. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Dictionary.KeyMap Table.TableSchema Table.TableKey
  Table.TablePolicy Table.RunRecord Table.RunSegments Policy.PolicyReason Policy.TableSteps Policy.TableJudge Policy.Tables.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.Field Spec.Base.Group Lemmas.Sequences Lemmas.LinkedRuns Lemmas.StepContents
  Lemmas.WrittenSteps.
Import ListNotations.
Local Open Scope N_scope.

Section JudgedRuns.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** ** Extents *)

Lemma extent_app : forall before moments first second, extent_with_pieces before moments (first ++ second) =
  match extent_with_pieces before moments first with Ok between => extent_with_pieces between moments second | Err fault => Err fault end.
Proof.
  intros before moments first second. unfold extent_with_pieces.
  rewrite !(loop_over_elements _ _ _ (fun found piece => extent_with_pieces_step found moments piece)), fold_left_app.
  destruct (fold_left _ first (Ok before)) as [between|fault].
  - now rewrite (loop_over_elements _ _ _ (fun found piece => extent_with_pieces_step found moments piece)).
  - induction second as [|piece second IH]; [reflexivity|exact IH].
Qed.

Lemma added_to_none : forall points, points_added [] points = map (fun i => held_element (seq_at points i)) (range 0 (seq_length points)).
Proof.
  intros points. unfold points_added, points_added_step.
  rewrite (fold_range_append (fun i => g1_add (g1_at [] i) (held_element (seq_at points i))) 0 _ []). cbn [app]. apply map_ext_in. intros i _.
  apply g1_ext. rewrite g1_at_beyond by (unfold seq_length; cbn; lia). group_exponents. ring.
Qed.

Lemma elements_are : forall elements points, elements_equal elements points = true -> elements = points_added [] points.
Proof.
  intros elements points E. unfold elements_equal in E.
  assert (G : seq_length elements = seq_length points /\ forall i, i < seq_length points -> g1_at elements i = held_element (seq_at points i)).
  { revert E. apply (loop_invariant _ (fun n equal => equal = true -> seq_length elements = seq_length points /\
      forall i, i < n -> g1_at elements i = held_element (seq_at points i))); [lia| |].
    - intros E. apply N.eqb_eq in E. split; [exact E|]. intros i L. lia.
    - intros n equal Ln IH E. unfold elements_equal_step in E. apply andb_true_iff in E as [E same]. apply andb_true_iff in E as [E _].
      destruct (IH E) as [L each]. split; [exact L|]. intros i Li. destruct (N.eq_dec i n) as [->|D]; [|apply each; lia].
      now apply g1_equal_iff. }
  destruct G as [L each]. rewrite added_to_none. apply (seq_ext _ _).
  - now rewrite seq_length_map, seq_length_range.
  - intros i Li. rewrite <- (g1_at_in elements i) by exact Li. rewrite L in Li. rewrite each by exact Li.
    rewrite <- (g1_at_in (map _ _)) by (rewrite seq_length_map, seq_length_range; lia). now rewrite g1_at_map.
Qed.

(** What a head says is what its segments add up to. *)
Lemma extent_said : forall moments start pieces head, check_extent start moments pieces head = Ok tt ->
  extent_with_pieces start moments pieces = Ok (extent_of_head head).
Proof.
  intros moments start pieces head E. unfold check_extent in E. destruct (extent_with_pieces start moments pieces) as [[n r sums]|]; [|discriminate].
  cbv zeta in E. cbn [extent_segments extent_rows extent_sums] in E. destruct (expect_step _ _) eqn:E1 in E; [|discriminate]. unfold expect_step in
    E1, E.
  destruct (N.eqb_spec n (long_segments head)); cbn [andb] in E1; [|discriminate]. destruct (N.eqb_spec r (long_rows head)); [|discriminate].
  destruct (elements_equal sums (long_sums head)) eqn:E2; [|discriminate]. apply elements_are in E2. subst. reflexivity.
Qed.

Lemma numbers_at : forall moments start extent pieces i, extent_with_pieces start moments pieces = Ok extent -> i < seq_length pieces ->
  piece_number (seq_at pieces i) = extent_segments start + i.
Proof.
  intros moments start extent pieces i E L. apply extent_adds_up in E as (_ & _ & _ & each).
  destruct (nth_split pieces default (n := N.to_nat i)) as (l & l' & Q & Ll); [unfold seq_length in L; lia|].
  destruct (each _ _ _ Q) as [X _]. unfold seq_at. rewrite X. unfold seq_length. lia.
Qed.

(** A run that grew adds up from its beginning. *)
Lemma extent_grown : forall moments before after pieces put, long_record after = long_record before ->
  check_extent (extent_of_first before) moments pieces before = Ok tt -> check_extent (extent_of_head before) moments put after = Ok tt ->
  check_extent (extent_of_first after) moments (pieces ++ put) after = Ok tt.
Proof.
  intros moments before after pieces put R A B. apply extent_said in A. unfold check_extent in *.
  assert (Q : extent_of_first after = extent_of_first before) by (unfold extent_of_first; now rewrite R). rewrite Q, extent_app, A. exact B.
Qed.

(** ** What a judged step leaves *)

Lemma deleted_judged : forall s read standing, judge_deleted s read standing = Ok tt -> Forall (fun k => exists place,
  decode_table_key s k = Ok (TableKey_SegmentKey place) /\ expect_open s (segment_place_run place) = Ok tt /\ schema_flags s = 2 /\
  revision_stands standing (segment_place_revision place) = false) (step_deleted read).
Proof.
  intros s read standing E. unfold judge_deleted in E. rewrite (loop_over_elements _ _ _ (fun judged k => judge_deleted_step judged s k standing)) in E.
  assert (failed : forall l why, fold_left (fun judged k => judge_deleted_step judged s k standing) l (Err why) = Err why).
  { induction l as [|x l IH]; intros why; [reflexivity|]. apply IH. }
  induction (step_deleted read) as [|k l IH]; [constructor|]. cbn [fold_left] in E. unfold judge_deleted_step at 2 in E.
  destruct (judge_segment_delete s k standing) as [[]|] eqn:J; [|rewrite failed in E; discriminate]. constructor; [|now apply IH].
  unfold judge_segment_delete in J. destruct (decode_table_key s k) as [[t|p|p]|]; try discriminate. exists p. split; [reflexivity|].
  unfold judge_segment_place in J. destruct (expect_open s _) as [[]|]; [|discriminate]. cbv zeta in J. unfold expect_change in J.
  destruct (N.eqb_spec (schema_flags s) 2); cbn [andb] in J; [|discriminate]. destruct (revision_stands _ _); [discriminate|]. auto.
Qed.

(** A segment of the revision that stands is not deleted. *)
Lemma standing_kept : forall s read revision k place, judge_deleted s read (Some revision) = Ok tt ->
  decode_table_key s k = Ok (TableKey_SegmentKey place) -> segment_place_revision place = revision -> ~ In k (step_deleted read).
Proof.
  intros s read revision k place J D R I. apply deleted_judged in J. rewrite Forall_forall in J. destruct (J k I) as (place' & D' & _ & _ & S).
  rewrite D in D'. injection D' as <-. unfold revision_stands in S. rewrite R, N.eqb_refl in S. discriminate.
Qed.

Lemma deleted_not : forall deleted k content, ~ In k deleted -> fold_left (deleted_content k) deleted content = content.
Proof. intros deleted k content H. apply deleted_untouched. apply Forall_forall. intros d I E. apply H. now rewrite <- E. Qed.

(** A key that is neither a head nor among the segments that are put or deleted is left. *)
Lemma segment_left : forall s table before read k place content, step_fits s table before read -> decode_table_key s k = Ok (TableKey_SegmentKey
  place) ->
  ~ In k (step_deleted read) -> key_map_get before k <> None -> step_content read k content = content.
Proof.
  intros s table before read k place content W D N P. unfold step_content. rewrite deleted_not by exact N. rewrite entries_untouched.
  - unfold head_content. destruct (bytes_equal_spec (step_head read) k) as [E|]; [|destruct (step_after read); reflexivity].
    pose proof (fits_head _ _ _ _ W) as H. rewrite E, D in H. discriminate.
  - eapply Forall_impl; [|exact (fits_put _ _ _ _ W)]. intros entry [_ Z] E. rewrite E in Z. contradiction.
Qed.

(** A head that is put stands. *)
Lemma head_left : forall s table before read written content, step_fits s table before read -> step_after read = HeadChange_HeadPut written ->
  step_content read (step_head read) content = Some written.
Proof.
  intros s table before read written content W A. pose proof (fits_head _ _ _ _ W) as H. unfold step_content. rewrite deleted_untouched.
  - unfold head_content. rewrite A, bytes_equal_refl. reflexivity.
  - eapply Forall_impl; [|exact (fits_deleted _ _ _ _ W)]. intros d (place & D & _) E. rewrite E, H in D. discriminate.
Qed.

Lemma entries_last : forall entries k value content, (forall entry, In entry entries -> segment_entry_key entry = k -> segment_entry_value entry =
  value) ->
  (exists entry, In entry entries /\ segment_entry_key entry = k) -> fold_left (entry_content k) entries content = Some value.
Proof.
  intros entries k value. induction entries as [|e entries IH] using rev_ind; intros content same (entry & I & E); [destruct I|].
  rewrite fold_left_app. cbn [fold_left]. unfold entry_content at 1. destruct (bytes_equal_spec (segment_entry_key e) k) as [Q|D].
  - f_equal. apply same; [apply in_or_app; right; left; reflexivity|exact Q].
  - apply IH.
    + intros e' I'. apply same. apply in_or_app. left. exact I'.
    + apply in_app_or in I as [I|[<-|[]]]; [eauto|contradiction].
Qed.

(** A segment that is put, of the revision that stands, stands. *)
Lemma entry_left : forall s table before read revision entry content, step_fits s table before read -> judge_deleted s read (Some revision) = Ok tt ->
  In entry (step_put read) -> segment_entry_revision entry = revision ->
  step_content read (segment_entry_key entry) content = Some (segment_entry_value entry).
Proof.
  intros s table before read revision entry content W J I R. pose proof (fits_put _ _ _ _ W) as puts. rewrite Forall_forall in puts.
  destruct (puts entry I) as [(place & [D _] & V & M) _]. unfold step_content. rewrite deleted_not by (eapply standing_kept; eauto; congruence).
  assert (G : fold_left (entry_content (segment_entry_key entry)) (step_put read) content = Some (segment_entry_value entry)).
  { apply entries_last; [|eauto]. intros other I' E. destruct (puts other I') as [(place' & [D' _] & _ & M') _]. rewrite E, D in D'.
    injection D' as <-. destruct (fits_numbers _ _ _ _ W) as (base & rev & Nm & _). apply In_nth_error in I as (i & Qi). apply In_nth_error in I' as
      (j & Qj).
    destruct (Nm i entry Qi) as [X _]. destruct (Nm j other Qj) as [Y _]. assert (i = j) as -> by lia. congruence. }
  rewrite G. unfold head_content. destruct (bytes_equal_spec (step_head read) (segment_entry_key entry)) as [E|]; [|destruct (step_after read);
    reflexivity].
  pose proof (fits_head _ _ _ _ W) as H. rewrite E, D in H. discriminate.
Qed.

End JudgedRuns.

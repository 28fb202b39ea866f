(** Looking for keys in boxes, scanning tables, and checking queries never leave the range of integers or sequences.

    - [box_next_never_panics], [table_scan_never_panics]: for boxes that are stored, whatever slots are received;
    - [query_fits_never_panics]: for schemas and queries that are stored. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.KeyMap Answer.Scan Table.TableSchema Table.KeyBox
  Table.TableQuery Table.TableScan Table.TableAnswer Table.TableAnswerVerifier Base.BytesSafe Dictionary.SlotSafe Answer.ScanSafe Table.KeyBoxSafe
  Table.TableQuerySafe Table.TableScanSafe Table.TableAnswerSafe Table.TableAnswerVerifierSafe.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Readers Safety.SlotMapSafe Safety.BoundsSafe Safety.PhasesSafe Safety.TableBytesSafe.
From Aardvark Require Safety.AnswersSafe Safety.AlgebraSafe Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

(** One of two strings is short. *)
Lemma first_difference_right : forall a b, short b -> first_difference_safe a b = true.
Proof.
  intros a b S. unfold first_difference_safe. cbv zeta. each_check Hi. unfold short in S.
  assert (B : i < seq_length a /\ i < seq_length b) by (destruct (N.ltb_spec (seq_length a) (seq_length b)); lia).
  unfold first_difference_step_safe, within_usize. rewrite !(proj2 (N.ltb_lt i _)) by lia. rewrite (proj2 (N.ltb_lt (i + 1) (2 ^ 64))) by lia.
  destruct (checked =? i); cbn [andb]; [destruct (_ =? _); reflexivity|reflexivity].
Qed.

Lemma bytes_less_right : forall a b, short b -> bytes_less_safe a b = true.
Proof. exact first_difference_right. Qed.

Lemma bytes_at_most_left : forall a b, short a -> bytes_at_most_safe a b = true.
Proof. intros a b S. exact (first_difference_right b a S). Qed.

Section Boxes.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Intervals are of short byte strings; columns have such intervals, and widths below 2^32. *)
Definition interval_in_memory (interval : KeyInterval) : Prop :=
  short (interval_low interval) /\ received (interval_high interval).
Definition box_column_in_memory (column : BoxColumn) : Prop :=
  box_column_width column < 2 ^ 32 /\ forall interval, In interval (box_column_intervals column) -> interval_in_memory interval.
Definition box_in_memory (columns : list BoxColumn) : Prop :=
  seq_length columns < 2 ^ 31 /\ forall column, In column columns -> box_column_in_memory column.

Lemma digits_above_never_panics : forall digits, of_bytes digits -> seq_length digits < 2 ^ 64 - 1 -> digits_above_safe digits = true.
Proof.
  intros digits O L. unfold digits_above_safe. apply andb_true_iff. split.
  { unfold bytes_below_ends_safe. each_check Hi. unfold bytes_below_ends_step_safe, within_usize. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb].
    destruct (_ =? 255); [reflexivity|apply N.ltb_lt; lia]. }
  cbv zeta. assert (B : bytes_below_ends digits <= seq_length digits).
  { unfold bytes_below_ends. apply (loop_invariant _ (fun i found => found <= i)); [lia|lia|]. intros i found Hi P. unfold bytes_below_ends_step.
    destruct (_ =? 255); lia. }
  destruct (N.ltb_spec (bytes_below_ends digits) 1) as [|P]; [reflexivity|].
  assert (I : bytes_below_ends digits - 1 < seq_length digits) by lia. unfold of_bytes in O. rewrite Forall_forall in O.
  pose proof (O _ (seq_at_in _ _ digits _ I)) as W. rewrite (proj2 (N.ltb_lt _ _) I). cbn [andb]. unfold within_u128, u128_of_u8.
  rewrite !andb_true_iff, N.ltb_lt, !N.leb_le. change (2 ^ 128) with 340282366920938463463374607431768211456. lia.
Qed.

Lemma column_holds_never_panics : forall column digits, box_column_in_memory column -> column_holds_safe column digits = true.
Proof.
  intros column digits [_ I]. unfold column_holds_safe. each_check Hi. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold column_holds_step_safe.
  destruct checked; [reflexivity|]. destruct (I _ (seq_at_in _ _ (box_column_intervals column) i ltac:(lia))) as (L & _ & H).
  rewrite bytes_at_most_left by exact L. cbn [andb]. destruct (bytes_at_most _ _); [|reflexivity]. now apply bytes_at_most_never_panics.
Qed.

Lemma column_above_never_panics : forall column digits, box_column_in_memory column -> of_bytes digits -> seq_length digits < 2 ^ 64 - 1 ->
  column_above_safe column digits = true.
Proof.
  intros column digits [_ I] O L. unfold column_above_safe. each_check Hi. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold column_above_step_safe.
  destruct checked; [reflexivity|]. destruct (I _ (seq_at_in _ _ (box_column_intervals column) i ltac:(lia))) as (A & _ & H). unfold interval_above_safe.
  rewrite bytes_less_right by exact A. cbn [andb]. destruct (bytes_less _ _); [reflexivity|]. rewrite bytes_less_right by exact H. cbn [andb].
  destruct (bytes_less _ _); [|reflexivity]. now apply digits_above_never_panics.
Qed.

Lemma box_width_below : forall columns count, (forall column, In column columns -> box_column_in_memory column) -> count <= seq_length columns ->
  fold_left (fun width i => box_width_step width (seq_at columns i)) (range 0 count) 0 <= count * 2 ^ 32.
Proof.
  intros columns count C. induction count as [|count IH] using N.peano_ind; intros L; [cbn; lia|].
  rewrite <- N.add_1_r, range_snoc, fold_left_app by lia. cbn [fold_left]. unfold box_width_step at 1. specialize (IH ltac:(lia)).
  pose proof (proj1 (C _ (seq_at_in _ _ columns count ltac:(lia)))). lia.
Qed.

Lemma zeros_of_bytes : forall n, of_bytes (seq_new n : list N).
Proof. intros n. unfold of_bytes. apply Forall_forall. intros byte I. unfold seq_new in I. apply repeat_spec in I. subst. reflexivity. Qed.

Lemma next_digits_never_panics : forall columns k, box_in_memory columns -> received k -> next_digits_safe columns k = true.
Proof.
  intros columns k [few C] [O S]. unfold next_digits_safe. unfold short in S.
  assert (W : box_width columns <= seq_length columns * 2 ^ 32) by (apply box_width_below; [exact C|lia]).
  change (2 ^ 31) with 2147483648 in few. change (2 ^ 32) with 4294967296 in *.
  apply andb_true_iff. split.
  { unfold box_width_safe. apply (loop_is_safe _ (fun i width => width <= i * 4294967296)); [lia|]. intros i width Hi B.
    rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold box_width_step_safe, box_width_step, within_usize.
    pose proof (proj1 (C _ (seq_at_in _ _ columns i ltac:(lia)))) as D. change (2 ^ 32) with 4294967296 in D. rewrite N.ltb_lt.
    change (2 ^ 64) with 18446744073709551616. lia. }
  cbv zeta. set (width := box_width columns) in *. set (asked := seq_slice _ 0 width).
  assert (Z : seq_length (seq_new width : list N) = width) by apply Sequences.seq_new_length.
  assert (L : seq_length asked = width).
  { unfold asked. apply Sequences.seq_slice_length. rewrite Sequences.seq_length_app. lia. }
  assert (A : of_bytes asked).
  { unfold asked. apply AlgebraSafe.slice_of_bytes. apply Forall_app. split; [exact O|apply zeros_of_bytes]. }
  apply andb_true_iff. split; [rewrite Sequences.seq_length_app; apply N.leb_le; lia|].
  unfold seek_box_safe. cbv zeta.
  apply (loop_is_safe _ (fun _ seek => seek_rest seek <= seq_length asked)); [cbn [seek_rest]; lia|]. intros i seek Hi P.
  assert (Q : place_from_end (seq_length columns) i < seq_length columns).
  { unfold place_from_end. destruct (N.ltb_spec i (seq_length columns)); lia. }
  rewrite (proj2 (N.ltb_lt _ _) Q). unfold place_from_end_safe. rewrite (proj2 (N.ltb_lt i (seq_length columns))) by lia.
  rewrite (proj2 (N.leb_le 1 (seq_length columns - i))) by lia. cbn [andb]. set (column := seq_at columns _).
  pose proof (C _ (seq_at_in _ _ columns _ Q)) as M. fold column in M. unfold seek_box_step_safe, seek_box_step. cbv zeta. cbn [seek_rest].
  set (start := if box_column_width column <=? seek_rest seek then _ else 0).
  assert (T : start <= seek_rest seek) by (unfold start; destruct (N.leb_spec (box_column_width column) (seek_rest seek)); lia). clearbody start.
  split; [|lia]. rewrite (proj2 (N.leb_le start _)) by exact T. rewrite (proj2 (N.leb_le (start + (seek_rest seek - start)) _)) by lia. cbn [andb].
  set (digits := seq_slice asked start _). assert (D : of_bytes digits) by (unfold digits; now apply AlgebraSafe.slice_of_bytes).
  assert (DL : seq_length digits < 2 ^ 64 - 1).
  { unfold digits. rewrite Sequences.seq_slice_length by lia. change (2 ^ 64 - 1) with 18446744073709551615. lia. }
  unfold next_in_column_safe. rewrite column_above_never_panics by assumption. cbn [andb]. destruct (seek_next seek); [|reflexivity].
  now apply column_holds_never_panics.
Qed.

Theorem box_next_never_panics : forall key_box k, box_in_memory (box_columns key_box) -> received k -> box_next_safe key_box k = true.
Proof.
  intros key_box k B R. unfold box_next_safe. cbv zeta. apply andb_true_iff. split; [unfold box_inhabited_safe; each_check Hi; apply N.ltb_lt; lia|].
  destruct (negb _); [reflexivity|]. rewrite first_difference_never_panics by apply R. cbn [andb].
  destruct (N.leb_spec (seq_length (box_prefix key_box)) (first_difference k (box_prefix key_box))) as [P|P].
  - assert (L : first_difference k (box_prefix key_box) <= seq_length k).
    { unfold first_difference. cbv zeta. apply N.le_trans with (if seq_length k <? seq_length (box_prefix key_box) then seq_length k else seq_length (box_prefix key_box)).
      - apply (loop_invariant _ (fun i found => found <= i)); [lia|lia|]. intros i found Hi Q. unfold first_difference_step.
        destruct (_ && _); lia.
      - destruct (N.ltb_spec (seq_length k) (seq_length (box_prefix key_box))); lia. }
    rewrite !(proj2 (N.leb_le _ _)) by lia. cbn [andb]. apply next_digits_never_panics; [exact B|]. destruct R as [O S].
    split; [now apply AlgebraSafe.slice_of_bytes|]. unfold short in *. rewrite Sequences.seq_slice_length by lia. lia.
  - rewrite bytes_less_never_panics by apply R. cbn [andb]. destruct (bytes_less _ _); [|reflexivity]. apply next_digits_never_panics; [exact B|].
    split; [constructor|reflexivity].
Qed.

(** ** Scans *)

(** Slots that were received. *)
Definition slot_received (slot : Slot) : Prop := received (key slot) /\ short (value slot) /\ received (next slot).
Definition entry_received (entry : KeyEntry) : Prop := received (entry_key entry) /\ short (entry_value entry).

Lemma covers_received : forall slot cursor, slot_received slot -> covers_safe slot cursor = true.
Proof.
  intros slot cursor ((_ & K) & _ & (_ & X)). unfold covers_safe. rewrite bytes_less_never_panics by exact K.
  rewrite bytes_at_most_left, bytes_less_right by assumption. destruct (bytes_less _ _), (bytes_at_most _ _); reflexivity.
Qed.

Theorem table_scan_never_panics : forall key_box chain, box_in_memory (box_columns key_box) -> (forall slot, In slot chain -> slot_received slot) ->
  table_scan_safe key_box chain = true /\ (forall entries, table_scan key_box chain = Ok entries -> forall entry, In entry entries -> entry_received entry).
Proof.
  intros key_box chain B C. pose (good := fun progress : Result Scan ChainFault => match progress with
    | Ok scan => forall entry, In entry (scan_entries scan) -> entry_received entry | Err _ => True end).
  assert (step : forall progress slot, good progress -> slot_received slot ->
    table_scan_slots_step_safe progress key_box slot = true /\ good (table_scan_slots_step progress key_box slot)).
  { intros [scan|fault] slot G R; [|split; [reflexivity|exact I]]. unfold table_scan_slots_step_safe, table_scan_slots_step, table_scan_slot_safe, table_scan_slot.
    destruct (scan_cursor scan) as [cursor|]; [|split; [reflexivity|exact I]]. rewrite covers_received by exact R. cbn [andb].
    destruct (covers slot cursor); [|split; [reflexivity|exact I]]. destruct R as (K & V & X). split.
    - unfold table_cursor_after_safe, entries_after_safe. rewrite bytes_less_right by apply X. rewrite bytes_equal_never_panics by apply K. cbn [andb].
      rewrite andb_true_r. destruct (bytes_less cursor (next slot)); [|reflexivity]. now apply box_next_never_panics.
    - cbn [good scan_entries]. intros entry I. unfold entries_after in I. destruct (_ && _); [|exact (G entry I)]. apply in_app_iff in I.
      destruct I as [I|[<-|[]]]; [exact (G entry I)|]. split; assumption. }
  unfold table_scan_safe, table_scan, table_scan_slots_safe, table_scan_start_safe. rewrite box_next_never_panics; [|exact B|split; [constructor|reflexivity]]. cbn [andb].
  split.
  - apply (loop_is_safe _ (fun _ => good)); [intros entry []|]. intros i progress Hi G. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb].
    apply step; [exact G|apply C, seq_at_in; lia].
  - assert (G : good (table_scan_slots key_box chain)).
    { unfold table_scan_slots. apply (loop_invariant _ (fun _ => good)); [lia|intros entry []|]. intros i progress Hi G.
      apply step; [exact G|apply C, seq_at_in; lia]. }
    destruct (table_scan_slots key_box chain) as [scan|]; [|discriminate]. intros entries E. destruct (scan_cursor scan); [discriminate|]. injection E as <-. exact G.
Qed.

Lemma entries_of_query_never_panics : forall query chain, box_in_memory (box_columns (box_of_query query)) -> (forall slot, In slot chain -> slot_received slot) ->
  entries_of_query_safe query chain = true /\
  (forall entries, entries_of_query query chain = Ok entries -> forall entry, In entry entries -> entry_received entry).
Proof.
  intros query chain B C. unfold entries_of_query_safe, entries_of_query. cbv zeta. destruct (query_function query =? FUNCTION_ROW).
  - unfold single_run_safe, single_run. rewrite AnswersSafe.single_slot_never_panics. cbn [andb].
    destruct (single_slot chain) as [slot|] eqn:E; [|split; [reflexivity|discriminate]].
    assert (R : slot_received slot).
    { unfold single_slot in E. destruct (N.ltb_spec (seq_length chain) 1); [discriminate|]. destruct (1 <? seq_length chain); [discriminate|].
      injection E as <-. apply C, seq_at_in. lia. }
    destruct R as (K & V & X). split.
    + unfold box_holds_safe. rewrite box_next_never_panics by assumption. cbn [andb]. destruct (box_next _ _); [|reflexivity].
      apply AnswersSafe.bytes_equal_never_panics_right, K.
    + destruct (box_holds _ _); [|discriminate]. intros entries H entry I. injection H as <-. destruct I as [<-|[]]. split; assumption.
  - destruct (table_scan_never_panics (box_of_query query) chain B C) as [-> G]. split; [reflexivity|].
    destruct (table_scan _ _) as [found|]; [|discriminate]. intros entries H. injection H as <-. exact (G found eq_refl).
Qed.

End Boxes.

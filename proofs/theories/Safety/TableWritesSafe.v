(** Reading a transaction of the policy `tables` never leaves the range of integers or sequences: what it writes, and which segments its
    certificates cover.

    Of its operations is asked only what holds of everything that a machine can receive ([operation_received]).

    - [decoded_schema_sized]: the schema that it pins takes no more than was received;
    - [read_table_write_never_panics]: reading what it writes returns, and what is read was received ([write_good]);
    - [check_covered_never_panics]: so does comparing that with its certificates. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Decoding.DecodeReason Decoding.Cursor Decoding.SignedDecoder Block.Operation
  Table.TableSchema Table.SchemaLegality Table.SchemaDecoder Table.TableKey Table.TablePolicy Policy.PolicyReason Policy.TableSteps Policy.TableWrite
  Policy.TableCovered Base.BytesSafe Decoding.CursorSafe Table.TableSchemaSafe Table.SchemaDecoderSafe Table.TableKeySafe Table.TablePolicySafe
  Policy.TableStepsSafe Policy.TableWriteSafe Policy.TableCoveredSafe.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Readers Spec.Base.Bytes Safety.SlotMapSafe Safety.BoundsSafe Safety.PhasesSafe Safety.TableBytesSafe Safety.TableChangesSafe
  Safety.TableAnswersSafe Lemmas.TableSchemas.
From Aardvark Require Safety.AnswersSafe Spec.Table.TableKey Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

(** An operation that was received. *)
Definition operation_received (op : Operation) : Prop :=
  received (operation_key op) /\
  match action op with Action_RequireValue written | Action_Put written => received written | _ => True end.

Section TableWrites.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** The schema that is pinned *)

Lemma flat_map_bound : forall A (f : A -> ByteString) items bound, Forall (fun x => seq_length (f x) <= bound) items ->
  seq_length (flat_map f items) <= seq_length items * bound.
Proof.
  intros A f items bound H. induction H as [|x items X H IH]; [reflexivity|]. cbn [flat_map]. rewrite seq_length_app, seq_length_cons. lia.
Qed.

Theorem decoded_schema_sized : forall bytes schema, received bytes -> decode_schema bytes = Ok schema -> schema_sized schema.
Proof.
  intros bytes schema R E. pose proof (decoded_schema_in_memory _ _ R E) as M.
  destruct (decoded_schema_fits _ _ (proj1 R) E) as (_ & [W W'] & [K K'] & [V V'] & [N N']). split; [split; [exact M|split]|].
  - change (2 ^ 31) with 2147483648. change (2 ^ 8) with 256 in K. lia.
  - assert (A : seq_length (encode_writers (schema_writers schema)) <= seq_length (schema_writers schema) * 32).
    { unfold encode_writers. rewrite (appended_is_flat_map _ _ (fun writer => writer)). apply flat_map_bound.
      eapply Forall_impl; [|exact W']. intros x ->. unfold WRITER_BYTES. lia. }
    assert (B : seq_length (encode_key_column_list (schema_keys schema)) <= seq_length (schema_keys schema) * 300).
    { etransitivity; [|apply (flat_map_bound _ encode_key_column)]; [rewrite <- (appended_is_flat_map _ _ encode_key_column); reflexivity|].
      eapply Forall_impl; [|exact K']. intros x (L & _). unfold encode_key_column, bytes8, u8_bytes.
      rewrite !seq_length_app, !big_endian_length. change (2 ^ 8) with 256 in L. lia. }
    assert (C : seq_length (encode_value_columns (schema_values schema)) <= seq_length (schema_values schema) * 300).
    { etransitivity; [|apply (flat_map_bound _ encode_value_column)]; [rewrite <- (appended_is_flat_map _ _ encode_value_column); reflexivity|].
      eapply Forall_impl; [|exact V']. intros x (L & _). unfold encode_value_column, bytes8, u8_bytes.
      rewrite !seq_length_app, !big_endian_length. change (2 ^ 8) with 256 in L. lia. }
    assert (D : seq_length (encode_names (schema_rows schema)) <= seq_length (schema_rows schema) * 300).
    { etransitivity; [|apply (flat_map_bound _ bytes8)]; [rewrite <- (appended_is_flat_map _ _ bytes8); reflexivity|].
      eapply Forall_impl; [|exact N']. intros x L. cbn beta in L. unfold bytes8, u8_bytes. rewrite seq_length_app, big_endian_length. change (2 ^ 8) with 256 in L. lia. }
    unfold short, encode_schema_body, u8_bytes. rewrite !seq_length_app, !big_endian_length. change (2 ^ 8) with 256 in *. change (2 ^ 32) with 4294967296. lia.
  - intros described I. rewrite Forall_forall in V'. destruct (V' _ I) as (_ & _ & S & B & _). split; [exact S|]. change (2 ^ 8) with 256 in B.
    change (2 ^ 32) with 4294967296. lia.
Qed.

(** The public keys that it lists. *)
Lemma decoded_writers_short : forall bytes schema, received bytes -> decode_schema bytes = Ok schema -> Forall short (schema_writers schema).
Proof.
  intros bytes schema R E. destruct (decoded_schema_fits _ _ (proj1 R) E) as (_ & [_ W] & _). eapply Forall_impl; [|exact W].
  intros x L. cbn beta in L. unfold short. rewrite L. reflexivity.
Qed.

(** ** Steps *)

(** What a step has of each operation was received. *)
Record step_good (s : TableStep) : Prop := {
  good_head : short (step_head s);
  good_before : content_received (step_before s);
  good_pinned : forall entry, In entry (step_pinned s) -> received (segment_entry_value entry);
  good_put : forall entry, In entry (step_put s) -> received (segment_entry_value entry) /\ segment_entry_number entry < 2 ^ 32;
  good_after : match step_after s with HeadChange_HeadPut written => received written | _ => True end;
  good_deleted : forall k, In k (step_deleted s) -> received k;
  good_stage : match step_stage s with StepStage_StageAnnounced announced => short announced | _ => True end;
}.

(** How many segments steps may put: a further one each, besides those that they say. *)
Definition size (steps : list TableStep) : N := fold_right (fun s sum => 1 + seq_length (step_put s) + sum) 0 steps.

Lemma size_cons : forall s steps, size (s :: steps) = 1 + seq_length (step_put s) + size steps.
Proof. reflexivity. Qed.

Lemma size_one : forall s, size [s] = 1 + seq_length (step_put s).
Proof. intros s. rewrite size_cons. apply N.add_0_r. Qed.

Lemma size_app : forall earlier later, size (earlier ++ later) = size earlier + size later.
Proof. intros earlier later. induction earlier as [|s earlier IH]; [reflexivity|]. cbn [app]. rewrite !size_cons, IH. lia. Qed.

Lemma revision_of_head_never_panics : forall bytes, received bytes -> revision_of_head_safe bytes = true.
Proof.
  intros bytes R. unfold revision_of_head_safe. rewrite take_never_panics. cbn [andb]. destruct (take_bytes bytes 1) as [[x rest]|] eqn:T; [|reflexivity].
  apply number_never_panics; [lia|apply (taken _ _ _ _ R T)].
Qed.

Lemma head_of_segments_never_panics : forall s written, received written -> head_of_segments_safe s written = true.
Proof.
  intros s written R. unfold head_of_segments_safe. destruct (N.eqb_spec (seq_length (step_put s)) 0); [reflexivity|].
  rewrite (proj2 (N.ltb_lt 0 _)) by lia. now apply revision_of_head_never_panics.
Qed.

Lemma step_begins_never_panics : forall s, step_good s -> step_begins_safe s = true.
Proof.
  intros s [_ B _ _ A _ _]. unfold step_begins_safe, step_grows_safe. destruct (step_after s) as [|written|] eqn:E; [reflexivity| |reflexivity].
  destruct (step_before s) as [standing|] eqn:E'; [|reflexivity]. rewrite revision_of_head_never_panics by now apply B. cbn [andb].
  destruct (revision_of_head standing); [|reflexivity]. now apply revision_of_head_never_panics.
Qed.

Lemma comes_behind_never_panics : forall entries place, comes_behind_safe entries place = true.
Proof.
  intros entries place. unfold comes_behind_safe. destruct (N.ltb_spec 0 (seq_length entries)) as [L|]; [|reflexivity]. cbn [andb].
  rewrite (proj2 (N.leb_le 1 _)) by lia. rewrite (proj2 (N.ltb_lt (_ - 1) _)) by lia. cbn [andb].
  repeat match goal with |- context [if ?b then true else true] => destruct b end; reflexivity.
Qed.

(** An operation on a segment. *)
Lemma step_with_segment_never_panics : forall s place op, step_good s -> operation_received op -> segment_place_number place < 2 ^ 32 ->
  step_with_segment_safe s place op = true /\
  (forall changed, step_with_segment s place op = Ok changed -> step_good changed /\ seq_length (step_put changed) <= seq_length (step_put s) + 1).
Proof.
  intros s place op G [K V] B. unfold step_with_segment_safe, step_with_segment. cbv zeta. rewrite bytes_equal_never_panics by apply (good_head _ G). cbn [andb].
  destruct (expect_write _); [|split; [reflexivity|discriminate]]. destruct G as [g1 g2 g3 g4 g5 g6 g7].
  destruct (action op) as [|required|written| | |]; try (split; [reflexivity|discriminate]).
  - unfold announce_segment_safe, announce_segment, may_announce_safe. split; [destruct (step_stage s); try reflexivity; apply comes_behind_never_panics|].
    intros changed E. destruct (expect_write _); [|discriminate]. injection E as <-. cbn [step_put]. split; [|lia]. split; try assumption. cbn. apply K.
  - split; [reflexivity|]. intros changed E. unfold pin_segment in E. destruct (step_stage s); try discriminate. injection E as <-. cbn [step_put]. split; [|lia].
    split; try assumption; try exact I; cbn. intros entry [<-|[]]. exact V.
  - unfold put_segment_safe, put_segment, is_announced_safe. split.
    + destruct (step_stage s); try reflexivity. apply bytes_equal_never_panics. exact g7.
    + intros changed E. destruct (expect_write _); [|discriminate]. injection E as <-. cbn [step_put]. rewrite seq_length_app. split; [|cbn; lia].
      split; try assumption; try exact I; cbn. intros entry J. apply in_app_iff in J. destruct J as [J|[<-|[]]]; [now apply g4|]. split; [exact V|exact B].
  - split; [reflexivity|]. intros changed E. unfold delete_segment in E. destruct (expect_write _); [|discriminate]. injection E as <-. cbn [step_put]. split; [|lia].
    split; try assumption; try exact I; cbn. intros k J. apply in_app_iff in J. destruct J as [J|[<-|[]]]; [now apply g6|exact K].
Qed.

(** An operation on the head. *)
Lemma step_with_head_never_panics : forall s op, step_good s -> operation_received op ->
  step_with_head_safe s op = true /\
  (forall changed, step_with_head s op = Ok changed -> step_good changed /\ seq_length (step_put changed) <= seq_length (step_put s) + 1).
Proof.
  intros s op G [K V]. unfold step_with_head_safe, step_with_head. rewrite bytes_equal_never_panics by apply (good_head _ G). cbn [andb].
  destruct (expect_write _); [|split; [reflexivity|discriminate]]. destruct G as [g1 g2 g3 g4 g5 g6 g7].
  destruct (action op) as [|required|written| | |]; try (split; [reflexivity|discriminate]).
  - unfold put_head_safe, put_head. cbv zeta. split.
    + destruct (match step_stage s with StepStage_StageBegun => true | StepStage_StageGrown => true | _ => false end); [|reflexivity].
      now apply head_of_segments_never_panics.
    + intros changed E. destruct (expect_write _); [|discriminate]. injection E as <-. cbn [step_put]. split; [|lia]. split; try assumption; try exact I; exact V.
  - split; [reflexivity|]. intros changed E. unfold delete_head in E. destruct (step_stage s); try discriminate. injection E as <-. cbn [step_put]. split; [|lia].
    split; try assumption; exact I.
Qed.

(** *** Lists of steps *)

Lemma last_of_steps : forall steps : list TableStep, 0 < seq_length steps ->
  exists earlier last, steps = earlier ++ [last] /\ seq_at steps (seq_length steps - 1) = last /\ forall changed, with_last steps changed = earlier ++ [changed].
Proof.
  intros steps L. destruct (exists_last (l := steps)) as (earlier & last & ->); [intros ->; now apply N.lt_irrefl in L|]. exists earlier, last. split; [reflexivity|].
  assert (N : seq_length (earlier ++ [last]) - 1 = seq_length earlier) by (rewrite seq_length_app; change (seq_length [last]) with 1; lia).
  rewrite N. split; [now rewrite seq_at_app, N.ltb_irrefl, N.sub_diag|]. intros changed. unfold with_last. rewrite (proj2 (N.ltb_lt 0 _)) by exact L. rewrite N.
  unfold seq_slice. cbn [skipn N.to_nat]. f_equal. unfold seq_length. rewrite Nnat.Nat2N.id, firstn_app, PeanoNat.Nat.sub_diag, firstn_O, app_nil_r. apply firstn_all.
Qed.

(** The steps so far, of so many operations. *)
Definition steps_good (count : N) (steps : list TableStep) : Prop := (forall s, In s steps -> step_good s) /\ size steps <= count.

Lemma last_settled_never_panics : forall steps, last_settled_safe steps = true.
Proof.
  intros steps. unfold last_settled_safe. destruct (N.ltb_spec 0 (seq_length steps)) as [L|]; [|reflexivity].
  rewrite (proj2 (N.leb_le 1 _)) by lia. now rewrite (proj2 (N.ltb_lt (_ - 1) _)) by lia.
Qed.

Lemma with_last_never_panics : forall steps last, with_last_safe steps last = true.
Proof.
  intros steps last. unfold with_last_safe. destruct (N.ltb_spec 0 (seq_length steps)) as [L|]; [|reflexivity].
  rewrite (proj2 (N.leb_le 1 _)) by lia. now rewrite (proj2 (N.leb_le (0 + _) _)) by lia.
Qed.

Lemma last_changed_good : forall count steps changed, steps_good count steps -> 0 < seq_length steps -> step_good changed ->
  seq_length (step_put changed) <= seq_length (step_put (seq_at steps (seq_length steps - 1))) + 1 -> steps_good (count + 1) (with_last steps changed).
Proof.
  intros count steps changed [A B] L C D. destruct (last_of_steps steps L) as (earlier & last & -> & E & W). rewrite E in D. rewrite W. split.
  - intros s J. apply in_app_iff in J. destruct J as [J|[<-|[]]]; [apply A, in_app_iff; now left|exact C].
  - rewrite size_app, size_one in B |- *. lia.
Qed.

(** A head is required. *)
Lemma with_step_never_panics : forall count steps schema place head before, steps_good count steps -> short (place_columns place) -> received head -> content_received before ->
  with_step_safe steps schema place head before = true /\
  (forall steps', with_step steps schema place head before = Ok steps' -> steps_good (count + 1) steps').
Proof.
  intros count steps schema place head before [A B] P K V. unfold with_step_safe, with_step. cbv zeta. rewrite last_settled_never_panics.
  assert (H : is_step_head_safe steps head = true).
  { unfold is_step_head_safe. each_check Hi. rewrite (proj2 (N.ltb_lt i (seq_length steps))) by lia. cbn [andb]. unfold is_step_head_step_safe. destruct checked; [reflexivity|].
    apply bytes_equal_never_panics, good_head, A, seq_at_in. lia. }
  rewrite H. unfold expect_open_run_safe. rewrite expect_open_never_panics by exact P. split.
  - destruct (seq_length steps =? 0); cbn [andb orb]; destruct (last_settled steps); cbn [andb orb]; destruct (expect_write _); reflexivity.
  - intros steps' E. destruct (expect_write _); [|discriminate]. destruct (expect_open_run schema place); [|discriminate]. injection E as <-. split.
    + intros s J. apply in_app_iff in J. destruct J as [J|[<-|[]]]; [now apply A|].
      split; cbn; try exact I; [apply K|exact V|..]; intros ? [].
    + rewrite size_app, size_one. cbn [step_put begun_step]. rewrite seq_length_nil. lia.
Qed.

Section Runs.

Variables (schema : TableSchema) (table : ByteString).
Hypothesis stored : schema_in_memory schema.
Hypothesis named : short table.

Lemma with_operation_never_panics : forall count steps op, steps_good count steps -> operation_received op ->
  with_operation_safe steps schema table op = true /\
  (forall steps', with_operation steps schema table op = Ok steps' -> steps_good (count + 1) steps').
Proof.
  intros count steps op G R. unfold with_operation_safe, with_operation. destruct (decode_table_key_never_panics schema (operation_key op) stored (proj1 R)) as [-> D]. cbn [andb].
  destruct (decode_table_key schema (operation_key op)) as [[t|place|place]|] eqn:E; try (split; [reflexivity|discriminate]).
  - specialize (D place eq_refl). rewrite AnswersSafe.bytes_equal_never_panics_right by exact named. cbn [andb].
    destruct (bytes_equal (place_table place) table); [|split; [reflexivity|discriminate]].
    assert (change : with_head_change_safe steps op = true /\ forall steps', with_head_change steps op = Ok steps' -> steps_good (count + 1) steps').
    { unfold with_head_change_safe, with_head_change. destruct (N.ltb_spec 0 (seq_length steps)) as [L|]; [|split; [reflexivity|discriminate]]. cbn [expect_write].
      rewrite (proj2 (N.leb_le 1 _)) by lia. rewrite (proj2 (N.ltb_lt (_ - 1) _)) by lia. cbn [andb].
      destruct (step_with_head_never_panics (seq_at steps (seq_length steps - 1)) op) as [-> S]; [apply (proj1 G), seq_at_in; lia|exact R|]. cbn [andb].
      destruct (step_with_head _ op) as [changed|]; [|split; [reflexivity|discriminate]]. split; [apply with_last_never_panics|]. intros steps' Q. injection Q as <-.
      destruct (S changed eq_refl). now apply last_changed_good. }
    destruct R as [K V]. unfold with_head_safe, with_head. cbv zeta.
    destruct (action op) as [|required|written| | |] eqn:Act; try exact change; (apply with_step_never_panics; [exact G|exact D|exact K|]).
    + intros written Q. discriminate Q.
    + intros written Q. injection Q as <-. exact V.
  - assert (B : segment_place_number place < 2 ^ 32).
    { apply Spec.Table.TableKey.decode_table_key_iff in E as [S _]; [|apply R]. cbn [Spec.Table.TableKey.schema_table_key] in S. apply S. }
    unfold with_segment_safe, with_segment. destruct (N.ltb_spec 0 (seq_length steps)) as [L|]; [|split; [reflexivity|discriminate]]. cbn [expect_write].
    rewrite (proj2 (N.leb_le 1 _)) by lia. rewrite (proj2 (N.ltb_lt (_ - 1) _)) by lia. cbn [andb].
    destruct (step_with_segment_never_panics (seq_at steps (seq_length steps - 1)) place op) as [-> S]; [apply (proj1 G), seq_at_in; lia|exact R|exact B|]. cbn [andb].
    destruct (step_with_segment _ place op) as [changed|]; [|split; [reflexivity|discriminate]]. split; [apply with_last_never_panics|]. intros steps' Q. injection Q as <-.
    destruct (S changed eq_refl). now apply last_changed_good.
Qed.

Lemma read_steps_never_panics : forall items, (forall op, In op items -> operation_received op) ->
  read_steps_safe schema table items = true /\
  (forall steps, read_steps schema table items = Ok steps -> steps_good (seq_length items) steps).
Proof.
  intros items R. pose (good := fun j (steps : Result (list TableStep) PolicyReason) => match steps with Ok found => steps_good j found | Err _ => True end).
  assert (step : forall j steps, j < seq_length items -> good j steps -> read_steps_step_safe steps schema table (seq_at items j) = true /\
    good (j + 1) (read_steps_step steps schema table (seq_at items j))).
  { intros j [before|why] L G; [|split; [reflexivity|exact I]]. unfold read_steps_step_safe, read_steps_step.
    destruct (with_operation_never_panics j before (seq_at items j) G (R _ (seq_at_in _ _ items j L))) as [A B]. split; [exact A|].
    destruct (with_operation _ _ _ _) as [found|]; [|exact I]. now apply B. }
  assert (first : good 1 (Ok [])) by (split; [intros s []|apply N.le_0_l]). split.
  - unfold read_steps_safe. apply (loop_is_safe _ good); [exact first|]. intros j steps Hj G. rewrite (proj2 (N.ltb_lt j _)) by lia. cbn [andb]. apply step; [lia|exact G].
  - intros steps E. assert (G : good (N.max 1 (seq_length items)) (read_steps schema table items)).
    { unfold read_steps. destruct (N.le_gt_cases (seq_length items) 1) as [L|L].
      - rewrite range_empty by exact L. replace (N.max 1 (seq_length items)) with 1 by lia. exact first.
      - replace (N.max 1 (seq_length items)) with (seq_length items) by lia. apply (loop_invariant _ good); [lia|exact first|]. intros j acc Hj G. apply step; [lia|exact G]. }
    rewrite E in G. destruct items as [|op items]; [|rewrite seq_length_cons in *; replace (N.max 1 (seq_length items + 1)) with (seq_length items + 1) in G by lia; exact G].
    injection E as <-. split; [intros s []|reflexivity].
Qed.

End Runs.

(** ** What is written *)

(** What a write says was received, of so many operations. *)
Definition write_good (count : N) (write : TableWrite) : Prop :=
  match write with
  | TableWrite_WriteCreate => True
  | TableWrite_WriteSeal sealed => Forall short (schema_writers sealed)
  | TableWrite_WriteRuns runs =>
      schema_sized (written_schema runs) /\ Forall short (schema_writers (written_schema runs)) /\ steps_good count (written_steps runs)
  end.

Lemma is_schema_key_never_panics : forall changed, received changed -> is_schema_key_safe changed = true.
Proof.
  intros changed R. unfold is_schema_key_safe. destruct (read_table_prefix_never_panics changed R) as [-> P]. cbn [andb].
  destruct (read_table_prefix changed) as [[table rest]|]; [|reflexivity]. apply bytes_equal_never_panics, (P table rest eq_refl).
Qed.

Lemma table_of_key_short : forall changed table, received changed -> table_of_key changed = Ok table -> short table.
Proof.
  intros changed table R E. unfold table_of_key, read_table_prefix in E. destruct (number_of_key changed 1) as [[first r1]|] eqn:E1; [|discriminate].
  destruct (key_numbered _ _ _ _ R E1) as [R1 _]. destruct (expect_key _ _); [|discriminate].
  destruct (number_of_key r1 1) as [[count r2]|] eqn:E2; [|discriminate]. destruct (key_numbered _ _ _ _ R1 E2) as [R2 _].
  destruct (take_of_key r2 count) as [[name r3]|] eqn:E3; [|discriminate]. destruct (key_taken _ _ _ _ R2 E3) as [[_ S] _].
  destruct (expect_key _ _); [|discriminate]. injection E as <-. exact S.
Qed.

Lemma standing_schema_sized : forall pinned, content_received pinned -> standing_schema_safe pinned = true /\
  (forall standing, standing_schema pinned = Ok standing -> forall schema, standing = Some schema -> schema_in_memory schema).
Proof.
  intros [required|] R; [|split; [reflexivity|]; intros standing E schema Q; injection E as <-; discriminate Q]. specialize (R required eq_refl).
  unfold standing_schema_safe, standing_schema, pinned_schema_safe, pinned_schema. split; [now apply decode_schema_never_panics|]. intros standing E schema Q.
  destruct (decode_schema required) as [found|] eqn:D; [|discriminate]. injection E as <-. injection Q as <-. exact (proj1 (decoded_schema_sized _ _ R D)).
Qed.

Lemma read_schema_write_never_panics : forall changed pinned written count, received changed -> content_received pinned -> received written -> is_schema_key changed = true ->
  read_schema_write_safe changed pinned written = true /\
  (forall write, read_schema_write changed pinned written = Ok write -> write_good count write).
Proof.
  intros changed pinned written count K P V S. unfold read_schema_write_safe, read_schema_write. destruct (standing_schema_sized pinned P) as [-> M]. cbn [andb].
  destruct (standing_schema pinned) as [standing|]; [|split; [reflexivity|discriminate]]. specialize (M standing eq_refl). unfold write_of_change_safe, write_of_change. split.
  - apply judge_change_never_panics; [exact M|exact K|exact P|]. intros x Q. injection Q as <-. exact V.
  - intros write E. unfold judge_change, expect_table_key in E. unfold is_schema_key in S. destruct (read_table_prefix changed) as [[table rest]|]; [|discriminate].
    rewrite S in E. unfold judge_schema, expect_schema_value in E. destruct (decode_schema written) as [found|] eqn:D; [|discriminate].
    destruct standing as [one|].
    + destruct (watermark_grew one found); [|discriminate]. injection E as <-. exact (decoded_writers_short _ _ V D).
    + destruct (_ =? 0); [|discriminate]. injection E as <-. exact I.
Qed.

Lemma read_runs_write_never_panics : forall changed pinned items, received changed -> content_received pinned -> (forall op, In op items -> operation_received op) ->
  read_runs_write_safe changed pinned items = true /\
  (forall write, read_runs_write changed pinned items = Ok write -> write_good (seq_length items) write).
Proof.
  intros changed pinned items K P R. unfold read_runs_write_safe, read_runs_write. destruct pinned as [required|]; [|split; [reflexivity|discriminate]]. specialize (P required eq_refl).
  cbn [content_of]. unfold pinned_schema_safe, pinned_schema. rewrite decode_schema_never_panics by exact P. cbn [andb].
  destruct (decode_schema required) as [found|] eqn:D; [|split; [reflexivity|discriminate]]. pose proof (decoded_schema_sized _ _ P D) as M.
  unfold table_of_key_safe. rewrite (proj1 (read_table_prefix_never_panics changed K)). cbn [andb].
  destruct (table_of_key changed) as [table|] eqn:T; [|split; [reflexivity|discriminate]].
  destruct (read_steps_never_panics found table (proj1 M) (table_of_key_short _ _ K T) items R) as [-> G]. cbn [andb].
  destruct (read_steps found table items) as [steps|]; [|split; [reflexivity|discriminate]]. split; [apply last_settled_never_panics|].
  intros write E. destruct (expect_write _); [|discriminate]. injection E as <-. cbn [write_good written_schema written_steps].
  split; [exact M|split; [exact (decoded_writers_short _ _ P D)|now apply G]].
Qed.

Lemma read_pinned_write_never_panics : forall changed pinned items, received changed -> content_received pinned -> (forall op, In op items -> operation_received op) ->
  is_schema_key changed = true -> read_pinned_write_safe changed pinned items = true /\
  (forall write, read_pinned_write changed pinned items = Ok write -> write_good (seq_length items) write).
Proof.
  intros changed pinned items K P R S. unfold read_pinned_write_safe, read_pinned_write.
  assert (two : second_put_safe items changed = true /\ forall written, second_put items changed = Some written -> received written).
  { unfold second_put_safe, second_put. destruct (N.eqb_spec (seq_length items) 2) as [E|]; [|split; [reflexivity|discriminate]]. rewrite E. cbn [andb].
    change (1 <? 2) with true. cbn [andb]. destruct (R _ (seq_at_in _ _ items 1 ltac:(lia))) as [K1 V1]. rewrite bytes_equal_never_panics by apply K1. cbn [andb].
    destruct (bytes_equal _ _); [|split; [reflexivity|discriminate]]. split; [reflexivity|]. intros written Q. destruct (action (seq_at items 1)); try discriminate.
    injection Q as <-. exact V1. }
  destruct two as [-> two]. cbn [andb]. destruct (second_put items changed) as [written|].
  - apply read_schema_write_never_panics; auto.
  - apply read_runs_write_never_panics; assumption.
Qed.

Theorem read_table_write_never_panics : forall items, (forall op, In op items -> operation_received op) ->
  read_table_write_safe items = true /\ (forall write, read_table_write items = Ok write -> write_good (seq_length items) write).
Proof.
  intros items R. unfold read_table_write_safe, read_table_write. destruct (N.ltb_spec 0 (seq_length items)) as [L|]; [|split; [reflexivity|discriminate]].
  destruct (R _ (seq_at_in _ _ items 0 L)) as [K V]. unfold read_first_safe, read_first. rewrite is_schema_key_never_panics by exact K. cbn [andb].
  destruct (is_schema_key _) eqn:S; [|split; [reflexivity|discriminate]]. rewrite (proj2 (N.ltb_lt 0 _) L). cbn [andb].
  destruct (action (seq_at items 0)) as [|required|written| | |]; try (split; [reflexivity|discriminate]); (apply read_pinned_write_never_panics; [exact K| |exact R|exact S]).
  - intros written Q. discriminate Q.
  - intros written Q. injection Q as <-. exact V.
Qed.

(** ** What certificates cover *)

Lemma with_put_segments_length : forall before column count, seq_length (with_put_segments before column count) = seq_length before + count.
Proof.
  intros before column count. unfold with_put_segments. induction count as [|count IH] using N.peano_ind; [symmetry; apply N.add_0_r|].
  rewrite <- N.add_1_r, range_snoc, fold_left_app by lia. cbn [fold_left]. unfold with_put_segments_step at 1. rewrite seq_length_app, IH.
  change (seq_length [_]) with 1. lia.
Qed.

Lemma covered_segments_never_panics : forall count steps, steps_good count steps ->
  covered_segments_safe steps = true /\ seq_length (covered_segments steps) <= count.
Proof.
  intros count steps [A B]. split.
  - unfold covered_segments_safe. each_check Hi. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. apply step_begins_never_panics, A, seq_at_in. lia.
  - etransitivity; [|exact B]. clear A B. unfold covered_segments. rewrite (loop_over_elements _ _ _ covered_segments_step).
    assert (G : forall covered, seq_length (fold_left covered_segments_step steps covered) <= seq_length covered + size steps).
    { induction steps as [|s steps IH]; intros covered; cbn [fold_left]; [rewrite N.add_0_r; reflexivity|]. etransitivity; [apply IH|]. rewrite size_cons.
      unfold covered_segments_step. cbv zeta. destruct (step_begins s); rewrite ?seq_length_app, with_put_segments_length; [change (seq_length [_]) with 1|]; lia. }
    apply (G []).
Qed.

Theorem check_covered_never_panics : forall count write items, write_good count write -> count < 2 ^ 64 -> check_covered_safe write items = true.
Proof.
  intros count write items G B. unfold check_covered_safe. cbv zeta.
  assert (C : covered_by_write_safe write = true /\ seq_length (covered_by_write write) <= count).
  { destruct write as [|sealed|runs]; [split; [reflexivity|apply N.le_0_l]..|]. apply covered_segments_never_panics, G. }
  destruct C as [-> C]. cbn [andb]. set (covered := covered_by_write write) in *. unfold covered_end_safe. each_check Hi.
  rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold covered_end_step_safe. destruct checked as [from|]; [|reflexivity]. cbv zeta.
  set (count' := received_segments (seq_at items i)). destruct ((from <=? seq_length covered) && (1 <=? count') && (count' <=? seq_length covered - from)) eqn:E; [|reflexivity].
  rewrite !andb_true_iff, !N.leb_le in E. destruct E as ((E1 & E2) & E3). cbn [andb].
  assert (W : within_usize (from + count') = true) by (apply N.ltb_lt; lia).
  rewrite W. cbn [andb]. assert (S : one_sheet_safe covered from (from + count') = true).
  { unfold one_sheet_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros k fits Hk _. split; [|exact I]. unfold one_sheet_step_safe.
    rewrite !(proj2 (N.ltb_lt _ (seq_length covered))) by lia. destruct fits; [|reflexivity]. cbn [andb]. destruct (_ =? _); [|reflexivity]. destruct (_ =? _); reflexivity. }
  rewrite S. cbn [andb]. destruct (one_sheet _ _ _); reflexivity.
Qed.

End TableWrites.

(** What of the policy `tables` needs points never leaves the range of integers or sequences: judging the steps of a transaction, and whether
    its certificates hold.

    Of the points is asked nothing, of the transaction what TableWritesSafe.v asks.

    - [judge_runs_never_panics]: judging each step returns, and puts no more segments than there are operations;
    - [judge_tables_never_panics]: the sheets that certificates have to hold for are found, and are about columns of the schema;
    - [certify_tables_never_panics]: all of it. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Base.Group Decoding.DecodeReason Decoding.Cursor Decoding.SignedDecoder
  Commitment.Kzg Block.Operation Block.Transaction Table.RunRecord Table.Sheet Table.Totals Table.TableSchema Table.TableKey Table.TablePolicy Table.RunSegments
  Table.CertificateTranscript Policy.PolicyReason Policy.TableSteps Policy.TableWrite Policy.TableCovered Policy.TableSheets Policy.TableJudge
  Policy.TableMade Policy.Tables Base.BytesSafe Decoding.CursorSafe Table.RunRecordSafe Table.RunSegmentsSafe Table.TableSchemaSafe Table.TableKeySafe
  Table.TablePolicySafe Policy.TableWriteSafe Policy.TableSheetsSafe Policy.TableJudgeSafe Policy.TableMadeSafe Policy.TablesSafe.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Readers Spec.Base.Bytes Safety.SlotMapSafe Safety.BoundsSafe Safety.PhasesSafe Safety.TableBytesSafe
  Safety.TableChangesSafe Safety.TablesSafe Safety.TableAnswersSafe Safety.TableWritesSafe.
From Aardvark Require Safety.AnswersSafe Safety.LinkedSafe Spec.Table.TableKey Lemmas.Field.
Import ListNotations.
Local Open Scope N_scope.

Section TableJudge.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Records from bytes *)

Lemma record_taken : forall bytes count x rest, received bytes -> take_of_record bytes count = Ok (x, rest) ->
  seq_length x = count /\ received rest /\ seq_length x + seq_length rest = seq_length bytes.
Proof.
  intros bytes count x rest R E. unfold take_of_record in E. destruct (take_bytes bytes count) as [[y r]|] eqn:T; [|discriminate]. injection E as <- <-.
  destruct (taken _ _ _ _ R T) as [_ Q]. apply (proj2 (take_inverts count)) in T; [|apply R]. destruct T as [L ->]. rewrite seq_length_app. auto.
Qed.

Lemma record_numbered : forall bytes width number rest, received bytes -> number_of_record bytes width = Ok (number, rest) ->
  number < 256 ^ width /\ received rest /\ width + seq_length rest = seq_length bytes.
Proof.
  intros bytes width number rest R E. unfold number_of_record in E. destruct (read_number bytes width) as [[y r]|] eqn:T; [|discriminate]. injection E as <- <-.
  destruct (numbered _ _ _ _ R T) as [Q B]. split; [exact B|split; [exact Q|]]. unfold read_number in T.
  destruct (take_bytes bytes width) as [[x r']|] eqn:T'; [|discriminate]. injection T as _ ->. apply (proj2 (take_inverts width)) in T'; [|apply R]. destruct T' as [<- ->].
  now rewrite seq_length_app.
Qed.

Lemma number_of_record_never_panics : forall bytes width, width <= 8 -> received bytes -> number_of_record_safe bytes width = true.
Proof. intros bytes width W R. apply number_never_panics; [exact W|apply R]. Qed.

Lemma point_found : forall points written point, point_of_bytes points written = Some point -> held_bytes point = written.
Proof.
  intros points written point. unfold point_of_bytes.
  enough (G : forall found, found = fold_left (fun found i => point_of_bytes_step found points written i) (range 0 (seq_length points)) None ->
    forall p, found = Some p -> held_bytes p = written) by (intros E; exact (G _ eq_refl _ E)).
  intros found ->. apply (loop_invariant _ (fun _ found => forall p, found = Some p -> held_bytes p = written)); [lia|discriminate|].
  intros i found Hi H p E. unfold point_of_bytes_step in E. destruct found as [q|]; [now apply H|]. destruct (bytes_equal _ _) eqn:Q; [|discriminate]. injection E as <-.
  now apply bytes_equal_iff in Q.
Qed.

Lemma read_table_point_never_panics : forall points bytes, received bytes -> read_table_point_safe points bytes = true /\
  (forall point rest, read_table_point points bytes = Ok (point, rest) -> received rest /\ seq_length (held_bytes point) + seq_length rest = seq_length bytes).
Proof.
  intros points bytes R. unfold read_table_point_safe, read_table_point, take_of_record_safe. rewrite take_never_panics. cbn [andb].
  destruct (take_of_record bytes _) as [[written rest]|] eqn:T; [|split; [reflexivity|discriminate]]. destruct (record_taken _ _ _ _ R T) as (L & Q & S). split.
  - unfold point_of_bytes_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i found Hi _. split; [|exact I]. unfold point_of_bytes_step_safe.
    destruct found; [reflexivity|]. rewrite (proj2 (N.ltb_lt i _)) by lia. rewrite AnswersSafe.bytes_equal_never_panics_right by (unfold short; now rewrite L). cbn [andb].
    destruct (bytes_equal _ _); reflexivity.
  - intros point rest' E. destruct (point_of_bytes points written) as [p|] eqn:P; [|discriminate]. injection E as <- <-. apply point_found in P. rewrite P. auto.
Qed.

Lemma encode_points_snoc : forall points point, encode_table_points (points ++ [point]) = encode_table_points points ++ held_bytes point.
Proof.
  intros points point. unfold encode_table_points. rewrite !(loop_over_elements _ _ _ encode_table_points_step), fold_left_app. reflexivity.
Qed.

Lemma read_table_points_never_panics : forall points bytes count, received bytes -> read_table_points_safe points bytes count = true /\
  (forall found rest, read_table_points points bytes count = Ok (found, rest) -> received rest /\ seq_length (encode_table_points found) + seq_length rest = seq_length bytes).
Proof.
  intros points bytes count R.
  pose (good := fun (_ : N) (read : Result (list TablePoint * ByteString) PolicyReason) => match read with
    | Ok (found, rest) => received rest /\ seq_length (encode_table_points found) + seq_length rest = seq_length bytes | Err _ => True end).
  assert (step : forall i read, good i read -> read_table_points_step_safe read points = true /\ good (i + 1) (read_table_points_step read points)).
  { intros i [[before rest]|why] G; [|split; [reflexivity|exact I]]. destruct G as [Q S]. unfold read_table_points_step_safe, read_table_points_step.
    destruct (read_table_point_never_panics points rest Q) as [A B]. split; [exact A|]. destruct (read_table_point points rest) as [[point rest']|]; [|exact I].
    destruct (B point rest' eq_refl) as [Q' S']. split; [exact Q'|]. rewrite encode_points_snoc, seq_length_app. lia. }
  assert (first : good 0 (Ok ([], bytes))) by (split; [exact R|reflexivity]). split.
  - apply (loop_is_safe _ good); [exact first|]. intros i read _ G. now apply step.
  - intros found rest E. assert (G : good count (read_table_points points bytes count)).
    { apply (loop_invariant _ good); [lia|exact first|]. intros i read _ G. now apply step. }
    rewrite E in G. exact G.
Qed.

(** A record that was read takes no more than its bytes. *)
Lemma read_run_record_never_panics : forall points bytes moments, received bytes -> read_run_record_safe points bytes moments = true /\
  (forall r rest, read_run_record points bytes moments = Ok (r, rest) -> received rest /\ short (encode_run_record r) /\ record_rows r < 2 ^ 16).
Proof.
  intros points bytes moments R. unfold read_run_record_safe, read_run_record. rewrite number_of_record_never_panics by (lia || exact R). cbn [andb].
  destruct (number_of_record bytes 1) as [[log r1]|] eqn:E1; [|split; [reflexivity|discriminate]]. destruct (record_numbered _ _ _ _ R E1) as (_ & R1 & L1). clear E1.
  rewrite number_of_record_never_panics by (lia || exact R1). cbn [andb].
  destruct (number_of_record r1 2) as [[first r2]|] eqn:E2; [|split; [reflexivity|discriminate]]. destruct (record_numbered _ _ _ _ R1 E2) as (_ & R2 & L2). clear E2.
  rewrite number_of_record_never_panics by (lia || exact R2). cbn [andb].
  destruct (number_of_record r2 2) as [[rows r3]|] eqn:E3; [|split; [reflexivity|discriminate]]. destruct (record_numbered _ _ _ _ R2 E3) as (B & R3 & L3). clear E3.
  destruct (read_table_point_never_panics points r3 R3) as [-> P]. cbn [andb]. destruct (read_table_point points r3) as [[values r4]|]; [|split; [reflexivity|discriminate]].
  destruct (P values r4 eq_refl) as [R4 L4]. unfold take_of_record_safe. rewrite take_never_panics. cbn [andb].
  destruct (take_of_record r4 _) as [[root r5]|] eqn:E5; [|split; [reflexivity|discriminate]]. destruct (record_taken _ _ _ _ R4 E5) as (_ & R5 & L5). clear E5.
  destruct (read_table_points_never_panics points r5 moments R5) as [-> Q]. split; [reflexivity|]. intros r rest E.
  destruct (read_table_points points r5 moments) as [[sums r6]|]; [|discriminate]. injection E as <- <-. destruct (Q sums r6 eq_refl) as [R6 L6]. split; [exact R6|split; [|exact B]].
  unfold short, encode_run_record, u8_bytes, u16_bytes. cbn [record_log record_first record_rows record_values record_root record_sums].
  rewrite !seq_length_app, !big_endian_length. destruct R as [_ S]. unfold short in S. lia.
Qed.

(** ** Heads and segments *)

(** What is added up fits: a head that stands. *)
Definition head_good (head : LongHead) : Prop :=
  short (encode_run_record (long_record head)) /\ long_revision head < 2 ^ 32 /\ long_segments head < 2 ^ 32 /\ long_rows head < 2 ^ 40.

Lemma decode_long_head_never_panics : forall points bytes moments, received bytes -> decode_long_head_safe points bytes moments = true /\
  (forall head, decode_long_head points bytes moments = Ok head -> head_good head).
Proof.
  intros points bytes moments R. unfold decode_long_head_safe, decode_long_head. rewrite number_of_record_never_panics by (lia || exact R). cbn [andb].
  destruct (number_of_record bytes 1) as [[format r1]|] eqn:E1; [|split; [reflexivity|discriminate]]. destruct (record_numbered _ _ _ _ R E1) as (_ & R1 & _). clear E1.
  destruct (expect_record _); [|split; [reflexivity|discriminate]]. rewrite number_of_record_never_panics by (lia || exact R1). cbn [andb].
  destruct (number_of_record r1 4) as [[revision r2]|] eqn:E2; [|split; [reflexivity|discriminate]]. destruct (record_numbered _ _ _ _ R1 E2) as (B2 & R2 & _). clear E2.
  rewrite number_of_record_never_panics by (lia || exact R2). cbn [andb].
  destruct (number_of_record r2 4) as [[segments r3]|] eqn:E3; [|split; [reflexivity|discriminate]]. destruct (record_numbered _ _ _ _ R2 E3) as (B3 & R3 & _). clear E3.
  rewrite number_of_record_never_panics by (lia || exact R3). cbn [andb].
  destruct (number_of_record r3 8) as [[total r4]|] eqn:E4; [|split; [reflexivity|discriminate]]. destruct (record_numbered _ _ _ _ R3 E4) as (_ & R4 & _). clear E4.
  destruct (read_run_record_never_panics points r4 moments R4) as [-> P]. cbn [andb]. destruct (read_run_record points r4 moments) as [[r r5]|]; [|split; [reflexivity|discriminate]].
  destruct (P r r5 eq_refl) as (R5 & S & B). destruct (expect_record (head_rows_fit _ _ _)) eqn:fit; [|split; [reflexivity|discriminate]].
  split; [apply read_table_points_never_panics; exact R5|]. intros head E. destruct (read_table_points points r5 _) as [[totals r6]|]; [|discriminate].
  destruct (expect_record (_ =? 0)); [|discriminate]. injection E as <-. unfold head_good. cbn [long_record long_revision long_segments long_rows].
  split; [exact S|]. split; [exact B2|]. split; [exact B3|]. unfold expect_record in fit. destruct (head_rows_fit segments total (record_rows r)) eqn:H; [|discriminate].
  unfold head_rows_fit, MAX_BOX_ROWS in H. change (2 ^ 40) with 1099511627776. change (2 ^ 16) with 65536 in B. destruct (segments =? 1).
  - apply N.eqb_eq in H. lia.
  - rewrite !andb_true_iff, !N.ltb_lt in H. lia.
Qed.

Lemma decode_run_piece_never_panics : forall points entry moments, received (segment_entry_value entry) -> decode_run_piece_safe points entry moments = true /\
  (forall piece, decode_run_piece points entry moments = Ok piece -> piece_number piece = segment_entry_number entry).
Proof.
  intros points entry moments R. unfold decode_run_piece_safe, decode_run_piece. rewrite number_of_record_never_panics by (lia || exact R). cbn [andb].
  destruct (number_of_record _ 1) as [[format r1]|] eqn:E1; [|split; [reflexivity|discriminate]]. destruct (record_numbered _ _ _ _ R E1) as (_ & R1 & _). clear E1.
  destruct (expect_record _); [|split; [reflexivity|discriminate]]. rewrite number_of_record_never_panics by (lia || exact R1). cbn [andb].
  destruct (number_of_record r1 8) as [[rank r2]|] eqn:E2; [|split; [reflexivity|discriminate]]. destruct (record_numbered _ _ _ _ R1 E2) as (_ & R2 & _). clear E2.
  split; [apply read_run_record_never_panics; exact R2|]. intros piece E. destruct (read_run_record points r2 moments) as [[r r3]|]; [|discriminate].
  destruct (expect_record _); [|discriminate]. injection E as <-. reflexivity.
Qed.

Definition pieces_good (count : N) (pieces : list RunPiece) : Prop := (forall piece, In piece pieces -> piece_number piece < 2 ^ 32) /\ seq_length pieces <= count.

Lemma decode_run_pieces_never_panics : forall points entries moments,
  (forall entry, In entry entries -> received (segment_entry_value entry) /\ segment_entry_number entry < 2 ^ 32) ->
  decode_run_pieces_safe points entries moments = true /\
  (forall pieces, decode_run_pieces points entries moments = Ok pieces -> pieces_good (seq_length entries) pieces).
Proof.
  intros points entries moments R.
  pose (good := fun i (read : Result (list RunPiece) PolicyReason) => match read with Ok pieces => pieces_good i pieces | Err _ => True end).
  assert (step : forall i read, i < seq_length entries -> good i read -> decode_run_pieces_step_safe read points (seq_at entries i) moments = true /\
    good (i + 1) (decode_run_pieces_step read points (seq_at entries i) moments)).
  { intros i [before|why] L G; [|split; [reflexivity|exact I]]. destruct (R _ (seq_at_in _ _ entries i L)) as [V B].
    destruct (decode_run_piece_never_panics points (seq_at entries i) moments V) as [A N]. split; [exact A|]. unfold decode_run_pieces_step.
    destruct (decode_run_piece _ _ _) as [piece|]; [|exact I]. destruct G as [G1 G2]. split.
    - intros p J. apply in_app_iff in J. destruct J as [J|[<-|[]]]; [now apply G1|]. now rewrite (N piece eq_refl).
    - rewrite seq_length_app. change (seq_length [piece]) with 1. lia. }
  assert (first : good 0 (Ok [])) by (split; [intros p []|reflexivity]). split.
  - unfold decode_run_pieces_safe. apply (loop_is_safe _ good); [exact first|]. intros i read Hi G. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. apply step; [lia|exact G].
  - intros pieces E. assert (G : good (seq_length entries) (decode_run_pieces points entries moments)).
    { apply (loop_invariant _ good); [lia|exact first|]. intros i read Hi G. apply step; [lia|exact G]. }
    rewrite E in G. exact G.
Qed.

Lemma decode_standing_never_panics : forall points content moments, content_received content -> decode_standing_safe points content moments = true /\
  (forall before head, decode_standing points content moments = Ok before -> before = Some head -> head_good head).
Proof.
  intros points [present|] moments R; [|split; [reflexivity|]; intros before head E Q; injection E as <-; discriminate Q].
  destruct (decode_long_head_never_panics points present moments (R present eq_refl)) as [A B]. split; [exact A|]. intros before head E Q. unfold decode_standing in E.
  destruct (decode_long_head points present moments) as [found|]; [|discriminate]. injection E as <-. injection Q as <-. now apply B.
Qed.

(** *** Adding up *)

(** The extent of a run so far: each segment adds at most a sheet's rows. *)
Definition extent_good (extent : RunExtent) : Prop :=
  extent_segments extent <= 2 ^ 32 /\ extent_rows extent <= 2 ^ 40 + 2 ^ 12 * extent_segments extent.

Lemma points_added_never_panic : forall before added, points_added_safe before added = true.
Proof. intros before added. unfold points_added_safe. each_check Hi. apply N.ltb_lt. lia. Qed.

Lemma check_extent_never_panics : forall before moments put after count, extent_good before -> pieces_good count put -> check_extent_safe before moments put after = true.
Proof.
  intros before moments put after count G [P _]. unfold check_extent_safe.
  assert (E : extent_with_pieces_safe before moments put = true).
  { unfold extent_with_pieces_safe. pose (good := fun (_ : N) (found : Result RunExtent StepFault) => match found with Ok extent => extent_good extent | Err _ => True end).
    apply (loop_is_safe _ good); [exact G|]. intros i [extent|fault] Hi Q; [|split; [rewrite (proj2 (N.ltb_lt i _)) by lia; reflexivity|exact I]].
    rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. specialize (P _ (seq_at_in _ _ put i ltac:(lia))). set (piece := seq_at put i) in *. destruct Q as [Q1 Q2].
    unfold extent_with_pieces_step_safe, extent_with_pieces_step. rewrite run_record_legal_never_panics. cbn [andb].
    destruct (run_record_legal (piece_record piece) moments) eqn:L; [|split; [reflexivity|exact I]]. cbn [negb].
    destruct (run_record_legal_placed _ _ L) as ([_ ends] & _ & _).
    destruct (N.eqb_spec (piece_number piece) (extent_segments extent)) as [N|]; [|split; [reflexivity|exact I]]. cbn [negb].
    destruct (piece_rank piece =? extent_rows extent); [|split; [reflexivity|exact I]]. cbn [negb].
    rewrite points_added_never_panic, andb_true_r. unfold within_usize. rewrite andb_true_iff, !N.ltb_lt.
    change (2 ^ 12) with 4096 in *. change (2 ^ 32) with 4294967296 in *. change (2 ^ 40) with 1099511627776 in *. change (2 ^ 64) with 18446744073709551616. split; [lia|].
    unfold good, extent_good. cbn [extent_segments extent_rows]. change (2 ^ 12) with 4096. change (2 ^ 32) with 4294967296. change (2 ^ 40) with 1099511627776. lia. }
  rewrite E. cbn [andb]. destruct (extent_with_pieces _ _ _); [|reflexivity]. cbv zeta. destruct (expect_step _ _); [|reflexivity].
  unfold elements_equal_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i equal Hi _. split; [|exact I]. unfold elements_equal_step_safe.
  destruct (_ && _); [apply N.ltb_lt; lia|reflexivity].
Qed.

Lemma judge_begin_never_panics : forall moments revision after put count, head_good after -> run_record_legal (long_record after) moments = true -> pieces_good count put ->
  judge_begin_safe moments revision after put = true.
Proof.
  intros moments revision after put count (_ & _ & S & R) L P. unfold judge_begin_safe. destruct (expect_step _ _); [|reflexivity]. unfold extent_of_first_safe.
  rewrite points_added_never_panic. cbn [andb]. apply (check_extent_never_panics _ _ _ _ count); [|exact P]. destruct (run_record_legal_placed _ _ L) as ([_ ends] & _ & _).
  unfold extent_good, extent_of_first. cbn [extent_segments extent_rows]. change (2 ^ 12) with 4096. change (2 ^ 32) with 4294967296. change (2 ^ 40) with 1099511627776. lia.
Qed.

Lemma judge_step_never_panics : forall append_only moments before after put count, (forall head, before = Some head -> head_good head) -> head_good after ->
  pieces_good count put -> judge_step_safe append_only moments before after put = true.
Proof.
  intros append_only moments before after put count B A P. unfold judge_step_safe, long_head_legal_safe. rewrite run_record_legal_never_panics.
  replace (if long_revision after <? 4294967296 then true else true) with true by (destruct (_ <? _); reflexivity). cbn [andb].
  destruct (expect_step (long_head_legal after moments) _) eqn:legal; [|reflexivity].
  assert (L : run_record_legal (long_record after) moments = true).
  { unfold expect_step in legal. destruct (long_head_legal after moments) eqn:H; [|discriminate]. unfold long_head_legal in H. cbv zeta in H. rewrite !andb_true_iff in H. apply H. }
  clear legal. destruct before as [standing|]; [|apply (judge_begin_never_panics _ _ _ _ count); assumption]. destruct (B standing eq_refl) as (S & R & segments & rows).
  destruct (_ =? _).
  - unfold judge_extend_safe. cbv zeta. rewrite !encode_run_record_never_panics, bytes_equal_never_panics by exact S. cbn [andb]. destruct (expect_step _ _); [|reflexivity].
    destruct (expect_step _ _); [|reflexivity]. unfold extent_of_head_safe. rewrite points_added_never_panic. cbn [andb]. apply (check_extent_never_panics _ _ _ _ count); [|exact P].
    unfold extent_good, extent_of_head. cbn [extent_segments extent_rows]. change (2 ^ 12) with 4096. change (2 ^ 32) with 4294967296 in *. change (2 ^ 40) with 1099511627776 in *. lia.
  - destruct (expect_step _ _); [|reflexivity]. apply andb_true_iff. split; [|apply (judge_begin_never_panics _ _ _ _ count); assumption].
    apply N.ltb_lt. change (2 ^ 32) with 4294967296 in R. change (2 ^ 64) with 18446744073709551616. lia.
Qed.

(** ** Steps *)

Lemma placed_pieces_never_panic : forall earlier s revision before pieces, placed_pieces_safe earlier s revision before pieces = true /\
  seq_length (placed_pieces earlier s revision before pieces) = seq_length earlier + seq_length pieces.
Proof.
  intros earlier s revision before pieces. split.
  - unfold placed_pieces_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i placed Hi _. split; [|exact I]. unfold placed_pieces_step_safe, link_of_piece_safe.
    rewrite !(proj2 (N.ltb_lt i _)) by lia. rewrite andb_true_r. destruct (N.eqb_spec i 0); [reflexivity|]. rewrite (proj2 (N.leb_le 1 i)) by lia. apply N.ltb_lt. lia.
  - unfold placed_pieces. apply (loop_invariant _ (fun i placed => seq_length placed = seq_length earlier + i)); [lia|lia|]. intros i placed _ L. unfold placed_pieces_step.
    rewrite seq_length_app, L. change (seq_length [_]) with 1. lia.
Qed.

Lemma placed_by_step_never_panics : forall earlier points s head pieces moments, step_good s -> placed_by_step_safe earlier points s head pieces moments = true /\
  (forall placed, placed_by_step earlier points s head pieces moments = Ok placed -> seq_length placed <= seq_length earlier + seq_length pieces + 1).
Proof.
  intros earlier points s head pieces moments G. unfold placed_by_step_safe, placed_by_step.
  assert (C : continued_record_safe points s head moments = true).
  { unfold continued_record_safe. destruct (N.eqb_spec (seq_length (step_pinned s)) 0); [reflexivity|]. rewrite (proj2 (N.ltb_lt 0 _)) by lia. cbn [andb].
    apply decode_run_piece_never_panics, (good_pinned _ G), seq_at_in. lia. }
  rewrite C. cbn [andb]. destruct (continued_record points s head moments) as [before|]; [|split; [reflexivity|discriminate]]. cbv zeta.
  destruct (placed_pieces_never_panic earlier s (long_revision head) before pieces) as [-> L]. rewrite step_begins_never_panics by exact G. split; [reflexivity|].
  intros placed E. destruct (step_begins s); injection E as <-; [rewrite seq_length_app; change (seq_length [_]) with 1|]; rewrite L; lia.
Qed.

Lemma judge_head_step_never_panics : forall earlier schema points s, step_good s -> judge_head_step_safe earlier schema points s = true /\
  (forall judged, judge_head_step earlier schema points s = Ok judged -> seq_length (judged_placed judged) <= seq_length earlier + (1 + seq_length (step_put s))).
Proof.
  intros earlier schema points s G. unfold judge_head_step_safe, judge_head_step. destruct (step_after s) as [|written|] eqn:After.
  - unfold judge_kept_step_safe, judge_kept_step. cbv zeta. destruct (decode_standing_never_panics points (step_before s) (column_moments schema (place_column (step_place s))) (good_before _ G)) as [-> _].
    split; [reflexivity|]. intros judged E. destruct (decode_standing _ _ _) as [[head|]|]; try discriminate; injection E as <-; cbn [judged_placed]; lia.
  - unfold judge_put_step_safe, judge_put_step. cbv zeta. set (moments := column_moments _ _). assert (W : received written) by (pose proof (good_after _ G) as A; now rewrite After in A).
    destruct (decode_long_head_never_panics points written moments W) as [-> A]. cbn [andb]. destruct (decode_long_head points written moments) as [after|]; [|split; [reflexivity|discriminate]].
    destruct (decode_standing_never_panics points (step_before s) moments (good_before _ G)) as [-> B]. cbn [andb].
    destruct (decode_standing points _ moments) as [before|]; [|split; [reflexivity|discriminate]].
    destruct (decode_run_pieces_never_panics points (step_put s) moments (good_put _ G)) as [-> P]. cbn [andb].
    destruct (decode_run_pieces points _ moments) as [pieces|]; [|split; [reflexivity|discriminate]]. specialize (P pieces eq_refl).
    rewrite (judge_step_never_panics _ moments before after pieces _ (fun head => B before head eq_refl) (A after eq_refl) P). cbn [andb].
    destruct (judge_step _ _ _ _ _); [|split; [reflexivity|discriminate]]. destruct (placed_by_step_never_panics earlier points s after pieces moments G) as [-> L]. split; [reflexivity|].
    intros judged E. destruct (placed_by_step _ _ _ _ _ _) as [placed|]; [|discriminate]. injection E as <-. cbn [judged_placed]. specialize (L placed eq_refl).
    destruct P as [_ P]. lia.
  - split; [reflexivity|]. intros judged E. unfold judge_delete_step in E. destruct (judge_delete _ _ _); [|discriminate]. injection E as <-. cbn [judged_placed]. lia.
Qed.

Section Runs.

Variable schema : TableSchema.
Hypothesis stored : schema_in_memory schema.

Lemma judge_segment_delete_never_panics : forall changed standing, received changed -> judge_segment_delete_safe schema changed standing = true.
Proof.
  intros changed standing R. unfold judge_segment_delete_safe. rewrite (proj1 (decode_table_key_never_panics schema changed stored R)). cbn [andb].
  destruct (decode_table_key schema changed) as [[t|place|place]|] eqn:E; try reflexivity. apply expect_open_never_panics.
  apply Spec.Table.TableKey.decode_table_key_iff in E as [_ E]; [|apply R]. destruct R as [_ S]. unfold short in *. rewrite E in S. cbn [encode_table_key] in S.
  unfold encode_run_place in S. rewrite !seq_length_app in S. lia.
Qed.

Lemma judge_runs_never_panics : forall table steps count points, steps_good count steps ->
  let runs := {| written_table := table; written_schema := schema; written_steps := steps |} in
  judge_runs_safe runs points = true /\ (forall placed, judge_runs runs points = Ok placed -> seq_length placed <= count).
Proof.
  intros table steps count points [G B]. cbn zeta. unfold judge_runs_safe, judge_runs. cbn [written_schema written_steps].
  pose (room := fun (placed : Result (list PlacedSegment) PolicyReason) most => match placed with Ok found => seq_length found <= most | Err _ => True end).
  assert (step : forall s placed most, step_good s -> room placed most -> judge_runs_step_safe placed schema points s = true /\
    room (judge_runs_step placed schema points s) (most + (1 + seq_length (step_put s)))).
  { intros s [earlier|why] most Gs L; [|split; [reflexivity|exact I]]. unfold judge_runs_step_safe, judge_runs_step.
    destruct (judge_head_step_never_panics earlier schema points s Gs) as [-> P]. cbn [andb]. destruct (judge_head_step _ _ _ _) as [judged|]; [|split; [reflexivity|exact I]]. split.
    - unfold judge_deleted_safe. each_check Hi. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold judge_deleted_step_safe. destruct checked; [|reflexivity].
      apply judge_segment_delete_never_panics, (good_deleted _ Gs), seq_at_in. lia.
    - destruct (judge_deleted _ _ _); [|exact I]. specialize (P judged eq_refl). cbn [room] in L |- *. lia. }
  split.
  - apply (loop_is_safe _ (fun _ placed => exists most, room placed most)); [exists 0; apply N.le_refl|]. intros i placed Hi [most L]. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb].
    destruct (step (seq_at steps i) placed most (G _ (seq_at_in _ _ steps i ltac:(lia))) L) as [A L']. split; [exact A|eauto].
  - intros placed E. rewrite (loop_over_elements _ _ _ (fun placed s => judge_runs_step placed schema points s)) in E. change (room (Ok placed) count). rewrite <- E. clear E placed.
    assert (Q : forall placed most, room placed most -> room (fold_left (fun placed s => judge_runs_step placed schema points s) steps placed) (most + size steps)).
    { clear B. induction steps as [|s steps IH]; intros placed most L; cbn [fold_left]; [destruct placed; [cbn in *; lia|exact I]|].
      rewrite size_cons, N.add_assoc. apply IH; [intros x J; apply G; now right|]. apply step; [apply G; now left|exact L]. }
    specialize (Q (Ok []) 0 (N.le_refl 0)). destruct (fold_left _ _ _); [|exact I]. cbn [room] in *. lia.
Qed.

End Runs.

(** ** Certificates *)

(** What a sheet is about has sizes of a schema's column. *)
Definition sheet_good (sheet : TableSheet) : Prop :=
  about_bits (table_sheet_about sheet) < 2 ^ 32 /\ about_moments (table_sheet_about sheet) < 2 ^ 32.

Lemma sheets_of_runs_never_panic : forall dictionary runs placed items count, schema_sized (written_schema runs) -> steps_good count (written_steps runs) -> count < 2 ^ 63 ->
  seq_length placed <= count -> sheets_of_runs_safe dictionary runs placed items = true /\
  Forall sheet_good (sheets_of_runs dictionary runs placed items).
Proof.
  intros dictionary runs placed items count [M V] G B L. unfold sheets_of_runs_safe, sheets_of_runs. destruct (covered_segments_never_panics count _ G) as [-> C]. cbn [andb]. cbv zeta.
  set (covered := covered_segments _) in *. change (2 ^ 63) with 9223372036854775808 in B.
  assert (step : forall made brought, Forall sheet_good (made_sheets made) -> sheets_of_runs_step_safe made dictionary runs covered placed brought = true /\
    Forall sheet_good (made_sheets (sheets_of_runs_step made dictionary runs covered placed brought))).
  { intros made brought S. unfold sheets_of_runs_step_safe, sheets_of_runs_step, with_sheet_safe, with_sheet. cbv zeta.
    destruct ((made_segments made <? seq_length covered) && _ && _) eqn:E; [|split; [reflexivity|exact S]]. rewrite !andb_true_iff, !N.ltb_lt, N.leb_le in E. destruct E as ((E1 & E2) & E3). split.
    - unfold about_table_column_safe, schema_digest_safe. rewrite encode_schema_body_never_panics. unfold within_usize. change (2 ^ 64) with 18446744073709551616.
      rewrite (proj2 (N.ltb_lt _ 18446744073709551616)) by lia. reflexivity.
    - cbn [made_sheets]. apply Forall_app. split; [exact S|]. constructor; [|constructor]. unfold sheet_good, about_table_column. cbn [table_sheet_about about_bits about_moments].
      split; [|now apply column_moments_below, M]. unfold column_bits. destruct (N.ltb_spec (covered_column (seq_at covered (made_segments made))) (seq_length (schema_values (written_schema runs)))) as [K|]; [|reflexivity].
      apply V, seq_at_in. exact K. }
  split.
  - apply (loop_is_safe _ (fun _ made => Forall sheet_good (made_sheets made))); [constructor|]. intros i made Hi S. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. now apply step.
  - apply (loop_invariant _ (fun _ made => Forall sheet_good (made_sheets made))); [lia|constructor|]. intros i made _ S. now apply step.
Qed.

Theorem judge_tables_never_panics : forall dictionary tx items points, (forall op, In op (operations tx) -> operation_received op) -> seq_length (operations tx) < 2 ^ 63 ->
  judge_tables_safe dictionary tx items points = true /\ (forall sheets, judge_tables dictionary tx items points = Ok sheets -> Forall sheet_good sheets).
Proof.
  intros dictionary tx items points R B. unfold judge_tables_safe, judge_tables. destruct (read_table_write_never_panics _ R) as [-> G]. cbn [andb].
  destruct (read_table_write (operations tx)) as [[|sealed|runs]|]; try (split; [reflexivity|]; intros sheets E; discriminate E);
    try (split; [reflexivity|]; intros sheets E; injection E as <-; constructor).
  destruct (G _ eq_refl) as (M & _ & S). destruct runs as [table schema steps]. cbn [written_schema written_steps] in M, S.
  destruct (judge_runs_never_panics schema (proj1 M) table steps _ points S) as [-> L]. cbn [andb]. destruct (judge_runs _ points) as [placed|]; [|split; [reflexivity|discriminate]].
  destruct (sheets_of_runs_never_panic dictionary {| written_table := table; written_schema := schema; written_steps := steps |} placed items _ M S B (L placed eq_refl)) as [-> H].
  split; [reflexivity|]. intros sheets E. injection E as <-. exact H.
Qed.

Context {lawful : Field.LawfulScalars F}.

Theorem certify_tables_never_panics : forall setup dictionary tx items points meanings, (forall op, In op (operations tx) -> operation_received op) ->
  seq_length (operations tx) < 2 ^ 63 -> certify_tables_safe setup dictionary tx items points meanings = true.
Proof.
  intros setup dictionary tx items points meanings R B. unfold certify_tables_safe. destruct (judge_tables_never_panics dictionary tx items points R B) as [-> G]. cbn [andb].
  destruct (judge_tables dictionary tx items points) as [sheets|]; [|reflexivity]. specialize (G sheets eq_refl). rewrite Forall_forall in G.
  assert (A : meanings_read_safe meanings = true) by (unfold meanings_read_safe; each_check Hi; apply N.ltb_lt; lia). rewrite A. cbn [andb].
  destruct (negb _); [reflexivity|]. unfold sheets_hold_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i holds Hi _. split; [|exact I].
  unfold sheets_hold_step_safe. destruct (_ && _); [|reflexivity]. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb].
  destruct (G _ (seq_at_in _ _ sheets i ltac:(lia))) as [G1 G2]. unfold sheet_holds_safe. destruct (table_sheet_link _).
  - destruct (seq_at meanings i); try reflexivity. now apply LinkedSafe.verify_linked_certificate_never_panics.
  - destruct (seq_at meanings i); try reflexivity. now apply verify_certificate_never_panics.
Qed.

End TableJudge.

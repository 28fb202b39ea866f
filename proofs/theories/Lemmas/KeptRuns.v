(** Runs that are kept: their heads and segments stand in a map, add up, and have accepted certificates; and steps that keep them so.

    - [run_kept]: what that is;
    - [put_kept]: a judged step that puts a head leaves its run kept;
    - [kept_elsewhere]: a run whose segments stand as before is kept. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Dictionary.KeyMap Table.TableSchema Table.TableKey
  Table.TablePolicy Table.RunRecord Table.RunSegments Table.Totals Table.Sheet Table.CertificateTranscript Policy.PolicyReason Policy.TableSteps
  Policy.TableSheets Policy.TableCovered Policy.TableJudge Policy.TableMade Policy.Tables.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.KeyMap Safety.BoundsSafe Lemmas.Field Spec.Base.Scalar
  Spec.Base.Group Lemmas.Sequences Lemmas.LinkedRuns Lemmas.TableHeads Lemmas.StepContents Lemmas.WrittenSteps Lemmas.JudgedSteps
  Lemmas.JudgedRuns.
From Aardvark Require Spec.Table.TableKey.
Import ListNotations.
Local Open Scope N_scope.

Section KeptRuns.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The dictionary, the setup under which certificates are checked, and which bytes are which point. *)
Variables (dictionary : ByteString) (setup : KzgSetup) (curve : ByteString -> G1).

(** ** Kept runs *)

(** An accepted certificate: the sheet that it holds for, and what its bytes are. *)
Definition AcceptedCertificate : Type := TableSheet * CertificateMeaning.

(** A segment is in the sheet of an accepted certificate that holds; where it continues another one, it is the first, linked to that one's record. *)
Definition certified_by (certificates : list AcceptedCertificate) (about : CertificateAbout) (item : SheetItem) (link : option RunRecord) : Prop :=
  exists sheet meaning, In (sheet, meaning) certificates /\ sheet_holds setup sheet meaning = true /\ table_sheet_about sheet = about /\
    match link with
    | None => In item (table_sheet_items sheet)
    | Some before => table_sheet_link sheet = Some before /\ exists rest, table_sheet_items sheet = item :: rest
    end.

Definition segment_item (place : RunPlace) (revision number : N) (record : RunRecord) : SheetItem :=
  {| item_columns := place_columns place; item_run := place_run place; item_revision := revision; item_segment := number; item_record := record |}.

Definition segment_key (place : RunPlace) (revision number : N) : ByteString :=
  encode_table_key (TableKey_SegmentKey
    {| segment_place_run := place; segment_place_revision := revision; segment_place_number := number |}).

(** The head at a place of a table, and the segments behind the first. They stand in the map; numbers, ranks, rows and totals are what they
    add up to ([extent_adds_up]: LinkedCertificates.v); and each has a certificate, linked to the one before. *)
Record run_kept (certificates : list AcceptedCertificate) (entries : KeyMap) (table : ByteString) (s : TableSchema) (place : RunPlace)
    (content : ByteString) (head : LongHead) (pieces : list RunPiece) : Prop := {
  kept_head : content = encode_long_head head;
  kept_fits : head_fits curve (column_moments s (place_column place)) head;
  kept_legal : long_head_legal head (column_moments s (place_column place)) = true;
  kept_count : long_segments head = seq_length pieces + 1;
  kept_stand : forall i, i < seq_length pieces ->
    key_map_get entries (segment_key place (long_revision head) (i + 1)) = Some (encode_run_piece (seq_at pieces i));
  kept_pieces : Forall (piece_fits curve (column_moments s (place_column place))) pieces;
  kept_extent : check_extent (extent_of_first head) (column_moments s (place_column place)) pieces head = Ok tt;
  kept_first : certified_by certificates (about_table_column dictionary table s (place_column place))
    (segment_item place (long_revision head) 0 (long_record head)) None;
  kept_linked : forall i, i < seq_length pieces -> certified_by certificates (about_table_column dictionary table s (place_column place))
    (segment_item place (long_revision head) (i + 1) (piece_record (seq_at pieces i))) (Some (link_of_piece (long_record head) pieces i));
}.

Lemma certified_more : forall certificates more about item link, incl certificates more -> certified_by certificates about item link ->
  certified_by more about item link.
Proof. intros certificates more about item link I (sheet & meaning & J & H). exists sheet, meaning. split; [exact (I _ J)|exact H]. Qed.

Theorem kept_elsewhere : forall certificates more before after table s place content head pieces, incl certificates more ->
  (forall number, long_revision head < 2 ^ 32 -> 1 <= number -> number < 2 ^ 32 ->
    key_map_get before (segment_key place (long_revision head) number) <> None ->
    key_map_get after (segment_key place (long_revision head) number) = key_map_get before (segment_key place (long_revision head) number)) ->
  run_kept certificates before table s place content head pieces -> run_kept more after table s place content head pieces.
Proof.
  intros certificates more before after table s place content head pieces I S []. constructor; try assumption.
  - intros i L. pose proof kept_fits0 as (V & N & _). rewrite S; [now apply kept_stand0|exact V|lia|lia|].
    rewrite kept_stand0 by exact L. discriminate.
  - now apply (certified_more certificates).
  - intros i L. apply (certified_more certificates); [exact I|]. now apply kept_linked0.
Qed.

(** ** Keys *)

(** The keys and the contents of a map are strings of bytes. *)
Definition map_of_bytes (entries : KeyMap) : Prop := forall k v, key_map_get entries k = Some v -> of_bytes k /\ of_bytes v.

Lemma place_of_head : forall s place place' head, of_bytes head -> decode_table_key s head = Ok (TableKey_HeadKey place) ->
  TableKey.schema_place s place' -> encode_table_key (TableKey_HeadKey place') = head -> place' = place.
Proof.
  intros s place place' head O D P E. pose proof (TableKey.decode_encoded_table_key s (TableKey_HeadKey place') P) as D'. rewrite E, D in D'.
  injection D' as <-. reflexivity.
Qed.

(** The key of a segment of the run with a head. *)
Lemma key_of_segment : forall s head k place segment, of_bytes head -> of_bytes k -> decode_table_key s head = Ok (TableKey_HeadKey place) ->
  segment_of s head k segment ->
  segment_place_run segment = place /\ k = segment_key place (segment_place_revision segment) (segment_place_number segment) /\
  1 <= segment_place_number segment.
Proof.
  intros s head k place segment O O' D [D' E]. apply (TableKey.decode_table_key_iff s k _ O') in D' as [(P & _ & N1 & _) ->].
  rewrite (place_of_head s place _ head O D P E). split; [reflexivity|]. split; [|exact N1]. unfold segment_key.
  rewrite <- (place_of_head s place _ head O D P E). destruct segment. reflexivity.
Qed.

Lemma decoded_segment_key : forall s place revision number segment, TableKey.schema_place s place ->
  revision < 2 ^ 32 -> 1 <= number -> number < 2 ^ 32 -> decode_table_key s (segment_key place revision number) = Ok (TableKey_SegmentKey segment) ->
  segment_place_revision segment = revision /\ segment_place_number segment = number.
Proof.
  intros s place revision number segment P R N1 N2 D. unfold segment_key in D. rewrite TableKey.decode_encoded_table_key in D by (cbn; auto).
  injection D as <-. auto.
Qed.

(** A head is kept with one list of segments. *)
Lemma run_kept_once : forall certificates more entries table s place content head pieces head' pieces',
  run_kept certificates entries table s place content head pieces -> run_kept more entries table s place content head' pieces' ->
  head = head' /\ pieces = pieces'.
Proof.
  intros certificates more entries table s place content head pieces head' pieces' K K'. assert (head = head') as <-.
  { eapply head_injective; [exact (kept_fits _ _ _ _ _ _ _ _ K)|exact (kept_fits _ _ _ _ _ _ _ _ K')|].
    rewrite <- (kept_head _ _ _ _ _ _ _ _ K). exact (kept_head _ _ _ _ _ _ _ _ K'). }
  split; [reflexivity|]. assert (L : seq_length pieces = seq_length pieces').
  { pose proof (kept_count _ _ _ _ _ _ _ _ K). pose proof (kept_count _ _ _ _ _ _ _ _ K'). lia. }
  apply (LoopLemmas.seq_ext _ _); [exact L|]. intros i Li. pose proof (kept_stand _ _ _ _ _ _ _ _ K i Li) as S.
  rewrite L in Li. rewrite (kept_stand _ _ _ _ _ _ _ _ K' i Li) in S. rewrite <- L in Li.
  assert (E : encode_run_piece (seq_at pieces' i) = encode_run_piece (seq_at pieces i)) by congruence. clear S.
  pose proof (kept_pieces _ _ _ _ _ _ _ _ K) as P. pose proof (kept_pieces _ _ _ _ _ _ _ _ K') as P'. rewrite Forall_forall in P, P'.
  destruct (piece_injective curve _ _ _ (P' _ (LoopLemmas.seq_at_in _ _ pieces' i ltac:(lia))) (P _ (LoopLemmas.seq_at_in _ _ pieces i Li)) E) as [R Q].
  pose proof (numbers_at _ _ _ _ i (extent_said _ _ _ _ (kept_extent _ _ _ _ _ _ _ _ K)) Li) as N1.
  pose proof (numbers_at _ _ _ _ i (extent_said _ _ _ _ (kept_extent _ _ _ _ _ _ _ _ K')) ltac:(lia)) as N2. rewrite <- N1 in N2.
  destruct (seq_at pieces i), (seq_at pieces' i). cbn in *. congruence.
Qed.

(** ** A step that puts a head *)

Section Put.

Variables (s : TableSchema) (table : ByteString) (points : list TablePoint) (pairs : list (CoveredSegment * PlacedSegment)).
Variables (before after : KeyMap) (read : TableStep) (certificates : list AcceptedCertificate) (written : ByteString).
Hypothesis true_points : Forall (true_point curve) points.
Hypothesis before_bytes : map_of_bytes before.
Hypothesis after_bytes : map_of_bytes after.
Hypothesis fits : step_fits s table before read.
Hypothesis settled : step_settled read = true.
Hypothesis left : forall k, run_of_key s k = Some (step_head read) -> key_map_get after k = step_content read k (key_map_get before k).
Hypothesis judged : step_judged s points pairs read.
Hypothesis covered : forall pair, In pair pairs -> certified_by certificates (about_table_column dictionary table s (covered_column (fst pair)))
  (placed_item (snd pair)) (placed_link (snd pair)).
Hypothesis puts : step_after read = HeadChange_HeadPut written.
Let place : RunPlace := step_place read.
Let moments : N := column_moments s (place_column place).

Lemma head_stands : key_map_get after (step_head read) = Some written.
Proof.
  rewrite left; [exact (head_left _ _ _ _ _ _ fits puts)|]. unfold run_of_key. now rewrite (fits_head _ _ _ _ fits).
Qed.

Lemma head_bytes : of_bytes (step_head read) /\ of_bytes written.
Proof. exact (after_bytes _ _ head_stands). Qed.

Lemma settled_stage : (step_put read = [] -> step_pinned read = []) /\ head_of_segments read written = true.
Proof.
  pose proof (fits_stage _ _ _ _ fits) as stage. unfold stage_fits in stage. unfold step_settled in settled. destruct (step_stage read); try
    discriminate.
  now rewrite puts in stage.
Qed.

(** The segments that are put have the revision of the head, and numbers from [start] on, where that is the first's. *)
Lemma put_stand : forall head pieces start, decode_long_head points written moments = Ok head -> decode_run_pieces points (step_put read) moments =
  Ok pieces ->
  judge_deleted s read (Some (long_revision head)) = Ok tt ->
  (forall i, i < seq_length pieces -> piece_number (seq_at pieces i) = start + i) ->
  Forall (piece_fits curve moments) pieces /\
  (forall i, i < seq_length pieces -> key_map_get after (segment_key place (long_revision head) (start + i)) = Some (encode_run_piece (seq_at pieces
    i))) /\
  (0 < seq_length pieces -> step_pinned read = [] /\ start = 1 \/
    exists pinned, step_pinned read = [pinned] /\ start = segment_entry_number pinned + 1 /\ segment_entry_revision pinned = long_revision head).
Proof.
  intros head pieces start E1 E2 J Numbers. destruct (pieces_decoded _ _ _ _ E2) as [L each]. destruct head_bytes as [Oh Ow].
  destruct (head_decoded curve _ _ _ _ true_points Ow E1) as (_ & _ & V). destruct settled_stage as [_ heads].
  destruct (fits_numbers _ _ _ _ fits) as (base & revision & Nm & first).
  assert (Rev : 0 < seq_length pieces -> revision = long_revision head).
  { intros some. rewrite L in some. unfold head_of_segments in heads. apply orb_true_iff in heads as [none|same]; [apply N.eqb_eq in none; lia|].
    destruct (step_put read) as [|e l]; [unfold seq_length in some; cbn in some; lia|]. rewrite seq_at_cons_zero in same.
    destruct (Nm 0%nat e eq_refl) as [_ R]. unfold has_revision in same. rewrite V in same. cbn [revision_stands] in same. apply N.eqb_eq in same.
      congruence. }
  assert (entries : forall i, i < seq_length pieces -> exists entry, In entry (step_put read) /\ seq_at (step_put read) i = entry /\
    segment_entry_revision entry = long_revision head /\ segment_entry_number entry = base + i /\ segment_entry_number entry = start + i /\
    segment_entry_key entry = segment_key place (long_revision head) (start + i) /\ segment_entry_value entry = encode_run_piece (seq_at pieces i) /\
    key_map_get after (segment_entry_key entry) = Some (segment_entry_value entry) /\ piece_fits curve moments (seq_at pieces i)).
  { intros i Li. rewrite L in Li. pose proof (LoopLemmas.seq_at_in _ _ (step_put read) i Li) as I. exists (seq_at (step_put read) i). split; [exact
    I|]. split; [reflexivity|].
    destruct (Nm (N.to_nat i) (seq_at (step_put read) i)) as [X Y].
    { unfold seq_at. apply nth_error_nth'. unfold seq_length in Li. lia. }
    rewrite Nnat.N2Nat.id in X. rewrite Rev in Y by lia. split; [exact Y|]. split; [exact X|].
    pose proof (each i Li) as D. pose proof (fits_put _ _ _ _ fits) as all. rewrite Forall_forall in all. destruct (all _ I) as [(segment & P & V' &
      M') _].
    assert (stands : key_map_get after (segment_entry_key (seq_at (step_put read) i)) = Some (segment_entry_value (seq_at (step_put read) i))).
    { rewrite left by (eapply run_of_segment; exact P). eapply entry_left; eassumption. }
    destruct (after_bytes _ _ stands) as [Ok' Ov]. destruct (piece_decoded curve _ _ _ _ true_points Ov D) as (Pf & Pv & Pn).
    rewrite Numbers in Pn by lia. split; [now symmetry|]. split; [|auto].
    destruct (key_of_segment s _ _ place segment Oh Ok' (fits_head _ _ _ _ fits) P) as (_ & K & _). rewrite K. f_equal; congruence. }
  split; [|split].
  - apply Forall_forall. intros piece I. apply in_seq_at in I as (i & Li & <-). now destruct (entries i Li) as (? & _ & _ & _ & _ & _ & _ & _ & _ & H).
  - intros i Li. destruct (entries i Li) as (entry & _ & _ & _ & _ & _ & K & V' & S & _). now rewrite <- K, S, V'.
  - intros some. destruct (entries 0 some) as (entry & _ & _ & _ & B & S & _). destruct first as [[none one]|(pinned & P & B' & R')].
    + left. split; [exact none|lia].
    + right. exists pinned. split; [exact P|]. split; [lia|]. rewrite <- R'. now apply Rev.
Qed.

Lemma covered_piece : forall head pieces previous i,
  (forall i, i < seq_length pieces -> In (covered_as read true, placed_segment read (long_revision head) (piece_number (seq_at pieces i))
    (piece_record (seq_at pieces i)) (Some (link_of_piece previous pieces i))) pairs) -> i < seq_length pieces ->
  certified_by certificates (about_table_column dictionary table s (place_column place))
    (segment_item place (long_revision head) (piece_number (seq_at pieces i)) (piece_record (seq_at pieces i))) (Some (link_of_piece previous pieces
      i)).
Proof. intros head pieces previous i I L. exact (covered _ (I i L)). Qed.

(** A run that begins, or begins again. *)
Lemma begin_kept : forall head pieces previous, decode_long_head points written moments = Ok head ->
  decode_run_pieces points (step_put read) moments = Ok pieces -> long_head_legal head moments = true ->
  check_extent (extent_of_first head) moments pieces head = Ok tt -> continued_record points read head moments = Ok previous ->
  judge_deleted s read (Some (long_revision head)) = Ok tt ->
  (forall i, i < seq_length pieces -> In (covered_as read true, placed_segment read (long_revision head) (piece_number (seq_at pieces i))
    (piece_record (seq_at pieces i)) (Some (link_of_piece previous pieces i))) pairs) ->
  In (covered_as read false, placed_segment read (long_revision head) 0 (long_record head) None) pairs ->
  run_kept certificates after table s place written head pieces.
Proof.
  intros head pieces previous E1 E2 legal extent continued J I I'. pose proof (extent_said _ _ _ _ extent) as said.
  pose proof (fun i => numbers_at _ _ _ _ i said) as numbers. cbn [extent_of_first extent_segments] in numbers.
  destruct (put_stand head pieces 1 E1 E2 J numbers) as (Pf & stand & first). destruct head_bytes as [Oh Ow].
  destruct (head_decoded curve _ _ _ _ true_points Ow E1) as (Hf & He & _).
  assert (same : 0 < seq_length pieces -> previous = long_record head).
  { intros some. destruct (first some) as [[none _]|(pinned & P & B & _)].
    - unfold continued_record in continued. rewrite none in continued. cbn in continued. now injection continued as <-.
    - exfalso. pose proof (fits_pinned _ _ _ _ fits) as all. rewrite P in all. apply Forall_inv in all as [(segment & Seg & V & M) stands].
      destruct (before_bytes _ _ stands) as [Ok' _].
      destruct (key_of_segment s _ _ place segment Oh Ok' (fits_head _ _ _ _ fits) Seg) as (_ & _ & one). lia. }
  apply extent_adds_up in said as (count & _). cbn [extent_of_head extent_of_first extent_segments] in count.
  constructor; try assumption.
  - lia.
  - intros i L. rewrite <- stand by exact L. do 2 f_equal. lia.
  - exact (covered _ I').
  - intros i L. rewrite <- (same ltac:(lia)). pose proof (covered_piece head pieces previous i I L) as C. rewrite numbers in C by exact L.
    now rewrite N.add_comm.
Qed.

Lemma head_place : TableKey.schema_place s place /\ step_head read = encode_table_key (TableKey_HeadKey place).
Proof. destruct head_bytes as [Oh _]. exact (proj1 (TableKey.decode_table_key_iff s _ _ Oh) (fits_head _ _ _ _ fits)). Qed.

Lemma run_of_segment_key : forall revision number, revision < 2 ^ 32 -> 1 <= number -> number < 2 ^ 32 ->
  exists segment, decode_table_key s (segment_key place revision number) = Ok (TableKey_SegmentKey segment) /\
    segment_place_revision segment = revision /\ run_of_key s (segment_key place revision number) = Some (step_head read).
Proof.
  intros revision number R N1 N2. destruct head_place as [P ->]. eexists. split; [|split].
  - unfold segment_key. apply TableKey.decode_encoded_table_key. cbn. auto.
  - reflexivity.
  - unfold run_of_key, segment_key. rewrite TableKey.decode_encoded_table_key by (cbn; auto). reflexivity.
Qed.

(** A run that grows. *)
Lemma grow_kept : forall earlier standing head pieces pieces0 previous content, incl earlier certificates ->
  step_before read = Some content -> run_kept earlier before table s place content standing pieces0 ->
  decode_long_head points written moments = Ok head ->
  decode_run_pieces points (step_put read) moments = Ok pieces -> long_head_legal head moments = true ->
  long_revision standing = long_revision head -> long_record head = long_record standing ->
  check_extent (extent_of_head standing) moments pieces head = Ok tt -> continued_record points read head moments = Ok previous ->
  judge_deleted s read (Some (long_revision head)) = Ok tt ->
  (forall i, i < seq_length pieces -> In (covered_as read true, placed_segment read (long_revision head) (piece_number (seq_at pieces i))
    (piece_record (seq_at pieces i)) (Some (link_of_piece previous pieces i))) pairs) ->
  run_kept certificates after table s place written head (pieces0 ++ pieces).
Proof.
  intros earlier standing head pieces pieces0 previous content more B K E1 E2 legal V R extent continued J I. pose proof (extent_said _ _ _ _ extent)
    as said.
  pose proof (fun i => numbers_at _ _ _ _ i said) as numbers. cbn [extent_of_head extent_segments] in numbers.
  rewrite (kept_count _ _ _ _ _ _ _ _ K) in numbers.
  destruct (put_stand head pieces (seq_length pieces0 + 1) E1 E2 J numbers) as (Pf & stand & first). destruct head_bytes as [Oh Ow].
  destruct (head_decoded curve _ _ _ _ true_points Ow E1) as (Hf & He & _).
  apply extent_adds_up in said as (count & _). cbn [extent_of_head extent_segments] in count. rewrite (kept_count _ _ _ _ _ _ _ _ K) in count.
  destruct Hf as (Hv & Hs & Hf).
  assert (link : 0 < seq_length pieces -> previous = if seq_length pieces0 =? 0 then long_record head else piece_record (seq_at pieces0 (seq_length
    pieces0 - 1))).
  { intros some. destruct (first some) as [[none one]|(pinned & P & Bp & Rp)].
    - unfold continued_record in continued. rewrite none in continued. cbn in continued. injection continued as <-.
      destruct (N.eqb_spec (seq_length pieces0) 0); [reflexivity|lia].
    - unfold continued_record in continued. rewrite P in continued. change (seq_length [pinned] =? 0) with false in continued. cbv iota in continued.
      change (seq_at [pinned] 0) with pinned in continued. destruct (decode_run_piece points pinned moments) as [piece|] eqn:D; [|discriminate].
      injection continued as <-. pose proof (fits_pinned _ _ _ _ fits) as all. rewrite P in all. apply Forall_inv in all as [(segment & Seg & V' & M)
        stands].
      destruct (before_bytes _ _ stands) as [Ok' Ov]. destruct (piece_decoded curve _ _ _ _ true_points Ov D) as (Pf' & Pv & _).
      destruct (key_of_segment s _ _ place segment Oh Ok' (fits_head _ _ _ _ fits) Seg) as (_ & Key & one). rewrite <- V', Rp, <- M in Key.
      assert (Q : segment_entry_number pinned = seq_length pieces0) by lia. rewrite Q in Key. destruct (N.eqb_spec (seq_length pieces0) 0) as [Z|Z];
        [lia|].
      pose proof (kept_stand _ _ _ _ _ _ _ _ K (seq_length pieces0 - 1) ltac:(lia)) as S. replace (seq_length pieces0 - 1 + 1) with (seq_length
        pieces0) in S by lia.
      rewrite V, <- Key, stands in S. injection S as S. rewrite Pv in S. pose proof (kept_pieces _ _ _ _ _ _ _ _ K) as fit. rewrite Forall_forall in
        fit.
      exact (proj2 (piece_injective curve moments _ _ Pf' (fit _ (LoopLemmas.seq_at_in _ _ pieces0 (seq_length pieces0 - 1) ltac:(lia))) S)). }
  constructor; try assumption.
  - repeat (split; [assumption|]). exact Hf.
  - rewrite LoopLemmas.seq_length_app. lia.
  - intros i L. rewrite LoopLemmas.seq_length_app in L. rewrite LoopLemmas.seq_at_app. destruct (N.ltb_spec i (seq_length pieces0)) as [old|new].
    + pose proof (kept_stand _ _ _ _ _ _ _ _ K i old) as S. rewrite V in S.
      destruct (run_of_segment_key (long_revision head) (i + 1) Hv ltac:(lia) ltac:(lia)) as (segment & D & Rs & Run). rewrite left by exact Run.
      rewrite (segment_left s table before read _ segment); [exact S|exact fits|exact D| |rewrite S; discriminate].
      eapply standing_kept; eassumption.
    + rewrite <- stand by lia. do 2 f_equal. lia.
  - apply Forall_app. split; [|exact Pf]. exact (kept_pieces _ _ _ _ _ _ _ _ K).
  - eapply extent_grown; [exact R| |exact extent]. exact (kept_extent _ _ _ _ _ _ _ _ K).
  - rewrite <- V, R. eapply certified_more; [exact more|]. exact (kept_first _ _ _ _ _ _ _ _ K).
  - intros i L. rewrite LoopLemmas.seq_length_app in L. rewrite LoopLemmas.seq_at_app. destruct (N.ltb_spec i (seq_length pieces0)) as [old|new].
    + pose proof (kept_linked _ _ _ _ _ _ _ _ K i old) as S. rewrite V, <- R in S. eapply certified_more; [exact more|].
      assert (Q : link_of_piece (long_record head) (pieces0 ++ pieces) i = link_of_piece (long_record head) pieces0 i).
      { unfold link_of_piece. destruct (N.eqb_spec i 0); [reflexivity|]. now rewrite seq_at_app_l by lia. }
      rewrite Q. exact S.
    + pose proof (covered_piece head pieces previous (i - seq_length pieces0) I ltac:(lia)) as C. rewrite numbers in C by lia.
      replace (seq_length pieces0 + 1 + (i - seq_length pieces0)) with (i + 1) in C by lia.
      assert (Q : link_of_piece (long_record head) (pieces0 ++ pieces) i = link_of_piece previous pieces (i - seq_length pieces0)).
      { unfold link_of_piece. destruct (N.eqb_spec (i - seq_length pieces0) 0) as [Z|Z].
        - rewrite link by lia. assert (i = seq_length pieces0) as -> by lia. destruct (N.eqb_spec (seq_length pieces0) 0); [reflexivity|].
          now rewrite seq_at_app_l by lia.
        - destruct (N.eqb_spec i 0); [lia|]. rewrite seq_at_app_r by lia. do 2 f_equal. lia. }
      rewrite Q. exact C.
Qed.

(** A run that only grew: its revision and its first segment, and the segments behind it, stay. *)
Definition grown (head0 : LongHead) (pieces0 : list RunPiece) (head : LongHead) (pieces : list RunPiece) : Prop :=
  long_revision head = long_revision head0 /\ long_record head = long_record head0 /\ exists put, pieces = pieces0 ++ put.

Theorem put_kept : forall earlier, incl earlier certificates ->
  (forall content, key_map_get before (step_head read) = Some content ->
    exists head pieces, run_kept earlier before table s place content head pieces) ->
  exists head pieces, run_kept certificates after table s place written head pieces /\
    (schema_flags s = 1 -> forall content head0 pieces0, key_map_get before (step_head read) = Some content ->
      run_kept earlier before table s place content head0 pieces0 -> grown head0 pieces0 head pieces).
Proof.
  intros earlier more kept. unfold step_judged in judged. cbv zeta in judged. rewrite puts in judged.
  destruct judged as (head & standing & pieces & previous & E1 & E0 & E2 & step & continued & J & further & first).
  change (column_moments s (place_column (step_place read))) with moments in *. destruct head_bytes as [Oh Ow].
  destruct (head_decoded curve _ _ _ _ true_points Ow E1) as (Hf & He & Hr).
  unfold judge_step in step. destruct (expect_step (long_head_legal head moments) _) eqn:legal; [|discriminate].
  unfold expect_step in legal. destruct (long_head_legal head moments) eqn:Legal; [|discriminate].
  assert (begins : forall revision, judge_begin moments revision head pieces = Ok tt -> long_revision head = revision /\
    check_extent (extent_of_first head) moments pieces head = Ok tt).
  { intros revision E. unfold judge_begin in E. destruct (expect_step _ _) eqn:Q in E; [|discriminate]. unfold expect_step in Q.
    destruct (N.eqb_spec (long_revision head) revision); [auto|discriminate]. }
  destruct (step_before read) as [content|] eqn:B.
  - cbn [decode_standing] in E0. destruct (decode_long_head points content moments) as [head0|] eqn:E3; [|discriminate]. injection E0 as <-.
    assert (stood : key_map_get before (step_head read) = Some content) by (rewrite (fits_before _ _ _ _ fits); exact B).
    destruct (before_bytes _ _ stood) as [_ Oc]. destruct (head_decoded curve _ _ _ _ true_points Oc E3) as (Hf0 & He0 & Hr0).
    destruct (kept content stood) as (head1 & pieces0 & K).
    assert (head1 = head0) as ->.
    { apply (head_injective curve moments); [exact (kept_fits _ _ _ _ _ _ _ _ K)|exact Hf0|]. rewrite <- (kept_head _ _ _ _ _ _ _ _ K). exact He0. }
    assert (grows : step_grows read = (long_revision head =? long_revision head0)).
    { unfold step_grows, has_revision. rewrite B, puts, Hr0, Hr. reflexivity. }
    destruct (N.eqb_spec (long_revision head0) (long_revision head)) as [same|differ].
    + unfold judge_extend in step. cbv zeta in step. destruct (expect_step (bytes_equal _ _) _) eqn:Q in step; [|discriminate]. unfold expect_step in Q.
      destruct (bytes_equal_spec (encode_run_record (long_record head0)) (encode_run_record (long_record head))) as [R|]; [|discriminate].
      destruct (expect_step _ _) in step; [|discriminate]. exists head, (pieces0 ++ pieces).
      assert (first_stays : long_record head = long_record head0).
      { destruct Hf as (_ & _ & _ & X & _), Hf0 as (_ & _ & _ & Y & _). symmetry. apply (record_injective curve moments _ _ [] [] Y X). now rewrite R. }
      split; [eapply (grow_kept earlier head0); eassumption|]. intros _ content' head2 pieces2 G K'. rewrite stood in G. injection G as <-.
      destruct (run_kept_once _ _ _ _ _ _ _ _ _ _ _ K K') as [<- <-]. split; [now symmetry|]. split; [exact first_stays|now exists pieces].
    + destruct (expect_step _ _) eqn:open in step; [|discriminate]. apply begins in step as [_ extent]. exists head, pieces.
      split; [|intros fixed; rewrite fixed in open; discriminate]. eapply begin_kept; try eassumption. apply first. unfold step_begins. rewrite puts,
        grows. destruct (N.eqb_spec (long_revision head) (long_revision head0)); [congruence|reflexivity].
  - cbn [decode_standing] in E0. injection E0 as <-. apply begins in step as [_ extent]. exists head, pieces.
    split; [|intros _ content head0 pieces0 G; rewrite (fits_before _ _ _ _ fits), B in G; discriminate]. eapply begin_kept; try eassumption. apply
      first. unfold step_begins, step_grows. rewrite puts, B. reflexivity.
Qed.

End Put.

End KeptRuns.

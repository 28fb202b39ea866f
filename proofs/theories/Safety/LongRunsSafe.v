(** The runs of an answer, with the pieces that it shows: finding them never leaves the range of integers or sequences.

    - [run_good], [runs_good]: what holds of each run, its pieces included, and of all of them;
    - [long_runs_never_panic]: reading the runs' heads;
    - [runs_with_segments_never_panic]: giving runs the segments that are shown. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Dictionary.Slot Dictionary.KeyMap Commitment.Opening Commitment.Scheme Commitment.FoldedOpening
  Block.Transaction Answer.AnswerProof Answer.AnswerBasis Answer.Verify Table.RunRecord Table.Sheet Table.TableSchema Table.TableKey Table.TableQuery Table.Totals Table.CutGoal Table.Cut
  Table.RunSegments Table.TableAnswer Table.TableAnswerClaims Table.TableAnswerOrder Table.TableAnswerVerifier Table.LongRuns Base.BytesSafe Answer.VerifySafe
  Table.RunRecordSafe Table.RunSegmentsSafe Table.TableSchemaSafe Table.TableKeySafe Table.TableQuerySafe Table.TotalsSafe Table.CutGoalSafe Table.CutSafe Table.TableAnswerSafe
  Table.TableAnswerClaimsSafe Table.TableAnswerOrderSafe Table.TableAnswerVerifierSafe Table.LongRunsSafe.
From Aardvark Require Import Lemmas.LoopLemmas Safety.SlotMapSafe Safety.BoundsSafe Safety.PhasesSafe Safety.AlgebraSafe Safety.TablesSafe Safety.TableBytesSafe Safety.TableChangesSafe
  Safety.BoxesSafe Safety.TableTotalsSafe Safety.TableCutsSafe Safety.TableAnswersSafe.
From Aardvark Require Lemmas.Field Lemmas.Sequences Safety.AnswersSafe Spec.Table.TableKey Spec.Table.TableAnswerVerifier.
Import ListNotations.
Local Open Scope N_scope.

Section LongRuns.

Context {F : ScalarOperations} {lawful : Field.LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Runs *)

Definition piece_good (head : LongHead) (piece : RunPiece) : Prop :=
  record_placed (piece_record piece) /\ seq_length (record_root (piece_record piece)) = 32 /\ piece_rank piece <= long_rows head /\ piece_number piece < 4294967296.

(** Ranks ascend from 0. *)
Definition pieces_ascend (pieces : list RunPiece) : Prop :=
  piece_rank (seq_at pieces 0) = 0 /\ forall i, i + 1 < seq_length pieces -> piece_rank (seq_at pieces i) <= piece_rank (seq_at pieces (i + 1)).

Record run_good (run : LongRun) : Prop := {
  run_columns : short (place_columns (long_place run));
  run_key : short (encode_table_key (TableKey_HeadKey (long_place run)));
  run_rows : long_rows (long_head run) <= 1099511627776;
  run_segments : long_segments (long_head run) <= 4294967296;
  run_some : 1 <= seq_length (long_pieces run);
  run_pieces : forall piece, In piece (long_pieces run) -> piece_good (long_head run) piece;
  run_ascend : pieces_ascend (long_pieces run);
}.

(** At most 65,536 runs, with at most so many pieces each. *)
Definition runs_good (most : N) (runs : list LongRun) : Prop :=
  seq_length runs <= 65536 /\ forall run, In run runs -> run_good run /\ seq_length (long_pieces run) <= most.

Lemma long_head_good : forall head moments, long_head_legal head moments = true ->
  record_placed (long_record head) /\ seq_length (record_root (long_record head)) = 32 /\ long_rows head <= 1099511627776 /\ long_segments head <= 4294967296.
Proof.
  intros head moments L. unfold long_head_legal in L. cbv zeta in L. rewrite !andb_true_iff in L. destruct L as ((_ & R) & E).
  destruct (run_record_legal_placed _ _ R) as (P & _ & root). split; [exact P|]. split; [exact root|]. destruct P as [_ B].
  destruct (N.eqb_spec (long_segments head) 1) as [->|]; rewrite !andb_true_iff in E.
  - destruct E as [E _]. apply N.eqb_eq in E. lia.
  - destruct E as ((((_ & S) & _) & M) & _). apply N.ltb_lt in S, M. unfold MAX_RUN_SEGMENTS, MAX_BOX_ROWS in *. lia.
Qed.

Lemma points_never_panic : forall points, encode_table_points_safe points = true.
Proof. intros points. unfold encode_table_points_safe. each_check Hi. apply N.ltb_lt. lia. Qed.

Lemma encode_long_head_never_panics : forall head, encode_long_head_safe head = true.
Proof. intros head. unfold encode_long_head_safe. now rewrite encode_run_record_never_panics, points_never_panic. Qed.

Lemma piece_follows_never_panics : forall head moments before piece, piece_good head before -> long_rows head <= 1099511627776 -> long_segments head <= 4294967296 ->
  piece_follows_safe head moments before piece = true /\
  (piece_follows head moments before piece = true -> piece_good head piece /\ piece_rank before <= piece_rank piece).
Proof.
  intros head moments before piece ((_ & B) & _ & R & _) rows segments. unfold piece_follows_safe, piece_follows. rewrite run_record_legal_never_panics. cbn [andb].
  destruct (_ && _) eqn:E; [|split; [reflexivity|discriminate]]. rewrite !andb_true_iff, !N.ltb_lt in E. destruct E as (((L & N1) & N2) & N3). unfold MAX_BOX_ROWS in N3.
  destruct (run_record_legal_placed _ _ L) as (P & _ & root). pose proof P as [_ P2]. cbv zeta. unfold within_usize. change (2 ^ 64) with 18446744073709551616. split.
  - rewrite !(proj2 (N.ltb_lt _ 18446744073709551616)) by lia. rewrite !(proj2 (N.leb_le _ _)) by lia. cbn [andb].
    repeat match goal with |- context [if ?b then true else true] => replace (if b then true else true) with true by (destruct b; reflexivity) end. reflexivity.
  - intros H. apply andb_true_iff in H as [H H']. split; [split; [exact P|split; [exact root|split]]|].
    + destruct (_ =? 0) in H'; [apply N.eqb_eq in H'|apply N.leb_le in H']; lia.
    + lia.
    + destruct (_ =? 0) in H; [apply N.eqb_eq in H|apply N.leb_le in H]; lia.
Qed.

(** *** The scan *)

Variables (query : TableQuery) (schema : TableSchema).
Hypothesis stored : schema_sized schema.
Hypothesis asked : query_in_memory query.

Lemma long_runs_never_panic : forall moments entries heads, (forall entry, In entry entries -> entry_received entry) -> seq_length entries <= 65536 ->
  long_runs_of_entries_safe schema moments entries heads = true /\
  (forall runs, long_runs_of_entries schema moments entries heads = Ok runs -> runs_good 1 runs).
Proof.
  intros moments entries heads E few. destruct stored as [S _].
  pose (good := fun i (found : Result (Seq LongRun) TableRefusal) => match found with
    | Ok runs => seq_length runs <= i /\ forall run, In run runs -> run_good run /\ seq_length (long_pieces run) <= 1 | Err _ => True end).
  assert (step : forall i found, i < seq_length entries -> good i found -> long_runs_of_entries_step_safe found schema moments (seq_at entries i) heads i = true /\
    good (i + 1) (long_runs_of_entries_step found schema moments (seq_at entries i) heads i)).
  { intros i [runs|refusal] I G; [|split; [reflexivity|exact Logic.I]]. unfold long_runs_of_entries_step_safe, long_runs_of_entries_step.
    destruct (i <? seq_length heads); [|split; [reflexivity|exact Logic.I]]. destruct (E _ (seq_at_in _ _ entries i I)) as [K V].
    unfold long_run_of_entry_safe, long_run_of_entry. destruct (decode_table_key_never_panics schema (entry_key (seq_at entries i)) S K) as [-> D]. cbn [andb].
    destruct (decode_table_key schema _) as [[t|place|place]|] eqn:decoded; try (split; [reflexivity|exact Logic.I]). specialize (D place eq_refl).
    apply Spec.Table.TableKey.decode_table_key_iff in decoded as [_ decoded]; [|apply K].
    unfold long_head_legal_safe. rewrite run_record_legal_never_panics, encode_long_head_never_panics. rewrite AnswersSafe.bytes_equal_never_panics_right by exact V. split.
    - repeat match goal with |- context [if ?b then _ else _] => destruct b end; reflexivity.
    - destruct (long_head_legal (seq_at heads i) moments && _) eqn:L; [|exact Logic.I]. apply andb_true_iff in L as [L _]. destruct G as [G1 G2]. split.
      + rewrite Sequences.seq_length_app. change (seq_length [_]) with 1. lia.
      + intros run J. apply in_app_iff in J. destruct J as [J|[<-|[]]]; [now apply G2|]. destruct (long_head_good _ _ L) as (P & root & rows & segments). cbn [app].
        split; [|cbn [long_pieces]; change (seq_length [_]) with 1; lia].
        split; cbn [long_place long_head long_pieces]; try assumption.
        * rewrite <- decoded. apply K.
        * change (seq_length [_]) with 1. lia.
        * intros piece [<-|[]]. split; [exact P|]. split; [exact root|]. cbn. split; lia.
        * split; [reflexivity|]. intros j J. change (seq_length [_]) with 1 in J. lia. }
  split.
  - unfold long_runs_of_entries_safe. apply (loop_is_safe _ good); [split; [reflexivity|intros ? []]|]. intros i found Hi G. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. apply step; [lia|exact G].
  - intros runs H. assert (G : good (seq_length entries) (long_runs_of_entries schema moments entries heads)).
    { unfold long_runs_of_entries. apply (loop_invariant _ good); [lia|split; [reflexivity|intros ? []]|]. intros i found Hi G. apply step; [lia|exact G]. }
    rewrite H in G. destruct G as [G1 G2]. split; [lia|exact G2].
Qed.

(** A run takes one more piece. *)
Lemma run_with_piece_never_panics : forall run moments piece, run_good run -> run_with_piece_safe run moments piece = true /\
  (forall longer, run_with_piece run moments piece = Some longer -> run_good longer /\ seq_length (long_pieces longer) = seq_length (long_pieces run) + 1).
Proof.
  intros run moments piece G. unfold run_with_piece_safe, run_with_piece. cbv zeta. pose proof (run_some _ G) as some.
  rewrite (proj2 (N.ltb_lt 0 _)) by lia. rewrite (proj2 (N.leb_le 1 _)) by lia. rewrite (proj2 (N.ltb_lt (_ - 1) _)) by lia. cbn [andb].
  set (before := seq_at (long_pieces run) (seq_length (long_pieces run) - 1)).
  assert (I : In before (long_pieces run)) by (apply seq_at_in; lia).
  destruct (piece_follows_never_panics (long_head run) moments before piece (run_pieces _ G _ I) (run_rows _ G) (run_segments _ G)) as [A B]. split; [exact A|].
  intros longer H. destruct (piece_follows _ _ _ _); [|discriminate]. injection H as <-. destruct (B eq_refl) as [P R]. cbn [long_pieces].
  rewrite Sequences.seq_length_app. change (seq_length [piece]) with 1. split; [|reflexivity]. destruct G as [g1 g2 g3 g4 g5 g6 [g7 g8]]. split; cbn [long_place long_head long_pieces]; try assumption.
  - rewrite Sequences.seq_length_app. lia.
  - intros p J. apply in_app_iff in J. destruct J as [J|[<-|[]]]; [now apply g6|exact P].
  - split; [now rewrite Sequences.seq_at_app_l by lia|]. intros i L. rewrite Sequences.seq_length_app in L. change (seq_length [piece]) with 1 in L.
    rewrite Sequences.seq_at_app_l by lia. destruct (N.eq_dec (i + 1) (seq_length (long_pieces run))) as [e|D].
    + rewrite Sequences.seq_at_app_r by lia. rewrite e, N.sub_diag. change (seq_at [piece] 0) with piece. replace i with (seq_length (long_pieces run) - 1) by lia. exact R.
    + rewrite Sequences.seq_at_app_l by lia. apply g8. lia.
Qed.

Lemma runs_with_piece_never_panic : forall most runs moments place piece, runs_good most runs -> runs_with_piece_safe runs moments place piece = true /\
  (forall longer, runs_with_piece runs moments place piece = Some longer -> runs_good (most + 1) longer).
Proof.
  intros most runs moments place piece [few G].
  pose (good := fun i grown => seq_length (grown_runs grown) <= i /\ forall run, In run (grown_runs grown) -> run_good run /\ seq_length (long_pieces run) <= most + 1).
  assert (step : forall i grown, i < seq_length runs -> good i grown -> runs_with_piece_step_safe grown (seq_at runs i) moments place piece = true /\
    good (i + 1) (runs_with_piece_step grown (seq_at runs i) moments place piece)).
  { intros i grown I [A B]. destruct (G _ (seq_at_in _ _ runs i I)) as [R L]. destruct (run_with_piece_never_panics _ moments piece R) as [C D].
    assert (keep : forall run, run_good run /\ seq_length (long_pieces run) <= most + 1 -> good (i + 1) {| grown_runs := grown_runs grown ++ [run]; grown_found := true |} ).
    { intros run Q. split; cbn [grown_runs]; [rewrite Sequences.seq_length_app; change (seq_length [run]) with 1; lia|]. intros x J. apply in_app_iff in J.
      destruct J as [J|[<-|[]]]; [now apply B|exact Q]. }
    unfold runs_with_piece_step_safe, runs_with_piece_step, segment_is_of_safe. rewrite bytes_equal_never_panics by exact (run_key _ R). cbn [andb]. split.
    - destruct (segment_is_of _ _); [exact C|reflexivity].
    - assert (same : good (i + 1) {| grown_runs := grown_runs grown ++ [seq_at runs i]; grown_found := grown_found grown |}).
      { refine (keep _ (conj R _)). lia. }
      destruct (segment_is_of _ _); [|exact same]. destruct (run_with_piece _ _ _) as [longer|]; [|exact same]. destruct (D longer eq_refl) as [D1 D2].
      apply keep. split; [exact D1|lia]. }
  split.
  - unfold runs_with_piece_safe. apply (loop_is_safe _ good); [split; [reflexivity|intros ? []]|]. intros i grown Hi Q. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. apply step; [lia|exact Q].
  - intros longer H. unfold runs_with_piece in H. cbv zeta in H.
    assert (Q : good (seq_length runs) (fold_left (fun grown k => runs_with_piece_step grown (seq_at runs k) moments place piece) (range 0 (seq_length runs)) {| grown_runs := []; grown_found := false |})).
    { apply (loop_invariant _ good); [lia|split; [reflexivity|intros ? []]|]. intros i grown Hi Q. apply step; [lia|exact Q]. }
    destruct (grown_found _); [|discriminate]. injection H as <-. destruct Q as [Q1 Q2]. split; [lia|exact Q2].
Qed.

Lemma runs_with_segments_never_panic : forall runs moments slots shown, runs_good 1 runs -> (forall slot, In slot slots -> slot_received slot) -> seq_length shown < 2 ^ 31 ->
  runs_with_segments_safe runs schema moments slots shown = true /\
  (forall longer, runs_with_segments runs schema moments slots shown = Ok longer -> runs_good (1 + seq_length shown) longer).
Proof.
  intros runs moments slots shown G R few. change (2 ^ 31) with 2147483648 in few. destruct stored as [S _].
  pose (good := fun i (found : Result (Seq LongRun) TableRefusal) => match found with Ok runs => runs_good (1 + i) runs | Err _ => True end).
  assert (step : forall i found, i < seq_length shown -> good i found -> runs_with_segments_step_safe found schema moments slots (seq_at shown i) i = true /\
    good (i + 1) (runs_with_segments_step found schema moments slots (seq_at shown i) i)).
  { intros i [found|refusal] I Q; [|split; [reflexivity|exact Logic.I]]. unfold runs_with_segments_step_safe, runs_with_segments_step.
    assert (W : within_usize (seq_length found + i) = true).
    { destruct Q as [Q _]. unfold within_usize. apply N.ltb_lt. change (2 ^ 64) with 18446744073709551616. lia. }
    destruct (N.ltb_spec i (seq_length slots)) as [L|]; [|split; [exact W|exact Logic.I]]. destruct (R _ (seq_at_in _ _ slots i L)) as (K & V & _).
    assert (T : runs_with_segment_safe found schema moments (seq_at slots i) (seq_at shown i) = true /\
      forall longer, runs_with_segment found schema moments (seq_at slots i) (seq_at shown i) = Some longer -> runs_good (1 + i + 1) longer).
    { unfold runs_with_segment_safe, runs_with_segment. rewrite (proj1 (decode_table_key_never_panics schema _ S K)). cbn [andb].
      destruct (decode_table_key schema _) as [[t|place|place]|]; try (split; [reflexivity|discriminate]).
      unfold encode_run_piece_safe. rewrite encode_run_record_never_panics. rewrite AnswersSafe.bytes_equal_never_panics_right by exact V. cbn [andb].
      destruct (runs_with_piece_never_panic (1 + i) found moments place (seq_at shown i) Q) as [P1 P2]. destruct (_ && _); [|split; [reflexivity|discriminate]].
      split; [exact P1|exact P2]. }
    destruct T as [T1 T2]. rewrite T1. cbn [andb]. destruct (runs_with_segment _ _ _ _ _) as [longer|]; [|split; [exact W|exact Logic.I]]. split; [reflexivity|].
    cbn [good]. replace (1 + (i + 1)) with (1 + i + 1) by lia. now apply T2. }
  split.
  - unfold runs_with_segments_safe. apply (loop_is_safe _ good); [exact G|]. intros i found Hi Q. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. apply step; [lia|exact Q].
  - intros longer H. assert (Q : good (seq_length shown) (runs_with_segments runs schema moments slots shown)).
    { unfold runs_with_segments. apply (loop_invariant _ good); [lia|exact G|]. intros i found Hi Q. apply step; [lia|exact Q]. }
    rewrite H in Q. exact Q.
Qed.

End LongRuns.

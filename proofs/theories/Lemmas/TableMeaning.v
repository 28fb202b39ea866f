(** What an accepted answer about runs of any number of segments means, by the query's function.

    - [totals_answer_meant], [row_answer_meant]: accepted totals and an accepted row are those of all rows;
    - [table_answer_meant]: what an accepted answer states is [table_meaning]'s, or its opening is broken, or a comparison's challenges are
      counted. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Base.Group Dictionary.Array Commitment.Kzg Commitment.Opening
  Commitment.Scheme Commitment.CommitmentTree Commitment.FoldedOpening Block.Transaction Answer.AnswerProof Answer.AnswerBasis Answer.Verify Table.DomainValues
  Table.RunRecord Table.Sheet Table.Comparison Table.CutGoal Table.Cut Table.TableSchema Table.TableQuery Table.TableKey Table.Totals Table.RunSegments
  Table.TableAnswer Table.TableAnswerOrder Table.TableAnswerClaims Table.TableAnswerVerifier Table.LongRuns Table.TableMeaning.
From Aardvark Require Import Lemmas.LoopLemmas Safety.BoundsSafe Lemmas.Field Spec.Base.Bytes Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials
  Spec.Commitment.FoldedOpening Lemmas.SheetRelations Spec.Table.Cut Spec.Table.Totals Spec.Table.TableAnswerVerifier Spec.Table.LongRuns
  Lemmas.TableAnswerSound Lemmas.TableOrderSound Lemmas.TableCutSound Lemmas.MeantOutcomes Lemmas.LongRunsSound Lemmas.LongCut
  Lemmas.OrderMeaning.
From Aardvark Require Lemmas.OrderStatistics Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

Section Meaning.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** The map, what is known of the segments of runs, and under the points of comparisons. *)
Variables (kzg : KzgSetup) (a : Array) (known : RunPlace -> list KnownSegment) (points : N -> ComparisonKnown).

(** ** Meanings *)

(** The row stands in a segment of the run, at its position, and its text under the segment's root. *)
Definition row_meaning (runs : list LongRun) (shown : option ShownRow) : Prop :=
  exists run piece row, runs = [run] /\ In piece (long_pieces run) /\ shown = Some row /\
    record_first (piece_record piece) <= row_position row < record_first (piece_record piece) + record_rows (piece_record piece) /\
    TableAnswer.row_value row = seq_at (rows_of_long_run known run) (piece_rank piece + (row_position row - record_first (piece_record piece))) /\
    root_of_path (record_rows (piece_record piece)) (row_position row - record_first (piece_record piece)) (row_leaf (row_salt row) (row_texts row))
      (row_path row) = Some (record_root (piece_record piece)).

(** What is stated is what the rows of the runs are, and the row that is shown is one of theirs. *)
Definition answer_meaning (query : TableQuery) (schema : TableSchema) (answer : TableAnswer) (outcome : TableOutcome) : Prop :=
  let runs := outcome_runs outcome in
  table_meaning query schema (map (meant_run known) runs) (outcome_groups outcome) (outcome_totals outcome)
    (order_of_runs runs (outcome_cut outcome)) = true /\
  (query_function query =? FUNCTION_ROW = true -> row_meaning runs (answer_row answer)).

(** ** Accepted runs *)

Section Accepted.

Variables (query : TableQuery) (schema : TableSchema) (shown : list RunPiece) (runs : list LongRun).
Let cap : N := cap_of_query query schema.
Let bits : N := bits_of_query query schema.
Let moments : N := moments_of_query query schema.
Hypothesis legal : Forall (fun run => long_head_legal (long_head run) moments = true) runs.
Hypothesis certified : Forall (long_run_certified kzg known cap moments) runs.
Hypothesis among : Forall (pieces_are_segments known) runs.
Hypothesis exact : Forall (pieces_exact a moments shown) runs.
Hypothesis cap_few : cap < 2 ^ 64.
Hypothesis bits_few : bits <= 64.
Hypothesis differ : numbers_differ (2 ^ 232).

(** *** Totals *)

Lemma whole_runs_map : whole_runs runs = map whole_run runs.
Proof. unfold whole_runs. rewrite (loop_over_elements _ _ _ whole_runs_step). exact (Sequences.fold_append whole_run runs []). Qed.

Lemma whole_totalled : Forall (run_totalled kzg (whole_known known) cap moments) (whole_runs runs).
Proof.
  rewrite whole_runs_map. apply Forall_map, Forall_forall. intros run I. destruct (run_parts_of kzg known query schema runs legal certified among run I) as (L & C & _).
  exact (whole_run_totalled kzg known cap moments run L C).
Qed.

Lemma whole_many : Forall (fun run => seq_length (record_sums (record_of run)) = moments) (whole_runs runs).
Proof.
  rewrite whole_runs_map. apply Forall_map, Forall_forall. intros run I. destruct (run_parts_of kzg known query schema runs legal certified among run I) as (L & _). destruct (legal_long_head moments run L) as (_ & sums & _). exact sums.
Qed.

Lemma whole_rows : rows_recorded (whole_runs runs) = rows_of_long_runs runs.
Proof.
  rewrite rows_of_long_runs_sum, whole_runs_map. generalize runs. intros l. induction l as [|run l IH]; [reflexivity|]. cbn [map fold_right]. rewrite rows_recorded_cons, IH. reflexivity.
Qed.

Lemma whole_meant : map (meant_box (whole_known known)) (whole_runs runs) = map (meant_run known) runs.
Proof. rewrite whole_runs_map, map_map. reflexivity. Qed.

(** Accepted totals are those of all rows of their groups. *)
Theorem totals_answer_meant : forall stated, rows_of_long_runs runs < 2 ^ 40 -> moments <= 3 -> query_a query <= moments ->
  totals_legal stated (group_totals (whole_runs runs) (key_widths (schema_keys schema)) (query_groups query)) cap (query_a query) = true ->
  Forall (Forall of_bytes) stated ->
  let widths := key_widths (schema_keys schema) in
  let groups := group_totals (whole_runs runs) widths (query_groups query) in
  let under := totals_under (whole_known known) widths (query_groups query) (whole_runs runs) groups stated in
  claims_known kzg (claims_of_totals stated groups) under /\
  (claims_true (claims_of_totals stated groups) under ->
   groups_are_meant (map (meant_run known) runs) widths (query_groups query) groups stated &&
   runs_are_grouped (map (meant_run known) runs) widths (query_groups query) groups = true).
Proof.
  intros stated few moments_few powers legal_totals bytes. cbv zeta. set (widths := key_widths (schema_keys schema)) in *. set (groups := group_totals (whole_runs runs) widths (query_groups query)) in *.
  split; [exact (totals_known kzg (whole_known known) _ _ _ _ _ (whole_runs runs) stated whole_totalled whole_many legal_totals powers)|]. intros T.
  pose proof (group_totals_exact widths (query_groups query) moments (whole_runs runs) whole_many) as exact_groups.
  rewrite <- whole_rows in few.
  pose proof (totals_meant kzg (whole_known known) _ _ _ _ _ (whole_runs runs) stated whole_totalled whole_many legal_totals differ powers moments_few cap_few few bytes T) as meaning.
  rewrite <- whole_meant. apply andb_true_iff. split.
  - apply (groups_meant kzg (whole_known known) widths (query_groups query) cap moments (whole_runs runs) groups stated whole_totalled exact_groups meaning).
    intros j i J I. destruct (totals_legal_each _ _ _ _ legal_totals) as (_ & _ & each). destruct (each j J) as (L & _ & bounds). rewrite L in I. specialize (bounds i I).
    unfold total_in_bounds in bounds. apply andb_true_iff in bounds as [sized _]. now apply N.eqb_eq in sized.
  - exact (groups_grouped (whole_known known) widths (query_groups query) moments (whole_runs runs) groups exact_groups).
Qed.

(** *** Rows *)

Variable answer : TableAnswer.

(** Under the claim of a row: what is known under the last piece. *)
Definition row_under : list (list Scalar) := [run_values (box_known known (seq_at (boxes_of runs) (seq_length (boxes_of runs) - 1)))].

Theorem row_answer_meant : forall row_columns claims, claims_of_shown_row row_columns cap runs answer = Ok claims ->
  claims_known kzg claims row_under /\ (claims_true claims row_under -> row_meaning runs (answer_row answer)).
Proof.
  intros row_columns claims E. unfold claims_of_shown_row in E. destruct (answer_row answer) as [row|]; [|discriminate]. cbv zeta in E.
  destruct (_ && _ && _ && _) eqn:shaped in E; [|discriminate]. rewrite !andb_true_iff, !N.eqb_eq, !N.leb_le in shaped. destruct shaped as ((_ & single) & some).
  assert (alone : exists run, runs = [run]).
  { destruct runs as [|run [|other l]]; [rewrite seq_length_nil in single; lia|now exists run|rewrite !seq_length_cons in single; lia]. }
  destruct alone as [run alone]. set (i := seq_length (long_pieces run) - 1).
  assert (count : seq_length (boxes_of runs) = seq_length (long_pieces run)) by (rewrite boxes_count, alone; cbn [piece_count fold_right]; lia).
  destruct (run_parts_of kzg known query schema runs legal certified among run ltac:(rewrite alone; now left)) as (L & C & X). pose proof exact as Y. rewrite Forall_forall in Y. pose proof (Y run ltac:(rewrite alone; now left)) as (some_pieces & _ & _). assert (I : i < seq_length (long_pieces run)) by (unfold i; lia).
  assert (last : seq_at (boxes_of runs) (seq_length (boxes_of runs) - 1) = box_of_piece run (piece_at run i)).
  { rewrite count. fold i. rewrite alone. exact (box_at [] run [] i I). }
  unfold row_under. rewrite last. rewrite records_of_boxes in E.
  assert (record : seq_at (records_of_runs (boxes_of runs)) (seq_length (records_of_runs (boxes_of runs)) - 1) = piece_record (piece_at run i)).
  { rewrite (records_length (boxes_of runs)). rewrite (record_at cap bits (boxes_of runs) cap_few bits_few) by (rewrite count; lia). now rewrite last. }
  rewrite record in E. unfold claims_of_held_row in E. destruct (row_holds _ _ row) eqn:held; [|discriminate]. injection E as <-. cbn [app].
  destruct (piece_certified kzg known cap moments run L C X i I) as [certified_piece legal_piece].
  pose proof (legal_record _ _ legal_piece) as (_ & _ & _ & inside & _). fold (piece_at run i) in certified_piece, inside.
  destruct (row_meant kzg cap moments (piece_record (piece_at run i)) _ row differ cap_few certified_piece ltac:(lia) held) as [under meant].
  split; [exact under|]. intros T. specialize (meant T). exists run, (piece_at run i), row. split; [exact alone|]. split; [apply seq_at_in; exact I|]. split; [reflexivity|].
  unfold row_holds in held. destruct (N.leb_spec (record_first (piece_record (piece_at run i))) (row_position row)) as [A|]; [|discriminate].
  destruct (N.ltb_spec (row_position row) (record_first (piece_record (piece_at run i)) + record_rows (piece_record (piece_at run i)))) as [B|]; [|discriminate].
  cbn [andb] in held. cbv zeta in held. destruct (root_of_path _ _ _ _) as [found|]; [|discriminate]. apply andb_true_iff in held as [_ held].
  apply bytes_equal_iff in held. split; [lia|]. split; [|now rewrite held]. rewrite meant.
  rewrite (proj2 (piece_rows kzg known cap moments run L C X i I)). apply Sequences.seq_slice_at. fold (piece_at run i). lia.
Qed.

End Accepted.

(** ** Answers *)

Definition answer_under (query : TableQuery) (schema : TableSchema) (runs : list LongRun) (answer : TableAnswer) (seed : ByteString) : list (list Scalar) :=
  let widths := key_widths (schema_keys schema) in
  if query_function query =? FUNCTION_TOTALS then
    totals_under (whole_known known) widths (query_groups query) (whole_runs runs) (group_totals (whole_runs runs) widths (query_groups query))
      (answer_totals answer)
  else if query_function query =? FUNCTION_ROW then row_under runs
  else order_under known points query schema runs answer seed.

(** The opening is broken, or the challenges of a comparison are counted: what an accepted answer that does not mean what it says hands over. *)
Definition answer_broken (trusted : Trusted) (query : TableQuery) (schema : TableSchema) (answer : TableAnswer) (outcome : TableOutcome) (w w' : list Scalar) : Prop :=
  let runs := outcome_runs outcome in
  let seed := table_answer_seed (trusted_dictionary trusted) answer query schema runs in
  comparisons_broken known points query schema runs answer seed \/
  exists claimed, claims_of_answer query schema (cap_of_query query schema) runs (outcome_groups outcome) answer seed = Ok claimed /\
    opening_broken kzg (claims_stated claimed) (answer_under query schema runs answer seed) (table_fold_seed seed (claims_seeds claimed))
      (answer_opening answer) w w'.

Theorem table_answer_meant : forall trusted query schema answer outcome w w',
  numbers_differ (2 ^ 232) -> cap_of_query query schema < 2 ^ 64 -> moments_of_query query schema <= 3 -> bits_of_query query schema <= 64 ->
  Forall (Forall of_bytes) (answer_totals answer) ->
  verify_table_answer (Setup_Kzg kzg) trusted query schema answer = Ok outcome ->
  Forall (fun run => long_head_legal (long_head run) (moments_of_query query schema) = true) (outcome_runs outcome) ->
  Forall (pieces_exact a (moments_of_query query schema) (answer_shown answer)) (outcome_runs outcome) ->
  rows_of_long_runs (outcome_runs outcome) < 2 ^ 40 ->
  Forall (long_run_certified kzg known (cap_of_query query schema) (moments_of_query query schema)) (outcome_runs outcome) ->
  Forall (pieces_are_segments known) (outcome_runs outcome) ->
  opening_known kzg (answer_opening answer) w w' -> comparisons_known kzg points answer ->
  answer_meaning query schema answer outcome \/ answer_broken trusted query schema answer outcome w w'.
Proof.
  intros trusted query schema answer outcome w w' differ cap_few moments_few bits_few totals_bytes E legal exact few certified among opening comparisons.
  apply verify_table_answer_checked in E. cbv zeta in E. destruct E as (Q & _ & _ & _ & (claimed & C & form & shown) & G & T & K).
  unfold answer_broken. set (runs := outcome_runs outcome) in *. set (seed := table_answer_seed (trusted_dictionary trusted) answer query schema runs) in *.
  cbv zeta. rewrite G in *.
  enough (H : claims_known kzg (claims_stated claimed) (answer_under query schema runs answer seed) /\
    (claims_true (claims_stated claimed) (answer_under query schema runs answer seed) ->
     answer_meaning query schema answer outcome \/ comparisons_broken known points query schema runs answer seed)).
  { destruct H as [under meant]. destruct (fold_true_or_broken kzg _ _ _ _ w w' under opening form shown) as [all|broken].
    - destruct (meant all) as [M|B]; [now left|right; now left].
    - right. right. exists claimed. auto. }
  unfold answer_meaning, answer_under, table_meaning. cbv zeta. fold runs. rewrite G, T, K. unfold claims_of_answer in C. cbv zeta in C. unfold groups_of_query in *.
  rewrite (all_rows_of_runs known runs). destruct (query_function query =? FUNCTION_TOTALS) eqn:Fn.
  - destruct (expect_table _ _) as [[]|] in C; [|discriminate]. unfold claims_without_order in C.
    destruct (claims_of_stated_totals _ _ _ _) as [claims|] eqn:S; [|discriminate]. injection C as <-. cbn [claims_alone claims_stated].
    unfold claims_of_stated_totals in S. cbv zeta in S. destruct (expect_table _ TableReason_PartsMismatched) as [[]|]; [|discriminate].
    destruct (expect_table _ TableReason_TotalsExceeded) as [[]|] eqn:legal_totals; [|discriminate]. apply expect_table_ok in legal_totals. injection S as <-.
    destruct (totals_powers query schema Q Fn) as [same powers]. rewrite same in legal_totals.
    destruct (totals_answer_meant query schema runs legal certified among cap_few differ _ few moments_few powers legal_totals totals_bytes) as [under meant].
    split; [exact under|]. intros true_claims. left. split; [exact (meant true_claims)|]. intros row. apply N.eqb_eq in Fn, row. rewrite Fn in row. discriminate.
  - destruct (query_function query =? FUNCTION_ROW) eqn:Fr.
    + destruct (expect_table _ _) as [[]|] in C; [|discriminate]. unfold claims_without_order in C.
      destruct (claims_of_shown_row _ _ _ _) as [claims|] eqn:S; [|discriminate]. injection C as <-. cbn [claims_alone claims_stated].
      destruct (row_answer_meant query schema (answer_shown answer) runs legal certified among exact cap_few bits_few differ answer _ _ S) as [under meant].
      split; [exact under|]. intros true_claims. left. split; [reflexivity|]. intros _. exact (meant true_claims).
    + destruct (expect_table _ _) as [[]|] in C; [|discriminate].
      destruct (order_answer_meant kzg a known points query schema (answer_shown answer) runs legal certified among exact cap_few bits_few differ answer seed comparisons claimed C) as [under meant].
      split; [exact under|]. intros true_claims. destruct (meant true_claims) as [M|B]; [left|now right]. split; [exact M|discriminate].
Qed.

End Meaning.

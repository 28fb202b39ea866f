(** What the verifier of a table's answers has checked of runs, and what that says of the dictionary.

    - [verify_table_answer_checked]: what was checked where an answer is accepted;
    - [runs_of_entries_are]: runs are the entries that were shown, decoded, each with its first segment;
    - [runs_with_segments_exact]: the segments that are given to runs are those of the map under their keys, in ascending order;
    - [accepted_runs_exact]: under commitments that are true, the runs of an accepted answer are those of the map in the box, and
      their segments those of the map, or a break is found. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Base.Group Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Scheme Dictionary.Vectors Block.Transaction Block.Map
  Answer.AnswerProof Answer.AnswerBasis Answer.Verify Table.TableSchema Table.KeyBox Table.TableKey Table.TableQuery Table.RunRecord
  Table.Totals Table.RunSegments Table.TableAnswer Table.TableAnswerOrder Table.TableAnswerClaims Table.TableAnswerVerifier Table.LongRuns.
From Aardvark Require Import Lemmas.WellFormed Lemmas.Field Lemmas.LoopLemmas Safety.BoundsSafe Spec.Base.Bytes Lemmas.VectorLemmas Lemmas.Break
  Spec.Answer.Verify Spec.Table.TableKey Spec.Table.KeyBox Spec.Table.TableScan Spec.Table.TableAnswerVerifier.
From Aardvark Require Spec.Commitment.Scheme Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

Section LongRuns.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** What is checked *)

Theorem verify_table_answer_checked : forall setup trusted query schema answer outcome,
  verify_table_answer setup trusted query schema answer = Ok outcome ->
  let proof := answer_proof answer in
  let runs := outcome_runs outcome in
  let seed := table_answer_seed (trusted_dictionary trusted) answer query schema runs in
  query_fits_schema query schema = true /\ schema_is_claimed proof query schema = true /\
  runs_of_answer query schema (moments_of_query query schema) answer = Ok runs /\
  (exists basis, answer_basis trusted proof = Ok basis /\
    forall c, In c (proof_claims proof) -> claim_position c < basis_size basis /\ answer_opening_holds setup basis c = true) /\
  (exists claimed, claims_of_answer query schema (cap_of_query query schema) runs (groups_of_query query schema (whole_runs runs)) answer seed
      = Ok claimed /\
    check_fold_form (claims_stated claimed) (answer_opening answer) = Ok tt /\
    check_table_fold setup (claims_stated claimed) (table_fold_seed seed (claims_seeds claimed)) (answer_opening answer) = Ok tt) /\
  outcome_groups outcome = groups_of_query query schema (whole_runs runs) /\ outcome_totals outcome = answer_totals answer /\
  outcome_cut outcome = answer_cut answer.
Proof.
  intros setup trusted query schema answer outcome E. unfold verify_table_answer in E.
  destruct (expect_table (query_fits_schema query schema) _) as [[]|] eqn:E1; [|discriminate]. apply expect_table_ok in E1. cbv zeta in E.
  destruct (grounds_of_answer trusted (answer_proof answer)) as [basis|] eqn:E2; [|discriminate].
  destruct (expect_table (schema_is_claimed _ _ _) _) as [[]|] eqn:E3; [|discriminate]. apply expect_table_ok in E3.
  destruct (runs_of_answer _ _ _ _) as [runs|] eqn:E4; [|discriminate].
  destruct (claims_of_answer _ _ _ _ _ _ _) as [claimed|] eqn:E5; [|discriminate].
  destruct (check_fold_form _ _) as [[]|] eqn:E6; [|discriminate].
  destruct (of_dictionary (check_answer_openings _ _ _)) as [[]|] eqn:E7; [|discriminate].
  destruct (check_table_fold _ _ _ _) as [[]|] eqn:E8; [|discriminate]. injection E as <-. cbv zeta.
  cbn [outcome_runs outcome_groups outcome_totals outcome_cut].
  repeat (split; [first [exact E1 | exact E3 | exact E4 | reflexivity]|]). split; [|split; [exists claimed; auto|auto]].
  exists basis. now apply grounds_checked.
Qed.

(** The slots of the scan and of the segments are those of claims. *)
Lemma scanned_slots_claimed : forall answer x, In x (scanned_slots answer) ->
  exists c, In c (proof_claims (answer_proof answer)) /\ claim_slot c = x.
Proof.
  intros answer x I. unfold scanned_slots in I. cbv zeta in I. destruct (_ <=? _); [|destruct I].
  rewrite slots_behind_first_tail in I. apply in_map_iff in I as (c & <- & I). exists c. split; [|reflexivity].
  set (items := proof_claims _) in *. set (front := seq_slice items 0 _) in I. assert (J : In c front) by (destruct front; [destruct I|now right]).
  unfold front, seq_slice in J. cbn [N.to_nat skipn] in J. rewrite <- (firstn_skipn (N.to_nat (seq_length items - seq_length (answer_shown answer))) items).
  apply in_app_iff. now left.
Qed.

Lemma segment_slots_claimed : forall answer x, In x (segment_slots answer) ->
  exists c, In c (proof_claims (answer_proof answer)) /\ claim_slot c = x.
Proof.
  intros answer x. unfold segment_slots. cbv zeta. set (items := proof_claims _). match goal with |- context [range ?s _] => set (start := s) end.
  unfold segment_slots_step. rewrite (Sequences.fold_append (fun c => claim_slot (seq_at items c)) (range start (seq_length items)) []). cbn [app].
  intros I. apply in_map_iff in I as (c & <- & I). apply in_range in I. exists (seq_at items c). split; [apply seq_at_in; lia|reflexivity].
Qed.

(** ** Runs *)

(** The entry that a run stands for. *)
Definition entry_of_run (run : LongRun) : KeyEntry :=
  {| entry_key := encode_table_key (TableKey_HeadKey (long_place run)); entry_value := encode_long_head (long_head run) |}.

(** A run as the schema's table has them: its key is a head's, its head that of a run. *)
Definition run_of_schema (schema : TableSchema) (moments : N) (run : LongRun) : Prop :=
  schema_table_key schema (TableKey_HeadKey (long_place run)) /\ long_head_legal (long_head run) moments = true.

Theorem runs_of_entries_are : forall schema moments entries heads runs, Forall (fun e => of_bytes (entry_key e)) entries ->
  long_runs_of_entries schema moments entries heads = Ok runs ->
  map entry_of_run runs = entries /\ Forall (run_of_schema schema moments) runs /\
  Forall (fun run => long_pieces run = [first_piece (long_head run)]) runs.
Proof.
  intros schema moments entries heads runs O E. unfold long_runs_of_entries in E.
  assert (G : match long_runs_of_entries schema moments entries heads with
    | Ok shown => map entry_of_run shown = firstn (N.to_nat (seq_length entries)) entries /\ Forall (run_of_schema schema moments) shown /\
        Forall (fun run => long_pieces run = [first_piece (long_head run)]) shown
    | Err _ => True end).
  { unfold long_runs_of_entries. rewrite Forall_forall in O.
    apply (loop_invariant _ (fun j found => match found with
      | Ok shown => map entry_of_run shown = firstn (N.to_nat j) entries /\ Forall (run_of_schema schema moments) shown /\
          Forall (fun run => long_pieces run = [first_piece (long_head run)]) shown
      | Err _ => True end)); [lia|repeat constructor|]. intros j [shown|] J S; [|exact I]. destruct S as (M & W & P).
    unfold long_runs_of_entries_step. destruct (j <? seq_length heads); [|exact I]. unfold long_run_of_entry.
    destruct (decode_table_key schema (entry_key (seq_at entries j))) as [[| place |]|] eqn:D; try exact I.
    destruct (_ && _) eqn:H; [|exact I]. apply andb_true_iff in H. destruct H as [H1 H2]. apply bytes_equal_iff in H2.
    apply decode_table_key_iff in D; [|apply O, seq_at_in; lia]. destruct D as [D1 D2]. split; [|split].
    - rewrite map_app, M. cbn [map app]. unfold entry_of_run. cbn [long_place long_head]. rewrite H2, <- D2.
      replace (N.to_nat (j + 1)) with (S (N.to_nat j)) by lia.
      assert (X : forall (s : list KeyEntry) m, (m < length s)%nat -> firstn (S m) s = firstn m s ++ [nth m s default]).
      { induction s as [|x s IHs]; intros m Lm; [inversion Lm|]. destruct m; [reflexivity|]. cbn. f_equal. apply IHs. cbn in Lm. lia. }
      rewrite X by (unfold seq_length in J; lia). f_equal. unfold seq_at. destruct (nth _ _ _). reflexivity.
    - apply Forall_app. split; [exact W|]. constructor; [split; assumption|apply Forall_nil].
    - apply Forall_app. split; [exact P|]. constructor; [reflexivity|apply Forall_nil]. }
  unfold long_runs_of_entries in G. rewrite E in G. destruct G as (G & W & P). split; [|split; assumption].
  rewrite G. unfold seq_length. rewrite Nnat.Nat2N.id. apply firstn_all.
Qed.

(** ** Segments *)

Variable a : Array.
Hypothesis a_well_formed : well_formed a.
Hypothesis a_of_bytes : forall p x, live (array_slots a) p x -> of_bytes (key x).

(** The key of a segment of a run. *)
Definition segment_key (run : LongRun) (number : N) : ByteString :=
  encode_table_key (TableKey_SegmentKey {| segment_place_run := long_place run; segment_place_revision := long_revision (long_head run);
    segment_place_number := number |}).

(** A run's pieces: the first segment, and behind it, in ascending order, pieces out of [shown] that stand in the map under the keys of
    the run's segments. *)
Definition pieces_exact (moments : N) (shown : list RunPiece) (run : LongRun) : Prop :=
  1 <= seq_length (long_pieces run) /\ seq_at (long_pieces run) 0 = first_piece (long_head run) /\
  forall i, i + 1 < seq_length (long_pieces run) ->
    let piece := seq_at (long_pieces run) (i + 1) in
    piece_follows (long_head run) moments (seq_at (long_pieces run) i) piece = true /\ In piece shown /\
    map_of a (segment_key run (piece_number piece)) = Some (encode_run_piece piece).

(** What stays of a run when pieces are added. *)
Definition run_core (run : LongRun) : RunPlace * LongHead := (long_place run, long_head run).

Lemma forall_cores : forall (P : RunPlace -> LongHead -> Prop) runs runs', map run_core runs = map run_core runs' ->
  Forall (fun run => P (long_place run) (long_head run)) runs' -> Forall (fun run => P (long_place run) (long_head run)) runs.
Proof.
  intros P runs. induction runs as [|run runs IH]; intros [|run' runs'] E W; try discriminate; [constructor|]. cbn [map] in E. injection E as E1 E2 E.
  inversion W; subst. constructor; [congruence|]. now apply (IH runs').
Qed.

Lemma run_with_piece_exact : forall moments shown run piece longer, pieces_exact moments shown run -> In piece shown ->
  map_of a (segment_key run (piece_number piece)) = Some (encode_run_piece piece) -> run_with_piece run moments piece = Some longer ->
  run_core longer = run_core run /\ pieces_exact moments shown longer.
Proof.
  intros moments shown run piece longer (some & first & each) J M E. unfold run_with_piece in E. cbv zeta in E.
  destruct (0 <? _); [|discriminate]. destruct (piece_follows _ _ _ _) eqn:follows; [|discriminate]. injection E as <-. split; [reflexivity|].
  unfold pieces_exact, segment_key. cbn [long_pieces long_head long_place]. rewrite seq_length_app. change (seq_length [piece]) with 1.
  split; [lia|]. split; [now rewrite Sequences.seq_at_app_l by lia|]. intros i I.
  rewrite (Sequences.seq_at_app_l _ _ i) by lia. destruct (N.eq_dec (i + 1) (seq_length (long_pieces run))) as [e|D].
  - rewrite Sequences.seq_at_app_r by lia. rewrite e, N.sub_diag. change (seq_at [piece] 0) with piece. cbv zeta.
    replace i with (seq_length (long_pieces run) - 1) by lia. auto.
  - rewrite Sequences.seq_at_app_l by lia. apply each. lia.
Qed.

Lemma runs_with_piece_exact : forall schema moments shown runs place piece longer,
  Forall (fun run => schema_table_key schema (TableKey_HeadKey (long_place run))) runs -> Forall (pieces_exact moments shown) runs ->
  schema_table_key schema (TableKey_SegmentKey place) -> In piece shown -> piece_number piece = segment_place_number place ->
  map_of a (encode_table_key (TableKey_SegmentKey place)) = Some (encode_run_piece piece) ->
  runs_with_piece runs moments place piece = Some longer -> map run_core longer = map run_core runs /\ Forall (pieces_exact moments shown) longer.
Proof.
  intros schema moments shown runs place piece longer keys pieces segment J number M E. unfold runs_with_piece in E. cbv zeta in E.
  rewrite (loop_over_elements _ _ _ (fun grown run => runs_with_piece_step grown run moments place piece)) in E.
  assert (G : forall l grown, Forall (fun run => schema_table_key schema (TableKey_HeadKey (long_place run))) l -> Forall (pieces_exact moments shown) l ->
    Forall (pieces_exact moments shown) (grown_runs grown) ->
    let found := fold_left (fun grown run => runs_with_piece_step grown run moments place piece) l grown in
    map run_core (grown_runs found) = map run_core (grown_runs grown) ++ map run_core l /\ Forall (pieces_exact moments shown) (grown_runs found)).
  { induction l as [|run l IH]; intros grown K P G; cbv zeta; cbn [fold_left map]; [now rewrite app_nil_r|].
    inversion K as [|? ? Krun Kl]; inversion P as [|? ? Prun Pl]; subst.
    assert (step : exists other, grown_runs (runs_with_piece_step grown run moments place piece) = grown_runs grown ++ [other] /\
      run_core other = run_core run /\ pieces_exact moments shown other).
    { unfold runs_with_piece_step. destruct (segment_is_of run place) eqn:of_run; [|exists run; auto].
      destruct (run_with_piece run moments piece) as [other|] eqn:W; [|exists run; auto]. exists other. split; [reflexivity|].
      refine (run_with_piece_exact moments shown run piece other Prun J _ W).
      unfold segment_is_of in of_run. apply andb_true_iff in of_run as [same revision]. apply bytes_equal_iff in same. apply N.eqb_eq in revision.
      apply (table_key_injective (fun _ => key_width (schema_keys schema))) in same; [|apply Krun|apply segment]. injection same as same.
      unfold segment_key. rewrite same, revision, number, <- M. destruct place. reflexivity. }
    destruct step as (other & R & core & exact). specialize (IH (runs_with_piece_step grown run moments place piece) Kl Pl).
    rewrite R in IH. destruct IH as [IH1 IH2]; [apply Forall_app; split; [exact G|now constructor]|]. split; [|exact IH2].
    rewrite IH1, map_app, <- app_assoc. cbn [map app]. now rewrite core. }
  specialize (G runs {| grown_runs := []; grown_found := false |} keys pieces (Forall_nil _)). cbv zeta in G.
  destruct (grown_found _); [|discriminate]. injection E as <-. exact G.
Qed.

Theorem runs_with_segments_exact : forall schema moments slots shown runs longer, (forall x, In x slots -> exists p, live (array_slots a) p x) ->
  Forall (fun run => schema_table_key schema (TableKey_HeadKey (long_place run))) runs -> Forall (pieces_exact moments shown) runs ->
  runs_with_segments runs schema moments slots shown = Ok longer ->
  map run_core longer = map run_core runs /\ Forall (pieces_exact moments shown) longer.
Proof.
  intros schema moments slots shown runs longer stand keys pieces E.
  assert (G : match runs_with_segments runs schema moments slots shown with
    | Ok found => map run_core found = map run_core runs /\ Forall (pieces_exact moments shown) found | Err _ => True end); [|now rewrite E in G].
  clear E. unfold runs_with_segments.
  apply (loop_invariant _ (fun _ found => match found with
    | Ok found => map run_core found = map run_core runs /\ Forall (pieces_exact moments shown) found | Err _ => True end)); [lia|auto|].
  intros i [found|] Hi G; [|exact I]. destruct G as [core exact]. unfold runs_with_segments_step.
  destruct (N.ltb_spec i (seq_length slots)) as [L|]; [|exact I]. pose proof (seq_at_in _ _ slots i L) as J. apply stand in J as [p J].
  unfold runs_with_segment. destruct (decode_table_key schema (key (seq_at slots i))) as [[| |place]|] eqn:D; try exact I.
  apply decode_table_key_iff in D as [D1 D2]; [|eapply a_of_bytes; exact J].
  destruct (_ && _) eqn:B; [|exact I]. apply andb_true_iff in B as [B1 B2]. apply bytes_equal_iff in B1. apply N.eqb_eq in B2.
  destruct (runs_with_piece _ _ _ _) as [grown|] eqn:W; [|exact I].
  assert (keys' : Forall (fun run => schema_table_key schema (TableKey_HeadKey (long_place run))) found).
  { exact (forall_cores (fun place _ => schema_table_key schema (TableKey_HeadKey place)) found runs core keys). }
  apply (runs_with_piece_exact schema moments shown) in W; try assumption.
  - destruct W as [W1 W2]. split; [congruence|exact W2].
  - apply seq_at_in. lia.
  - rewrite <- D2, B1. apply (live_is_mapped a a_well_formed p _ J). rewrite D2. apply table_key_not_empty.
Qed.

(** The runs of what a query asks for. *)
Lemma runs_of_answer_parts : forall query schema moments answer runs, runs_of_answer query schema moments answer = Ok runs ->
  exists entries first, entries_of_query query (scanned_slots answer) = Ok entries /\
    long_runs_of_entries schema moments entries (answer_heads answer) = Ok first /\ rows_of_long_runs first < MAX_BOX_ROWS /\
    runs_with_segments first schema moments (segment_slots answer) (answer_shown answer) = Ok runs.
Proof.
  intros query schema moments answer runs E. unfold runs_of_answer in E. destruct (entries_of_query _ _) as [entries|] eqn:E1; [|discriminate].
  destruct (expect_table _ _) as [[]|]; [|discriminate].
  destruct (long_runs_of_entries _ _ _ _) as [first|] eqn:E3; [|discriminate].
  destruct (expect_table (_ <? _) _) as [[]|] eqn:E4; [|discriminate]. apply expect_table_ok, N.ltb_lt in E4.
  exists entries, first. auto.
Qed.

(** The rows of runs are those of their heads. *)
Lemma rows_of_long_runs_sum : forall runs, rows_of_long_runs runs = fold_right (fun run total => long_rows (long_head run) + total) 0 runs.
Proof.
  intros runs. unfold rows_of_long_runs. rewrite (loop_over_elements _ _ _ rows_of_long_runs_step).
  enough (G : forall l before, fold_left rows_of_long_runs_step l before = before + fold_right (fun run total => long_rows (long_head run) + total) 0 l) by apply G.
  induction l as [|run l IH]; intros before; cbn [fold_left fold_right]; [lia|]. rewrite IH. unfold rows_of_long_runs_step. lia.
Qed.

Lemma rows_of_cores : forall runs runs', map run_core runs = map run_core runs' -> rows_of_long_runs runs = rows_of_long_runs runs'.
Proof.
  intros runs runs' E. rewrite !rows_of_long_runs_sum. revert runs' E. induction runs as [|run runs IH]; intros [|run' runs'] E; try discriminate; [reflexivity|].
  cbn [map] in E. injection E as _ H E. cbn [fold_right]. now rewrite H, (IH _ E).
Qed.


(** ** Under commitments that are true *)

Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

Variables (setup : Setup) (n : N).
Hypothesis made : Scheme.well_made setup.
Hypothesis sized : setup_vector_size setup = n.
Hypothesis positive : 1 <= n.

(** What an accepted answer has shown of the map: the schema, the runs that were asked for, with their segments; they have fewer than
    2^40 rows. *)
Definition runs_exact (query : TableQuery) (schema : TableSchema) (shown : list RunPiece) (runs : list LongRun) : Prop :=
  map_of a (encode_table_key (TableKey_SchemaKey (query_table query))) = Some (encode_schema schema) /\
  Forall (run_of_schema schema (moments_of_query query schema)) runs /\
  entries_exact a query (map entry_of_run runs) /\
  Forall (pieces_exact (moments_of_query query schema) shown) runs /\
  rows_of_long_runs runs < MAX_BOX_ROWS.

Theorem accepted_runs_exact : forall trusted query schema answer outcome, query_of_bytes query ->
  verify_table_answer setup trusted query schema answer = Ok outcome ->
  (forall basis, answer_basis trusted (answer_proof answer) = Ok basis -> basis_true setup n a basis) ->
  match find_claim_break setup n a (answer_proof answer) with
  | Some b => is_break setup b
  | None => runs_exact query schema (answer_shown answer) (outcome_runs outcome)
  end.
Proof.
  intros trusted query schema answer outcome Q E T. apply verify_table_answer_checked in E. cbv zeta in E.
  destruct E as (Q1 & S & R & (basis & B & C) & _).
  pose proof (accepted_claims_stand setup n made sized positive a basis _ (T basis B) C) as H.
  destruct (find_claim_break setup n a (answer_proof answer)) as [b|]; [exact H|].
  apply runs_of_answer_parts in R. destruct R as (entries & first & R1 & R2 & few & R3).
  assert (stand : forall x, (exists c, In c (proof_claims (answer_proof answer)) /\ claim_slot c = x) -> exists p, live (array_slots a) p x).
  { intros x (c & I & <-). exists (claim_position c). now apply H. }
  destruct (scanned_entries_exact a a_well_formed a_of_bytes query schema _ entries Q1 Q (fun x I => stand x (scanned_slots_claimed answer x I)) R1) as [X O].
  apply runs_of_entries_are in R2; [|exact O]. destruct R2 as (<- & W & P).
  assert (keys : Forall (fun run => schema_table_key schema (TableKey_HeadKey (long_place run))) first).
  { revert W. apply Forall_impl. intros run [K _]. exact K. }
  apply runs_with_segments_exact in R3; [|intros x I; apply stand, segment_slots_claimed, I|exact keys|].
  2:{ revert P. apply Forall_impl. intros run P. unfold pieces_exact. rewrite P. change (seq_length [first_piece (long_head run)]) with 1.
      split; [lia|]. split; [reflexivity|]. intros i I. lia. }
  destruct R3 as [core exact].
  split; [exact (claimed_schema_stands a a_well_formed _ query schema S H)|]. split; [|split; [|split; [exact exact|now rewrite (rows_of_cores _ _ core)]]].
  - exact (forall_cores (fun place head => schema_table_key schema (TableKey_HeadKey place) /\ long_head_legal head (moments_of_query query schema) = true) _ _ core W).
  - assert (same : map entry_of_run (outcome_runs outcome) = map entry_of_run first).
    { revert core. generalize (outcome_runs outcome). clear. intros l. revert first. induction l as [|run l IH]; intros [|run' first] E; try discriminate; [reflexivity|].
      cbn [map] in *. injection E as E1 E2 E. unfold entry_of_run at 1 3. rewrite E1, E2. f_equal. now apply IH. }
    now rewrite same.
Qed.

End LongRuns.

(** What is known of the steps of a write that is judged, and of the segments that its certificates cover.

    - [steps_judged]: each step is legal, and each segment that it puts is among those that certificates have to cover, behind the segment that it
      continues;
    - [segments_covered]: certificates that cover a write have each of these segments in a sheet, a segment that continues one as its first;
    - [sheets_hold_each]: each sheet has its certificate. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Hash Commitment.Kzg Decoding.SignedDecoder Table.TableSchema Table.TableKey Table.TablePolicy
  Table.RunRecord Table.RunSegments Table.Sheet Table.CertificateTranscript Policy.PolicyReason Policy.TableSteps Policy.TableWrite Policy.TableSheets
  Policy.TableCovered Policy.TableJudge Policy.TableMade Policy.Tables.
From Aardvark Require Import Lemmas.LoopLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section JudgedSteps.

Context {F : ScalarOperations} {scalar_given : Scalar.ScalarGiven} {hash_given : HashGiven}.

(** ** Steps *)

(** A segment as certificates have to cover it, and as they name it. *)
Local Notation coverage := (CoveredSegment * PlacedSegment)%type.
Definition coverage_fits (pair : coverage) : Prop :=
  covered_continues (fst pair) = match placed_link (snd pair) with Some _ => true | None => false end.
Definition covered_as (read : TableStep) (continues : bool) : CoveredSegment :=
  {| covered_column := place_column (step_place read); covered_continues := continues |}.

Definition step_judged (s : TableSchema) (points : list TablePoint) (pairs : list coverage) (read : TableStep) : Prop :=
  let moments := column_moments s (place_column (step_place read)) in
  match step_after read with
  | HeadChange_HeadKept => exists standing, decode_standing points (step_before read) moments = Ok standing /\
      judge_deleted s read (option_map long_revision standing) = Ok tt
  | HeadChange_HeadDeleted => step_before read <> None /\ schema_flags s = 2 /\ judge_deleted s read None = Ok tt
  | HeadChange_HeadPut written => exists after before pieces previous,
      decode_long_head points written moments = Ok after /\ decode_standing points (step_before read) moments = Ok before /\
      decode_run_pieces points (step_put read) moments = Ok pieces /\
      judge_step (schema_flags s =? 1) moments before after pieces = Ok tt /\
      continued_record points read after moments = Ok previous /\ judge_deleted s read (Some (long_revision after)) = Ok tt /\
      (forall i, i < seq_length pieces -> In (covered_as read true, placed_segment read (long_revision after) (piece_number (seq_at pieces i))
        (piece_record (seq_at pieces i)) (Some (link_of_piece previous pieces i))) pairs) /\
      (step_begins read = true -> In (covered_as read false, placed_segment read (long_revision after) 0 (long_record after) None) pairs)
  end.

Lemma step_judged_more : forall s points pairs more read, (forall p, In p pairs -> In p more) -> step_judged s points pairs read ->
  step_judged s points more read.
Proof.
  intros s points pairs more read I J. unfold step_judged in *. cbv zeta in *. destruct (step_after read); [exact J| |exact J].
  destruct J as (after & before & pieces & previous & A & B & C & D & E & G & X & Y). exists after, before, pieces, previous.
  repeat (split; [assumption|]). split; [intros i L; apply I, X, L|intros Q; apply I, Y, Q].
Qed.

Lemma pieces_decoded : forall points entries moments pieces, decode_run_pieces points entries moments = Ok pieces ->
  seq_length pieces = seq_length entries /\
  forall i, i < seq_length entries -> decode_run_piece points (seq_at entries i) moments = Ok (seq_at pieces i).
Proof.
  intros points entries moments pieces. unfold decode_run_pieces. revert pieces.
  apply (loop_invariant _ (fun n read => forall pieces, read = Ok pieces -> seq_length pieces = n /\
    forall i, i < n -> decode_run_piece points (seq_at entries i) moments = Ok (seq_at pieces i))); [lia| |].
  - intros pieces E. injection E as <-. split; [reflexivity|]. intros i L. lia.
  - intros n read L IH pieces E. unfold decode_run_pieces_step in E. destruct read as [before|]; [|discriminate].
    destruct (decode_run_piece points (seq_at entries n) moments) as [piece|] eqn:D; [|discriminate]. injection E as <-.
    destruct (IH before eq_refl) as [Ln each]. rewrite seq_length_app, Ln. split; [reflexivity|]. intros i Li. rewrite seq_at_app, Ln.
    destruct (N.ltb_spec i n); [now apply each|]. assert (i = n) as -> by lia. rewrite D, N.sub_diag. reflexivity.
Qed.

Lemma put_segments_covered : forall covered column count,
  with_put_segments covered column count = covered ++ repeat {| covered_column := column; covered_continues := true |} (N.to_nat count).
Proof.
  intros covered column count. unfold with_put_segments.
  apply (loop_invariant _ (fun n found => found = covered ++ repeat {| covered_column := column; covered_continues := true |} (N.to_nat n))); [lia| |].
  - cbn. now rewrite app_nil_r.
  - intros n found _ ->. unfold with_put_segments_step. rewrite <- app_assoc. f_equal. replace (N.to_nat (n + 1)) with (N.to_nat n + 1)%nat by lia.
    rewrite repeat_app. reflexivity.
Qed.

(** The further segments of a step. *)
Definition placed_at (read : TableStep) (revision : N) (before : RunRecord) (pieces : list RunPiece) (i : N) : PlacedSegment :=
  placed_segment read revision (piece_number (seq_at pieces i)) (piece_record (seq_at pieces i)) (Some (link_of_piece before pieces i)).

Lemma pieces_placed : forall earlier read revision before pieces,
  placed_pieces earlier read revision before pieces = earlier ++ map (placed_at read revision before pieces) (range 0 (seq_length pieces)).
Proof.
  intros earlier read revision before pieces. unfold placed_pieces.
  apply (loop_invariant _ (fun n placed => placed = earlier ++ map (placed_at read revision before pieces) (range 0 n))); [lia| |].
  - rewrite range_empty by lia. cbn. now rewrite app_nil_r.
  - intros n placed _ ->. unfold placed_pieces_step. cbv zeta. rewrite range_snoc by lia. rewrite map_app, app_assoc. reflexivity.
Qed.

Lemma repeat_is_map : forall A (x : A) n, repeat x (N.to_nat n) = map (fun _ => x) (range 0 n).
Proof.
  intros A x n. unfold range. rewrite map_map, PeanoNat.Nat.sub_0_r. generalize (N.to_nat n) (N.to_nat 0). intros m.
  induction m as [|m IH]; intros b; [reflexivity|]. cbn. now rewrite <- IH.
Qed.

Definition pairs_of_covered (covered : list CoveredSegment) (placed : list PlacedSegment) (pairs : list coverage) : Prop :=
  covered = map fst pairs /\ placed = map snd pairs /\ Forall coverage_fits pairs.

(** Only where a head is put are segments put. *)
Definition puts_segments (read : TableStep) : Prop :=
  match step_after read with HeadChange_HeadPut _ => True | _ => step_put read = [] end.

Lemma step_covered : forall s points read covered placed pairs placed', puts_segments read -> pairs_of_covered covered placed pairs ->
  judge_runs_step (Ok placed) s points read = Ok placed' ->
  exists more, pairs_of_covered (covered_segments_step covered read) placed' (pairs ++ more) /\ step_judged s points (pairs ++ more) read.
Proof.
  intros s points read covered placed pairs placed' puts (C & P & X) E. unfold judge_runs_step in E.
  destruct (judge_head_step placed s points read) as [judged|] eqn:J; [|discriminate].
  destruct (judge_deleted s read (judged_revision judged)) as [[]|] eqn:D; [|discriminate]. injection E as <-.
  assert (put_none : step_begins read = false -> step_put read = [] -> covered_segments_step covered read = covered).
  { intros B Q. unfold covered_segments_step. cbv zeta. rewrite B, Q, put_segments_covered. cbn. apply app_nil_r. }
  unfold judge_head_step in J. unfold step_judged, puts_segments in *. cbv zeta. destruct (step_after read) as [|written|] eqn:A.
  - exists []. rewrite app_nil_r, put_none by (exact puts || (unfold step_begins; rewrite A; reflexivity)). unfold judge_kept_step in J. cbv zeta in J.
    destruct (decode_standing _ _ _) as [[head|]|] eqn:S; try discriminate; injection J as <-; (split; [split; auto|]).
    + exists (Some head). auto.
    + exists None. auto.
  - clear put_none. { unfold judge_put_step in J. cbv zeta in J. set (moments := column_moments s _) in *.
  destruct (decode_long_head points written moments) as [after|] eqn:E1; [|discriminate].
  destruct (decode_standing points (step_before read) moments) as [before|] eqn:E2; [|discriminate].
  destruct (decode_run_pieces points (step_put read) moments) as [pieces|] eqn:E3; [|discriminate].
  destruct (judge_step _ moments before after pieces) as [[]|] eqn:E4; [|discriminate].
  destruct (placed_by_step placed points read after pieces moments) as [grown|] eqn:E5; [|discriminate]. injection J as <-.
  cbn [judged_placed judged_revision] in *. unfold placed_by_step in E5.
  destruct (continued_record points read after moments) as [previous|] eqn:E6; [|discriminate]. cbv zeta in E5. rewrite pieces_placed in E5.
  set (further := map (fun i => (covered_as read true, placed_at read (long_revision after) previous pieces i)) (range 0 (seq_length pieces))).
  set (first := if step_begins read then [(covered_as read false, placed_segment read (long_revision after) 0 (long_record after) None)] else []).
  exists (further ++ first). destruct (pieces_decoded _ _ _ _ E3) as [L _]. split.
  - split; [|split].
    + unfold covered_segments_step. cbv zeta. rewrite put_segments_covered, <- L, repeat_is_map, C. rewrite !map_app.
      unfold further. rewrite map_map. cbn [fst]. unfold first, covered_as. destruct (step_begins read); cbn [map fst]; rewrite <- ?app_assoc,
        ?app_nil_r; reflexivity.
    + rewrite !map_app. unfold further. rewrite map_map. cbn [snd]. rewrite <- P. unfold first. destruct (step_begins read); injection E5 as <-; cbn
        [map snd];
        rewrite <- ?app_assoc, ?app_nil_r; reflexivity.
    + apply Forall_app. split; [exact X|]. apply Forall_app. split; [|unfold first; destruct (step_begins read); repeat constructor].
      unfold further. apply Forall_map, Forall_forall. intros i _. reflexivity.
  - exists after, before, pieces, previous. repeat (split; [reflexivity || assumption|]). split.
    + intros i Li. apply in_or_app. right. apply in_or_app. left. unfold further. apply in_map_iff. exists i. split; [reflexivity|]. apply in_range.
        lia.
    + intros B. apply in_or_app. right. apply in_or_app. right. unfold first. rewrite B. left. reflexivity. }
  - exists []. rewrite app_nil_r, put_none by (exact puts || (unfold step_begins; rewrite A; reflexivity)). unfold judge_delete_step in J.
    destruct (judge_delete _ _ _) as [change|] eqn:E; [|discriminate]. injection J as <-. split; [split; auto|].
    unfold judge_delete in E. destruct (expect_change (is_present _) _) eqn:E1; [|discriminate]. destruct (expect_change (_ =? 2) _) eqn:E2;
      [|discriminate].
    unfold expect_change in E1, E2. destruct (N.eqb_spec (schema_flags s) 2); [|discriminate]. destruct (step_before read); [|discriminate].
    split; [discriminate|]. auto.
Qed.

Theorem steps_judged : forall runs points placed, Forall puts_segments (written_steps runs) -> judge_runs runs points = Ok placed ->
  exists pairs, pairs_of_covered (covered_segments (written_steps runs)) placed pairs /\
    Forall (step_judged (written_schema runs) points pairs) (written_steps runs).
Proof.
  intros runs points placed. unfold judge_runs, covered_segments. set (s := written_schema runs).
  rewrite (loop_over_elements _ _ _ (fun placed read => judge_runs_step placed s points read)), (loop_over_elements _ _ _ covered_segments_step).
  assert (failed : forall steps why, fold_left (fun placed read => judge_runs_step placed s points read) steps (Err why) = Err why).
  { induction steps as [|read steps IH]; intros why; [reflexivity|]. apply IH. }
  assert (G : forall steps covered before pairs, Forall puts_segments steps -> pairs_of_covered covered before pairs ->
    fold_left (fun placed read => judge_runs_step placed s points read) steps (Ok before) = Ok placed ->
    exists more, pairs_of_covered (fold_left covered_segments_step steps covered) placed (pairs ++ more) /\
      Forall (step_judged s points (pairs ++ more)) steps).
  { induction steps as [|read steps IH]; intros covered before pairs puts P E.
    - injection E as <-. exists []. rewrite app_nil_r. split; [exact P|constructor].
    - inversion puts as [|? ? put puts']; subst. cbn [fold_left] in E |- *.
      destruct (judge_runs_step (Ok before) s points read) as [between|why] eqn:J; [|rewrite failed in E; discriminate].
      destruct (step_covered _ _ _ _ _ _ _ put P J) as (more & P' & S). destruct (IH _ _ _ puts' P' E) as (last & P2 & S2).
      exists (more ++ last). rewrite app_assoc. split; [exact P2|]. constructor; [|exact S2].
      eapply step_judged_more; [|exact S]. intros p I. apply in_or_app. left. exact I. }
  intros puts E. destruct (G _ [] [] [] puts) as (pairs & P & S); [split; [reflexivity|split; [reflexivity|constructor]]|exact E|].
  exists pairs. auto.
Qed.

(** ** Sheets *)

(** A segment of a sheet, and as its first if it continues one. *)
Definition in_sheet (dictionary table : ByteString) (s : TableSchema) (sheet : TableSheet) (covered : CoveredSegment) (placed : PlacedSegment) : Prop :=
  table_sheet_about sheet = about_table_column dictionary table s (covered_column covered) /\
  match placed_link placed with
  | None => In (placed_item placed) (table_sheet_items sheet)
  | Some link => table_sheet_link sheet = Some link /\ exists rest, table_sheet_items sheet = placed_item placed :: rest
  end.

Lemma items_between_map : forall placed from count, from + count <= seq_length placed ->
  items_between placed from (from + count) = map (fun k => placed_item (seq_at placed k)) (range from (from + count)).
Proof.
  intros placed from count L. unfold items_between.
  apply (loop_invariant _ (fun n items => items = map (fun k => placed_item (seq_at placed k)) (range from n))); [lia|rewrite range_empty by lia;
    reflexivity|].
  intros k items Lk ->. unfold items_between_step. destruct (N.ltb_spec k (seq_length placed)); [|lia]. rewrite range_snoc by lia.
  rewrite map_app. reflexivity.
Qed.

Lemma one_sheet_each : forall covered from to k, one_sheet covered from to = true -> from <= k < to ->
  covered_column (seq_at covered k) = covered_column (seq_at covered from) /\ (k = from \/ covered_continues (seq_at covered k) = false).
Proof.
  intros covered from to k E L. unfold one_sheet in E. revert E L.
  assert (G : fold_left (fun fits k => one_sheet_step fits covered from k) (range from to) true = true -> forall k, from <= k < to ->
    covered_column (seq_at covered k) = covered_column (seq_at covered from) /\ (k = from \/ covered_continues (seq_at covered k) = false)).
  2:{ intros E L. exact (G E k L). }
  destruct (N.le_gt_cases from to) as [order|order]; [|intros _ j L; lia].
  apply (loop_invariant _ (fun n fits => fits = true -> forall k, from <= k < n ->
    covered_column (seq_at covered k) = covered_column (seq_at covered from) /\ (k = from \/ covered_continues (seq_at covered k) = false))); [exact
      order|intros _ j L; lia|].
  intros n fits Ln IH E j L. unfold one_sheet_step in E. apply andb_true_iff in E as [E last]. apply andb_true_iff in E as [E column].
  destruct (N.eq_dec j n) as [->|D]; [|apply IH; [exact E|lia]]. apply N.eqb_eq in column. split; [exact column|].
  apply orb_true_iff in last. destruct last as [same|plain]; [left; now apply N.eqb_eq|right; now apply negb_true_iff].
Qed.

Theorem segments_covered : forall dictionary runs placed pairs items, pairs_of_covered (covered_segments (written_steps runs)) placed pairs ->
  check_covered (TableWrite_WriteRuns runs) items = Ok tt ->
  forall pair, In pair pairs -> exists sheet, In sheet (sheets_of_runs dictionary runs placed items) /\
    in_sheet dictionary (written_table runs) (written_schema runs) sheet (fst pair) (snd pair).
Proof.
  intros dictionary runs placed pairs items (C & P & X) E. unfold check_covered in E. cbv zeta in E. cbn [covered_by_write] in E.
  unfold sheets_of_runs. cbv zeta. set (covered := covered_segments (written_steps runs)) in *.
  assert (Lc : seq_length covered = seq_length pairs) by (rewrite C; unfold seq_length; now rewrite map_length).
  assert (Lp : seq_length placed = seq_length pairs) by (rewrite P; unfold seq_length; now rewrite map_length).
  set (sheet_for := fun (made : SheetsMade) k => exists sheet, In sheet (made_sheets made) /\
    in_sheet dictionary (written_table runs) (written_schema runs) sheet (seq_at covered k) (seq_at placed k)).
  assert (G : forall end', covered_end covered items = Some end' ->
    let made := fold_left (fun made i => sheets_of_runs_step made dictionary runs covered placed (seq_at items i)) (range 0 (seq_length items))
      {| made_sheets := []; made_segments := 0 |} in
    made_segments made = end' /\ forall k, k < end' -> sheet_for made k).
  { unfold covered_end. rewrite (loop_over_elements _ _ _ (fun e brought => covered_end_step e covered brought)).
    rewrite (loop_over_elements _ _ _ (fun made brought => sheets_of_runs_step made dictionary runs covered placed brought)).
    clear E.
    assert (stays : forall l, fold_left (fun e brought => covered_end_step e covered brought) l None = None).
    { induction l as [|x l IH]; [reflexivity|]. exact IH. }
    assert (H : forall l from made, made_segments made = from -> (forall k, k < from -> sheet_for made k) -> forall end',
      fold_left (fun e brought => covered_end_step e covered brought) l (Some from) = Some end' ->
      let made' := fold_left (fun made brought => sheets_of_runs_step made dictionary runs covered placed brought) l made in
      made_segments made' = end' /\ forall k, k < end' -> sheet_for made' k).
    { induction l as [|brought l IH]; intros from made M S end' E.
      - injection E as <-. auto.
      - cbn [fold_left] in E |- *. unfold covered_end_step at 2 in E. cbv zeta in E. set (count := received_segments brought) in *.
        destruct ((from <=? seq_length covered) && (1 <=? count) && (count <=? seq_length covered - from) && one_sheet covered from (from + count))
          eqn:Q;
          [|rewrite stays in E; discriminate].
        apply andb_true_iff in Q as [Q sheet]. apply andb_true_iff in Q as [Q few]. apply andb_true_iff in Q as [Q some].
        apply N.leb_le in Q, some, few. refine (IH (from + count) _ _ _ end' E).
        + unfold sheets_of_runs_step, with_sheet. cbv zeta. rewrite M. fold count.
          destruct (N.ltb_spec from (seq_length covered)); [|lia]. destruct (N.ltb_spec from (seq_length placed)); [|lia].
          destruct (N.leb_spec count (seq_length placed)); [|lia]. reflexivity.
        + intros k Lk. unfold sheets_of_runs_step, with_sheet. cbv zeta. rewrite M. fold count.
          destruct (N.ltb_spec from (seq_length covered)); [|lia]. destruct (N.ltb_spec from (seq_length placed)); [|lia].
          destruct (N.leb_spec count (seq_length placed)); [|lia]. cbn [andb].
          destruct (N.lt_ge_cases k from) as [old|new].
          { destruct (S k old) as (sheet' & I & H'). exists sheet'. split; [apply in_or_app; left; exact I|exact H']. }
          eexists. split; [apply in_or_app; right; left; reflexivity|]. unfold in_sheet. cbn [table_sheet_about table_sheet_link table_sheet_items].
          destruct (one_sheet_each _ _ _ k sheet ltac:(lia)) as [column alone]. split; [now rewrite column|].
          rewrite items_between_map by lia. destruct (placed_link (seq_at placed k)) as [link|] eqn:linked.
          * assert (k = from) as ->.
            { destruct alone as [same|plain]; [exact same|]. exfalso. rewrite Forall_forall in X.
              pose proof (X (seq_at pairs k) (seq_at_in _ _ pairs k ltac:(lia))) as fits. unfold coverage_fits in fits.
              assert (Qc : seq_at covered k = fst (seq_at pairs k)).
              { rewrite C. unfold seq_at. erewrite nth_indep; [apply map_nth|]. rewrite map_length. unfold seq_length in *. lia. }
              assert (Qp : seq_at placed k = snd (seq_at pairs k)).
              { rewrite P. unfold seq_at. erewrite nth_indep; [apply map_nth|]. rewrite map_length. unfold seq_length in *. lia. }
              rewrite <- Qc, <- Qp, linked, plain in fits. discriminate. }
            split; [exact linked|]. rewrite range_cons by lia. cbn [map]. eauto.
          * apply in_map_iff. exists k. split; [reflexivity|]. apply in_range. lia. }
    intros end' E. exact (H items 0 {| made_sheets := []; made_segments := 0 |} eq_refl (fun k L => match N.nlt_0_r k L with end) end' E). }
  intros pair I. destruct (covered_end covered items) as [end'|] eqn:Q; [|discriminate]. destruct (N.eqb_spec end' (seq_length covered)) as [->|];
    [|discriminate].
  destruct (G _ eq_refl) as [_ each]. destruct (In_nth pairs pair (covered_as default false, default) I) as (i & Li & <-).
  destruct (each (N.of_nat i) ltac:(unfold seq_length in *; lia)) as (sheet & J & H). exists sheet. split; [exact J|].
  assert (Qc : seq_at covered (N.of_nat i) = fst (nth i pairs (covered_as default false, default))).
  { rewrite C. unfold seq_at. rewrite Nnat.Nat2N.id. rewrite <- (map_nth fst). apply nth_indep. rewrite map_length. exact Li. }
  assert (Qp : seq_at placed (N.of_nat i) = snd (nth i pairs (covered_as default false, default))).
  { rewrite P. unfold seq_at. rewrite Nnat.Nat2N.id. rewrite <- (map_nth snd). apply nth_indep. rewrite map_length. exact Li. }
  rewrite <- Qc, <- Qp. exact H.
Qed.

(** ** Certificates *)

Lemma sheets_hold_each : forall setup sheets meanings, sheets_hold setup sheets meanings = true ->
  forall sheet, In sheet sheets -> exists meaning, In (sheet, meaning) (combine sheets meanings) /\ sheet_holds setup sheet meaning = true.
Proof.
  intros setup sheets meanings E sheet I. apply (In_nth _ _ default) in I as (i & L & <-).
  assert (G : forall k, k < seq_length sheets -> k < seq_length meanings /\ sheet_holds setup (seq_at sheets k) (seq_at meanings k) = true).
  { revert E. unfold sheets_hold. intros E.
    pose proof (loop_invariant _ (fun n held => held = true -> forall k, k < n -> k < seq_length meanings /\
      sheet_holds setup (seq_at sheets k) (seq_at meanings k) = true)
      (fun all_hold i => sheets_hold_step all_hold setup sheets meanings i) 0 (seq_length sheets) true) as H.
    refine (H _ _ _ E); [lia|intros _ k K; lia|]. clear H E. intros n held Ln IH E k K. unfold sheets_hold_step in E.
    apply andb_true_iff in E as [E holds]. apply andb_true_iff in E as [E many]. apply N.ltb_lt in many.
    destruct (N.eq_dec k n) as [->|D]; [auto|]. apply IH; [exact E|lia]. }
  destruct (G (N.of_nat i) ltac:(unfold seq_length; lia)) as [M holds]. exists (seq_at meanings (N.of_nat i)).
  assert (Q : seq_at sheets (N.of_nat i) = nth i sheets default) by (unfold seq_at; now rewrite Nnat.Nat2N.id).
  rewrite Q in holds. split; [|exact holds]. unfold seq_at. rewrite Nnat.Nat2N.id. clear - L M.
  unfold seq_length in M. revert meanings i L M. induction sheets as [|x sheets IH]; intros [|y meanings] [|i] L M; cbn in *; try lia; [now left|].
  right. apply IH; lia.
Qed.

End JudgedSteps.

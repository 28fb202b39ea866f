(** What allowed transactions leave as it was: runs below a watermark, and in append-only tables whatever stands.

    - [closed_runs_left], [closed_runs_stay]: keys of closed runs;
    - [append_only_segments_left], [append_only_segments_stay]: segments of tables whose runs are never replaced;
    - [append_only_heads_grow], [append_only_runs_grow]: and their heads, but that runs grow behind their end. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Dictionary.KeyMap Block.Transaction Block.Map
  Table.TableSchema
  Table.SchemaLegality Table.SchemaDecoder Table.TableKey Table.TablePolicy Table.RunRecord Table.RunSegments Policy.TableSteps Policy.TableWrite
    Policy.TableSheets Policy.TableCovered Policy.TableJudge Policy.TableMade.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.KeyMap Safety.BoundsSafe Lemmas.Field
  Lemmas.TableSchemas Lemmas.TableHeads Lemmas.StepContents Lemmas.WrittenSteps Lemmas.JudgedSteps Lemmas.JudgedRuns Lemmas.KeptRuns
  Lemmas.TableTransactions Lemmas.KeptTables.
From Aardvark Require Spec.Table.TableKey.
Import ListNotations.
Local Open Scope N_scope.

Section ClosedRuns.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variables (dictionary : ByteString) (setup : KzgSetup) (curve : ByteString -> G1).

(** The key of a head, or of a segment, of the run at a place. *)
Definition key_of_run (s : TableSchema) (k : ByteString) (place : RunPlace) : Prop :=
  decode_table_key s k = Ok (TableKey_HeadKey place) \/
  exists segment, decode_table_key s k = Ok (TableKey_SegmentKey segment) /\ segment_place_run segment = place.

(** A run is closed: its first key column is below the watermark. *)
Definition closed (s : TableSchema) (place : RunPlace) : Prop := blt (first_part (schema_keys s) (place_columns place)) (schema_watermark s).

(** What of a schema stays for good: all but the watermark, which does not fall. *)
Definition schema_follows (s s' : TableSchema) : Prop :=
  schemas_alike s s' /\ schema_flags s = schema_flags s' /\ (schema_watermark s = schema_watermark s' \/ blt (schema_watermark s) (schema_watermark
    s')).

Lemma schema_follows_itself : forall s, schema_follows s s.
Proof. intros s. split; [split; [|split]; reflexivity|]. auto. Qed.

Lemma schema_follows_on : forall s s' s'', schema_follows s s' -> schema_follows s' s'' -> schema_follows s s''.
Proof.
  intros s s' s'' ((A & B & C) & D & E) ((A' & B' & C') & D' & E'). split; [split; [|split]; congruence|]. split; [congruence|].
  destruct E as [E|E], E' as [E'|E']; rewrite ?E, <- ?E'; auto. right. eapply blt_transitive; eassumption.
Qed.

Lemma closed_follows : forall s s' place, schema_follows s s' -> closed s place -> closed s' place.
Proof.
  intros s s' place ((A & _) & _ & [E|E]) C; unfold closed in *; rewrite <- A; [now rewrite <- E|]. eapply blt_transitive; eassumption.
Qed.

Lemma key_of_run_alike : forall s s' k place, schemas_alike s s' -> key_of_run s k place -> key_of_run s' k place.
Proof. intros s s' k place A [D|(segment & D & P)]; [left|right; exists segment]; rewrite (decoded_alike s s') by exact A; auto. Qed.

Lemma key_of_run_table : forall s s' k place key, key_of_run s k place -> decode_table_key s' k = Ok key -> TableKey.key_table key = place_table place.
Proof.
  intros s s' k place key [D|(segment & D & <-)] D'; symmetry; exact (one_table _ _ _ _ _ D D').
Qed.

(** A schema's key is no run's. *)
Lemma schema_key_differs : forall s k place table, name_legal table = true -> seq_length table < 2 ^ 8 -> key_of_run s k place -> schema_key table <> k.
Proof.
  intros s k place table L B K E. pose proof (schema_key_decoded s table L B) as D. rewrite E in D. destruct K as [D'|(segment & D' & _)]; rewrite D
    in D'; discriminate.
Qed.

Section Step.

Variables (certificates added : list AcceptedCertificate) (before after : KeyMap) (table : ByteString) (s : TableSchema).
Hypothesis kept : tables_kept dictionary setup curve certificates before.
Hypothesis after_bytes : map_of_bytes after.
Hypothesis step : table_step dictionary setup curve added before after.
Hypothesis legal : name_legal table = true /\ seq_length table < 2 ^ 8.
Hypothesis stands : schema_stands before table s.

Lemma schema_after : exists s', schema_stands after table s' /\ schema_follows s s'.
Proof.
  destruct step as [table' written s' L B -> A D G|table' required written s' sealed L B -> A D D' grew G|table' s' points pairs steps L B P S
    follows C judged covered].
  - exists s. split; [|apply schema_follows_itself]. destruct stands as (c & Gc & Dc). exists c. split; [|exact Dc]. rewrite G.
    destruct (bytes_equal_spec (schema_key table') (schema_key table)) as [E|]; [|exact Gc]. rewrite E, Gc in A. discriminate.
  - destruct (bytes_equal_spec (schema_key table') (schema_key table)) as [E|N].
    + exists sealed. assert (W : key_map_get after (schema_key table) = Some written) by (rewrite G, E, bytes_equal_refl; reflexivity).
      split; [exists written; auto|]. rewrite E in A. assert (s = s') as ->.
      { eapply schema_stands_once; [exact stands|]. exists required. auto. }
      destruct (seal_alike _ _ _ _ (proj2 (kept_bytes _ _ _ _ _ kept _ _ A)) (proj2 (after_bytes _ _ W)) D D' grew) as (alike & flags & less).
      split; [exact alike|]. auto.
    + exists s. split; [|apply schema_follows_itself]. destruct stands as (c & Gc & Dc). exists c. split; [|exact Dc]. rewrite G. apply
        bytes_equal_false in N. now rewrite N.
  - exists s. split; [|apply schema_follows_itself]. destruct legal. eapply schema_stays; eassumption.
Qed.

(** A key of a run is left, or a step of the table's schema is of its run. *)
Lemma left_or_touched : forall k place, of_bytes k -> key_of_run s k place -> place_table place = table ->
  key_map_get after k = key_map_get before k \/
  exists points pairs steps read, Forall (true_point curve) points /\ followed s table before steps after /\ last_settled steps = true /\ In read
    steps /\
    step_place read = place /\ run_of_key s k = Some (step_head read) /\ step_judged s points pairs read /\
    forall pair, In pair pairs -> certified_by setup added (about_table_column dictionary table s (covered_column (fst pair))) (placed_item (snd
      pair)) (placed_link (snd pair)).
Proof.
  intros k place O K T. destruct step as [table' written s' L B -> A D G|table' required written s' sealed L B -> A D D' grew G|table' s' points
    pairs steps L B P S follows C judged covered].
  1, 2: left; rewrite G; apply (schema_key_differs s k place table') in K; [|assumption..]; apply bytes_equal_false in K; now rewrite K.
  destruct (in_dec bytes_dec table' [table]) as [[E|[]]|N].
  - subst table'. rewrite (schema_stands_once _ _ _ _ S stands) in *. clear S.
    destruct (run_of_key s k) as [h|] eqn:R.
    2:{ left. rewrite (followed_content _ _ _ _ _ follows). apply (steps_untouched s table before); [exact (followed_fits _ _ _ _ _ follows)|].
        intros read _ E. rewrite R in E. discriminate. }
    destruct (in_dec bytes_dec h (map step_head steps)) as [I|N].
    + apply in_map_iff in I as (read & <- & I). right. exists points, pairs, steps, read. repeat (split; [assumption|]).
      pose proof (followed_fits _ _ _ _ _ follows) as all. rewrite Forall_forall in all, judged. split; [|split; [reflexivity|split; [now apply
        judged|exact covered]]].
      destruct (step_of_key _ _ _ _ _ (all read I) O R) as [[_ Dk]|(segment & Dk & Pk)]; destruct K as [D'|(segment' & D' & P')]; rewrite Dk in D';
        try discriminate.
      * now injection D'.
      * injection D' as <-. congruence.
    + left. rewrite (followed_content _ _ _ _ _ follows). apply (steps_untouched s table before); [exact (followed_fits _ _ _ _ _ follows)|].
      intros read I E. rewrite R in E. injection E as ->. apply N. now apply in_map.
  - left. rewrite (followed_content _ _ _ _ _ follows). apply (steps_untouched s' table' before); [exact (followed_fits _ _ _ _ _ follows)|].
    intros read I R. apply N. left. pose proof (followed_fits _ _ _ _ _ follows) as all. rewrite Forall_forall in all.
    assert (X : exists key, decode_table_key s' k = Ok key /\ TableKey.key_table key = table').
    { destruct (step_of_key _ _ _ _ _ (all read I) O R) as [[_ Dk]|(segment & Dk & Pk)]; eexists; (split; [exact Dk|]); cbn; rewrite ?Pk; exact
      (fits_table _ _ _ _ (all read I)). }
    destruct X as (key & Dk & Tk). pose proof (key_of_run_table _ _ _ _ _ K Dk) as X. congruence.
Qed.

Theorem closed_runs_left : forall k place, of_bytes k -> key_of_run s k place -> place_table place = table -> closed s place ->
  key_map_get after k = key_map_get before k.
Proof.
  intros k place O K T C. destruct (left_or_touched k place O K T) as [E|(points & pairs & steps & read & _ & follows & _ & I & P & _)]; [exact E|].
    exfalso.
  pose proof (followed_fits _ _ _ _ _ follows) as all. rewrite Forall_forall in all. pose proof (fits_open _ _ _ _ (all read I)) as open. rewrite P
    in open.
  unfold expect_open in open. cbv zeta in open. unfold closed, blt in C. rewrite C in open. discriminate.
Qed.

(** ** Tables whose runs are never replaced *)

Hypothesis append_only : schema_flags s = 1.

Lemma none_deleted : forall points pairs read, step_judged s points pairs read -> step_deleted read = [] /\ step_after read <> HeadChange_HeadDeleted.
Proof.
  intros points pairs read J. assert (G : forall standing, judge_deleted s read standing = Ok tt -> step_deleted read = []).
  { intros standing E. apply deleted_judged in E. destruct (step_deleted read) as [|k l]; [reflexivity|]. apply Forall_inv in E as (p & _ & _ & two &
    _).
    rewrite append_only in two. discriminate. }
  unfold step_judged in J. cbv zeta in J. destruct (step_after read) as [|written|].
  - destruct J as (standing & _ & E). split; [exact (G _ E)|discriminate].
  - destruct J as (? & ? & ? & ? & _ & _ & _ & _ & _ & E & _). split; [exact (G _ E)|discriminate].
  - destruct J as (_ & two & _). rewrite append_only in two. discriminate.
Qed.

Theorem append_only_segments_left : forall k segment content, decode_table_key s k = Ok (TableKey_SegmentKey segment) ->
  place_table (segment_place_run segment) = table -> key_map_get before k = Some content -> key_map_get after k = Some content.
Proof.
  intros k segment content D T G. destruct (kept_bytes _ _ _ _ _ kept _ _ G) as [O _].
  destruct (left_or_touched k (segment_place_run segment) O ltac:(right; eauto) T) as [E|(points & pairs & steps & read & _ & follows & _ & I & P & R
    & J & _)]; [congruence|].
  pose proof (followed_fits _ _ _ _ _ follows) as all. pose proof all as each. rewrite Forall_forall in each. rewrite (followed_content _ _ _ _ _
    follows).
  rewrite (step_among s table before steps read k _ all (followed_heads _ _ _ _ _ follows) I R).
  rewrite (segment_left s table before read k segment _ (each read I) D); [exact G| |congruence].
  destruct (none_deleted _ _ _ J) as [-> _]. exact (fun H => H).
Qed.

Theorem append_only_heads_grow : forall k place content, decode_table_key s k = Ok (TableKey_HeadKey place) -> place_table place = table ->
  is_table_key k ->
  key_map_get before k = Some content -> exists content' head0 pieces0 head pieces, key_map_get after k = Some content' /\
    run_kept dictionary setup curve certificates before table s place content head0 pieces0 /\
    run_kept dictionary setup curve (certificates ++ added) after table s place content' head pieces /\ grown head0 pieces0 head pieces.
Proof.
  intros k place content D T B G. destruct (kept_bytes _ _ _ _ _ kept _ _ G) as [O _].
  destruct (kept_run dictionary setup curve certificates s table before kept stands k place content G B D T) as (head0 & pieces0 & K).
  pose proof (proj1 (TableKey.decode_table_key_iff s k _ O) D) as [Pl Q].
  assert (stays : key_map_get after k = Some content -> exists content' head0 pieces0 head pieces, key_map_get after k = Some content' /\
    run_kept dictionary setup curve certificates before table s place content head0 pieces0 /\
    run_kept dictionary setup curve (certificates ++ added) after table s place content' head pieces /\ grown head0 pieces0 head pieces).
  { intros Ga. exists content, head0, pieces0, head0, pieces0. split; [exact Ga|]. split; [exact K|]. split.
    - eapply kept_elsewhere; [apply incl_appl, incl_refl| |exact K]. intros number V N1 N2 present.
      destruct (key_map_get before (segment_key place (long_revision head0) number)) as [c|] eqn:Gc; [|contradiction].
      apply (append_only_segments_left _ {| segment_place_run := place; segment_place_revision := long_revision head0; segment_place_number := number
        |}); [|exact T|exact Gc].
      unfold segment_key. apply TableKey.decode_encoded_table_key. cbn in *. auto.
    - split; [reflexivity|]. split; [reflexivity|]. exists []. now rewrite app_nil_r. }
  destruct (left_or_touched k place O (or_introl D) T) as [E|(points & pairs & steps & read & true_points & follows & C & I & P & R & J & covered)];
    [apply stays; congruence|].
  pose proof (followed_fits _ _ _ _ _ follows) as all. pose proof all as each. rewrite Forall_forall in each. pose proof (each read I) as fits.
  assert (Qk : k = step_head read) by (unfold run_of_key in R; rewrite D in R; now injection R). clear Q. subst k.
  assert (left : forall q, run_of_key s q = Some (step_head read) -> key_map_get after q = step_content read q (key_map_get before q)).
  { intros q Rq. rewrite (followed_content _ _ _ _ _ follows). exact (step_among s table before steps read q _ all (followed_heads _ _ _ _ _ follows)
    I Rq). }
  destruct (none_deleted _ _ _ J) as [none kept_head]. destruct (step_after read) as [|written|] eqn:A; [| |contradiction].
  - apply stays. rewrite (left _ R). pose proof (fits_stage _ _ _ _ fits) as stage. unfold stage_fits in stage.
    pose proof (all_settled _ _ _ _ _ follows C read I) as settled. unfold step_settled in settled. destruct (step_stage read); try discriminate.
    rewrite A in stage. destruct stage as [_ nothing]. unfold step_content, head_content. rewrite A, none, nothing. exact G.
  - destruct (put_kept dictionary setup curve s table points pairs before after read (certificates ++ added) written true_points (kept_bytes _ _ _ _
      _ kept) after_bytes fits
      (all_settled _ _ _ _ _ follows C read I) left J) with (earlier := certificates) as (head & pieces & K' & grows).
    + intros pair Ip. eapply certified_more; [|exact (covered pair Ip)]. apply incl_appr, incl_refl.
    + exact A.
    + apply incl_appl, incl_refl.
    + intros c Gc. rewrite P. exact (kept_run dictionary setup curve certificates s table before kept stands _ _ _ Gc B D T).
    + exists written, head0, pieces0, head, pieces. split; [|split; [exact K|split; [rewrite <- P; exact K'|]]].
      * rewrite (left _ R). exact (head_left _ _ _ _ _ _ fits A).
      * apply (grows append_only content); [exact G|rewrite P; exact K].
Qed.

End Step.

(** ** States *)

Section States.

Variables (creators : list ByteString) (certificates added : list AcceptedCertificate) (before after : KeyMap) (table : ByteString) (s : TableSchema).
Hypothesis kept : tables_kept dictionary setup curve certificates before.
Hypothesis leads : leads_to dictionary setup curve creators before added after.
Hypothesis legal : name_legal table = true /\ seq_length table < 2 ^ 8.
Hypothesis stands : schema_stands before table s.

(** The last step on the way. *)
Lemma last_step : forall accepted between tx more x end', leads_to dictionary setup curve creators before accepted between ->
  table_allowed dictionary setup curve creators tx more -> map_operations between (operations tx) x = Ok end' ->
  tables_kept dictionary setup curve (certificates ++ accepted) between /\ map_of_bytes end' /\ table_step dictionary setup curve more between end'.
Proof.
  intros accepted between tx more x end' L A E. pose proof (states_keep_tables _ _ _ _ _ _ _ _ kept L) as K. split; [exact K|].
  pose proof A as (? & ? & ? & ? & ? & O & _). split; [exact (operations_keep_bytes _ _ _ _ O (kept_bytes _ _ _ _ _ K) E)|].
  exact (transaction_steps _ _ _ _ _ _ _ _ _ A E).
Qed.

Theorem closed_runs_stay : forall k place, of_bytes k -> key_of_run s k place -> place_table place = table -> closed s place ->
  key_map_get after k = key_map_get before k.
Proof.
  intros k place O K T C. enough (G : key_map_get after k = key_map_get before k /\ exists s', schema_stands after table s' /\ schema_follows s s')
    by apply G.
  induction leads as [|accepted between tx more x after' L IH A E]; [split; [reflexivity|]; exists s; split; [exact stands|apply
    schema_follows_itself]|].
  destruct (IH L) as (G & s' & S & follows). destruct (last_step _ _ _ _ _ _ L A E) as (kept' & bytes & step). split.
  - rewrite <- G. apply (closed_runs_left more between after' table s' step S k place); [exact O| |exact T|].
    + eapply key_of_run_alike; [apply follows|exact K].
    + eapply closed_follows; eassumption.
  - destruct (schema_after (certificates ++ accepted) more between after' table s' kept' bytes step legal S) as (s'' & S' & follows').
    exists s''. split; [exact S'|]. eapply schema_follows_on; eassumption.
Qed.

Hypothesis append_only : schema_flags s = 1.

Theorem append_only_segments_stay : forall k segment content, decode_table_key s k = Ok (TableKey_SegmentKey segment) ->
  place_table (segment_place_run segment) = table -> key_map_get before k = Some content -> key_map_get after k = Some content.
Proof.
  intros k segment content D T Gk. enough (G : key_map_get after k = Some content /\ exists s', schema_stands after table s' /\ schema_follows s s')
    by apply G.
  induction leads as [|accepted between tx more x after' L IH A E]; [split; [exact Gk|]; exists s; split; [exact stands|apply schema_follows_itself]|].
  destruct (IH L) as (G & s' & S & follows). destruct (last_step _ _ _ _ _ _ L A E) as (kept' & bytes & step). split.
  - apply (append_only_segments_left (certificates ++ accepted) more between after' table s' kept' step S) with (segment := segment); [|rewrite
      (decoded_alike s s') by apply follows; exact D|exact T|exact G].
    destruct follows as (_ & flags & _). congruence.
  - destruct (schema_after (certificates ++ accepted) more between after' table s' kept' bytes step legal S) as (s'' & S' & follows').
    exists s''. split; [exact S'|]. eapply schema_follows_on; eassumption.
Qed.

Theorem append_only_runs_grow : forall k place content head pieces, decode_table_key s k = Ok (TableKey_HeadKey place) -> place_table place = table ->
  is_table_key k -> key_map_get before k = Some content -> run_kept dictionary setup curve certificates before table s place content head pieces ->
  exists s' content' head' pieces', schema_stands after table s' /\ schema_follows s s' /\ key_map_get after k = Some content' /\
    run_kept dictionary setup curve (certificates ++ added) after table s' place content' head' pieces' /\ grown head pieces head' pieces'.
Proof.
  intros k place content head pieces D T B Gk K.
  induction leads as [|accepted between tx more x after' L IH A E].
  { rewrite app_nil_r. exists s, content, head, pieces. split; [exact stands|]. split; [apply schema_follows_itself|]. split; [exact Gk|]. split;
    [exact K|].
    split; [reflexivity|]. split; [reflexivity|]. exists []. now rewrite app_nil_r. }
  destruct (IH L) as (s' & content' & head' & pieces' & S & follows & G & K' & (V & R & put & ->)). destruct (last_step _ _ _ _ _ _ L A E) as (kept'
    & bytes & step).
  destruct (schema_after (certificates ++ accepted) more between after' table s' kept' bytes step legal S) as (s'' & S' & follows').
  assert (D' : decode_table_key s' k = Ok (TableKey_HeadKey place)) by (rewrite (decoded_alike s s') by apply follows; exact D).
  assert (flags : schema_flags s' = 1) by (destruct follows as (_ & flags & _); congruence).
  destruct (append_only_heads_grow (certificates ++ accepted) more between after' table s' kept' bytes step S flags k place content' D' T B G)
    as (content2 & head1 & pieces1 & head2 & pieces2 & G2 & K1 & K2 & (V2 & R2 & put2 & ->)).
  destruct (run_kept_once _ _ _ _ _ _ _ _ _ _ _ _ _ _ K' K1) as [<- <-].
  exists s'', content2, head2, ((pieces ++ put) ++ put2). split; [exact S'|]. split; [eapply schema_follows_on; eassumption|]. split; [exact G2|].
    split.
  - rewrite app_assoc. eapply kept_alike; [apply follows'|exact K2].
  - split; [congruence|]. split; [congruence|]. exists (put ++ put2). apply app_assoc_reverse.
Qed.

End States.

End ClosedRuns.

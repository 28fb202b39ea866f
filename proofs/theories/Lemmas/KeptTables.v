(** Maps whose tables are kept, and transactions under the policy `tables` that keep them so.

    - [tables_kept]: each key of a table is one of a schema that stands, and each head is that of a run that is kept;
    - [transaction_steps]: what an allowed transaction does to a map;
    - [transaction_keeps_tables], [states_keep_tables]: it leaves such a map such a map, and so do allowed transactions one after the other. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Dictionary.KeyMap Block.Rejection
  Block.Operation
  Block.Transaction Block.Map Decoding.SignedDecoder Table.TableSchema Table.SchemaLegality Table.SchemaDecoder Table.TableKey Table.TablePolicy
    Table.RunRecord Table.RunSegments
  Policy.PolicyReason Policy.TableSteps Policy.TableWrite Policy.TableSheets Policy.TableCovered Policy.TableJudge Policy.TableMade Policy.Tables
  Policy.CheckPolicy.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.KeyMap Safety.BoundsSafe Lemmas.Field Lemmas.Readers
  Lemmas.TableSchemas Lemmas.TableHeads Lemmas.StepContents Lemmas.WrittenSteps Lemmas.JudgedSteps Lemmas.JudgedRuns Lemmas.KeptRuns
  Lemmas.TableTransactions Spec.Policy.CheckPolicy.
From Aardvark Require Spec.Table.TableKey.
Import ListNotations.
Local Open Scope N_scope.

Section KeptTables.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variables (dictionary : ByteString) (setup : KzgSetup) (curve : ByteString -> G1).

(** ** Maps *)

Definition schema_stands (entries : KeyMap) (table : ByteString) (s : TableSchema) : Prop :=
  exists content, key_map_get entries (schema_key table) = Some content /\ decode_schema content = Ok s.

(** A key of a table, with its content: one of a schema that stands, and if it is that of a head, its run is kept. *)
Definition key_kept (certificates : list AcceptedCertificate) (entries : KeyMap) (k content : ByteString) : Prop :=
  exists table s key, schema_stands entries table s /\ decode_table_key s k = Ok key /\ TableKey.key_table key = table /\
    match key with
    | TableKey_HeadKey place => exists head pieces, run_kept dictionary setup curve certificates entries table s place content head pieces
    | _ => True
    end.

(** Whether a key begins as those of tables. *)
Definition is_table_key (k : ByteString) : Prop := hd_error k = Some TABLE_KEY_BYTE.

Record tables_kept (certificates : list AcceptedCertificate) (entries : KeyMap) : Prop := {
  kept_bytes : map_of_bytes entries;
  kept_keys : forall k content, key_map_get entries k = Some content -> is_table_key k -> key_kept certificates entries k content;
}.

Lemma schema_stands_once : forall entries table s s', schema_stands entries table s -> schema_stands entries table s' -> s = s'.
Proof. intros entries table s s' (c & E & D) (c' & E' & D'). rewrite E in E'. injection E' as <-. congruence. Qed.

Lemma kept_alike : forall certificates entries table s s' place content head pieces, schemas_alike s s' ->
  run_kept dictionary setup curve certificates entries table s place content head pieces ->
  run_kept dictionary setup curve certificates entries table s' place content head pieces.
Proof.
  intros certificates entries table s s' place content head pieces (K & V & D) [].
  assert (M : column_moments s' (place_column place) = column_moments s (place_column place)) by (unfold column_moments; now rewrite V).
  assert (A : about_table_column dictionary table s' (place_column place) = about_table_column dictionary table s (place_column place)).
  { unfold about_table_column, column_bits, column_cap, column_moments. now rewrite V, D. }
  constructor; rewrite ?M, ?A; assumption.
Qed.

(** ** Transactions that change a schema *)

Lemma create_keeps : forall certificates table written s before after, name_legal table = true -> seq_length table < 2 ^ 8 ->
  tables_kept certificates before -> map_of_bytes after -> key_map_get before (schema_key table) = None -> decode_schema written = Ok s ->
  schema_put table written before after -> tables_kept certificates after.
Proof.
  intros certificates table written s before after legal short [B K] B' absent D G. constructor; [exact B'|]. intros k content Gk T. rewrite G in Gk.
    destruct (bytes_equal_spec (schema_key table) k) as [<-|other].
  - exists table, s, (TableKey_SchemaKey table). injection Gk as <-. split; [|split; [now apply schema_key_decoded|split; [reflexivity|exact I]]].
    exists written. rewrite G, bytes_equal_refl. auto.
  - destruct (K k content Gk T) as (table' & s' & key & (c & Gs & Ds) & Dk & Tk & R). exists table', s', key.
    assert (same : forall q, key_map_get before q <> None -> key_map_get after q = key_map_get before q).
    { intros q P. rewrite G. destruct (bytes_equal_spec (schema_key table) q) as [<-|]; [contradiction|reflexivity]. }
    split; [exists c; split; [rewrite same by (rewrite Gs; discriminate); exact Gs|exact Ds]|]. split; [exact Dk|]. split; [exact Tk|].
    destruct key as [|place|]; try exact I. destruct R as (head & pieces & R). exists head, pieces. eapply kept_elsewhere; [apply incl_refl| |exact
      R]. intros number _ _ _. apply same.
Qed.

Lemma seal_keeps : forall certificates table required written s sealed before after, name_legal table = true -> seq_length table < 2 ^ 8 ->
  tables_kept certificates before -> map_of_bytes after -> key_map_get before (schema_key table) = Some required -> decode_schema required = Ok s ->
  decode_schema written = Ok sealed -> watermark_grew s sealed = true -> schema_put table written before after -> tables_kept certificates after.
Proof.
  intros certificates table required written s sealed before after legal short [B K] B' present D D' Gr G.
  assert (written_stands : key_map_get after (schema_key table) = Some written) by now rewrite G, bytes_equal_refl.
  destruct (seal_alike required written s sealed (proj2 (B _ _ present)) (proj2 (B' _ _ written_stands)) D D' Gr) as (alike & _).
  constructor; [exact B'|]. intros k content Gk T. rewrite G in Gk. destruct (bytes_equal_spec (schema_key table) k) as [<-|other].
  - exists table, sealed, (TableKey_SchemaKey table). injection Gk as <-. split; [|split; [now apply schema_key_decoded|split; [reflexivity|exact I]]].
    exists written. auto.
  - destruct (K k content Gk T) as (table' & s' & key & Ss & Dk & Tk & R). pose proof (proj1 (B _ _ Gk)) as Ob.
    assert (segments : forall place revision number, key = TableKey_HeadKey place -> revision < 2 ^ 32 -> 1 <= number -> number < 2 ^ 32 ->
      key_map_get after (segment_key place revision number) = key_map_get before (segment_key place revision number)).
    { intros place revision number Q V N1 N2. rewrite G. destruct (bytes_equal_spec (schema_key table) (segment_key place revision number)) as
      [same|]; [|reflexivity].
      exfalso. pose proof (schema_key_decoded s' table legal short) as X. rewrite same in X. unfold segment_key in X. subst key.
      apply (TableKey.decode_table_key_iff s' k _ Ob) in Dk as [P _]. rewrite TableKey.decode_encoded_table_key in X by (cbn in *; auto).
        discriminate. }
    destruct (bytes_equal_spec (schema_key table) (schema_key table')) as [same|differ].
    + assert (s' = s) as ->.
      { eapply schema_stands_once; [exact Ss|]. exists required. rewrite <- same. auto. }
      exists table', sealed, key. split; [exists written; rewrite <- same; auto|]. split; [rewrite (decoded_alike s) by exact alike; exact Dk|].
        split; [exact Tk|].
      destruct key as [|place|]; try exact I. destruct R as (head & pieces & R). exists head, pieces. apply (kept_alike certificates after table' s);
        [exact alike|].
      eapply kept_elsewhere; [apply incl_refl| |exact R]. intros number V N1 N2 _. now apply segments.
    + exists table', s', key. destruct Ss as (c & Gs & Ds). split.
      { exists c. rewrite G. apply bytes_equal_false in differ. rewrite differ. auto. }
      split; [exact Dk|]. split; [exact Tk|]. destruct key as [|place|]; try exact I. destruct R as (head & pieces & R). exists head, pieces.
      eapply kept_elsewhere; [apply incl_refl| |exact R]. intros number V N1 N2 _. now apply segments.
Qed.

(** ** Transactions that change runs *)

Section Runs.

Variables (certificates added : list AcceptedCertificate) (s : TableSchema) (table : ByteString) (points : list TablePoint).
Variables (pairs : list (CoveredSegment * PlacedSegment)) (before after : KeyMap) (steps : list TableStep).
Hypothesis legal : name_legal table = true /\ seq_length table < 2 ^ 8.
Hypothesis kept : tables_kept certificates before.
Hypothesis after_bytes : map_of_bytes after.
Hypothesis true_points : Forall (true_point curve) points.
Hypothesis pinned : schema_stands before table s.
Hypothesis follows : followed s table before steps after.
Hypothesis complete : last_settled steps = true.
Hypothesis judged : Forall (step_judged s points pairs) steps.
Hypothesis covered : forall pair, In pair pairs -> certified_by setup added (about_table_column dictionary table s (covered_column (fst pair)))
  (placed_item (snd pair)) (placed_link (snd pair)).

Lemma all_settled : forall read, In read steps -> step_settled read = true.
Proof.
  intros read I. unfold last_settled in complete. apply andb_true_iff in complete as [some last]. apply N.ltb_lt in some.
  destruct (some_steps _ some) as (earlier & l & E). pose proof (followed_settled _ _ _ _ _ follows earlier l E) as all. rewrite E, last_of in last.
  rewrite E in I. apply in_app_or in I as [I|[<-|[]]]; [|exact last]. rewrite Forall_forall in all. now apply all.
Qed.

(** A schema stays. *)
Lemma schema_stays : forall table' s', name_legal table' = true -> seq_length table' < 2 ^ 8 -> schema_stands before table' s' -> schema_stands after
  table' s'.
Proof.
  intros table' s' L B (c & G & D). exists c. split; [|exact D]. rewrite (followed_content _ _ _ _ _ follows), <- G.
  apply (steps_untouched s table before); [exact (followed_fits _ _ _ _ _ follows)|]. intros read _ E. unfold run_of_key in E.
  rewrite schema_key_decoded in E by assumption. discriminate.
Qed.

(** What is kept of a head of the table. *)
Lemma kept_run : forall k place content, key_map_get before k = Some content -> is_table_key k -> decode_table_key s k = Ok (TableKey_HeadKey place) ->
  place_table place = table -> exists head pieces, run_kept dictionary setup curve certificates before table s place content head pieces.
Proof.
  intros k place content G T D E. destruct (kept_keys _ _ kept k content G T) as (table' & s' & key & S & D' & Tk & R).
  pose proof (one_table _ _ _ _ _ D D') as same. cbn [TableKey.key_table] in same. assert (table' = table) as -> by congruence.
  rewrite (schema_stands_once _ _ _ _ S pinned) in *. rewrite D in D'. injection D' as <-. exact R.
Qed.

Lemma touched_kept : forall read k content, In read steps -> run_of_key s k = Some (step_head read) -> key_map_get after k = Some content ->
  is_table_key k ->
  key_kept (certificates ++ added) after k content.
Proof.
  intros read k content I R G T. pose proof (proj1 (after_bytes _ _ G)) as O.
  pose proof (followed_fits _ _ _ _ _ follows) as all. rewrite Forall_forall in all. pose proof (all read I) as fits.
  assert (left : forall q, run_of_key s q = Some (step_head read) -> key_map_get after q = step_content read q (key_map_get before q)).
  { intros q Q. rewrite (followed_content _ _ _ _ _ follows). apply (step_among s table before); [exact (followed_fits _ _ _ _ _ follows)|exact
    (followed_heads _ _ _ _ _ follows)|exact I|exact Q]. }
  assert (stands : schema_stands after table s) by (apply schema_stays; [apply legal|apply legal|exact pinned]).
  destruct (step_of_key s table before read k fits O R) as [[-> D]|(segment & D & P)].
  2:{ exists table, s, (TableKey_SegmentKey segment). split; [exact stands|]. split; [exact D|]. split; [|exact Logic.I]. cbn. rewrite P. exact
    (fits_table _ _ _ _ fits). }
  exists table, s, (TableKey_HeadKey (step_place read)). split; [exact stands|]. split; [exact D|]. split; [exact (fits_table _ _ _ _ fits)|].
  assert (earlier : forall c, key_map_get before (step_head read) = Some c ->
    exists head pieces, run_kept dictionary setup curve certificates before table s (step_place read) c head pieces).
  { intros c Gc. exact (kept_run _ _ _ Gc T D (fits_table _ _ _ _ fits)). }
  pose proof (proj1 (Forall_forall _ _) judged read I) as J.
  destruct (step_after read) as [|written|] eqn:A.
  - pose proof (left _ R) as Lk. pose proof (fits_stage _ _ _ _ fits) as stage. unfold stage_fits in stage. pose proof (all_settled read I) as settled.
    unfold step_settled in settled. destruct (step_stage read); try discriminate. rewrite A in stage. destruct stage as [_ none].
    assert (stood : key_map_get before (step_head read) = Some content).
    { rewrite <- G, Lk. unfold step_content, head_content. rewrite A, none. cbn [fold_left]. symmetry. apply deleted_untouched.
      eapply Forall_impl; [|exact (fits_deleted _ _ _ _ fits)]. intros d (segment & Ds & _) E. rewrite E, D in Ds. discriminate. }
    destruct (earlier content stood) as (head & pieces & K). exists head, pieces. unfold step_judged in J. cbv zeta in J. rewrite A in J.
    destruct J as (standing & E & Jd). pose proof (fits_before _ _ _ _ fits) as B. rewrite stood in B. rewrite <- B in E. cbn [decode_standing] in E.
    destruct (decode_long_head points content _) as [head'|] eqn:E'; [|discriminate]. injection E as <-. cbn [option_map] in Jd.
    destruct (head_decoded curve _ _ _ _ true_points (proj2 (after_bytes _ _ G)) E') as (Hf & He & _).
    assert (head' = head) as ->.
    { eapply head_injective; [exact Hf|exact (kept_fits _ _ _ _ _ _ _ _ _ _ _ K)|]. rewrite <- He. exact (kept_head _ _ _ _ _ _ _ _ _ _ _ K). }
    eapply kept_elsewhere; [apply incl_appl, incl_refl| |exact K]. intros number V N1 N2 present.
    pose proof (proj1 (TableKey.decode_table_key_iff s _ _ O) D) as [P Q].
    assert (Dq : decode_table_key s (segment_key (step_place read) (long_revision head) number) = Ok (TableKey_SegmentKey
      {| segment_place_run := step_place read; segment_place_revision := long_revision head; segment_place_number := number |})).
    { unfold segment_key. apply TableKey.decode_encoded_table_key. cbn in *. auto. }
    rewrite left by (unfold run_of_key; rewrite Dq; cbn [segment_place_run]; now rewrite Q).
    apply (segment_left s table before read _ _ _ fits Dq); [|exact present]. eapply standing_kept; [exact Jd|exact Dq|reflexivity].
  - assert (content = written) as ->.
    { rewrite left in G by exact R. rewrite (head_left _ _ _ _ _ _ fits A) in G. congruence. }
    destruct (put_kept dictionary setup curve s table points pairs before after read (certificates ++ added) written true_points (kept_bytes _ _
      kept) after_bytes fits
      (all_settled read I) left J) with (earlier := certificates) as (head & pieces & K & _); [|exact A| |exact earlier|now exists head, pieces].
    + intros pair Ip. eapply certified_more; [|exact (covered pair Ip)]. apply incl_appr, incl_refl.
    + apply incl_appl, incl_refl.
  - exfalso. rewrite left in G by exact R. unfold step_content, head_content in G. rewrite A, bytes_equal_refl, deleted_stays in G. discriminate.
Qed.

Lemma untouched_kept : forall k content, (forall read, In read steps -> run_of_key s k <> Some (step_head read)) -> key_map_get after k = Some
  content -> is_table_key k ->
  key_kept (certificates ++ added) after k content.
Proof.
  intros k content free G T. pose proof (followed_fits _ _ _ _ _ follows) as all. rewrite (followed_content _ _ _ _ _ follows) in G.
  rewrite (steps_untouched s table before) in G by assumption. destruct (kept_bytes _ _ kept _ _ G) as [O _].
  destruct (kept_keys _ _ kept k content G T) as (table' & s' & key & S & D & Tk & R). exists table', s', key.
  destruct (decoded_named _ _ _ O D) as [L B]. rewrite Tk in L, B. split; [now apply schema_stays|]. split; [exact D|]. split; [exact Tk|].
  destruct key as [|place|]; try exact I. destruct R as (head & pieces & K). exists head, pieces. cbn [TableKey.key_table] in Tk.
  eapply kept_elsewhere; [apply incl_appl, incl_refl| |exact K]. intros number V N1 N2 present. rewrite (followed_content _ _ _ _ _ follows).
  apply (steps_untouched s table before); [exact all|]. intros read I E. rewrite Forall_forall in all. pose proof (all read I) as fits.
  pose proof (proj1 (TableKey.decode_table_key_iff s' _ _ O) D) as [P Q].
  assert (Dq : decode_table_key s' (segment_key place (long_revision head) number) = Ok (TableKey_SegmentKey
    {| segment_place_run := place; segment_place_revision := long_revision head; segment_place_number := number |})).
  { unfold segment_key. apply TableKey.decode_encoded_table_key. cbn in *. auto. }
  assert (Oq : of_bytes (segment_key place (long_revision head) number)).
  { destruct (key_map_get before (segment_key place (long_revision head) number)) as [v|] eqn:Gq; [|contradiction]. exact (proj1 (kept_bytes _ _ kept
    _ _ Gq)). }
  assert (same : table' = table -> s' = s).
  { intros ->. eapply schema_stands_once; [exact S|exact pinned]. }
  destruct (step_of_key s table before read _ fits Oq E) as [[_ D']|(segment & D' & Pr)].
  - pose proof (one_table _ _ _ _ _ Dq D') as tables. cbn in tables. rewrite (fits_table _ _ _ _ fits), Tk in tables. rewrite (same tables), D' in
      Dq. discriminate.
  - pose proof (one_table _ _ _ _ _ Dq D') as tables. cbn in tables. rewrite Pr, (fits_table _ _ _ _ fits), Tk in tables.
    apply (free read I). unfold run_of_key in E |- *. rewrite (same tables) in D, Dq. rewrite Dq in E. cbn [segment_place_run] in E. rewrite D, Q.
      exact E.
Qed.

Theorem runs_keep : tables_kept (certificates ++ added) after.
Proof.
  constructor; [exact after_bytes|]. intros k content G T. destruct (run_of_key s k) as [h|] eqn:R.
  - destruct (in_dec bytes_dec h (map step_head steps)) as [I|N].
    + apply in_map_iff in I as (read & <- & I). now apply (touched_kept read).
    + apply untouched_kept; [|exact G|exact T]. intros read I E. rewrite R in E. injection E as ->. apply N. now apply in_map.
  - apply untouched_kept; [|exact G|exact T]. intros read _ E. rewrite R in E. discriminate.
Qed.

End Runs.

(** ** Allowed transactions *)

(** A transaction that the policy lets pass, and the certificates that it accepts with it: the points of which it has encodings are given, and what
    the bytes of its certificates are. *)
Definition table_allowed (creators : list ByteString) (tx : Transaction) (added : list AcceptedCertificate) : Prop :=
  exists signed_by items points meanings sheets,
    Forall operation_of_bytes (operations tx) /\ Forall (true_point curve) points /\
    check_policy (Policy_PolicyTables creators) tx signed_by items = Ok tt /\
    judge_tables dictionary tx items points = Ok sheets /\
    certify_policy (Policy_PolicyTables creators) setup dictionary tx items points meanings = Ok tt /\
    added = combine sheets meanings.

(** What such a transaction does to a map. *)
Inductive table_step (added : list AcceptedCertificate) (before after : KeyMap) : Prop :=
| step_creates : forall table written s,
    name_legal table = true -> seq_length table < 2 ^ 8 -> added = [] ->
    key_map_get before (schema_key table) = None -> decode_schema written = Ok s -> schema_put table written before after ->
    table_step added before after
| step_seals : forall table required written s sealed,
    name_legal table = true -> seq_length table < 2 ^ 8 -> added = [] ->
    key_map_get before (schema_key table) = Some required -> decode_schema required = Ok s -> decode_schema written = Ok sealed ->
    watermark_grew s sealed = true -> schema_put table written before after ->
    table_step added before after
| step_writes : forall table s points pairs steps,
    name_legal table = true -> seq_length table < 2 ^ 8 -> Forall (true_point curve) points ->
    schema_stands before table s -> followed s table before steps after -> last_settled steps = true -> Forall (step_judged s points pairs) steps ->
    (forall pair, In pair pairs -> certified_by setup added (about_table_column dictionary table s (covered_column (fst pair)))
      (placed_item (snd pair)) (placed_link (snd pair))) ->
    table_step added before after.

Lemma first_required : forall first rest before x after required, action first = Action_RequireValue required ->
  map_operations before (first :: rest) x = Ok after -> key_map_get before (operation_key first) = Some required.
Proof.
  intros first rest before x after required A. revert after. change (first :: rest) with ([first] ++ rest).
  induction rest as [|o rest IH] using rev_ind; intros after E.
  - rewrite app_nil_r in E. change [first] with ([] ++ [first]) in E. apply map_operations_snoc in E as (m & c & Em & R & _). injection Em as <-.
      rewrite A in R.
    cbn [run_action] in R. now apply required_content in R.
  - rewrite app_assoc in E. apply map_operations_snoc in E as (m & c & Em & _). exact (IH _ Em).
Qed.

Theorem transaction_steps : forall creators tx added before x after, table_allowed creators tx added ->
  map_operations before (operations tx) x = Ok after -> table_step added before after.
Proof.
  intros creators tx added before x after (signed_by & items & points & meanings & sheets & O & P & A & J & H & ->) E.
  apply check_policy_iff in A as [C V]. cbn [check_signed check_brought certify_policy] in C, V, H.
  unfold check_tables in C. unfold check_tables_covered in V. unfold judge_tables in J.
  destruct (read_table_write (operations tx)) as [write|] eqn:W; [|discriminate]. destruct (write_read _ _ O W) as (table & legal & short & shape).
  destruct write as [|sealed|runs].
  - destruct shape as (written & s & shape & D & _). injection J as <-. destruct (schema_written _ _ _ _ _ _ _ shape E) as [A G].
    exact (step_creates _ _ _ table written s legal short eq_refl A D G).
  - destruct shape as (required & written & s & shape & D & D' & grew). injection J as <-. destruct (schema_written _ _ _ _ _ _ _ shape E) as [A G].
    exact (step_seals _ _ _ table required written s sealed legal short eq_refl A D D' grew G).
  - destruct shape as (<- & first & rest & required & Qi & Kf & Af & D & R & L).
    destruct (judge_runs runs points) as [placed|] eqn:Jr; [|discriminate]. injection J as <-. rewrite Qi in E, R.
    assert (follows : followed (written_schema runs) (written_table runs) before (written_steps runs) after).
    { eapply steps_followed; [|exact R|exact E]. right. now exists required. }
    assert (puts : Forall puts_segments (written_steps runs)).
    { apply Forall_forall. intros read I. pose proof (followed_fits _ _ _ _ _ follows) as all. rewrite Forall_forall in all. pose proof (fits_stage _
      _ _ _ (all read I)) as stage.
      pose proof (all_settled _ _ _ _ _ follows L read I) as settled. unfold stage_fits in stage. unfold step_settled in settled. unfold puts_segments.
      destruct (step_stage read); try discriminate. destruct (step_after read); [apply stage|exact Logic.I|apply stage]. }
    destruct (steps_judged runs points placed puts Jr) as (pairs & Pairs & judged).
    apply (step_writes _ _ _ (written_table runs) (written_schema runs) points pairs (written_steps runs)); try assumption.
    + exists required. split; [|exact D]. rewrite <- Kf. exact (first_required _ _ _ _ _ _ Af E).
    + intros pair I. destruct (segments_covered dictionary runs placed pairs items Pairs V pair I) as (sheet & Is & about & inside).
      assert (holds : sheets_hold setup (sheets_of_runs dictionary runs placed items) meanings = true).
      { unfold certify_tables, judge_tables in H. rewrite W, Jr in H. destruct (negb _); [discriminate|]. destruct (sheets_hold _ _ _);
        [reflexivity|discriminate]. }
      destruct (sheets_hold_each _ _ _ holds sheet Is) as (meaning & Im & Hm). exists sheet, meaning. auto.
Qed.

Theorem step_keeps_tables : forall certificates added before after, tables_kept certificates before -> map_of_bytes after -> table_step added before
  after ->
  tables_kept (certificates ++ added) after.
Proof.
  intros certificates added before after K B [table written s legal short -> A D G|table required written s sealed legal short -> A D D' grew G|
    table s points pairs steps legal short P S follows L judged covered]; rewrite ?app_nil_r.
  - exact (create_keeps _ _ _ _ _ _ legal short K B A D G).
  - exact (seal_keeps _ _ _ _ _ _ _ _ legal short K B A D D' grew G).
  - apply (runs_keep certificates added s table points pairs before after steps); try assumption. split; assumption.
Qed.

Theorem transaction_keeps_tables : forall creators certificates tx added before x after,
  tables_kept certificates before -> table_allowed creators tx added -> map_operations before (operations tx) x = Ok after ->
  tables_kept (certificates ++ added) after.
Proof.
  intros creators certificates tx added before x after K A E. pose proof A as (? & ? & ? & ? & ? & O & _).
  exact (step_keeps_tables _ _ _ _ K (operations_keep_bytes _ _ _ _ O (kept_bytes _ _ K) E) (transaction_steps _ _ _ _ _ _ A E)).
Qed.

(** ** States that allowed transactions lead to *)

(** Allowed transactions, one after the other, lead from a map to a map; the certificates are those that were accepted with them. *)
Inductive leads_to (creators : list ByteString) (before : KeyMap) : list AcceptedCertificate -> KeyMap -> Prop :=
| leads_nowhere : leads_to creators before [] before
| leads_on : forall certificates between tx added x after,
    leads_to creators before certificates between -> table_allowed creators tx added -> map_operations between (operations tx) x = Ok after ->
    leads_to creators before (certificates ++ added) after.

Theorem states_keep_tables : forall creators certificates before added after, tables_kept certificates before -> leads_to creators before added after ->
  tables_kept (certificates ++ added) after.
Proof.
  intros creators certificates before added after K L. induction L as [|accepted between tx more x after L IH A E]; [now rewrite app_nil_r|].
  rewrite app_assoc. exact (transaction_keeps_tables _ _ _ _ _ _ _ IH A E).
Qed.

Lemma leads_through : forall creators before certificates between more after, leads_to creators before certificates between ->
  leads_to creators between more after -> leads_to creators before (certificates ++ more) after.
Proof.
  intros creators before certificates between more after L L'. induction L' as [|accepted m tx added x after L' IH A E]; [now rewrite app_nil_r|].
  rewrite app_assoc. exact (leads_on _ _ _ _ _ _ _ _ IH A E).
Qed.

(** Each transaction of a list is allowed, and these are the certificates that are accepted with them. *)
Definition all_allowed (creators : list ByteString) (items : list Transaction) (certificates : list AcceptedCertificate) : Prop :=
  exists parts, Forall2 (table_allowed creators) items parts /\ certificates = concat parts.

Lemma block_leads : forall creators items certificates before after, all_allowed creators items certificates ->
  map_transactions before items = Ok after -> leads_to creators before certificates after.
Proof.
  intros creators items certificates before after (parts & allowed & ->). revert parts allowed after.
  induction items as [|tx items IH] using rev_ind; intros parts allowed after E.
  - inversion allowed; subst. cbn in E. injection E as <-. constructor.
  - apply Forall2_app_inv_l in allowed as (l & l' & A & A' & ->). inversion A' as [|? added ? rest A1 A2]; subst. inversion A2; subst.
    rewrite concat_app. cbn [concat]. rewrite app_nil_r. unfold map_transactions in E. rewrite seq_length_app in E. change (seq_length [tx]) with 1
      in E.
    rewrite range_snoc in E by lia. rewrite fold_left_app in E. cbn [fold_left] in E.
    rewrite (fold_left_same _ _ _ (fun run x => map_transactions_step run (seq_at items x) x)) in E.
    2:{ intros acc j I. apply in_range in I. rewrite seq_at_app. destruct (N.ltb_spec j (seq_length items)); [reflexivity|lia]. }
    rewrite seq_at_app in E. destruct (N.ltb_spec (seq_length items) (seq_length items)); [lia|]. rewrite N.sub_diag in E.
    change (seq_at [tx] 0) with tx in E. unfold map_transactions_step at 1 in E.
    destruct (fold_left _ (range 0 (seq_length items)) (Ok before)) as [between|] eqn:R; [|discriminate].
    eapply leads_on; [apply (IH l A); exact R|exact A1|exact E].
Qed.

End KeptTables.

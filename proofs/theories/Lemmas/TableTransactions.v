(** Transactions that write to tables: the tables that keys are of, which shapes transactions have, and what they do to a schema and to runs.

    - [one_table], [decoded_alike]: a key is of one table, and is read alike under schemas that are alike;
    - [operations_keep_bytes]: operations of bytes leave a map of bytes such a map;
    - [write_read], [schema_written], [seal_alike]: the shape of a write that is read, and what a change of a schema does;
    - [step_among], [step_of_key]: a step leaves the keys of its run what it leaves alone. *)
From Coq Require Import NArith List Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Dictionary.KeyMap Block.Rejection Block.Operation Block.Map
  Table.TableSchema Table.SchemaLegality Table.SchemaDecoder Table.TableKey Table.TablePolicy Policy.PolicyReason Policy.TableSteps
  Policy.TableWrite Policy.TableJudge.
From Aardvark Require Import Lemmas.WellFormed Spec.Base.Bytes Spec.Dictionary.KeyMap Safety.BoundsSafe Lemmas.Field Lemmas.Readers
  Lemmas.TableSchemas Lemmas.StepContents Lemmas.WrittenSteps Lemmas.KeptRuns.
Import ListNotations.
Local Open Scope N_scope.

Section TableTransactions.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Keys *)

Definition schema_key (table : ByteString) : ByteString := encode_table_key (TableKey_SchemaKey table).

Lemma prefix_read : forall bytes table rest, of_bytes bytes -> read_table_prefix bytes = Ok (table, rest) ->
  name_legal table = true /\ seq_length table < 2 ^ 8 /\ bytes = table_prefix table ++ rest.
Proof.
  intros bytes table rest O E. unfold read_table_prefix in E. destruct (number_of_key bytes 1) as [[first after]|] eqn:E1; [|discriminate].
  apply TableKey.number_of_key_ok in E1; [|lia|exact O]. destruct E1 as (_ & -> & O1).
  destruct (expect_key (first =? _) _) eqn:E2; [|discriminate]. apply TableKey.expect_key_ok, N.eqb_eq in E2. subst first.
  destruct (number_of_key after 1) as [[count after']|] eqn:E3; [|discriminate]. apply TableKey.number_of_key_ok in E3; [|lia|exact O1].
  destruct E3 as (C & -> & O2). destruct (take_of_key after' count) as [[name rest']|] eqn:E4; [|discriminate].
  apply TableKey.take_of_key_ok in E4; [|exact O2]. destruct E4 as (<- & -> & _).
  destruct (expect_key (name_legal name) _) eqn:E5; [|discriminate]. apply TableKey.expect_key_ok in E5. injection E as <- <-.
  split; [exact E5|]. split; [exact C|]. unfold table_prefix, bytes8. rewrite <- !app_assoc. reflexivity.
Qed.

Lemma decoded_prefix : forall s k key, decode_table_key s k = Ok key -> exists rest, read_table_prefix k = Ok (TableKey.key_table key, rest).
Proof.
  intros s k key E. unfold decode_table_key in E. destruct (read_table_prefix k) as [[table after]|] eqn:P; [|discriminate].
  destruct (number_of_key after 1) as [[part rest]|]; [|discriminate]. exists after. do 2 f_equal. unfold decode_key_part in E.
  assert (G : forall bytes place rest', read_run_place s table bytes = Ok (place, rest') -> place_table place = table).
  { intros bytes place rest' R. unfold read_run_place in R. destruct (number_of_key bytes 1) as [[? ?]|]; [|discriminate].
    destruct (expect_key _ _) in R; [|discriminate]. destruct (take_of_key _ _) as [[? ?]|] in R; [|discriminate]. destruct (check_key_parts _ _);
      [|discriminate].
    destruct (number_of_key _ 4) as [[? ?]|] in R; [|discriminate]. injection R as <- _. reflexivity. }
  destruct (part =? 1); [|destruct (part =? 2); [|destruct (2 <? part); [discriminate|destruct (_ =? 0) in E; [|discriminate]; injection E as <-;
    reflexivity]]].
  - unfold decode_head_key in E. destruct (read_run_place s table rest) as [[place r]|] eqn:R; [|discriminate]. destruct (expect_key _ _) in E;
      [|discriminate].
    injection E as <-. symmetry. exact (G _ _ _ R).
  - unfold decode_segment_key in E. destruct (read_run_place s table rest) as [[place r]|] eqn:R; [|discriminate].
    destruct (number_of_key r 4) as [[? ?]|]; [|discriminate]. destruct (number_of_key _ 4) as [[? ?]|] in E; [|discriminate].
    destruct (expect_key _ _) in E; [|discriminate]. destruct (expect_key _ _) in E; [|discriminate]. injection E as <-. symmetry. exact (G _ _ _ R).
Qed.

(** A key is of one table, whatever the schemas. *)
Lemma one_table : forall s s' k key key', decode_table_key s k = Ok key -> decode_table_key s' k = Ok key' -> TableKey.key_table key =
  TableKey.key_table key'.
Proof.
  intros s s' k key key' D D'. apply decoded_prefix in D as (r & D), D' as (r' & D'). rewrite D in D'. now injection D'.
Qed.

Lemma decoded_named : forall s k key, of_bytes k -> decode_table_key s k = Ok key -> name_legal (TableKey.key_table key) = true /\ seq_length
  (TableKey.key_table key) < 2 ^ 8.
Proof. intros s k key O D. apply decoded_prefix in D as (r & D). apply prefix_read in D as (A & B & _); auto. Qed.

Lemma schema_key_decoded : forall s table, name_legal table = true -> seq_length table < 2 ^ 8 ->
  decode_table_key s (schema_key table) = Ok (TableKey_SchemaKey table).
Proof. intros s table A B. apply TableKey.decode_encoded_table_key. split; assumption. Qed.

(** Whether two schemas differ in nothing that keys and certificates depend on. *)
Definition schemas_alike (s s' : TableSchema) : Prop :=
  schema_keys s = schema_keys s' /\ schema_values s = schema_values s' /\ schema_digest s = schema_digest s'.

Lemma decoded_alike : forall s s' k, schemas_alike s s' -> decode_table_key s' k = decode_table_key s k.
Proof.
  intros s s' k (K & V & _). unfold decode_table_key, decode_key_part, decode_head_key, decode_segment_key, read_run_place. rewrite K, V. reflexivity.
Qed.

(** ** Operations of bytes *)

Definition operation_of_bytes (o : Operation) : Prop :=
  of_bytes (operation_key o) /\
  match action o with
  | Action_RequireValue written | Action_Put written => of_bytes written
  | _ => True
  end.

Lemma operations_keep_bytes : forall items before x after, Forall operation_of_bytes items -> map_of_bytes before ->
  map_operations before items x = Ok after -> map_of_bytes after.
Proof.
  intros items. induction items as [|o items IH] using rev_ind; intros before x after O B E.
  - injection E as <-. exact B.
  - apply Forall_app in O as [O O']. apply Forall_inv in O' as [Ok' Ov]. apply map_operations_snoc in E as (between & content & E & A & ->).
    specialize (IH _ _ _ O B E). intros k v G. rewrite key_map_get_put in G. destruct (bytes_equal_spec (operation_key o) k) as [<-|]; [|now apply IH].
    split; [exact Ok'|]. subst content. destruct (action o) as [|required|written| |amount|amount]; cbn [run_action] in A.
    + apply required_content in A as [-> A]. discriminate.
    + apply required_content in A as [_ A]. symmetry in A. now apply IH in A.
    + injection A as ->. exact Ov.
    + discriminate.
    + unfold run_add in A. destruct (number_or_zero _); [|discriminate]. destruct (_ <? _); [discriminate|]. injection A as <-. apply big_endian_bytes.
    + unfold run_sub in A. destruct (number_present _); [|discriminate]. destruct (_ <? _); [discriminate|]. injection A as <-. apply big_endian_bytes.
Qed.

(** ** Shapes of transactions *)

Lemma schema_key_read : forall k, of_bytes k -> is_schema_key k = true ->
  exists table, read_table_prefix k = Ok (table, u8_bytes 0) /\ name_legal table = true /\ seq_length table < 2 ^ 8 /\ k = schema_key table.
Proof.
  intros k O E. unfold is_schema_key in E. destruct (read_table_prefix k) as [[table rest]|] eqn:P; [|discriminate]. apply bytes_equal_iff in E.
    subst rest.
  exists table. destruct (prefix_read _ _ _ O P) as (A & B & C). auto.
Qed.

(** A transaction that changes a schema. *)
Definition writes_schema (items : list Operation) (table : ByteString) (pinned : option ByteString) (written : ByteString) : Prop :=
  exists first second, items = [first; second] /\ operation_key first = schema_key table /\ operation_key second = schema_key table /\
    action first = match pinned with None => Action_RequireAbsent | Some required => Action_RequireValue required end /\ action second = Action_Put
      written.

Definition writes_runs (items : list Operation) (runs : RunsWrite) : Prop :=
  exists first rest required, items = first :: rest /\ operation_key first = schema_key (written_table runs) /\ action first = Action_RequireValue
    required /\
    decode_schema required = Ok (written_schema runs) /\ read_steps (written_schema runs) (written_table runs) items = Ok (written_steps runs) /\
    last_settled (written_steps runs) = true.

Lemma write_read : forall items write, Forall operation_of_bytes items -> read_table_write items = Ok write ->
  exists table, name_legal table = true /\ seq_length table < 2 ^ 8 /\
  match write with
  | TableWrite_WriteCreate => exists written s, writes_schema items table None written /\ decode_schema written = Ok s /\ schema_watermark s = []
  | TableWrite_WriteSeal sealed => exists required written s, writes_schema items table (Some required) written /\ decode_schema required = Ok s /\
      decode_schema written = Ok sealed /\ watermark_grew s sealed = true
  | TableWrite_WriteRuns runs => written_table runs = table /\ writes_runs items runs
  end.
Proof.
  intros items write O E. unfold read_table_write in E. destruct (N.ltb_spec 0 (seq_length items)) as [some|]; [|discriminate].
  destruct items as [|first rest]; [unfold seq_length in some; cbn in some; lia|]. change (seq_at (first :: rest) 0) with first in E.
  pose proof O as O'. apply Forall_inv in O' as [Ok' _]. unfold read_first in E. change (seq_at (first :: rest) 0) with first in E.
  destruct (is_schema_key (operation_key first)) eqn:S; [|discriminate]. destruct (schema_key_read _ Ok' S) as (table & P & legal & short & K).
    exists table.
  split; [exact legal|]. split; [exact short|].
  assert (G : forall pinned, action first = match pinned with None => Action_RequireAbsent | Some required => Action_RequireValue required end ->
    read_pinned_write (operation_key first) pinned (first :: rest) = Ok write ->
    match write with
    | TableWrite_WriteCreate => exists written s, writes_schema (first :: rest) table None written /\ decode_schema written = Ok s /\
      schema_watermark s = []
    | TableWrite_WriteSeal sealed => exists required written s, writes_schema (first :: rest) table (Some required) written /\ decode_schema required
      = Ok s /\
        decode_schema written = Ok sealed /\ watermark_grew s sealed = true
    | TableWrite_WriteRuns runs => written_table runs = table /\ writes_runs (first :: rest) runs
    end).
  2:{ destruct (action first) as [|required|v| |u|u]; try discriminate; [apply (G None)|apply (G (Some required))]; auto. }
  clear E. intros pinned A E. unfold read_pinned_write in E. destruct (second_put (first :: rest) (operation_key first)) as [written|] eqn:Q.
  - unfold second_put in Q. destruct (N.eqb_spec (seq_length (first :: rest)) 2) as [two|]; cbn [andb] in Q; [|discriminate].
    destruct rest as [|second [|third rest]]; try (unfold seq_length in two; cbn in two; lia). change (seq_at [first; second] 1) with second in Q.
    destruct (bytes_equal_spec (operation_key second) (operation_key first)) as [same|]; [|discriminate]. destruct (action second) eqn:A2; try
      discriminate. injection Q as ->.
    assert (W : writes_schema [first; second] table pinned written) by (exists first, second; rewrite same, K; auto).
    unfold read_schema_write in E. destruct (standing_schema pinned) as [standing|] eqn:St; [|discriminate]. unfold write_of_change, judge_change,
      expect_table_key in E.
    rewrite P in E. rewrite bytes_equal_refl in E. unfold judge_schema, expect_schema_value in E. destruct (decode_schema written) as [found|] eqn:D;
      [|discriminate].
    unfold standing_schema, pinned_schema in St. destruct pinned as [required|].
    + destruct (decode_schema required) as [s|] eqn:D0; [|discriminate]. injection St as <-. destruct (watermark_grew s found) eqn:G; [|discriminate].
      injection E as <-. exists required, written, s. auto.
    + injection St as <-. destruct (N.eqb_spec (seq_length (schema_watermark found)) 0) as [Z|]; [|discriminate]. injection E as <-. exists written,
        found.
      split; [exact W|]. split; [exact D|]. destruct (schema_watermark found); [reflexivity|]. unfold seq_length in Z. cbn in Z. lia.
  - unfold read_runs_write, content_of in E. destruct pinned as [required|]; [|discriminate]. unfold pinned_schema in E.
    destruct (decode_schema required) as [s|] eqn:D; [|discriminate]. unfold table_of_key in E. rewrite P in E.
    destruct (read_steps s table (first :: rest)) as [steps|] eqn:R; [|discriminate]. destruct (expect_write (last_settled steps)) eqn:L;
      [|discriminate].
    apply expected_write in L. injection E as <-. cbn [written_table]. split; [reflexivity|]. exists first, rest, required. cbn [written_table
      written_schema written_steps].
    auto 10.
Qed.

(** What a change of a schema does to a map. *)
Definition schema_put (table written : ByteString) (before after : KeyMap) : Prop :=
  forall k, key_map_get after k = if bytes_equal (schema_key table) k then Some written else key_map_get before k.

Lemma schema_written : forall items table pinned written before x after, writes_schema items table pinned written -> map_operations before items x =
  Ok after ->
  key_map_get before (schema_key table) = pinned /\ schema_put table written before after.
Proof.
  intros items table pinned written before x after (first & second & -> & K1 & K2 & A1 & A2) E. change [first; second] with ([first] ++ [second]) in E.
  apply map_operations_snoc in E as (between & content & E & R & ->). change [first] with ([] ++ [first]) in E.
  apply map_operations_snoc in E as (start & content0 & E & R0 & ->). injection E as <-. rewrite K2, A2 in *. cbn [run_action] in R. injection R as <-.
  rewrite K1 in *. assert (Q : key_map_get before (schema_key table) = pinned /\ content0 = key_map_get before (schema_key table)).
  { rewrite A1 in R0. destruct pinned; cbn [run_action] in R0; now apply required_content in R0. }
  destruct Q as [Q ->]. split; [exact Q|]. intros k. rewrite key_map_get_put. destruct (bytes_equal (schema_key table) k); [reflexivity|]. apply
    put_same.
Qed.

Lemma seal_alike : forall required written s sealed, of_bytes required -> of_bytes written -> decode_schema required = Ok s -> decode_schema written
  = Ok sealed ->
  watermark_grew s sealed = true -> schemas_alike s sealed /\ schema_flags s = schema_flags sealed /\ blt (schema_watermark s) (schema_watermark
    sealed).
Proof.
  intros required written s sealed O O' D D' G. apply decoded_schema_fits in D; [|exact O]. apply decoded_schema_fits in D'; [|exact O'].
  destruct (watermark_grew_same s sealed D D' G) as (A & _ & B & C & E & L). split; [split; [exact B|split; assumption]|]. auto.
Qed.

(** ** Steps of transactions that change runs *)

(** A step among others of different runs leaves under its keys what it leaves alone. *)
Lemma step_among : forall s table before steps read k content, Forall (step_fits s table before) steps -> NoDup (map step_head steps) -> In read
  steps ->
  run_of_key s k = Some (step_head read) -> steps_content steps k content = step_content read k content.
Proof.
  intros s table before steps read k content W N I R. apply in_split in I as (l & l' & ->). rewrite map_app in N. cbn [map] in N.
  apply NoDup_remove_2 in N. apply Forall_app in W as [W W']. inversion W' as [|? ? Wr W2]; subst. unfold steps_content. rewrite fold_left_app. cbn
    [fold_left].
  fold (steps_content l k content). rewrite (steps_untouched s table before l) by (try exact W; intros r J E; apply N; rewrite R in E; injection E as
    ->; apply in_or_app; left; now apply in_map).
  fold (steps_content l' k (step_content read k content)). apply (steps_untouched s table before l'); [exact W2|]. intros r J E. apply N. rewrite R
    in E. injection E as ->.
  apply in_or_app. right. now apply in_map.
Qed.

(** The place of a run of which a key is. *)
Lemma step_of_key : forall s table before read k, step_fits s table before read -> of_bytes k -> run_of_key s k = Some (step_head read) ->
  (k = step_head read /\ decode_table_key s k = Ok (TableKey_HeadKey (step_place read))) \/
  (exists segment, decode_table_key s k = Ok (TableKey_SegmentKey segment) /\ segment_place_run segment = step_place read).
Proof.
  intros s table before read k W O R. pose proof (fits_head _ _ _ _ W) as H. unfold run_of_key in R.
  destruct (decode_table_key s k) as [[t|p|p]|] eqn:D; try discriminate.
  - left. injection R as R. split; [exact R|]. rewrite R, H in D. injection D as <-. reflexivity.
  - right. exists p. split; [reflexivity|]. apply (TableKey.decode_table_key_iff s k _ O) in D as [(P & _) _].
    pose proof (TableKey.decode_encoded_table_key s (TableKey_HeadKey (segment_place_run p)) P) as D'.
    assert (Q : encode_table_key (TableKey_HeadKey (segment_place_run p)) = step_head read) by congruence. rewrite Q, H in D'. now injection D'.
Qed.

Lemma deleted_stays : forall deleted k, fold_left (deleted_content k) deleted None = None.
Proof. induction deleted as [|d deleted IH]; intros k; [reflexivity|]. cbn [fold_left]. unfold deleted_content at 2. destruct (bytes_equal d k);
  apply IH. Qed.

End TableTransactions.

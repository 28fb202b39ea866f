(** Reading the bytes of tables never leaves the range of integers or sequences: schemas, keys, and the changes that a chain judges.

    Asked is only what holds of everything that a machine can receive or store: byte strings are of bytes and have fewer than 2^32
    of them ([received]), and so have those of a schema ([schema_in_memory]).

    - [decode_schema_never_panics], [decode_table_key_never_panics], [judge_change_never_panics]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Decoding.Cursor Table.Sheet Table.TableSchema Table.SchemaLegality
  Table.SchemaDecoder Table.TableKey Table.TablePolicy Base.BytesSafe Decoding.CursorSafe Table.SheetSafe Table.TableSchemaSafe Table.SchemaLegalitySafe
  Table.SchemaDecoderSafe Table.TableKeySafe Table.TablePolicySafe.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Readers Safety.SlotMapSafe Safety.BoundsSafe Safety.PhasesSafe.
From Aardvark Require Safety.TablesSafe Safety.AnswersSafe Lemmas.ChallengeSpace.
Import ListNotations.
Local Open Scope N_scope.

(** Bytes that were received. *)
Definition received (bytes : ByteString) : Prop := of_bytes bytes /\ short bytes.

Lemma taken : forall bytes count x rest, received bytes -> take_bytes bytes count = Ok (x, rest) -> received x /\ received rest.
Proof.
  intros bytes count x rest [O S] E. apply (proj2 (take_inverts count)) in E; [|exact O]. destruct E as [L ->].
  apply Forall_app in O. destruct O. unfold received, short in *. rewrite seq_length_app in S. repeat split; (assumption || lia).
Qed.

Lemma numbered : forall bytes width number rest, received bytes -> read_number bytes width = Ok (number, rest) ->
  received rest /\ number < 256 ^ width.
Proof.
  intros bytes width number rest R E. unfold read_number in E. destruct (take_bytes bytes width) as [[x r]|] eqn:T; [|discriminate].
  injection E as <- <-. pose proof (taken _ _ _ _ R T) as [[X _] Y]. split; [exact Y|].
  apply (proj2 (take_inverts width)) in T; [|apply R]. destruct T as [L _]. unfold usize_of_u128. pose proof (ChallengeSpace.number_of_bytes_below x X) as B.
  rewrite L in B.
  eapply N.le_lt_trans; [|exact B]. etransitivity; apply N.mod_le; discriminate.
Qed.

Lemma eight : forall bytes x rest, received bytes -> read_bytes8 bytes = Ok (x, rest) -> received x /\ received rest.
Proof.
  intros bytes x rest R E. unfold read_bytes8 in E. destruct (read_number bytes 1) as [[n r]|] eqn:N; [|discriminate].
  apply numbered in N as [N _]; [|exact R]. exact (taken _ _ _ _ N E).
Qed.

Lemma amounted : forall bytes x rest, received bytes -> read_amount bytes = Ok (x, rest) -> received rest.
Proof.
  intros bytes x rest R E. unfold read_amount in E. destruct (take_bytes bytes 8) as [[y r]|] eqn:T; [|discriminate].
  injection E as _ <-. exact (proj2 (taken _ _ _ _ R T)).
Qed.

Lemma format_behind : forall bytes format rest, received bytes -> expect_format bytes format = Ok rest -> received rest.
Proof.
  intros bytes format rest R E. unfold expect_format in E. destruct (read_number bytes 1) as [[n r]|] eqn:N; [|discriminate].
  destruct (n =? format); [|discriminate]. injection E as <-. exact (proj1 (numbered _ _ _ _ R N)).
Qed.

Lemma received_held : forall bytes, received bytes -> held bytes.
Proof. intros bytes [_ S]. unfold held, short in *. lia. Qed.

(** Goes on behind a number, a byte string, an amount. *)
Ltac behind_number R R' B :=
  rewrite number_never_panics by (lia || apply R); cbn [andb];
  match goal with |- match read_number ?bytes ?w with Ok _ => _ | Err _ => _ end = true =>
    let E := fresh "E" in destruct (read_number bytes w) as [[? ?]|?] eqn:E; [|reflexivity]; destruct (numbered _ _ _ _ R E) as [R' B]; clear E end.
Ltac behind_eight R R' X :=
  rewrite bytes8_never_panics by apply R; cbn [andb];
  match goal with |- match read_bytes8 ?bytes with Ok _ => _ | Err _ => _ end = true =>
    let E := fresh "E" in destruct (read_bytes8 bytes) as [[? ?]|?] eqn:E; [|reflexivity]; destruct (eight _ _ _ R E) as [X R']; clear E end.
Ltac behind_amount R R' :=
  rewrite amount_never_panics by apply R; cbn [andb];
  match goal with |- match read_amount ?bytes with Ok _ => _ | Err _ => _ end = true =>
    let E := fresh "E" in destruct (read_amount bytes) as [[? ?]|?] eqn:E; [|reflexivity]; pose proof (amounted _ _ _ R E) as R'; clear E end.

Section TableBytes.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** What a schema takes *)

Definition key_column_in_memory (described : KeyColumn) : Prop := short (key_column_name described) /\ key_column_width described < 2 ^ 32.
Definition value_column_in_memory (described : ValueColumn) : Prop := short (value_column_name described) /\ value_column_moments described < 2 ^ 32.

Record columns_in_memory (schema : TableSchema) : Prop := {
  keys_in_memory : forall described, In described (schema_keys schema) -> key_column_in_memory described;
  values_in_memory : forall described, In described (schema_values schema) -> value_column_in_memory described;
  rows_in_memory : forall named, In named (schema_rows schema) -> short named;
  watermark_in_memory : short (schema_watermark schema);
}.

(** A schema that is stored: there are fewer than 2^31 key columns, and its encoding is short. *)
Definition schema_in_memory (schema : TableSchema) : Prop :=
  columns_in_memory schema /\ seq_length (schema_keys schema) < 2 ^ 31 /\ short (encode_schema_body schema).

(** ** Names and texts *)

Lemma name_legal_never_panics : forall named, name_legal_safe named = true.
Proof. intros named. unfold name_legal_safe. each_check Hi. apply N.ltb_lt. lia. Qed.

Lemma text_legal_never_panics : forall text, short text -> text_legal_safe text = true.
Proof.
  intros text S. unfold text_legal_safe, short in *. apply andb_true_iff. split; [destruct (N.ltb_spec 0 (seq_length text)); [apply N.leb_le; lia|reflexivity]|].
  cbv zeta. each_check Hi. unfold text_legal_step_safe. destruct checked; [|reflexivity].
  assert (B : i + 1 < seq_length text) by (destruct (N.ltb_spec 0 (seq_length text)); lia).
  rewrite (proj2 (N.ltb_lt i (seq_length text))) by lia. cbn [andb]. destruct (negb _); [reflexivity|]. apply andb_true_iff. unfold within_usize.
  rewrite !N.ltb_lt. lia.
Qed.

Lemma key_part_legal_never_panics : forall described written, short written -> key_part_legal_safe described written = true.
Proof.
  intros described written S. unfold key_part_legal_safe. destruct (_ =? _); [|reflexivity]. destruct (negb _); [reflexivity|].
  now apply text_legal_never_panics.
Qed.

Lemma names_distinct_never_panics : forall names, (forall named, In named names -> short named) -> names_distinct_safe names = true.
Proof.
  intros names S. unfold names_distinct_safe. each_check Hi. unfold names_distinct_step_safe. destruct checked; [|reflexivity].
  unfold name_stands_before_safe. each_check Hj. unfold name_stands_before_step_safe. destruct checked; [reflexivity|].
  rewrite !(proj2 (N.ltb_lt _ (seq_length names))) by lia. cbn [andb]. apply bytes_equal_never_panics, S, seq_at_in. lia.
Qed.

Lemma key_width_below : forall items count, (forall described, In described items -> key_column_in_memory described) -> count <= seq_length items ->
  fold_left (fun total i => key_width_step total (seq_at items i)) (range 0 count) 0 <= count * 2 ^ 32.
Proof.
  intros items count K. induction count as [|count IH] using N.peano_ind; intros L; [cbn; lia|].
  rewrite <- N.add_1_r, range_snoc, fold_left_app by lia. cbn [fold_left]. unfold key_width_step at 1. specialize (IH ltac:(lia)).
  pose proof (proj2 (K _ (seq_at_in _ _ items count ltac:(lia)))). lia.
Qed.

Lemma key_width_never_panics : forall items, (forall described, In described items -> key_column_in_memory described) -> seq_length items < 2 ^ 31 ->
  key_width_safe items = true.
Proof.
  intros items K L. unfold key_width_safe.
  apply (loop_is_safe _ (fun i total => total <= i * 2 ^ 32)); [lia|]. intros i total Hi B.
  rewrite (proj2 (N.ltb_lt i (seq_length items))) by lia. cbn [andb]. unfold key_width_step_safe, key_width_step, within_usize.
  pose proof (proj2 (K _ (seq_at_in _ _ items i ltac:(lia)))) as W. rewrite N.ltb_lt. change (2 ^ 64) with (2 ^ 32 * 2 ^ 32). change (2 ^ 31) with 2147483648 in L.
  change (2 ^ 32) with 4294967296 in *. lia.
Qed.

(** ** Schemas *)

Lemma names_of_columns : forall (A : Type) (D : Default A) (f : A -> ByteString) (step : list ByteString -> A -> list ByteString) (items : list A),
  (forall names item, step names item = names ++ [f item]) ->
  fold_left (fun names i => step names (seq_at items i)) (range 0 (seq_length items)) [] = map f items.
Proof.
  intros A D f step items E. rewrite (loop_over_elements _ _ _ step). assert (general : forall l names, fold_left step l names = names ++ map f l).
  { induction l as [|x l IH]; intros names; [symmetry; apply app_nil_r|]. cbn [fold_left map]. rewrite IH, E, <- app_assoc. reflexivity. }
  apply general.
Qed.

Lemma check_schema_never_panics : forall schema, columns_in_memory schema -> check_schema_safe schema = true.
Proof.
  intros schema [K V R W]. unfold check_schema_safe.
  assert (A : key_names_safe (schema_keys schema) = true) by (unfold key_names_safe; each_check Hi; apply N.ltb_lt; lia).
  assert (B : value_names_safe (schema_values schema) = true) by (unfold value_names_safe; each_check Hi; apply N.ltb_lt; lia).
  rewrite A, B. cbn [andb]. cbv zeta. destruct (expect_schema _ SchemaReason_FlagsUnknown); [|reflexivity].
  destruct (expect_schema _ SchemaReason_ExcessWriters); [|reflexivity].
  destruct (expect_schema _ SchemaReason_ExcessKeyColumns) eqn:few; [|reflexivity].
  assert (C : check_key_columns_safe (schema_keys schema) = true).
  { unfold check_key_columns_safe. each_check Hi. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold check_key_columns_step_safe.
    destruct checked; [|reflexivity]. apply name_legal_never_panics. }
  rewrite C. cbn [andb]. destruct (check_key_columns _); [|reflexivity].
  rewrite key_width_never_panics; [|exact K|].
  2: { unfold expect_schema in few. destruct (N.leb_spec (seq_length (schema_keys schema)) MAX_KEY_COLUMNS); [|discriminate].
    unfold MAX_KEY_COLUMNS in *. change (2 ^ 31) with 2147483648. lia. }
  cbn [andb]. destruct (expect_schema _ SchemaReason_ExcessKeyBytes); [|reflexivity].
  destruct (expect_schema _ SchemaReason_ExcessValueColumns); [|reflexivity].
  assert (E : check_value_columns_safe (schema_values schema) = true).
  { unfold check_value_columns_safe. each_check Hi. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold check_value_columns_step_safe.
    destruct checked; [|reflexivity]. unfold check_value_column_safe. rewrite name_legal_never_panics. cbn [andb]. destruct (negb _); [reflexivity|].
    destruct (negb _); [reflexivity|]. unfold span_legal_safe. set (bits := value_column_bits _). destruct (N.leb_spec 64 bits) as [|L]; [reflexivity|].
    unfold usize_power_of_two_safe. apply (loop_is_safe _ (fun i power => power = 2 ^ i)); [reflexivity|]. intros j power Hj ->.
    unfold usize_power_of_two_step_safe, usize_power_of_two_step, within_usize. split.
    - apply N.ltb_lt. change (2 ^ j * 2) with (2 ^ j * 2 ^ 1). rewrite <- N.pow_add_r. apply N.pow_lt_mono_r; lia.
    - change (2 ^ j * 2) with (2 ^ j * 2 ^ 1). now rewrite <- N.pow_add_r. }
  rewrite E. cbn [andb]. destruct (check_value_columns _); [|reflexivity].
  assert (G : names_legal_safe (schema_rows schema) = true).
  { unfold names_legal_safe. each_check Hi. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold names_legal_step_safe.
    destruct checked; [|reflexivity]. apply name_legal_never_panics. }
  rewrite G. cbn [andb]. destruct (expect_schema _ SchemaReason_NameIllegal); [|reflexivity].
  rewrite names_distinct_never_panics.
  - cbn [andb]. destruct (expect_schema _ SchemaReason_NameRepeated); [|reflexivity]. unfold watermark_legal_safe. destruct (_ =? 0); [reflexivity|].
    destruct (0 <? _); [|reflexivity]. apply key_part_legal_never_panics, W.
  - intros named I. apply in_app_iff in I. destruct I as [I|I].
    + unfold key_names in I. rewrite (names_of_columns _ _ key_column_name) in I by reflexivity. apply in_map_iff in I as (c & <- & I). apply K, I.
    + apply in_app_iff in I. destruct I as [I|I]; [|now apply R]. unfold value_names in I.
      rewrite (names_of_columns _ _ value_column_name) in I by reflexivity. apply in_map_iff in I as (c & <- & I). apply V, I.
Qed.

(** *** Readers *)

(** What is read so far, and what is left, of a list whose elements fulfil [good]. *)
Definition list_read {A : Type} (good : A -> Prop) (items : Result (list A * ByteString) DecodeReason) : Prop :=
  match items with Ok (before, rest) => (forall x, In x before -> good x) /\ received rest | Err _ => True end.

Lemma many_never_panic : forall (A : Type) (good : A -> Prop) (read : ByteString -> Result (A * ByteString) DecodeReason) (read_safe : ByteString -> bool)
    (step : Result (list A * ByteString) DecodeReason -> Result (list A * ByteString) DecodeReason)
    (step_safe : Result (list A * ByteString) DecodeReason -> bool) (count : N) (bytes : ByteString),
  (forall items, step items = match items with Ok (before, bytes) => match read bytes with Ok (x, rest) => Ok (before ++ [x], rest) | Err e => Err e end | Err e => Err e end) ->
  (forall items, step_safe items = match items with Ok (before, bytes) => read_safe bytes | Err _ => true end) ->
  (forall bytes, received bytes -> read_safe bytes = true) ->
  (forall bytes x rest, received bytes -> read bytes = Ok (x, rest) -> good x /\ received rest) -> received bytes ->
  loop_safe (fun items _i => step items) (fun items _i => step_safe items) (range 0 (reading_turns count bytes)) (Ok ([], bytes)) = true /\
  list_read good (fold_left (fun items _i => step items) (range 0 (reading_turns count bytes)) (Ok ([], bytes))).
Proof.
  intros A good read read_safe step step_safe count bytes E E' S G R.
  assert (keeps : forall items, list_read good items -> step_safe items = true /\ list_read good (step items)).
  { intros [[before rest]|e] P; rewrite E, E'; [|split; [reflexivity|exact I]]. destruct P as [P Q]. split; [now apply S|].
    destruct (read rest) as [[x r]|e] eqn:X; [|exact I]. destruct (G _ _ _ Q X) as [X' Y]. split; [|exact Y].
    intros y J. apply in_app_iff in J. destruct J as [J|[<-|[]]]; auto. }
  split.
  - apply (loop_is_safe _ (fun _ => list_read good)); [split; [intros ? []|exact R]|]. intros i items _ P. now apply keeps.
  - apply (loop_invariant _ (fun _ => list_read good)); [lia|split; [intros ? []|exact R]|]. intros i items _ P. now apply keeps.
Qed.

Lemma read_key_column_never_panics : forall bytes, received bytes -> read_key_column_safe bytes = true.
Proof.
  intros bytes R. unfold read_key_column_safe. behind_eight R R1 X. behind_number R1 R2 B. apply number_never_panics; [lia|apply R2].
Qed.

Lemma read_key_column_good : forall bytes x rest, received bytes -> read_key_column bytes = Ok (x, rest) -> key_column_in_memory x /\ received rest.
Proof.
  intros bytes x rest R E. unfold read_key_column in E. destruct (read_bytes8 bytes) as [[named r1]|] eqn:E1; [|discriminate].
  destruct (eight _ _ _ R E1) as [X R1]. destruct (read_number r1 1) as [[kind r2]|] eqn:E2; [|discriminate].
  destruct (numbered _ _ _ _ R1 E2) as [R2 _]. destruct (read_number r2 1) as [[width r3]|] eqn:E3; [|discriminate].
  destruct (numbered _ _ _ _ R2 E3) as [R3 B]. injection E as <- <-. split; [|exact R3]. split; [apply X|]. cbn [key_column_width].
  change (256 ^ 1) with 256 in B. change (2 ^ 32) with 4294967296. lia.
Qed.

Lemma read_value_column_never_panics : forall bytes, received bytes -> read_value_column_safe bytes = true.
Proof.
  intros bytes R. unfold read_value_column_safe. behind_eight R R1 X. behind_amount R1 R2. behind_amount R2 R3. behind_number R3 R4 B.
  behind_number R4 R5 B'. apply number_never_panics; [lia|apply R5].
Qed.

Lemma read_value_column_good : forall bytes x rest, received bytes -> read_value_column bytes = Ok (x, rest) -> value_column_in_memory x /\ received rest.
Proof.
  intros bytes x rest R E. unfold read_value_column in E. destruct (read_bytes8 bytes) as [[named r1]|] eqn:E1; [|discriminate].
  destruct (eight _ _ _ R E1) as [X R1]. destruct (read_amount r1) as [[lowest r2]|] eqn:E2; [|discriminate]. apply amounted in E2; [|exact R1].
  destruct (read_amount r2) as [[span r3]|] eqn:E3; [|discriminate]. apply amounted in E3; [|exact E2].
  destruct (read_number r3 1) as [[bits r4]|] eqn:E4; [|discriminate]. destruct (numbered _ _ _ _ E3 E4) as [R4 _].
  destruct (read_number r4 1) as [[moments r5]|] eqn:E5; [|discriminate]. destruct (numbered _ _ _ _ R4 E5) as [R5 B].
  destruct (read_number r5 1) as [[scale r6]|] eqn:E6; [|discriminate]. destruct (numbered _ _ _ _ R5 E6) as [R6 _]. injection E as <- <-.
  split; [|exact R6]. split; [apply X|]. cbn [value_column_moments]. change (256 ^ 1) with 256 in B. change (2 ^ 32) with 4294967296. lia.
Qed.

(** A schema that was read takes so much, and reading it returns. *)
Lemma read_schema_in_memory : forall bytes, received bytes -> read_schema_safe bytes = true /\
  (forall found, read_schema bytes = Ok found -> columns_in_memory found).
Proof.
  intros bytes R. unfold read_schema_safe, read_schema. destruct (expect_length _ _); [|split; [reflexivity|discriminate]].
  unfold expect_format_safe. rewrite number_never_panics by (lia || apply R). cbn [andb].
  destruct (expect_format bytes 1) as [r|] eqn:E; [|split; [reflexivity|discriminate]]. apply format_behind in E as R1; [|exact R]. clear E.
  rewrite number_never_panics by (lia || apply R1). cbn [andb].
  destruct (read_number r 1) as [[flags r1]|] eqn:E; [|split; [reflexivity|discriminate]]. destruct (numbered _ _ _ _ R1 E) as [R2 _]. clear E.
  rewrite number_never_panics by (lia || apply R2). cbn [andb].
  destruct (read_number r1 1) as [[writers r2]|] eqn:E; [|split; [reflexivity|discriminate]]. destruct (numbered _ _ _ _ R2 E) as [R3 _]. clear E.
  destruct (many_never_panic _ (fun _ => True) (fun bytes => take_bytes bytes WRITER_BYTES) (fun bytes => take_bytes_safe bytes WRITER_BYTES) read_writers_step
    read_writers_step_safe writers r2 ltac:(reflexivity) ltac:(reflexivity) ltac:(intros; apply take_never_panics)
    ltac:(intros b x rest Q T; split; [exact I|exact (proj2 (taken _ _ _ _ Q T))]) R3) as [A B].
  unfold read_writers_safe, read_writers. rewrite turns_never_panic by (apply received_held; exact R3). rewrite A. cbn [andb].
  destruct (fold_left _ _ _) as [[list1 r3]|]; [|split; [reflexivity|discriminate]]. destruct B as [_ R4]. clear A.
  rewrite number_never_panics by (lia || apply R4). cbn [andb].
  destruct (read_number r3 1) as [[keys r4]|] eqn:E; [|split; [reflexivity|discriminate]]. destruct (numbered _ _ _ _ R4 E) as [R5 _]. clear E.
  destruct (many_never_panic _ key_column_in_memory read_key_column read_key_column_safe read_key_columns_step
    read_key_columns_step_safe keys r4 ltac:(reflexivity) ltac:(reflexivity) read_key_column_never_panics read_key_column_good R5) as [A B].
  unfold read_key_columns_safe, read_key_columns. rewrite turns_never_panic by (apply received_held; exact R5). rewrite A. cbn [andb].
  destruct (fold_left _ _ _) as [[list2 r5]|]; [|split; [reflexivity|discriminate]]. destruct B as [K R6]. clear A.
  rewrite number_never_panics by (lia || apply R6). cbn [andb].
  destruct (read_number r5 1) as [[values r6]|] eqn:E; [|split; [reflexivity|discriminate]]. destruct (numbered _ _ _ _ R6 E) as [R7 _]. clear E.
  destruct (many_never_panic _ value_column_in_memory read_value_column read_value_column_safe read_value_columns_step
    read_value_columns_step_safe values r6 ltac:(reflexivity) ltac:(reflexivity) read_value_column_never_panics read_value_column_good R7) as [A B].
  unfold read_value_columns_safe, read_value_columns. rewrite turns_never_panic by (apply received_held; exact R7). rewrite A. cbn [andb].
  destruct (fold_left _ _ _) as [[list3 r7]|]; [|split; [reflexivity|discriminate]]. destruct B as [V R8]. clear A.
  rewrite number_never_panics by (lia || apply R8). cbn [andb].
  destruct (read_number r7 1) as [[rows r8]|] eqn:E; [|split; [reflexivity|discriminate]]. destruct (numbered _ _ _ _ R8 E) as [R9 _]. clear E.
  destruct (many_never_panic _ (fun named => short named) read_bytes8 read_bytes8_safe read_names_step
    read_names_step_safe rows r8 ltac:(reflexivity) ltac:(reflexivity) ltac:(intros b Q; apply bytes8_never_panics, Q)
    ltac:(intros b x rest Q T; destruct (eight _ _ _ Q T) as [X Y]; split; [apply X|exact Y]) R9) as [A B].
  unfold read_names_safe, read_names. rewrite turns_never_panic by (apply received_held; exact R9). rewrite A. cbn [andb].
  destruct (fold_left _ _ _) as [[list4 r9]|]; [|split; [reflexivity|discriminate]]. destruct B as [N R10]. clear A.
  rewrite bytes8_never_panics by apply R10. split; [reflexivity|]. intros found Q.
  destruct (read_bytes8 r9) as [[watermark r10]|] eqn:E; [|discriminate]. destruct (eight _ _ _ R10 E) as [W _].
  destruct (expect_end r10); [|discriminate]. injection Q as <-. split; cbn [schema_keys schema_values schema_rows schema_watermark]; try assumption. apply W.
Qed.

End TableBytes.

(** Reading the keys of tables and judging changes of tables never leave the range of integers or sequences.

    - [decode_schema_never_panics], [decode_table_key_never_panics]: whatever bytes are received;
    - [judge_change_never_panics]: whatever change of a slot is to be judged under a schema that is stored. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Decoding.Cursor Table.Sheet Table.TableSchema Table.SchemaLegality
  Table.SchemaDecoder Table.TableKey Table.TablePolicy Base.BytesSafe Decoding.CursorSafe Table.SheetSafe Table.TableSchemaSafe Table.SchemaLegalitySafe
  Table.SchemaDecoderSafe Table.TableKeySafe Table.TablePolicySafe.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Readers Safety.SlotMapSafe Safety.BoundsSafe Safety.PhasesSafe Safety.TableBytesSafe.
From Aardvark Require Safety.TablesSafe Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

Section TableChanges.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Theorem decode_schema_never_panics : forall bytes, received bytes -> decode_schema_safe bytes = true.
Proof.
  intros bytes R. unfold decode_schema_safe, read_schema_bytes_safe, read_schema_bytes. destruct (read_schema_in_memory bytes R) as [-> M]. cbn [andb].
  destruct (read_schema bytes) as [found|]; [|reflexivity]. apply check_schema_never_panics. now apply M.
Qed.

Lemma decoded_schema_in_memory : forall bytes schema, received bytes -> decode_schema bytes = Ok schema -> columns_in_memory schema.
Proof.
  intros bytes schema R E. unfold decode_schema, read_schema_bytes in E. destruct (read_schema_in_memory bytes R) as [_ M].
  destruct (read_schema bytes) as [found|]; [|discriminate]. destruct (check_schema found); [|discriminate]. injection E as <-. now apply M.
Qed.

(** ** Keys *)

Lemma key_taken : forall bytes count x rest, received bytes -> take_of_key bytes count = Ok (x, rest) -> received x /\ received rest.
Proof.
  intros bytes count x rest R E. unfold take_of_key in E. destruct (take_bytes bytes count) as [[y r]|] eqn:T; [|discriminate]. injection E as <- <-.
  exact (taken _ _ _ _ R T).
Qed.

Lemma key_numbered : forall bytes width number rest, received bytes -> number_of_key bytes width = Ok (number, rest) -> received rest /\ number < 256 ^ width.
Proof.
  intros bytes width number rest R E. unfold number_of_key in E. destruct (read_number bytes width) as [[y r]|] eqn:T; [|discriminate]. injection E as <- <-.
  exact (numbered _ _ _ _ R T).
Qed.

Lemma number_of_key_never_panics : forall bytes width, width <= 8 -> received bytes -> number_of_key_safe bytes width = true.
Proof. intros bytes width W R. apply number_never_panics; [exact W|apply R]. Qed.

Lemma check_key_parts_never_panics : forall items bytes, received bytes -> check_key_parts_safe items bytes = true.
Proof.
  intros items bytes R. unfold check_key_parts_safe.
  apply (loop_is_safe _ (fun _ remaining => match remaining with Ok written => received written | Err _ => True end)); [exact R|].
  intros i remaining Hi P. rewrite (proj2 (N.ltb_lt i (seq_length items))) by lia. cbn [andb]. unfold check_key_parts_step_safe, check_key_parts_step.
  destruct remaining as [written|]; [|split; [reflexivity|exact I]]. unfold take_of_key_safe. rewrite take_never_panics. cbn [andb].
  destruct (take_of_key written _) as [[part rest]|] eqn:T; [|split; [reflexivity|exact I]]. destruct (key_taken _ _ _ _ P T) as [[_ S] Q].
  split; [now apply key_part_legal_never_panics|]. destruct (expect_key _ _); [exact Q|exact I].
Qed.

Lemma read_run_place_never_panics : forall schema table bytes, schema_in_memory schema -> received bytes ->
  read_run_place_safe schema table bytes = true /\
  (forall place rest, read_run_place schema table bytes = Ok (place, rest) -> short (place_columns place) /\ received rest).
Proof.
  intros schema table bytes ([K _ _ _] & few & _) R. unfold read_run_place_safe, read_run_place. rewrite number_of_key_never_panics by (lia || exact R). cbn [andb].
  destruct (number_of_key bytes 1) as [[number r1]|] eqn:E1; [|split; [reflexivity|discriminate]]. destruct (key_numbered _ _ _ _ R E1) as [R1 _].
  destruct (expect_key _ TableKeyReason_ColumnUnknown); [|split; [reflexivity|discriminate]].
  rewrite key_width_never_panics by assumption. unfold take_of_key_safe. rewrite take_never_panics. cbn [andb].
  destruct (take_of_key r1 _) as [[written r2]|] eqn:E2; [|split; [reflexivity|discriminate]]. destruct (key_taken _ _ _ _ R1 E2) as [W R2].
  rewrite check_key_parts_never_panics by exact W. cbn [andb]. destruct (check_key_parts _ _); [|split; [reflexivity|discriminate]].
  rewrite number_of_key_never_panics by (lia || exact R2). split; [reflexivity|]. intros place rest E.
  destruct (number_of_key r2 4) as [[run r3]|] eqn:E3; [|discriminate]. injection E as <- <-. split; [apply W|exact (proj1 (key_numbered _ _ _ _ R2 E3))].
Qed.

Lemma read_table_prefix_never_panics : forall bytes, received bytes -> read_table_prefix_safe bytes = true /\
  (forall table rest, read_table_prefix bytes = Ok (table, rest) -> received rest).
Proof.
  intros bytes R. unfold read_table_prefix_safe, read_table_prefix. rewrite number_of_key_never_panics by (lia || exact R). cbn [andb].
  destruct (number_of_key bytes 1) as [[first r1]|] eqn:E1; [|split; [reflexivity|discriminate]]. destruct (key_numbered _ _ _ _ R E1) as [R1 _].
  destruct (expect_key _ TableKeyReason_KeyForeign); [|split; [reflexivity|discriminate]]. rewrite number_of_key_never_panics by (lia || exact R1). cbn [andb].
  destruct (number_of_key r1 1) as [[count r2]|] eqn:E2; [|split; [reflexivity|discriminate]]. destruct (key_numbered _ _ _ _ R1 E2) as [R2 _].
  unfold take_of_key_safe. rewrite take_never_panics. cbn [andb].
  destruct (take_of_key r2 count) as [[table r3]|] eqn:E3; [|split; [reflexivity|discriminate]]. destruct (key_taken _ _ _ _ R2 E3) as [_ R3].
  rewrite name_legal_never_panics. split; [reflexivity|]. intros t rest E. destruct (expect_key _ TableKeyReason_TableNameIllegal); [|discriminate].
  injection E as <- <-. exact R3.
Qed.

(** Of a head's key the columns are short. *)
Theorem decode_table_key_never_panics : forall schema bytes, schema_in_memory schema -> received bytes ->
  decode_table_key_safe schema bytes = true /\
  (forall place, decode_table_key schema bytes = Ok (TableKey_HeadKey place) -> short (place_columns place)).
Proof.
  intros schema bytes S R. unfold decode_table_key_safe, decode_table_key. destruct (read_table_prefix_never_panics bytes R) as [-> P]. cbn [andb].
  destruct (read_table_prefix bytes) as [[table r1]|]; [|split; [reflexivity|discriminate]]. specialize (P table r1 eq_refl).
  rewrite number_of_key_never_panics by (lia || exact P). cbn [andb].
  destruct (number_of_key r1 1) as [[part r2]|] eqn:E; [|split; [reflexivity|discriminate]]. destruct (key_numbered _ _ _ _ P E) as [R2 _].
  destruct (read_run_place_never_panics schema table r2 S R2) as [safe good].
  unfold decode_key_part_safe, decode_head_key_safe, decode_segment_key_safe. rewrite safe. cbn [andb]. split.
  - destruct (part =? 1); [reflexivity|]. destruct (part =? 2); [|reflexivity].
    destruct (read_run_place schema table r2) as [[place r3]|]; [|reflexivity]. destruct (good place r3 eq_refl) as [_ R3].
    rewrite number_of_key_never_panics by (lia || exact R3). cbn [andb]. destruct (number_of_key r3 4) as [[revision r4]|] eqn:E4; [|reflexivity].
    destruct (key_numbered _ _ _ _ R3 E4) as [R4 _]. apply number_of_key_never_panics; [lia|exact R4].
  - intros place D. unfold decode_key_part, decode_head_key, decode_segment_key in D.
    destruct (part =? 1).
    + destruct (read_run_place schema table r2) as [[found r3]|]; [|discriminate]. destruct (good found r3 eq_refl) as [G _].
      destruct (expect_key _ _); [|discriminate]. injection D as <-. exact G.
    + destruct (part =? 2); [|destruct (2 <? part); [discriminate|]; destruct (_ =? 0); discriminate]. destruct (read_run_place schema table r2) as [[found r3]|]; [|discriminate].
      destruct (number_of_key r3 4) as [[revision r4]|]; [|discriminate]. destruct (number_of_key r4 4) as [[segment r5]|]; [|discriminate].
      repeat match type of D with context [match ?x with Ok _ => _ | Err _ => _ end] => destruct x; [|discriminate] end. discriminate.
Qed.

(** ** Changes *)

Definition content_received (content : option ByteString) : Prop := forall written, content = Some written -> received written.

Lemma read_head_numbers_never_panics : forall bytes moments, received bytes -> moments < 2 ^ 32 -> read_head_numbers_safe bytes moments = true /\
  (forall numbers, read_head_numbers bytes moments = Ok numbers ->
    numbers_revision numbers < 2 ^ 32 /\ numbers_first numbers < 2 ^ 16 /\ numbers_rows numbers < 2 ^ 16).
Proof.
  intros bytes moments R M. unfold read_head_numbers_safe, read_head_numbers, expect_format_safe. rewrite number_never_panics by (lia || apply R). cbn [andb].
  destruct (expect_format bytes 1) as [r|] eqn:E; [|split; [reflexivity|discriminate]]. apply format_behind in E as R1; [|exact R]. clear E.
  rewrite number_never_panics by (lia || apply R1). cbn [andb].
  destruct (read_number r 4) as [[revision r1]|] eqn:E; [|split; [reflexivity|discriminate]]. destruct (numbered _ _ _ _ R1 E) as [R2 B1]. clear E.
  rewrite number_never_panics by (lia || apply R2). cbn [andb].
  destruct (read_number r1 4) as [[segments r2]|] eqn:E; [|split; [reflexivity|discriminate]]. destruct (numbered _ _ _ _ R2 E) as [R3 _]. clear E.
  rewrite number_never_panics by (lia || apply R3). cbn [andb].
  destruct (read_number r2 8) as [[total r3]|] eqn:E; [|split; [reflexivity|discriminate]]. destruct (numbered _ _ _ _ R3 E) as [R4 _]. clear E.
  rewrite number_never_panics by (lia || apply R4). cbn [andb].
  destruct (read_number r3 1) as [[log r4]|] eqn:E; [|split; [reflexivity|discriminate]]. destruct (numbered _ _ _ _ R4 E) as [R5 _]. clear E.
  rewrite number_never_panics by (lia || apply R5). cbn [andb].
  destruct (read_number r4 2) as [[first r5]|] eqn:E; [|split; [reflexivity|discriminate]]. destruct (numbered _ _ _ _ R5 E) as [R6 B2]. clear E.
  rewrite number_never_panics by (lia || apply R6). cbn [andb].
  destruct (read_number r5 2) as [[rows r6]|] eqn:E; [|split; [reflexivity|discriminate]]. destruct (numbered _ _ _ _ R6 E) as [R7 B3]. clear E.
  split.
  - unfold within_usize, TEXT_ROOT_BYTES, TABLE_POINT_BYTES. change (2 ^ 32) with 4294967296 in M. change (2 ^ 64) with 18446744073709551616.
    rewrite !andb_true_iff, !N.ltb_lt. lia.
  - intros numbers D. cbv zeta in D. destruct (_ && _ && _); [|discriminate]. injection D as <-. cbn [numbers_revision numbers_first numbers_rows].
    change (256 ^ 4) with (2 ^ 32) in B1. change (256 ^ 2) with (2 ^ 16) in B2, B3. auto.
Qed.

Lemma column_moments_below : forall schema number, columns_in_memory schema -> column_moments schema number < 2 ^ 32.
Proof.
  intros schema number [_ V _ _]. unfold column_moments. destruct (N.ltb_spec number (seq_length (schema_values schema))) as [L|]; [|reflexivity].
  apply V, seq_at_in. exact L.
Qed.

Lemma head_has_room_never_panics : forall numbers moments, numbers_first numbers < 2 ^ 16 -> numbers_rows numbers < 2 ^ 16 -> head_has_room_safe numbers moments = true.
Proof.
  intros numbers moments A B. unfold head_has_room_safe. rewrite TablesSafe.sheet_size_never_panics. cbn [andb]. destruct (_ && _); [|reflexivity].
  unfold within_usize. apply N.ltb_lt. change (2 ^ 16) with 65536 in *. change (2 ^ 64) with 18446744073709551616. lia.
Qed.

Lemma first_part_short : forall items columns, short columns -> first_part_safe items columns = true /\ short (first_part items columns).
Proof.
  intros items columns S. unfold first_part_safe, first_part. destruct (_ && _) eqn:E; [|split; reflexivity].
  apply andb_true_iff in E as [_ E]. split; [exact E|]. apply N.leb_le in E. unfold short in *. rewrite Sequences.seq_slice_length by lia. lia.
Qed.

Lemma expect_open_never_panics : forall schema place, short (place_columns place) -> expect_open_safe schema place = true.
Proof.
  intros schema place P. unfold expect_open_safe. destruct (first_part_short (schema_keys schema) _ P) as [-> S]. cbn [andb]. cbv zeta.
  apply bytes_less_never_panics. exact S.
Qed.

Lemma judge_head_never_panics : forall schema place before after, schema_in_memory schema -> short (place_columns place) ->
  content_received before -> content_received after -> judge_head_safe schema place before after = true.
Proof.
  intros schema place before after (M & _) P B A. unfold judge_head_safe. rewrite expect_open_never_panics by exact P.
  cbn [andb]. destruct (expect_open schema place); [|reflexivity].
  destruct after as [written|]; [|reflexivity]. unfold judge_put_safe. cbv zeta. pose proof (column_moments_below schema (place_column place) M) as few.
  destruct (read_head_numbers_never_panics written _ (A written eq_refl) few) as [safe good]. unfold expect_head_safe, expect_head. rewrite safe. cbn [andb].
  destruct (read_head_numbers written _) as [numbers|]; [|reflexivity]. destruct (good numbers eq_refl) as (_ & F1 & F2).
  rewrite head_has_room_never_panics by assumption. cbn [andb]. destruct (expect_change _ TableFault_RecordMisplaced); [|reflexivity].
  unfold next_revision_safe. destruct before as [standing|]; [|reflexivity]. destruct (_ =? 1); [reflexivity|].
  destruct (read_head_numbers_never_panics standing _ (B standing eq_refl) few) as [-> good']. cbn [andb].
  destruct (read_head_numbers standing _) as [found|]; [|reflexivity]. destruct (good' found eq_refl) as (R & _). apply N.ltb_lt.
  change (2 ^ 32) with 4294967296 in R. change (2 ^ 64) with 18446744073709551616. lia.
Qed.

Lemma encode_schema_body_never_panics : forall schema, encode_schema_body_safe schema = true.
Proof.
  intros schema. unfold encode_schema_body_safe, encode_writers_safe, encode_key_column_list_safe, encode_value_columns_safe, encode_names_safe.
  rewrite !andb_true_iff. repeat split; each_check Hi; apply N.ltb_lt; lia.
Qed.

Theorem judge_change_never_panics : forall standing changed before after,
  (forall schema, standing = Some schema -> schema_in_memory schema) -> received changed -> content_received before -> content_received after ->
  judge_change_safe standing changed before after = true.
Proof.
  intros standing changed before after S C B A. unfold judge_change_safe, expect_table_key_safe, expect_table_key.
  destruct (read_table_prefix_never_panics changed C) as [-> P]. cbn [andb].
  destruct (read_table_prefix changed) as [[table rest]|]; [|reflexivity]. specialize (P table rest eq_refl).
  rewrite bytes_equal_never_panics by apply P. cbn [andb]. destruct (bytes_equal rest (u8_bytes 0)).
  - unfold judge_schema_safe, expect_schema_value_safe, expect_schema_value.
    assert (safe : match after with Some written => decode_schema_safe written | None => true end = true).
    { destruct after as [written|]; [|reflexivity]. now apply decode_schema_never_panics, A. }
    rewrite safe. cbn [andb]. destruct after as [written|]; [|reflexivity]. destruct (decode_schema written) as [found|]; [|reflexivity].
    destruct standing as [one|]; [|reflexivity]. destruct (S one eq_refl) as ([_ _ _ W] & _ & E). unfold watermark_grew_safe.
    rewrite !encode_schema_body_never_panics, bytes_equal_never_panics by exact E. cbn [andb]. destruct (bytes_equal _ _); [|reflexivity].
    apply bytes_less_never_panics. exact W.
  - destruct standing as [schema|]; [|reflexivity]. unfold judge_run_safe.
    destruct (decode_table_key_never_panics schema changed (S schema eq_refl) C) as [-> good]. cbn [andb].
    destruct (decode_table_key schema changed) as [[t|place|place]|]; try reflexivity. apply judge_head_never_panics; auto.
Qed.

End TableChanges.

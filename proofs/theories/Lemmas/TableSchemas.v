(** Schemas of tables: the bytes of a schema without its watermark say all of it but the watermark.

    - [body_injective]: two schemas that were read, of which these bytes are the same, differ in nothing but their watermarks;
    - [watermark_grew_same]: so a seal leaves columns, flags and the digest of the schema as they were. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Hash Decoding.DecodeReason Decoding.Cursor Table.TableSchema
  Table.SchemaLegality Table.SchemaDecoder Table.TablePolicy.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.Readers Safety.BoundsSafe.
Import ListNotations.
Local Open Scope N_scope.

Section TableSchemas.

Context {F : ScalarOperations} {scalar_given : Scalar.ScalarGiven} {hash_given : HashGiven}.

(** ** Readers of the parts of a schema *)

Lemma appended_is_flat_map : forall A (D : Default A) (encode : A -> ByteString) (items : list A),
  fold_left (fun encoded i => encoded ++ encode (seq_at items i)) (range 0 (seq_length items)) [] = flat_map encode items.
Proof.
  intros A D encode items. rewrite (loop_over_elements _ _ _ (fun encoded x => encoded ++ encode x)).
  assert (G : forall before, fold_left (fun encoded x => encoded ++ encode x) items before = before ++ flat_map encode items).
  { induction items as [|x items IH]; intros before; cbn [fold_left flat_map]; [symmetry; apply app_nil_r|].
    rewrite IH, <- app_assoc. reflexivity. }
  exact (G []).
Qed.

Definition key_column_fits (described : KeyColumn) : Prop :=
  seq_length (key_column_name described) < 2 ^ 8 /\ key_column_kind described < 2 ^ 8 /\ key_column_width described < 2 ^ 8.
Definition encode_key_column (described : KeyColumn) : ByteString :=
  bytes8 (key_column_name described) ++ u8_bytes (key_column_kind described) ++ u8_bytes (key_column_width described).

Lemma key_column_inverts : inverts key_column_fits encode_key_column read_key_column.
Proof.
  split.
  - intros [name kind width] rest (X & Y & Z). cbn in X, Y, Z. unfold read_key_column, encode_key_column. cbn [key_column_name key_column_kind
      key_column_width].
    rewrite <- !app_assoc. reads bytes8_inverts. reads u8_inverts. reads u8_inverts. reflexivity.
  - intros bytes x rest O E. unfold read_key_column in E. took bytes8_inverts. took u8_inverts. took u8_inverts.
    injection E as <- <-. unfold key_column_fits, encode_key_column. cbn [key_column_name key_column_kind key_column_width].
    rewrite <- !app_assoc. auto.
Qed.

Definition value_column_fits (described : ValueColumn) : Prop :=
  seq_length (value_column_name described) < 2 ^ 8 /\ value_column_lowest described < 2 ^ 64 /\ value_column_span described < 2 ^ 64 /\
  value_column_bits described < 2 ^ 8 /\ value_column_moments described < 2 ^ 8 /\ value_column_scale described < 2 ^ 8.
Definition encode_value_column (described : ValueColumn) : ByteString :=
  bytes8 (value_column_name described) ++ big_endian (value_column_lowest described) 8 ++ big_endian (value_column_span described) 8 ++
  u8_bytes (value_column_bits described) ++ u8_bytes (value_column_moments described) ++ u8_bytes (value_column_scale described).

Lemma value_column_inverts : inverts value_column_fits encode_value_column read_value_column.
Proof.
  split.
  - intros [name lowest span bits moments scale] rest (X & Y & Z & U & V & W). cbn in X, Y, Z, U, V, W. unfold read_value_column, encode_value_column.
    cbn [value_column_name value_column_lowest value_column_span value_column_bits value_column_moments value_column_scale].
    rewrite <- !app_assoc. reads bytes8_inverts. reads amount_inverts. reads amount_inverts. reads u8_inverts. reads u8_inverts. reads u8_inverts.
    reflexivity.
  - intros bytes x rest O E. unfold read_value_column in E. took bytes8_inverts. took amount_inverts. took amount_inverts. took u8_inverts.
    took u8_inverts. took u8_inverts. injection E as <- <-. unfold value_column_fits, encode_value_column.
    cbn [value_column_name value_column_lowest value_column_span value_column_bits value_column_moments value_column_scale].
    rewrite <- !app_assoc. auto 10.
Qed.

Lemma bytes8_length : forall x, 0 < seq_length (bytes8 x).
Proof. intros x. unfold bytes8, u8_bytes. rewrite seq_length_app, big_endian_length. lia. Qed.

Lemma writers_inverts : forall count, inverts (fun l => seq_length l = count /\ Forall (fun x : ByteString => seq_length x = WRITER_BYTES) l)
  encode_writers
  (fun bytes => read_writers bytes count).
Proof.
  intros count. eapply inverts_ext; [refine (many_inverts _ _ _ (take_inverts WRITER_BYTES) _ count)|reflexivity|].
  - intros x ->. reflexivity.
  - intros x. symmetry. exact (appended_is_flat_map _ _ (fun writer => writer) x).
Qed.

Lemma keys_inverts : forall count, inverts (fun l => seq_length l = count /\ Forall key_column_fits l) encode_key_column_list
  (fun bytes => read_key_columns bytes count).
Proof.
  intros count. eapply inverts_ext; [refine (many_inverts _ _ _ key_column_inverts _ count)|reflexivity|].
  - intros x _. unfold encode_key_column. pose proof (bytes8_length (key_column_name x)). rewrite !seq_length_app. lia.
  - intros x. symmetry. exact (appended_is_flat_map _ _ encode_key_column x).
Qed.

Lemma values_inverts : forall count, inverts (fun l => seq_length l = count /\ Forall value_column_fits l) encode_value_columns
  (fun bytes => read_value_columns bytes count).
Proof.
  intros count. eapply inverts_ext; [refine (many_inverts _ _ _ value_column_inverts _ count)|reflexivity|].
  - intros x _. unfold encode_value_column. pose proof (bytes8_length (value_column_name x)). rewrite !seq_length_app. lia.
  - intros x. symmetry. exact (appended_is_flat_map _ _ encode_value_column x).
Qed.

Lemma names_inverts : forall count, inverts (fun l => seq_length l = count /\ Forall (fun x : ByteString => seq_length x < 2 ^ 8) l) encode_names
  (fun bytes => read_names bytes count).
Proof.
  intros count. eapply inverts_ext; [refine (many_inverts _ _ _ bytes8_inverts _ count)|reflexivity|].
  - intros x _. apply bytes8_length.
  - intros x. symmetry. exact (appended_is_flat_map _ _ bytes8 x).
Qed.

(** ** Schemas *)

(** The sizes of what was read. *)
Definition schema_fits (s : TableSchema) : Prop :=
  schema_flags s < 2 ^ 8 /\
  (seq_length (schema_writers s) < 2 ^ 8 /\ Forall (fun x : ByteString => seq_length x = WRITER_BYTES) (schema_writers s)) /\
  (seq_length (schema_keys s) < 2 ^ 8 /\ Forall key_column_fits (schema_keys s)) /\
  (seq_length (schema_values s) < 2 ^ 8 /\ Forall value_column_fits (schema_values s)) /\
  (seq_length (schema_rows s) < 2 ^ 8 /\ Forall (fun x : ByteString => seq_length x < 2 ^ 8) (schema_rows s)).

Lemma decoded_schema_fits : forall bytes s, of_bytes bytes -> decode_schema bytes = Ok s -> schema_fits s.
Proof.
  intros bytes s O E. unfold decode_schema, read_schema_bytes in E. destruct (read_schema bytes) as [found|] eqn:R; [|discriminate].
  destruct (check_schema found); [|discriminate]. injection E as ->. unfold read_schema in R.
  destruct (expect_length _ _); [|discriminate]. destruct (expect_format bytes 1) as [after|] eqn:R1; [|discriminate].
  apply expect_format_ok in R1; [|exact O]. destruct R1 as [-> O1]. clear O. rename R into E.
  took u8_inverts. took u8_inverts. took (writers_inverts n0). took u8_inverts. took (keys_inverts n1). took u8_inverts. took (values_inverts n2).
  took u8_inverts. took (names_inverts n3). took bytes8_inverts. destruct (expect_end _); [|discriminate]. injection E as <-.
  unfold schema_fits. cbn [schema_flags schema_writers schema_keys schema_values schema_rows].
  repeat match goal with X : seq_length _ = _ /\ _ |- _ => destruct X as [<- ?] end. auto 10.
Qed.

(** What is encoded first in two strings that are one is one. *)
Lemma inverts_split : forall A (fits : A -> Prop) encode read, inverts fits encode read ->
  forall x y rest rest', fits x -> fits y -> encode x ++ rest = encode y ++ rest' -> x = y /\ rest = rest'.
Proof.
  intros A fits encode read [law _] x y rest rest' X Y E. pose proof (law x rest X) as L. rewrite E, (law y rest' Y) in L.
  injection L as L L'. auto.
Qed.

Theorem body_injective : forall s s', schema_fits s -> schema_fits s' -> encode_schema_body s = encode_schema_body s' ->
  schema_flags s = schema_flags s' /\ schema_writers s = schema_writers s' /\ schema_keys s = schema_keys s' /\
  schema_values s = schema_values s' /\ schema_rows s = schema_rows s'.
Proof.
  intros [f w k v r m] [f' w' k' v' r' m'] (X1 & (X2 & X3) & (X4 & X5) & (X6 & X7) & X8 & X9) (Y1 & (Y2 & Y3) & (Y4 & Y5) & (Y6 & Y7) & Y8 & Y9) E.
  cbn [schema_flags schema_writers schema_keys schema_values schema_rows] in *. unfold encode_schema_body in E.
  cbn [schema_flags schema_writers schema_keys schema_values schema_rows] in E. apply app_inv_head in E.
  apply (inverts_split _ _ _ _ u8_inverts) in E; [|assumption..]. destruct E as [-> E].
  apply (inverts_split _ _ _ _ u8_inverts) in E; [|assumption..]. destruct E as [L E].
  apply (inverts_split _ _ _ _ (writers_inverts (seq_length w'))) in E; [|auto..]. destruct E as [-> E].
  apply (inverts_split _ _ _ _ u8_inverts) in E; [|assumption..]. destruct E as [L' E].
  apply (inverts_split _ _ _ _ (keys_inverts (seq_length k'))) in E; [|auto..]. destruct E as [-> E].
  apply (inverts_split _ _ _ _ u8_inverts) in E; [|assumption..]. destruct E as [L'' E].
  apply (inverts_split _ _ _ _ (values_inverts (seq_length v'))) in E; [|auto..]. destruct E as [-> E].
  apply (inverts_split _ _ _ _ u8_inverts) in E; [|assumption..]. destruct E as [L3 E].
  rewrite <- (app_nil_r (encode_names r)), <- (app_nil_r (encode_names r')) in E.
  apply (inverts_split _ _ _ _ (names_inverts (seq_length r'))) in E; [|auto..]. destruct E as [-> _]. auto.
Qed.

(** A seal leaves all of a schema as it was but its watermark. *)
Theorem watermark_grew_same : forall s s', schema_fits s -> schema_fits s' -> watermark_grew s s' = true ->
  schema_flags s = schema_flags s' /\ schema_writers s = schema_writers s' /\ schema_keys s = schema_keys s' /\
  schema_values s = schema_values s' /\ schema_digest s = schema_digest s' /\ blt (schema_watermark s) (schema_watermark s').
Proof.
  intros s s' X Y E. unfold watermark_grew in E. apply andb_true_iff in E as [E L]. apply bytes_equal_iff in E.
  destruct (body_injective s s' X Y E) as (A & B & C & D & _). unfold schema_digest. rewrite E. auto 10.
Qed.

End TableSchemas.

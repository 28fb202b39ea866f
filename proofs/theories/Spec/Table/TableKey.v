(** Keys of tables: one key an encoding, in the order of what they say.

    - [table_key_injective]: two keys, of any tables, have two encodings;
    - [decode_table_key_iff]: exactly the encodings of a schema's keys are decoded, to what was encoded;
    - [table_key_order]: the keys of a table's heads stand in the order of column, key columns, run;
    - [lex_append], [big_endian_order]: what the order of strings says of strings put together, and of numbers. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Decoding.DecodeReason Decoding.Cursor Table.TableSchema
  Table.SchemaLegality Table.TableKey.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.Readers Safety.BoundsSafe.
From Aardvark Require Lemmas.ChallengeSpace.
Import ListNotations.
Local Open Scope N_scope.

Section TableKey.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : Hash.HashGiven}.

(** ** The order of strings *)

(** Strings that begin with parts of one length: the parts decide first. *)
Lemma lex_append : forall a b c d, seq_length a = seq_length b -> blt (a ++ c) (b ++ d) <-> blt a b \/ (a = b /\ blt c d).
Proof.
  unfold blt. intros a b c d. rewrite !bytes_less_is_lex. revert b.
  induction a as [|x a IH]; intros [|y b] L; rewrite ?seq_length_cons, ?seq_length_nil in L; try lia; cbn [app lex].
  - split; [intros H; right; auto|]. intros [H|[_ H]]; [discriminate|exact H].
  - destruct (N.eqb_spec x y) as [->|D].
    + rewrite IH by lia. split; (intros [H|[E H]]; [left; exact H|right]).
      * subst. auto.
      * injection E as ->. auto.
    + split; [intros H; left; exact H|]. intros [H|[E _]]; [exact H|]. congruence.
Qed.

Lemma lex_of_numbers : forall a b, of_bytes a -> of_bytes b -> seq_length a = seq_length b ->
  lex a b = true <-> number_of_bytes a < number_of_bytes b.
Proof.
  induction a as [|x a IH]; intros [|y b] A B L; rewrite ?seq_length_cons, ?seq_length_nil in L; try lia; cbn [lex].
  - split; [discriminate|]. lia.
  - inversion A as [|? ? X A']; inversion B as [|? ? Y B']; subst.
    assert (front : forall z s, number_of_bytes (z :: s) = z * 256 ^ seq_length s + number_of_bytes s).
    { intros z s. rewrite !number_of_bytes_fold. cbn [fold_left]. rewrite number_fold_start. reflexivity. }
    rewrite !front. assert (La : seq_length a = seq_length b) by lia. rewrite La.
    pose proof (ChallengeSpace.number_of_bytes_below a A') as Ba. pose proof (ChallengeSpace.number_of_bytes_below b B') as Bb.
    rewrite La in Ba. destruct (N.eqb_spec x y) as [->|D].
    + rewrite IH by assumption. lia.
    + rewrite N.ltb_lt. set (p := 256 ^ seq_length b) in *. clearbody p. split; intros H; [nia|].
      destruct (N.lt_ge_cases x y) as [G|G]; [exact G|]. nia.
Qed.

(** Numbers stand in the order of their bytes. *)
Lemma big_endian_order : forall m n width, m < 256 ^ width -> n < 256 ^ width ->
  blt (big_endian m width) (big_endian n width) <-> m < n.
Proof.
  intros m n width M N'. unfold blt. rewrite bytes_less_is_lex, lex_of_numbers, !number_of_big_endian by
    (assumption || apply big_endian_bytes || rewrite !big_endian_length; reflexivity). reflexivity.
Qed.

(** ** Keys *)

(** What a key's parts are to be for its encoding: the width of the key columns is that of the table. *)
Definition fits_place (width : ByteString -> N) (place : RunPlace) : Prop :=
  seq_length (place_table place) < 2 ^ 8 /\ place_column place < 2 ^ 8 /\
  seq_length (place_columns place) = width (place_table place) /\ place_run place < 2 ^ 32.

Definition fits_table_key (width : ByteString -> N) (key : TableKey) : Prop :=
  match key with
  | TableKey_SchemaKey table => seq_length table < 2 ^ 8
  | TableKey_HeadKey place => fits_place width place
  | TableKey_SegmentKey place => fits_place width (segment_place_run place) /\ segment_place_revision place < 2 ^ 32 /\
      segment_place_number place < 2 ^ 32
  end.

(** The table, the number of the part, and what is behind it. *)
Definition key_table (key : TableKey) : ByteString :=
  match key with
  | TableKey_SchemaKey table => table
  | TableKey_HeadKey place => place_table place
  | TableKey_SegmentKey place => place_table (segment_place_run place)
  end.
Definition key_part (key : TableKey) : N :=
  match key with TableKey_SchemaKey _ => 0 | TableKey_HeadKey _ => 1 | TableKey_SegmentKey _ => 2 end.
Definition key_rest (key : TableKey) : ByteString :=
  match key with
  | TableKey_SchemaKey _ => []
  | TableKey_HeadKey place => encode_run_place place
  | TableKey_SegmentKey place => encode_run_place (segment_place_run place) ++ u32_bytes (segment_place_revision place) ++
      u32_bytes (segment_place_number place)
  end.

Lemma encode_table_key_parts : forall key,
  encode_table_key key = u8_bytes TABLE_KEY_BYTE ++ bytes8 (key_table key) ++ u8_bytes (key_part key) ++ key_rest key.
Proof.
  intros [table|place|place]; unfold encode_table_key, table_prefix; cbn [key_table key_part key_rest]; rewrite <- ?app_assoc;
    reflexivity.
Qed.

Lemma u8_length : forall x, seq_length (u8_bytes x) = 1.
Proof. intros. apply big_endian_length. Qed.

Lemma u32_length : forall x, seq_length (u32_bytes x) = 4.
Proof. intros. apply big_endian_length. Qed.

Lemma run_place_split : forall width a b c d, fits_place width a -> fits_place width b -> place_table a = place_table b ->
  encode_run_place a ++ c = encode_run_place b ++ d -> a = b /\ c = d.
Proof.
  intros width [t n k r] [t' n' k' r'] c d (_ & N1 & K & R) (_ & N2 & K' & R') T E. cbn [place_table place_column place_columns place_run] in *.
  subst t'. unfold encode_run_place in E. cbn [place_table place_column place_columns place_run] in E. rewrite <- !app_assoc in E.
  apply app_split in E; [|rewrite !u8_length; reflexivity]. destruct E as [E1 E]. apply app_split in E; [|congruence].
  destruct E as [-> E]. apply app_split in E; [|rewrite !u32_length; reflexivity]. destruct E as [E2 ->].
  apply (big_endian_injective n n' 1) in E1; [|exact N1|exact N2]. apply (big_endian_injective r r' 4) in E2; [|exact R|exact R'].
  now subst.
Qed.

Theorem table_key_injective : forall width a b, fits_table_key width a -> fits_table_key width b ->
  encode_table_key a = encode_table_key b -> a = b.
Proof.
  intros width a b A B E. rewrite !encode_table_key_parts in E. apply app_inv_head in E.
  assert (names : seq_length (key_table a) < 2 ^ 8 /\ seq_length (key_table b) < 2 ^ 8).
  { split; [destruct a|destruct b]; cbn [fits_table_key key_table] in *; unfold fits_place in *; tauto. }
  apply bytes8_split in E; try tauto. destruct E as [T E].
  apply app_split in E; [|rewrite !u8_length; reflexivity]. destruct E as [P E].
  apply (big_endian_injective (key_part a) (key_part b) 1) in P; [|destruct a; reflexivity|destruct b; reflexivity].
  destruct a as [t|p|p], b as [t'|p'|p']; try discriminate P; cbn [fits_table_key key_table key_rest] in *.
  - now subst.
  - f_equal. apply (run_place_split width p p' [] []); try assumption. rewrite !app_nil_r. exact E.
  - destruct A as (A & R & N1), B as (B & R' & N2). destruct p as [q r n], p' as [q' r' n'].
    cbn [segment_place_run segment_place_revision segment_place_number] in *.
    apply (run_place_split width) in E; try assumption. destruct E as [-> E].
    apply app_split in E; [|rewrite !u32_length; reflexivity]. destruct E as [E1 E2].
    apply (big_endian_injective r r' 4) in E1; [|assumption|assumption].
    apply (big_endian_injective n n' 4) in E2; [|assumption|assumption]. now subst.
Qed.

(** Which of two heads of a table comes first: by column, by key columns, by run. *)
Definition head_before (a b : RunPlace) : Prop :=
  place_column a < place_column b \/
  (place_column a = place_column b /\
   (blt (place_columns a) (place_columns b) \/
    (place_columns a = place_columns b /\ place_run a < place_run b))).

Theorem table_key_order : forall width a b, fits_place width a -> fits_place width b -> place_table a = place_table b ->
  blt (encode_table_key (TableKey_HeadKey a)) (encode_table_key (TableKey_HeadKey b)) <-> head_before a b.
Proof.
  intros width a b (_ & N1 & K & R) (_ & N2 & K' & R') T. rewrite !encode_table_key_parts. cbn [key_table key_part key_rest]. rewrite T in *.
  rewrite !app_assoc. rewrite <- !(app_assoc _ _ (encode_run_place _)).
  assert (same : forall p x y, blt (p ++ x) (p ++ y) <-> blt x y).
  { intros p x y. rewrite lex_append by reflexivity. split; [intros [H|[_ H]]; [elim (blt_irreflexive _ H)|exact H]|auto]. }
  rewrite app_assoc. rewrite <- !app_assoc. rewrite !same. unfold encode_run_place, head_before.
  rewrite lex_append by (rewrite !u8_length; reflexivity). rewrite lex_append by congruence.
  unfold u8_bytes, u32_bytes, u128_of_usize. rewrite !big_endian_order by assumption.
  split.
  - intros [H|[E H]]; [left; exact H|right]. apply big_endian_injective in E; [auto|assumption|assumption].
  - intros [H|[E H]]; [left; exact H|right]. rewrite E. auto.
Qed.

(** ** Decoding *)

(** A key of a table of this schema. *)
Definition schema_place (table_schema : TableSchema) (place : RunPlace) : Prop :=
  name_legal (place_table place) = true /\ fits_place (fun _ => key_width (schema_keys table_schema)) place /\
  place_column place < seq_length (schema_values table_schema) /\
  exists rest, check_key_parts (schema_keys table_schema) (place_columns place) = Ok rest.

Definition schema_table_key (table_schema : TableSchema) (key : TableKey) : Prop :=
  match key with
  | TableKey_SchemaKey table => name_legal table = true /\ seq_length table < 2 ^ 8
  | TableKey_HeadKey place => schema_place table_schema place
  | TableKey_SegmentKey place => schema_place table_schema (segment_place_run place) /\ segment_place_revision place < 2 ^ 32 /\
      1 <= segment_place_number place /\ segment_place_number place < 2 ^ 32
  end.

Lemma number_of_key_read : forall x w rest, w <= 8 -> x < 256 ^ w -> number_of_key (big_endian x w ++ rest) w = Ok (x, rest).
Proof. intros x w rest W X. unfold number_of_key. now rewrite (proj1 (number_inverts w W)). Qed.

Lemma number_of_key_ok : forall bytes w x rest, w <= 8 -> of_bytes bytes -> number_of_key bytes w = Ok (x, rest) ->
  x < 256 ^ w /\ bytes = big_endian x w ++ rest /\ of_bytes rest.
Proof.
  intros bytes w x rest W O E. unfold number_of_key in E. destruct (read_number bytes w) as [[y r]|] eqn:R; [|discriminate].
  injection E as -> ->. exact (inverts_read _ _ _ _ (number_inverts w W) _ _ _ O R).
Qed.

Lemma take_of_key_read : forall x rest n, seq_length x = n -> take_of_key (x ++ rest) n = Ok (x, rest).
Proof. intros x rest n L. unfold take_of_key. now rewrite (proj1 (take_inverts n)). Qed.

Lemma take_of_key_ok : forall bytes n x rest, of_bytes bytes -> take_of_key bytes n = Ok (x, rest) ->
  seq_length x = n /\ bytes = x ++ rest /\ of_bytes rest.
Proof.
  intros bytes n x rest O E. unfold take_of_key in E. destruct (take_bytes bytes n) as [[y r]|] eqn:R; [|discriminate].
  injection E as -> ->. exact (inverts_read _ _ _ _ (take_inverts n) _ _ _ O R).
Qed.

Lemma expect_key_ok : forall condition reason u, expect_key condition reason = Ok u -> condition = true.
Proof. intros [] reason u E; [reflexivity|discriminate]. Qed.

Lemma run_place_read : forall table_schema place rest, schema_place table_schema place ->
  read_run_place table_schema (place_table place) (encode_run_place place ++ rest) = Ok (place, rest).
Proof.
  intros table_schema [t n k r] rest (_ & (_ & N1 & K & R) & V & checked & C). cbn [place_table place_column place_columns place_run] in *.
  unfold read_run_place, encode_run_place. cbn [place_table place_column place_columns place_run]. rewrite <- !app_assoc.
  unfold u8_bytes, u32_bytes, u128_of_usize. rewrite number_of_key_read by (lia || exact N1). apply N.ltb_lt in V. rewrite V. cbn [expect_key].
  rewrite take_of_key_read by exact K. rewrite C. rewrite number_of_key_read by (lia || exact R). reflexivity.
Qed.

Lemma run_place_ok : forall table_schema table bytes place rest, of_bytes bytes -> name_legal table = true -> seq_length table < 2 ^ 8 ->
  read_run_place table_schema table bytes = Ok (place, rest) ->
  schema_place table_schema place /\ place_table place = table /\ bytes = encode_run_place place ++ rest /\ of_bytes rest.
Proof.
  intros table_schema table bytes place rest O L S E. unfold read_run_place in E.
  destruct (number_of_key bytes 1) as [[n after]|] eqn:E1; [|discriminate].
  apply number_of_key_ok in E1; [|lia|exact O]. destruct E1 as (N1 & -> & O1).
  destruct (expect_key (n <? _) _) as [u|] eqn:E2; [|discriminate]. apply expect_key_ok, N.ltb_lt in E2.
  destruct (take_of_key after _) as [[k after']|] eqn:E3; [|discriminate]. apply take_of_key_ok in E3; [|exact O1].
  destruct E3 as (K & -> & O2). destruct (check_key_parts _ k) as [checked|] eqn:E4; [|discriminate].
  destruct (number_of_key after' 4) as [[r rest']|] eqn:E5; [|discriminate]. apply number_of_key_ok in E5; [|lia|exact O2].
  destruct E5 as (R & -> & O3). injection E as <- <-. unfold schema_place, fits_place, encode_run_place.
  cbn [place_table place_column place_columns place_run]. split; [|split; [reflexivity|split; [|exact O3]]].
  - split; [exact L|]. split; [split; [exact S|split; [exact N1|split; [exact K|exact R]]]|]. split; [exact E2|]. now exists checked.
  - rewrite <- !app_assoc. reflexivity.
Qed.

Theorem decode_encoded_table_key : forall table_schema key, schema_table_key table_schema key ->
  decode_table_key table_schema (encode_table_key key) = Ok key.
Proof.
  intros table_schema key K. rewrite encode_table_key_parts. unfold decode_table_key, read_table_prefix.
  assert (named : name_legal (key_table key) = true /\ seq_length (key_table key) < 2 ^ 8).
  { destruct key; cbn [schema_table_key key_table] in *; unfold schema_place, fits_place in *; tauto. }
  destruct named as [L S]. unfold u8_bytes at 1, u128_of_usize. rewrite number_of_key_read by (lia || reflexivity). rewrite N.eqb_refl.
  cbn [expect_key]. unfold bytes8. rewrite <- app_assoc. unfold u8_bytes at 1, u128_of_usize. rewrite number_of_key_read by (lia || exact S).
  rewrite take_of_key_read by reflexivity. rewrite L. cbn [expect_key]. unfold u8_bytes at 1, u128_of_usize.
  rewrite number_of_key_read by (lia || (destruct key; reflexivity)). unfold decode_key_part.
  destruct key as [table|place|[place revision number]]; cbn [key_part key_rest key_table schema_table_key] in *.
  - reflexivity.
  - cbn [N.eqb]. unfold decode_head_key. rewrite <- (app_nil_r (encode_run_place place)), run_place_read by exact K. reflexivity.
  - cbn [segment_place_run segment_place_revision segment_place_number] in *. destruct K as (K & R & N1 & N2).
    change (2 =? 1) with false. change (2 =? 2) with true. cbv iota. unfold decode_segment_key. rewrite run_place_read by exact K.
    unfold u32_bytes, u128_of_usize. rewrite number_of_key_read by (lia || exact R).
    rewrite <- (app_nil_r (big_endian number 4)), number_of_key_read by (lia || exact N2). change (seq_length [] =? 0) with true.
    cbn [expect_key]. apply N.leb_le in N1. rewrite N1. reflexivity.
Qed.

Theorem decode_table_key_iff : forall table_schema bytes key, of_bytes bytes ->
  decode_table_key table_schema bytes = Ok key <-> schema_table_key table_schema key /\ bytes = encode_table_key key.
Proof.
  intros table_schema bytes key O. split; [|intros [K ->]; now apply decode_encoded_table_key].
  rewrite encode_table_key_parts. unfold decode_table_key, read_table_prefix. intros E.
  destruct (number_of_key bytes 1) as [[first after]|] eqn:E1; [|discriminate].
  apply number_of_key_ok in E1; [|lia|exact O]. destruct E1 as (_ & -> & O1).
  destruct (expect_key (first =? _) _) eqn:E2; [|discriminate]. apply expect_key_ok, N.eqb_eq in E2. subst first.
  destruct (number_of_key after 1) as [[count after']|] eqn:E3; [|discriminate]. apply number_of_key_ok in E3; [|lia|exact O1].
  destruct E3 as (C & -> & O2). destruct (take_of_key after' count) as [[table rest]|] eqn:E4; [|discriminate].
  apply take_of_key_ok in E4; [|exact O2]. destruct E4 as (<- & -> & O3).
  destruct (expect_key (name_legal table) _) eqn:E5; [|discriminate]. apply expect_key_ok in E5.
  destruct (number_of_key rest 1) as [[part last]|] eqn:E6; [|discriminate]. apply number_of_key_ok in E6; [|lia|exact O3].
  destruct E6 as (P & -> & O4).
  enough (G : schema_table_key table_schema key /\ key_table key = table /\ key_part key = part /\ key_rest key = last).
  { destruct G as (G & <- & <- & <-). split; [exact G|]. unfold bytes8. rewrite <- !app_assoc. reflexivity. }
  unfold decode_key_part in E. destruct (N.eqb_spec part 1) as [->|D1]; [|destruct (N.eqb_spec part 2) as [->|D2]].
  - unfold decode_head_key in E. destruct (read_run_place table_schema table last) as [[place rest']|] eqn:E7; [|discriminate].
    apply run_place_ok in E7; try assumption. destruct E7 as (G & T & -> & _).
    destruct (expect_key (_ =? 0) _) eqn:E8; [|discriminate]. apply expect_key_ok, N.eqb_eq in E8. injection E as <-.
    destruct rest' as [|x rest']; [|rewrite seq_length_cons in E8; lia]. cbn [schema_table_key key_table key_part key_rest].
    rewrite app_nil_r. auto.
  - unfold decode_segment_key in E. destruct (read_run_place table_schema table last) as [[place rest']|] eqn:E7; [|discriminate].
    apply run_place_ok in E7; try assumption. destruct E7 as (G & T & -> & O5).
    destruct (number_of_key rest' 4) as [[revision rest'']|] eqn:E8; [|discriminate]. apply number_of_key_ok in E8; [|lia|exact O5].
    destruct E8 as (R & -> & O6). destruct (number_of_key rest'' 4) as [[number end']|] eqn:E9; [|discriminate].
    apply number_of_key_ok in E9; [|lia|exact O6]. destruct E9 as (M & -> & _).
    destruct (expect_key (_ =? 0) _) eqn:E10; [|discriminate]. apply expect_key_ok, N.eqb_eq in E10.
    destruct (expect_key (1 <=? number) _) eqn:E11; [|discriminate]. apply expect_key_ok, N.leb_le in E11. injection E as <-.
    destruct end' as [|x end']; [|rewrite seq_length_cons in E10; lia]. cbn [schema_table_key key_table key_part key_rest segment_place_run
      segment_place_revision segment_place_number]. rewrite app_nil_r. repeat split; try assumption; apply G.
  - destruct (N.ltb_spec 2 part); [discriminate|]. destruct (N.eqb_spec (seq_length last) 0) as [Z|]; [|discriminate]. injection E as <-.
    destruct last as [|x last]; [|rewrite seq_length_cons in Z; lia]. cbn [schema_table_key key_table key_part key_rest].
    repeat split; try assumption. lia.
Qed.

End TableKey.

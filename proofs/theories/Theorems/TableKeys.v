(** Theorems for auditors: the keys under which a dictionary holds tables.

    To understand a statement of this file you need this file, the generated definitions, [blt] (Lemmas/WellFormed.v: the order of byte
    strings), [of_bytes] (Safety/BoundsSafe.v), and definitions of Spec/Table/TableKey.v ([fits_table_key], [schema_table_key], [head_before]).

    - [table_key_injective]: two keys have two encodings, whatever tables they are of.
    - [decode_table_key_iff]: the decoder takes exactly the encodings of a schema's keys, and gives what was encoded.
    - [table_key_order]: the keys of a table's heads stand in the order of column, key columns, run. *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Table.TableSchema Table.TableKey.
From Aardvark Require Import Lemmas.WellFormed Safety.BoundsSafe Spec.Table.TableKey.
Local Open Scope N_scope.

Section TableKeys.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The key columns of each table have a width of their own. *)
Theorem table_key_injective : forall width a b, fits_table_key width a -> fits_table_key width b ->
  encode_table_key a = encode_table_key b -> a = b.
Proof. exact Aardvark.Spec.Table.TableKey.table_key_injective. Qed.

(** Of a legal name, of columns that the schema has, with key columns of its kinds; and nothing else. *)
Theorem decode_table_key_iff : forall table_schema bytes key, of_bytes bytes ->
  decode_table_key table_schema bytes = Ok key <-> schema_table_key table_schema key /\ bytes = encode_table_key key.
Proof. exact Aardvark.Spec.Table.TableKey.decode_table_key_iff. Qed.

(** So a scan of the dictionary meets the runs of a table in this order. *)
Theorem table_key_order : forall width a b, fits_place width a -> fits_place width b -> place_table a = place_table b ->
  blt (encode_table_key (TableKey_HeadKey a)) (encode_table_key (TableKey_HeadKey b)) <-> head_before a b.
Proof. exact Aardvark.Spec.Table.TableKey.table_key_order. Qed.

End TableKeys.

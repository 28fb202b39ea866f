(** The oracle: the generated definitions, with scalars modulo r, as an OCaml program.

    Everything here is a name for a generated definition; the only thing of its own is the choice of the instance. The
    hash is an argument: the program asks whoever runs it. What is trusted beyond Coq: the extraction, and the table below, Coq's own
    but for its last part, that computes with zarith. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt NArith List.
From AardvarkSpec Require Import Prelude Bytes Scalar Hash Slot SlotMap Dictionary Commitment Kzg LibertYung Scheme Operation
  Rejection KeyMap Genesis Changes Writes Window Transaction State BlockData Execution Block Validator Import Map.
From AardvarkSpec Require Import DictionarySafe GenesisSafe ChangesSafe StateSafe ValidatorSafe ImportSafe KzgSafe LibertYungSafe.
From Aardvark Require Import ModularScalars.
Local Open Scope bool_scope.
Local Open Scope N_scope.

(** The number that a scalar is, and the scalar that a number is. *)
Definition number_of_scalar : @Scalar modular -> N := residue.
Definition scalar_of_number : N -> @Scalar modular := reduced.

(** The setups of both schemes, from their trapdoors. *)
Definition oracle_kzg (n : N) (tau : @Scalar modular) : Setup := Setup_Kzg (kzg_setup n tau).
Definition oracle_libert_yung (n : N) (alpha : @Scalar modular) : Setup := Setup_LibertYung (libert_yung_setup n alpha).

(** The hash functions, which the theorems leave open. *)
Definition hashes (tagged : list N -> list N -> list N) (to_scalar : list N -> list N -> @Scalar modular) :
    @HashGiven modular :=
  @Build_HashGiven modular tagged to_scalar.

Section Oracle.

Context {given : @HashGiven modular}.

(** A validator's state at version 0, and whether the genesis is legal. *)
Definition oracle_genesis (setup : Setup) (genesis : Genesis) : bool * ValidatorState :=
  (genesis_legal genesis, genesis_state setup genesis).

Definition oracle_genesis_safe (setup : Setup) (genesis : Genesis) : bool :=
  genesis_legal_safe genesis && genesis_state_safe setup genesis.

(** What a block does. *)
Definition oracle_judge (setup : Setup) (state : ValidatorState) (block : Block) :
    Result (ValidatorState * Effects) Rejection :=
  apply_block setup state block.

Definition oracle_judge_safe (setup : Setup) (state : ValidatorState) (block : Block) : bool :=
  apply_block_safe setup state block.

(** What a mempool is told about a transaction. *)
Definition oracle_check (setup : Setup) (state : ValidatorState) (tx : Transaction) : Result Contents Rejection :=
  check_transaction setup state tx.

Definition oracle_check_safe (setup : Setup) (state : ValidatorState) (tx : Transaction) : bool :=
  check_transaction_safe setup state tx.

(** What an import does to a state and a whole array. *)
Definition oracle_import (setup : Setup) (state : ValidatorState) (array : Array) (block : ImportBlock) :
    Result (ValidatorState * Array) ImportRejection :=
  apply_import setup state array block.

Definition oracle_import_safe (setup : Setup) (state : ValidatorState) (array : Array) (block : ImportBlock) : bool :=
  apply_import_safe setup state array block.

(** Net changes on an array: the dictionary alone. *)
Definition oracle_changes (array : Array) (changes : ChangeMap) : option Array := apply_changes array changes.

Definition oracle_changes_safe (array : Array) (changes : ChangeMap) : bool := apply_changes_safe array changes.

(** The map after a block's transactions, run one after the other. *)
Definition oracle_map (entries : KeyMap) (items : list Transaction) : Result KeyMap Rejection :=
  map_transactions entries items.

End Oracle.

(** Coq's table for zarith lacks the comparisons of [N] and its way to [nat]; without these they would go bit by bit. *)
Extract Constant N.eqb => "Big_int_Z.eq_big_int".
Extract Constant N.ltb => "Big_int_Z.lt_big_int".
Extract Constant N.leb => "Big_int_Z.le_big_int".
Extract Constant Pos.eqb => "Big_int_Z.eq_big_int".
Extract Constant N.to_nat => "Big_int_Z.int_of_big_int".
Extract Constant N.of_nat => "Big_int_Z.big_int_of_int".

Extraction Blacklist List String Int Seq.

Extraction "oracle_spec.ml" number_of_scalar scalar_of_number oracle_kzg oracle_libert_yung hashes
  oracle_genesis oracle_genesis_safe oracle_judge oracle_judge_safe oracle_check oracle_check_safe
  oracle_import oracle_import_safe oracle_changes oracle_changes_safe oracle_map.

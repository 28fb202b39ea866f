(** Theorems for auditors: the premises of the end-to-end theorems can be met, by a short history that Coq computes.

    To understand a statement of this file you need this file and the history's definitions, Examples/ReachableExample.v:
    scalars are those of BLS12-381, the hash is a toy (the sum of the bytes) that has collisions for the asking, and block 1
    comes in aggregated form, block 2 in plain form, with a tail vector.

    - [example_reachable]: both blocks are accepted, and the states and arrays are reachable.
    - [example_honest]: the transactions' claims are those of an honest archive.
    - [example_forgery]: a claim of a slot with another value but the same hash is accepted, plain or aggregated, and what is
      found is the collision.
    - [example_counted]: an aggregated block with a false claim is accepted under a first challenge that is among the counted,
      and what is found is the false claim. *)
From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Dictionary.Array Block.Transaction Block.Validator.
From Aardvark Require Import Lemmas.AnyBlock Lemmas.History Spec.Block.Validator Lemmas.Completeness
  Examples.ReachableExample.
Import ListNotations.
Local Open Scope N_scope.

#[local] Existing Instance toy_hash.

(** Both blocks are accepted without a break. *)
Theorem example_reachable :
  reachable setup genesis [array_0; array_1] state_1 /\ reachable setup genesis [array_0; array_1; array_2] state_2.
Proof. exact Aardvark.Examples.ReachableExample.example_reachable. Qed.

(** The claims of the transaction that deletes are those of an honest archive, one version old. *)
Theorem example_honest :
  honest_transaction setup [array_0; array_1] deletes /\ claims_version deletes = 0 /\ now [array_0; array_1] = 1.
Proof. exact Aardvark.Examples.ReachableExample.example_honest. Qed.

(** The forged claim is accepted in either form, and the collision is found. *)
Theorem example_forgery :
  collision_found (Plain lying_block) = true /\ collision_found (merged state_0 lying_block) = true.
Proof. exact Aardvark.Examples.ReachableExample.example_forgery. Qed.

(** The false claim is refused under the challenge 7, accepted under 0, and 0 is counted. *)
Theorem example_counted :
  match apply_any setup state_0 (mistaken_block (scalar_of_N 7)) with Ok _ => true | Err _ => false end = false /\
  match apply_any setup state_0 (mistaken_block (scalar_of_N 0)) with Ok _ => true | Err _ => false end = true /\
  counted_found (mistaken_block (scalar_of_N 0)) = true.
Proof. exact Aardvark.Examples.ReachableExample.example_counted. Qed.

(** Theorems for auditors: no transaction is applied twice in the life of a dictionary.

    To understand a statement of this file you need this file and the generated definitions, nothing else. They rest on
    nothing but the replay set and the intervals of validity: the claims may be false, the hash and the group broken. A
    transaction is what its id binds: interval, nonce and operations, not the claims ([encode_core]).

    - [applied_at_most_once]: of all transactions applied since genesis, no two have the same core.
    - [repeated_id_is_collision]: if two have the same id, two different strings with one digest are at hand. *)
From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Array Commitment.Scheme
  Block.Rejection Dictionary.Genesis Block.Transaction Block.State Block.BlockData Block.Validator
  Block.AggregatedBlock Block.Import.
From Aardvark Require Lemmas.AnyBlock Lemmas.Applied.
Import ListNotations.
Local Open Scope N_scope.

Section AppliedOnce.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variables (setup : Setup) (genesis : Genesis).

(** The transactions that were applied since genesis, in their order, and the state after them: in plain blocks, in
    aggregated ones under whatever challenges, or in some of each. Imports apply none. *)
Inductive has_applied : list Transaction -> ValidatorState -> Prop :=
| applied_nothing : has_applied [] (genesis_state setup genesis)
| applied_block : forall applied state block state' effects,
    has_applied applied state -> apply_block setup state block = Ok (state', effects) ->
    has_applied (applied ++ transactions block) state'
| applied_aggregated : forall applied state aggregated coefficients combiners state' effects,
    has_applied applied state ->
    apply_challenged_block setup state aggregated coefficients combiners = Ok (state', effects) ->
    has_applied (applied ++ transactions (plain_block aggregated)) state'
| applied_import : forall applied state array block state' after,
    has_applied applied state -> apply_import setup state array block = Ok (state', after) ->
    has_applied applied state'.

(** This is the relation of the lemmas. *)
Lemma has_applied_same : forall applied state,
  has_applied applied state -> Aardvark.Lemmas.Applied.has_applied setup genesis applied state.
Proof.
  induction 1 as [|applied state block state' effects _ IH A|applied state aggregated rho gamma state' effects _ IH A
    |applied state array block state' after _ IH A].
  - constructor.
  - exact (Aardvark.Lemmas.Applied.applied_block setup genesis applied state (Aardvark.Lemmas.AnyBlock.Plain block)
      state' effects IH A).
  - exact (Aardvark.Lemmas.Applied.applied_block setup genesis applied state
      (Aardvark.Lemmas.AnyBlock.Aggregated aggregated rho gamma) state' effects IH A).
  - exact (Aardvark.Lemmas.Applied.applied_import setup genesis applied state array block state' after IH A).
Qed.

Variables (applied : list Transaction) (state : ValidatorState).
Hypothesis log : has_applied applied state.
(** The numbers fit their type. *)
Hypothesis numbers : forall tx, In tx applied -> last_valid tx < 2 ^ 64.

(** Of all transactions applied since genesis, no two have the same core. *)
Theorem applied_at_most_once : forall i j, i < j -> j < seq_length applied ->
  encode_core (seq_at applied i) <> encode_core (seq_at applied j).
Proof.
  exact (Aardvark.Lemmas.Applied.applied_at_most_once setup genesis applied state (has_applied_same _ _ log) numbers).
Qed.

(** Two applied transactions with one id are two different strings with one digest. *)
Theorem repeated_id_is_collision : forall i j, i < j -> j < seq_length applied ->
  id_of_transaction (id_of_dictionary genesis) (seq_at applied i) =
    id_of_transaction (id_of_dictionary genesis) (seq_at applied j) ->
  let x := id_of_dictionary genesis ++ encode_core (seq_at applied i) in
  let y := id_of_dictionary genesis ++ encode_core (seq_at applied j) in
  x <> y /\ tagged_hash tag_transaction x = tagged_hash tag_transaction y.
Proof.
  exact (Aardvark.Lemmas.Applied.repeated_id_is_collision setup genesis applied state (has_applied_same _ _ log) numbers).
Qed.

End AppliedOnce.

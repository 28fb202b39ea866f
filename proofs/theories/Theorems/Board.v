(** Theorems for auditors: what the policy `board` lets into a dictionary.

    To understand a statement of this file you need this file, the generated definitions, [of_bytes] (Safety/BoundsSafe.v),
    [admitted] (Spec/Policy/Board.v) and, for the last theorem, [post_operation_in_memory] (Safety/BoardSafe.v). That the
    signatures of posts and of the admissions that they require are true is checked besides.

    - [posts_written_once]: a transaction that passes and is applied changes and deletes nothing that was there; so who
      relays a post that stands there writes nothing;
    - [posts_admitted]: each pair that a passing transaction puts is a post in a ceremony of an organiser whom genesis names:
      one that this organiser has to have signed, or one behind the requirement of its author's admission ([admitted]);
    - [check_board_never_panics]: no operations that a machine can receive make the check panic. *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.KeyMap Block.Operation Block.Transaction
  Block.Map Policy.PolicyReason Policy.Board Policy.BoardSafe.
From Aardvark Require Import Safety.BoundsSafe Safety.SlotMapSafe Spec.Policy.Board Safety.BoardSafe.
Import ListNotations.
Local Open Scope N_scope.

Section Board.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Theorem posts_written_once : forall organisers tx signing_keys before x after k v,
  Forall (fun op => of_bytes (operation_key op)) (operations tx) ->
  check_board organisers tx signing_keys = Ok tt ->
  map_operations before (operations tx) x = Ok after ->
  key_map_get before k = Some v -> key_map_get after k = Some v.
Proof. exact Aardvark.Spec.Policy.Board.posts_written_once. Qed.

Theorem posts_admitted : forall organisers tx signing_keys op,
  check_board organisers tx signing_keys = Ok tt -> In op (operations tx) -> admitted organisers (operations tx) op.
Proof. exact Aardvark.Spec.Policy.Board.posts_admitted. Qed.

Theorem check_board_never_panics : forall organisers tx signing_keys,
  Forall short organisers -> Forall post_operation_in_memory (operations tx) ->
  check_board_safe organisers tx signing_keys = true.
Proof. exact Aardvark.Safety.BoardSafe.check_board_never_panics. Qed.

End Board.

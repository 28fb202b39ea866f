(** Theorems for auditors: what a signature covers determines what is executed.

    To understand a statement of this file you need this file and the generated definitions, nothing else. A signature is over
    a transaction's id, which is a hash over the dictionary's id and the transaction's core ([encode_core]): its interval, its
    nonce and its operations. Nothing is assumed of the hash: where a conclusion fails, two different strings with one digest
    are at hand.

    - [encode_core_injective]: cores with one encoding have one interval, one nonce and the same operations.
    - [accepted_cores_fit]: what that needs, lengths that the encoding can hold, a block that is accepted has seen to: phase 1
      bounds the number of operations, phase 4 the lengths of keys, values and the nonce.
    - [equal_ids_equal_cores]: two transactions with one id have one core, or there are two such strings.
    - [signed_transactions_do_the_same]: so transactions with the ids that were signed, whatever their claims, do to every map
      what the signed ones do, or there are two such strings. What an accepted block does is what its transactions do to the
      map (Blocks.v). *)
From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.KeyMap Dictionary.Genesis
  Commitment.Scheme Block.Rejection Block.Operation Block.Transaction Block.State Block.BlockData
  Block.Validator Block.AggregatedBlock Block.Map.
From Aardvark Require Lemmas.AnyBlock Spec.Block.Transaction.
Import ListNotations.
Local Open Scope N_scope.

Section Signatures.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Cores *)

(** One interval, one nonce, the same operations; claims and openings may differ. *)
Definition same_core (tx tx' : Transaction) : Prop :=
  first_valid tx = first_valid tx' /\ last_valid tx = last_valid tx' /\ nonce tx = nonce tx' /\ operations tx = operations tx'.

(** Lengths and numbers that the encoding of a core can hold. *)
Definition fits_action (act : Action) : Prop :=
  match act with
  | Action_RequireValue v | Action_Put v => seq_length v < 2 ^ 16
  | Action_Add amount | Action_Sub amount => amount < 2 ^ 64
  | _ => True
  end.
Definition fits_operation (op : Operation) : Prop := seq_length (operation_key op) < 2 ^ 8 /\ fits_action (action op).
Definition fits_core (tx : Transaction) : Prop :=
  first_valid tx < 2 ^ 64 /\ last_valid tx < 2 ^ 64 /\ seq_length (nonce tx) = 16 /\
  seq_length (operations tx) < 2 ^ 16 /\ Forall fits_operation (operations tx).

(** The encoding of cores is injective. *)
Theorem encode_core_injective : forall tx tx', fits_core tx -> fits_core tx' ->
  encode_core tx = encode_core tx' -> same_core tx tx'.
Proof. exact Aardvark.Spec.Block.Transaction.encode_core_injective. Qed.

(** ** Accepted blocks *)

(** Numbers fit their types of 64 bits. *)
Definition numbers_fit (tx : Transaction) : Prop :=
  first_valid tx < 2 ^ 64 /\ last_valid tx < 2 ^ 64 /\
  forall op amount, In op (operations tx) -> action op = Action_Add amount \/ action op = Action_Sub amount -> amount < 2 ^ 64.

(** All transactions of an accepted block, plain or aggregated, have cores that the encoding can hold. *)
Theorem accepted_cores_fit : forall setup state state' effects, parameters_legal (parameters state) = true ->
  (forall block, apply_block setup state block = Ok (state', effects) ->
    forall tx, In tx (transactions block) -> numbers_fit tx -> fits_core tx) /\
  (forall aggregated coefficients combiners,
    apply_challenged_block setup state aggregated coefficients combiners = Ok (state', effects) ->
    forall tx, In tx (transactions (plain_block aggregated)) -> numbers_fit tx -> fits_core tx).
Proof.
  intros setup state state' effects L. split.
  - intros block E tx. exact (Aardvark.Spec.Block.Transaction.accepted_core_fits setup state
      (Aardvark.Lemmas.AnyBlock.Plain block) state' effects tx L E).
  - intros aggregated rho gamma E tx. exact (Aardvark.Spec.Block.Transaction.accepted_core_fits setup state
      (Aardvark.Lemmas.AnyBlock.Aggregated aggregated rho gamma) state' effects tx L E).
Qed.

(** ** Ids *)

(** Two transactions whose ids hash different strings to one digest. *)
Definition ids_collide (dictionary : ByteString) (tx tx' : Transaction) : Prop :=
  let x := dictionary ++ encode_core tx in
  let y := dictionary ++ encode_core tx' in
  x <> y /\ tagged_hash tag_transaction x = tagged_hash tag_transaction y.

(** One id, one core, or a collision. *)
Theorem equal_ids_equal_cores : forall dictionary tx tx', fits_core tx -> fits_core tx' ->
  id_of_transaction dictionary tx = id_of_transaction dictionary tx' ->
  same_core tx tx' \/ ids_collide dictionary tx tx'.
Proof. exact Aardvark.Spec.Block.Transaction.equal_ids_equal_cores. Qed.

(** Transactions with the ids that were signed, in the same order, do to every map what the signed ones do, or a collision is
    among them. *)
Theorem signed_transactions_do_the_same : forall dictionary signed items,
  Forall fits_core signed -> Forall fits_core items ->
  Forall2 (fun tx tx' => id_of_transaction dictionary tx = id_of_transaction dictionary tx') signed items ->
  (forall entries, map_transactions entries signed = map_transactions entries items) \/
  exists tx tx', In tx signed /\ In tx' items /\ ids_collide dictionary tx tx'.
Proof.
  intros dictionary signed items X Y S.
  destruct (Aardvark.Spec.Block.Transaction.equal_ids_same_cores dictionary signed items X Y S) as [C|C]; [left|right; exact C].
  intros entries. exact (Aardvark.Spec.Block.Transaction.map_transactions_by_cores entries signed items C).
Qed.

End Signatures.

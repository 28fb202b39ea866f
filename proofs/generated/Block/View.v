(* Translated from spec/src/block/view.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The view: what a validator knows of the array at its version t.

    Claims at the bottom, the tail over them, and the window's writes on top. A claim that is not
    current is of a position that the window wrote after the claim's version, so the writes replace
    it: that is how stale claims are dropped. Source: docs/design.md, section 5. *)
From AardvarkSpec Require Export Prelude Dictionary.SlotMap Dictionary.Window Block.Tail Block.Transaction
  Block.State Block.BlockData.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** One step of [`lay_claims`]. *)
Definition lay_claims_step (slots : SlotMap) (claim : Claim) : SlotMap :=
  put_slot slots claim.(claim_position) (Some claim.(claim_slot)).

(** The map with the claimed slots laid over it. *)
Definition lay_claims (below : SlotMap) (items : Seq Claim) : SlotMap :=
  fold_left (fun slots c => lay_claims_step slots (seq_at items c)) (range 0 (seq_length items)) below.

(** The map with the validator's tail and the window's writes laid over it. *)
Definition lay_state (below : SlotMap) (state : ValidatorState) : SlotMap :=
  lay_window (lay_slots below state.(tail_start) state.(tail)) state.(window).

(** What a validator knows with the claims of one transaction, all of which have been verified. *)
Definition transaction_view (state : ValidatorState) (tx : Transaction) : SlotMap :=
  lay_state (lay_claims empty_slot_map tx.(claims)) state.

(** One step of [`lay_block_claims`]. *)
Definition lay_block_claims_step (slots : SlotMap) (tx : Transaction) : SlotMap :=
  lay_claims slots tx.(claims).

(** The map with the claims of all transactions laid over it. *)
Definition lay_block_claims (below : SlotMap) (items : Seq Transaction) : SlotMap :=
  fold_left (fun slots x => lay_block_claims_step slots (seq_at items x)) (range 0 (seq_length items)) below.

(** What a validator knows with a block's tail vectors and all of its claims, which have been
    verified. *)
Definition block_view (state : ValidatorState) (block : Block) : SlotMap :=
  let vectors :=
    lay_tail_vectors empty_slot_map state.(tail_start) state.(parameters).(vector_size) block.(tail_vectors)
  in
  lay_state (lay_block_claims vectors block.(transactions)) state.

End Specification.

(* Translated from spec/src/block/view.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.View Dictionary.SlotMapSafe Dictionary.WindowSafe Block.TailSafe
  Block.TransactionSafe Block.StateSafe Block.BlockDataSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [lay_claims_step] does not panic. *)
Definition lay_claims_step_safe (slots : SlotMap) (claim : Claim) : bool :=
  put_slot_safe slots claim.(claim_position) (Some claim.(claim_slot)).

(** When [lay_claims] does not panic. *)
Definition lay_claims_safe (below : SlotMap) (items : Seq Claim) : bool :=
  loop_safe
    (fun slots c => lay_claims_step slots (seq_at items c))
    (fun slots c => (c <? seq_length items) && lay_claims_step_safe slots (seq_at items c))
    (range 0 (seq_length items))
    below.

(** When [lay_state] does not panic. *)
Definition lay_state_safe (below : SlotMap) (state : ValidatorState) : bool :=
  lay_slots_safe below state.(tail_start) state.(tail) &&
  lay_window_safe (lay_slots below state.(tail_start) state.(tail)) state.(window).

(** When [transaction_view] does not panic. *)
Definition transaction_view_safe (state : ValidatorState) (tx : Transaction) : bool :=
  lay_claims_safe empty_slot_map tx.(claims) && lay_state_safe (lay_claims empty_slot_map tx.(claims)) state.

(** When [lay_block_claims_step] does not panic. *)
Definition lay_block_claims_step_safe (slots : SlotMap) (tx : Transaction) : bool :=
  lay_claims_safe slots tx.(claims).

(** When [lay_block_claims] does not panic. *)
Definition lay_block_claims_safe (below : SlotMap) (items : Seq Transaction) : bool :=
  loop_safe
    (fun slots x => lay_block_claims_step slots (seq_at items x))
    (fun slots x => (x <? seq_length items) && lay_block_claims_step_safe slots (seq_at items x))
    (range 0 (seq_length items))
    below.

(** When [block_view] does not panic. *)
Definition block_view_safe (state : ValidatorState) (block : Block) : bool :=
  lay_tail_vectors_safe
    empty_slot_map
    state.(tail_start)
    state.(parameters).(vector_size)
    block.(tail_vectors) &&
  (let vectors :=
      lay_tail_vectors empty_slot_map state.(tail_start) state.(parameters).(vector_size) block.(tail_vectors)
    in
    lay_block_claims_safe vectors block.(transactions) &&
    lay_state_safe (lay_block_claims vectors block.(transactions)) state).

End Specification.

(* Translated from spec/src/block/prover.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.Prover Base.BytesSafe Commitment.OpeningSafe Commitment.SchemeSafe
  Dictionary.SlotSafe Dictionary.SlotMapSafe Dictionary.ArraySafe Dictionary.VectorsSafe Block.OperationSafe
  Block.TailSafe Block.TransactionSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [honest_claim] does not panic. *)
Definition honest_claim_safe (setup : Setup) (slots : SlotMap) (p : usize) : bool :=
  match slot_at slots p with
  | Some slot =>
      let n := setup_vector_size setup in
      vector_of_safe p n && vector_scalars_safe slots n (vector_of p n) &&
      (let scalars := vector_scalars slots n (vector_of p n) in
        index_of_safe p n && open_safe setup scalars (index_of p n))
  | None => true
  end.

(** When [add_claim] does not panic. *)
Definition add_claim_safe (items : Seq Claim) (setup : Setup) (slots : SlotMap) (p : usize) : bool :=
  claimed_before_safe items (seq_length items) p &&
  (if claimed_before items (seq_length items) p then true else honest_claim_safe setup slots p).

(** When [add_covering_claim] does not panic. *)
Definition add_covering_claim_safe
    (items : Seq Claim)
    (setup : Setup)
    (slots : SlotMap)
    (k : ByteString) : bool :=
  covering_position_safe slots k &&
  (match covering_position slots k with
    | None => true
    | Some p => add_claim_safe items setup slots p
    end).

(** When [add_preceding_claim] does not panic. *)
Definition add_preceding_claim_safe
    (items : Seq Claim)
    (setup : Setup)
    (slots : SlotMap)
    (k : ByteString) : bool :=
  preceding_position_safe slots k &&
  (match preceding_position slots k with
    | None => true
    | Some p => add_claim_safe items setup slots p
    end).

(** When [has_key] does not panic. *)
Definition has_key_safe (slots : SlotMap) (k : ByteString) : bool :=
  covering_slot_safe slots k &&
  (match covering_slot slots k with
    | None => true
    | Some slot => bytes_equal_safe slot.(key) k
    end).

(** When [honest_claims_step] does not panic. *)
Definition honest_claims_step_safe
    (items : Seq Claim)
    (setup : Setup)
    (slots : SlotMap)
    (operation : Operation) : bool :=
  add_covering_claim_safe items setup slots operation.(operation_key) &&
  (let covering := add_covering_claim items setup slots operation.(operation_key) in
    (if is_delete operation.(action) then has_key_safe slots operation.(operation_key) else true) &&
    (if is_delete operation.(action) && has_key slots operation.(operation_key) then
        add_preceding_claim_safe covering setup slots operation.(operation_key)
      else
        true)).

(** When [honest_claims] does not panic. *)
Definition honest_claims_safe (setup : Setup) (array : Array) (items : Seq Operation) : bool :=
  loop_safe
    (fun collected j => honest_claims_step collected setup array.(array_slots) (seq_at items j))
    (fun collected j =>
      (j <? seq_length items) && honest_claims_step_safe collected setup array.(array_slots) (seq_at items j))
    (range 0 (seq_length items))
    [].

(** When [honest_tail_vectors_step] does not panic. *)
Definition honest_tail_vectors_step_safe
    (vectors : Seq (Seq Slot))
    (slots : SlotMap)
    (start n i : usize) : bool :=
  tail_vector_number_safe start n i &&
  (match tail_vector_number start n i with
    | None => true
    | Some number => within_usize (number * n) && (within_usize (number * n) && within_usize (number * n + n))
    end).

(** When [honest_tail_vectors] does not panic. *)
Definition honest_tail_vectors_safe (array : Array) (start n count : usize) : bool :=
  loop_safe
    (fun vectors i => honest_tail_vectors_step vectors array.(array_slots) start n i)
    (fun vectors i => honest_tail_vectors_step_safe vectors array.(array_slots) start n i)
    (range 0 count)
    [].

End Specification.

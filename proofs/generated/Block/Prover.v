(* Translated from spec/src/block/prover.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What an honest archive says about its whole array: claims for the keys of a transaction, and
    tail vectors. *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Opening Commitment.Scheme Dictionary.Slot
  Dictionary.SlotMap Dictionary.Array Dictionary.Vectors Block.Operation Block.Tail Block.Transaction.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The claim of what position `p` holds. *)
Definition honest_claim (setup : Setup) (slots : SlotMap) (p : usize) : Option Claim :=
  match slot_at slots p with
  | Some slot =>
      let n := setup_vector_size setup in
      let scalars := vector_scalars slots n (vector_of p n) in
      Some
        {| claim_position := p;
          claim_slot := slot;
          claim_opening := Opening_Point (open setup scalars (index_of p n)) |}
  | None => None
  end.

(** The claims with that of position `p`, unless it is among them. *)
Definition add_claim (items : Seq Claim) (setup : Setup) (slots : SlotMap) (p : usize) : Seq Claim :=
  if claimed_before items (seq_length items) p then
    items
  else
    match honest_claim setup slots p with
    | None => items
    | Some claim => items ++ [claim]
    end.

(** The claims with that of the slot that covers `k`. *)
Definition add_covering_claim
    (items : Seq Claim)
    (setup : Setup)
    (slots : SlotMap)
    (k : ByteString) : Seq Claim :=
  match covering_position slots k with
  | None => items
  | Some p => add_claim items setup slots p
  end.

(** The claims with that of the predecessor of `k`. *)
Definition add_preceding_claim
    (items : Seq Claim)
    (setup : Setup)
    (slots : SlotMap)
    (k : ByteString) : Seq Claim :=
  match preceding_position slots k with
  | None => items
  | Some p => add_claim items setup slots p
  end.

(** Whether `k` is a key of the array. *)
Definition has_key (slots : SlotMap) (k : ByteString) : bool :=
  match covering_slot slots k with
  | None => false
  | Some slot => bytes_equal slot.(key) k
  end.

(** One step of [`honest_claims`]. *)
Definition honest_claims_step
    (items : Seq Claim)
    (setup : Setup)
    (slots : SlotMap)
    (operation : Operation) : Seq Claim :=
  let covering := add_covering_claim items setup slots operation.(operation_key) in
  if is_delete operation.(action) && has_key slots operation.(operation_key) then
    add_preceding_claim covering setup slots operation.(operation_key)
  else
    covering.

(** The claims that a transaction with these operations needs: for each key its covering slot, and
    its predecessor if it is present and deleted; no position twice. *)
Definition honest_claims (setup : Setup) (array : Array) (items : Seq Operation) : Seq Claim :=
  fold_left
    (fun collected j => honest_claims_step collected setup array.(array_slots) (seq_at items j))
    (range 0 (seq_length items))
    [].

(** One step of [`honest_tail_vectors`]. *)
Definition honest_tail_vectors_step
    (vectors : Seq (Seq Slot))
    (slots : SlotMap)
    (start n i : usize) : Seq (Seq Slot) :=
  match tail_vector_number start n i with
  | None => vectors
  | Some number =>
      match slots_from slots (number * n) (number * n + n) with
      | None => vectors
      | Some items => vectors ++ [items]
      end
  end.

(** The first `count` tail vectors below `start`. *)
Definition honest_tail_vectors (array : Array) (start n count : usize) : Seq (Seq Slot) :=
  fold_left
    (fun vectors i => honest_tail_vectors_step vectors array.(array_slots) start n i)
    (range 0 count)
    [].

End Specification.

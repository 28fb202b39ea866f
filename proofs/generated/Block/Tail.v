(* Translated from spec/src/block/tail.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The tail: the plaintext of the last slots, from which deletes move slots into freed positions.

    Validators keep the content of the positions from `tail_start`, a multiple of N, to the end. A
    block that makes the array end below it carries the whole vectors that are lacking, the highest
    first. Source: docs/format.md. *)
From AardvarkSpec Require Export Prelude Base.Group Commitment.Scheme Dictionary.Slot Dictionary.SlotMap
  Dictionary.Genesis Dictionary.Vectors Block.Rejection.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The least tail start with `s` slots: one full vector of slack remains, N * max(0, s / N - 1). *)
Definition tail_floor (s n : usize) : usize :=
  let full := s / n in
  if 0 <? full then n * (full - 1) else 0.

(** The number of tail vectors that a block must carry which leaves `s` slots. *)
Definition tail_needed (start s n : usize) : usize :=
  if s <? start then (start - s + n - 1) / n else 0.

(** The tail start after a block that leaves `s` slots. *)
Definition tail_start_after (start s n : usize) : usize :=
  let fallen := n * tail_needed start s n in
  let lowered := if fallen <=? start then start - fallen else 0 in
  let floor := tail_floor s n in
  if lowered <? floor then floor else lowered.

(** The vector that item `i` of a block's tail must be; `None` when there is none. *)
Definition tail_vector_number (start n i : usize) : Option usize :=
  let below := start / n in
  if i <? below then Some (below - 1 - i) else None.

(** One step of [`lay_slots`]. *)
Definition lay_slots_step (laid : SlotMap) (slot : Slot) (p : usize) : SlotMap :=
  put_slot laid p (Some slot).

(** The map with consecutive slots laid over it, the first at position `start`. *)
Definition lay_slots (below : SlotMap) (start : usize) (slots : Seq Slot) : SlotMap :=
  fold_left
    (fun laid i => lay_slots_step laid (seq_at slots i) (start + i))
    (range 0 (seq_length slots))
    below.

(** The map with item `i` of a block's tail laid over it. *)
Definition lay_tail_vector
    (below : SlotMap)
    (start n : usize)
    (vectors : Seq (Seq Slot))
    (i : usize) : SlotMap :=
  match tail_vector_number start n i with
  | None => below
  | Some number => lay_slots below (number * n) (seq_at vectors i)
  end.

(** The map with a block's tail vectors laid over it. *)
Definition lay_tail_vectors (below : SlotMap) (start n : usize) (vectors : Seq (Seq Slot)) : SlotMap :=
  fold_left (fun laid i => lay_tail_vector laid start n vectors i) (range 0 (seq_length vectors)) below.

(** One step of [`slots_from`]. *)
Definition slots_from_step (taken : Option (Seq Slot)) (content : Option Slot) : Option (Seq Slot) :=
  match taken with
  | None => None
  | Some taken_slots =>
      match content with
      | None => None
      | Some slot => Some (taken_slots ++ [slot])
      end
  end.

(** The slots at the positions from `start` to `stop`; `None` when one is not known. *)
Definition slots_from (slots : SlotMap) (start stop : usize) : Option (Seq Slot) :=
  fold_left (fun taken p => slots_from_step taken (slot_at slots p)) (range start stop) (Some []).

(** Whether a slot's lengths are within the maxima. *)
Definition slot_fits (p : Parameters) (slot : Slot) : bool :=
  (seq_length slot.(key) <=? p.(max_key_length)) && (seq_length slot.(next) <=? p.(max_key_length)) &&
  (seq_length slot.(value) <=? p.(max_value_length)).

(** One step of [`slots_fit`]. *)
Definition slots_fit_step (fit : bool) (p : Parameters) (slot : Slot) : bool :=
  fit && slot_fits p slot.

(** Whether the lengths of all slots are within the maxima. *)
Definition slots_fit (p : Parameters) (slots : Seq Slot) : bool :=
  fold_left (fun fit i => slots_fit_step fit p (seq_at slots i)) (range 0 (seq_length slots)) true.

(** Whether the slots are exactly the content of the vector under its commitment. *)
Definition vector_matches (setup : Setup) (n : usize) (commitment : G1) (slots : Seq Slot) : bool :=
  let scalars := vector_scalars (lay_slots empty_slot_map 0 slots) n 0 in
  g1_equal (commit setup scalars) commitment.

(** Checks item `i` of a block's tail: phase 7. *)
Definition check_tail_vector
    (setup : Setup)
    (p : Parameters)
    (commitments_now : Seq G1)
    (start : usize)
    (slots : Seq Slot)
    (i : usize) : Result unit Rejection :=
  match tail_vector_number start p.(vector_size) i with
  | None => Err (reject_tail_vector Reason_TailTooLong i)
  | Some number =>
      if negb (seq_length slots =? p.(vector_size)) then
        Err (reject_tail_vector Reason_TailVectorSize i)
      else if negb (slots_fit p slots) then
        Err (reject_tail_vector Reason_TailSlotMalformed i)
      else if negb (vector_matches setup p.(vector_size) (g1_at commitments_now number) slots) then
        Err (reject_tail_vector Reason_TailFalse i)
      else
        Ok tt
  end.

(** One step of [`check_tail_vectors`]. *)
Definition check_tail_vectors_step
    (checked : Result unit Rejection)
    (setup : Setup)
    (p : Parameters)
    (commitments_now : Seq G1)
    (start : usize)
    (slots : Seq Slot)
    (i : usize) : Result unit Rejection :=
  match checked with
  | Err rejection => Err rejection
  | Ok tt => check_tail_vector setup p commitments_now start slots i
  end.

(** Checks the content of a block's tail vectors: phase 7. Whether their number is right is
    phase 10. *)
Definition check_tail_vectors
    (setup : Setup)
    (p : Parameters)
    (commitments_now : Seq G1)
    (start : usize)
    (vectors : Seq (Seq Slot)) : Result unit Rejection :=
  fold_left
    (fun checked i => check_tail_vectors_step checked setup p commitments_now start (seq_at vectors i) i)
    (range 0 (seq_length vectors))
    (Ok tt).

(** One step of [`slots_length`]. *)
Definition slots_length_step (total : usize) (slot : Slot) : usize :=
  total + slot_bytes_length slot.

(** The length of the encoded slots, in bytes. *)
Definition slots_length (slots : Seq Slot) : usize :=
  fold_left (fun total i => slots_length_step total (seq_at slots i)) (range 0 (seq_length slots)) 0.

(** One step of [`vectors_length`]. *)
Definition vectors_length_step (total : usize) (slots : Seq Slot) : usize :=
  total + slots_length slots.

(** The length of the encoded tail vectors, in bytes. *)
Definition vectors_length (vectors : Seq (Seq Slot)) : usize :=
  fold_left (fun total i => vectors_length_step total (seq_at vectors i)) (range 0 (seq_length vectors)) 0.

End Specification.

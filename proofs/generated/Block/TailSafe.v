(* Translated from spec/src/block/tail.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.Tail Base.GroupSafe Commitment.SchemeSafe Dictionary.SlotSafe
  Dictionary.SlotMapSafe Dictionary.GenesisSafe Dictionary.VectorsSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [tail_floor] does not panic. *)
Definition tail_floor_safe (s n : usize) : bool :=
  negb (n =? 0) &&
  (let full := s / n in
    if 0 <? full then (1 <=? full) && within_usize (n * (full - 1)) else true).

(** When [tail_needed] does not panic. *)
Definition tail_needed_safe (start s n : usize) : bool :=
  if s <? start then within_usize (start - s + n) && (1 <=? start - s + n) && negb (n =? 0) else true.

(** When [tail_start_after] does not panic. *)
Definition tail_start_after_safe (start s n : usize) : bool :=
  tail_needed_safe start s n && within_usize (n * tail_needed start s n) && tail_floor_safe s n.

(** When [tail_vector_number] does not panic. *)
Definition tail_vector_number_safe (start n i : usize) : bool :=
  negb (n =? 0) &&
  (let below := start / n in
    if i <? below then (1 <=? below) && (i <=? below - 1) else true).

(** When [lay_slots_step] does not panic. *)
Definition lay_slots_step_safe (laid : SlotMap) (slot : Slot) (p : usize) : bool :=
  put_slot_safe laid p (Some slot).

(** When [lay_slots] does not panic. *)
Definition lay_slots_safe (below : SlotMap) (start : usize) (slots : Seq Slot) : bool :=
  loop_safe
    (fun laid i => lay_slots_step laid (seq_at slots i) (start + i))
    (fun laid i =>
      (i <? seq_length slots) && within_usize (start + i) &&
      lay_slots_step_safe laid (seq_at slots i) (start + i))
    (range 0 (seq_length slots))
    below.

(** When [lay_tail_vector] does not panic. *)
Definition lay_tail_vector_safe
    (below : SlotMap)
    (start n : usize)
    (vectors : Seq (Seq Slot))
    (i : usize) : bool :=
  tail_vector_number_safe start n i &&
  (match tail_vector_number start n i with
    | None => true
    | Some number =>
        within_usize (number * n) && (i <? seq_length vectors) &&
        lay_slots_safe below (number * n) (seq_at vectors i)
    end).

(** When [lay_tail_vectors] does not panic. *)
Definition lay_tail_vectors_safe (below : SlotMap) (start n : usize) (vectors : Seq (Seq Slot)) : bool :=
  loop_safe
    (fun laid i => lay_tail_vector laid start n vectors i)
    (fun laid i => lay_tail_vector_safe laid start n vectors i)
    (range 0 (seq_length vectors))
    below.

(** When [slots_fit] does not panic. *)
Definition slots_fit_safe (p : Parameters) (slots : Seq Slot) : bool :=
  loop_safe
    (fun fit i => slots_fit_step fit p (seq_at slots i))
    (fun fit i => i <? seq_length slots)
    (range 0 (seq_length slots))
    true.

(** When [vector_matches] does not panic. *)
Definition vector_matches_safe (setup : Setup) (n : usize) (commitment : G1) (slots : Seq Slot) : bool :=
  lay_slots_safe empty_slot_map 0 slots && vector_scalars_safe (lay_slots empty_slot_map 0 slots) n 0 &&
  (let scalars := vector_scalars (lay_slots empty_slot_map 0 slots) n 0 in
    commit_safe setup scalars).

(** When [check_tail_vector] does not panic. *)
Definition check_tail_vector_safe
    (setup : Setup)
    (p : Parameters)
    (commitments_now : Seq G1)
    (start : usize)
    (slots : Seq Slot)
    (i : usize) : bool :=
  tail_vector_number_safe start p.(vector_size) i &&
  (match tail_vector_number start p.(vector_size) i with
    | None => true
    | Some number =>
        if negb (seq_length slots =? p.(vector_size)) then
          true
        else
          slots_fit_safe p slots &&
          (if negb (slots_fit p slots) then
              true
            else
              vector_matches_safe setup p.(vector_size) (g1_at commitments_now number) slots)
    end).

(** When [check_tail_vectors_step] does not panic. *)
Definition check_tail_vectors_step_safe
    (checked : Result unit Rejection)
    (setup : Setup)
    (p : Parameters)
    (commitments_now : Seq G1)
    (start : usize)
    (slots : Seq Slot)
    (i : usize) : bool :=
  match checked with
  | Err rejection => true
  | Ok tt => check_tail_vector_safe setup p commitments_now start slots i
  end.

(** When [check_tail_vectors] does not panic. *)
Definition check_tail_vectors_safe
    (setup : Setup)
    (p : Parameters)
    (commitments_now : Seq G1)
    (start : usize)
    (vectors : Seq (Seq Slot)) : bool :=
  loop_safe
    (fun checked i => check_tail_vectors_step checked setup p commitments_now start (seq_at vectors i) i)
    (fun checked i =>
      (i <? seq_length vectors) &&
      check_tail_vectors_step_safe checked setup p commitments_now start (seq_at vectors i) i)
    (range 0 (seq_length vectors))
    (Ok tt).

(** When [slots_length_step] does not panic. *)
Definition slots_length_step_safe (total : usize) (slot : Slot) : bool :=
  slot_bytes_length_safe slot && within_usize (total + slot_bytes_length slot).

(** When [slots_length] does not panic. *)
Definition slots_length_safe (slots : Seq Slot) : bool :=
  loop_safe
    (fun total i => slots_length_step total (seq_at slots i))
    (fun total i => (i <? seq_length slots) && slots_length_step_safe total (seq_at slots i))
    (range 0 (seq_length slots))
    0.

(** When [vectors_length_step] does not panic. *)
Definition vectors_length_step_safe (total : usize) (slots : Seq Slot) : bool :=
  slots_length_safe slots && within_usize (total + slots_length slots).

(** When [vectors_length] does not panic. *)
Definition vectors_length_safe (vectors : Seq (Seq Slot)) : bool :=
  loop_safe
    (fun total i => vectors_length_step total (seq_at vectors i))
    (fun total i => (i <? seq_length vectors) && vectors_length_step_safe total (seq_at vectors i))
    (range 0 (seq_length vectors))
    0.

End Specification.

(* Translated from spec/src/dictionary/vectors.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Vectors of slots: which vector a position lies in, the scalars of a vector, and its commitment. *)
From AardvarkSpec Require Export Prelude Base.Scalar Base.Group Commitment.Scheme Dictionary.Slot
  Dictionary.SlotMap Dictionary.Array Dictionary.Writes.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The vector of a position. *)
Definition vector_of (p n : usize) : usize :=
  p / n.

(** The index of a position within its vector. *)
Definition index_of (p n : usize) : usize :=
  p mod n.

(** The number of vectors that hold `s` slots. *)
Definition vector_count (s n : usize) : usize :=
  (s + n - 1) / n.

(** One step of [`vector_scalars`]. *)
Definition vector_scalars_step (scalars : Seq Scalar) (slots : SlotMap) (p : usize) : Seq Scalar :=
  scalars ++ [scalar_of_content (slot_at slots p)].

(** The `n` scalars of a vector; unused positions are 0. *)
Definition vector_scalars (slots : SlotMap) (n vector : usize) : Seq Scalar :=
  fold_left (fun scalars p => vector_scalars_step scalars slots p) (range (vector * n) (vector * n + n)) [].

(** One step of [`array_commitments`]. *)
Definition array_commitments_step
    (committed : Seq G1)
    (setup : Setup)
    (slots : SlotMap)
    (n vector : usize) : Seq G1 :=
  committed ++ [commit setup (vector_scalars slots n vector)].

(** The commitments to all vectors of a whole array. *)
Definition array_commitments (setup : Setup) (n : usize) (array : Array) : Seq G1 :=
  fold_left
    (fun committed vector => array_commitments_step committed setup array.(array_slots) n vector)
    (range 0 (vector_count array.(array_size) n))
    [].

(** One step of [`updated_commitments`]: the commitment of the write's vector moves by the
    difference of the scalars. *)
Definition updated_commitments_step
    (updated : Seq G1)
    (setup : Setup)
    (n : usize)
    (before : SlotMap)
    (write : Write) : Seq G1 :=
  let vector := vector_of write.(write_position) n in
  let old := scalar_of_content (slot_at before write.(write_position)) in
  let delta := scalar_of_content write.(write_content) [-] old in
  let moved := update_commitment setup (g1_at updated vector) (index_of write.(write_position) n) delta in
  g1_updated updated vector moved.

(** The commitments after writes. The vectors of both versions take part, new ones from 0 on; those
    that hold no slot afterwards are dropped. *)
Definition updated_commitments
    (setup : Setup)
    (n : usize)
    (old : Seq G1)
    (before : SlotMap)
    (writes : Seq Write)
    (new_size : usize) : Seq G1 :=
  let kept := vector_count new_size n in
  let widest := if seq_length old <? kept then kept else seq_length old in
  let updated :=
    fold_left
      (fun updated i => updated_commitments_step updated setup n before (seq_at writes i))
      (range 0 (seq_length writes))
      (g1_resized old widest)
  in
  g1_resized updated kept.

End Specification.

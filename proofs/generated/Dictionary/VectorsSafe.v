(* Translated from spec/src/dictionary/vectors.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Dictionary.Vectors Base.ScalarSafe Base.GroupSafe Commitment.SchemeSafe
  Dictionary.SlotSafe Dictionary.SlotMapSafe Dictionary.ArraySafe Dictionary.WritesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [vector_of] does not panic. *)
Definition vector_of_safe (p n : usize) : bool :=
  negb (n =? 0).

(** When [index_of] does not panic. *)
Definition index_of_safe (p n : usize) : bool :=
  negb (n =? 0).

(** When [vector_count] does not panic. *)
Definition vector_count_safe (s n : usize) : bool :=
  within_usize (s + n) && (1 <=? s + n) && negb (n =? 0).

(** When [vector_scalars] does not panic. *)
Definition vector_scalars_safe (slots : SlotMap) (n vector : usize) : bool :=
  within_usize (vector * n) && (within_usize (vector * n) && within_usize (vector * n + n)).

(** When [array_commitments_step] does not panic. *)
Definition array_commitments_step_safe
    (committed : Seq G1)
    (setup : Setup)
    (slots : SlotMap)
    (n vector : usize) : bool :=
  vector_scalars_safe slots n vector && commit_safe setup (vector_scalars slots n vector).

(** When [array_commitments] does not panic. *)
Definition array_commitments_safe (setup : Setup) (n : usize) (array : Array) : bool :=
  vector_count_safe array.(array_size) n &&
  (loop_safe
      (fun committed vector => array_commitments_step committed setup array.(array_slots) n vector)
      (fun committed vector => array_commitments_step_safe committed setup array.(array_slots) n vector)
      (range 0 (vector_count array.(array_size) n))
      []).

(** When [updated_commitments_step] does not panic. *)
Definition updated_commitments_step_safe
    (updated : Seq G1)
    (setup : Setup)
    (n : usize)
    (before : SlotMap)
    (write : Write) : bool :=
  vector_of_safe write.(write_position) n &&
  (let vector := vector_of write.(write_position) n in
    let old := scalar_of_content (slot_at before write.(write_position)) in
    let delta := scalar_of_content write.(write_content) [-] old in
    index_of_safe write.(write_position) n &&
    update_commitment_safe setup (g1_at updated vector) (index_of write.(write_position) n) delta &&
    (let moved := update_commitment setup (g1_at updated vector) (index_of write.(write_position) n) delta in
      g1_updated_safe updated vector moved)).

(** When [updated_commitments] does not panic. *)
Definition updated_commitments_safe
    (setup : Setup)
    (n : usize)
    (old : Seq G1)
    (before : SlotMap)
    (writes : Seq Write)
    (new_size : usize) : bool :=
  vector_count_safe new_size n &&
  (let kept := vector_count new_size n in
    let widest := if seq_length old <? kept then kept else seq_length old in
    loop_safe
      (fun updated i => updated_commitments_step updated setup n before (seq_at writes i))
      (fun updated i =>
        (i <? seq_length writes) && updated_commitments_step_safe updated setup n before (seq_at writes i))
      (range 0 (seq_length writes))
      (g1_resized old widest)).

End Specification.

(* Translated from spec/src/dictionary/window.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Dictionary.Window Base.GroupSafe Dictionary.SlotMapSafe Dictionary.WritesSafe
  Dictionary.VectorsSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [size_at] does not panic. *)
Definition size_at_safe (kept : Window) (t s v : usize) : bool :=
  if v =? t then
    true
  else
    match record_after kept t v with
    | None => true
    | Some i => i <? seq_length kept
    end.

(** When [is_written] does not panic. *)
Definition is_written_safe (writes : Seq Write) (p : usize) : bool :=
  loop_safe
    (fun found i => is_written_step found (seq_at writes i) p)
    (fun found i => i <? seq_length writes)
    (range 0 (seq_length writes))
    false.

(** When [is_current_step] does not panic. *)
Definition is_current_step_safe (current : bool) (record : VersionRecord) (p : usize) : bool :=
  if current then is_written_safe record.(record_writes) p else true.

(** When [is_current] does not panic. *)
Definition is_current_safe (kept : Window) (t v p : usize) : bool :=
  let start :=
    match record_after kept t v with
    | None => seq_length kept
    | Some oldest => oldest
    end
  in
  loop_safe
    (fun current i => is_current_step current (seq_at kept i) p)
    (fun current i => (i <? seq_length kept) && is_current_step_safe current (seq_at kept i) p)
    (range start (seq_length kept))
    true.

(** When [commitment_before] does not panic. *)
Definition commitment_before_safe (record : VersionRecord) (vector : usize) (after : Option G1) : bool :=
  loop_safe
    (fun commitment i => commitment_before_step commitment (seq_at record.(record_commitments) i) vector)
    (fun commitment i => i <? seq_length record.(record_commitments))
    (range 0 (seq_length record.(record_commitments)))
    after.

(** When [commitment_at_step] does not panic. *)
Definition commitment_at_step_safe (commitment : Option G1) (kept : Window) (i vector : usize) : bool :=
  if i <? seq_length kept then
    (1 <=? seq_length kept) && (i <=? seq_length kept - 1) && (seq_length kept - 1 - i <? seq_length kept) &&
    commitment_before_safe (seq_at kept (seq_length kept - 1 - i)) vector commitment
  else
    true.

(** When [commitment_at] does not panic. *)
Definition commitment_at_safe (kept : Window) (commitments_now : Seq G1) (t v vector : usize) : bool :=
  let undone := if v <? t then t - v else 0 in
  loop_safe
    (fun commitment i => commitment_at_step commitment kept i vector)
    (fun commitment i => commitment_at_step_safe commitment kept i vector)
    (range 0 undone)
    (current_commitment commitments_now vector).

(** When [lay_window_step] does not panic. *)
Definition lay_window_step_safe (slots : SlotMap) (record : VersionRecord) : bool :=
  lay_writes_safe slots record.(record_writes).

(** When [lay_window] does not panic. *)
Definition lay_window_safe (below : SlotMap) (kept : Window) : bool :=
  loop_safe
    (fun slots i => lay_window_step slots (seq_at kept i))
    (fun slots i => (i <? seq_length kept) && lay_window_step_safe slots (seq_at kept i))
    (range 0 (seq_length kept))
    below.

(** When [last_is_vector] does not panic. *)
Definition last_is_vector_safe (previous : Seq PreviousCommitment) (vector : usize) : bool :=
  if 0 <? seq_length previous then
    (1 <=? seq_length previous) && (seq_length previous - 1 <? seq_length previous)
  else
    true.

(** When [previous_commitments_step] does not panic. *)
Definition previous_commitments_step_safe
    (previous : Seq PreviousCommitment)
    (commitments_now : Seq G1)
    (n : usize)
    (write : Write) : bool :=
  vector_of_safe write.(write_position) n &&
  (let vector := vector_of write.(write_position) n in
    last_is_vector_safe previous vector).

(** When [previous_commitments] does not panic. *)
Definition previous_commitments_safe (commitments_now : Seq G1) (n : usize) (writes : Seq Write) : bool :=
  loop_safe
    (fun previous i => previous_commitments_step previous commitments_now n (seq_at writes i))
    (fun previous i =>
      (i <? seq_length writes) && previous_commitments_step_safe previous commitments_now n (seq_at writes i))
    (range 0 (seq_length writes))
    [].

(** When [slide] does not panic. *)
Definition slide_safe (kept : Window) (count : usize) (record : VersionRecord) : bool :=
  let longer := kept ++ [record] in
  if count <? seq_length longer then seq_length longer - count + count <=? seq_length longer else true.

End Specification.

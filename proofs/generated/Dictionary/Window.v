(* Translated from spec/src/dictionary/window.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The window: what a validator keeps of the W latest versions, as undo.

    At version t the record of version u holds the writes of u, the number of slots before u, and
    the commitments before u of the vectors written in u. Records stand oldest first; the last is
    that of t. Notation as in docs/design.md: t and s are the current version and number of slots, v
    a version up to t, p a position. *)
From AardvarkSpec Require Export Prelude Base.Group Dictionary.SlotMap Dictionary.Writes Dictionary.Vectors.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The commitment of a vector before a version. *)
Record PreviousCommitment : Type := {
  (** The vector. *)
  previous_vector : usize;
  (** Its commitment; `None` when the vector did not exist. *)
  previous_commitment : Option G1;
}.

#[global] Instance Default_PreviousCommitment : Default PreviousCommitment := {| previous_vector := default; previous_commitment := default |}.

(** What is kept of one version. *)
Record VersionRecord : Type := {
  (** The writes of the version. *)
  record_writes : Seq Write;
  (** The number of slots before the version. *)
  record_size : usize;
  (** The commitments before the version of the vectors written in it, in ascending order of
      vectors. *)
  record_commitments : Seq PreviousCommitment;
}.

#[global] Instance Default_VersionRecord : Default VersionRecord := {| record_writes := default; record_size := default; record_commitments := default |}.

(** The records of the latest versions, oldest first. *)
Definition Window : Type := Seq VersionRecord.

(** The place in the window of the record of version v + 1, if version v can still be asked for (v <
    t). *)
Definition record_after (kept : Window) (t v : usize) : Option usize :=
  if (v <? t) && (t - v <=? seq_length kept) then Some (seq_length kept - (t - v)) else None.

(** s_v, the number of slots at version v; `None` outside of the window. *)
Definition size_at (kept : Window) (t s v : usize) : Option usize :=
  if v =? t then
    Some s
  else
    match record_after kept t v with
    | None => None
    | Some i => Some (seq_at kept i).(record_size)
    end.

(** One step of [`is_written`]. *)
Definition is_written_step (found : bool) (write : Write) (p : usize) : bool :=
  found || (write.(write_position) =? p).

(** Whether position `p` is among the writes. *)
Definition is_written (writes : Seq Write) (p : usize) : bool :=
  fold_left (fun found i => is_written_step found (seq_at writes i) p) (range 0 (seq_length writes)) false.

(** One step of [`is_current`]. *)
Definition is_current_step (current : bool) (record : VersionRecord) (p : usize) : bool :=
  current && negb (is_written record.(record_writes) p).

(** Whether a claim of position `p` at version v is current at t: `p` was not written in v+1..=t. *)
Definition is_current (kept : Window) (t v p : usize) : bool :=
  let start :=
    match record_after kept t v with
    | None => seq_length kept
    | Some oldest => oldest
    end
  in
  fold_left (fun current i => is_current_step current (seq_at kept i) p) (range start (seq_length kept)) true.

(** One step of [`commitment_before`]. *)
Definition commitment_before_step
    (commitment : Option G1)
    (previous : PreviousCommitment)
    (vector : usize) : Option G1 :=
  if previous.(previous_vector) =? vector then previous.(previous_commitment) else commitment.

(** The commitment of a vector before a version, from the one after it. *)
Definition commitment_before (record : VersionRecord) (vector : usize) (after : Option G1) : Option G1 :=
  fold_left
    (fun commitment i => commitment_before_step commitment (seq_at record.(record_commitments) i) vector)
    (range 0 (seq_length record.(record_commitments)))
    after.

(** One step of [`commitment_at`]: undoes the record that is `i` before the last. *)
Definition commitment_at_step (commitment : Option G1) (kept : Window) (i vector : usize) : Option G1 :=
  if i <? seq_length kept then
    commitment_before (seq_at kept (seq_length kept - 1 - i)) vector commitment
  else
    commitment.

(** The commitment of a vector at the current version. *)
Definition current_commitment (commitments_now : Seq G1) (vector : usize) : Option G1 :=
  if vector <? seq_length commitments_now then Some (seq_at commitments_now vector) else None.

(** C_v of a vector: its commitment at version v; `None` when the vector did not exist at v. *)
Definition commitment_at (kept : Window) (commitments_now : Seq G1) (t v vector : usize) : Option G1 :=
  let undone := if v <? t then t - v else 0 in
  fold_left
    (fun commitment i => commitment_at_step commitment kept i vector)
    (range 0 undone)
    (current_commitment commitments_now vector).

(** One step of [`lay_window`]. *)
Definition lay_window_step (slots : SlotMap) (record : VersionRecord) : SlotMap :=
  lay_writes slots record.(record_writes).

(** The map with the window's writes laid over it, the latest on top. *)
Definition lay_window (below : SlotMap) (kept : Window) : SlotMap :=
  fold_left (fun slots i => lay_window_step slots (seq_at kept i)) (range 0 (seq_length kept)) below.

(** Whether the last of the previous commitments is that of the vector. *)
Definition last_is_vector (previous : Seq PreviousCommitment) (vector : usize) : bool :=
  (0 <? seq_length previous) && ((seq_at previous (seq_length previous - 1)).(previous_vector) =? vector).

(** One step of [`previous_commitments`]. *)
Definition previous_commitments_step
    (previous : Seq PreviousCommitment)
    (commitments_now : Seq G1)
    (n : usize)
    (write : Write) : Seq PreviousCommitment :=
  let vector := vector_of write.(write_position) n in
  if last_is_vector previous vector then
    previous
  else
    previous ++
    [{| previous_vector := vector; previous_commitment := current_commitment commitments_now vector |}].

(** The commitments, before the writes (in ascending order of positions), of the vectors that they
    touch. *)
Definition previous_commitments
    (commitments_now : Seq G1)
    (n : usize)
    (writes : Seq Write) : Seq PreviousCommitment :=
  fold_left
    (fun previous i => previous_commitments_step previous commitments_now n (seq_at writes i))
    (range 0 (seq_length writes))
    [].

(** The window after one more version; at most `count` records remain. *)
Definition slide (kept : Window) (count : usize) (record : VersionRecord) : Window :=
  let longer := kept ++ [record] in
  if count <? seq_length longer then seq_slice longer (seq_length longer - count) count else longer.

End Specification.

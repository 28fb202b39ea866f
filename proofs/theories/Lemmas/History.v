(** What the ideal is: the whole arrays of all versions, and what a validator's state should be of them.

    Definitions only; the other files show that every reachable state is so.

    - [window_of_history]: the window keeps, of each of the latest versions, the writes between the whole arrays, the size
      before, and the commitments before of the vectors written;
    - [honest_state]: the state is that of a history of well-formed whole arrays, the last of which is the current one. *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Scheme Dictionary.Genesis Dictionary.Changes Dictionary.Writes
  Dictionary.Vectors Dictionary.Window Block.Tail Block.State.
From Aardvark Require Import Lemmas.WellFormed Lemmas.ChangeMaps.
Import ListNotations.
Local Open Scope N_scope.

Section History.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The whole arrays from version 0 on; the last is that of the current version t. *)
Definition History : Type := list Array.

(** The whole array at version [v]. *)
Definition array_at (h : History) (v : N) : Array := seq_at h v.

(** t, the current version. *)
Definition now (h : History) : N := seq_length h - 1.

(** The whole array at the current version. *)
Definition latest (h : History) : Array := array_at h (now h).

(** All arrays are whole and well-formed, and there is at least that of version 0. *)
Definition good_history (h : History) : Prop := h <> [] /\ Forall well_formed h.

(** What is to be kept of the version that leads from array [a] to array [b]. *)
Definition record_between (setup : Setup) (n : N) (a b : Array) : VersionRecord :=
  let writes := writes_between (array_slots a) (array_slots b) in
  {| record_writes := writes;
     record_size := array_size a;
     record_commitments := previous_commitments (array_commitments setup n a) n writes |}.

(** The window holds the records of the latest versions of the history, [count] of them if there are so many. *)
Definition window_of_history (setup : Setup) (n count : N) (h : History) (kept : Window) : Prop :=
  seq_length kept = N.min count (now h) /\
  forall i, i < seq_length kept ->
    seq_at kept i =
    record_between setup n (array_at h (now h - seq_length kept + i)) (array_at h (now h - seq_length kept + i + 1)).

(** The tail is the content of the positions from [tail_start] to the end, and [tail_start] is where it may be: a multiple
    of N, within the array, and low enough that a vector of slack remains. *)
Definition tail_of_array (n : N) (a : Array) (start : N) (slots : list Slot) : Prop :=
  (exists k, start = n * k) /\ start <= array_size a /\ tail_floor (array_size a) n <= start /\
  seq_length slots = array_size a - start /\
  forall i, i < seq_length slots -> slot_at (array_slots a) (start + i) = Some (seq_at slots i).

(** The state is that of the history. *)
Record honest_state (setup : Setup) (h : History) (state : ValidatorState) : Prop := {
  honest_history : good_history h;
  honest_vector_size : 1 <= vector_size (parameters state);
  honest_version : version state = now h;
  honest_size : size state = array_size (latest h);
  honest_commitments : commitments state = array_commitments setup (vector_size (parameters state)) (latest h);
  honest_window :
    window_of_history setup (vector_size (parameters state)) (window_length (parameters state)) h (window state);
  honest_tail : tail_of_array (vector_size (parameters state)) (latest h) (tail_start state) (tail state);
}.

End History.

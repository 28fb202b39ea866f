(** Theorems for auditors: versions. What a validator that keeps a window and a tail knows of the current array.

    To understand a statement of this file you need this file and the generated definitions, nothing else. The hypothesis
    [honest_state], which is about the whole arrays from version 0 on, holds of every reachable state:
    [reachable_well_formed] in History.v, which defines it in the same words.

    - [window_frame]: a position that no version since v wrote has the content that it had at v.
    - [window_complete]: if one slot at most satisfies Q, and the claim of it for version v is not current, then the slot that
      satisfies Q now was written since, and the window's writes hold it.
    - [stale_claims_resolve_current], [predecessor_resolves_current]: with true claims of any version in the window, among them
      one for the slot that covers, or precedes, the key, the view finds the slot that does so in the current array.
    - [tail_suffices]: with as many true tail vectors as a block needs, all positions from its new end on are known. *)
From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Scheme Dictionary.Genesis Dictionary.Changes Dictionary.Writes
  Dictionary.Vectors Dictionary.Window Block.Tail Block.Transaction Block.State Block.BlockData Block.View.
From Aardvark Require Lemmas.WellFormed Lemmas.History Spec.Dictionary.Window Lemmas.ViewLemmas
  Spec.Block.View Spec.Block.Phases.
Import ListNotations.
Local Open Scope N_scope.

(** ** Arrays, as in Ring.v *)

Definition before (a b : ByteString) : Prop := bytes_less a b = true.
Definition holds (slots : SlotMap) (p : N) (x : Slot) : Prop := slot_at slots p = Some x.

(** The slots stand at the positions [0 .. array_size), without holes; the sentinel is the first; keys are distinct. *)
Definition dense (a : Array) : Prop :=
  0 < array_size a /\ forall p, (exists x, holds (array_slots a) p x) <-> p < array_size a.
Definition sentinel_first (a : Array) : Prop :=
  exists x, holds (array_slots a) 0 x /\ key x = [] /\ value x = [].
Definition keys_distinct (a : Array) : Prop :=
  forall p q x y, holds (array_slots a) p x -> holds (array_slots a) q y -> key x = key y -> p = q.

(** The next key of [x] is the smallest key in the array that is larger than that of [x], or empty when there is none. *)
Definition is_next (a : Array) (x : Slot) : Prop :=
  (next x = [] /\ forall q y, holds (array_slots a) q y -> ~ before (key x) (key y)) \/
  (before (key x) (next x) /\
   (exists q y, holds (array_slots a) q y /\ key y = next x) /\
   (forall q y, holds (array_slots a) q y -> ~ (before (key x) (key y) /\ before (key y) (next x)))).
Definition well_formed (a : Array) : Prop :=
  dense a /\ sentinel_first a /\ keys_distinct a /\ (forall p x, holds (array_slots a) p x -> is_next a x).

(** The map that an array stands for. *)
Definition has_key (k : ByteString) (content : option Slot) : bool :=
  match content with Some x => bytes_equal (key x) k | None => false end.
Definition map_of (a : Array) (k : ByteString) : option ByteString :=
  if bytes_equal k [] then None
  else match find (has_key k) (array_slots a) with Some (Some x) => Some (value x) | _ => None end.

(** What the two say of a position is the same. *)
Definition knows (view whole : SlotMap) (p : N) : Prop := slot_at view p = slot_at whole p.

Section Versions.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variable setup : Setup.

(** ** Histories *)

(** The whole arrays from version 0 on; the last is that of the current version t. *)
Definition array_at (h : list Array) (v : N) : Array := seq_at h v.
Definition now (h : list Array) : N := seq_length h - 1.
Definition latest (h : list Array) : Array := array_at h (now h).

(** What a window keeps of the version that leads from array [a] to array [b]. *)
Definition record_between (n : N) (a b : Array) : VersionRecord :=
  let writes := writes_between (array_slots a) (array_slots b) in
  {| record_writes := writes; record_size := array_size a;
     record_commitments := previous_commitments (array_commitments setup n a) n writes |}.

(** The window keeps the latest [count] versions, or all if there are fewer. *)
Definition window_of_history (n count : N) (h : list Array) (kept : Window) : Prop :=
  seq_length kept = N.min count (now h) /\
  forall i, i < seq_length kept ->
    seq_at kept i = record_between n (array_at h (now h - seq_length kept + i)) (array_at h (now h - seq_length kept + i + 1)).

(** The tail is the content of the positions from [start], a multiple of N, to the end; a vector of slack remains. *)
Definition tail_of_array (n : N) (a : Array) (start : N) (slots : list Slot) : Prop :=
  (exists k, start = n * k) /\ start <= array_size a /\ tail_floor (array_size a) n <= start /\
  seq_length slots = array_size a - start /\
  forall i, i < seq_length slots -> slot_at (array_slots a) (start + i) = Some (seq_at slots i).

(** The state is that of a history of well-formed arrays. *)
Definition honest_state (h : list Array) (state : ValidatorState) : Prop :=
  let n := vector_size (parameters state) in
  (h <> [] /\ Forall well_formed h) /\ 1 <= n /\
  version state = now h /\ size state = array_size (latest h) /\ commitments state = array_commitments setup n (latest h) /\
  window_of_history n (window_length (parameters state)) h (window state) /\
  tail_of_array n (latest h) (tail_start state) (tail state).

Lemma honest_same : forall h state, honest_state h state <-> Aardvark.Lemmas.History.honest_state setup h state.
Proof.
  intros h state. split.
  - intros (G & P & V & S & C & W & T). constructor; assumption.
  - intros [G P V S C W T]. unfold honest_state. auto 10.
Qed.

(** Version [v] is one that the window reaches back to: at least min(W, t) versions, as [honest_state] says. *)
Definition within_window (h : list Array) (state : ValidatorState) (v : N) : Prop :=
  now h - seq_length (window state) <= v <= now h.

(** ** The window *)

Theorem window_frame : forall h state v p,
  honest_state h state -> within_window h state v ->
  is_current (window state) (version state) v p = true ->
  slot_at (array_slots (array_at h v)) p = slot_at (array_slots (latest h)) p.
Proof.
  intros h state v p H V C. apply honest_same in H. rewrite (Aardvark.Lemmas.History.honest_version _ _ _ H) in C.
  exact (Aardvark.Spec.Dictionary.Window.window_frame _ _ _ _ _ (Aardvark.Lemmas.History.honest_window _ _ _ H) v p V C).
Qed.

(** [below] is whatever the window's writes are laid over: claims, tail, nothing. *)
Theorem window_complete : forall h state (Q : Slot -> Prop) v p x q y below,
  honest_state h state -> within_window h state v ->
  (forall p q x y, holds (array_slots (array_at h v)) p x -> Q x -> holds (array_slots (array_at h v)) q y -> Q y -> p = q) ->
  holds (array_slots (array_at h v)) p x -> Q x -> is_current (window state) (version state) v p = false ->
  holds (array_slots (latest h)) q y -> Q y ->
  is_current (window state) (version state) v q = false /\ slot_at (lay_window below (window state)) q = Some y.
Proof.
  intros h state Q v p x q y below H V One L X C L' Y. apply honest_same in H.
  rewrite (Aardvark.Lemmas.History.honest_version _ _ _ H) in *.
  exact (Aardvark.Spec.Dictionary.Window.window_complete _ _ _ _ _ (Aardvark.Lemmas.History.honest_window _ _ _ H) Q v p x q y below V One L X C L' Y).
Qed.

(** ** Claims *)

(** A transaction's claims are for a version in the window, and true there. *)
Definition claims_true (h : list Array) (state : ValidatorState) (tx : Transaction) : Prop :=
  within_window h state (claims_version tx) /\
  forall c, In c (claims tx) ->
    slot_at (array_slots (array_at h (claims_version tx))) (claim_position c) = Some (claim_slot c).

Theorem stale_claims_resolve_current : forall h state tx c k,
  honest_state h state -> claims_true h state tx -> In c (claims tx) -> covers (claim_slot c) k = true ->
  exists p x,
    covering_position (array_slots (latest h)) k = Some p /\ holds (array_slots (latest h)) p x /\
    covering_position (transaction_view state tx) k = Some p /\ covering_slot (transaction_view state tx) k = Some x /\
    (k <> [] -> content_in_slot x k = map_of (latest h) k).
Proof.
  intros h state tx c k H [V T] I C. apply honest_same in H.
  exact (Aardvark.Spec.Block.View.stale_claims_resolve_current setup h state H tx c k V T I C).
Qed.

Theorem predecessor_resolves_current : forall h state tx c k,
  honest_state h state -> claims_true h state tx -> In c (claims tx) -> precedes (claim_slot c) k = true ->
  exists p x,
    preceding_position (array_slots (latest h)) k = Some p /\ holds (array_slots (latest h)) p x /\
    preceding_position (transaction_view state tx) k = Some p /\ slot_at (transaction_view state tx) p = Some x.
Proof.
  intros h state tx c k H [V T] I C. apply honest_same in H.
  exact (Aardvark.Spec.Block.View.predecessor_resolves_current setup h state H tx c k V T I C).
Qed.

(** ** The tail *)

(** Each slot of the block's tail vectors stands at its position in the current array. *)
Definition tail_true (h : list Array) (state : ValidatorState) (block : Block) : Prop :=
  forall i j p,
    i < seq_length (tail_vectors block) /\ j < seq_length (seq_at (tail_vectors block) i) /\
    (exists number, tail_vector_number (tail_start state) (vector_size (parameters state)) i = Some number /\
      p = number * vector_size (parameters state) + j) ->
    slot_at (array_slots (latest h)) p = Some (seq_at (seq_at (tail_vectors block) i) j).

(** The tail vectors are whole vectors below the tail. *)
Definition tail_whole (state : ValidatorState) (block : Block) : Prop :=
  forall i, i < seq_length (tail_vectors block) ->
    seq_length (seq_at (tail_vectors block) i) = vector_size (parameters state) /\
    exists number, tail_vector_number (tail_start state) (vector_size (parameters state)) i = Some number.

(** The view knows all positions from the new end on, and all from the new tail's start on; and one vector less would not do. *)
Theorem tail_suffices : forall h state block new_size,
  honest_state h state ->
  (forall tx, In tx (transactions block) -> claims_true h state tx) -> tail_true h state block -> tail_whole state block ->
  seq_length (tail_vectors block) = tail_needed (tail_start state) new_size (vector_size (parameters state)) ->
  (forall p, new_size <= p -> knows (block_view state block) (array_slots (latest h)) p) /\
  (forall p, tail_start_after (tail_start state) new_size (vector_size (parameters state)) <= p ->
    knows (block_view state block) (array_slots (latest h)) p) /\
  (forall i, i < seq_length (tail_vectors block) -> new_size < tail_start state - vector_size (parameters state) * i).
Proof.
  intros h state block new_size H C T W L. apply honest_same in H.
  exact (Aardvark.Spec.Block.Phases.tail_suffices setup h state H block C T new_size W L).
Qed.

End Versions.

(** Theorems for auditors: what holds of every state that a genesis, accepted blocks of both forms, and imports lead to.

    To understand a statement of this file you need this file, Blocks.v with what that one needs, and the generated
    definitions, nothing else. What is restated is proved to be what the other theories speak of ([honest_same]); the
    theorems then follow from the theories that their proofs name. The assumptions are those of Blocks.v.

    - [reachable_well_formed]: every array is well-formed, and the state is what it should be of the arrays: the hypotheses of
      Versions.v.
    - [block_never_stuck], [aggregated_block_never_stuck]: a block that no phase refuses and in which no break is found is
      applied.
    - [reachable_import_accepted]: an import whose check passes is applied, and sets exactly the imported keys.
    - [honest_claims_accepted]: an honest archive's claims and tail vectors are never the reason of a refusal. *)
From Coq Require Import NArith List Ring_theory.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.LibertYung Commitment.Scheme Block.Operation
  Block.Rejection Dictionary.KeyMap Dictionary.Genesis Dictionary.Changes Dictionary.Writes Dictionary.Vectors
  Dictionary.Window Block.Tail Block.Transaction Block.State Block.BlockData Block.View Block.Checks
  Block.Execution Block.Phases Block.Validator Block.AggregatedBlock Block.Import Block.Map Block.Prover.
From Aardvark Require Spec.Block.Import Lemmas.Field Spec.Dictionary.SlotMap Lemmas.WellFormed Lemmas.History
  Spec.Dictionary.Window Lemmas.ViewLemmas Spec.Block.View Spec.Block.State Spec.Block.Phases
  Spec.Block.Validator Lemmas.AnyBlock Lemmas.Reachable Lemmas.Completeness.
From Aardvark Require Import Theorems.Breaks Theorems.Blocks.
Import ListNotations.
Local Open Scope N_scope.

(** ** Arrays, as in Ring.v *)

Definition before (a b : ByteString) : Prop := bytes_less a b = true.
Definition holds (slots : SlotMap) (p : N) (x : Slot) : Prop := slot_at slots p = Some x.
(** The slots stand at the positions [0 .. array_size), without holes; the sentinel is the first; keys are distinct. *)
Definition dense (a : Array) : Prop :=
  0 < array_size a /\ forall p, (exists x, holds (array_slots a) p x) <-> p < array_size a.
Definition sentinel_first (a : Array) : Prop := exists x, holds (array_slots a) 0 x /\ key x = [] /\ value x = [].
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

(** The reasons that blame a proof: claims and what they show, and tail vectors. *)
Definition reason_of_proof (why : Reason) : bool :=
  match why with
  | Reason_ClaimKeyTooLong | Reason_ClaimValueTooLong | Reason_RepeatedPosition | Reason_SuperfluousClaim
  | Reason_PositionOutOfRange | Reason_OpeningMalformed | Reason_OpeningFalse
  | Reason_TailTooLong | Reason_TailVectorSize | Reason_TailSlotMalformed | Reason_TailFalse
  | Reason_UnresolvedCovering | Reason_UnresolvedPredecessor | Reason_TailMissing | Reason_TailSuperfluous => true
  | _ => false
  end.

Section Dictionary.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Assumptions *)
(** The scalars are a field whose equality is decided, numbers are sums of ones in it, and the given root of unity has order
    4096. *)
Hypothesis laws :
  ring_theory (scalar_of_N 0) (scalar_of_N 1) scalar_add scalar_mul scalar_sub (fun x => scalar_of_N 0 [-] x) eq /\
  scalar_of_N 1 <> scalar_of_N 0 /\
  (forall x, x <> scalar_of_N 0 -> scalar_inv x [*] x = scalar_of_N 1) /\
  (forall a b, (a [=?] b) = true <-> a = b) /\
  (forall m n, scalar_of_N (m + n) = scalar_of_N m [+] scalar_of_N n).
Hypothesis root :
  scalar_pow root_of_unity_4096 4096 = scalar_of_N 1 /\ forall k, 0 < k < 4096 -> scalar_pow root_of_unity_4096 k <> scalar_of_N 1.

(** A legal genesis, and a setup for its vectors, of either scheme. *)
Variables (setup : Setup) (genesis : Genesis).
Hypothesis made :
  match setup with
  | Setup_Kzg kzg =>
      exists n tau, kzg = kzg_setup n tau /\ 0 < n /\ 4096 mod n = 0 /\ scalar_pow tau n <> scalar_of_N 1
  | Setup_LibertYung libert_yung => exists n alpha, libert_yung = libert_yung_setup n alpha
  end.
Hypothesis sized : setup_vector_size setup = vector_size (genesis_parameters genesis).
Hypothesis legal : genesis_legal genesis = true.

Let size_of_vectors : N := vector_size (genesis_parameters genesis).

(** Functions that commit and open, computed in whatever way: the search for breaks uses these, and nothing else of the setup. *)
Variables (commit_to : list Scalar -> G1) (open_at : list Scalar -> N -> G1).
Hypothesis commits : forall vector, commit_to vector = commit setup vector.
Hypothesis opens : forall vector i, i < size_of_vectors -> open_at vector i = open setup vector i.
Lemma lawful_scalars : Aardvark.Lemmas.Field.LawfulScalars F.
Proof. destruct laws as (R & O & I & E & A). constructor; assumption. Qed.
#[local] Existing Instance lawful_scalars.
#[local] Instance rooted : Aardvark.Lemmas.Field.PrimitiveRoot scalar_given := root.

(** What a window keeps of the version that leads from one array to the next. *)
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
  intros h state. split; [intros (G & P & V & S & C & W & T); constructor; assumption|].
  intros [G P V S C W T]. unfold honest_state. auto 10.
Qed.
(** ** Theorems *)

(** Every reachable state is that of its history, whose arrays are all well-formed; parameters and id are those of genesis. *)
Theorem reachable_well_formed : forall h state,
  reachable setup genesis commit_to open_at h state ->
  honest_state h state /\ parameters state = genesis_parameters genesis /\ dictionary_id state = id_of_dictionary genesis.
Proof.
  intros h state R.
  apply (proj1 (reachable_same laws root setup genesis made sized legal commit_to open_at commits opens h state)) in R.
  destruct (Aardvark.Spec.Block.Validator.reachable_well_formed setup genesis h state made legal sized R) as (H & _ & P & D).
  split; [apply honest_same; exact H|auto].
Qed.

(** A block that passes all phases, and in which no break is found, has all slots that it needs: it is applied. *)
Theorem block_never_stuck : forall h state block contents changes,
  reachable setup genesis commit_to open_at h state ->
  find_break commit_to open_at size_of_vectors h (tail_start state) block = None ->
  phase_size state block = Ok tt -> phase_interval state block = Ok tt ->
  phase_replay state (transaction_ids (dictionary_id state) (transactions block)) = Ok tt ->
  phase_shape state block = Ok tt -> phase_position state block = Ok tt ->
  phase_openings setup state block = Ok tt -> phase_tail setup state block = Ok tt ->
  resolve_block state block = Ok contents -> run_block block contents = Ok changes ->
  phase_tail_count state block (size_after (size state) (net_changes changes)) = Ok tt ->
  exists state' effects, apply_block setup state block = Ok (state', effects).
Proof.
  intros h state block contents changes R B P1 P2 P3 P4 P5 P6 P7 P8 P9 P10.
  apply (proj1 (reachable_same laws root setup genesis made sized legal commit_to open_at commits opens h state)) in R.
  apply (proj1 (none_same laws root setup genesis made sized legal commit_to open_at commits opens h state R)) in B.
  apply (Aardvark.Lemmas.Reachable.reachable_block_never_stuck setup genesis made legal sized h state
    (Aardvark.Lemmas.AnyBlock.Plain block) contents changes R B).
  constructor; assumption.
Qed.

(** So is an aggregated block. *)
Theorem aggregated_block_never_stuck : forall h state aggregated coefficients combiners contents changes,
  let block := plain_block aggregated in
  reachable setup genesis commit_to open_at h state ->
  find_in_aggregated commit_to open_at size_of_vectors h state aggregated coefficients = None ->
  phase_aggregated_size state aggregated = Ok tt -> phase_interval state block = Ok tt ->
  phase_replay state (transaction_ids (dictionary_id state) (transactions block)) = Ok tt ->
  phase_shape state block = Ok tt -> phase_position state block = Ok tt ->
  phase_points setup state aggregated coefficients combiners = Ok tt -> phase_tail setup state block = Ok tt ->
  resolve_block state block = Ok contents -> run_block block contents = Ok changes ->
  phase_tail_count state block (size_after (size state) (net_changes changes)) = Ok tt ->
  exists state' effects, apply_challenged_block setup state aggregated coefficients combiners = Ok (state', effects).
Proof.
  intros h state aggregated rho gamma contents changes block R B P1 P2 P3 P4 P5 P6 P7 P8 P9 P10.
  apply (proj1 (reachable_same laws root setup genesis made sized legal commit_to open_at commits opens h state)) in R.
  apply (proj1 (proj2 (none_same laws root setup genesis made sized legal commit_to open_at commits opens h state R)
    aggregated rho gamma)) in B.
  apply (Aardvark.Lemmas.Reachable.reachable_block_never_stuck setup genesis made legal sized h state
    (Aardvark.Lemmas.AnyBlock.Aggregated aggregated rho gamma) contents changes R B).
  constructor; assumption.
Qed.

(** The last change of a key in an import's list, if it has one. *)
Definition import_of (items : list ImportChange) (k : ByteString) : option ImportChange :=
  fold_left (fun found item => if bytes_equal (import_key item) k then Some item else found) items None.

Lemma import_of_same : forall items k, import_of items k = Aardvark.Spec.Block.Import.import_of items k.
Proof. reflexivity. Qed.

(** An import whose check passes is applied, leads to a reachable state, and sets exactly the imported keys. *)
Theorem reachable_import_accepted : forall h state block,
  reachable setup genesis commit_to open_at h state -> check_import state block = Ok tt ->
  exists state' a', apply_import setup state (latest h) block = Ok (state', a') /\
    reachable setup genesis commit_to open_at (h ++ [a']) state' /\
    forall k, map_of a' k =
      match import_of (import_changes block) k with Some c => import_content c | None => map_of (latest h) k end.
Proof.
  intros h state block R C.
  pose proof (reachable_same laws root setup genesis made sized legal commit_to open_at commits opens) as Same.
  apply (proj1 (Same h state)) in R.
  destruct (Aardvark.Lemmas.Reachable.reachable_import_accepted setup genesis made legal sized h state block R C)
    as (state' & a' & E & R' & M).
  exists state', a'. split; [exact E|]. split; [exact (proj2 (Same _ _) R')|].
  intros k. rewrite import_of_same. exact (M k).
Qed.

(** Transactions with the claims that an honest archive makes at the version they are for, and as many tail vectors of an
    honest archive as the block needs (no more than its deletes could, should its operations fail): if the block is
    refused, it is not for a claim, an opening, a resolution or the tail. *)
Theorem honest_claims_accepted : forall h state block count e,
  reachable setup genesis commit_to open_at h state ->
  (forall tx, In tx (transactions block) ->
    claims tx = honest_claims setup (array_at h (claims_version tx)) (operations tx)) ->
  tail_vectors block = honest_tail_vectors (latest h) (tail_start state) size_of_vectors count ->
  match ideal_changes (latest h) block with
  | Ok net => count = tail_needed (tail_start state) (size_after (size state) net) size_of_vectors
  | Err _ => count <= tail_needed (tail_start state) (least_size (size state) block) size_of_vectors
  end ->
  apply_block setup state block = Err e -> reason_of_proof (reason e) = false.
Proof.
  intros h state block count e R C T Need E.
  apply (proj1 (reachable_same laws root setup genesis made sized legal commit_to open_at commits opens h state)) in R.
  apply (Aardvark.Lemmas.Reachable.reachable_honest_claims_accepted setup genesis made legal sized h state block e R); [|exact E].
  pose proof (Aardvark.Lemmas.Reachable.reachable_parameters setup genesis made legal sized h state R) as P.
  split; [exact C|]. exists count. rewrite P. auto.
Qed.

End Dictionary.

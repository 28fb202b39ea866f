(** Theorems for auditors, 4 of 4: what holds of every state that a genesis and accepted blocks lead to.

    To understand a statement of this file you need this file and the generated definitions, nothing else. What is restated
    is proved to be what the other theories speak of ([honest_same], [find_break_same], [reachable_same]); the theorems then
    follow from the theories that their proofs name.

    The assumptions are those of the section [Dictionary]: a legal genesis, a setup of its vector size, and functions that
    commit and open as the setup does, which everyone can compute ([kzg_commit_is_public], [kzg_open_is_public]). Vector
    size, window, maxima, hash functions, blocks and history are arbitrary.

    - [reachable_well_formed]: every array is well-formed, and the state is what it should be of the arrays: the hypotheses of
      TheoremsVersions.v.
    - [accepted_block_is_justified_or_breaks]: an accepted block leads to what its transactions do to the map, and the new
      state is the one computed from the whole array, or [find_break] returns a break.
    - [wrong_tail_is_a_break]: accepted tail vectors are the array's, or a break is found in them.
    - [block_never_stuck]: a block that no phase refuses and in which no break is found is applied.
    - [honest_claims_accepted]: an honest archive's claims and tail vectors are never the reason of a refusal. *)
From Coq Require Import NArith List Ring_theory.
From AardvarkSpec Require Import Prelude Bytes Scalar Hash Slot SlotMap Dictionary Commitment Kzg LibertYung Scheme Operation
  Rejection KeyMap Genesis Changes Writes Vectors Window Tail Transaction State BlockData View Checks Execution Block
  Validator Import Map Prover.
From Aardvark Require Field Scheme SlotMap WellFormed History Window ViewLemmas View State Ideal Break Block Validator Completeness
  Reachable Vectors.
Import ListNotations.
Local Open Scope N_scope.

(** ** Arrays, as in TheoremsRing.v *)

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
(** The map that an array stands for. *)
Definition has_key k (content : option Slot) : bool := match content with Some x => bytes_equal (key x) k | None => false end.
Definition map_of (a : Array) (k : ByteString) : option ByteString :=
  if bytes_equal k [] then None
  else match find (has_key k) (array_slots a) with Some (Some x) => Some (value x) | _ => None end.

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

(** Functions that commit and open, computed in whatever way: [find_break] uses these, and nothing else of the setup. *)
Variables (commit_to : list Scalar -> Scalar) (open_at : list Scalar -> N -> Scalar).
Hypothesis commits : forall vector, commit_to vector = commit setup vector.
Hypothesis opens : forall vector i, i < size_of_vectors -> open_at vector i = open setup vector i.
Lemma lawful_scalars : Aardvark.Field.LawfulScalars F.
Proof. destruct laws as (R & O & I & E & A). constructor; assumption. Qed.
#[local] Existing Instance lawful_scalars.
#[local] Instance rooted : Aardvark.Field.PrimitiveRoot scalar_given := root.

(** ** Breaks *)
Inductive Break : Type :=
(** Two different slots with one scalar. *)
| SameScalar (x y : Slot)
(** A slot with the scalar of an unused position. *)
| ZeroScalar (x : Slot)
(** One commitment, opened at one index to two scalars; what that gives: [kzg_position_binding] and its like. *)
| TwoOpenings (commitment : Scalar) (index : N) (m opening m' opening' : Scalar).

Definition is_break (b : Break) : Prop :=
  match b with
  | SameScalar x y => x <> y /\ scalar_of_slot x = scalar_of_slot y
  | ZeroScalar x => scalar_of_slot x = scalar_zero
  | TwoOpenings commitment index m opening m' opening' =>
      m <> m' /\ verify setup commitment index m (Opening_Exponent opening) = true /\
      verify setup commitment index m' (Opening_Exponent opening') = true
  end.
(** The whole arrays from version 0 on; the last is that of the current version t. *)
Definition array_at (h : list Array) (v : N) : Array := seq_at h v.
Definition now (h : list Array) : N := seq_length h - 1.
Definition latest (h : list Array) : Array := array_at h (now h).

(** The honest content of a position is [honest]; [claimed] was accepted in its place with [opening']. The honest vector is
    [scalars], and the position has this index in it. *)
Definition break_in_slot (scalars : list Scalar) (index : N) (honest : option Slot) (claimed : Slot) (opening' : Scalar)
    : option Break :=
  if slot_contents_equal honest (Some claimed) then None
  else if scalar_of_content honest [=?] scalar_of_slot claimed then
    match honest with Some x => Some (SameScalar x claimed) | None => Some (ZeroScalar claimed) end
  else
    Some (TwoOpenings (commit_to scalars) index (scalar_of_content honest) (open_at scalars index)
      (scalar_of_slot claimed) opening').
(** The first break in a list. *)
Fixpoint first_break {A : Type} (look : A -> option Break) (items : list A) : option Break :=
  match items with
  | [] => None
  | x :: rest => match look x with Some b => Some b | None => first_break look rest end
  end.

(** In a claim for a version with this honest array. *)
Definition break_in_claim (n : N) (a : Array) (claim : Claim) : option Break :=
  let p := claim_position claim in
  match claim_opening claim with
  | Opening_Malformed => None
  | Opening_Exponent opening' =>
      break_in_slot (vector_scalars (array_slots a) n (vector_of p n)) (index_of p n) (slot_at (array_slots a) p)
        (claim_slot claim) opening'
  end.

(** In slots that were accepted as vector [number] of this honest array. *)
Definition break_in_vector (n : N) (a : Array) (number : N) (slots : list Slot) (index : N) : option Break :=
  break_in_slot (vector_scalars (array_slots a) n number) index (slot_at (array_slots a) (number * n + index))
    (seq_at slots index) (open_at (vector_scalars (lay_slots empty_slot_map 0 slots) n 0) index).

(** In item [i] of a block's tail. [start] is where the validators' tail starts. *)
Definition break_in_tail_vector (n : N) (a : Array) (start : N) (vectors : list (list Slot)) (i : N) : option Break :=
  match tail_vector_number start n i with
  | None => None
  | Some number => first_break (break_in_vector n a number (seq_at vectors i)) (range 0 n)
  end.

(** In a block: in its claims, then in its tail. *)
Definition find_break (n : N) (h : list Array) (start : N) (block : Block) : option Break :=
  match first_break (fun tx => first_break (break_in_claim n (array_at h (claims_version tx))) (claims tx))
    (transactions block) with
  | Some b => Some b
  | None =>
      first_break (break_in_tail_vector n (latest h) start (tail_vectors block)) (range 0 (seq_length (tail_vectors block)))
  end.

(** ** The ideal *)

(** The content of each operation's key in the whole array, by transaction and operation. *)
Definition whole_contents (a : Array) (items : list Transaction) : list Contents :=
  map (fun tx => map (fun op => map_of a (operation_key op)) (operations tx)) items.

(** The net changes of the block's operations on the whole array, and the whole array after them. *)
Definition ideal_changes (a : Array) (block : Block) : Result ChangeMap Rejection :=
  match run_block block (whole_contents a (transactions block)) with
  | Ok changes => Ok (net_changes changes)
  | Err e => Err e
  end.
Definition ideal_array (a : Array) (block : Block) : option Array :=
  match ideal_changes a block with Ok net => apply_changes a net | Err _ => None end.

(** The state and the whole array after a block, computed from the whole array. *)
Definition ideal_state (state : ValidatorState) (a : Array) (block : Block) : option (ValidatorState * Array) :=
  match ideal_array a block with
  | Some a' =>
      let ids := transaction_ids (dictionary_id state) (transactions block) in
      match advance setup state (array_slots a) a' (writes_between (array_slots a) (array_slots a'))
        (replay_entries (replay_set state) ids (transactions block)) with
      | Some state' => Some (state', a')
      | None => None
      end
  | None => None
  end.

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

(** The histories and states that the genesis leads to by accepted blocks in which no break is found, and by imports into the
    whole array, which validators refuse, but which an archive's own log may hold. *)
Inductive reachable : list Array -> ValidatorState -> Prop :=
| reachable_genesis : reachable [genesis_array (genesis_entries genesis)] (genesis_state setup genesis)
| reachable_block : forall h state block state' effects a',
    reachable h state ->
    apply_block setup state block = Ok (state', effects) ->
    find_break size_of_vectors h (tail_start state) block = None ->
    ideal_array (latest h) block = Some a' ->
    reachable (h ++ [a']) state'
| reachable_import : forall h state block state' a',
    reachable h state -> apply_import setup state (latest h) block = Ok (state', a') -> reachable (h ++ [a']) state'.

(** ** These are the definitions of the other theories *)

Lemma honest_same : forall h state, honest_state h state <-> Aardvark.History.honest_state setup h state.
Proof.
  intros h state. split; [intros (G & P & V & S & C & W & T); constructor; assumption|].
  intros [G P V S C W T]. unfold honest_state. auto 10.
Qed.
Definition image (b : Break) : Aardvark.Break.Break :=
  match b with
  | SameScalar x y => Aardvark.Break.SameScalar x y | ZeroScalar x => Aardvark.Break.ZeroScalar x
  | TwoOpenings c i m o m' o' => Aardvark.Break.TwoOpenings c i m o m' o'
  end.
Lemma first_break_same : forall A (look : A -> option Break) look' items,
  (forall x, option_map image (look x) = look' x) ->
  option_map image (first_break look items) = Aardvark.Break.first_break look' items.
Proof.
  intros A look look' items same. induction items as [|x items IH]; [reflexivity|]. cbn [first_break Aardvark.Break.first_break].
  rewrite <- same. destruct (look x); [reflexivity|exact IH].
Qed.
Lemma break_in_slot_same : forall scalars index honest claimed opening',
  option_map image (break_in_slot scalars index honest claimed opening') =
  Aardvark.Break.break_in_slot commit_to open_at scalars index honest claimed opening'.
Proof.
  intros. unfold break_in_slot, Aardvark.Break.break_in_slot. destruct (slot_contents_equal _ _); [reflexivity|].
  destruct (_ [=?] _); [destruct honest|]; reflexivity.
Qed.
Lemma find_break_same : forall n h start block,
  option_map image (find_break n h start block) = Aardvark.Break.find_break commit_to open_at n h start block.
Proof.
  intros n h start block. unfold find_break, Aardvark.Break.find_break.
  rewrite <- (first_break_same _ (fun tx => first_break (break_in_claim n (array_at h (claims_version tx))) (claims tx))).
  2:{ intros tx. apply first_break_same. intros c. unfold break_in_claim, Aardvark.Break.break_in_claim. cbv zeta.
      destruct (claim_opening c); [reflexivity|]. apply break_in_slot_same. }
  destruct (first_break _ (transactions block)); [reflexivity|]. apply first_break_same. intros i.
  unfold break_in_tail_vector, Aardvark.Break.break_in_tail_vector. destruct (tail_vector_number _ _ _); [|reflexivity].
  apply first_break_same. intros j. apply break_in_slot_same.
Qed.
Lemma find_break_same_in : forall h state block,
  Aardvark.Validator.reachable setup genesis h state ->
  option_map image (find_break size_of_vectors h (tail_start state) block) = Aardvark.Validator.find_break_in setup h state block.
Proof.
  intros h state block R. rewrite find_break_same.
  pose proof (Aardvark.Reachable.reachable_parameters setup genesis made legal sized h state R) as P.
  pose proof (Aardvark.Reachable.reachable_honest setup genesis made legal sized h state R) as H.
  rewrite (Aardvark.Validator.find_break_in_same setup h state made
    (Aardvark.Reachable.reachable_sized setup genesis made legal sized h state R) H block), P.
  apply Aardvark.Break.find_break_same; [|exact commits|exact opens].
  pose proof (Aardvark.History.honest_vector_size _ _ _ H) as L. rewrite P in L. exact L.
Qed.
Lemma none_same : forall h state block,
  Aardvark.Validator.reachable setup genesis h state ->
  find_break size_of_vectors h (tail_start state) block = None <-> Aardvark.Validator.find_break_in setup h state block = None.
Proof. intros h state block R. rewrite <- (find_break_same_in h state block R). destruct (find_break _ _ _ _); split; easy. Qed.
Lemma reachable_same : forall h state, reachable h state <-> Aardvark.Validator.reachable setup genesis h state.
Proof.
  intros h state.
  split; intros R; induction R as [|h state block state' effects a' R IH E B I|h state block state' a' R IH E]; try constructor.
  - eapply Aardvark.Validator.reachable_block; [exact IH|exact E|apply (none_same h state block IH); exact B|exact I].
  - eapply Aardvark.Validator.reachable_import; [exact IH|exact E].
  - eapply reachable_block; [exact IH|exact E|apply (none_same h state block R); exact B|exact I].
  - eapply reachable_import; [exact IH|exact E].
Qed.

(** ** Theorems *)
(** Every reachable state is that of its history, whose arrays are all well-formed; parameters and id are those of genesis. *)
Theorem reachable_well_formed : forall h state,
  reachable h state ->
  honest_state h state /\ parameters state = genesis_parameters genesis /\ dictionary_id state = id_of_dictionary genesis.
Proof.
  intros h state R. apply reachable_same in R.
  destruct (Aardvark.Validator.reachable_well_formed setup genesis h state made legal sized R) as (H & _ & P & D).
  split; [apply honest_same; exact H|auto].
Qed.

(** From received data, what everyone can commit to and open, and the honest arrays: either [find_break] returns a break; or
    the block's transactions succeed one after the other on the map of the array, the map that they end with is that of
    the array after, and the new state is the ideal one: size, commitments, window, tail and replay set. *)
Theorem accepted_block_is_justified_or_breaks : forall h state block state' effects,
  reachable h state ->
  apply_block setup state block = Ok (state', effects) ->
  match find_break size_of_vectors h (tail_start state) block with
  | Some b => is_break b
  | None =>
      exists a',
        map_transactions (map_of_array (latest h)) (transactions block) = Ok (map_of_array a') /\
        ideal_state state (latest h) block = Some (state', a') /\
        reachable (h ++ [a']) state' /\
        effect_writes effects = writes_between (array_slots (latest h)) (array_slots a') /\
        ideal_changes (latest h) block = Ok (effect_changes effects)
  end.
Proof.
  intros h state block state' effects R E. pose proof (proj1 (reachable_same h state) R) as R'.
  pose proof (find_break_same_in h state block R') as S.
  pose proof (Aardvark.Validator.accepted_block_is_justified_or_breaks setup h state made
    (Aardvark.Reachable.reachable_sized setup genesis made legal sized h state R')
    (Aardvark.Reachable.reachable_honest setup genesis made legal sized h state R') block state' effects E) as J.
  rewrite <- S in J. destruct (find_break _ _ _ _) as [b|] eqn:B; [destruct b; exact J|].
  cbn [option_map] in J. destruct J as (a' & M & I & _ & Wr & _ & Ch & _). exists a'. repeat (split; [assumption|]).
  split; [|split; [exact Wr|exact Ch]]. apply (reachable_block h state block state' effects a' R E B).
  change (ideal_state state (latest h) block = Some (state', a')) in I. unfold ideal_state in I.
  destruct (ideal_array (latest h) block) as [c|]; [|discriminate I]. cbv zeta in I.
  destruct (advance _ _ _ _ _ _); [|discriminate I]. injection I as _ ->. reflexivity.
Qed.

(** Slots, as many as a vector has, whose commitment is that of an array's vector: the first break found in them is one,
    and where none is found they are that vector's content. *)
Theorem wrong_tail_is_a_break : forall a number slots,
  seq_length slots = size_of_vectors ->
  commit setup (vector_scalars (lay_slots empty_slot_map 0 slots) size_of_vectors 0) =
    commit setup (vector_scalars (array_slots a) size_of_vectors number) ->
  match first_break (break_in_vector size_of_vectors a number slots) (range 0 size_of_vectors) with
  | Some b => is_break b
  | None => forall j, j < size_of_vectors -> slot_at (array_slots a) (number * size_of_vectors + j) = Some (seq_at slots j)
  end.
Proof.
  intros a number slots L C.
  pose proof (Aardvark.Break.wrong_tail_is_a_break setup size_of_vectors made sized
    (proj2 (Aardvark.Genesis.genesis_legal_entries genesis legal)) a number slots (conj L C)) as W.
  rewrite (Aardvark.Break.first_break_same _ _ (Aardvark.Break.break_in_vector commit_to open_at size_of_vectors a number slots)),
    <- (first_break_same _ (break_in_vector size_of_vectors a number slots)) in W.
  - destruct (first_break _ _) as [b|]; [destruct b; exact W|exact W].
  - intros j. apply break_in_slot_same.
  - intros j J. apply Aardvark.LoopLemmas.in_range in J. unfold Aardvark.Break.break_in_vector. symmetry.
    apply (Aardvark.Break.break_in_slot_same _ _ _ _ size_of_vectors); auto; [tauto|]. apply opens. tauto.
Qed.

(** A block that passes all phases, and in which no break is found, has all slots that it needs: it is applied. *)
Theorem block_never_stuck : forall h state block contents changes,
  reachable h state ->
  find_break size_of_vectors h (tail_start state) block = None ->
  phase_size state block = Ok tt -> phase_interval state block = Ok tt ->
  phase_replay state (transaction_ids (dictionary_id state) (transactions block)) = Ok tt ->
  phase_shape state block = Ok tt -> phase_position state block = Ok tt ->
  phase_openings setup state block = Ok tt -> phase_tail setup state block = Ok tt ->
  resolve_block state block = Ok contents -> run_block block contents = Ok changes ->
  phase_tail_count state block (size_after (size state) (net_changes changes)) = Ok tt ->
  exists state' effects, apply_block setup state block = Ok (state', effects).
Proof.
  intros h state block contents changes R B P1 P2 P3 P4 P5 P6 P7 P8 P9 P10. apply reachable_same in R.
  apply (none_same h state block R) in B.
  apply (Aardvark.Reachable.reachable_block_never_stuck setup genesis made legal sized h state block contents changes R B).
  constructor; assumption.
Qed.

(** Transactions with the claims that an honest archive makes at the version they are for, and as many tail vectors of an
    honest archive as the block needs: if the block is refused, it is not for a claim, an opening, a resolution or the tail. *)
Theorem honest_claims_accepted : forall h state block count e,
  reachable h state ->
  (forall tx, In tx (transactions block) ->
    claims tx = honest_claims setup (array_at h (claims_version tx)) (operations tx)) ->
  tail_vectors block = honest_tail_vectors (latest h) (tail_start state) size_of_vectors count ->
  count <= tail_start state / size_of_vectors ->
  (forall net, ideal_changes (latest h) block = Ok net ->
    count = tail_needed (tail_start state) (size_after (size state) net) size_of_vectors) ->
  apply_block setup state block = Err e -> reason_of_proof (reason e) = false.
Proof.
  intros h state block count e R C T L Need E. apply reachable_same in R.
  apply (Aardvark.Reachable.reachable_honest_claims_accepted setup genesis made legal sized h state block e R); [|exact E].
  pose proof (Aardvark.Reachable.reachable_parameters setup genesis made legal sized h state R) as P.
  split; [exact C|]. exists count. rewrite P. auto.
Qed.

End Dictionary.

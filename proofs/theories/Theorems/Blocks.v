(** Theorems for auditors: accepted blocks, plain and aggregated, are what their transactions do to the map.

    To understand a statement of this file you need this file, the generated definitions, Breaks.v, and of
    Commitments.v what it says of aggregations ([honest_for] to [is_missing_power], [challenges_counted]); nothing
    else. What is restated is proved to be what the other theories speak of ([reachable_same]); the theorems then follow from
    the theories that their proofs name.

    The assumptions are those of the section [Dictionary]: a legal genesis, a setup of its vector size, and functions that
    commit and open as the setup does, which everyone can compute ([kzg_commit_is_public], [kzg_open_is_public]). Vector
    size, window, maxima, hash functions, blocks, challenges and history are arbitrary. A block under the challenges that are
    drawn for it is one under some challenges; more of it is said in Drawn.v.

    - [accepted_block_is_justified_or_breaks]: an accepted plain block leads to what its transactions do to the map, and the
      new state is the one computed from the whole array, or [find_break] returns a break.
    - [accepted_aggregated_block_is_justified_or_breaks]: so does an accepted aggregated block, or [find_in_aggregated]
      returns a break of the slots' hash, a wrong tail, or the missing power; or the challenges are among the few counted.
    - [forged_aggregated_blocks_few]: how few: of all pairs of challenges, those with which a block with a false claim is
      accepted without giving the missing power. *)
From Coq Require Import Arith NArith List Bool Ring_theory.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.LibertYung Commitment.Scheme Block.Operation
  Block.Rejection Dictionary.KeyMap Dictionary.Genesis Dictionary.Changes Dictionary.Writes Dictionary.Vectors
  Dictionary.Window Block.Tail Block.Transaction Block.State Block.BlockData Block.View Block.Checks
  Block.Execution Block.Phases Block.Validator Block.AggregatedBlock Block.Import Block.Map.
From Aardvark Require Lemmas.Field Spec.Commitment.Scheme Lemmas.History Spec.Block.State Lemmas.Ideal
  Lemmas.Break Lemmas.AnyBlock Lemmas.AggregationLemmas Spec.Commitment.Aggregation Lemmas.AggregatedBreak
  Spec.Block.Validator Lemmas.Reachable.
From Aardvark Require Import Theorems.Commitments Theorems.Breaks.
Import ListNotations.
Local Open Scope N_scope.

(** The map that an array stands for. *)
Definition has_key k (content : option Slot) : bool := match content with Some x => bytes_equal (key x) k | None => false end.
Definition map_of (a : Array) (k : ByteString) : option ByteString :=
  if bytes_equal k [] then None
  else match find (has_key k) (array_slots a) with Some (Some x) => Some (value x) | _ => None end.

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

(** The histories and states that the genesis leads to by accepted blocks in which no break is found, plain and aggregated ones
    in any order, and by imports into the whole array, which validators refuse, but which an archive's own log may hold. *)
Inductive reachable : list Array -> ValidatorState -> Prop :=
| reachable_genesis : reachable [genesis_array (genesis_entries genesis)] (genesis_state setup genesis)
| reachable_block : forall h state block state' effects a',
    reachable h state ->
    apply_block setup state block = Ok (state', effects) ->
    find_break commit_to open_at size_of_vectors h (tail_start state) block = None ->
    ideal_array (latest h) block = Some a' ->
    reachable (h ++ [a']) state'
| reachable_aggregated : forall h state aggregated coefficients combiners state' effects a',
    reachable h state ->
    apply_challenged_block setup state aggregated coefficients combiners = Ok (state', effects) ->
    find_in_aggregated commit_to open_at size_of_vectors h state aggregated coefficients = None ->
    ideal_array (latest h) (plain_block aggregated) = Some a' ->
    reachable (h ++ [a']) state'
| reachable_import : forall h state block state' a',
    reachable h state -> apply_import setup state (latest h) block = Ok (state', a') -> reachable (h ++ [a']) state'.

(** ** These are the definitions of the other theories *)

Lemma find_break_same_in : forall h state block,
  Aardvark.Spec.Block.Validator.reachable setup genesis h state ->
  option_map (fun b => Aardvark.Lemmas.AggregatedBreak.Found (image b)) (find_break commit_to open_at size_of_vectors h (tail_start state) block) =
    Aardvark.Spec.Block.Validator.find_break_in setup h state (Aardvark.Lemmas.AnyBlock.Plain block) /\
  forall aggregated rho gamma,
  option_map image_found (find_in_aggregated commit_to open_at size_of_vectors h state aggregated rho) =
    Aardvark.Spec.Block.Validator.find_break_in setup h state (Aardvark.Lemmas.AnyBlock.Aggregated aggregated rho gamma).
Proof.
  intros h state block R.
  pose proof (Aardvark.Lemmas.Reachable.reachable_parameters setup genesis made legal sized h state R) as P.
  pose proof (Aardvark.Lemmas.Reachable.reachable_honest setup genesis made legal sized h state R) as H.
  assert (G : forall any, Aardvark.Lemmas.AggregatedBreak.find_in_any commit_to open_at size_of_vectors h state any =
    Aardvark.Spec.Block.Validator.find_break_in setup h state any).
  { intros any. rewrite (Aardvark.Spec.Block.Validator.find_break_in_same setup h state made
      (Aardvark.Lemmas.Reachable.reachable_sized setup genesis made legal sized h state R) H any), P.
    apply Aardvark.Lemmas.AggregatedBreak.find_in_any_same; [|exact commits|exact opens].
    pose proof (Aardvark.Lemmas.History.honest_vector_size _ _ _ H) as L. rewrite P in L. exact L. }
  split.
  - rewrite <- G. cbn [Aardvark.Lemmas.AggregatedBreak.find_in_any]. rewrite <- find_break_same.
    destruct (find_break _ _ _ _ _ _); reflexivity.
  - intros aggregated rho gamma. rewrite <- G. apply find_in_aggregated_same.
Qed.
Lemma none_same : forall h state,
  Aardvark.Spec.Block.Validator.reachable setup genesis h state ->
  (forall block, find_break commit_to open_at size_of_vectors h (tail_start state) block = None <->
    Aardvark.Spec.Block.Validator.find_break_in setup h state (Aardvark.Lemmas.AnyBlock.Plain block) = None) /\
  (forall aggregated rho gamma, find_in_aggregated commit_to open_at size_of_vectors h state aggregated rho = None <->
    Aardvark.Spec.Block.Validator.find_break_in setup h state (Aardvark.Lemmas.AnyBlock.Aggregated aggregated rho gamma) = None).
Proof.
  intros h state R. split.
  - intros block. rewrite <- (proj1 (find_break_same_in h state block R)). destruct (find_break _ _ _ _ _ _); split; easy.
  - intros aggregated rho gamma. rewrite <- (proj2 (find_break_same_in h state default R) aggregated rho gamma).
    destruct (find_in_aggregated _ _ _ _ _ _ _); split; easy.
Qed.
Lemma reachable_same : forall h state, reachable h state <-> Aardvark.Spec.Block.Validator.reachable setup genesis h state.
Proof.
  intros h state. split; intros R.
  - induction R as [|h state block state' effects a' R IH E B I|h state aggregated rho gamma state' effects a' R IH E B I
      |h state block state' a' R IH E]; [constructor| | |].
    + eapply (Aardvark.Spec.Block.Validator.reachable_block _ _ _ _ (Aardvark.Lemmas.AnyBlock.Plain block)); [exact IH|exact E| |exact I].
      apply (proj1 (none_same h state IH)). exact B.
    + eapply (Aardvark.Spec.Block.Validator.reachable_block _ _ _ _ (Aardvark.Lemmas.AnyBlock.Aggregated aggregated rho gamma));
        [exact IH|exact E| |exact I].
      apply (proj2 (none_same h state IH)). exact B.
    + eapply Aardvark.Spec.Block.Validator.reachable_import; [exact IH|exact E].
  - induction R as [|h state any state' effects a' R IH E B I|h state block state' a' R IH E]; [constructor| |].
    + destruct any as [block|aggregated rho gamma].
      * eapply reachable_block; [exact IH|exact E|apply (proj1 (none_same h state R)); exact B|exact I].
      * eapply reachable_aggregated; [exact IH|exact E|apply (proj2 (none_same h state R)) in B; exact B|exact I].
    + eapply reachable_import; [exact IH|exact E].
Qed.

(** What Validator.v says of a block of either form, with the functions of this section. *)
Lemma justified_or_found : forall h state any state' effects,
  Aardvark.Spec.Block.Validator.reachable setup genesis h state ->
  Aardvark.Lemmas.AnyBlock.apply_any setup state any = Ok (state', effects) ->
  match Aardvark.Spec.Block.Validator.find_break_in setup h state any with
  | Some f => Aardvark.Lemmas.AggregatedBreak.finding_is_break open_at size_of_vectors setup h state any f
  | None =>
      exists a',
        map_transactions (map_of_array (latest h)) (transactions (Aardvark.Lemmas.AnyBlock.block_in any)) = Ok (map_of_array a') /\
        ideal_state state (latest h) (Aardvark.Lemmas.AnyBlock.block_in any) = Some (state', a') /\
        ideal_array (latest h) (Aardvark.Lemmas.AnyBlock.block_in any) = Some a' /\
        effect_writes effects = writes_between (array_slots (latest h)) (array_slots a') /\
        ideal_changes (latest h) (Aardvark.Lemmas.AnyBlock.block_in any) = Ok (effect_changes effects)
  end.
Proof.
  intros h state any state' effects R E.
  pose proof (Aardvark.Lemmas.Reachable.reachable_parameters setup genesis made legal sized h state R) as P.
  pose proof (Aardvark.Lemmas.Reachable.reachable_honest setup genesis made legal sized h state R) as H.
  pose proof (Aardvark.Lemmas.Reachable.reachable_sized setup genesis made legal sized h state R) as Z.
  pose proof (Aardvark.Spec.Block.Validator.accepted_block_is_justified_or_breaks setup h state made Z H any state' effects E) as J.
  destruct (Aardvark.Spec.Block.Validator.find_break_in setup h state any) as [f|].
  - apply (Aardvark.Spec.Block.Validator.is_finding_same setup h state made Z H) in J. rewrite P in J.
    apply (Aardvark.Lemmas.AggregatedBreak.finding_is_break_same open_at (open setup) size_of_vectors); [|exact opens|exact J].
    pose proof (Aardvark.Lemmas.History.honest_vector_size _ _ _ H) as L. rewrite P in L. exact L.
  - destruct J as (a' & M & I & _ & Wr & _ & Ch & _). exists a'. split; [exact M|].
    change (ideal_state state (latest h) (Aardvark.Lemmas.AnyBlock.block_in any) = Some (state', a')) in I. split; [exact I|].
    unfold ideal_state in I. destruct (ideal_array _ _) as [c|]; [|discriminate I]. cbv zeta in I.
    destruct (advance _ _ _ _ _ _); [|discriminate I]. injection I as _ ->. auto.
Qed.

(** ** Theorems *)

(** From received data, what everyone can commit to and open, and the honest arrays: either [find_break] returns a break; or
    the block's transactions succeed one after the other on the map of the array, the map that they end with is that of
    the array after, and the new state is the ideal one: size, commitments, window, tail and replay set. *)
Theorem accepted_block_is_justified_or_breaks : forall h state block state' effects,
  reachable h state ->
  apply_block setup state block = Ok (state', effects) ->
  match find_break commit_to open_at size_of_vectors h (tail_start state) block with
  | Some b => is_break setup b
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
  pose proof (proj1 (find_break_same_in h state block R')) as S.
  pose proof (justified_or_found h state (Aardvark.Lemmas.AnyBlock.Plain block) state' effects R' E) as J.
  rewrite <- S in J. destruct (find_break _ _ _ _ _ _) as [b|] eqn:B; [destruct b; exact J|].
  destruct J as (a' & M & I & Ia & Wr & Ch). exists a'. repeat (split; [assumption|]).
  split; [|split; [exact Wr|exact Ch]]. exact (reachable_block h state block state' effects a' R E B Ia).
Qed.

(** The same of an aggregated block, whose points prove all of its claims together. Where a false claim is found, what the
    points and honest openings give is the missing power, or the two challenges are among those that
    [counted_challenges_few] (Commitments.v) counts, for these claims and points. *)
Theorem accepted_aggregated_block_is_justified_or_breaks : forall h state aggregated coefficients combiners state' effects,
  reachable h state ->
  apply_challenged_block setup state aggregated coefficients combiners = Ok (state', effects) ->
  let block := plain_block aggregated in
  match find_in_aggregated commit_to open_at size_of_vectors h state aggregated coefficients with
  | Some (InSlots b) => is_break setup b
  | Some (InPoints j power) =>
      let batch := claimed size_of_vectors state block in
      let honest := honest_in_place open_at size_of_vectors h state block in
      let points := points_of size_of_vectors state aggregated in
      let i := batch_index (seq_at batch j) in
      (honest_for setup batch honest /\ j < seq_length batch /\ i < size_of_vectors /\
       batch_scalar (seq_at batch j) <> batch_scalar (seq_at honest j)) /\
      (is_missing_power setup i power = true \/
       challenges_counted setup batch honest coefficients points combiners i = true)
  | None =>
      exists a',
        map_transactions (map_of_array (latest h)) (transactions block) = Ok (map_of_array a') /\
        ideal_state state (latest h) block = Some (state', a') /\
        reachable (h ++ [a']) state' /\
        effect_writes effects = writes_between (array_slots (latest h)) (array_slots a') /\
        ideal_changes (latest h) block = Ok (effect_changes effects)
  end.
Proof.
  intros h state aggregated rho gamma state' effects R E block. pose proof (proj1 (reachable_same h state) R) as R'.
  pose proof (proj2 (find_break_same_in h state default R') aggregated rho gamma) as S.
  pose proof (justified_or_found h state (Aardvark.Lemmas.AnyBlock.Aggregated aggregated rho gamma) state' effects R' E) as J.
  rewrite <- S in J. destruct (find_in_aggregated _ _ _ _ _ _ _) as [[b|j power]|] eqn:B; [destruct b; exact J| |].
  - destruct J as (Ho & L & Li & D & C). cbv zeta. split; [split; [exact Ho|]; split; [exact L|]; split; [exact Li|exact D]|exact C].
  - destruct J as (a' & M & I & Ia & Wr & Ch). exists a'. repeat (split; [assumption|]).
    split; [|split; [exact Wr|exact Ch]]. exact (reachable_aggregated h state aggregated rho gamma state' effects a' R E B Ia).
Qed.

(** Transactions and tail vectors that make a false claim, and a prover who chooses at most [count] points for them after the
    first challenge: of all pairs of challenges from these values, with few is the aggregated block accepted without giving
    the missing power. The claims are fixed before the first challenge, the points before the second: that the challenges
    are hashes of these is said in Drawn.v. *)
Theorem forged_aggregated_blocks_few : forall h state block j (s t : list Scalar) (count : nat)
    (prover : list Scalar -> list Opening),
  let batch := claimed size_of_vectors state block in
  let honest := honest_in_place open_at size_of_vectors h state block in
  let i := batch_index (seq_at batch j) in
  let n := length batch in
  reachable h state -> NoDup s -> NoDup t ->
  j < seq_length batch -> batch_scalar (seq_at batch j) <> batch_scalar (seq_at honest j) ->
  (forall coefficients, (length (prover coefficients) <= count)%nat) ->
  (length (filter (fun '(coefficients, combiners) =>
      let aggregated := {| plain_block := block; block_points := prover coefficients |} in
      let power := aggregated_break batch honest coefficients (points_of size_of_vectors state aggregated) i in
      match apply_challenged_block setup state aggregated coefficients combiners with Ok _ => true | Err _ => false end
      && negb (is_missing_power setup i power))
    (list_prod (choices s n) (choices t count)))
  <= length s ^ (n - 1) * length t ^ count + length s ^ n * length t ^ (count - 1))%nat.
Proof.
  intros h state block j s t count prover batch honest i n R Ds Dt L D Short. apply reachable_same in R.
  pose proof (Aardvark.Lemmas.Reachable.reachable_parameters setup genesis made legal sized h state R) as P.
  pose proof (Aardvark.Lemmas.Reachable.reachable_honest setup genesis made legal sized h state R) as H.
  pose proof (Aardvark.Lemmas.Reachable.reachable_sized setup genesis made legal sized h state R) as Z.
  set (points := fun coefficients => points_of size_of_vectors state {| plain_block := block; block_points := prover coefficients |}).
  set (cut := fun coefficients => if (length (points coefficients) <=? count)%nat then points coefficients else []).
  etransitivity; [|refine (Aardvark.Spec.Commitment.Aggregation.counted_challenges_few setup batch honest j s t count cut Ds Dt L D _)].
  - apply Aardvark.Lemmas.AggregationLemmas.filter_length_monotone. intros [rho gamma] _ E. apply andb_true_iff in E. destruct E as [E M].
    destruct (apply_challenged_block _ _ _ _ _) as [[state' effects]|] eqn:A; [|discriminate E].
    pose proof (Aardvark.Spec.Block.Validator.aggregated_claim_decided setup h state made Z H _ rho gamma state' effects j A) as C.
    cbv zeta in C. rewrite P in C.
    rewrite (Aardvark.Lemmas.AggregatedBreak.honest_claims_for_same (open setup) open_at size_of_vectors) in C.
    + destruct (C L) as [Few [G|G]].
      * apply negb_true_iff in M. discriminate (eq_trans (eq_sym G) M).
      * unfold cut. replace (length (points rho) <=? count)%nat with true; [exact G|]. symmetry. apply Nat.leb_le.
        specialize (Short rho). unfold seq_length in Few. apply Nnat.Nat2N.inj in Few. cbn [block_points] in Few.
        unfold points, points_of, claimed, merged_claims. cbn [plain_block block_points]. rewrite <- Few in Short. exact Short.
    + pose proof (Aardvark.Lemmas.History.honest_vector_size _ _ _ H) as V. rewrite P in V. exact V.
    + intros vector k K. symmetry. apply opens. exact K.
  - intros rho. unfold cut. destruct (Nat.leb_spec (length (points rho)) count); [assumption|]. apply Nat.le_0_l.
Qed.

End Dictionary.

(** An honest aggregation is accepted: the completeness of aggregated blocks.

    Whoever holds a block with its openings merges, under the first challenge, the openings of one index into one point
    ([aggregate]). Nothing but the block and the coefficients is needed for it.

    - [honest_points_fit]: one point for each index that claims speak of, in ascending order, has the shape that the verifier
      asks for.
    - [honest_points_indexed]: the verifier finds each of these points at the index for which it was made.
    - [honest_aggregation_accepted]: if all openings of a block are accepted, so are its merged points, whatever the challenges.
    - [honest_aggregated_block_accepted]: so an accepted block is accepted in its aggregated form, if that is not too long,
      and does the same. *)

From Coq Require Import NArith List Bool Lia Sorted Ring Field.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Dictionary.Slot Commitment.Opening
  Commitment.Scheme Block.Rejection Dictionary.Vectors Dictionary.Window Block.Transaction Block.State
  Block.BlockData Block.Checks Block.Phases Block.Validator Block.AggregatedBlock.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Commitment.Scheme
  Lemmas.Batch Lemmas.BatchVerification Lemmas.AggregationLemmas Spec.Commitment.Aggregation
  Lemmas.BlockChecks Spec.Block.AggregatedBlock Lemmas.MergedClaims
  Spec.Base.Group.
Import ListNotations.
Local Open Scope N_scope.

Section HonestAggregation.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** * What an honest proposer does *)

(** The indices below [n] that claims speak of. *)
Definition claimed_indices (batch : list BatchClaim) (n : N) : list N := filter (speaks_of batch) (range 0 n).

(** Whether a claim of the block is that one. *)
Definition is_claim (item : MergedClaim) (claim : N * Claim) : bool :=
  (fst claim =? item.(merged_version)) && ((snd claim).(claim_position) =? item.(merged_position))
  && (scalar_of_slot (snd claim).(claim_slot) [=?] item.(merged_scalar)).

(** The opening that the block has for a claim: the first. *)
Definition opening_in (block : Block) (item : MergedClaim) : G1 :=
  match find (is_claim item) (claims_of block) with
  | Some (_, claim) =>
      match claim.(claim_opening) with
      | Opening_Point point => point
      | Opening_Malformed => g1_identity
      end
  | None => g1_identity
  end.

(** The block with its openings merged. *)
Definition aggregate (state : ValidatorState) (block : Block) (coefficients : list Scalar) : AggregatedBlock :=
  let n := state.(parameters).(vector_size) in
  let batch := map (opened (opening_in block) n)
    match unopened_claims state block with Some items => items | None => [] end in
  {| plain_block := block;
     block_points := map (fun i => Opening_Point (aggregated_opening batch coefficients i)) (claimed_indices batch n) |}.

(** * Lists *)

Lemma speaks_of_exists (batch : list BatchClaim) (i : N) :
  speaks_of batch i = existsb (fun claim => claim.(batch_index) =? i) batch.
Proof.
  unfold speaks_of. rewrite (fold_range_elements (fun found claim => speaks_of_step found claim i)).
  exact (fold_or (fun claim => claim.(batch_index) =? i) batch false).
Qed.

Lemma is_claimed_exists (batch : list BatchClaim) (i : N) :
  is_claimed batch i = existsb (fun claim => claim.(batch_index) =? i) batch.
Proof.
  unfold is_claimed. rewrite (fold_range_elements (fun found claim => is_claimed_step found claim i)).
  exact (fold_or (fun claim => claim.(batch_index) =? i) batch false).
Qed.

Lemma has_index_exists (points : list AggregatedOpening) (i : N) :
  has_index points i = existsb (fun point => point.(aggregated_index) =? i) points.
Proof.
  unfold has_index. rewrite (fold_range_elements (fun found point => has_index_step found point i)).
  exact (fold_or (fun point => point.(aggregated_index) =? i) points false).
Qed.

Lemma claimed_indices_in (batch : list BatchClaim) (n i : N) :
  In i (claimed_indices batch n) <-> i < n /\ speaks_of batch i = true.
Proof. unfold claimed_indices. rewrite filter_In, range_in. intuition lia. Qed.

Lemma filter_range_sorted (p : N -> bool) (from : N) (count : nat) :
  StronglySorted N.lt (filter p (range from (from + N.of_nat count))).
Proof.
  revert from. induction count as [| count IH]; intros from.
  - rewrite range_empty by lia. constructor.
  - rewrite range_first by lia. replace (from + N.of_nat (S count)) with (from + 1 + N.of_nat count) by lia.
    simpl. destruct (p from); [| apply IH]. constructor; [apply IH |].
    apply Forall_forall. intros i member. apply filter_In in member as [member _]. apply range_in in member. lia.
Qed.

Lemma sorted_at (l : list N) (j : N) :
  StronglySorted N.lt l -> 0 < j -> j < seq_length l -> seq_at l (j - 1) < seq_at l j.
Proof.
  intros sorted positive. revert j positive. induction sorted as [| x l sorted IH first]; intros j positive L.
  - rewrite seq_length_nil in L. lia.
  - rewrite seq_length_cons in L. replace j with (j - 1 + 1) at 2 by lia. rewrite seq_at_succ.
    destruct (N.eq_dec j 1) as [-> | D].
    + rewrite seq_at_zero. rewrite Forall_forall in first. apply first, seq_at_in. lia.
    + replace (j - 1) with (j - 1 - 1 + 1) at 1 by lia. rewrite seq_at_succ. apply IH; lia.
Qed.

(** * The shape of the points *)

(** One point an index, ascending, has the shape that the verifier asks for. *)
Theorem honest_points_fit (batch : list BatchClaim) (point : N -> G1) (n : N) :
  (forall claim, In claim batch -> claim.(batch_index) < n) ->
  aggregation_fits batch (map (fun i => {| aggregated_index := i; aggregated_point := point i |}) (claimed_indices batch n)) n
  = true.
Proof.
  intros below. set (make := fun i => {| aggregated_index := i; aggregated_point := point i |}).
  set (indices := claimed_indices batch n). unfold aggregation_fits. rewrite !andb_true_iff. repeat split.
  - unfold indices_ascend. rewrite seq_length_map.
    apply (fold_range_invariant _ (fun _ ascend => ascend = true)); [lia | reflexivity |].
    intros j ascend L ->. unfold indices_ascend_step. destruct (N.ltb_spec 0 j) as [positive |]; [| reflexivity].
    rewrite !seq_at_map by lia. simpl. apply N.ltb_lt, sorted_at; [| lia | lia].
    pose proof (filter_range_sorted (speaks_of batch) 0 (N.to_nat n)) as sorted.
    rewrite N2Nat.id in sorted. exact sorted.
  - unfold points_claimed. rewrite (fold_range_elements (fun claimed point => points_claimed_step claimed batch point n)).
    assert (all : forall i, In i indices -> i < n /\ speaks_of batch i = true) by (intros i; apply claimed_indices_in).
    clearbody indices. induction indices as [| i indices IH]; [reflexivity |]. simpl. unfold points_claimed_step at 2. simpl.
    destruct (all i (or_introl eq_refl)) as [L speaks]. rewrite is_claimed_exists, <- speaks_of_exists, speaks.
    rewrite (proj2 (N.ltb_lt _ _) L). simpl. apply IH. intros k member. apply all. now right.
  - unfold indices_served.
    rewrite (fold_range_elements (fun served claim => indices_served_step served (map make indices) claim)).
    assert (all : forall claim, In claim batch -> has_index (map make indices) claim.(batch_index) = true).
    { intros claim member. rewrite has_index_exists. apply existsb_exists. exists (make claim.(batch_index)).
      split; [| apply N.eqb_refl]. apply in_map, claimed_indices_in. split; [now apply below |].
      rewrite speaks_of_exists. apply existsb_exists. exists claim. split; [exact member | apply N.eqb_refl]. }
    clearbody indices. clear below. revert all. generalize batch. intros rest all.
    induction rest as [| claim rest IH]; [reflexivity |]. cbn [fold_left].
    replace (indices_served_step true (map make indices) claim) with true
      by (symmetry; apply andb_true_iff; split; [reflexivity | apply all; now left]).
    apply IH. intros other member. apply all. now right.
Qed.

(** The verifier finds each point at the index for which it was made. *)
Theorem honest_points_indexed (batch : list BatchClaim) (point : N -> G1) (n : N) :
  indexed_points batch (map (fun i => Opening_Point (point i)) (claimed_indices batch n)) n
  = map (fun i => {| aggregated_index := i; aggregated_point := point i |}) (claimed_indices batch n).
Proof.
  set (points := map (fun i => Opening_Point (point i)) (claimed_indices batch n)).
  set (make := fun i => {| aggregated_index := i; aggregated_point := point i |}). unfold indexed_points.
  apply (fold_range_invariant _ (fun m indexed => indexed = map make (claimed_indices batch m))); [lia | reflexivity |].
  intros i indexed L ->. unfold indexed_points_step.
  assert (E : claimed_indices batch (i + 1) = claimed_indices batch i ++ filter (speaks_of batch) [i]).
  { unfold claimed_indices. now rewrite range_last, filter_app by lia. }
  rewrite E. simpl. destruct (speaks_of batch i) eqn:speaks; [| now rewrite app_nil_r].
  rewrite map_app. simpl. do 2 f_equal. unfold make. f_equal. rewrite seq_length_map.
  assert (whole : points = map (fun i => Opening_Point (point i)) (claimed_indices batch i)
      ++ Opening_Point (point i) :: map (fun i => Opening_Point (point i)) (filter (speaks_of batch) (range (i + 1) n))).
  { unfold points, claimed_indices. rewrite (range_split 0 i n), (range_first i n) by lia.
    rewrite filter_app, map_app. simpl. rewrite speaks. reflexivity. }
  unfold point_element. rewrite whole, seq_length_app, seq_length_map, seq_length_cons.
  rewrite (proj2 (N.ltb_lt _ _)) by lia. rewrite seq_at_app_r by (rewrite seq_length_map; lia).
  rewrite seq_length_map, N.sub_diag, seq_at_zero. reflexivity.
Qed.

(** * The points are accepted *)

Lemma claimed_indices_opened (openings : MergedClaim -> G1) (items : list MergedClaim) (n : N) :
  claimed_indices (map (opened openings n) items) n = claimed_indices (map (unopened n) items) n.
Proof.
  apply filter_ext. intros i. rewrite !speaks_of_exists. induction items as [| item items IH]; [reflexivity |].
  simpl. now rewrite IH.
Qed.

(** If the openings are accepted one by one, so are the points into which they are merged. *)
Lemma merged_points_accepted (setup : Setup) (items : list MergedClaim) (openings : MergedClaim -> G1)
    (coefficients combiners : list Scalar) :
  let n := setup_vector_size setup in
  let opened_batch := map (opened openings n) items in
  let batch := map (unopened n) items in
  well_made setup ->
  (forall item, In item items ->
    verify_point setup item.(merged_commitment) (index_of item.(merged_position) n) item.(merged_scalar) (openings item)
    = true) ->
  verify_aggregated setup batch coefficients
    (map (fun i => {| aggregated_index := i; aggregated_point := aggregated_opening opened_batch coefficients i |})
      (claimed_indices batch n)) combiners = true.
Proof.
  intros n opened_batch batch made accepted. apply verify_aggregated_iff. split.
  - apply honest_points_fit. intros claim member. apply in_map_iff in member as (item & <- & member). simpl.
    specialize (accepted item member). rewrite verify_point_iff in accepted by exact made. apply accepted.
  - assert (honesty : honest_for setup batch opened_batch).
    { split; [unfold batch, opened_batch; now rewrite !seq_length_map |]. intros j L. unfold batch in L.
      rewrite seq_length_map in L. unfold batch, opened_batch. rewrite !seq_at_map by exact L.
      repeat split. apply accepted, seq_at_in, L. }
    unfold combination. apply sum_all_zero. intros k L. rewrite seq_length_map in L. rewrite seq_at_map by exact L.
    set (i := seq_at (claimed_indices batch n) k).
    assert (in_vector : i < n) by (apply (claimed_indices_in batch n i), seq_at_in, L).
    rewrite (proj1 (point_error_zero setup batch coefficients
      {| aggregated_index := i; aggregated_point := aggregated_opening opened_batch coefficients i |})); [ring |].
    apply point_accepted_iff; [exact made | exact in_vector |]. simpl.
    rewrite (honest_opening_sum setup batch opened_batch coefficients i made honesty).
    apply sum_at_ext. intros j Lj _. unfold batch in *. rewrite seq_length_map in Lj. unfold opened_batch.
    rewrite !seq_at_map by exact Lj. reflexivity.
Qed.

(** * The claims of a block *)

(** What phase 6 of a plain block says of each claim. *)
Definition claim_proved (setup : Setup) (state : ValidatorState) (claim : N * Claim) : Prop :=
  is_malformed (snd claim).(claim_opening) = false /\ claim_verifies setup state (snd claim) (fst claim) = true.

(** A claim of the block that is this one, and the commitment that it is about. *)
Definition of_block (state : ValidatorState) (block : Block) (item : MergedClaim) : Prop :=
  exists claim, In claim (claims_of block) /\ is_claim item claim = true /\
    commitment_at state.(window) state.(commitments) state.(version) item.(merged_version)
      (vector_of item.(merged_position) state.(parameters).(vector_size)) = Some item.(merged_commitment).

Lemma block_proved (setup : Setup) (state : ValidatorState) (block : Block) :
  phase_openings setup state block = Ok tt -> forall claim, In claim (claims_of block) -> claim_proved setup state claim.
Proof.
  intros passed [v claim] member. apply in_flat_map in member as (tx & member & claimed).
  apply in_map_iff in claimed as (claim' & E & claimed). injection E as <- <-.
  exact (proj1 (phase_openings_ok setup state block) passed tx member claim' claimed).
Qed.

(** If every claim is proved, then all are collected, and each collected one is a claim of the block. *)
Lemma unopened_claims_of_block (setup : Setup) (state : ValidatorState) (block : Block) :
  (forall claim, In claim (claims_of block) -> claim_proved setup state claim) ->
  exists items, unopened_claims state block = Some items /\ forall item, In item items -> of_block state block item.
Proof.
  intros proved. unfold unopened_claims.
  rewrite (fold_range_elements (fun collected tx => unopened_of_transaction collected state tx)).
  set (good := fun collected => exists items, collected = Some items /\ forall item, In item items -> of_block state block item).
  change (good (fold_left (fun collected tx => unopened_of_transaction collected state tx) block.(transactions) (Some []))).
  assert (start : good (Some [])) by (exists []; split; [reflexivity | intros ? []]).
  assert (all : forall tx, In tx block.(transactions) -> In tx block.(transactions)) by auto. revert start all.
  generalize (Some (@nil MergedClaim)). generalize block.(transactions) at 1 3. intros txs.
  induction txs as [| tx txs IH]; intros collected start all; [exact start |]. simpl. apply IH; [| intros; apply all; now right].
  specialize (all tx (or_introl eq_refl)). unfold unopened_of_transaction.
  rewrite (fold_range_elements (fun collected claim =>
    unopened_of_transaction_step collected state claim (claims_version tx))).
  assert (each : forall claim, In claim tx.(claims) -> In (claims_version tx, claim) (claims_of block))
    by (intros claim; now apply claims_of_in).
  clear IH all txs. revert collected start. induction tx.(claims) as [| claim rest IH]; intros collected start; [exact start |].
  simpl. apply IH; [intros other member; apply each; now right |]. destruct start as (items & -> & justified). simpl.
  specialize (each claim (or_introl eq_refl)). destruct (proved _ each) as [_ verifies]. unfold claim_verifies in verifies.
  simpl in verifies.
  destruct (commitment_at _ _ _ _ _) as [commitment |] eqn:at_version; [| discriminate].
  eexists. split; [reflexivity |]. unfold add_unopened. destruct (is_among items _); [exact justified |].
  intros item member. apply in_app_or in member as [member | [<- | []]]; [now apply justified |].
  exists (claims_version tx, claim). simpl. split; [exact each |]. split; [| exact at_version].
  unfold is_claim. simpl. now rewrite !N.eqb_refl, (proj2 (scalar_eqb_iff _ _) eq_refl).
Qed.

(** The opening that the block has for a claim is accepted. *)
Lemma opening_in_accepted (setup : Setup) (state : ValidatorState) (block : Block) (item : MergedClaim) :
  (forall claim, In claim (claims_of block) -> claim_proved setup state claim) -> of_block state block item ->
  verify_point setup item.(merged_commitment) (index_of item.(merged_position) state.(parameters).(vector_size))
    item.(merged_scalar) (opening_in block item) = true.
Proof.
  intros proved (claim & member & is_it & at_version). unfold opening_in.
  destruct (find (is_claim item) (claims_of block)) as [[v found] |] eqn:search.
  2: { pose proof (find_none _ _ search claim member). congruence. }
  apply find_some in search as [found_member same]. destruct (proved _ found_member) as [shaped verifies].
  unfold is_claim in same. rewrite !andb_true_iff, !N.eqb_eq, scalar_eqb_iff in same. simpl in *.
  destruct same as [[-> same_position] same_scalar]. unfold claim_verifies in verifies.
  rewrite same_position, at_version, same_scalar in verifies. unfold verify in verifies.
  destruct (claim_opening found); [discriminate | exact verifies].
Qed.

(** * Aggregated blocks *)

Lemma no_malformed_point (points : list G1) : has_malformed_point (map Opening_Point points) = false.
Proof.
  unfold has_malformed_point. rewrite (fold_range_elements has_malformed_point_step).
  transitivity (false || existsb is_malformed (map Opening_Point points)); [apply fold_or |].
  induction points as [| point points IH]; [reflexivity | exact IH].
Qed.

(** If all openings of a block are accepted, so are its merged points, whatever the challenges. *)
Theorem honest_aggregation_accepted (setup : Setup) (state : ValidatorState) (block : Block)
    (coefficients combiners : list Scalar) :
  well_made setup -> setup_vector_size setup = state.(parameters).(vector_size) ->
  phase_openings setup state block = Ok tt ->
  phase_points setup state (aggregate state block coefficients) coefficients combiners = Ok tt.
Proof.
  intros made sizes passed. pose proof (block_proved setup state block passed) as proved.
  destruct (unopened_claims_of_block setup state block proved) as (items & collected & justified).
  unfold phase_points, aggregate. cbn [plain_block block_points]. rewrite collected. cbv zeta.
  set (n := vector_size (parameters state)) in *. rewrite batch_of_unopened_map, claimed_indices_opened.
  set (point := aggregated_opening (map (opened (opening_in block) n) items) coefficients).
  rewrite honest_points_indexed, !seq_length_map, N.eqb_refl. cbn [negb].
  rewrite <- (map_map point Opening_Point), no_malformed_point.
  unfold point. rewrite <- sizes. rewrite merged_points_accepted; [reflexivity | exact made |].
  intros item member. rewrite sizes. now apply opening_in_accepted, justified.
Qed.

(** An accepted block is accepted in its aggregated form, if that is not too long, and does the same. *)
Theorem honest_aggregated_block_accepted (setup : Setup) (state after : ValidatorState) (block : Block) (effects : Effects)
    (coefficients combiners : list Scalar) :
  well_made setup -> setup_vector_size setup = state.(parameters).(vector_size) ->
  apply_block setup state block = Ok (after, effects) ->
  phase_aggregated_size state (aggregate state block coefficients) = Ok tt ->
  apply_challenged_block setup state (aggregate state block coefficients) coefficients combiners = Ok (after, effects).
Proof.
  intros made sizes applied size.
  assert (phases : phase_size state block = Ok tt /\ phase_openings setup state block = Ok tt).
  { unfold apply_block, execute_block in applied. destruct (phase_size state block) as [[] |]; [| discriminate].
    destruct (phase_interval state block); [| discriminate]. cbv zeta in applied.
    destruct (phase_replay state _); [| discriminate]. destruct (phase_shape state block); [| discriminate].
    destruct (phase_position state block); [| discriminate].
    destruct (phase_openings setup state block) as [[] |]; [split; reflexivity | discriminate]. }
  destruct phases as [plain_size openings]. unfold apply_challenged_block.
  rewrite execute_aggregated_same; [exact applied | exact size | | exact plain_size | exact openings].
  now apply honest_aggregation_accepted.
Qed.

End HonestAggregation.

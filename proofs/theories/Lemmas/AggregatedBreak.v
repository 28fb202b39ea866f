(** Breaks in aggregated blocks: what is found when the points of a block made a validator believe a falsehood.

    An aggregated block has no openings. What stands in for them are honest ones, which everyone who has the arrays can make:
    of a false claim, the honest claim about the same position of the same version ([honest_claims_for]). What the points and
    these give is the missing power ([aggregated_break], Aggregation.v), unless the challenges are among the few that are
    counted.

    - [honest_claims_honest]: the honest claims are accepted;
    - [any_claim_decided]: for each claim of an accepted aggregated block: the points give the missing power, or the challenges
      are among those counted for it;
    - [finding_in_claims_is_break], [no_finding_in_claims]: what is found in the claims of an accepted aggregated block is a
      break, and where nothing is found its claims are true of the honest arrays;
    - [find_in_any_same]: the search uses what everyone can compute. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Block.Rejection Dictionary.Genesis Dictionary.Vectors
  Dictionary.Window Block.Tail Block.Transaction Block.State Block.BlockData Block.Checks
  Block.AggregatedBlock.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme Spec.Commitment.Aggregation Lemmas.MergedClaims.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas Spec.Block.Tail Lemmas.VectorLemmas Lemmas.History
  Spec.Dictionary.Window Spec.Dictionary.Vectors Spec.Block.View Spec.Block.State Lemmas.Break
  Lemmas.AnyBlock.
Import ListNotations.
Local Open Scope N_scope.

Section AggregatedBreak.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** What is found *)

Inductive Finding : Type :=
(** A break of the slots' hash, or one that two openings show. *)
| Found (b : Break)
(** Claim [j] of those that the block's points prove together is false; and what the points and the honest openings give. *)
| FalseClaim (j : N) (power : option G1).

(** The distinct claims of an aggregated block, as a validator collects them. *)
Definition merged_claims (state : ValidatorState) (block : Block) : list MergedClaim :=
  match unopened_claims state block with Some items => items | None => [] end.

Section Find.

(** To commit to a vector, and to open it at an index: what the public parameters allow everyone to compute. *)
Variables (commit_to : list Scalar -> G1) (open_at : list Scalar -> N -> G1).

(** N *)
Variable n : N.

(** The claims as the verifier takes them. *)
Definition claimed_batch (state : ValidatorState) (block : Block) : list BatchClaim :=
  batch_of_unopened (merged_claims state block) n.

(** What the honest array has at the position of a claim, and the opening that shows it. *)
Definition honest_claim (h : History) (item : MergedClaim) : BatchClaim :=
  let a := array_at h (merged_version item) in
  let p := merged_position item in
  {| batch_commitment := merged_commitment item;
     batch_index := index_of p n;
     batch_scalar := scalar_of_content (slot_at (array_slots a) p);
     batch_opening := open_at (vector_scalars (array_slots a) n (vector_of p n)) (index_of p n) |}.

(** The honest claims in the places of the block's. *)
Definition honest_claims_for (h : History) (state : ValidatorState) (block : Block) : list BatchClaim :=
  map (honest_claim h) (merged_claims state block).

(** The slot that was claimed is not the position's content, but has its scalar. *)
Definition hash_break (honest : option Slot) (claimed : Slot) : option Break :=
  if slot_contents_equal honest (Some claimed) then None
  else if scalar_of_content honest [=?] scalar_of_slot claimed then
    match honest with
    | Some x => Some (SameScalar x claimed)
    | None => Some (ZeroScalar claimed)
    end
  else None.

Definition hash_break_in_claim (a : Array) (claim : Claim) : option Break :=
  hash_break (slot_at (array_slots a) (claim_position claim)) (claim_slot claim).

Definition hash_break_in_claims (h : History) (tx : Transaction) : option Break :=
  first_break (hash_break_in_claim (array_at h (claims_version tx))) (claims tx).

(** The first claim whose scalar is not the honest one. *)
Definition first_false (batch honest : list BatchClaim) : option N :=
  find (fun j => negb (batch_scalar (seq_at batch j) [=?] batch_scalar (seq_at honest j))) (range 0 (seq_length batch)).

(** The points of an aggregated block, each at the index for which the verifier takes it. *)
Definition points_of (state : ValidatorState) (aggregated : AggregatedBlock) : list AggregatedOpening :=
  indexed_points (claimed_batch state (plain_block aggregated)) (block_points aggregated) n.

(** In an aggregated block with these coefficients: first a break of the hash in its claims, then a false claim, then a break
    in its tail. *)
Definition find_in_aggregated (h : History) (state : ValidatorState) (aggregated : AggregatedBlock)
    (coefficients : list Scalar) : option Finding :=
  let block := plain_block aggregated in
  match first_break (hash_break_in_claims h) (transactions block) with
  | Some b => Some (Found b)
  | None =>
      let batch := claimed_batch state block in
      let honest := honest_claims_for h state block in
      match first_false batch honest with
      | Some j =>
          let i := batch_index (seq_at batch j) in
          Some (FalseClaim j (Aggregation.aggregated_break batch honest coefficients (points_of state aggregated) i))
      | None => option_map Found (break_in_tail commit_to open_at n (latest h) (tail_start state) (tail_vectors block))
      end
  end.

(** In a block of either form. *)
Definition find_in_any (h : History) (state : ValidatorState) (any : AnyBlock) : option Finding :=
  match any with
  | Plain block => option_map Found (find_break commit_to open_at n h (tail_start state) block)
  | Aggregated aggregated coefficients _ => find_in_aggregated h state aggregated coefficients
  end.

(** What makes a finding a break. [setup] is asked to verify, and says which power it is that is missing. Of a false claim:
    there is one, and what was computed is the missing power, or the block's challenges are among the counted. *)
Definition finding_is_break (setup : Setup) (h : History) (state : ValidatorState) (any : AnyBlock) (f : Finding) : Prop :=
  match f, any with
  | Found b, _ => is_break setup b
  | FalseClaim j power, Aggregated aggregated coefficients combiners =>
      let batch := claimed_batch state (plain_block aggregated) in
      let honest := honest_claims_for h state (plain_block aggregated) in
      let i := batch_index (seq_at batch j) in
      Aggregation.honest_for setup batch honest /\ j < seq_length batch /\ i < n /\
      batch_scalar (seq_at batch j) <> batch_scalar (seq_at honest j) /\
      (Aggregation.is_missing_power setup i power = true \/
       Aggregation.challenges_counted setup batch honest coefficients (points_of state aggregated) combiners i = true)
  | FalseClaim _ _, Plain _ => False
  end.

End Find.

(** Functions that commit and open alike find the same. *)
Section Same.

Variables (commit_to commit_to' : list Scalar -> G1) (open_at open_at' : list Scalar -> N -> G1) (size : N).
Hypothesis positive_size : 1 <= size.
Hypothesis same_commit : forall vector, commit_to vector = commit_to' vector.
Hypothesis same_open : forall vector i, i < size -> open_at vector i = open_at' vector i.

Lemma honest_claims_for_same : forall h state block,
  honest_claims_for open_at size h state block = honest_claims_for open_at' size h state block.
Proof.
  intros h state block. apply map_ext. intros item. unfold honest_claim. cbv zeta. f_equal. apply same_open.
  apply position_split. exact positive_size.
Qed.

Lemma break_in_tail_same : forall a start vectors,
  break_in_tail commit_to open_at size a start vectors = break_in_tail commit_to' open_at' size a start vectors.
Proof.
  intros a start vectors.
  pose proof (find_break_same commit_to commit_to' open_at open_at' size positive_size same_commit same_open [a] start
    {| block_version := 0; transactions := []; tail_vectors := vectors |}) as E. exact E.
Qed.

Theorem find_in_any_same : forall h state any,
  find_in_any commit_to open_at size h state any = find_in_any commit_to' open_at' size h state any.
Proof.
  intros h state [block|aggregated rho gamma]; cbn [find_in_any].
  - rewrite (find_break_same commit_to commit_to' open_at open_at' size positive_size same_commit same_open). reflexivity.
  - unfold find_in_aggregated. cbv zeta. rewrite honest_claims_for_same, break_in_tail_same. reflexivity.
Qed.

Lemma finding_is_break_same : forall setup h state any f,
  finding_is_break open_at size setup h state any f <-> finding_is_break open_at' size setup h state any f.
Proof.
  intros setup h state any [b|j power]; destruct any as [block|aggregated rho gamma]; try reflexivity.
  unfold finding_is_break. cbv zeta. rewrite honest_claims_for_same. reflexivity.
Qed.

End Same.

(** ** What it finds in the claims *)

Section OfState.

Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

Variables (setup : Setup) (h : History) (state : ValidatorState).
Hypothesis made : Scheme.well_made setup.
Hypothesis sized : setup_vector_size setup = vector_size (parameters state).
Hypothesis honest : honest_state setup h state.

Let n : N := vector_size (parameters state).

Variables (aggregated : AggregatedBlock) (rho gamma : list Scalar).
Let block : Block := plain_block aggregated.
Hypothesis recent : forall tx, In tx (transactions block) -> claims_recent h state tx.
Hypothesis proved : phase_points setup state aggregated rho gamma = Ok tt.

Let batch : list BatchClaim := claimed_batch n state block.
Let honests : list BatchClaim := honest_claims_for (open setup) n h state block.

Lemma points_proved :
  unopened_claims state block = Some (merged_claims state block) /\
  seq_length (points_of n state aggregated) = seq_length (block_points aggregated) /\
  verify_aggregated setup batch rho (points_of n state aggregated) gamma = true.
Proof.
  unfold phase_points in proved. cbv zeta in proved. unfold points_of, batch, claimed_batch, merged_claims. fold block in proved |- *.
  destruct (unopened_claims state block) as [items|]; [|discriminate]. split; [reflexivity|]. fold n in proved.
  destruct (N.eqb_spec (seq_length (indexed_points (batch_of_unopened items n) (block_points aggregated) n))
    (seq_length (block_points aggregated))) as [L|]; cbn [negb] in proved; [|discriminate]. split; [exact L|].
  destruct (has_malformed_point _); [discriminate|]. destruct (verify_aggregated _ _ _ _ _); [reflexivity|discriminate].
Qed.

Lemma batch_length : seq_length batch = seq_length (merged_claims state block).
Proof. unfold batch, claimed_batch. rewrite MergedClaims.batch_of_unopened_map, seq_length_map. reflexivity. Qed.

Lemma batch_at : forall j, j < seq_length batch ->
  exists item, In item (merged_claims state block) /\ seq_at batch j = MergedClaims.unopened n item /\
    seq_at honests j = honest_claim (open setup) n h item.
Proof.
  intros j L. rewrite batch_length in L. exists (seq_at (merged_claims state block) j). split; [apply seq_at_in; exact L|].
  unfold batch, claimed_batch, honests, honest_claims_for. rewrite MergedClaims.batch_of_unopened_map.
  rewrite !MergedClaims.seq_at_map by exact L. auto.
Qed.

Lemma positive : 1 <= n.
Proof. exact (honest_vector_size _ _ _ honest). Qed.

Lemma item_commitment : forall item, In item (merged_claims state block) ->
  merged_commitment item = vector_commitment setup n (array_slots (array_at h (merged_version item)))
    (vector_of (merged_position item) n).
Proof.
  intros item I. destruct points_proved as [E _]. destruct (proj2 (MergedClaims.unopened_claims_spec state block _ E) item I) as (C & tx & It & V).
  unfold MergedClaims.has_commitment in C. rewrite (honest_version _ _ _ honest), (honest_commitments _ _ _ honest) in C. fold n in C.
  rewrite (commitment_at_correct setup n positive _ h _ _ _ (honest_history _ _ _ honest) (honest_window _ _ _ honest)) in C.
  - unfold commitment_in in C. destruct (_ <? _) in C; [|discriminate]. congruence.
  - rewrite V. exact (recent tx It).
Qed.

Theorem honest_claims_honest : Aggregation.honest_for setup batch honests.
Proof.
  split.
  - rewrite batch_length. unfold honests, honest_claims_for. apply seq_length_map.
  - intros j L. destruct (batch_at j L) as (item & I & -> & ->). split; [reflexivity|]. split; [reflexivity|].
    unfold BatchVerification.claim_accepted, honest_claim. cbv zeta. cbn [batch_commitment batch_index batch_scalar batch_opening].
    destruct (position_split (merged_position item) n positive) as [E B]. rewrite (item_commitment item I).
    set (a := array_at h (merged_version item)). set (scalars := vector_scalars (array_slots a) n (vector_of (merged_position item) n)).
    replace (scalar_of_content (slot_at (array_slots a) (merged_position item)))
      with (scalar_at scalars (index_of (merged_position item) n)).
    + exact (Scheme.open_correct setup scalars _ made (eq_ind_r (fun k => _ < k) B sized)).
    + unfold scalars. rewrite scalar_at_vector_scalars by exact B. unfold content_scalar. rewrite <- E. reflexivity.
Qed.

Theorem any_claim_decided : forall j,
  j < seq_length batch ->
  let i := batch_index (seq_at batch j) in
  i < n /\
  (Aggregation.is_missing_power setup i (Aggregation.aggregated_break batch honests rho (points_of n state aggregated) i) = true \/
   Aggregation.challenges_counted setup batch honests rho (points_of n state aggregated) gamma i = true).
Proof.
  intros j L i. assert (B : i < n).
  { unfold i. destruct (batch_at j L) as (item & _ & -> & _). apply (position_split (merged_position item) n positive). }
  split; [exact B|].
  apply Aggregation.accepted_aggregation_decided; [exact made|exact honest_claims_honest|exact L|fold n in sized; rewrite sized; exact B|].
  apply points_proved.
Qed.

Lemma hash_break_is_break : forall content claimed b, hash_break content claimed = Some b -> is_break setup b.
Proof.
  intros content claimed b. unfold hash_break. destruct (slot_contents_equal content (Some claimed)) eqn:E; [discriminate|].
  assert (D : content <> Some claimed) by (intros X; apply slot_contents_equal_iff in X; congruence).
  destruct (_ [=?] _) eqn:S; [|discriminate]. apply scalar_eqb_iff in S.
  destruct content as [x|]; intros X; injection X as <-; cbn [is_break]; [split; [congruence|exact S]|symmetry; exact S].
Qed.

Lemma first_false_some : forall j, first_false batch honests = Some j ->
  j < seq_length batch /\ batch_scalar (seq_at batch j) <> batch_scalar (seq_at honests j).
Proof.
  intros j E. apply find_some in E. destruct E as [I E]. apply in_range in I. split; [lia|]. intros S.
  apply negb_true_iff in E. apply scalar_eqb_iff in S. congruence.
Qed.

Theorem finding_in_claims_is_break : forall f,
  match first_break (hash_break_in_claims h) (transactions block) with
  | Some b => f = Found b
  | None => exists j, first_false batch honests = Some j /\
      f = FalseClaim j (Aggregation.aggregated_break batch honests rho (points_of n state aggregated) (batch_index (seq_at batch j)))
  end ->
  finding_is_break (open setup) n setup h state (Aggregated aggregated rho gamma) f.
Proof.
  intros f. destruct (first_break _ _) as [b|] eqn:C.
  - intros ->. destruct (first_break_some _ _ _ _ C) as (tx & _ & Et). destruct (first_break_some _ _ _ _ Et) as (c & _ & Ec).
    exact (hash_break_is_break _ _ _ Ec).
  - intros (j & Ej & ->). destruct (first_false_some j Ej) as [L D]. unfold finding_is_break. cbv zeta. fold block batch honests.
    destruct (any_claim_decided j L) as [B K]. auto 6 using honest_claims_honest.
Qed.

Theorem no_finding_in_claims :
  first_break (hash_break_in_claims h) (transactions block) = None -> first_false batch honests = None ->
  block_claims_true h state block.
Proof.
  intros C N tx It. split; [exact (recent tx It)|]. intros c Ic.
  pose proof (first_break_none _ _ _ (first_break_none _ _ _ C tx It) c Ic) as H. unfold hash_break_in_claim, hash_break in H.
  destruct (slot_contents_equal _ _) eqn:E in H; [apply slot_contents_equal_iff; exact E|]. exfalso.
  destruct (_ [=?] _) eqn:S in H; [destruct (slot_at _ _); discriminate|]. apply not_true_iff_false in S. apply S, scalar_eqb_iff.
  destruct points_proved as [U _]. destruct (proj1 (MergedClaims.unopened_claims_spec state block _ U) tx c It Ic) as (item & I & V & P & Sc).
  cbn [fst snd] in V, P, Sc. destruct (in_seq_at _ Default_MergedClaim _ _ I) as (j & Hj & Ej).
  assert (Lj : j < seq_length batch) by (rewrite batch_length; exact Hj).
  pose proof (find_none _ _ N j (proj2 (in_range 0 (seq_length batch) j) (conj (N.le_0_l j) Lj))) as Q.
  apply negb_false_iff in Q. apply scalar_eqb_iff in Q. revert Q.
  unfold batch, claimed_batch, honests, honest_claims_for. rewrite MergedClaims.batch_of_unopened_map.
  rewrite !MergedClaims.seq_at_map by exact Hj. rewrite Ej. unfold honest_claim, MergedClaims.unopened, MergedClaims.opened.
  cbv zeta. cbn [batch_scalar]. rewrite V, P, Sc. intros Q. symmetry. exact Q.
Qed.

End OfState.

End AggregatedBreak.

(** End to end: what a validator accepts is justified by the map, or shows a break of the cryptography.

    - [accepted_block_is_justified_or_breaks]: from an honest state, an accepted block, plain or aggregated, for which
      [find_in_any] (AggregatedBreak.v) returns nothing is what its transactions do to the array's map one after the other;
      and the new state (size, commitments, window, tail, replay set) is the one computed from the whole arrays. What
      [find_in_any] returns otherwise is a break. It is given what everyone can compute from the public parameters
      (PublicParameters.v), no trapdoor;
    - [unjustified_block_breaks]: so a block that the map does not justify makes [find_in_any] return a break;
    - [reachable_well_formed]: every state that a legal genesis, accepted blocks of both forms without a break and an
      archive's imports lead to is honest, and every array of its history is well-formed. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation Dictionary.KeyMap
  Dictionary.Genesis Dictionary.Changes Dictionary.Writes Dictionary.Vectors Dictionary.Window Block.Tail
  Block.Transaction Block.State Block.BlockData Block.View Block.Checks Block.Execution Block.Phases
  Block.Validator Block.AggregatedBlock Block.Import Block.Map.
From Aardvark Require Import Lemmas.Field
  Spec.Base.Group.
From Aardvark Require Spec.Commitment.Scheme Spec.Commitment.Aggregation.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.SlotMapLemmas
  Lemmas.DictionaryLemmas Lemmas.ChangeMaps Spec.Dictionary.Genesis Spec.Dictionary.Writes Lemmas.VectorLemmas
  Spec.Block.Tail Spec.Block.Map Lemmas.Ideal Lemmas.History Spec.Dictionary.Window Spec.Dictionary.Vectors
  Lemmas.ViewLemmas Spec.Block.View Lemmas.PhaseLemmas Spec.Block.State Lemmas.PublicParameters Lemmas.Break
  Spec.Block.Phases Spec.Block.Import Lemmas.AnyBlock Lemmas.AggregatedBreak.
Import ListNotations.
Local Open Scope N_scope.

Section Validator.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** The state and the whole array after a block, computed from the whole array; none when an operation fails. *)
Definition ideal_state (setup : Setup) (state : ValidatorState) (a : Array) (block : Block) : option (ValidatorState * Array) :=
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

(** [find_in_any], with what everyone can compute from the public parameters of this setup: no trapdoor goes in. *)
Definition find_break_in (setup : Setup) (h : History) (state : ValidatorState) (any : AnyBlock) : option Finding :=
  find_in_any (public_commit (public_of setup)) (public_open (public_of setup)) (vector_size (parameters state)) h state any.

Section OfState.

Variables (setup : Setup) (h : History) (state : ValidatorState).
Hypothesis made : Scheme.well_made setup.
Hypothesis sized : setup_vector_size setup = vector_size (parameters state).
Hypothesis honest : honest_state setup h state.

Let n : N := vector_size (parameters state).

(** ** What the phases establish *)

Lemma recent_claims : forall block tx,
  phase_interval state block = Ok tt -> In tx (transactions block) -> claims_recent h state tx.
Proof.
  intros block tx P I. destruct (in_seq_at _ _ _ _ I) as (x & Hx & E).
  pose proof (phase_interval_passed state block P x Hx) as Q. unfold tx_at in Q. rewrite E in Q.
  destruct (interval_version _ _ _ _ Q) as (V1 & V2 & V3). unfold claims_recent, within_window.
  destruct (honest_window _ _ _ honest) as [L _]. pose proof (honest_version _ _ _ honest) as T. lia.
Qed.

Lemma verified_claim : forall tx c,
  claims_recent h state tx -> claim_verifies setup state c (claims_version tx) = true ->
  claim_accepted setup n (array_at h (claims_version tx)) c.
Proof.
  intros tx c R V. unfold claim_verifies in V. cbv zeta in V. fold n in V.
  rewrite (honest_version _ _ _ honest), (honest_commitments _ _ _ honest) in V.
  rewrite (commitment_at_correct setup n (honest_vector_size _ _ _ honest) _ h _ _ _
    (honest_history _ _ _ honest) (honest_window _ _ _ honest) R) in V.
  unfold commitment_in in V. destruct (_ <? _); [|discriminate]. exact V.
Qed.

Lemma accepted_claims : forall block,
  phase_interval state block = Ok tt -> phase_openings setup state block = Ok tt ->
  forall tx c, In tx (transactions block) -> In c (claims tx) ->
  claims_recent h state tx /\ claim_accepted setup n (array_at h (claims_version tx)) c.
Proof.
  intros block P Q tx c It Ic. pose proof (recent_claims block tx P It) as R. split; [assumption|].
  apply verified_claim; [assumption|]. destruct (in_seq_at _ _ _ _ It) as (x & Hx & E).
  pose proof (phase_openings_passed setup state block Q x Hx) as V. unfold tx_at in V. rewrite E in V. apply V. assumption.
Qed.

Lemma accepted_vectors : forall block,
  phase_tail setup state block = Ok tt ->
  forall i, i < seq_length (tail_vectors block) ->
  exists number, tail_vector_number (tail_start state) n i = Some number /\
    vector_accepted setup n (latest h) number (seq_at (tail_vectors block) i).
Proof.
  intros block P i Hi. pose proof (phase_tail_passed setup state block P i Hi) as Q.
  destruct (check_tail_vector_passed _ _ _ _ _ _ Q) as (number & E & L & _ & M). exists number. split; [exact E|].
  split; [exact L|]. unfold vector_matches in M. cbv zeta in M. apply g1_equal_iff in M. fold n in M. rewrite M.
  rewrite (honest_commitments _ _ _ honest). apply g1_at_array_commitments.
  pose proof (honest_vector_size _ _ _ honest) as Hn. apply below_vector_count; [exact Hn|].
  destruct (honest_tail _ _ _ honest) as (Mu & Ls & _).
  pose proof (tail_vector_number_spec (tail_start state) n i Hn Mu) as S. fold n in E; rewrite E in S.
  fold n in Hn, Ls. nia.
Qed.

(** ** What [find_break] makes of them *)

Lemma find_break_in_same : forall any,
  find_break_in setup h state any = find_in_any (commit setup) (open setup) n h state any.
Proof.
  intros any. apply find_in_any_same; [exact (honest_vector_size _ _ _ honest)| |].
  - intros vector. apply public_commit_correct. exact made.
  - intros vector i Hi. apply public_open_correct; [exact made|]. rewrite sized. exact Hi.
Qed.

Lemma tail_break_is_break : forall block b,
  phase_tail setup state block = Ok tt ->
  break_in_tail (commit setup) (open setup) n (latest h) (tail_start state) (tail_vectors block) = Some b -> is_break setup b.
Proof.
  intros block b T H. pose proof (honest_vector_size _ _ _ honest) as Hn. fold n in Hn.
  destruct (first_break_some _ _ _ _ H) as (i & Hi & Ei). apply in_range in Hi.
  destruct (accepted_vectors block T i) as (number & En & A); [lia|]. unfold break_in_tail_vector in Ei. rewrite En in Ei.
  pose proof (wrong_tail_is_a_break setup n made sized Hn _ _ _ A) as W. rewrite Ei in W. exact W.
Qed.

Lemma no_tail_break_true : forall block,
  phase_tail setup state block = Ok tt ->
  break_in_tail (commit setup) (open setup) n (latest h) (tail_start state) (tail_vectors block) = None ->
  tail_vectors_true h state (tail_vectors block).
Proof.
  intros block T H i j p (Hi & Hj & number & En & ->). fold n in En.
  pose proof (honest_vector_size _ _ _ honest) as Hn. fold n in Hn.
  destruct (accepted_vectors block T i Hi) as (number' & En' & A). assert (number' = number) as -> by congruence.
  pose proof (wrong_tail_is_a_break setup n made sized Hn _ _ _ A) as W.
  assert (N : first_break (break_in_vector (commit setup) (open setup) n (latest h) number (seq_at (tail_vectors block) i))
    (range 0 n) = None).
  { assert (G : break_in_tail_vector (commit setup) (open setup) n (latest h) (tail_start state) (tail_vectors block) i = None).
    { apply (first_break_none _ _ _ H). apply in_range. lia. }
    unfold break_in_tail_vector in G. rewrite En in G. exact G. }
  rewrite N in W. apply W. destruct A as [L _]. fold n in L. lia.
Qed.

(** A finding in this block, with the honest openings that everyone can compute. *)
Definition is_finding (any : AnyBlock) (f : Finding) : Prop :=
  finding_is_break (public_open (public_of setup)) n setup h state any f.

Lemma is_finding_same : forall any f, is_finding any f <-> finding_is_break (open setup) n setup h state any f.
Proof.
  intros any f. apply finding_is_break_same; [exact (honest_vector_size _ _ _ honest)|].
  intros vector i Hi. apply public_open_correct; [exact made|]. rewrite sized. exact Hi.
Qed.

Theorem find_break_is_break : forall any f,
  phase_interval state (block_in any) = Ok tt -> phase_proofs setup state any = Ok tt ->
  phase_tail setup state (block_in any) = Ok tt ->
  find_break_in setup h state any = Some f -> is_finding any f.
Proof.
  intros any f P Q T. rewrite find_break_in_same, is_finding_same.
  pose proof (honest_vector_size _ _ _ honest) as Hn. fold n in Hn.
  destruct any as [block|aggregated rho gamma]; cbn [find_in_any block_in phase_proofs] in *.
  - unfold find_break. destruct (first_break _ (transactions block)) as [b|] eqn:C.
    + intros H. injection H as <-. destruct (first_break_some _ _ _ _ C) as (tx & It & Et).
      destruct (first_break_some _ _ _ _ Et) as (c & Ic & Ec).
      destruct (accepted_claims block P Q tx c It Ic) as [_ A].
      exact (break_in_claim_is_break setup n made sized Hn _ _ _ A Ec).
    + destruct (break_in_tail _ _ _ _ _ _) as [b|] eqn:D; [|discriminate]. intros H. injection H as <-.
      exact (tail_break_is_break block b T D).
  - intros H. set (block := plain_block aggregated) in *.
    pose proof (finding_in_claims_is_break setup h state made sized honest aggregated rho gamma
      (fun tx It => recent_claims block tx P It) Q f) as G. fold n block in G.
    unfold find_in_aggregated in H. cbv zeta in H. fold block in H.
    destruct (first_break _ (transactions block)) as [b|]; [apply G; congruence|].
    destruct (first_false _ _) as [j|]; [apply G; exists j; split; [reflexivity|congruence]|]. clear G.
    destruct (break_in_tail _ _ _ _ _ _) as [b|] eqn:D; [|discriminate]. injection H as <-.
    exact (tail_break_is_break block b T D).
Qed.

Theorem no_break_all_true : forall any,
  phase_interval state (block_in any) = Ok tt -> phase_proofs setup state any = Ok tt ->
  phase_tail setup state (block_in any) = Ok tt -> find_break_in setup h state any = None ->
  block_claims_true h state (block_in any) /\ tail_vectors_true h state (tail_vectors (block_in any)).
Proof.
  intros any P Q T. rewrite find_break_in_same.
  destruct any as [block|aggregated rho gamma]; cbn [find_in_any block_in phase_proofs] in *.
  - unfold find_break. destruct (first_break _ (transactions block)) as [b'|] eqn:C; [discriminate|].
    destruct (break_in_tail _ _ _ _ _ _) eqn:D; [discriminate|]. intros _. split; [|exact (no_tail_break_true block T D)].
    intros tx It. split; [exact (recent_claims block tx P It)|]. intros c Ic.
    destruct (accepted_claims block P Q tx c It Ic) as [_ A].
    apply (break_in_claim_none setup n _ _ A).
    pose proof (first_break_none _ _ _ C tx It) as Et. exact (first_break_none _ _ _ Et c Ic).
  - set (block := plain_block aggregated) in *. unfold find_in_aggregated. cbv zeta. fold block.
    destruct (first_break _ (transactions block)) as [b|] eqn:C; [discriminate|].
    destruct (first_false _ _) as [j|] eqn:N; [discriminate|].
    destruct (break_in_tail _ _ _ _ _ _) eqn:D; [discriminate|]. intros _. split; [|exact (no_tail_break_true block T D)].
    exact (no_finding_in_claims setup h state aggregated rho gamma (fun tx It => recent_claims block tx P It) Q C N).
Qed.

(** ** The block as a whole *)

Theorem accepted_block_is_justified_or_breaks : forall any state' effects,
  apply_any setup state any = Ok (state', effects) ->
  match find_break_in setup h state any with
  | Some f => is_finding any f
  | None =>
      exists a',
        map_transactions (map_of_array (latest h)) (transactions (block_in any)) = Ok (map_of_array a') /\
        ideal_state setup state (latest h) (block_in any) = Some (state', a') /\
        honest_state setup (h ++ [a']) state' /\
        effect_writes effects = writes_between (array_slots (latest h)) (array_slots a') /\
        effect_contents effects = whole_contents (latest h) (transactions (block_in any)) /\
        ideal_changes (latest h) (block_in any) = Ok (effect_changes effects) /\
        effect_ids effects = transaction_ids (dictionary_id state) (transactions (block_in any))
  end.
Proof.
  intros any state' effects E. destruct (apply_any_passed setup state any state' effects E) as (e & P & _ & Po & X).
  clear E. rename X into E. unfold apply_executed in E. cbv zeta in E.
  destruct (advance_or_reject _ _ _ _ _) as [advanced|] eqn:A; [|discriminate]. injection E as -> <-.
  unfold advance_or_reject in A. destruct (advance _ _ _ _ _ _) as [s|] eqn:Adv; [|discriminate]. injection A as ->.
  pose proof (passed_interval _ _ _ _ P) as Pi. pose proof (passed_tail _ _ _ _ P) as Pt.
  destruct (find_break_in setup h state any) as [f|] eqn:B; [exact (find_break_is_break any f Pi Po Pt B)|].
  destruct (no_break_all_true any Pi Po Pt B) as [Ct Tt]. clear B Po. set (block := block_in any) in *. clearbody block.
  destruct (executed_block_is_ideal setup h state honest block Ct Tt e P) as (Ec & Ich & a' & Ia & Wa & Z & C & Wr & K).
  destruct (executed_block_is_map setup h state honest block Ct Tt e P) as (b' & Ib & M).
  assert (b' = a') as -> by congruence. exists a'. split; [exact M|].
  rewrite Wr, (passed_ids _ _ _ _ P) in Adv.
  destruct (advance_honest setup h state a' (execution_before e) (execution_after e)
    (replay_entries (replay_set state) (transaction_ids (dictionary_id state) (transactions block)) (transactions block))
    made sized honest Wa Z K) as (s & A1 & A2 & H').
  { intros p Hp. unfold advance in Adv. cbv zeta in Adv. rewrite Z in Adv.
    pose proof (slots_from_spec (array_slots (execution_after e))
      (tail_start_after (tail_start state) (array_size a') (vector_size (parameters state))) (array_size a')) as S.
    destruct (slots_from _ _ _) as [taken|]; [|discriminate]. destruct S as [L S].
    specialize (S (p - tail_start_after (tail_start state) (array_size a') (vector_size (parameters state)))).
    replace (tail_start_after (tail_start state) (array_size a') (vector_size (parameters state)) +
      (p - tail_start_after (tail_start state) (array_size a') (vector_size (parameters state)))) with p in S by lia.
    rewrite S by lia. symmetry. apply C. apply S. lia. }
  assert (s = state') as -> by congruence.
  split; [unfold ideal_state; rewrite Ia; cbv zeta; rewrite A2; reflexivity|].
  split; [exact H'|]. split; [exact Wr|]. split; [exact Ec|]. split; [exact Ich|]. exact (passed_ids _ _ _ _ P).
Qed.

(** Of an accepted aggregated block: it has as many points as the verifier takes of it, and for each claim they give the missing
    power, or the challenges are among those counted for it. *)
Theorem aggregated_claim_decided : forall aggregated rho gamma state' effects j,
  apply_challenged_block setup state aggregated rho gamma = Ok (state', effects) ->
  let batch := claimed_batch n state (plain_block aggregated) in
  let honests := honest_claims_for (open setup) n h state (plain_block aggregated) in
  let i := batch_index (seq_at batch j) in
  j < seq_length batch ->
  seq_length (points_of n state aggregated) = seq_length (block_points aggregated) /\
  (Aggregation.is_missing_power setup i (Aggregation.aggregated_break batch honests rho (points_of n state aggregated) i) = true \/
   Aggregation.challenges_counted setup batch honests rho (points_of n state aggregated) gamma i = true).
Proof.
  intros aggregated rho gamma state' effects j E batch honests i L.
  destruct (apply_any_passed setup state (Aggregated aggregated rho gamma) state' effects E) as (e & P & _ & Q & _).
  cbn [block_in phase_proofs] in P, Q. split.
  - exact (proj1 (proj2 (points_proved setup state aggregated rho gamma Q))).
  - exact (proj2 (any_claim_decided setup h state made sized honest aggregated rho gamma
      (fun tx It => recent_claims (plain_block aggregated) tx (passed_interval _ _ _ _ P) It) Q j L)).
Qed.

(** A block that was accepted although the map does not justify it: its transactions fail on the map, or the new state is
    not the ideal one. *)
Theorem unjustified_block_breaks : forall any state' effects,
  apply_any setup state any = Ok (state', effects) ->
  (forall a', map_transactions (map_of_array (latest h)) (transactions (block_in any)) = Ok (map_of_array a') ->
    ideal_state setup state (latest h) (block_in any) <> Some (state', a')) ->
  exists f, find_break_in setup h state any = Some f /\ is_finding any f.
Proof.
  intros any state' effects E N. pose proof (accepted_block_is_justified_or_breaks any state' effects E) as H.
  destruct (find_break_in setup h state any) as [f|]; [exists f; auto|].
  destruct H as (a' & M & I & _). destruct (N a' M I).
Qed.

End OfState.

(** ** Every reachable state *)

(** The histories and states that a genesis leads to by accepted blocks that show no break, plain and aggregated ones in any
    order, and by imports into the whole array. Validators refuse imports; an archive's own log may hold them. *)
Inductive reachable (setup : Setup) (genesis : Genesis) : History -> ValidatorState -> Prop :=
| reachable_genesis :
    reachable setup genesis [genesis_array (genesis_entries genesis)] (genesis_state setup genesis)
| reachable_block : forall h state any state' effects a',
    reachable setup genesis h state ->
    apply_any setup state any = Ok (state', effects) ->
    find_break_in setup h state any = None ->
    ideal_array (latest h) (block_in any) = Some a' ->
    reachable setup genesis (h ++ [a']) state'
| reachable_import : forall h state block state' a',
    reachable setup genesis h state ->
    apply_import setup state (latest h) block = Ok (state', a') ->
    reachable setup genesis (h ++ [a']) state'.

Theorem reachable_well_formed : forall setup genesis h state,
  Scheme.well_made setup -> genesis_legal genesis = true ->
  setup_vector_size setup = vector_size (genesis_parameters genesis) ->
  reachable setup genesis h state ->
  honest_state setup h state /\ Forall well_formed h /\
  parameters state = genesis_parameters genesis /\ dictionary_id state = id_of_dictionary genesis.
Proof.
  intros setup genesis h state Made Legal Sized R. destruct (genesis_legal_entries genesis Legal) as [G Hn].
  enough (H : honest_state setup h state /\ parameters state = genesis_parameters genesis /\
    dictionary_id state = id_of_dictionary genesis).
  { destruct H as (H & P & D). split; [exact H|]. split; [apply (honest_history _ _ _ H)|]. auto. }
  induction R as [|h state any state' effects a' R (H & P & D) E B I|h state block state' a' R (H & P & D) E].
  - split; [apply genesis_state_honest; assumption|]. split; reflexivity.
  - rewrite <- P in Sized.
    pose proof (accepted_block_is_justified_or_breaks setup h state Made Sized H any state' effects E) as J.
    rewrite B in J. destruct J as (a & _ & Is & H' & _). unfold ideal_state in Is. rewrite I in Is. cbv zeta in Is.
    destruct (advance _ _ _ _ _ _) as [s|] eqn:A; [|discriminate]. injection Is as -> <-.
    destruct (advance_fields _ _ _ _ _ _ _ A) as (P' & D' & _). split; [exact H'|]. split; congruence.
  - rewrite <- P in Sized.
    destruct (applied_import_honest setup h state Made Sized H block state' a' E) as (_ & _ & _ & H' & P' & D' & _).
    split; [exact H'|]. split; congruence.
Qed.

End Validator.

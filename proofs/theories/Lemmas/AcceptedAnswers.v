(** An honest archive's answer is accepted, and is the map's.

    - [honest_answer_accepted]: under the commitments of the array's version. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Scheme Dictionary.Vectors Block.Transaction
  Block.Prover Answer.Question Answer.Scan Answer.IdealAnswer Block.Map Answer.AnswerReason Answer.AnswerProof
  Answer.AnswerBasis Answer.Verify Answer.AnswerProver.
From Aardvark Require Import Lemmas.Field
  Spec.Base.Group.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas Spec.Block.Tail Lemmas.VectorLemmas Spec.Dictionary.Vectors
  Lemmas.PhaseLemmas Lemmas.Break Spec.Answer.Scan Spec.Answer.IdealAnswer Spec.Answer.AnswerProver
  Spec.Answer.Verify.
From Aardvark Require Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

(** ** Equality of questions *)

Lemma same_keys_refl : forall l, same_keys l l = true.
Proof.
  intros l. unfold same_keys. rewrite N.eqb_refl.
  apply (loop_invariant _ (fun _ same => same = true)); [lia|reflexivity|]. intros i same Hi ->.
  unfold same_keys_step. replace (i <? seq_length l) with true by (symmetry; apply N.ltb_lt; lia).
  rewrite bytes_equal_refl. reflexivity.
Qed.

Lemma same_questions_refl : forall q, same_questions q q = true.
Proof.
  intros [[l|r]|k|k]; cbn; [apply same_keys_refl| | |]; rewrite ?bytes_equal_refl; [|reflexivity..].
  unfold same_limits. destruct (range_limit r); [apply N.eqb_refl|reflexivity].
Qed.

Section AcceptedAnswers.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.
Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

Variables (setup : Setup) (n : N).
Hypothesis made : Scheme.well_made setup.
Hypothesis sized : setup_vector_size setup = n.
Hypothesis positive : 1 <= n.

Variable a : Array.
Hypothesis a_well_formed : well_formed a.

(** The lengths of all slots are those of some dictionary. *)
Hypothesis slots_answerable : forall p x, live (array_slots a) p x -> slot_answerable x = true.

(** ** Honest claims *)

Lemma claims_at_positions : forall ps,
  (forall p, In p ps -> exists x, live (array_slots a) p x) ->
  map claim_slot (claims_at setup (array_slots a) ps) = slots_of_positions ps (array_slots a) /\
  forall c, In c (claims_at setup (array_slots a) ps) ->
    exists p x, live (array_slots a) p x /\ claim_position c = p /\ claim_slot c = x /\
      claim_opening c = Opening_Point (open setup (vector_scalars (array_slots a) n (vector_of p n)) (index_of p n)).
Proof.
  intros ps. unfold claims_at, slots_of_positions.
  rewrite (loop_over_elements _ _ _ (fun items p => claims_at_step items setup (array_slots a) p)).
  rewrite (loop_over_elements _ _ _ (fun chain p => slots_of_positions_step chain (array_slots a) p)).
  assert (G : forall ps items chain,
    (forall p, In p ps -> exists x, live (array_slots a) p x) ->
    map claim_slot items = chain ->
    (forall c, In c items -> exists p x, live (array_slots a) p x /\ claim_position c = p /\ claim_slot c = x /\
      claim_opening c = Opening_Point (open setup (vector_scalars (array_slots a) n (vector_of p n)) (index_of p n))) ->
    let items' := fold_left (fun items p => claims_at_step items setup (array_slots a) p) ps items in
    map claim_slot items' = fold_left (fun chain p => slots_of_positions_step chain (array_slots a) p) ps chain /\
    forall c, In c items' -> exists p x, live (array_slots a) p x /\ claim_position c = p /\ claim_slot c = x /\
      claim_opening c = Opening_Point (open setup (vector_scalars (array_slots a) n (vector_of p n)) (index_of p n))).
  { clear ps. induction ps as [|p ps IH]; intros items chain L M C; [split; assumption|]. cbn [fold_left].
    destruct (L p (or_introl eq_refl)) as [x Lx]. apply IH.
    - intros q I. apply L. right. exact I.
    - unfold claims_at_step, slots_of_positions_step, honest_claim. rewrite Lx. cbv zeta. rewrite map_app, M. reflexivity.
    - unfold claims_at_step, honest_claim. rewrite Lx. cbv zeta. rewrite sized. intros c I. apply in_app_iff in I.
      destruct I as [I|[<-|[]]]; [exact (C c I)|]. exists p, x. cbn. auto. }
  intros L. apply (G ps [] []); [exact L|reflexivity|intros c []].
Qed.

Lemma live_below_size : forall p x, live (array_slots a) p x -> p < array_size a.
Proof. intros p x L. destruct a_well_formed as ((_ & D) & _). apply D. exists x. exact L. Qed.

Lemma known_commitment : forall number, number < vector_count (array_size a) n ->
  forall basis, basis_vectors basis = known_vectors (array_commitments setup n a) ->
  basis_commitment basis number = Some (vector_commitment setup n (array_slots a) number).
Proof.
  intros number L basis B. unfold basis_commitment. rewrite B.
  rewrite (loop_over_elements _ _ _ (fun found v => basis_commitment_step found v number)).
  unfold known_vectors, known_vectors_step. rewrite (Sequences.fold_append
    (fun number => {| tied_number := number; tied_bytes := []; tied_path := [];
                      tied_commitment := Opening_Point (g1_at (array_commitments setup n a) number) |})).
  cbn [app]. rewrite seq_length_array_commitments, fold_left_map.
  rewrite <- (g1_at_array_commitments setup n a number L).
  pose proof (loop_invariant _ (fun i found => found = if number <? i then Some (g1_at (array_commitments setup n a) number) else None)
    (fun found i => basis_commitment_step found {| tied_number := i; tied_bytes := []; tied_path := [];
       tied_commitment := Opening_Point (g1_at (array_commitments setup n a) i) |} number)
    0 (vector_count (array_size a) n) None) as H. cbv beta in H.
  replace (number <? vector_count (array_size a) n) with true in H by (symmetry; apply N.ltb_lt; exact L).
  apply H; clear H.
  - lia.
  - replace (number <? 0) with false by (symmetry; apply N.ltb_ge; lia). reflexivity.
  - intros i found Hi ->. unfold basis_commitment_step. cbn [tied_number tied_commitment].
    destruct (N.eqb_spec i number) as [->|D].
    + replace (number <? number + 1) with true by (symmetry; apply N.ltb_lt; lia). reflexivity.
    + replace (number <? i + 1) with (number <? i); [reflexivity|]. apply eq_true_iff_eq. rewrite !N.ltb_lt. lia.
Qed.

(** What is known before the openings is true of the array, and the commitments of the claims' vectors are known: then honest
    claims pass all that follows. *)
Lemma honest_claims_answer : forall basis question,
  let items := claims_at setup (array_slots a) (answer_positions question (array_slots a)) in
  question_legal question = true -> basis_vector_size basis = n -> basis_size basis = array_size a ->
  (forall c, In c items -> basis_commitment basis (vector_of (claim_position c) n) =
    Some (vector_commitment setup n (array_slots a) (vector_of (claim_position c) n))) ->
  check_answer_slots items = Ok tt /\ check_answer_positions basis items = Ok tt /\
  check_answer_encodings items = Ok tt /\ check_answer_openings setup basis items = Ok tt /\
  answer_of_claims question items = Ok (ideal_answer question (map_of_array a)).
Proof.
  intros basis question items Q BN BS BC.
  destruct (honest_answer_of_slots a a_well_formed question Q) as (LP & ans & A).
  destruct (claims_at_positions _ LP) as (M & C). fold items in M, C.
  assert (AT : forall i, i < seq_length items -> exists p x, live (array_slots a) p x /\
    claim_position (seq_at items i) = p /\ claim_slot (seq_at items i) = x /\
    claim_opening (seq_at items i) =
      Opening_Point (open setup (vector_scalars (array_slots a) n (vector_of p n)) (index_of p n))).
  { intros i Hi. apply C, seq_at_in. exact Hi. }
  split; [|split; [|split; [|split]]].
  - unfold check_answer_slots. apply (loop_invariant _ (fun _ checked => checked = Ok tt)); [lia|reflexivity|].
    intros i checked Hi ->. unfold check_answer_slots_step. destruct (AT i ltac:(lia)) as (p & x & L & _ & -> & _).
    rewrite (slots_answerable p x L). reflexivity.
  - unfold check_answer_positions. apply (loop_invariant _ (fun _ checked => checked = Ok tt)); [lia|reflexivity|].
    intros i checked Hi ->. unfold check_answer_positions_step.
    pose proof (BC _ (seq_at_in _ _ items i ltac:(lia))) as K. rewrite BN, BS, K.
    destruct (AT i ltac:(lia)) as (p & x & L & -> & _ & _). pose proof (live_below_size p x L).
    replace (array_size a <=? p) with false by (symmetry; apply N.leb_gt; assumption). reflexivity.
  - unfold check_answer_encodings. apply (loop_invariant _ (fun _ checked => checked = Ok tt)); [lia|reflexivity|].
    intros i checked Hi ->. unfold check_answer_encodings_step. destruct (AT i ltac:(lia)) as (p & x & _ & _ & _ & ->).
    reflexivity.
  - unfold check_answer_openings. apply (loop_invariant _ (fun _ checked => checked = Ok tt)); [lia|reflexivity|].
    intros i checked Hi ->. unfold check_answer_openings_step, answer_opening_holds. cbv zeta.
    pose proof (BC _ (seq_at_in _ _ items i ltac:(lia))) as K. rewrite BN, K.
    destruct (AT i ltac:(lia)) as (p & x & L & -> & -> & ->).
    destruct (position_split p n positive) as [S I].
    replace (scalar_of_slot x) with (scalar_at (vector_scalars (array_slots a) n (vector_of p n)) (index_of p n)).
    + unfold vector_commitment. rewrite Scheme.open_correct; [reflexivity|assumption|]. rewrite sized. exact I.
    + rewrite scalar_at_vector_scalars by assumption. unfold content_scalar. rewrite <- S, L. reflexivity.
  - unfold answer_of_claims.
    assert (SL : claimed_slots items = map claim_slot items).
    { unfold claimed_slots. rewrite (loop_over_elements _ _ _ claimed_slots_step).
      exact (Sequences.fold_append claim_slot items []). }
    rewrite SL, M, A. f_equal. apply (answer_of_slots_ideal a a_well_formed question _ ans Q) in A; [exact A|].
    intros x I. rewrite <- M in I. apply in_map_iff in I. destruct I as (c & <- & I).
    destruct (C c I) as (p & y & L & _ & -> & _). exists p. exact L.
Qed.

(** An honest claim's vector is one of the array's. *)
Lemma honest_claim_vector : forall question c,
  question_legal question = true ->
  In c (claims_at setup (array_slots a) (answer_positions question (array_slots a))) ->
  vector_of (claim_position c) n < vector_count (array_size a) n.
Proof.
  intros question c Q I. destruct (honest_answer_of_slots a a_well_formed question Q) as (LP & _).
  destruct (claims_at_positions _ LP) as (_ & C). destruct (C c I) as (p & x & L & -> & _).
  apply (below_vector_count _ _ _ positive). destruct (position_split p n positive) as [S _].
  pose proof (live_below_size p x L). lia.
Qed.

Theorem honest_answer_accepted : forall known question,
  commitments_known setup n a known -> question_legal question = true ->
  verify_answer setup (Trusted_TrustedCommitments known) question
    (honest_answer setup a (known_dictionary known) (known_version known) question) =
  Ok (ideal_answer question (map_of_array a)).
Proof.
  intros known question (KN & KS & KC) Q. unfold verify_answer, honest_answer, check_answer_form. cbn [proof_claims]. rewrite Q.
  set (basis := {| basis_vector_size := known_vector_size known; basis_size := known_size known;
                   basis_vectors := known_vectors (known_commitments known) |}).
  destruct (honest_claims_answer basis question Q KN KS) as (-> & E3 & E4 & E5 & E6).
  { intros c I. apply known_commitment; [exact (honest_claim_vector question c Q I)|].
    cbn [basis basis_vectors]. rewrite KC. reflexivity. }
  unfold check_answer_about. cbn [proof_dictionary proof_vector_size proof_version proof_question trusted_dictionary
    trusted_vector_size version_fits].
  rewrite bytes_equal_refl, sized, KN, N.eqb_refl, N.eqb_refl, same_questions_refl. cbn [negb].
  cbn [answer_basis proof_tie]. fold basis. rewrite E3, E4, E5. exact E6.
Qed.

End AcceptedAnswers.

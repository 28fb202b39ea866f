(** Answers with folded openings.

    - [folded_answer_correct_or_breaks]: under the commitments of a version, and against an algebraic prover (FoldedSound.v: it
      knows polynomials of which W and W' are the values at tau), an accepted answer is the map's, or a function returns two slots of
      one scalar, or the fold hands over a polynomial that is not 0 and vanishes at tau, or the challenges that were drawn are
      among those that [counted_challenges_few] counts;
    - [honest_folded_answer_accepted]: an honest archive's claims, folded, are accepted, unless the drawn z is a power of the root of
      unity that a claim is about. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Kzg Commitment.Scheme
  Commitment.FoldedOpening Dictionary.Vectors Block.Transaction Block.Prover Answer.Question Answer.Scan
  Answer.IdealAnswer Block.Map Answer.AnswerReason Answer.AnswerProof Answer.AnswerBasis Answer.Verify
  Answer.FoldedAnswer Answer.AnswerProver.
From Aardvark Require Import Lemmas.Field
  Spec.Base.Group.
From Aardvark Require Spec.Commitment.Scheme Spec.Commitment.Kzg Lemmas.KzgPolynomial Lemmas.Polynomials.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas Spec.Block.Tail Lemmas.VectorLemmas Spec.Dictionary.Vectors
  Lemmas.PhaseLemmas Lemmas.Break Spec.Answer.Scan Spec.Answer.IdealAnswer Spec.Answer.AnswerProver
  Spec.Answer.Verify Lemmas.AcceptedAnswers.
From Aardvark Require Lemmas.Sequences Spec.Commitment.FoldedOpening Lemmas.FoldedSound.
Import ListNotations.
Local Open Scope N_scope.

Section FoldedAnswers.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.
Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

Variables (n : N) (tau : Scalar).
Hypothesis legal : Kzg.kzg_legal n tau.

Let kzg : KzgSetup := kzg_setup n tau.
Let setup : Setup := Setup_Kzg kzg.

Variable a : Array.
Hypothesis a_well_formed : well_formed a.

Lemma positive : 1 <= n.
Proof. destruct legal as [P _]. lia. Qed.

Lemma made : Scheme.well_made setup.
Proof. exists n, tau. split; [reflexivity|exact legal]. Qed.

Lemma sized : setup_vector_size setup = n.
Proof. reflexivity. Qed.

(** ** The claims of a proof *)

(** The vector of a claim's position, as the array has it. *)
Definition vector_at (c : Claim) : list Scalar := vector_scalars (array_slots a) n (vector_of (claim_position c) n).

(** A claim as the fold has it, under the array's commitments. *)
Definition fold_claim (c : Claim) : FoldedClaim :=
  {| folded_commitment := vector_commitment setup n (array_slots a) (vector_of (claim_position c) n);
     folded_point := scalar_pow (root_of_unity n) (index_of (claim_position c) n);
     folded_value := scalar_of_slot (claim_slot c) |}.

(** The polynomials under the commitments of claims. *)
Definition claimed_polynomial (items : list Claim) (i : N) : list Scalar :=
  KzgPolynomial.kzg_polynomial n (vector_at (seq_at items i)).

Lemma claimed_polynomial_length : forall items i, length (claimed_polynomial items i) = N.to_nat n.
Proof. intros. apply Polynomials.interpolation_length. Qed.

Lemma folded_claims_map : forall basis items,
  basis_vector_size basis = n ->
  (forall c, In c items -> basis_commitment basis (vector_of (claim_position c) n) =
    Some (vector_commitment setup n (array_slots a) (vector_of (claim_position c) n))) ->
  folded_claims kzg basis items = map fold_claim items.
Proof.
  intros basis items BN BC. unfold folded_claims.
  rewrite (loop_over_elements _ _ _ (fun folded c => folded_claims_step folded kzg basis c)).
  assert (G : forall l start, (forall c, In c l -> In c items) ->
    fold_left (fun folded c => folded_claims_step folded kzg basis c) l start = start ++ map fold_claim l).
  { induction l as [|c l IH]; intros start S; cbn [fold_left map]; [rewrite app_nil_r; reflexivity|].
    rewrite IH by (intros d I; apply S; right; exact I). unfold folded_claims_step, claimed_commitment.
    rewrite BN, (BC c (S c (or_introl eq_refl))).
    destruct (position_split (claim_position c) n positive) as [_ L].
    pose proof (Kzg.domain_at (n := n) (tau := tau) _ L) as D. fold kzg in D. rewrite D, <- app_assoc. reflexivity. }
  apply (G items []). auto.
Qed.

Lemma seq_at_fold_claim : forall items i, i < seq_length items ->
  seq_at (map fold_claim items) i = fold_claim (seq_at items i).
Proof. intros items i L. apply seq_at_map. exact L. Qed.

Lemma claims_committed : forall items,
  FoldedSound.commits_to_polynomials (map fold_claim items) (claimed_polynomial items) kzg.
Proof.
  intros items i L. rewrite seq_length_map in L. rewrite seq_at_fold_claim by exact L. destruct legal as (P & D & O).
  destruct (KzgPolynomial.kzg_commit_is_evaluation n tau P D O (vector_at (seq_at items i))) as (_ & _ & E). exact E.
Qed.

(** A claim's error is the difference of the two scalars. *)
Lemma claim_error_is : forall items i, i < seq_length items ->
  FoldedSound.claim_error (map fold_claim items) (claimed_polynomial items) i =
  content_scalar (array_slots a) (claim_position (seq_at items i)) [-] scalar_of_slot (claim_slot (seq_at items i)).
Proof.
  intros items i L. unfold FoldedSound.claim_error. rewrite seq_at_fold_claim by exact L.
  cbn [fold_claim folded_point folded_value]. f_equal. set (c := seq_at items i).
  destruct (position_split (claim_position c) n positive) as [S B]. destruct legal as (P & D & O).
  destruct (KzgPolynomial.kzg_commit_is_evaluation n tau P D O (vector_at c)) as (_ & E & _).
  unfold claimed_polynomial. fold c. rewrite E by exact B. unfold vector_at.
  rewrite scalar_at_vector_scalars by exact B. rewrite <- S. reflexivity.
Qed.

(** ** Breaks *)

(** Another slot than the array's, with its scalar. *)
Definition slot_break (c : Claim) : option Break :=
  let honest := slot_at (array_slots a) (claim_position c) in
  if slot_contents_equal honest (Some (claim_slot c)) then None
  else if scalar_of_content honest [=?] scalar_of_slot (claim_slot c) then
    match honest with
    | Some x => Some (SameScalar x (claim_slot c))
    | None => Some (ZeroScalar (claim_slot c))
    end
  else None.

Lemma slot_break_is_break : forall c b, slot_break c = Some b -> is_break setup b.
Proof.
  intros c b. unfold slot_break. destruct (slot_contents_equal _ _) eqn:E; [discriminate|].
  destruct (_ [=?] _) eqn:S; [|discriminate]. apply scalar_eqb_iff in S.
  destruct (slot_at (array_slots a) (claim_position c)) as [x|] eqn:A; intros H; injection H as <-; cbn [is_break].
  - split; [|exact S]. intros ->. apply not_true_iff_false in E. apply E, slot_contents_equal_iff. reflexivity.
  - symmetry. exact S.
Qed.

(** The first claim whose scalar is not the array's. *)
Definition first_false (items : list Claim) : option N :=
  find (fun i => negb (FoldedSound.claim_error (map fold_claim items) (claimed_polynomial items) i [=?] scalar_of_N 0))
    (range 0 (seq_length items)).

Lemma true_claims_live : forall items c,
  first_break slot_break items = None -> first_false items = None -> In c items ->
  live (array_slots a) (claim_position c) (claim_slot c).
Proof.
  intros items c B N I. destruct (in_seq_at _ _ _ _ I) as (i & L & E).
  pose proof (find_none _ _ N i ltac:(apply in_range; lia)) as Z. cbv beta in Z. apply negb_false_iff, scalar_eqb_iff in Z.
  rewrite claim_error_is, E in Z by exact L. apply (proj1 (scalar_sub_zero _ _)) in Z.
  pose proof (first_break_none _ _ _ B c I) as S. unfold slot_break in S. cbv zeta in S.
  destruct (slot_contents_equal _ _) eqn:Q; [apply slot_contents_equal_iff in Q; exact Q|exfalso].
  change (content_scalar (array_slots a) (claim_position c)) with
    (scalar_of_content (slot_at (array_slots a) (claim_position c))) in Z.
  rewrite Z, (proj2 (scalar_eqb_iff _ _) eq_refl) in S. destruct (slot_at _ _); discriminate.
Qed.

(** ** Accepted answers *)

Lemma verify_folded_answer_checked : forall trusted question proof bound_claims ans,
  verify_folded_answer setup trusted question proof bound_claims = Ok ans ->
  question_legal question = true /\
  exists basis opening, answer_basis trusted (unopened_proof proof) = Ok basis /\
    (forall c, In c (proof_claims (unopened_proof proof)) -> claim_position c < basis_size basis /\
      basis_commitment basis (vector_of (claim_position c) (basis_vector_size basis)) <> None) /\
    decoded_fold proof = Ok opening /\
    verify_folded kzg (fold_answer_context (unopened_proof proof)) bound_claims
      (folded_claims kzg basis (proof_claims (unopened_proof proof))) (received_quotient proof) opening = true /\
    answer_of_slots question (map claim_slot (proof_claims (unopened_proof proof))) = Ok ans.
Proof.
  intros trusted question proof bound_claims ans E. unfold verify_folded_answer in E. set (items := proof_claims _) in *.
  destruct (check_answer_form question (unopened_proof proof)) as [[]|] eqn:E1; [|discriminate].
  destruct (check_answer_about trusted question (unopened_proof proof)) as [[]|]; [|discriminate].
  destruct (answer_basis trusted (unopened_proof proof)) as [basis|]; [|discriminate].
  destruct (check_answer_positions basis items) as [[]|] eqn:E3; [|discriminate].
  destruct (decoded_fold proof) as [opening|]; [|discriminate].
  destruct (check_fold setup basis proof bound_claims opening) as [[]|] eqn:E5; [|discriminate].
  split. { unfold check_answer_form in E1. destruct (question_legal question); [reflexivity|discriminate]. }
  exists basis, opening. split; [reflexivity|]. split; [|split; [reflexivity|split]].
  - intros c I. destruct (in_seq_at _ _ _ _ I) as (i & Hi & <-).
    pose proof (passed_each _ (fun i => if basis_size basis <=? claim_position (seq_at items i)
        then Err (refuse_answer_item AnswerReason_AnswerPositionOutOfRange i)
        else match basis_commitment basis (vector_of (claim_position (seq_at items i)) (basis_vector_size basis)) with
             | None => Err (refuse_answer_item AnswerReason_TiedVectorsMismatched i)
             | Some _ => Ok tt
             end) _ _ E3) as H.
    specialize (H ltac:(intros [[]|] j; reflexivity) i Hi). cbv beta in H.
    destruct (N.leb_spec (basis_size basis) (claim_position (seq_at items i))); [discriminate|]. split; [assumption|].
    intros Z. rewrite Z in H. discriminate.
  - unfold check_fold, setup in E5. destruct (verify_folded _ _ _ _ _ _) eqn:V; [|discriminate]. reflexivity.
  - unfold answer_of_claims in E. destruct (answer_of_slots question (claimed_slots items)) as [x|] eqn:A; [|discriminate].
    injection E as <-. rewrite <- A. f_equal. unfold claimed_slots.
    rewrite (loop_over_elements _ _ _ claimed_slots_step). symmetry. exact (Sequences.fold_append claim_slot items []).
Qed.

(** A fold that is accepted on a basis that is true of the array decides its claims. *)
Lemma accepted_fold_true : forall trusted question proof bound_claims w w' ans,
  let items := proof_claims (unopened_proof proof) in
  let folded := map fold_claim items in
  let seed := fold_claims_seed (fold_answer_context (unopened_proof proof)) bound_claims in
  let gammas := fold_gammas seed (seq_length folded) in
  let z := fold_point seed (received_quotient proof) in
  (forall basis, answer_basis trusted (unopened_proof proof) = Ok basis -> basis_true setup n a basis) ->
  decoded_quotient proof = Opening_Point (g1_multiple (Polynomials.polynomial_at w tau)) ->
  decoded_witness proof = Opening_Point (g1_multiple (Polynomials.polynomial_at w' tau)) ->
  verify_folded_answer setup trusted question proof bound_claims = Ok ans ->
  match first_break slot_break items with
  | Some b => is_break setup b
  | None =>
      match first_false items with
      | None => ans = ideal_answer question (map_of_array a)
      | Some k =>
          k < seq_length folded /\ FoldedSound.claim_error folded (claimed_polynomial items) k <> scalar_of_N 0 /\
          (FoldedSound.finds_tau kzg (FoldedSound.fold_break folded (claimed_polynomial items) gammas z w w') = true \/
           FoldedSound.challenges_counted folded (claimed_polynomial items) k gammas w z = true)
      end
  end.
Proof.
  intros trusted question proof bound_claims w w' ans items folded seed gammas z TRUE DW DW' E.
  destruct (verify_folded_answer_checked _ _ _ _ _ E) as (Q & basis & opening & B & P & D & V & A). fold items in P, V, A.
  destruct (TRUE basis B) as (BN & BS & BC).
  assert (M : folded_claims kzg basis items = folded).
  { apply folded_claims_map; [exact BN|]. intros c I. destruct (P c I) as [L K]. rewrite BN in K. rewrite BS in L.
    destruct (basis_commitment basis (vector_of (claim_position c) n)) as [x|] eqn:X; [|destruct (K eq_refl)]. f_equal.
    apply (BC (vector_of (claim_position c) n) x); [|exact X].
    apply (below_vector_count _ _ _ positive). destruct (position_split (claim_position c) n positive) as [S _]. lia. }
  rewrite M in V. unfold decoded_fold in D. rewrite DW, DW' in D. injection D as <-.
  destruct (first_break slot_break items) as [b|] eqn:SB.
  { destruct (first_break_some _ _ _ _ SB) as (c & _ & S). exact (slot_break_is_break c b S). }
  destruct (first_false items) as [k|] eqn:FF.
  - destruct (find_some _ _ FF) as [K N]. apply in_range in K. split; [unfold folded; rewrite seq_length_map; lia|]. split.
    { intros Z. cbv beta in N. unfold folded in Z. rewrite Z, (proj2 (scalar_eqb_iff _ _) eq_refl) in N. discriminate. }
    exact (FoldedSound.accepted_fold_decided folded (claimed_polynomial items) kzg gammas z w w' k (claims_committed items) V).
  - apply (answer_of_slots_ideal a a_well_formed question (map claim_slot items) ans Q); [|exact A].
    intros x I. apply in_map_iff in I. destruct I as (c & <- & I). exists (claim_position c).
    exact (true_claims_live items c SB FF I).
Qed.

Theorem folded_answer_correct_or_breaks : forall known question proof bound_claims w w' ans,
  let items := proof_claims (unopened_proof proof) in
  let folded := map fold_claim items in
  let seed := fold_claims_seed (fold_answer_context (unopened_proof proof)) bound_claims in
  let gammas := fold_gammas seed (seq_length folded) in
  let z := fold_point seed (received_quotient proof) in
  commitments_known setup n a known ->
  decoded_quotient proof = Opening_Point (g1_multiple (Polynomials.polynomial_at w tau)) ->
  decoded_witness proof = Opening_Point (g1_multiple (Polynomials.polynomial_at w' tau)) ->
  verify_folded_answer setup (Trusted_TrustedCommitments known) question proof bound_claims = Ok ans ->
  match first_break slot_break items with
  | Some b => is_break setup b
  | None =>
      match first_false items with
      | None => ans = ideal_answer question (map_of_array a)
      | Some k =>
          k < seq_length folded /\ FoldedSound.claim_error folded (claimed_polynomial items) k <> scalar_of_N 0 /\
          (FoldedSound.finds_tau kzg (FoldedSound.fold_break folded (claimed_polynomial items) gammas z w w') = true \/
           FoldedSound.challenges_counted folded (claimed_polynomial items) k gammas w z = true)
      end
  end.
Proof.
  intros known question proof bound_claims w w' ans items folded seed gammas z K DW DW' E.
  apply (accepted_fold_true (Trusted_TrustedCommitments known) question proof bound_claims w w' ans); [|assumption..].
  intros basis B. exact (known_basis_true setup n a known (unopened_proof proof) basis K B).
Qed.

(** ** Honest answers *)

Hypothesis slots_answerable : forall p x, live (array_slots a) p x -> slot_answerable x = true.

(** The point of a claim's opening. *)
Definition opened_point (c : Claim) : G1 :=
  match claim_opening c with
  | Opening_Point point => point
  | Opening_Malformed => g1_identity
  end.

(** The claims of an honest archive are opened one by one. *)
Lemma honest_claims_opened : forall question, question_legal question = true ->
  let items := claims_at setup (array_slots a) (answer_positions question (array_slots a)) in
  FoldedOpening.open_claims kzg (map fold_claim items) (map opened_point items).
Proof.
  intros question Q items. set (folded := map fold_claim items). set (openings := map opened_point items).
  split; [unfold folded, openings; rewrite !seq_length_map; reflexivity|]. intros i L. unfold folded in L |- *.
  rewrite seq_length_map in L. rewrite seq_at_fold_claim by exact L. unfold openings. rewrite g1_at_seq_at.
  rewrite (seq_at_map _ _ _ _ opened_point) by exact L.
  destruct (honest_answer_of_slots a a_well_formed question Q) as (LP & _).
  destruct (claims_at_positions setup n sized a _ LP) as (_ & C).
  destruct (C (seq_at items i) (seq_at_in _ _ items i L)) as (p & x & Lx & Ep & Ex & Eo).
  unfold opened_point. rewrite Eo. destruct (position_split p n positive) as [S B].
  pose proof (FoldedOpening.kzg_open_folded n tau legal (vector_scalars (array_slots a) n (vector_of p n)) (index_of p n) B) as K.
  unfold FoldedOpening.element_claim in K.
  replace (scalar_at (vector_scalars (array_slots a) n (vector_of p n)) (index_of p n)) with (scalar_of_slot x) in K.
  - unfold fold_claim. rewrite Ep, Ex. exact K.
  - rewrite scalar_at_vector_scalars by exact B. unfold content_scalar. rewrite <- S, Lx. reflexivity.
Qed.

(** So their fold holds, under any context and on any basis that knows their vectors. *)
Lemma honest_fold_holds : forall basis question context bound_claims quotient_bytes,
  let items := claims_at setup (array_slots a) (answer_positions question (array_slots a)) in
  let folded := map fold_claim items in
  let openings := map opened_point items in
  let seed := fold_claims_seed context bound_claims in
  let gammas := fold_gammas seed (seq_length folded) in
  let z := fold_point seed quotient_bytes in
  question_legal question = true -> point_is_claimed folded z = false -> basis_vector_size basis = n ->
  (forall c, In c items -> basis_commitment basis (vector_of (claim_position c) n) =
    Some (vector_commitment setup n (array_slots a) (vector_of (claim_position c) n))) ->
  verify_folded kzg context bound_claims (folded_claims kzg basis items) quotient_bytes
    {| folded_quotient := fold_quotient openings gammas; folded_witness := fold_witness folded openings gammas z |} = true.
Proof.
  intros basis question context bound_claims quotient_bytes items folded openings seed gammas z Q fresh BN BC.
  rewrite (folded_claims_map basis items BN BC).
  exact (FoldedOpening.folded_opening_complete kzg context bound_claims folded openings quotient_bytes
    (honest_claims_opened question Q) fresh).
Qed.

Theorem honest_folded_answer_accepted : forall known question bound_claims quotient_bytes,
  let proof := honest_answer setup a (known_dictionary known) (known_version known) question in
  let folded := map fold_claim (proof_claims proof) in
  let openings := map opened_point (proof_claims proof) in
  let seed := fold_claims_seed (fold_answer_context proof) bound_claims in
  let gammas := fold_gammas seed (seq_length folded) in
  let z := fold_point seed quotient_bytes in
  commitments_known setup n a known -> question_legal question = true -> point_is_claimed folded z = false ->
  verify_folded_answer setup (Trusted_TrustedCommitments known) question
    {| unopened_proof := proof; received_quotient := quotient_bytes;
       decoded_quotient := Opening_Point (fold_quotient openings gammas);
       decoded_witness := Opening_Point (fold_witness folded openings gammas z) |} bound_claims =
  Ok (ideal_answer question (map_of_array a)).
Proof.
  intros known question bound_claims quotient_bytes proof folded openings seed gammas z (KN & KS & KC) Q fresh.
  set (items := claims_at setup (array_slots a) (answer_positions question (array_slots a))).
  change (proof_claims proof) with items in folded, openings.
  set (basis := {| basis_vector_size := known_vector_size known; basis_size := known_size known;
                   basis_vectors := known_vectors (known_commitments known) |}).
  assert (BC : forall c, In c items -> basis_commitment basis (vector_of (claim_position c) n) =
    Some (vector_commitment setup n (array_slots a) (vector_of (claim_position c) n))).
  { intros c I. apply (known_commitment setup n sized positive a).
    - exact (honest_claim_vector setup n sized positive a a_well_formed question c Q I).
    - cbn [basis basis_vectors]. rewrite KC. reflexivity. }
  destruct (honest_claims_answer setup n made sized positive a a_well_formed slots_answerable basis question Q KN KS BC)
    as (E1 & E3 & _ & _ & E6).
  fold items in E1, E3, E6.
  unfold verify_folded_answer, check_answer_form. cbn [unopened_proof]. rewrite Q.
  change (proof_claims proof) with items. rewrite E1.
  unfold check_answer_about. unfold proof at 1 2 3 4, honest_answer.
  cbn [proof_dictionary proof_vector_size proof_version proof_question trusted_dictionary trusted_vector_size version_fits].
  rewrite bytes_equal_refl, sized, KN, N.eqb_refl, N.eqb_refl, same_questions_refl. cbn [negb].
  change (answer_basis (Trusted_TrustedCommitments known) proof) with (Ok basis : Result AnswerBasis AnswerRefusal).
  cbv beta iota. rewrite E3.
  unfold decoded_fold. cbn [decoded_quotient decoded_witness]. unfold check_fold, setup. cbn [unopened_proof received_quotient].
  pose proof (honest_fold_holds basis question (fold_answer_context proof) bound_claims quotient_bytes Q fresh KN BC) as V.
  cbv zeta in V. fold items folded openings seed gammas z in V.
  change (proof_claims proof) with items.
  rewrite V.
  exact E6.
Qed.

End FoldedAnswers.

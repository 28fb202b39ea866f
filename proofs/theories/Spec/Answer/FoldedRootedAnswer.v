(** Answers with folded openings under a root, and under a root alone: what Spec/Answer/FoldedAnswer.v says of the openings, and
    Spec/Answer/Verify.v and Spec/Answer/RootedAnswer.v of the root.

    - [folded_rooted_answer_correct_or_breaks]: an accepted answer is the map's, or a function returns a collision of SHA-256 or two
      slots of one scalar, or the fold hands over a polynomial that vanishes at tau, or its challenges are counted;
    - [folded_rooted_identity_binds], [folded_root_alone_correct_or_breaks]: the same under a root of which nothing else is known;
    - [honest_folded_root_alone_accepted]: an honest archive's claims, folded, are accepted under it. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Kzg Commitment.Scheme Dictionary.Genesis
  Commitment.FoldedOpening Dictionary.Vectors Block.Transaction Block.Prover Commitment.CommitmentTree Block.Root
  Answer.Question Answer.Scan Answer.IdealAnswer Block.Map Answer.AnswerReason Answer.AnswerProof Answer.AnswerBasis
  Answer.Verify Answer.FoldedAnswer Answer.AnswerProver Answer.RootedAnswer Answer.FoldedRootedAnswer.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme Spec.Commitment.Kzg Lemmas.Polynomials Lemmas.FoldedSound.
From Aardvark Require Import Lemmas.WellFormed Lemmas.VectorLemmas Lemmas.Break Spec.Block.Root Spec.Answer.Verify
  Lemmas.AcceptedAnswers Spec.Answer.FoldedAnswer Spec.Answer.RootedAnswer.
Import ListNotations.
Local Open Scope N_scope.

Section FoldedRootedAnswers.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.
Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

Variables (n : N) (tau : Scalar).
Hypothesis kzg_legal : Kzg.kzg_legal n tau.

Let kzg : KzgSetup := kzg_setup n tau.
Let setup : Setup := Setup_Kzg kzg.

Variable a : Array.
Hypothesis a_well_formed : well_formed a.

(** Digests have 32 bytes. *)
Hypothesis digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.

(** How commitments are encoded, which is a matter of the curve. *)
Variable encode : G1 -> ByteString.
Hypothesis encode_injective : forall x y, encode x = encode y -> x = y.

(** The state of which the root is, with the array's commitments encoded. *)
Variable state : HashedState.
Hypothesis state_fits : fits_state n state.
Hypothesis state_size : hashed_size state = array_size a.
Hypothesis state_commitments : hashed_commitments state = map encode (array_commitments setup n a).

(** ** Under a root *)

Theorem folded_rooted_answer_correct_or_breaks : forall known question proof bound_claims tie w w' ans,
  let items := proof_claims (unopened_proof proof) in
  let folded := map (fold_claim n tau a) items in
  let seed := fold_claims_seed (fold_answer_context (unopened_proof proof)) bound_claims in
  let gammas := fold_gammas seed (seq_length folded) in
  let z := fold_point seed (received_quotient proof) in
  root_vector_size known = n -> root_digest known = state_root state ->
  proof_tie (unopened_proof proof) = Some tie -> tie_decoded encode tie -> tie_fits tie ->
  decoded_quotient proof = Opening_Point (g1_multiple (Polynomials.polynomial_at w tau)) ->
  decoded_witness proof = Opening_Point (g1_multiple (Polynomials.polynomial_at w' tau)) ->
  verify_folded_answer setup (Trusted_TrustedRoot known) question proof bound_claims = Ok ans ->
  match find_tie_collision state tie with
  | Some both => collision both
  | None =>
      match first_break (slot_break a) items with
      | Some b => is_break setup b
      | None =>
          match first_false n tau a items with
          | None => ans = ideal_answer question (map_of_array a)
          | Some k =>
              k < seq_length folded /\ FoldedSound.claim_error folded (claimed_polynomial n a items) k <> scalar_of_N 0 /\
              (FoldedSound.finds_tau kzg (FoldedSound.fold_break folded (claimed_polynomial n a items) gammas z w w') = true \/
               FoldedSound.challenges_counted folded (claimed_polynomial n a items) k gammas w z = true)
          end
      end
  end.
Proof.
  intros known question proof bound_claims tie w w' ans items folded seed gammas z KN KR T D TF DW DW' E.
  pose proof (fun basis => root_basis_true setup n (positive n tau kzg_legal) a digest_length encode encode_injective state state_fits
    state_size state_commitments known (unopened_proof proof) tie basis KN KR T D TF) as TRUE.
  destruct (verify_folded_answer_checked n tau _ _ _ _ _ E) as (_ & basis & _ & B & _). pose proof (TRUE basis B) as FOUND.
  destruct (find_tie_collision state tie) as [both|]; [exact FOUND|].
  exact (accepted_fold_true n tau kzg_legal a a_well_formed (Trusted_TrustedRoot known) question proof bound_claims w w' ans
    TRUE DW DW' E).
Qed.

(** ** Under a root alone *)

(** What the dictionary began with. *)
Variable genesis : Genesis.
Hypothesis legal : genesis_legal genesis = true.
Hypothesis state_dictionary : hashed_dictionary state = id_of_dictionary genesis.

(** The proof without its fold: identity, claims and what ties them to the root. *)
Definition without_fold (proof : FoldedRootedProof) : RootedProof :=
  {| rooted_identity := folded_identity proof; rooted_proof := unopened_proof (folded_proof proof) |}.

Theorem folded_rooted_identity_binds : forall question proof bound_claims ans,
  (forall tie, proof_tie (unopened_proof (folded_proof proof)) = Some tie -> tie_fits tie) ->
  verify_folded_rooted_answer setup (state_root state) question proof bound_claims = Ok ans ->
  match find_identity_collision state genesis (without_fold proof) with
  | Some both => collision both
  | None => folded_identity proof = identity_of_genesis genesis
  end.
Proof.
  intros question proof bound_claims ans TF E. unfold verify_folded_rooted_answer in E.
  destruct (identity_well_formed (folded_identity proof)) eqn:W; [|discriminate]. cbv zeta in E.
  destruct (verify_folded_answer_checked n tau _ _ _ _ _ E) as (_ & basis & _ & B & _).
  exact (basis_identity_binds setup n eq_refl (positive n tau kzg_legal) a digest_length encode state state_fits state_size
    state_commitments genesis legal state_dictionary (without_fold proof) basis TF W B).
Qed.

Hypothesis genesis_size : vector_size (genesis_parameters genesis) = n.

Theorem folded_root_alone_correct_or_breaks : forall question proof bound_claims tie w w' ans,
  let items := proof_claims (unopened_proof (folded_proof proof)) in
  let folded := map (fold_claim n tau a) items in
  let seed := fold_claims_seed (fold_answer_context (unopened_proof (folded_proof proof))) bound_claims in
  let gammas := fold_gammas seed (seq_length folded) in
  let z := fold_point seed (received_quotient (folded_proof proof)) in
  proof_tie (unopened_proof (folded_proof proof)) = Some tie -> tie_decoded encode tie -> tie_fits tie ->
  decoded_quotient (folded_proof proof) = Opening_Point (g1_multiple (Polynomials.polynomial_at w tau)) ->
  decoded_witness (folded_proof proof) = Opening_Point (g1_multiple (Polynomials.polynomial_at w' tau)) ->
  verify_folded_rooted_answer setup (state_root state) question proof bound_claims = Ok ans ->
  match find_identity_collision state genesis (without_fold proof) with
  | Some both => collision both
  | None =>
      match find_tie_collision state tie with
      | Some both => collision both
      | None =>
          match first_break (slot_break a) items with
          | Some b => is_break setup b
          | None =>
              match first_false n tau a items with
              | None => folded_identity proof = identity_of_genesis genesis /\ ans = ideal_answer question (map_of_array a)
              | Some k =>
                  k < seq_length folded /\ FoldedSound.claim_error folded (claimed_polynomial n a items) k <> scalar_of_N 0 /\
                  (FoldedSound.finds_tau kzg (FoldedSound.fold_break folded (claimed_polynomial n a items) gammas z w w') = true \/
                   FoldedSound.challenges_counted folded (claimed_polynomial n a items) k gammas w z = true)
              end
          end
      end
  end.
Proof.
  intros question proof bound_claims tie w w' ans items folded seed gammas z T D TF DW DW' E.
  pose proof (folded_rooted_identity_binds question proof bound_claims ans ltac:(intros t Ht; congruence) E) as I.
  destruct (find_identity_collision state genesis (without_fold proof)); [exact I|]. unfold verify_folded_rooted_answer in E.
  destruct (identity_well_formed (folded_identity proof)); [|discriminate]. cbv zeta in E.
  pose proof (folded_rooted_answer_correct_or_breaks (known_root_of (state_root state) (folded_identity proof)) question
    (folded_proof proof) bound_claims tie w w' ans ltac:(rewrite I; exact genesis_size) eq_refl T D TF DW DW' E) as H. cbv zeta in H.
  fold items in H. fold folded in H. fold seed in H. fold gammas in H. fold z in H.
  destruct (find_tie_collision state tie); [exact H|]. destruct (first_break (slot_break a) items); [exact H|].
  destruct (first_false n tau a items); [exact H|]. split; assumption.
Qed.

(** The lengths of all slots are those of some dictionary. *)
Hypothesis slots_answerable : forall p x, live (array_slots a) p x -> slot_answerable x = true.

Theorem honest_folded_root_alone_accepted : forall question bound_claims quotient_bytes,
  let proof := honest_rooted_answer setup a state question in
  let folded := map (fold_claim n tau a) (proof_claims proof) in
  let openings := map opened_point (proof_claims proof) in
  let seed := fold_claims_seed (fold_answer_context proof) bound_claims in
  let gammas := fold_gammas seed (seq_length folded) in
  let z := fold_point seed quotient_bytes in
  question_legal question = true -> point_is_claimed folded z = false ->
  verify_folded_rooted_answer setup (state_root state) question
    {| folded_identity := identity_of_genesis genesis;
       folded_proof :=
         {| unopened_proof := proof; received_quotient := quotient_bytes;
            decoded_quotient := Opening_Point (fold_quotient openings gammas);
            decoded_witness := Opening_Point (fold_witness folded openings gammas z) |} |} bound_claims =
  Ok (ideal_answer question (map_of_array a)).
Proof.
  intros question bound_claims quotient_bytes proof folded openings seed gammas z Q fresh.
  set (known := known_root_of (state_root state) (identity_of_genesis genesis)).
  unfold verify_folded_rooted_answer. cbn [folded_identity folded_proof].
  rewrite (genesis_identity_well_formed digest_length genesis legal). cbv zeta. fold known.
  destruct (honest_rooted_basis setup n eq_refl (positive n tau kzg_legal) a a_well_formed digest_length encode state state_fits
    state_size state_commitments known question (eq_sym state_dictionary) genesis_size eq_refl Q)
    as (_ & A & basis & B & BN & BS & BC).
  destruct (honest_claims_answer setup n (made n tau kzg_legal) eq_refl (positive n tau kzg_legal) a a_well_formed slots_answerable
    basis question Q BN BS BC) as (E1 & E3 & _ & _ & E6).
  set (items := claims_at setup (array_slots a) (answer_positions question (array_slots a))) in *.
  change (proof_claims proof) with items in folded, openings. fold proof in A, B.
  pose proof (honest_fold_holds n tau kzg_legal a a_well_formed basis question (fold_answer_context proof) bound_claims quotient_bytes
    Q fresh BN BC) as V. cbv zeta in V.
  unfold verify_folded_answer, check_answer_form. cbn [unopened_proof]. rewrite Q. change (proof_claims proof) with items.
  rewrite E1, A, B, E3. unfold decoded_fold. cbn [decoded_quotient decoded_witness].
  unfold check_fold, setup. cbn [unopened_proof received_quotient]. change (proof_claims proof) with items.
  match type of V with ?l = true =>
    match goal with |- context [verify_folded ?s ?c ?b ?f ?q ?o] => change (verify_folded s c b f q o) with l end
  end.
  rewrite V. exact E6.
Qed.

End FoldedRootedAnswers.

(** Theorems for auditors: answers under a root, and under a root alone.

    To understand a statement of this file you need this file, the generated definitions, and what is searched for breaks and
    collisions: [find_identity_collision] (Spec/Answer/RootedAnswer.v), [find_tie_collision], [find_claim_break], [tie_fits]
    and [tie_decoded] (Spec/Answer/Verify.v), [collision] (as in Roots.v), [is_break] (Lemmas/Break.v, as in Breaks.v); for folded
    openings what Folded.v names, and [without_fold] (Spec/Answer/FoldedRootedAnswer.v).

    - [honest_rooted_answer_accepted]: an honest archive's answer is accepted under the root of the array's state.
    - [rooted_identity_binds]: what an accepted proof gives out as the name and parameters under the root is what the
      dictionary began with, or a collision of SHA-256 is found.
    - [root_alone_correct_or_breaks]: so an answer that is accepted under a root alone is the map's, or a break or a collision.
    - [honest_root_alone_accepted]: and an honest one is accepted.
    - [folded_rooted_answer_correct_or_breaks]: a folded answer that is accepted under a root is the map's, or a collision, two slots
      of one scalar, a polynomial that vanishes at tau, or counted challenges.
    - [folded_rooted_identity_binds], [folded_root_alone_correct_or_breaks], [honest_folded_root_alone_accepted]: the same under a
      root alone. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Kzg Commitment.Scheme
  Commitment.FoldedOpening Dictionary.Genesis Dictionary.Vectors Block.Transaction Block.Prover Commitment.CommitmentTree Block.Root Answer.Question
  Answer.Scan Answer.IdealAnswer Block.Map Answer.AnswerReason Answer.AnswerProof Answer.AnswerBasis
  Answer.Verify Answer.FoldedAnswer Answer.AnswerProver Answer.RootedAnswer
  Answer.FoldedRootedAnswer.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme Spec.Commitment.Kzg.
From Aardvark Require Import Lemmas.WellFormed Lemmas.VectorLemmas Lemmas.Break Spec.Block.Root Spec.Answer.Verify.
From Aardvark Require Import Lemmas.Polynomials.
From Aardvark Require Lemmas.FoldedSound Spec.Answer.RootedAnswer Spec.Answer.FoldedAnswer
  Spec.Answer.FoldedRootedAnswer.
Import ListNotations.
Local Open Scope N_scope.

Section RootAlone.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.
Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

Variables (setup : Setup) (n : N).
Hypothesis made : Spec.Commitment.Scheme.well_made setup.
Hypothesis sized : setup_vector_size setup = n.
Hypothesis positive : 1 <= n.

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

(** The lengths of all slots are those of some dictionary. *)
Hypothesis slots_answerable : forall p x, live (array_slots a) p x -> slot_answerable x = true.

(** What an honest archive says to those who trust the root of the array's state is accepted. *)
Theorem honest_rooted_answer_accepted : forall known question,
  root_dictionary known = hashed_dictionary state -> root_vector_size known = n -> root_digest known = state_root state ->
  question_legal question = true ->
  verify_answer setup (Trusted_TrustedRoot known) question (honest_rooted_answer setup a state question) =
  Ok (ideal_answer question (map_of_array a)).
Proof. intros; eapply Aardvark.Spec.Answer.RootedAnswer.honest_rooted_answer_accepted; eassumption. Qed.

(** What the dictionary began with. *)
Variable genesis : Genesis.
Hypothesis legal : genesis_legal genesis = true.
Hypothesis state_dictionary : hashed_dictionary state = id_of_dictionary genesis.

(** What an accepted proof says about the dictionary under the root is so, or a collision of SHA-256 is found. *)
Theorem rooted_identity_binds : forall question proof ans,
  (forall tie, proof_tie (rooted_proof proof) = Some tie -> tie_fits tie) ->
  verify_rooted_answer setup (state_root state) question proof = Ok ans ->
  match Aardvark.Spec.Answer.RootedAnswer.find_identity_collision state genesis proof with
  | Some both => collision both
  | None => rooted_identity proof = identity_of_genesis genesis
  end.
Proof. intros; eapply Aardvark.Spec.Answer.RootedAnswer.rooted_identity_binds; eassumption. Qed.

Hypothesis genesis_size : vector_size (genesis_parameters genesis) = n.

(** An answer that is accepted under the root, of which nothing else is known, is the map's, or a function
    returns a collision or a break. *)
Theorem root_alone_correct_or_breaks : forall question proof tie ans,
  proof_tie (rooted_proof proof) = Some tie -> tie_decoded encode tie -> tie_fits tie ->
  verify_rooted_answer setup (state_root state) question proof = Ok ans ->
  match Aardvark.Spec.Answer.RootedAnswer.find_identity_collision state genesis proof with
  | Some both => collision both
  | None =>
      match find_tie_collision state tie with
      | Some both => collision both
      | None =>
          match find_claim_break setup n a (rooted_proof proof) with
          | Some b => is_break setup b
          | None => rooted_identity proof = identity_of_genesis genesis /\ ans = ideal_answer question (map_of_array a)
          end
      end
  end.
Proof. intros; eapply Aardvark.Spec.Answer.RootedAnswer.root_alone_correct_or_breaks; eassumption. Qed.

(** And an honest one is accepted. *)
Theorem honest_root_alone_accepted : forall question,
  question_legal question = true ->
  verify_rooted_answer setup (state_root state) question
    {| rooted_identity := identity_of_genesis genesis; rooted_proof := honest_rooted_answer setup a state question |} =
  Ok (ideal_answer question (map_of_array a)).
Proof. intros; eapply Aardvark.Spec.Answer.RootedAnswer.honest_root_alone_accepted; eassumption. Qed.

End RootAlone.

(** ** Where the openings are folded *)

Section FoldedRootAlone.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {hash_given : HashGiven} {root : PrimitiveRoot scalar_given}.

Import Lemmas.FoldedSound Spec.Answer.RootedAnswer Spec.Answer.FoldedAnswer Spec.Answer.FoldedRootedAnswer.

Variables (n : N) (tau : Scalar).
Hypothesis kzg_legal : Spec.Commitment.Kzg.kzg_legal n tau.
Let setup : Setup := Setup_Kzg (kzg_setup n tau).

Variable a : Array.
Hypothesis a_well_formed : well_formed a.

(** Digests, encodings and the state are as above. *)
Hypothesis digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.
Variable encode : G1 -> ByteString.
Hypothesis encode_injective : forall x y, encode x = encode y -> x = y.
Variable state : HashedState.
Hypothesis state_fits : fits_state n state.
Hypothesis state_size : hashed_size state = array_size a.
Hypothesis state_commitments : hashed_commitments state = map encode (array_commitments setup n a).

(** A folded answer that is accepted under the root is the map's, or a function returns a collision or two slots of one scalar,
    or the fold hands over a polynomial that is not 0 and vanishes at tau, or its challenges are counted. *)
Theorem folded_rooted_answer_correct_or_breaks : forall known question proof bound_claims tie w w' ans,
  let items := proof_claims (unopened_proof proof) in
  let folded := map (fold_claim n tau a) items in
  let seed := fold_claims_seed (fold_answer_context (unopened_proof proof)) bound_claims in
  let gammas := fold_gammas seed (seq_length folded) in
  let z := fold_point seed (received_quotient proof) in
  root_vector_size known = n -> root_digest known = state_root state ->
  proof_tie (unopened_proof proof) = Some tie -> tie_decoded encode tie -> tie_fits tie ->
  decoded_quotient proof = Opening_Point (g1_multiple (polynomial_at w tau)) ->
  decoded_witness proof = Opening_Point (g1_multiple (polynomial_at w' tau)) ->
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
              k < seq_length folded /\ claim_error folded (claimed_polynomial n a items) k <> scalar_of_N 0 /\
              (finds_tau (kzg_setup n tau) (fold_break folded (claimed_polynomial n a items) gammas z w w') = true \/
               challenges_counted folded (claimed_polynomial n a items) k gammas w z = true)
          end
      end
  end.
Proof. intros; eapply Aardvark.Spec.Answer.FoldedRootedAnswer.folded_rooted_answer_correct_or_breaks; eassumption. Qed.

(** What the dictionary began with. *)
Variable genesis : Genesis.
Hypothesis legal : genesis_legal genesis = true.
Hypothesis state_dictionary : hashed_dictionary state = id_of_dictionary genesis.

(** What such a proof says about the dictionary under the root is so, or a collision of SHA-256 is found. *)
Theorem folded_rooted_identity_binds : forall question proof bound_claims ans,
  (forall tie, proof_tie (unopened_proof (folded_proof proof)) = Some tie -> tie_fits tie) ->
  verify_folded_rooted_answer setup (state_root state) question proof bound_claims = Ok ans ->
  match find_identity_collision state genesis (without_fold proof) with
  | Some both => collision both
  | None => folded_identity proof = identity_of_genesis genesis
  end.
Proof. intros; eapply Aardvark.Spec.Answer.FoldedRootedAnswer.folded_rooted_identity_binds; eassumption. Qed.

Hypothesis genesis_size : vector_size (genesis_parameters genesis) = n.

(** So a folded answer that is accepted under a root of which nothing else is known is the map's, or one of these. *)
Theorem folded_root_alone_correct_or_breaks : forall question proof bound_claims tie w w' ans,
  let items := proof_claims (unopened_proof (folded_proof proof)) in
  let folded := map (fold_claim n tau a) items in
  let seed := fold_claims_seed (fold_answer_context (unopened_proof (folded_proof proof))) bound_claims in
  let gammas := fold_gammas seed (seq_length folded) in
  let z := fold_point seed (received_quotient (folded_proof proof)) in
  proof_tie (unopened_proof (folded_proof proof)) = Some tie -> tie_decoded encode tie -> tie_fits tie ->
  decoded_quotient (folded_proof proof) = Opening_Point (g1_multiple (polynomial_at w tau)) ->
  decoded_witness (folded_proof proof) = Opening_Point (g1_multiple (polynomial_at w' tau)) ->
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
                  k < seq_length folded /\ claim_error folded (claimed_polynomial n a items) k <> scalar_of_N 0 /\
                  (finds_tau (kzg_setup n tau) (fold_break folded (claimed_polynomial n a items) gammas z w w') = true \/
                   challenges_counted folded (claimed_polynomial n a items) k gammas w z = true)
              end
          end
      end
  end.
Proof. intros; eapply Aardvark.Spec.Answer.FoldedRootedAnswer.folded_root_alone_correct_or_breaks; eassumption. Qed.

(** The lengths of all slots are those of some dictionary. *)
Hypothesis slots_answerable : forall p x, live (array_slots a) p x -> slot_answerable x = true.

(** And an honest archive's claims, folded, are accepted, unless the drawn point is one that a claim is about. *)
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
Proof. intros; eapply Aardvark.Spec.Answer.FoldedRootedAnswer.honest_folded_root_alone_accepted; eassumption. Qed.

End FoldedRootAlone.

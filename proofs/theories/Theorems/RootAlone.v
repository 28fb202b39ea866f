(** Theorems for auditors: answers under a root, and under a root alone.

    To understand a statement of this file you need this file, the generated definitions, and what is searched for breaks and
    collisions: [find_identity_collision] (Spec/Answer/RootedAnswer.v), [find_tie_collision], [find_claim_break], [tie_fits]
    and [tie_decoded] (Spec/Answer/Verify.v), [collision] (as in Roots.v), [is_break] (Lemmas/Break.v, as in Breaks.v).

    - [honest_rooted_answer_accepted]: an honest archive's answer is accepted under the root of the array's state.
    - [rooted_identity_binds]: what an accepted proof gives out as the name and parameters under the root is what the
      dictionary began with, or a collision of SHA-256 is found.
    - [root_alone_correct_or_breaks]: so an answer that is accepted under a root alone is the map's, or a break or a collision.
    - [honest_root_alone_accepted]: and an honest one is accepted. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Scheme Dictionary.Genesis
  Dictionary.Vectors Block.Transaction Block.Prover Commitment.CommitmentTree Block.Root Answer.Question
  Answer.Scan Answer.IdealAnswer Block.Map Answer.AnswerReason Answer.AnswerProof Answer.AnswerBasis
  Answer.Verify Answer.AnswerProver Answer.RootedAnswer.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.VectorLemmas Lemmas.Break Spec.Block.Root Spec.Answer.Verify.
From Aardvark Require Spec.Answer.RootedAnswer.
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
Variable encode : Scalar -> ByteString.
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

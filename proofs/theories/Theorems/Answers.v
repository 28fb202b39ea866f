(** Theorems for auditors: answers to readers.

    To understand a statement of this file you need this file, the generated definitions, Ring.v for [well_formed], and
    Breaks.v for breaks; for the last theorem also Roots.v and [find_tie_collision] (Spec/Answer/Verify.v). The proofs are in
    the theories that they name.

    What is asked, and what a map answers, are generated definitions: [question_legal], [ideal_answer].

    - [chain_answer_exact]: slots of one array that are taken as an answer give the answer of the array's map: all entries of
      a range, and none besides; of each key its value, or that it is absent; a key's neighbours.
    - [chain_answer_complete]: for every question the slots that an honest archive finds are taken.
    - [answer_correct_or_breaks]: so is an answer that [verify_answer] accepts under the commitments of a version, or
      [find_claim_break] returns a break.
    - [honest_answer_accepted]: what an honest archive says is accepted, whatever is asked.
    - [rooted_answer_correct_or_breaks]: an answer that is accepted under a state root is the map's, or a collision of SHA-256
      is found among its parts and paths, or a break as above. *)
From Coq Require Import NArith List Bool Ring_theory.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.LibertYung Commitment.Scheme Dictionary.KeyMap
  Dictionary.Vectors Block.Transaction Block.Map Answer.Question Answer.Scan Answer.IdealAnswer
  Block.State Block.Root Answer.AnswerReason Answer.AnswerProof Answer.AnswerBasis Answer.Verify Answer.AnswerProver.
From Aardvark Require Lemmas.Field Spec.Commitment.Scheme Lemmas.VectorLemmas Lemmas.Break
  Spec.Answer.IdealAnswer Spec.Answer.AnswerProver Spec.Answer.Verify Lemmas.AcceptedAnswers.
From Aardvark Require Theorems.Ring Theorems.Breaks Theorems.Roots.
Import ListNotations.
Local Open Scope N_scope.

Section Answers.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The whole array of the version that is asked about. *)
Variable a : Array.
Hypothesis a_well_formed : Ring.well_formed a.

(** ** Slots *)

(** All slots of the chain stand in the array: then its answer is the map's. *)
Theorem chain_answer_exact : forall question chain ans,
  question_legal question = true ->
  (forall x, In x chain -> exists p, slot_at (array_slots a) p = Some x) ->
  answer_of_slots question chain = Ok ans -> ans = ideal_answer question (map_of_array a).
Proof. exact (Aardvark.Spec.Answer.IdealAnswer.answer_of_slots_ideal a a_well_formed). Qed.

(** The slots at the positions that an honest archive finds answer. *)
Theorem chain_answer_complete : forall question,
  question_legal question = true ->
  answer_of_slots question (slots_of_positions (answer_positions question (array_slots a)) (array_slots a)) =
  Ok (ideal_answer question (map_of_array a)).
Proof.
  intros question Q. destruct (Aardvark.Spec.Answer.AnswerProver.honest_answer_of_slots a a_well_formed question Q) as (L & ans & A).
  rewrite A. f_equal. apply (chain_answer_exact question _ ans Q) in A; [exact A|].
  intros x I. exact (Aardvark.Spec.Answer.AnswerProver.slots_of_positions_live a _ x L I).
Qed.

(** ** Proofs under commitments *)

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

(** A setup, of either scheme, of vectors of [n] elements. *)
Variables (setup : Setup) (n : N).
Hypothesis made :
  match setup with
  | Setup_Kzg kzg =>
      exists n tau, kzg = kzg_setup n tau /\ 0 < n /\ 4096 mod n = 0 /\ scalar_pow tau n <> scalar_of_N 1
  | Setup_LibertYung libert_yung => exists n alpha, libert_yung = libert_yung_setup n alpha
  end.
Hypothesis sized : setup_vector_size setup = n.
Hypothesis positive : 1 <= n.
Lemma lawful_scalars : Aardvark.Lemmas.Field.LawfulScalars F.
Proof. destruct laws as (R & O & I & E & A). constructor; assumption. Qed.
#[local] Existing Instance lawful_scalars.
#[local] Instance rooted : Aardvark.Lemmas.Field.PrimitiveRoot scalar_given := root.

(** What a verifier believes is true of the array. *)
Variable known : KnownCommitments.
Hypothesis known_true :
  known_vector_size known = n /\ known_size known = array_size a /\ known_commitments known = array_commitments setup n a.

(** Functions that commit and open, computed in whatever way: the search for breaks uses these, and nothing else of the setup. *)
Variables (commit_to : list Scalar -> G1) (open_at : list Scalar -> N -> G1).
Hypothesis commits : forall vector, commit_to vector = commit setup vector.
Hypothesis opens : forall vector i, i < n -> open_at vector i = open setup vector i.

(** The first break among the claims of a proof. *)
Definition find_claim_break (proof : AnswerProof) : option Breaks.Break :=
  Breaks.first_break (Breaks.break_in_claim commit_to open_at n a) (proof_claims proof).

Lemma find_claim_break_same : forall proof,
  option_map Breaks.image (find_claim_break proof) = Aardvark.Spec.Answer.Verify.find_claim_break setup n a proof.
Proof.
  intros proof. unfold find_claim_break, Aardvark.Spec.Answer.Verify.find_claim_break.
  rewrite (Breaks.first_break_same _ _ (Aardvark.Lemmas.Break.break_in_claim commit_to open_at n a)).
  - apply Aardvark.Lemmas.Break.first_break_same. intros c _. unfold Aardvark.Lemmas.Break.break_in_claim. cbv zeta.
    destruct (claim_opening c); [reflexivity|].
    apply (Aardvark.Lemmas.Break.break_in_slot_same _ _ _ _ n commits opens); [|reflexivity].
    apply Aardvark.Lemmas.VectorLemmas.position_split. exact positive.
  - intros c. unfold Breaks.break_in_claim, Aardvark.Lemmas.Break.break_in_claim. cbv zeta.
    destruct (claim_opening c); [reflexivity|]. apply Breaks.break_in_slot_same.
Qed.

(** An accepted answer is the map's, or a break is found among the proof's claims. *)
Theorem answer_correct_or_breaks : forall question proof ans,
  verify_answer setup (Trusted_TrustedCommitments known) question proof = Ok ans ->
  match find_claim_break proof with
  | Some b => Breaks.is_break setup b
  | None => ans = ideal_answer question (map_of_array a)
  end.
Proof.
  intros question proof ans E.
  pose proof (Aardvark.Spec.Answer.Verify.answer_correct_or_breaks setup n made sized positive a a_well_formed known question proof ans
    known_true E) as H.
  rewrite <- find_claim_break_same in H. destruct (find_claim_break proof) as [b|]; [|exact H]. destruct b; exact H.
Qed.

(** What an honest archive says is accepted, and is the map's answer, where slots have the lengths that slots can have. *)
Theorem honest_answer_accepted : forall question,
  (forall p x, slot_at (array_slots a) p = Some x -> slot_answerable x = true) ->
  question_legal question = true ->
  verify_answer setup (Trusted_TrustedCommitments known) question
    (honest_answer setup a (known_dictionary known) (known_version known) question) =
  Ok (ideal_answer question (map_of_array a)).
Proof.
  intros question S Q.
  exact (Aardvark.Lemmas.AcceptedAnswers.honest_answer_accepted setup n made sized positive a a_well_formed S known question known_true Q).
Qed.

(** ** Under a root *)

(** Digests have 32 bytes, and commitments an encoding that tells them apart: a matter of the curve. *)
Hypothesis digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.
Variable encode : G1 -> ByteString.
Hypothesis encode_injective : forall x y, encode x = encode y -> x = y.

(** The state of which the root is, with the array's commitments encoded. *)
Variable state : HashedState.
Hypothesis state_fits : Roots.fits_state n state.
Hypothesis state_size : hashed_size state = array_size a.
Hypothesis state_commitments : hashed_commitments state = map encode (array_commitments setup n a).

(** What a decoder of points and of numbers sees to: bytes of tied commitments are what these encode to, and the
    numbers of the parts fit their 64 bits. *)
Definition tie_decoded (tie : RootTie) : Prop :=
  forall v c, In v (tie_vectors tie) -> tied_commitment v = Opening_Point c -> tied_bytes v = encode c.
Definition tie_fits (tie : RootTie) : Prop :=
  parts_version (tie_parts tie) < 2 ^ 64 /\ parts_size (tie_parts tie) < 2 ^ 64 /\ parts_tail_start (tie_parts tie) < 2 ^ 64.

(** An answer that is accepted under a root is the map's, or there is a collision of SHA-256 in what ties commitments to the
    root ([find_tie_collision], Spec/Answer/Verify.v), or a break among the proof's claims. *)
Theorem rooted_answer_correct_or_breaks : forall trusted question proof tie ans,
  root_vector_size trusted = n -> root_digest trusted = state_root state ->
  proof_tie proof = Some tie -> tie_decoded tie -> tie_fits tie ->
  verify_answer setup (Trusted_TrustedRoot trusted) question proof = Ok ans ->
  match Aardvark.Spec.Answer.Verify.find_tie_collision state tie with
  | Some both => Roots.collision both
  | None =>
      match find_claim_break proof with
      | Some b => Breaks.is_break setup b
      | None => ans = ideal_answer question (map_of_array a)
      end
  end.
Proof.
  intros trusted question proof tie ans V D T B W E.
  pose proof (Aardvark.Spec.Answer.Verify.rooted_answer_correct_or_breaks setup n made sized positive a a_well_formed
    digest_length encode encode_injective state state_fits state_size state_commitments trusted question proof tie ans
    V D T B W E) as H.
  destruct (Aardvark.Spec.Answer.Verify.find_tie_collision state tie) as [both|]; [exact H|].
  rewrite <- find_claim_break_same in H. destruct (find_claim_break proof) as [b|]; [|exact H]. destruct b; exact H.
Qed.

End Answers.

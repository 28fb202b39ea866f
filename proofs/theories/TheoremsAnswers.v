(** Theorems for auditors, 7 of 7: answers to readers.

    To understand a statement of this file you need this file, the generated definitions, TheoremsRing.v for [well_formed], and
    TheoremsBreaks.v for breaks; nothing else. The proofs are in the theories that they name.

    What is asked, and what a map answers, are generated definitions: [question_legal], [ideal_answer].

    - [chain_answer_exact]: slots of one array that are taken as an answer give the answer of the array's map: all entries of
      a range, and none besides; of each key its value, or that it is absent; a key's neighbours.
    - [chain_answer_complete]: for every question the slots that an honest archive finds are taken.
    - [answer_correct_or_breaks]: so is an answer that [verify_answer] accepts under the commitments of a version, or
      [find_claim_break] returns a break.
    - [honest_answer_accepted]: what an honest archive says is accepted, whatever is asked. *)
From Coq Require Import NArith List Bool Ring_theory.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.LibertYung Commitment.Scheme Dictionary.KeyMap
  Dictionary.Vectors Block.Transaction Block.Map Answer.Question Answer.Scan Answer.IdealAnswer
  Answer.AnswerReason Answer.AnswerProof Answer.AnswerBasis Answer.Verify Answer.AnswerProver.
From Aardvark Require Field Scheme VectorLemmas Break Answers HonestAnswers VerifyAnswer AcceptedAnswers.
From Aardvark Require TheoremsRing TheoremsBreaks.
Import ListNotations.
Local Open Scope N_scope.

Section Answers.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The whole array of the version that is asked about. *)
Variable a : Array.
Hypothesis a_well_formed : TheoremsRing.well_formed a.

(** ** Slots *)

(** All slots of the chain stand in the array: then its answer is the map's. *)
Theorem chain_answer_exact : forall question chain ans,
  question_legal question = true ->
  (forall x, In x chain -> exists p, slot_at (array_slots a) p = Some x) ->
  answer_of_slots question chain = Ok ans -> ans = ideal_answer question (map_of_array a).
Proof. exact (Aardvark.Answers.answer_of_slots_ideal a a_well_formed). Qed.

(** The slots at the positions that an honest archive finds answer. *)
Theorem chain_answer_complete : forall question,
  question_legal question = true ->
  answer_of_slots question (slots_of_positions (answer_positions question (array_slots a)) (array_slots a)) =
  Ok (ideal_answer question (map_of_array a)).
Proof.
  intros question Q. destruct (Aardvark.HonestAnswers.honest_answer_of_slots a a_well_formed question Q) as (L & ans & A).
  rewrite A. f_equal. apply (chain_answer_exact question _ ans Q) in A; [exact A|].
  intros x I. exact (Aardvark.HonestAnswers.slots_of_positions_live a _ x L I).
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
Lemma lawful_scalars : Aardvark.Field.LawfulScalars F.
Proof. destruct laws as (R & O & I & E & A). constructor; assumption. Qed.
#[local] Existing Instance lawful_scalars.
#[local] Instance rooted : Aardvark.Field.PrimitiveRoot scalar_given := root.

(** What a verifier believes is true of the array. *)
Variable known : KnownCommitments.
Hypothesis known_true :
  known_vector_size known = n /\ known_size known = array_size a /\ known_commitments known = array_commitments setup n a.

(** Functions that commit and open, computed in whatever way: the search for breaks uses these, and nothing else of the setup. *)
Variables (commit_to : list Scalar -> Scalar) (open_at : list Scalar -> N -> Scalar).
Hypothesis commits : forall vector, commit_to vector = commit setup vector.
Hypothesis opens : forall vector i, i < n -> open_at vector i = open setup vector i.

(** The first break among the claims of a proof. *)
Definition find_claim_break (proof : AnswerProof) : option TheoremsBreaks.Break :=
  TheoremsBreaks.first_break (TheoremsBreaks.break_in_claim commit_to open_at n a) (proof_claims proof).

Lemma find_claim_break_same : forall proof,
  option_map TheoremsBreaks.image (find_claim_break proof) = Aardvark.VerifyAnswer.find_claim_break setup n a proof.
Proof.
  intros proof. unfold find_claim_break, Aardvark.VerifyAnswer.find_claim_break.
  rewrite (TheoremsBreaks.first_break_same _ _ (Aardvark.Break.break_in_claim commit_to open_at n a)).
  - apply Aardvark.Break.first_break_same. intros c _. unfold Aardvark.Break.break_in_claim. cbv zeta.
    destruct (claim_opening c); [reflexivity|].
    apply (Aardvark.Break.break_in_slot_same _ _ _ _ n commits opens); [|reflexivity].
    apply Aardvark.VectorLemmas.position_split. exact positive.
  - intros c. unfold TheoremsBreaks.break_in_claim, Aardvark.Break.break_in_claim. cbv zeta.
    destruct (claim_opening c); [reflexivity|]. apply TheoremsBreaks.break_in_slot_same.
Qed.

(** An accepted answer is the map's, or a break is found among the proof's claims. *)
Theorem answer_correct_or_breaks : forall question proof ans,
  verify_answer setup (Trusted_TrustedCommitments known) question proof = Ok ans ->
  match find_claim_break proof with
  | Some b => TheoremsBreaks.is_break setup b
  | None => ans = ideal_answer question (map_of_array a)
  end.
Proof.
  intros question proof ans E.
  pose proof (Aardvark.VerifyAnswer.answer_correct_or_breaks setup n made sized positive a a_well_formed known question proof ans
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
  exact (Aardvark.AcceptedAnswers.honest_answer_accepted setup n made sized positive a a_well_formed S known question known_true Q).
Qed.

End Answers.

(** Theorems for auditors: many openings in one.

    To understand a statement of this file you need this file, the generated definitions, and definitions of
    Spec/Commitment/FoldedOpening.v ([opens_claim], [open_claims], [polynomial_element], [element_claim], [fold_string]), Lemmas/FoldedSound.v (the
    break and the counted challenges), Spec/Answer/FoldedAnswer.v (the claims of a proof), with the polynomials of
    Lemmas/Polynomials.v. What is assumed of a prover is the algebraic group model: it knows polynomials of at most [d]
    coefficients under its commitments and points.

    - [folded_opening_complete], [quotient_opens], [kzg_open_folded]: honest openings, folded, are accepted.
    - [fold_seed_binds]: the seed of the second challenge binds all that comes before it.
    - [fold_challenges_differ], [fold_gammas_at]: each claim's challenge is drawn from a string of its own.
    - [accepted_fold_decided], [fold_break_length]: an accepted fold of a false claim hands over a polynomial that vanishes at
      tau, or its challenges are counted.
    - [counted_challenges_few], [folded_opening_sound]: which are few.
    - [forged_folds_few], [unmet_folds_true]: the same against provers who ask the hash q times (Lemmas/OracleBound.v,
      Lemmas/FoldedOracle.v).
    - [folded_answer_correct_or_breaks], [honest_folded_answer_accepted]: the same of whole answers. *)
From Coq Require Import Arith NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Kzg Commitment.Scheme
  Commitment.FoldedOpening Dictionary.Vectors Block.Transaction Block.Prover Answer.Question Answer.Scan
  Answer.IdealAnswer Block.Map Answer.AnswerReason Answer.AnswerProof Answer.AnswerBasis Answer.Verify
  Answer.FoldedAnswer Answer.AnswerProver.
From Aardvark Require Spec.Commitment.Kzg Lemmas.RootLemmas Spec.Commitment.Challenge Lemmas.Polynomials.
From Aardvark Require Import Lemmas.Field Lemmas.Polynomials Lemmas.Batch Lemmas.WellFormed Lemmas.Break
  Spec.Commitment.FoldedOpening Spec.Answer.Verify.
From Aardvark Require Lemmas.OracleBound Lemmas.FoldedSound Lemmas.FoldedOracle Spec.Answer.FoldedAnswer.
Import ListNotations.
Local Open Scope N_scope.

Section Folded.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Openings that show the claims one by one, folded under the challenges that are drawn, are accepted. *)
Theorem folded_opening_complete (setup : KzgSetup) (context : ByteString) (bound_claims : list FoldedClaimBytes)
    (folded : list FoldedClaim) (openings : list G1) (quotient_bytes : ByteString) :
  let gammas := fold_gammas (fold_claims_seed context bound_claims) (seq_length folded) in
  let z := fold_point (fold_claims_seed context bound_claims) quotient_bytes in
  open_claims setup folded openings -> point_is_claimed folded z = false ->
  verify_folded setup context bound_claims folded quotient_bytes
    {| folded_quotient := fold_quotient openings gammas; folded_witness := fold_witness folded openings gammas z |} = true.
Proof. apply Aardvark.Spec.Commitment.FoldedOpening.folded_opening_complete. Qed.

(** The quotient of a polynomial opens its value at any point. *)
Theorem quotient_opens (setup : KzgSetup) (p : list Scalar) (z : Scalar) :
  opens_claim setup {| folded_commitment := polynomial_element setup p; folded_point := z; folded_value := polynomial_at p z |}
    (polynomial_element setup (quotient p z)).
Proof. apply Aardvark.Spec.Commitment.FoldedOpening.quotient_opens. Qed.

(** One second seed, one context, the same claims and the same first point; or two different strings with one digest. *)
Theorem fold_seed_binds (context context' : ByteString) (claims claims' : list FoldedClaimBytes) (w w' : ByteString) :
  let seed := fold_claims_seed context claims in
  let seed' := fold_claims_seed context' claims' in
  seq_length context = 32 -> seq_length context' = 32 -> seq_length seed = seq_length seed' ->
  RootLemmas.fits_list fits_folded claims -> RootLemmas.fits_list fits_folded claims' ->
  fold_point_seed seed w = fold_point_seed seed' w' ->
  (context = context' /\ claims = claims' /\ w = w') \/
  Challenge.tag_collision tag_fold_claims (fold_string context claims) (fold_string context' claims') \/
  Challenge.tag_collision tag_fold (seed ++ w) (seed' ++ w').
Proof. apply Aardvark.Spec.Commitment.FoldedOpening.fold_seed_binds. Qed.

(** Challenge [i] is drawn from the seed followed by the eight bytes of [i]: a string of its own. *)
Theorem fold_challenges_differ (seed : ByteString) (i j : N) : i < 2 ^ 64 -> j < 2 ^ 64 ->
  fold_challenge seed i = hash_to_scalar (seed ++ big_endian i 8) tag_challenge /\
  (seed ++ big_endian i 8 = seed ++ big_endian j 8 -> i = j).
Proof. apply Aardvark.Spec.Commitment.FoldedOpening.fold_challenges_differ. Qed.

(** Each claim has its own. *)
Theorem fold_gammas_at (seed : ByteString) (count i : N) :
  i < count -> scalar_at (fold_gammas seed count) i = fold_challenge seed i.
Proof. apply Aardvark.Spec.Commitment.FoldedOpening.fold_gammas_at. Qed.

Section Elements.

Context {root : PrimitiveRoot scalar_given}.
Variables (n : N) (tau : Scalar).
Hypothesis legal : Spec.Commitment.Kzg.kzg_legal n tau.

(** A dictionary's openings open the claims of its vectors' elements. *)
Theorem kzg_open_folded (vector : list Scalar) (i : N) :
  i < n -> opens_claim (kzg_setup n tau) (element_claim n tau vector i) (kzg_open (kzg_setup n tau) vector i).
Proof. apply Aardvark.Spec.Commitment.FoldedOpening.kzg_open_folded. exact legal. Qed.

End Elements.

(** ** Soundness *)

Section Sound.

Import Lemmas.FoldedSound.

(** The claims, the polynomials under their commitments, of at most [d] coefficients, and the setup. *)
Variables (folded : list FoldedClaim) (polynomials : N -> list Scalar) (d : nat) (setup : KzgSetup).

(** An accepted fold hands over a polynomial that is not 0 and vanishes at tau, or its challenges are counted. *)
Theorem accepted_fold_decided (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) (k : N) :
  commits_to_polynomials folded polynomials setup ->
  verify_fold setup folded gammas z
    {| folded_quotient := polynomial_element setup w; folded_witness := polynomial_element setup w' |} = true ->
  finds_tau setup (fold_break folded polynomials gammas z w w') = true \/ challenges_counted folded polynomials k gammas w z = true.
Proof. intros; eapply Aardvark.Lemmas.FoldedSound.accepted_fold_decided; eassumption. Qed.

(** What an accepted fold hands over has at most one coefficient more than what the ceremony allows for. *)
Theorem fold_break_length (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) :
  (forall i, i < seq_length folded -> (length (polynomials i) <= d)%nat) -> (1 <= d)%nat -> (length w <= d)%nat -> (length w' <= d)%nat ->
  (length (fold_break folded polynomials gammas z w w') <= S d)%nat.
Proof. intros; eapply Aardvark.Lemmas.FoldedSound.fold_break_length; eassumption. Qed.

(** Few challenges are counted, whatever a prover makes of the first. *)
Theorem counted_challenges_few (k : N) (s t : list Scalar) (prover : list Scalar -> list Scalar) :
  NoDup s -> NoDup t -> k < seq_length folded -> claim_error folded polynomials k <> scalar_of_N 0 ->
  (forall i, i < seq_length folded -> (length (polynomials i) <= d)%nat) -> (forall gammas, (length (prover gammas) <= d)%nat) -> (1 <= d)%nat ->
  (length (filter (fun '(gammas, z) => challenges_counted folded polynomials k gammas (prover gammas) z) (list_prod (choices s (length folded)) t))
  <= length s ^ (length folded - 1) * length t + length s ^ length folded * (d + length folded))%nat.
Proof. intros; eapply Aardvark.Lemmas.FoldedSound.counted_challenges_few; eassumption. Qed.

(** So few let a false claim pass without handing over such a polynomial: the prover, of the algebraic group
    model, chooses w after the gammas, and w' after z. *)
Theorem folded_opening_sound (k : N) (s t : list Scalar)
    (prover : list Scalar -> list Scalar) (prover' : list Scalar -> Scalar -> list Scalar) :
  commits_to_polynomials folded polynomials setup -> NoDup s -> NoDup t -> k < seq_length folded -> polynomial_at (polynomials k) (folded_point (seq_at folded k)) <> folded_value (seq_at folded k) ->
  (forall i, i < seq_length folded -> (length (polynomials i) <= d)%nat) -> (forall gammas, (length (prover gammas) <= d)%nat) -> (1 <= d)%nat ->
  (length (filter (fun '(gammas, z) =>
      let w := prover gammas in
      let w' := prover' gammas z in
      verify_fold setup folded gammas z
        {| folded_quotient := polynomial_element setup w; folded_witness := polynomial_element setup w' |}
      && negb (finds_tau setup (fold_break folded polynomials gammas z w w')))
    (list_prod (choices s (length folded)) t))
  <= length s ^ (length folded - 1) * length t + length s ^ length folded * (d + length folded))%nat.
Proof. intros; eapply Aardvark.Lemmas.FoldedSound.folded_opening_sound; eassumption. Qed.

End Sound.

(** ** Adversaries who ask the hash *)

Section Asked.

Import Lemmas.OracleBound Lemmas.FoldedSound Lemmas.FoldedOracle.
Local Open Scope nat_scope.

(** Of all tables of a random function at most a q (d + m) / |s| part gives one of the q queries of an algebraic prover an
    answer that is counted. *)
Theorem forged_folds_few (s : list Scalar) (d m q : nat) (adversary : Adversary FoldQuery (list Scalar)) :
  NoDup s -> 1 <= d -> 1 <= m ->
  length (filter (meets_bad _ _ (counted_answer d m) [] adversary) (choices (choices s m) q))
  <= q * ((d + m) * length s ^ (m - 1)) * (length s ^ m) ^ (q - 1).
Proof. apply Aardvark.Lemmas.FoldedOracle.forged_folds_few. Qed.

(** What is accepted where neither answer is counted hands over a polynomial that is not 0 and vanishes at tau. *)
Theorem unmet_folds_true (setup : KzgSetup) (d m : nat) (st : FoldStatement) (gammas answer w w' : list Scalar) (k : N)
    (before before' : list (FoldQuery * list Scalar)) :
  stated_well d m st = true -> length w <= d -> first_false st = Some k ->
  commits_to_polynomials (stated_claims st) (stated_polynomial st) setup ->
  counted_answer d m before (AsksGammas st) gammas = false ->
  counted_answer d m before' (AsksPoint st gammas w) answer = false ->
  verify_fold setup (stated_claims st) gammas (scalar_at answer 0)
    {| folded_quotient := polynomial_element setup w; folded_witness := polynomial_element setup w' |} = true ->
  finds_tau setup (fold_break (stated_claims st) (stated_polynomial st) gammas (scalar_at answer 0) w w') = true.
Proof. apply Aardvark.Lemmas.FoldedOracle.unmet_folds_true. Qed.

End Asked.

(** ** Answers *)

Section Answers.

Context {root : PrimitiveRoot scalar_given}.
Variables (n : N) (tau : Scalar).
Hypothesis legal : Spec.Commitment.Kzg.kzg_legal n tau.
Let setup : Setup := Setup_Kzg (kzg_setup n tau).
Variable a : Array.
Hypothesis a_well_formed : well_formed a.

Import Lemmas.FoldedSound Spec.Answer.FoldedAnswer.

(** An accepted folded answer is the map's, or two slots of one scalar, or such a polynomial, or counted challenges. *)
Theorem folded_answer_correct_or_breaks : forall known question proof bound_claims w w' ans,
  let items := proof_claims (unopened_proof proof) in
  let folded := map (fold_claim n tau a) items in
  let seed := fold_claims_seed (fold_answer_context (unopened_proof proof)) bound_claims in
  let gammas := fold_gammas seed (seq_length folded) in
  let z := fold_point seed (received_quotient proof) in
  commitments_known setup n a known ->
  decoded_quotient proof = Opening_Point (g1_multiple (polynomial_at w tau)) ->
  decoded_witness proof = Opening_Point (g1_multiple (polynomial_at w' tau)) ->
  verify_folded_answer setup (Trusted_TrustedCommitments known) question proof bound_claims = Ok ans ->
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
  end.
Proof. exact (Aardvark.Spec.Answer.FoldedAnswer.folded_answer_correct_or_breaks n tau legal a a_well_formed). Qed.

(** The lengths of all slots are those of some dictionary. *)
Hypothesis slots_answerable : forall p x, live (array_slots a) p x -> slot_answerable x = true.

(** An honest archive's claims, folded, are accepted, unless the drawn point is one that a claim is about. *)
Theorem honest_folded_answer_accepted : forall known question bound_claims quotient_bytes,
  let proof := honest_answer setup a (known_dictionary known) (known_version known) question in
  let folded := map (fold_claim n tau a) (proof_claims proof) in
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
Proof. exact (Aardvark.Spec.Answer.FoldedAnswer.honest_folded_answer_accepted n tau legal a a_well_formed slots_answerable). Qed.

End Answers.

End Folded.

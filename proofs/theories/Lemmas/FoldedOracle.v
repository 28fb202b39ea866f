(** Folded openings against adversaries who ask the hash q times.

    - [forged_folds_few]: of all tables of a random function, at most a q (d + m) / |s| part gives one of the q queries of an algebraic
      prover an answer that is counted (FoldedSound.v); claims are m at a time, polynomials have at most d coefficients;
    - [unmet_folds_true]: and where no answer is counted, an accepted folded opening of a false claim hands over a polynomial that
      is not 0 and vanishes at tau.

    A query is what its string determines ([fold_seed_binds]): for gammas the claims, with the polynomials under their commitments
    that an algebraic prover knows; for z besides these the gammas, which the first seed determines, and W with its polynomial.
    An answer is a list of m scalars; z is the first of them. *)
From Coq Require Import Arith NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Lemmas.Polynomials Lemmas.Batch
  Lemmas.AggregationLemmas Lemmas.PolynomialRoots Spec.Commitment.FoldedOpening Lemmas.FoldedSound
  Lemmas.OracleBound.
Import ListNotations.
Local Open Scope nat_scope.

Section FoldedOracle.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Claims, and the polynomial under each one's commitment. *)
Record FoldStatement : Type := { stated_claims : list FoldedClaim; stated_polynomials : list (list Scalar) }.

Definition stated_polynomial (st : FoldStatement) (i : N) : list Scalar := nth (N.to_nat i) (stated_polynomials st) [].

Inductive FoldQuery : Type :=
| AsksGammas (st : FoldStatement)
| AsksPoint (st : FoldStatement) (gammas w : list Scalar).

(** The first false claim. *)
Definition first_false (st : FoldStatement) : option N :=
  find (fun k => negb (claim_error (stated_claims st) (stated_polynomial st) k [=?] scalar_of_N 0))
    (range 0 (seq_length (stated_claims st))).

(** [m] claims, and at most [d] coefficients in each polynomial. *)
Definition stated_well (d m : nat) (st : FoldStatement) : bool :=
  (length (stated_claims st) =? m) && forallb (fun p => length p <=? d) (stated_polynomials st).

(** The answer is one that is counted for the first false claim. *)
Definition counted_answer (d m : nat) (before : list (FoldQuery * list Scalar)) (query : FoldQuery) (answer : list Scalar) : bool :=
  match query with
  | AsksGammas st =>
      stated_well d m st &&
      match first_false st with
      | Some k => first_counted (stated_claims st) (stated_polynomial st) k answer
      | None => false
      end
  | AsksPoint st gammas w =>
      stated_well d m st && (length w <=? d) &&
      match first_false st with
      | Some k => negb (first_counted (stated_claims st) (stated_polynomial st) k gammas) &&
          second_counted (stated_claims st) (stated_polynomial st) gammas w (scalar_at answer 0)
      | None => false
      end
  end.

Lemma first_false_some (st : FoldStatement) (k : N) : first_false st = Some k ->
  (k < seq_length (stated_claims st))%N /\ claim_error (stated_claims st) (stated_polynomial st) k <> scalar_of_N 0.
Proof.
  intros E. destruct (find_some _ _ E) as [I N]. cbv beta in N. apply range_in in I. split; [lia |].
  intros Z. rewrite Z, (proj2 (scalar_eqb_iff _ _) eq_refl) in N. discriminate.
Qed.

Lemma stated_polynomial_short (d m : nat) (st : FoldStatement) (i : N) :
  stated_well d m st = true -> length (stated_polynomial st i) <= d.
Proof.
  intros W. apply andb_true_iff in W as [_ W]. rewrite forallb_forall in W. unfold stated_polynomial.
  destruct (nth_in_or_default (N.to_nat i) (stated_polynomials st) []) as [I | ->]; [| simpl; lia].
  apply Nat.leb_le. now apply W.
Qed.

(** Answers whose first scalar is one of few. *)
Lemma few_first (keep : Scalar -> bool) (s : list Scalar) (m b : nat) :
  1 <= m -> length (filter keep s) <= b ->
  length (filter (fun answer => keep (scalar_at answer 0)) (choices s m)) <= b * length s ^ (m - 1).
Proof.
  intros positive few. destruct m as [| m]; [lia |]. rewrite filter_choices_succ. replace (S m - 1) with m by lia. etransitivity.
  - apply (list_sum_two_bounds keep _ _ (length s ^ m) 0). intros z _. destruct (keep z) eqn:E.
    + rewrite <- choices_length. etransitivity; [apply filter_length_le | lia].
    + rewrite filter_none; [simpl; lia |]. intros rest _. now rewrite scalar_at_first.
  - apply (Nat.mul_le_mono_r _ _ (length s ^ m)) in few. lia.
Qed.

Theorem forged_folds_few (s : list Scalar) (d m q : nat) (adversary : Adversary FoldQuery (list Scalar)) :
  NoDup s -> 1 <= d -> 1 <= m ->
  length (filter (meets_bad _ _ (counted_answer d m) [] adversary) (choices (choices s m) q))
  <= q * ((d + m) * length s ^ (m - 1)) * (length s ^ m) ^ (q - 1).
Proof.
  intros distinct some positive. rewrite <- (choices_length s m). apply asked_bad_few.
  intros before [st | st gammas w]; unfold counted_answer.
  - destruct (stated_well d m st) eqn:W; [| rewrite filter_none; [simpl; lia | reflexivity]].
    destruct (first_false st) as [k |] eqn:E; [| rewrite filter_none; [simpl; lia | reflexivity]]. cbn [andb].
    destruct (first_false_some st k E) as [L wrong]. apply andb_true_iff in W as [M _]. apply Nat.eqb_eq in M.
    transitivity (length s ^ (m - 1)); [| assert (1 <= d + m) by lia; nia]. rewrite <- M.
    apply (few_choices_vanish _ s (length (stated_claims st)) distinct). exists k. split; [exact L |].
    rewrite (proj2 (scalar_eqb_iff _ _) eq_refl). exact wrong.
  - destruct (stated_well d m st) eqn:W; [| rewrite filter_none; [simpl; lia | reflexivity]].
    destruct (Nat.leb_spec (length w) d) as [Lw |]; [| rewrite filter_none; [simpl; lia | reflexivity]].
    destruct (first_false st) as [k |] eqn:E; [| rewrite filter_none; [simpl; lia | reflexivity]]. cbn [andb].
    destruct (first_counted _ _ k gammas) eqn:first; [rewrite filter_none; [simpl; lia | reflexivity] |]. cbn [negb andb].
    apply (few_first (second_counted (stated_claims st) (stated_polynomial st) gammas w)); [exact positive |].
    pose proof (few_second (stated_claims st) (stated_polynomial st) d gammas w k
      (fun i _ => stated_polynomial_short d m st i W) some Lw s distinct first) as few.
    apply andb_true_iff in W as [M _]. apply Nat.eqb_eq in M. rewrite seq_length_nat, M in few. exact few.
Qed.

(** What is accepted where neither answer is counted. *)
Theorem unmet_folds_true (setup : KzgSetup) (d m : nat) (st : FoldStatement) (gammas answer w w' : list Scalar) (k : N)
    (before before' : list (FoldQuery * list Scalar)) :
  stated_well d m st = true -> length w <= d -> first_false st = Some k ->
  commits_to_polynomials (stated_claims st) (stated_polynomial st) setup ->
  counted_answer d m before (AsksGammas st) gammas = false ->
  counted_answer d m before' (AsksPoint st gammas w) answer = false ->
  verify_fold setup (stated_claims st) gammas (scalar_at answer 0)
    {| folded_quotient := polynomial_element setup w; folded_witness := polynomial_element setup w' |} = true ->
  finds_tau setup (fold_break (stated_claims st) (stated_polynomial st) gammas (scalar_at answer 0) w w') = true.
Proof.
  intros W Lw E committed first second accepted. unfold counted_answer in first, second. rewrite W, E in first, second.
  rewrite (proj2 (Nat.leb_le _ _) Lw) in second. cbn [andb] in first, second. rewrite first in second. cbn [negb andb] in second.
  destruct (accepted_fold_decided (stated_claims st) (stated_polynomial st) setup gammas (scalar_at answer 0) w w' k committed
    accepted) as [B | C]; [exact B |]. unfold challenges_counted in C. rewrite first, second in C. discriminate.
Qed.

End FoldedOracle.

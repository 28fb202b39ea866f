(** What the polynomials of honest provers have in common: exact divisions, vectors on a domain, bits of numbers.

    - [rows_divide]: a polynomial that vanishes on the domain but for the masks is Z times a polynomial, of no more coefficients;
    - [vector_value_off]: what the specification computes of a vector off the domain is the value of its interpolation;
    - [mask_polynomial_at]: and of a mask, the value of a polynomial of three coefficients;
    - [bits_write]: the bits of a number below 2^l write it;
    - [quotients_open], [folded_quotients]: the openings of true claims are quotients of polynomials, folded ones too. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Group Base.Hash Commitment.Kzg Commitment.FoldedOpening Table.DomainValues
  Table.RunRecord Table.KnownPoints Table.CertificateProver.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials Lemmas.PolynomialRoots
  Lemmas.PolynomialProducts Spec.Commitment.FoldedOpening Lemmas.FoldedSound Lemmas.SheetRelations Spec.Table.DomainValues.
From Aardvark Require Lemmas.Hiding.
Import ListNotations.
Local Open Scope N_scope.

Section Honest.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** ** Division *)

(** A polynomial is divided by X - z for each of different roots z. *)
Lemma divided_by_roots (roots : N -> Scalar) (m : N) (p : list Scalar) :
  (forall i j, i < m -> j < m -> i <> j -> roots i <> roots j) -> (forall i, i < m -> polynomial_at p (roots i) = scalar_of_N 0) ->
  exists q, (length q = length p - N.to_nat m)%nat /\
    forall x, polynomial_at p x = product (fun i => x [-] roots i) m [*] polynomial_at q x.
Proof.
  intros differ. induction m as [| m IH] using N.peano_ind; intros zero.
  - exists p. split; [lia |]. intros x. change (product _ 0) with (scalar_of_N 1). ring.
  - destruct IH as (q & L & E); [intros; apply differ; lia | intros; apply zero; lia |].
    assert (last : polynomial_at q (roots m) = scalar_of_N 0).
    { pose proof (zero m ltac:(lia)) as Z. rewrite E in Z. destruct (scalar_mul_zero _ _ Z) as [P | P]; [exfalso | exact P].
      revert P. apply product_nonzero. intros i I. apply scalar_sub_nonzero, differ; lia. }
    exists (quotient q (roots m)). split; [rewrite quotient_length; lia |]. intros x. rewrite <- N.add_1_r, product_succ, E.
    pose proof (quotient_correct q (roots m) x) as Q. rewrite last in Q.
    transitivity (product (fun i => x [-] roots i) m [*] (polynomial_at q x [-] scalar_of_N 0)); [ring |]. rewrite Q. ring.
Qed.

Section Domain.

Variable n : N.
Hypothesis large : 4 <= n.
Hypothesis divides : 4096 mod n = 0.

Let at_least_three : 3 <= n.
Proof. lia. Qed.

(** [outside] is any point off the domain. *)
Theorem rows_divide (p : list Scalar) (outside : Scalar) : on_domain n outside = false ->
  (forall i, i < n - 2 -> polynomial_at p (domain_point n i) = scalar_of_N 0) ->
  exists q, (length q <= length p)%nat /\ forall x, polynomial_at p x = polynomial_at (rows_polynomial n) x [*] polynomial_at q x.
Proof.
  intros off zero.
  assert (differ : forall i j, i < n - 2 -> j < n - 2 -> i <> j -> domain_point n i <> domain_point n j).
  { intros i j I J. apply (domain_points_differ n at_least_three divides); lia. }
  destruct (divided_by_roots (domain_point n) (n - 2) p differ zero) as (q & L & E).
  destruct (divided_by_roots (domain_point n) (n - 2) (rows_polynomial n) differ (rows_polynomial_at n at_least_three divides)) as (c & L' & E').
  rewrite (rows_polynomial_length n at_least_three divides) in L'. destruct c as [| c [| c' rest]]; [cbn in L'; lia | | cbn in L'; lia].
  assert (constant : forall x, polynomial_at [c] x = c) by (intros x; cbn; ring).
  assert (nonzero : c <> scalar_of_N 0).
  { intros ->. apply not_true_iff_false in off. apply off, (on_domain_iff n). apply scalar_sub_zero.
    rewrite (rows_polynomial_factor n at_least_three divides), E', constant. ring. }
  exists (scaled (scalar_inv c) q). split; [rewrite scaled_length; lia |]. intros x. rewrite scaled_at, E, E', constant. field. exact nonzero.
Qed.

(** ** Vectors *)

Theorem vector_value_off (f : N -> Scalar) (x : Scalar) : on_domain n x = false ->
  vector_value n (map f (range 0 n)) x = polynomial_at (interpolation (root_of_unity n) n f) x.
Proof.
  intros off. rewrite Hiding.vector_value_map by assumption. rewrite interpolation_sum. apply sum_ext. intros i I.
  rewrite <- (lagrange_polynomial_off n at_least_three divides i x I off). unfold lagrange_polynomial.
  rewrite interpolation_sum, (sum_single _ n i I), N.eqb_refl.
  - ring.
  - intros k _ D. destruct (N.eqb_spec k i); [contradiction | ring].

Qed.

Lemma interpolated_at (f : N -> Scalar) (i : N) : i < n -> polynomial_at (interpolation (root_of_unity n) n f) (domain_point n i) = f i.
Proof.
  intros I. apply (interpolation_correct (root_of_unity n) n ltac:(lia) (primitive n at_least_three divides)); [| exact I].
  apply size_scalar_nonzero; [exact divides | lia].
Qed.

End Domain.

(** ** Masks *)

(** The polynomial of three coefficients from position [from] on. *)
Definition mask_polynomial (coefficients : list Scalar) (from : N) : list Scalar :=
  [scalar_at coefficients from; scalar_at coefficients (from + 1); scalar_at coefficients (from + 2)].

Lemma mask_polynomial_at (coefficients : list Scalar) (x : Scalar) : polynomial_at (mask_polynomial coefficients 0) x = mask_value coefficients x.
Proof. unfold mask_value, mask_polynomial. cbn. ring. Qed.

(** ** Bits *)

Lemma halved_is (number j : N) : halved number j = number / 2 ^ j.
Proof.
  unfold halved. induction j as [| j IH] using N.peano_ind; [now rewrite N.div_1_r |].
  rewrite <- N.add_1_r, range_last, fold_left_app, IH by lia. cbn [fold_left]. unfold halved_step.
  rewrite N.div_div by (apply N.pow_nonzero || idtac; lia). now rewrite N.pow_add_r.
Qed.

Lemma low_bits (number l : N) : number_sum (fun j => 2 ^ j * (number / 2 ^ j mod 2)) l = number mod 2 ^ l.
Proof.
  induction l as [| l IH] using N.peano_ind; [now rewrite N.mod_1_r |].
  rewrite <- N.add_1_r, number_sum_succ, IH, N.pow_add_r. change (2 ^ 1) with 2.
  rewrite N.mod_mul_r; [reflexivity | apply N.pow_nonzero; discriminate | discriminate].
Qed.

Theorem bits_write (number l : N) : number < 2 ^ l ->
  sum (fun j => scalar_of_N (2 ^ j) [*] scalar_of_N (halved number j mod 2)) l = scalar_of_N number.
Proof.
  intros B. transitivity (scalar_of_N (number mod 2 ^ l)); [| now rewrite N.mod_small]. rewrite <- low_bits, scalar_of_number_sum.
  apply sum_ext. intros j _. now rewrite halved_is, scalar_of_N_mul.
Qed.

Lemma bit_is_one (number j : N) : let b := scalar_of_N (halved number j mod 2) in b [*] b [-] b = scalar_of_N 0.
Proof.
  cbv zeta. pose proof (N.mod_upper_bound (halved number j) 2 ltac:(discriminate)) as B. revert B.
  generalize (halved number j mod 2). intros b B. assert (E : b = 0 \/ b = 1) by lia. destruct E as [-> | ->]; ring.
Qed.

(** ** Openings *)

Variables (setup : KzgSetup) (claims : list FoldedClaim) (under : N -> list Scalar).
Let tau : Scalar := g2_exponent (kzg_key setup).

Hypothesis committed : commits_to_polynomials claims under setup.
Hypothesis all_true : forall i, i < seq_length claims -> claim_error claims under i = scalar_of_N 0.
Hypothesis fresh : forall i, i < seq_length claims -> tau <> folded_point (seq_at claims i).

Definition claim_quotient (i : N) : list Scalar := quotient (under i) (folded_point (seq_at claims i)).

Lemma claim_openings_map : claim_openings tau claims = map (fun i => open_folded_claim tau (seq_at claims i)) (range 0 (seq_length claims)).
Proof. unfold claim_openings, claim_openings_step. exact (fold_range_append (fun i => open_folded_claim tau (seq_at claims i)) 0 _ []). Qed.

(** What whoever has the trapdoor computes is what the polynomials' quotients are at tau. *)
Theorem quotients_open (i : N) : i < seq_length claims -> g1_at (claim_openings tau claims) i = polynomial_element setup (claim_quotient i).
Proof.
  intros L. rewrite claim_openings_map, g1_at_map by exact L. apply g1_ext. unfold open_folded_claim, polynomial_element, scalar_inverse. group_exponents.
  fold tau. rewrite (committed i L). unfold polynomial_element. rewrite g1_exponent_multiple. fold tau.
  pose proof (all_true i L) as T. unfold claim_error in T. apply (proj1 (scalar_sub_zero _ _)) in T. rewrite <- T.
  pose proof (quotient_correct (under i) (folded_point (seq_at claims i)) tau) as Q. unfold claim_quotient. rewrite Q.
  pose proof (scalar_sub_nonzero _ _ (fresh i L)). field. assumption.
Qed.

Definition quotients_folded (gammas : list Scalar) : list Scalar :=
  total_polynomial (fun i => scaled (scalar_at gammas i) (claim_quotient i)) (range 0 (seq_length claims)).
Definition witnesses_folded (gammas : list Scalar) (z : Scalar) : list Scalar :=
  total_polynomial (fun i => scaled (fold_factor (seq_at claims i) (scalar_at gammas i) z) (claim_quotient i)) (range 0 (seq_length claims)).

(** So the folded opening is made of polynomials, and is accepted unless z is a claimed point. *)
Theorem folded_quotients (gammas : list Scalar) (z : Scalar) : let opening := fold_known_claims tau claims gammas z in
  folded_quotient opening = polynomial_element setup (quotients_folded gammas) /\
  folded_witness opening = polynomial_element setup (witnesses_folded gammas z) /\
  (point_is_claimed claims z = false -> verify_fold setup claims gammas z opening = true).
Proof.
  cbv zeta. unfold fold_known_claims. cbv zeta. cbn [folded_quotient folded_witness].
  assert (same : seq_length (claim_openings tau claims) = seq_length claims).
  { rewrite claim_openings_map. now rewrite seq_length_map, seq_length_range. }
  split; [| split].
  - apply g1_ext. unfold fold_quotient. rewrite g1_combination_exponent, same. unfold polynomial_element. rewrite g1_exponent_multiple. fold tau.
    unfold quotients_folded. rewrite total_polynomial_sum. apply sum_ext. intros i L. rewrite scaled_at, quotients_open by exact L. reflexivity.
  - apply g1_ext. rewrite fold_witness_sum. unfold polynomial_element. rewrite g1_exponent_multiple. fold tau.
    unfold witnesses_folded. rewrite total_polynomial_sum. apply sum_ext. intros i L. rewrite scaled_at, quotients_open by exact L. reflexivity.
  - intros unclaimed. apply fold_complete; [| exact unclaimed]. split; [exact same |]. intros i L.
    rewrite claim_openings_map, g1_at_map by exact L. apply (open_folded_claim_opens setup). exact (fresh i L).
Qed.

Lemma folded_short (d : nat) (gammas : list Scalar) (z : Scalar) : (forall i, i < seq_length claims -> (length (under i) <= d)%nat) ->
  (length (quotients_folded gammas) <= d)%nat /\ (length (witnesses_folded gammas z) <= d)%nat.
Proof.
  intros short. split; apply total_polynomial_length; intros i I; apply range_in in I; rewrite scaled_length; unfold claim_quotient;
    rewrite quotient_length; specialize (short i ltac:(lia)); lia.
Qed.

End Honest.

(** How many challenges of a linked certificate are counted: of each kind a small part, as of other certificates. The ρ are counted as there.

    - [counted_link_betas_few], [counted_link_zetas_few], [counted_link_openings_few]. *)
From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate Table.LinkedCertificate.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Lemmas.Polynomials Lemmas.Batch Lemmas.AggregationLemmas
  Lemmas.PolynomialRoots Lemmas.PolynomialProducts Spec.Commitment.FoldedOpening Lemmas.FoldedSound Spec.Table.DomainValues Spec.Table.Certificate
  Lemmas.CertificateRelations Lemmas.CertificateSound Lemmas.CertificateCounts Spec.Table.LinkedCertificate Lemmas.LinkedSound.
Import ListNotations.
Local Open Scope N_scope.

Section Counts.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

Variables (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem) (sheet : SheetPolynomials) (masks : MaskPolynomials).
Variables (before mask : list Scalar).
Let n : N := sheet_size (sheet_log items).
Let n' : N := sheet_size (record_log previous).

Theorem counted_link_betas_few (rhos s : list Scalar) : NoDup s ->
  let all := choices s (N.to_nat (relations about)) in
  (length (filter (link_betas_counted about previous items sheet masks before mask rhos) all) * length s <= 1 * length all)%nat.
Proof.
  intros distinct. cbv zeta. set (count := N.to_nat (relations about)). unfold link_betas_counted.
  destruct (first_unlinked about previous items sheet masks before mask rhos) as [i |] eqn:E.
  - apply find_some in E as [_ wrong]. apply some_error_iff in wrong as (t & T & wrong). rewrite choices_length.
    apply power_part; [| unfold count; lia]. replace (relations about) with (N.of_nat count) by apply N2Nat.id.
    apply few_choices_vanish; [exact distinct |]. exists t. split; [| exact wrong]. unfold count. now rewrite N2Nat.id.
  - rewrite filter_none by reflexivity. simpl. lia.
Qed.

(** The sizes that legal sheets have. *)
Hypothesis size_legal : 8 <= n /\ 4096 mod n = 0.
Hypothesis previous_legal : 8 <= n' /\ 4096 mod n' = 0.
Hypothesis moments_few : about_moments about <= 3.

Variables (d : nat) (q : list Scalar).
Hypothesis some_coefficient : (1 <= d)%nat.
Hypothesis known_sheet : sheet_short sheet d.
Hypothesis known_masks : masks_short d masks.
Hypothesis others_short : (length q <= d)%nat /\ (length before <= d)%nat /\ (length mask <= d)%nat.

Let most : nat := (3 * d + 2 * N.to_nat n + N.to_nat n')%nat.

Lemma link_poly : is_poly most (link_at previous items before mask).
Proof.
  destruct others_short as (_ & P & R). destruct previous_legal as [L D].
  apply (poly_more (N.to_nat n + (N.to_nat n' + d - 3))); [unfold most; lia |]. apply poly_multiply.
  - apply poly_of. rewrite (lagrange_polynomial_length n). lia.
  - apply (poly_dilate _ _ (masked_before previous before mask)). replace (S (N.to_nat n' + d - 3)) with (N.to_nat n' - 1 + (d - 1))%nat by lia.
    apply poly_add; [apply (poly_more d); [lia | now apply poly_of] |]. apply poly_multiply; apply poly_of; [| lia].
    fold n'. rewrite (rows_polynomial_length n' ltac:(lia) D). lia.
Qed.

Theorem counted_link_zetas_few (rhos betas s : list Scalar) : NoDup s ->
  (length (filter (link_zeta_counted about previous items sheet masks before mask q rhos betas) s) <= 3 * d + 2 * N.to_nat n + N.to_nat n')%nat.
Proof.
  intros distinct. unfold link_zeta_counted. destruct (some_error _ _) eqn:E; cbn [andb].
  - apply some_error_iff in E as (i & _ & wrong).
    assert (P : is_poly most (linked_combined about previous items sheet masks before mask q rhos betas)).
    { apply (poly_ext _ (fun x => combined about items sheet masks q rhos betas x [-] scalar_at betas (about_bits about) [*] link_at previous items before mask x)).
      - intros x. symmetry. apply linked_combined_is.
      - apply poly_sub; [| apply poly_scale, link_poly]. apply (poly_more (3 * d + 2 * N.to_nat n)); [unfold most; lia |].
        destruct others_short. exact (combined_poly about items sheet size_legal moments_few d masks q rhos betas some_coefficient known_sheet known_masks ltac:(assumption)). }
    destruct P as (p & L & P). rewrite <- P in wrong. pose proof (few_roots p s _ distinct wrong) as few. fold most.
    etransitivity; [| transitivity (pred (length p)); [exact few | lia]].
    apply Nat.eq_le_incl, filter_ext_length. intros x _. unfold is_root. now rewrite P.
  - rewrite filter_none by reflexivity. simpl. lia.
Qed.

Let claims_count : nat := (N.to_nat (about_bits about) + 4)%nat.

Theorem counted_link_openings_few (drawn : CertificateChallenges) (shown : LinkedCertificate) (s : list Scalar) (prover : list Scalar -> list Scalar) :
  NoDup s -> (forall gammas, (length (prover gammas) <= d)%nat) -> seq_length (certificate_bits (linked_body shown)) = about_bits about ->
  (length (filter (fun '(gammas, z) => link_opening_counted about previous items drawn shown sheet masks before mask q gammas (prover gammas) z)
    (list_prod (choices s claims_count) s)) * length s
  <= (1 + (d + claims_count)) * length (list_prod (choices s claims_count) s))%nat.
Proof.
  intros distinct short' many. unfold link_opening_counted.
  destruct (false_link_claim about previous items drawn shown sheet masks before mask q) as [k |] eqn:E.
  - apply find_some in E as [K wrong]. apply range_in in K. apply negb_true_iff, not_true_iff_false in wrong. rewrite scalar_eqb_iff in wrong.
    pose proof (linked_claims_length about previous items drawn shown many) as L.
    assert (L' : length (linked_claims about previous items drawn shown) = claims_count) by (unfold seq_length in L; unfold claims_count; lia).
    pose proof (counted_challenges_few (linked_claims about previous items drawn shown)
      (linked_polynomial about previous items drawn sheet masks before mask q (certificate_value (linked_body shown))) d k s s prover distinct distinct ltac:(lia) wrong) as few.
    rewrite L' in few. rewrite prod_length, choices_length. etransitivity.
    + apply Nat.mul_le_mono_r, few; [| exact short' | exact some_coefficient]. intros i _. now apply linked_polynomial_short.
    + unfold claims_count. replace (N.to_nat (about_bits about) + 4 - 1)%nat with (N.to_nat (about_bits about) + 3)%nat by lia.
      replace (N.to_nat (about_bits about) + 4)%nat with (S (N.to_nat (about_bits about) + 3)) by lia. rewrite Nat.pow_succ_r'. nia.
  - rewrite filter_none by (intros [gammas z] _; reflexivity). simpl. lia.
Qed.

End Counts.

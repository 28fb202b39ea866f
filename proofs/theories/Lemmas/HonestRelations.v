(** The relations of an honest sheet, combined by any challenges, are Z times a polynomial, which is what the specification's prover computes.

    - [combined_divides]: the polynomial has no more coefficients than the ceremony has powers;
    - [masked_values_off], [next_value_off], ..: what the prover computes at a point off the domain are values of polynomials;
    - [relation_value_is], [quotient_value_is]: the relations and their quotient among them. *)
From Coq Require Import NArith List Bool Lia Sorted Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.KnownPoints Table.KnownSegment Table.Sheet Table.Certificate Table.CertificateProver.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials Lemmas.Batch
  Lemmas.PolynomialRoots Lemmas.PolynomialProducts Spec.Commitment.FoldedOpening Lemmas.FoldedSound Lemmas.SheetRelations
  Spec.Table.Sheet Spec.Table.DomainValues Spec.Table.Certificate Lemmas.CertificateRelations Lemmas.CertificateSound
  Lemmas.HonestPolynomials Lemmas.HonestSheet.
From Aardvark Require Lemmas.Hiding.
Import ListNotations.
Local Open Scope N_scope.

Section Relations.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

Variables (about : CertificateAbout) (items : list SheetItem) (segments : list KnownSegment) (masks : CertificateMasks).

Let n : N := sheet_size (sheet_log items).
Let bits : N := about_bits about.
Let moments : N := about_moments about.
Let guard : N := guard_position n.
Let point (i : N) : Scalar := domain_point n i.
Let segment (k : N) : KnownSegment := seq_at segments k.
Let sheet : SheetPolynomials := honest_polynomials items segments.
Let known : MaskPolynomials := honest_masks about items segments masks.

Hypothesis legal : sheet_legal (sheet_log items) moments items = true.
Hypothesis honest : honest_sheet about items segments.

Let parts : legal_parts about items := sheet_legal_parts about items legal.

Let size_facts : 8 <= n /\ n <= 2048 /\ 3 <= n /\ 4 <= n /\ 4096 mod n = 0 /\ guard = n - 3 /\ mask_position n = n - 2.
Proof. exact (size_facts about items legal). Qed.

(** The powers that the ceremony has. *)
Definition ceremony_powers : nat := 4096.

(** ** Off the domain, whatever the challenges *)

Variable drawn : CertificateChallenges.
Let rhos : list Scalar := drawn_rhos drawn.
Let betas : list Scalar := drawn_betas drawn.
Let zeta : Scalar := drawn_zeta drawn.
Let beta_of (p : N) : Scalar := beta_moment about drawn p.

(** The relations, combined. *)
Let all_relations (x : Scalar) : Scalar := combination (fun t => relation about items sheet known rhos t x) betas (relations about).

Theorem relations_vanish (t i : N) : t < relations about -> i <= guard -> relation about items sheet known rhos t (point i) = scalar_of_N 0.
Proof.
  intros T L. destruct size_facts as (_ & _ & S3 & _ & D & _). destruct (honest_related about items segments masks legal honest) as [B O S A].
  assert (laid : forall k, k < seq_length items -> first_of items k < behind_of items k /\ behind_of items k <= guard).
  { intros k K. apply (segment_laid about items legal) in K. fold n guard in K. unfold first_of, behind_of. lia. }
  unfold relation, relations in *. destruct (N.ltb_spec t (about_bits about)) as [Lt | Lt]; [exact (B t i Lt L) |].
  destruct (N.eqb_spec t (about_bits about)) as [-> | N1].
  { etransitivity; [exact (order_on about items sheet known S3 D i L) | exact (O i L)]. }
  destruct (N.eqb_spec t (about_bits about + 1)) as [-> | N2].
  - etransitivity; [exact (support_on about items sheet known rhos S3 D laid i L) |]. apply sum_all_zero. intros k K.
    replace (segment_error items sheet 0 i k) with (scalar_of_N 0); [ring | symmetry; exact (S k i K L)].
  - etransitivity; [exact (sums_on about items sheet known rhos S3 D (t - (about_bits about + 2)) i L) |]. apply sum_all_zero. intros k K.
    replace (segment_error items sheet (t - (about_bits about + 2) + 1) i k) with (scalar_of_N 0); [ring |]. symmetry.
    unfold segment_error. destruct (N.eqb_spec (t - (about_bits about + 2) + 1) 0); [lia |].
    replace (t - (about_bits about + 2) + 1 - 1) with (t - (about_bits about + 2)) by lia. exact (A (t - (about_bits about + 2)) k i ltac:(lia) K L).
Qed.

(** *** How many coefficients *)

Let width : nat := N.to_nat n.

Lemma room : exists m, (2 <= m)%nat /\ (N.to_nat moments <= m)%nat /\ (m * width <= ceremony_powers)%nat.
Proof.
  destruct size_facts as (S8 & S & _). pose proof legal as L. unfold sheet_legal in L. rewrite !andb_true_iff, !N.leb_le in L.
  destruct L as (((((((_ & M) & A) & B) & _) & _) & _) & _). unfold MIN_SHEET_LOG, max_sheet_log, MAX_SHEET_LOG, ceremony_powers, width in *.
  destruct (N.leb_spec moments 2).
  - exists 2%nat. repeat split; lia.
  - exists 3%nat. assert (n <= 1024); [| repeat split; lia]. clear - A B. unfold n. revert A B. generalize (sheet_log items). intros log A B.
    assert (E : log = 3 \/ log = 4 \/ log = 5 \/ log = 6 \/ log = 7 \/ log = 8 \/ log = 9 \/ log = 10) by lia.
    repeat (destruct E as [-> | E]; [vm_compute; discriminate |]). subst. vm_compute. discriminate.
Qed.

Lemma values_width (k : N) : (length (values_under sheet k) <= width)%nat.
Proof. cbn [sheet honest_polynomials values_under]. rewrite interpolation_length. reflexivity. Qed.
Lemma sums_width (p k : N) : (length (sums_under sheet p k) <= width)%nat.
Proof. cbn [sheet honest_polynomials sums_under]. fold n. rewrite interpolation_length. reflexivity. Qed.
Lemma bits_width (j : N) : (length (bits_under known j) <= width)%nat.
Proof. cbn [known honest_masks bits_under]. fold n. rewrite interpolation_length. reflexivity. Qed.

Lemma total_poly (f : N -> Scalar -> Scalar) (m : nat) (k : N) : (forall i, is_poly m (f i)) -> is_poly m (fun x => sum (fun i => f i x) k).
Proof. intros P. apply poly_sum. intros i _. apply P. Qed.

Lemma vanishing_times (p : list Scalar) : length p = 3%nat -> is_poly (S width) (fun x => vanishing_at items x [*] polynomial_at p x).
Proof.
  destruct size_facts as (S8 & _ & S3 & _ & D & _). intros L. apply (poly_more (width - 1 + 2)); [unfold width; lia |]. apply poly_multiply.
  - apply poly_of. rewrite (rows_polynomial_length n S3 D). unfold width. lia.
  - apply poly_of. lia.
Qed.

Lemma masked_poly : is_poly (S width) (masked_at items sheet known).
Proof.
  apply poly_add.
  - apply (poly_more width); [lia |]. apply total_poly. intros k. apply poly_of, values_width.
  - apply vanishing_times. reflexivity.
Qed.

Lemma masked_sums_poly (p : N) : is_poly (S width) (fun x => combined_sums_at items sheet rhos p x [+] sums_mask_at items known p x).
Proof.
  apply poly_add.
  - apply (poly_more width); [lia |]. apply total_poly. intros k. apply poly_scale, poly_of, sums_width.
  - unfold sums_mask_at. destruct (p =? 0); [apply vanishing_times; reflexivity |]. exists []. split; [cbn; lia | reflexivity].
Qed.

Lemma combined_values_poly : is_poly width (combined_values_at items sheet rhos).
Proof. apply total_poly. intros k. apply poly_scale, poly_of, values_width. Qed.

Lemma unguarded_times (m : nat) (f : Scalar -> Scalar) : (2 <= m)%nat -> is_poly (S width) f -> is_poly (m * width) (fun x => unguarded_of items x [*] f x).
Proof.
  intros M P. apply (poly_more (width + width)); [nia |]. apply poly_multiply; [| exact P]. apply poly_of.
  destruct size_facts as (_ & _ & S3 & _ & D & _). apply (unguarded_polynomial_length n); assumption.
Qed.

Lemma relation_poly (m : nat) (t : N) : (2 <= m)%nat -> (N.to_nat moments <= m)%nat -> t < relations about ->
  is_poly (m * width) (relation about items sheet known rhos t).
Proof.
  intros M M' T. unfold relations in T. destruct size_facts as (S8 & _ & S3 & _ & D & _). assert (W : (8 <= width)%nat) by (unfold width; lia).
  unfold relation. destruct (t <? about_bits about).
  { apply poly_sub.
    - apply (poly_more (width + (width - 1))); [nia |]. apply poly_multiply; apply poly_of; pose proof (bits_width t); lia.
    - apply (poly_more width); [nia |]. apply poly_of, bits_width. }
  destruct (t =? about_bits about).
  { unfold order_relation. apply poly_sub; [apply poly_add; [apply poly_sub |] |].
    - apply (unguarded_times m (fun x => masked_at items sheet known (next_of items x)) M). apply poly_dilate, masked_poly.
    - apply (poly_more (S width)); [nia | exact masked_poly].
    - apply poly_scale, total_poly. intros k. apply (poly_more width); [nia |]. apply poly_of.
      rewrite (lagrange_polynomial_length n). unfold width. lia.
    - apply (total_poly (fun j x => scalar_of_N (2 ^ j) [*] polynomial_at (bits_under known j) x)). intros j. apply poly_scale.
      apply (poly_more width); [nia |]. apply poly_of, bits_width. }
  destruct (t =? about_bits about + 1).
  { unfold support_relation. apply poly_sub.
    - apply (poly_more width); [nia | exact combined_values_poly].
    - apply (poly_more (width + width)); [nia |]. apply poly_multiply; [| exact masked_poly].
      apply total_poly. intros k. apply poly_scale, poly_of. apply (interval_polynomial_length n). }
  set (p := t - (about_bits about + 2)). assert (P : (S (N.to_nat p) <= m)%nat) by (unfold p, moments in *; lia). clearbody p.
  unfold sums_relation. apply poly_sub; [apply poly_sub |].
  - apply (poly_more (S width)); [nia | apply masked_sums_poly].
  - apply (unguarded_times m (fun x => combined_sums_at items sheet rhos p (next_of items x) [+] sums_mask_at items known p (next_of items x)) M).
    apply (poly_dilate _ _ (fun x => combined_sums_at items sheet rhos p x [+] sums_mask_at items known p x)), masked_sums_poly.
  - apply (poly_more (width + N.to_nat p * width)); [nia |]. apply poly_multiply; [exact combined_values_poly |].
    apply (poly_ext _ (fun x => scalar_pow (masked_at items sheet known x) (N.of_nat (N.to_nat p)))); [intros x; now rewrite N2Nat.id |].
    apply poly_power. exact masked_poly.
Qed.

(** What is divided by Z without a remainder. [outside] is any point off the domain. *)
Theorem combined_divides (outside : Scalar) : on_domain n outside = false ->
  exists q, (length q <= ceremony_powers)%nat /\ forall x, all_relations x = vanishing_at items x [*] polynomial_at q x.
Proof.
  intros off. destruct size_facts as (_ & _ & _ & S4 & D & G & _). destruct room as (m & M & M' & R).
  assert (P : is_poly (m * width) all_relations).
  { apply (poly_sum (m * width) (fun t x => scalar_at betas t [*] relation about items sheet known rhos t x)). intros t T. apply poly_scale.
    now apply relation_poly. }
  destruct P as (p & L & E). destruct (rows_divide n S4 D p outside off) as (q & L' & E').
  - intros i I. rewrite E. apply sum_all_zero. intros t T. fold (point i). rewrite relations_vanish by (assumption || lia). ring.
  - exists q. split; [lia |]. intros x. rewrite <- E. apply E'.
Qed.

(** *** What the prover computes at a point off the domain *)

Section Off.

Variable x : Scalar.
Hypothesis off : on_domain n x = false.

Lemma values_off (k : N) : values_at n (segment k) x = polynomial_at (values_under sheet k) x.
Proof. destruct size_facts as (_ & _ & _ & S4 & D & _). unfold values_at. rewrite Hiding.values_vector_map. now rewrite (vector_value_off n S4 D). Qed.

Lemma sums_off (p k : N) : sums_at n (segment k) (p + 1) x = polynomial_at (sums_under sheet p k) x.
Proof. destruct size_facts as (_ & _ & _ & S4 & D & _). unfold sums_at. rewrite Hiding.sums_vector_map. now rewrite (vector_value_off n S4 D). Qed.

Lemma bits_off : bits_at about n segments masks x = map (fun j => polynomial_at (bits_under known j) x) (range 0 bits).
Proof.
  destruct size_facts as (_ & _ & _ & S4 & D & _). unfold bits_at, bits_at_step. rewrite (fold_range_append _ 0 (about_bits about) []). cbn [app].
  apply map_ext_in. intros j _. unfold bit_vector, bit_vector_step.
  rewrite (fold_range_append (bit_element n segments (about_cap about) masks j) 0 n []). cbn [app]. now rewrite (vector_value_off n S4 D).
Qed.

Lemma rows_vanishing_is : rows_vanishing n x = vanishing_at items x.
Proof. symmetry. exact (vanishing_off about items parts x off). Qed.

Lemma masked_values_off : masked_values_at n segments masks x = masked_at items sheet known x.
Proof.
  unfold masked_values_at, masked_at. rewrite rows_vanishing_is. cbn [known honest_masks values_mask_under]. rewrite mask_polynomial_at. f_equal.
  unfold all_values_at. rewrite (many_segments about items segments honest). apply fold_left_ext_in. intros total k _. unfold all_values_at_step. fold (segment k).
  now rewrite values_off.
Qed.

Lemma combined_values_off : CertificateProver.combined_values_at n segments rhos x = combined_values_at items sheet rhos x.
Proof.
  unfold CertificateProver.combined_values_at. rewrite (many_segments about items segments honest). apply fold_left_ext_in. intros total k _.
  unfold combined_values_at_step. fold (segment k). now rewrite values_off.
Qed.

(** Σ β_p A_p *)
Let moments_at (y : Scalar) : Scalar := sum (fun p => beta_of p [*] combined_sums_at items sheet rhos p y) moments.

Lemma all_sums_off : all_sums_at about segments drawn n x = moments_at x.
Proof.
  apply fold_left_ext_in. intros total p _. unfold all_sums_at_step. do 2 f_equal. unfold CertificateProver.combined_sums_at.
  rewrite (many_segments about items segments honest). apply fold_left_ext_in. intros total' k _. unfold combined_sums_at_step. fold (segment k). now rewrite sums_off.
Qed.

End Off.

(** The mask of the sums, times its β. *)
Let masked_moments (y : Scalar) : Scalar := sum (fun p => beta_of p [*] combined_sums_at items sheet rhos p y) moments
  [+] beta_of 0 [*] (vanishing_at items y [*] polynomial_at (sums_mask_under known) y).

Lemma next_value_off (x : Scalar) : on_domain n x = false ->
  next_value about n segments masks drawn x = unguarded_of items x [*]
  (beta_order about drawn [*] masked_at items sheet known (next_of items x) [-] masked_moments (next_of items x)).
Proof.
  intros off. destruct size_facts as (_ & _ & S3 & S4 & D & _). pose proof (off_domain_next n S3 D x off) as next. unfold next_value. cbv zeta.
  rewrite masked_values_off, rows_vanishing_is, all_sums_off by exact next. unfold unguarded_of. fold n.
  rewrite (unguarded_polynomial_off n S3 D x off). unfold masked_moments, next_of, beta_of. fold n. cbn [known honest_masks sums_mask_under].
  rewrite mask_polynomial_at. ring.
Qed.

(** The relations, combined, by kinds. *)
Lemma relations_by_kind (x : Scalar) : all_relations x =
  sum (fun j => scalar_at betas j [*] (polynomial_at (bits_under known j) x [*] polynomial_at (bits_under known j) x [-] polynomial_at (bits_under known j) x)) bits
  [+] beta_order about drawn [*] order_relation about items sheet known x [+] beta_support about drawn [*] support_relation items sheet known rhos x
  [+] (masked_moments x [-] unguarded_of items x [*] masked_moments (next_of items x)
    [-] combined_values_at items sheet rhos x [*] powers_combined about drawn (masked_at items sheet known x)).
Proof.
  unfold all_relations, combination, relations. fold bits moments. rewrite !sum_split.
  rewrite (sum_ext _ (fun j => scalar_at betas j [*] (polynomial_at (bits_under known j) x [*] polynomial_at (bits_under known j) x
    [-] polynomial_at (bits_under known j) x)) bits).
  2: { intros j J. unfold relation. fold bits. now rewrite (proj2 (N.ltb_lt _ _) J). }
  change 2 with (0 + 1 + 1) at 1. rewrite !sum_succ, sum_zero, N.add_0_r. change (0 + 1) with 1.
  replace (relation about items sheet known rhos bits x) with (order_relation about items sheet known x).
  2: { unfold relation. fold bits. now rewrite N.ltb_irrefl, N.eqb_refl. }
  replace (relation about items sheet known rhos (bits + 1) x) with (support_relation items sheet known rhos x).
  2: { unfold relation. fold bits. destruct (N.ltb_spec (bits + 1) bits); [lia |]. destruct (N.eqb_spec (bits + 1) bits); [lia |].
    now rewrite N.eqb_refl. }
  rewrite (sum_ext _ (fun p => beta_of p [*] sums_relation items sheet known rhos p x) moments).
  2: { intros p _. unfold relation. fold bits. destruct (N.ltb_spec (bits + 2 + p) bits); [lia |].
    destruct (N.eqb_spec (bits + 2 + p) bits); [lia |]. destruct (N.eqb_spec (bits + 2 + p) (bits + 1)); [lia |].
    now replace (bits + 2 + p - (bits + 2)) with p by lia. }
  pose proof (sums_relations_sum about items drawn sheet known parts x) as S. cbv beta in S. fold moments rhos in S. unfold beta_of. rewrite S.
  change (powers_combined about drawn (masked_at items sheet known x))
    with (sum (fun p => beta_moment about drawn p [*] scalar_pow (masked_at items sheet known x) p) moments).
  change (scalar_at betas bits) with (beta_order about drawn). change (scalar_at betas (bits + 1)) with (beta_support about drawn).
  unfold masked_moments, beta_of. ring.
Qed.

Lemma bit_values_sums (x : Scalar) : let bit_values := map (fun j => polynomial_at (bits_under known j) x) (range 0 bits) in
  bits_relation bit_values betas = sum (fun j => scalar_at betas j [*]
    (polynomial_at (bits_under known j) x [*] polynomial_at (bits_under known j) x [-] polynomial_at (bits_under known j) x)) bits /\
  weighted_bits bit_values = sum (fun j => scalar_of_N (2 ^ j) [*] polynomial_at (bits_under known j) x) bits.
Proof.
  cbv zeta. rewrite bits_relation_sum, weighted_bits_sum, seq_length_map, seq_length_range.
  split; apply sum_ext; intros j J; now rewrite scalar_at_map.
Qed.

Theorem relation_value_is (x : Scalar) : on_domain n x = false -> relation_value about items segments masks drawn x = all_relations x.
Proof.
  intros off. unfold relation_value. cbv zeta. fold n rhos betas.
  rewrite (bits_off x off), (masked_values_off x off), (combined_values_off x off), (all_sums_off x off), (rows_vanishing_is x off),
    (next_value_off x off).
  destruct (bit_values_sums x) as [-> ->].
  pose (at_x := {| drawn_rhos := rhos; drawn_betas := betas; drawn_zeta := x |}).
  pose proof (lasts_off about items at_x parts off) as E. cbn [at_x drawn_zeta] in E. fold n in E. rewrite E. clear E.
  pose proof (identity_off about items at_x parts off) as E. cbn [at_x drawn_zeta drawn_rhos] in E. fold n in E. rewrite E. clear E.
  rewrite relations_by_kind. unfold order_relation, support_relation, masked_moments, beta_of. fold bits.
  cbn [known honest_masks sums_mask_under]. rewrite <- !mask_polynomial_at.
  change (scalar_of_number (about_cap about)) with (scalar_of_N (about_cap about)). ring.
Qed.

(** *** The quotient *)

Variable q : list Scalar.
Hypothesis divided : forall x, all_relations x = vanishing_at items x [*] polynomial_at q x.

Theorem quotient_value_is (x : Scalar) : on_domain n x = false -> quotient_value about items segments masks drawn x = polynomial_at q x.
Proof.
  intros off. destruct size_facts as (_ & _ & _ & S4 & D & _). unfold quotient_value. cbv zeta. fold n.
  rewrite relation_value_is, divided, (rows_vanishing_is x off) by exact off. unfold scalar_inverse.
  pose proof (Hiding.vanishing_nonzero n S4 D x off) as Z. rewrite (rows_vanishing_is x off) in Z. field. exact Z.
Qed.

End Relations.

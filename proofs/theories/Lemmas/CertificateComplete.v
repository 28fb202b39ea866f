(** Honest certificates: their points are values at tau of polynomials that do not depend on it, their claims are true of these, and the
    verifier accepts them but for named challenges.

    - [sheet_known], [made_points], [made_values]: the polynomials under what the specification's prover makes;
    - [honest_claims_true]: the claims are true of them;
    - [honest_certificate]: so is the opening made of polynomials, and accepted;
    - [certificate_complete]: with the named challenges, [completeness_counted]. *)
From Coq Require Import NArith List Bool Lia Sorted Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.KnownPoints Table.KnownSegment Table.Sheet Table.Certificate Table.CertificateProver.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials Lemmas.Batch
  Lemmas.PolynomialRoots Lemmas.PolynomialProducts Spec.Commitment.FoldedOpening Lemmas.FoldedSound Lemmas.SheetRelations
  Spec.Table.Sheet Spec.Table.DomainValues Spec.Table.Certificate Lemmas.CertificateRelations Lemmas.CertificateSound
  Lemmas.HonestPolynomials Lemmas.HonestSheet Lemmas.HonestRelations.
From Aardvark Require Lemmas.Hiding.
Import ListNotations.
Local Open Scope N_scope.

Section Complete.

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

Variable drawn : CertificateChallenges.
Let rhos : list Scalar := drawn_rhos drawn.
Let betas : list Scalar := drawn_betas drawn.
Let zeta : Scalar := drawn_zeta drawn.
Let beta_of (p : N) : Scalar := beta_moment about drawn p.
Let width : nat := N.to_nat n.
(** The mask of the sums, times its β. *)
Let masked_moments (y : Scalar) : Scalar := sum (fun p => beta_of p [*] combined_sums_at items sheet rhos p y) moments
  [+] beta_of 0 [*] (vanishing_at items y [*] polynomial_at (sums_mask_under known) y).

Let all_relations (x : Scalar) : Scalar := combination (fun t => relation about items sheet known rhos t x) betas (relations about).

Variable q : list Scalar.
Hypothesis divided : forall x, all_relations x = vanishing_at items x [*] polynomial_at q x.

Variables (setup : KzgSetup) (shown : Certificate).
Let tau : Scalar := g2_exponent (kzg_key setup).

(** The records hold the points of the segments. *)
Definition records_held : Prop := forall k, k < seq_length items ->
  held_element (record_values (item_record (seq_at items k))) = g1_multiple (values_at n (seq_at segments k) tau) /\
  forall p, p < about_moments about ->
    held_element (seq_at (record_sums (item_record (seq_at items k))) p) = g1_multiple (sums_at n (seq_at segments k) (p + 1) tau).

(** The certificate is the prover's, but for its encodings and its opening. *)
Definition certificate_made : Prop :=
  let made := unopened_certificate tau about items segments masks drawn in
  map held_element (certificate_bits shown) = map held_element (certificate_bits made) /\
  held_element (certificate_values_mask shown) = held_element (certificate_values_mask made) /\
  held_element (certificate_sums_mask shown) = held_element (certificate_sums_mask made) /\
  held_element (certificate_quotient shown) = held_element (certificate_quotient made) /\
  certificate_bit_values shown = certificate_bit_values made /\ certificate_value shown = certificate_value made /\
  certificate_next shown = certificate_next made.

Hypothesis tau_off : on_domain n tau = false.
Hypothesis zeta_off : on_domain n zeta = false.
Hypothesis records : records_held.
Hypothesis made : certificate_made.

Lemma sheet_known : sheet_committed setup items sheet.
Proof.
  intros k K. destruct (records k K) as [V A]. split.
  - rewrite V. unfold polynomial_element. fold tau. f_equal. exact (values_off about items segments legal tau tau_off k).
  - intros p P. rewrite (legal_sums _ _ parts) in P by now apply seq_at_in. rewrite A by exact P. unfold polynomial_element. fold tau.
    f_equal. exact (sums_off about items segments legal tau tau_off p k).
Qed.

Lemma made_bits : seq_length (certificate_bits shown) = bits /\
  forall j, j < bits -> held_element (seq_at (certificate_bits shown) j) = polynomial_element setup (bits_under known j).
Proof.
  destruct made as (B & _). cbn [unopened_certificate certificate_bits] in B. fold n in B. rewrite (bits_off about items segments masks legal tau tau_off) in B.
  unfold unencoded_points, unencoded_points_step in B.
  rewrite (fold_range_append (fun i => unencoded_point (seq_at (map (fun j => polynomial_at (bits_under known j) tau) (range 0 bits)) i)) 0 _ []) in B.
  cbn [app] in B. rewrite seq_length_map, seq_length_range, map_map in B.
  assert (L : seq_length (certificate_bits shown) = bits).
  { apply (f_equal (fun s => seq_length s)) in B. now rewrite !seq_length_map, seq_length_range in B. }
  split; [exact L |]. intros j J. apply (f_equal (fun s => seq_at s j)) in B. rewrite Hiding.mapped_at in B by lia. rewrite B.
  rewrite nth_map_range by exact J. cbn [unencoded_point held_element]. rewrite nth_map_range by exact J. reflexivity.
Qed.

Lemma made_points : held_element (certificate_values_mask shown) = polynomial_element setup (values_mask_under known) /\
  held_element (certificate_sums_mask shown) = polynomial_element setup (sums_mask_under known) /\
  held_element (certificate_quotient shown) = polynomial_element setup q.
Proof.
  destruct made as (_ & V & S & Q & _). rewrite V, S, Q. cbn [unopened_certificate certificate_values_mask certificate_sums_mask certificate_quotient
    unencoded_point held_element known honest_masks values_mask_under sums_mask_under]. unfold polynomial_element. fold tau.
  rewrite !mask_polynomial_at, (quotient_value_is about items segments masks legal honest drawn q divided tau tau_off). auto.
Qed.

Lemma made_values : certificate_bit_values shown = map (fun j => polynomial_at (bits_under known j) zeta) (range 0 bits) /\
  certificate_value shown = masked_at items sheet known zeta /\
  certificate_next shown = unguarded_of items zeta [*]
    (beta_order about drawn [*] masked_at items sheet known (next_of items zeta) [-] masked_moments (next_of items zeta)).
Proof.
  destruct made as (_ & _ & _ & _ & B & V & E). rewrite B, V, E. cbn [unopened_certificate certificate_bit_values certificate_value certificate_next].
  fold n zeta. rewrite (bits_off about items segments masks legal zeta zeta_off), (masked_values_off about items segments masks legal honest zeta zeta_off), (next_value_off about items segments masks legal honest drawn zeta zeta_off). auto.
Qed.

Let claims : list FoldedClaim := certificate_claims about items drawn shown.
Let under : N -> list Scalar := claim_polynomial about items drawn sheet known q (certificate_value shown).

Theorem honest_claims_true (i : N) : i < bits + 3 -> claim_error claims under i = scalar_of_N 0.
Proof.
  intros L. destruct made_bits as [many _]. destruct made_values as (B & V & E). destruct size_facts as (_ & _ & S3 & S4 & D & _).
  pose proof (off_domain_next n S3 D zeta zeta_off) as next_off. unfold claim_error. apply scalar_sub_zero. unfold under, claim_polynomial. fold bits.
  destruct (N.ltb_spec i bits) as [Li | Li].
  { unfold claims. rewrite (claims_at_bit about items drawn shown many i Li). cbn [bit_claim folded_point folded_value]. rewrite B.
    now rewrite scalar_at_map. }
  destruct (N.eqb_spec i bits) as [-> | N1].
  { unfold claims. rewrite (claims_at_values about items drawn shown many). cbn [folded_point folded_value]. rewrite V. fold n zeta.
    exact (masked_off about items sheet known parts zeta zeta_off). }
  destruct (N.eqb_spec i (bits + 1)) as [-> | N2].
  - unfold claims. rewrite (claims_at_linear about items drawn shown many). cbn [folded_point folded_value].
    unfold linear_polynomial. cbv zeta. fold n zeta. rewrite !added_at, !scaled_at, moments_polynomial_value, combined_values_value.
    rewrite (rows_vanishing_is about items legal zeta zeta_off). unfold linear_value. cbv zeta. fold n zeta rhos betas.
    rewrite (lasts_off about items drawn parts zeta_off), (identity_off about items drawn parts zeta_off). fold zeta rhos.
    rewrite B, V, E. destruct (bit_values_sums about items segments masks drawn zeta) as [E1 E2]. fold known bits betas in E1, E2. rewrite E1, E2. pose proof (eq_trans (eq_sym (relations_by_kind about items segments masks legal drawn zeta)) (divided zeta)) as R. fold known sheet bits betas rhos moments in R.
    apply (proj2 (scalar_sub_zero _ _)) in R. unfold order_relation, support_relation, masked_moments, beta_of in R |- *. fold bits rhos in R |- *.
    change (scalar_of_number (about_cap about)) with (scalar_of_N (about_cap about)). change scalar_zero with (scalar_of_N 0).
    apply scalar_sub_zero. etransitivity; [| exact R]. cbv beta. fold moments. ring.
  - replace i with (bits + 2) by lia. unfold claims. rewrite (claims_at_next about items drawn shown many). cbn [folded_point folded_value]. rewrite E.
    unfold next_polynomial. cbv zeta. fold n zeta. rewrite !scaled_at, !added_at, !scaled_at, !added_at, !scaled_at, moments_polynomial_value.
    rewrite (masked_off about items sheet known parts _ next_off). unfold next_of, unguarded_of, masked_moments, beta_of. fold n.
    rewrite (rows_vanishing_is about items legal _ next_off), (unguarded_polynomial_off n S3 D zeta zeta_off). cbv beta. fold moments rhos. ring.
Qed.

(** *** The opening *)

Hypothesis tau_apart : tau <> zeta /\ tau <> domain_point n 1 [*] zeta.

Lemma honest_claims_committed : commits_to_polynomials claims under setup.
Proof.
  destruct made_bits as [many B]. destruct made_points as (V & S & Q).
  pose (unopened := {| certificate_bits := certificate_bits shown; certificate_values_mask := certificate_values_mask shown;
    certificate_sums_mask := certificate_sums_mask shown; certificate_quotient := certificate_quotient shown;
    certificate_bit_values := certificate_bit_values shown; certificate_value := certificate_value shown;
    certificate_next := certificate_next shown; certificate_scalar_bytes := certificate_scalar_bytes shown;
    certificate_opening := {| folded_quotient := g1_identity; folded_witness := g1_identity |};
    certificate_opening_bytes := certificate_opening_bytes shown |}).
  assert (nothing : g1_identity = polynomial_element setup []) by (apply g1_ext; reflexivity).
  refine (claims_committed about items drawn sheet known q setup unopened many [] [] sheet_known (legal_sums _ _ parts) _).
  unfold certificate_committed. cbn [unopened certificate_bits certificate_values_mask certificate_sums_mask certificate_quotient certificate_opening
    folded_quotient folded_witness]. rewrite many. repeat split; assumption.
Qed.

Lemma honest_points (i : N) : i < seq_length claims -> folded_point (seq_at claims i) = zeta \/ folded_point (seq_at claims i) = domain_point n 1 [*] zeta.
Proof.
  destruct made_bits as [many _]. unfold claims. rewrite (claims_length about items drawn shown many). fold bits. intros L.
  destruct (N.lt_ge_cases i bits) as [B | B]; [rewrite (claims_at_bit about items drawn shown many i B); now left |].
  destruct (N.eq_dec i bits) as [-> | N1]; [unfold bits; rewrite (claims_at_values about items drawn shown many); now left |].
  destruct (N.eq_dec i (bits + 1)) as [-> | N2]; [unfold bits; rewrite (claims_at_linear about items drawn shown many); now left |].
  replace i with (bits + 2) by lia. unfold bits. rewrite (claims_at_next about items drawn shown many). now right.
Qed.

(** The polynomials under W and W'. *)
Definition honest_opening (gammas : list Scalar) (z : Scalar) : list Scalar * list Scalar :=
  (quotients_folded claims under gammas, witnesses_folded claims under gammas z).

Hypothesis q_short : (length q <= ceremony_powers)%nat.

Theorem honest_certificate (gammas : list Scalar) (z : Scalar) :
  z <> zeta -> z <> domain_point n 1 [*] zeta -> certificate_opening shown = certificate_opening_of tau about items drawn gammas z shown ->
  let w := fst (honest_opening gammas z) in
  let w' := snd (honest_opening gammas z) in
  verify_certificate_drawn setup about items drawn gammas z shown = Ok tt /\
  certificate_committed setup shown known q w w' /\ (length w <= ceremony_powers)%nat /\ (length w' <= ceremony_powers)%nat.
Proof.
  intros Z Z' opening. cbv zeta. destruct made_bits as [many B]. destruct made_points as (V & S & Q). destruct made_values as (B' & _).
  pose proof (claims_length about items drawn shown many) as L. fold claims in L.
  assert (all_true : forall i, i < seq_length claims -> claim_error claims under i = scalar_of_N 0).
  { intros i I. apply honest_claims_true. rewrite L in I. exact I. }
  assert (fresh : forall i, i < seq_length claims -> tau <> folded_point (seq_at claims i)).
  { intros i I. destruct tau_apart. destruct (honest_points i I) as [-> | ->]; assumption. }
  destruct (folded_quotients setup claims under honest_claims_committed all_true fresh gammas z) as (W & W' & accepted).
  unfold certificate_opening_of in opening. fold claims in opening. fold tau in W, W', accepted. rewrite <- opening in W, W', accepted.
  split; [| split].
  - unfold verify_certificate_drawn. fold n moments. rewrite legal. cbn [negb]. rewrite many, B', seq_length_map, seq_length_range. unfold bits.
    rewrite N.eqb_refl. cbn [negb orb]. fold zeta. rewrite zeta_off. fold claims. rewrite accepted; [reflexivity |].
    apply not_true_iff_false. rewrite point_is_claimed_iff. intros (i & I & E). destruct (honest_points i I) as [P | P]; congruence.
  - unfold certificate_committed, honest_opening. cbn [fst snd]. rewrite many. repeat split; assumption.
  - unfold honest_opening. cbn [fst snd]. apply (folded_short claims under ceremony_powers gammas z). intros i _.
    destruct size_facts as (_ & S2048 & _). assert (width_few : (width <= ceremony_powers)%nat) by (unfold width, ceremony_powers; lia).
    apply claim_polynomial_short.
    + intros k p. pose proof (values_width items segments k) as A1. pose proof (sums_width items segments p k) as A2. fold n in A1, A2. fold sheet in A1, A2. fold width in A1, A2. lia.
    + intros j. pose proof (bits_width about items segments masks j) as A1. fold n in A1. fold known in A1. fold width in A1. split; [lia |]. split; cbn; unfold ceremony_powers; lia.
    + exact q_short.
Qed.

End Complete.

(** ** With the challenges that are named *)

Section Named.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars' : scalar_field.

Variables (setup : KzgSetup) (about : CertificateAbout) (items : list SheetItem).
Let n : N := sheet_size (sheet_log items).
Let tau : Scalar := g2_exponent (kzg_key setup).

(** ζ is a point of the domain, or τ, or the position before τ; or the fold's z is a claimed point, ζ or ωζ. *)
Definition completeness_counted (zeta z : Scalar) : bool :=
  on_domain n zeta || (tau [=?] zeta) || (tau [=?] domain_point n 1 [*] zeta) || (z [=?] zeta) || (z [=?] domain_point n 1 [*] zeta).

Lemma uncounted_parts (zeta z : Scalar) : completeness_counted zeta z = false ->
  on_domain n zeta = false /\ (tau <> zeta /\ tau <> domain_point n 1 [*] zeta) /\ z <> zeta /\ z <> domain_point n 1 [*] zeta.
Proof.
  unfold completeness_counted. intros fine. repeat (apply orb_false_iff in fine; destruct fine as [fine ?]).
  split; [exact fine |]. repeat split; intros E; apply scalar_eqb_iff in E; congruence.
Qed.

Theorem certificate_complete (segments : list KnownSegment) (masks : CertificateMasks) (drawn : CertificateChallenges) (gammas : list Scalar) (z : Scalar)
    (shown : Certificate) :
  sheet_legal (sheet_log items) (about_moments about) items = true -> honest_sheet about items segments ->
  on_domain n tau = false -> records_held about items segments setup ->
  certificate_made about items segments masks drawn setup shown ->
  certificate_opening shown = certificate_opening_of tau about items drawn gammas z shown ->
  completeness_counted (drawn_zeta drawn) z = false ->
  verify_certificate_drawn setup about items drawn gammas z shown = Ok tt /\
  sheet_committed setup items (honest_polynomials items segments) /\
  exists q w w', (length q <= ceremony_powers)%nat /\ (length w <= ceremony_powers)%nat /\ (length w' <= ceremony_powers)%nat /\
    certificate_committed setup shown (honest_masks about items segments masks) q w w' /\
    (forall x, on_domain n x = false -> quotient_value about items segments masks drawn x = polynomial_at q x) /\
    (forall i, i < about_bits about + 3 -> claim_error (certificate_claims about items drawn shown)
      (claim_polynomial about items drawn (honest_polynomials items segments) (honest_masks about items segments masks) q (certificate_value shown)) i
      = scalar_of_N 0).
Proof.
  intros legal honest tau_off records made opening fine. apply uncounted_parts in fine as (zeta_off & apart & Z & Z').
  destruct (combined_divides about items segments masks legal honest drawn _ zeta_off) as (q & short & divided).
  destruct (honest_certificate about items segments masks legal honest drawn q divided setup shown tau_off zeta_off records made apart short
    gammas z Z Z' opening) as (accepted & committed & short_w & short_w').
  split; [exact accepted |]. split; [exact (sheet_known about items segments legal setup tau_off records) |].
  exists q. do 2 eexists. split; [exact short |]. split; [exact short_w |]. split; [exact short_w' |]. split; [exact committed |]. split.
  - exact (quotient_value_is about items segments masks legal honest drawn q divided).
  - exact (honest_claims_true about items segments masks legal honest drawn q divided setup shown tau_off zeta_off made).
Qed.

(** At most n + 4 of any ζ are counted, whatever z. *)
Theorem completeness_counted_few (z : Scalar) (s : list Scalar) : 8 <= n /\ 4096 mod n = 0 -> on_domain n tau = false -> NoDup s ->
  (length (filter (fun zeta => completeness_counted zeta z) s) <= N.to_nat n + 4)%nat.
Proof.
  intros [B D] off distinct. assert (L : 3 <= n) by lia. set (next := domain_point n 1).
  assert (W : next <> scalar_of_N 0).
  { unfold next, domain_point. apply scalar_pow_nonzero. apply (primitive_root_nonzero _ n); [lia |]. apply root_of_unity_primitive; [exact D | lia]. }
  assert (before : forall a zeta, zeta <> scalar_inv next [*] a -> (a [=?] next [*] zeta) = false).
  { intros a zeta N'. apply not_true_iff_false. rewrite scalar_eqb_iff. intros ->. apply N'. field. exact W. }
  assert (same : forall a zeta, zeta <> a -> (a [=?] zeta) = false) by (intros a zeta N'; apply not_true_iff_false; rewrite scalar_eqb_iff; congruence).
  unfold completeness_counted. fold next.
  pose (third := fun zeta => on_domain n zeta || (tau [=?] zeta) || (tau [=?] next [*] zeta)).
  transitivity (S (S (length (filter third s)))).
  - transitivity (S (length (filter (fun zeta => third zeta || (z [=?] zeta)) s))).
    + apply (filter_at_most_one (scalar_inv next [*] z)); [exact distinct |]. intros zeta N' C. rewrite (before z zeta N') in C. now rewrite orb_false_r in C.
    + apply le_n_S, (filter_at_most_one z); [exact distinct |]. intros zeta N' C. rewrite (same z zeta N') in C. now rewrite orb_false_r in C.
  - transitivity (S (S (S (S (length (filter (is_root (domain_polynomial n)) s)))))).
    + do 2 apply le_n_S. transitivity (S (length (filter (fun zeta => on_domain n zeta || (tau [=?] zeta)) s))).
      * apply (filter_at_most_one (scalar_inv next [*] tau)); [exact distinct |]. intros zeta N' C. unfold third in C.
        rewrite (before tau zeta N') in C. now rewrite orb_false_r in C.
      * apply le_n_S, (filter_at_most_one tau); [exact distinct |]. intros zeta N' C. rewrite (same tau zeta N'), orb_false_r in C.
        apply scalar_eqb_iff. rewrite domain_polynomial_at by assumption. apply (on_domain_iff n) in C. rewrite C. ring.
    + pose proof (few_roots (domain_polynomial n) s tau distinct) as R. unfold domain_polynomial in R at 3. rewrite map_length, range_length in R.
      specialize (R ltac:(intros E; rewrite domain_polynomial_at in E by assumption; apply not_true_iff_false in off; apply off, on_domain_iff;
        apply (proj1 (scalar_sub_zero _ _)); exact E)). lia.
Qed.

End Named.

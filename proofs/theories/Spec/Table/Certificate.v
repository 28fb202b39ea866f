(** A certificate's claims, for a prover who knows the polynomials under all points.

    - [sheet_committed], [certificate_committed]: with each point its polynomial, of which it is the value at tau;
    - [claims_committed]: then so is the commitment of each claim of the fold, with [claim_polynomial];
    - [claims_length], [claims_at_bit], [claims_at_values], [claims_at_linear], [claims_at_next]: the claims one by one;
    - [accepted_parts]: what an accepted certificate passed;
    - [drawn_challenges], [drawn_gammas], [drawn_fold_point]: the challenges that are drawn for a certificate. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials
  Lemmas.PolynomialRoots Lemmas.PolynomialProducts Spec.Commitment.FoldedOpening Spec.Table.Sheet.
From Aardvark Require Lemmas.FoldedSound.
Import ListNotations.
Local Open Scope N_scope.

Section Certificate.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** ** What was checked besides the fold *)

Lemma items_legal_each : forall moments items, items_legal moments items = true ->
  forall placed, In placed items -> seq_length (record_sums (item_record placed)) = moments.
Proof.
  intros moments items. unfold items_legal.
  rewrite (fold_range_elements (fun legal placed => items_legal_step legal moments placed)). unfold items_legal_step.
  assert (general : forall items legal, fold_left (fun legal placed => legal && (item_segment placed =? 0) &&
      (seq_length (record_sums (item_record placed)) =? moments)) items legal = true ->
    legal = true /\ forall placed, In placed items -> seq_length (record_sums (item_record placed)) = moments).
  { clear. induction items as [| first items IH]; intros legal E; [split; [exact E | intros ? []] |].
    cbn [fold_left] in E. apply IH in E as [E rest]. rewrite !andb_true_iff, !N.eqb_eq in E. destruct E as [[-> _] L].
    split; [reflexivity |]. intros placed [<- | I]; auto. }
  intros E. now apply general in E.
Qed.

Record legal_parts (about : CertificateAbout) (items : list SheetItem) : Prop := {
  legal_moments : 1 <= about_moments about /\ about_moments about <= 3;
  legal_log : 3 <= sheet_log items /\ sheet_log items <= 11;
  legal_sums : forall placed, In placed items -> seq_length (record_sums (item_record placed)) = about_moments about;
  legal_layout : laid_out (sheet_log items) 1 items;
}.

Lemma sheet_legal_parts : forall about items,
  sheet_legal (sheet_log items) (about_moments about) items = true -> legal_parts about items.
Proof.
  intros about items L. unfold sheet_legal in L. rewrite !andb_true_iff, !N.leb_le in L.
  destruct L as (((((((M & M') & A) & B) & _) & _) & S) & L). split.
  - split; assumption.
  - unfold MIN_SHEET_LOG, max_sheet_log, MAX_SHEET_LOG in *. destruct (about_moments about <=? 2); lia.
  - now apply items_legal_each.
  - now apply layout_legal_iff.
Qed.

Lemma accepted_parts : forall setup about items drawn gammas z shown,
  verify_certificate_drawn setup about items drawn gammas z shown = Ok tt ->
  legal_parts about items /\
  (seq_length (certificate_bits shown) = about_bits about /\ seq_length (certificate_bit_values shown) = about_bits about) /\
  on_domain (sheet_size (sheet_log items)) (drawn_zeta drawn) = false /\
  verify_fold setup (certificate_claims about items drawn shown) gammas z (certificate_opening shown) = true.
Proof.
  intros setup about items drawn gammas z shown. unfold verify_certificate_drawn.
  destruct (sheet_legal _ _ items) eqn:L; cbn [negb]; [| discriminate].
  destruct (negb (_ =? _) || negb (_ =? _)) eqn:B; [discriminate |]. destruct (on_domain _ _) eqn:D; [discriminate |].
  destruct (verify_fold _ _ _ _ _) eqn:V; [| discriminate]. intros _.
  apply orb_false_iff in B. rewrite !negb_false_iff, !N.eqb_eq in B. split; [now apply sheet_legal_parts | auto].
Qed.

(** ** The challenges that are drawn *)

Definition drawn_first_seed (about : CertificateAbout) (items : list SheetItem) : list N :=
  certificate_seed (certificate_statement about items).
Definition drawn_bits_seed (about : CertificateAbout) (items : list SheetItem) (shown : Certificate) : list N :=
  certificate_bits_seed (drawn_first_seed about items) shown.
Definition drawn_quotient_seed (about : CertificateAbout) (items : list SheetItem) (shown : Certificate) : list N :=
  certificate_quotient_seed (drawn_bits_seed about items shown) shown.
Definition drawn_values_seed (about : CertificateAbout) (items : list SheetItem) (shown : Certificate) : list N :=
  certificate_values_seed (drawn_quotient_seed about items shown) shown.

(** ρ, β and ζ. *)
Definition drawn_challenges (about : CertificateAbout) (items : list SheetItem) (shown : Certificate) : CertificateChallenges :=
  certificate_challenges about (seq_length items) (drawn_first_seed about items) (drawn_bits_seed about items shown)
    (drawn_quotient_seed about items shown).

(** The fold's γ and z. *)
Definition drawn_gammas (about : CertificateAbout) (items : list SheetItem) (shown : Certificate) : list Scalar :=
  fold_gammas (drawn_values_seed about items shown) (about_bits about + 3).
Definition drawn_fold_point (about : CertificateAbout) (items : list SheetItem) (shown : Certificate) : Scalar :=
  fold_point (drawn_values_seed about items shown) (certificate_opening_bytes shown).

Lemma verify_certificate_is_drawn : forall setup about items shown, verify_certificate setup about items shown =
  verify_certificate_drawn setup about items (drawn_challenges about items shown) (drawn_gammas about items shown)
    (drawn_fold_point about items shown) shown.
Proof. reflexivity. Qed.

(** ** The polynomials under the points *)

(** Under the commitments of the segments: the values of segment [k], the sums of the powers [p + 1] of segment [k]. *)
Record SheetPolynomials : Type := {
  values_under : N -> list Scalar;
  sums_under : N -> N -> list Scalar;
}.

(** Under the points of the first message: B_j, R_v, R_1. *)
Record MaskPolynomials : Type := {
  bits_under : N -> list Scalar;
  values_mask_under : list Scalar;
  sums_mask_under : list Scalar;
}.

Definition sheet_committed (setup : KzgSetup) (items : list SheetItem) (sheet : SheetPolynomials) : Prop :=
  forall k, k < seq_length items ->
    held_element (record_values (item_record (seq_at items k))) = polynomial_element setup (values_under sheet k) /\
    forall p, p < seq_length (record_sums (item_record (seq_at items k))) ->
      held_element (seq_at (record_sums (item_record (seq_at items k))) p) = polynomial_element setup (sums_under sheet p k).

(** The points of a certificate: those of the first message, Q, and the fold's W and W'. *)
Definition certificate_committed (setup : KzgSetup) (shown : Certificate) (masks : MaskPolynomials) (q w w' : list Scalar) : Prop :=
  (forall j, j < seq_length (certificate_bits shown) ->
    held_element (seq_at (certificate_bits shown) j) = polynomial_element setup (bits_under masks j)) /\
  held_element (certificate_values_mask shown) = polynomial_element setup (values_mask_under masks) /\
  held_element (certificate_sums_mask shown) = polynomial_element setup (sums_mask_under masks) /\
  held_element (certificate_quotient shown) = polynomial_element setup q /\
  folded_quotient (certificate_opening shown) = polynomial_element setup w /\
  folded_witness (certificate_opening shown) = polynomial_element setup w'.

(** ** The polynomials under the claims *)

Variables (about : CertificateAbout) (items : list SheetItem) (drawn : CertificateChallenges).
Variables (sheet : SheetPolynomials) (masks : MaskPolynomials) (q : list Scalar).

Let n : N := sheet_size (sheet_log items).
Let zeta : Scalar := drawn_zeta drawn.
Let rho (k : N) : Scalar := scalar_at (drawn_rhos drawn) k.
Let minus (p : list Scalar) : list Scalar := scaled (scalar_of_N 0 [-] scalar_of_N 1) p.

(** V *)
Definition values_polynomial : list Scalar := total_polynomial (values_under sheet) (range 0 (seq_length items)).
(** V_ρ *)
Definition combined_values_polynomial : list Scalar :=
  total_polynomial (fun k => scaled (rho k) (values_under sheet k)) (range 0 (seq_length items)).
(** A_p *)
Definition combined_sums_polynomial (p : N) : list Scalar :=
  total_polynomial (fun k => scaled (rho k) (sums_under sheet p k)) (range 0 (seq_length items)).
(** Σ β_p A_p *)
Definition moments_polynomial : list Scalar :=
  total_polynomial (fun p => scaled (beta_moment about drawn p) (combined_sums_polynomial p)) (range 0 (about_moments about)).
(** V + z R_v *)
Definition masked_polynomial (vanishing : Scalar) : list Scalar := added values_polynomial (scaled vanishing (values_mask_under masks)).

(** Lin, given v. *)
Definition linear_polynomial (v : Scalar) : list Scalar :=
  let vanishing := rows_vanishing n zeta in
  added (added (added moments_polynomial (scaled (beta_moment about drawn 0 [*] vanishing) (sums_mask_under masks)))
      (scaled (beta_support about drawn [-] powers_combined about drawn v) combined_values_polynomial))
    (minus (scaled vanishing q)).

(** E *)
Definition next_polynomial : list Scalar :=
  let vanishing := rows_vanishing n (domain_point n 1 [*] zeta) in
  scaled (unguarded_value n zeta)
    (added (scaled (beta_order about drawn) (masked_polynomial vanishing))
      (minus (added (scaled (beta_moment about drawn 0 [*] vanishing) (sums_mask_under masks)) moments_polynomial))).

Definition claim_polynomial (v : Scalar) (i : N) : list Scalar :=
  if i <? about_bits about then bits_under masks i
  else if i =? about_bits about then masked_polynomial (rows_vanishing n zeta)
  else if i =? about_bits about + 1 then linear_polynomial v
  else next_polynomial.

(** ** The claims one by one *)

Variables (setup : KzgSetup) (shown : Certificate).
Hypothesis bits_many : seq_length (certificate_bits shown) = about_bits about.

Let claims : list FoldedClaim := certificate_claims about items drawn shown.

Definition bit_claim (j : N) : FoldedClaim :=
  {| folded_commitment := held_element (seq_at (certificate_bits shown) j);
     folded_point := zeta;
     folded_value := scalar_at (certificate_bit_values shown) j |}.

Lemma bit_claims_map : bit_claims shown zeta = map bit_claim (range 0 (about_bits about)).
Proof. unfold bit_claims, bit_claims_step. rewrite fold_range_append, bits_many. reflexivity. Qed.

Lemma bit_claims_length : seq_length (bit_claims shown zeta) = about_bits about.
Proof. now rewrite bit_claims_map, seq_length_map, seq_length_range. Qed.

Lemma claims_length : seq_length claims = about_bits about + 3.
Proof. unfold claims, certificate_claims. cbv zeta. fold zeta. rewrite !seq_length_app, bit_claims_length. unfold seq_length. cbn [length]. lia. Qed.

Lemma claims_at_bit (j : N) : j < about_bits about -> seq_at claims j = bit_claim j.
Proof.
  intros L. unfold claims, certificate_claims. cbv zeta. fold zeta. rewrite seq_at_app_l by (rewrite bit_claims_length; exact L).
  rewrite bit_claims_map. now apply nth_map_range.
Qed.

Lemma claims_at_values : seq_at claims (about_bits about) =
  {| folded_commitment := masked_values items shown (rows_vanishing n zeta); folded_point := zeta;
     folded_value := certificate_value shown |}.
Proof.
  unfold claims, certificate_claims. cbv zeta. fold zeta. rewrite seq_at_app_r by (rewrite bit_claims_length; lia).
  rewrite bit_claims_length, N.sub_diag. reflexivity.
Qed.

Lemma claims_at_linear : seq_at claims (about_bits about + 1) =
  {| folded_commitment := linear_commitment about items drawn shown; folded_point := zeta;
     folded_value := linear_value about items drawn shown |}.
Proof.
  unfold claims, certificate_claims. cbv zeta. fold zeta. rewrite seq_at_app_r by (rewrite bit_claims_length; lia).
  rewrite bit_claims_length. replace (about_bits about + 1 - about_bits about) with 1 by lia. reflexivity.
Qed.

Lemma claims_at_next : seq_at claims (about_bits about + 2) =
  {| folded_commitment := next_commitment about items drawn shown; folded_point := domain_point n 1 [*] zeta;
     folded_value := certificate_next shown |}.
Proof.
  unfold claims, certificate_claims. cbv zeta. fold zeta. rewrite seq_at_app_r by (rewrite bit_claims_length; lia).
  rewrite bit_claims_length. replace (about_bits about + 2 - about_bits about) with 2 by lia. reflexivity.
Qed.

(** ** Their commitments *)

Variables (w w' : list Scalar).
Hypothesis sheet_known : sheet_committed setup items sheet.
Hypothesis sums_many : forall placed, In placed items -> seq_length (record_sums (item_record placed)) = about_moments about.
Hypothesis certificate_known : certificate_committed setup shown masks q w w'.

Let tau : Scalar := g2_exponent (kzg_key setup).

Lemma values_sum_exponent : g1_exponent (values_sum items) = polynomial_at values_polynomial tau.
Proof.
  unfold values_polynomial. rewrite total_polynomial_sum.
  change (values_sum items) with (g1_total (fun k => held_element (record_values (item_record (seq_at items k)))) (seq_length items)).
  rewrite g1_total_exponent. apply sum_ext. intros k L. now rewrite (proj1 (sheet_known k L)).
Qed.

Lemma values_combined_exponent :
  g1_exponent (values_combined items (drawn_rhos drawn)) = polynomial_at combined_values_polynomial tau.
Proof.
  unfold combined_values_polynomial. rewrite total_polynomial_sum.
  change (values_combined items (drawn_rhos drawn)) with (g1_total (fun k =>
    g1_scale (rho k) (held_element (record_values (item_record (seq_at items k))))) (seq_length items)).
  rewrite g1_total_exponent. apply sum_ext. intros k L. rewrite (proj1 (sheet_known k L)), scaled_at. reflexivity.
Qed.

Lemma sums_combined_exponent (p : N) : p < about_moments about ->
  g1_exponent (sums_combined items (drawn_rhos drawn) p) = polynomial_at (combined_sums_polynomial p) tau.
Proof.
  intros P. unfold combined_sums_polynomial. rewrite total_polynomial_sum.
  change (sums_combined items (drawn_rhos drawn) p) with (g1_total (fun k =>
    g1_scale (rho k) (sums_element_of (seq_at items k) p)) (seq_length items)).
  rewrite g1_total_exponent. apply sum_ext. intros k L. rewrite scaled_at. unfold sums_element_of.
  assert (M : p < seq_length (record_sums (item_record (seq_at items k)))) by (rewrite sums_many; [exact P | now apply seq_at_in]).
  rewrite (proj2 (N.ltb_lt _ _) M), (proj2 (sheet_known k L) p M). reflexivity.
Qed.

Lemma moments_combined_exponent : g1_exponent (moments_combined about items drawn) = polynomial_at moments_polynomial tau.
Proof.
  unfold moments_polynomial. rewrite total_polynomial_sum.
  change (moments_combined about items drawn) with (g1_total (fun p =>
    g1_scale (beta_moment about drawn p) (sums_combined items (drawn_rhos drawn) p)) (about_moments about)).
  rewrite g1_total_exponent. apply sum_ext. intros p L. rewrite scaled_at, <- sums_combined_exponent by exact L. reflexivity.
Qed.

Lemma masked_values_exponent (vanishing : Scalar) :
  g1_exponent (masked_values items shown vanishing) = polynomial_at (masked_polynomial vanishing) tau.
Proof.
  destruct certificate_known as (_ & V & _). unfold masked_values, masked_polynomial. rewrite added_at, scaled_at, <- values_sum_exponent, V.
  reflexivity.
Qed.

Lemma claims_committed : Lemmas.FoldedSound.commits_to_polynomials claims (claim_polynomial (certificate_value shown)) setup.
Proof.
  destruct certificate_known as (B & V & S & Q & _).
  intros i L. fold claims in L |- *. rewrite claims_length in L. unfold claim_polynomial.
  destruct (N.ltb_spec i (about_bits about)) as [Li | Li].
  { rewrite claims_at_bit by exact Li. apply B. now rewrite bits_many. }
  destruct (N.eqb_spec i (about_bits about)) as [-> | D].
  { rewrite claims_at_values. apply g1_ext, masked_values_exponent. }
  destruct (N.eqb_spec i (about_bits about + 1)) as [-> | D'].
  - rewrite claims_at_linear. apply g1_ext. cbn [folded_commitment]. unfold linear_commitment. cbv zeta. fold n. fold zeta.
    unfold polynomial_element. group_exponents. rewrite moments_combined_exponent, values_combined_exponent, S, Q.
    unfold polynomial_element. rewrite !g1_exponent_multiple. fold tau. unfold linear_polynomial, minus. cbv zeta.
    rewrite !added_at, !scaled_at. ring.
  - replace i with (about_bits about + 2) by lia. rewrite claims_at_next. apply g1_ext. cbn [folded_commitment].
    unfold next_commitment. cbv zeta. fold n. fold zeta.
    unfold polynomial_element. group_exponents. rewrite masked_values_exponent, moments_combined_exponent, S.
    unfold polynomial_element. rewrite !g1_exponent_multiple. fold tau. unfold next_polynomial, minus. cbv zeta.
    rewrite !scaled_at, !added_at, !scaled_at, !added_at, !scaled_at. ring.
Qed.

(** ** How many coefficients they have *)

Variable d : nat.
Hypothesis sheet_short : forall k p, (length (values_under sheet k) <= d)%nat /\ (length (sums_under sheet p k) <= d)%nat.
Hypothesis masks_short : forall j, (length (bits_under masks j) <= d)%nat /\ (length (values_mask_under masks) <= d)%nat /\
  (length (sums_mask_under masks) <= d)%nat.
Hypothesis q_short : (length q <= d)%nat.

Lemma moments_polynomial_short : (length moments_polynomial <= d)%nat.
Proof.
  apply total_polynomial_length. intros p _. rewrite scaled_length. apply total_polynomial_length. intros k _.
  rewrite scaled_length. apply sheet_short.
Qed.

Lemma masked_polynomial_short (vanishing : Scalar) : (length (masked_polynomial vanishing) <= d)%nat.
Proof.
  apply added_length; [| rewrite scaled_length; apply (masks_short 0)]. apply total_polynomial_length. intros k _. apply (sheet_short k 0).
Qed.

Lemma claim_polynomial_short (v : Scalar) (i : N) : (length (claim_polynomial v i) <= d)%nat.
Proof.
  pose proof moments_polynomial_short. destruct (masks_short i) as (B & V & S). unfold claim_polynomial.
  destruct (i <? _); [exact B |]. destruct (i =? _); [apply masked_polynomial_short |]. destruct (i =? _).
  - unfold linear_polynomial, minus. cbv zeta. repeat apply added_length; rewrite ?scaled_length; try assumption.
    apply total_polynomial_length. intros k _. rewrite scaled_length. apply (sheet_short k 0).
  - unfold next_polynomial, minus. cbv zeta. rewrite scaled_length. repeat apply added_length; rewrite ?scaled_length;
      try (apply added_length; rewrite ?scaled_length); try assumption.
    + apply total_polynomial_length. intros k _. apply (sheet_short k 0).
Qed.

End Certificate.

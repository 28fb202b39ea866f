(** Certificates are sound against algebraic provers.

    - [combined_is_linear_error], [combined_vanishes]: the claims of a certificate, where they are true of the polynomials, say that the
      combination of the relations vanishes at ζ;
    - [certificate_counted]: the challenges that are counted, of all five kinds, as a predicate that a program decides;
    - [accepted_certificate_decided]: an accepted certificate hands over a polynomial that is not 0 and vanishes at tau, or its
      challenges are counted, or the relations hold of the sheet, segment by segment. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials Lemmas.Batch
  Lemmas.PolynomialRoots Lemmas.PolynomialProducts Spec.Commitment.FoldedOpening Lemmas.FoldedSound Lemmas.SheetRelations
  Spec.Table.Sheet Spec.Table.DomainValues Spec.Table.Certificate Lemmas.CertificateRelations.
Import ListNotations.
Local Open Scope N_scope.

Section Sound.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** ** Loops of the verifier as sums *)

Lemma weighted_bits_sum (bit_values : list Scalar) :
  weighted_bits bit_values = sum (fun j => scalar_of_N (2 ^ j) [*] scalar_at bit_values j) (seq_length bit_values).
Proof.
  unfold weighted_bits. set (m := seq_length bit_values). set (b := scalar_at bit_values).
  enough (general : forall j, j <= m -> fold_left (fun total j => weighted_bits_step total (b (m - 1 - j))) (range 0 j) scalar_zero
    = sum (fun i => scalar_of_N (2 ^ i) [*] b (m - j + i)) j).
  { rewrite (general m) by lia. apply sum_ext. intros i _. now rewrite N.sub_diag, N.add_0_l. }
  induction j as [| j IH] using N.peano_ind; intros L; [reflexivity |].
  rewrite <- N.add_1_r in *. rewrite range_last, fold_left_app, IH, sum_first by lia. cbn [fold_left]. unfold weighted_bits_step.
  replace (m - (j + 1) + 0) with (m - 1 - j) by lia. change (scalar_of_N (2 ^ 0)) with (scalar_of_N 1).
  rewrite (sum_ext (fun i => scalar_of_N (2 ^ (i + 1)) [*] b (m - (j + 1) + (i + 1)))
    (fun i => scalar_of_N 2 [*] (scalar_of_N (2 ^ i) [*] b (m - j + i)))).
  - rewrite sum_scale. change 2 with (1 + 1). rewrite scalar_of_N_add. ring.
  - intros i B. replace (m - (j + 1) + (i + 1)) with (m - j + i) by lia. rewrite N.pow_add_r, N.mul_comm, scalar_of_N_mul.
    change (2 ^ 1) with 2. ring.
Qed.

Lemma bits_relation_sum (bit_values betas : list Scalar) :
  bits_relation bit_values betas = sum (fun j => scalar_at betas j [*]
    (scalar_at bit_values j [*] scalar_at bit_values j [-] scalar_at bit_values j)) (seq_length bit_values).
Proof.
  apply fold_left_ext_in. intros total j I. apply range_in in I. unfold bits_relation_step. now rewrite <- scalar_at_in by lia.
Qed.

(** A sum of which only the first term counts. *)
Lemma sum_at_zero (f : N -> Scalar) (c : Scalar) (m : N) : 1 <= m ->
  sum (fun p => f p [*] (if p =? 0 then c else scalar_of_N 0)) m = f 0 [*] c.
Proof.
  intros L. rewrite (sum_single _ m 0) by (lia || (intros k _ D; destruct (N.eqb_spec k 0); [contradiction | ring])). reflexivity.
Qed.

Lemma size_of_log (log : N) : 3 <= log -> log <= 11 -> 8 <= sheet_size log /\ sheet_size log <= 2048 /\ 4096 mod sheet_size log = 0.
Proof.
  intros A B. assert (E : log = 3 \/ log = 4 \/ log = 5 \/ log = 6 \/ log = 7 \/ log = 8 \/ log = 9 \/ log = 10 \/ log = 11) by lia.
  repeat (destruct E as [-> | E]; [vm_compute; repeat split; discriminate |]). subst. vm_compute. repeat split; discriminate.
Qed.

Variables (about : CertificateAbout) (items : list SheetItem) (drawn : CertificateChallenges).
Variables (sheet : SheetPolynomials) (masks : MaskPolynomials) (q : list Scalar).

Let n : N := sheet_size (sheet_log items).
Let bits : N := about_bits about.
Let moments : N := about_moments about.
Let segments : N := seq_length items.
Let guard : N := guard_position n.
Let rhos : list Scalar := drawn_rhos drawn.
Let betas : list Scalar := drawn_betas drawn.
Let zeta : Scalar := drawn_zeta drawn.
Let beta_of (p : N) : Scalar := beta_moment about drawn p.

Hypothesis parts : legal_parts about items.

Lemma large : 8 <= n.
Proof. destruct (legal_log _ _ parts). now apply size_of_log. Qed.

Lemma at_least_three : 3 <= n.
Proof. pose proof large. lia. Qed.

Lemma divides : 4096 mod n = 0.
Proof. destruct (legal_log _ _ parts). now apply size_of_log. Qed.

Lemma guard_place : guard = n - 3.
Proof. exact (guard_inside n at_least_three divides). Qed.

(** ** Segments by their numbers *)

Lemma laid_each (k : N) : k < segments -> 1 <= first_of items k /\ first_of items k < behind_of items k /\ behind_of items k <= guard.
Proof.
  intros K. destruct (laid_out_each _ _ _ (seq_at items k) (legal_layout _ _ parts) (seq_at_in items k K)) as (_ & R & B & E).
  unfold first_of, behind_of. fold n in E. fold guard in E. unfold begins, ends in *. lia.
Qed.

Lemma laid_apart_from (log free k k' : N) (all : list SheetItem) : laid_out log free all -> k < k' -> k' < seq_length all ->
  ends (seq_at all k) + 1 <= begins (seq_at all k').
Proof.
  revert free k k'. induction all as [| placed all IH]; intros free k k' L A B; [unfold seq_length in B; simpl in B; lia |].
  rewrite seq_length_cons in B. destruct L as (_ & _ & _ & _ & L). replace k' with (k' - 1 + 1) by lia. rewrite seq_at_succ.
  destruct (N.eq_dec k 0) as [-> | D].
  - rewrite seq_at_zero. apply (laid_out_each _ _ _ _ L), seq_at_in. lia.
  - replace k with (k - 1 + 1) by lia. rewrite seq_at_succ. apply (IH _ _ _ L); lia.
Qed.

Lemma laid_apart (k k' : N) : k < segments -> k' < segments -> k <> k' ->
  behind_of items k + 1 <= first_of items k' \/ behind_of items k' + 1 <= first_of items k.
Proof.
  intros K K' D. pose proof (legal_layout _ _ parts) as L. unfold behind_of, first_of.
  destruct (N.lt_ge_cases k k') as [B | B]; [left | right]; apply (laid_apart_from _ _ _ _ _ L); unfold segments in *; lia.
Qed.

(** ** What the verifier computes of public polynomials *)

Hypothesis off : on_domain n zeta = false.

Lemma lasts_off : last_rows_value n items zeta = lasts_at items zeta.
Proof.
  apply fold_left_ext_in. intros total k I. apply range_in in I. destruct (laid_each k ltac:(unfold segments; lia)) as (A & B & C).
  pose proof guard_place. unfold last_rows_value_step, behind_of, first_of, begins, ends in *. cbv zeta. destruct (N.ltb_spec 0
    (record_first (item_record (seq_at items k)) + record_rows (item_record (seq_at items k)))); [| lia].
  fold n. now rewrite (lagrange_polynomial_off n at_least_three divides) by (assumption || lia).
Qed.

Lemma identity_off : identity_value n items rhos zeta = identity_at items rhos zeta.
Proof.
  apply fold_left_ext_in. intros total k I. apply range_in in I. destruct (laid_each k ltac:(unfold segments; lia)) as (A & B & C).
  pose proof guard_place. unfold identity_value_step, behind_of, first_of, begins, ends in *. fold n.
  rewrite (interval_polynomial_off n at_least_three divides) by (assumption || lia). do 3 f_equal. lia.
Qed.

Lemma vanishing_off (x : Scalar) : on_domain n x = false -> vanishing_at items x = rows_vanishing n x.
Proof. exact (rows_polynomial_off n at_least_three divides x). Qed.

Lemma next_off : on_domain n (domain_point n 1 [*] zeta) = false.
Proof. now apply (off_domain_next n at_least_three divides). Qed.

(** ** The claims *)

Variable shown : Certificate.
Hypothesis bits_many : seq_length (certificate_bits shown) = bits.
Hypothesis values_many : seq_length (certificate_bit_values shown) = bits.

Let v : Scalar := certificate_value shown.
Let claims : list FoldedClaim := certificate_claims about items drawn shown.
Let under : N -> list Scalar := claim_polynomial about items drawn sheet masks q v.

(** All claims are true but for that of Lin, which is looked at by itself. *)
Hypothesis others_true : forall i, i < bits + 3 -> i <> bits + 1 -> claim_error claims under i = scalar_of_N 0.

Lemma claim_true (i : N) (claim : FoldedClaim) : i < bits + 3 -> i <> bits + 1 -> seq_at claims i = claim ->
  polynomial_at (under i) (folded_point claim) = folded_value claim.
Proof. intros L B E. pose proof (others_true i L B) as T. unfold claim_error in T. rewrite E in T. now apply scalar_sub_zero. Qed.

Lemma true_bit (j : N) : j < bits -> polynomial_at (bits_under masks j) zeta = scalar_at (certificate_bit_values shown) j.
Proof.
  intros L. pose proof (claim_true j _ ltac:(lia) ltac:(lia) (claims_at_bit about items drawn shown bits_many j L)) as E. unfold under, claim_polynomial in E.
  fold bits in E. now rewrite (proj2 (N.ltb_lt _ _) L) in E.
Qed.

Lemma masked_off (x : Scalar) : on_domain n x = false ->
  polynomial_at (masked_polynomial items sheet masks (rows_vanishing n x)) x = masked_at items sheet masks x.
Proof.
  intros L. unfold masked_polynomial, masked_at, values_polynomial. rewrite added_at, scaled_at, total_polynomial_sum, vanishing_off by exact L.
  reflexivity.
Qed.

Lemma true_value : masked_at items sheet masks zeta = v.
Proof.
  pose proof (claim_true bits _ ltac:(lia) ltac:(lia) (claims_at_values about items drawn shown bits_many)) as E. unfold under, claim_polynomial in E.
  fold bits in E. rewrite N.ltb_irrefl, N.eqb_refl in E. cbn [folded_point folded_value] in E. fold n zeta in E.
  rewrite masked_off in E by exact off. exact E.
Qed.

(** Σ β_p A_p without its mask. *)
Let moments_at (x : Scalar) : Scalar := sum (fun p => beta_of p [*] combined_sums_at items sheet rhos p x) moments.

Lemma moments_polynomial_value (x : Scalar) : polynomial_at (moments_polynomial about items drawn sheet) x = moments_at x.
Proof.
  unfold moments_polynomial. rewrite total_polynomial_sum. apply sum_ext. intros p _. rewrite scaled_at. f_equal.
  unfold combined_sums_polynomial. rewrite total_polynomial_sum. apply sum_ext. intros k _. now rewrite scaled_at.
Qed.

Lemma combined_values_value (x : Scalar) :
  polynomial_at (combined_values_polynomial items drawn sheet) x = combined_values_at items sheet rhos x.
Proof. unfold combined_values_polynomial. rewrite total_polynomial_sum. apply sum_ext. intros k _. now rewrite scaled_at. Qed.

(** The mask of the sums times its β. *)
Let sums_mask (x : Scalar) : Scalar := beta_of 0 [*] (vanishing_at items x [*] polynomial_at (sums_mask_under masks) x).

Lemma true_next : certificate_next shown = unguarded_of items zeta [*]
  (beta_order about drawn [*] masked_at items sheet masks (next_of items zeta) [-] (sums_mask (next_of items zeta) [+] moments_at (next_of items zeta))).
Proof.
  pose proof (claim_true (bits + 2) _ ltac:(lia) ltac:(lia) (claims_at_next about items drawn shown bits_many)) as E. unfold under, claim_polynomial in E.
  fold bits in E. destruct (N.ltb_spec (bits + 2) bits); [lia |]. destruct (N.eqb_spec (bits + 2) bits); [lia |].
  destruct (N.eqb_spec (bits + 2) (bits + 1)); [lia |]. cbn [folded_point folded_value] in E. fold n zeta in E. rewrite <- E.
  unfold next_polynomial. cbv zeta. fold n zeta. rewrite !scaled_at, !added_at, !scaled_at, !added_at, !scaled_at, moments_polynomial_value.
  rewrite masked_off by exact next_off. unfold sums_mask, next_of, unguarded_of. fold n. rewrite vanishing_off by exact next_off.
  rewrite (unguarded_polynomial_off n at_least_three divides) by exact off. unfold beta_of. ring.
Qed.

Lemma linear_polynomial_at : polynomial_at (under (bits + 1)) zeta =
  moments_at zeta [+] sums_mask zeta [+] (beta_support about drawn [-] powers_combined about drawn v) [*] combined_values_at items sheet rhos zeta
  [-] vanishing_at items zeta [*] polynomial_at q zeta.
Proof.
  unfold under, claim_polynomial. fold bits. destruct (N.ltb_spec (bits + 1) bits); [lia |]. destruct (N.eqb_spec (bits + 1) bits); [lia |].
  rewrite N.eqb_refl. unfold linear_polynomial. cbv zeta. fold n zeta. rewrite !added_at, !scaled_at, moments_polynomial_value, combined_values_value.
  unfold sums_mask, beta_of. rewrite vanishing_off by exact off. ring.
Qed.

(** The relations of the sums, combined. *)
Lemma sums_relations_sum (x : Scalar) : sum (fun p => beta_of p [*] sums_relation items sheet masks rhos p x) moments
  = moments_at x [+] sums_mask x [-] unguarded_of items x [*] (moments_at (next_of items x) [+] sums_mask (next_of items x))
    [-] combined_values_at items sheet rhos x [*] sum (fun p => beta_of p [*] scalar_pow (masked_at items sheet masks x) p) moments.
Proof.
  destruct (legal_moments _ _ parts) as [M _]. fold moments in M.
  pose proof (sum_at_zero beta_of (vanishing_at items x [*] polynomial_at (sums_mask_under masks) x) moments M) as here.
  pose proof (sum_at_zero beta_of (vanishing_at items (next_of items x) [*] polynomial_at (sums_mask_under masks) (next_of items x))
    moments M) as next. unfold sums_mask. rewrite <- here, <- next. unfold moments_at. rewrite <- !sum_add, <- !sum_scale, <- !sum_subtract.
  apply sum_ext. intros p _. unfold sums_relation, sums_mask_at. ring.
Qed.

(** The combination of the relations is by how much the claim of Lin is false. *)
Theorem combined_is_linear_error : combined about items sheet masks q rhos betas zeta
  = polynomial_at (under (bits + 1)) zeta [-] linear_value about items drawn shown.
Proof.
  rewrite linear_polynomial_at. unfold combined, combination, relations. fold bits moments. rewrite !sum_split.
  rewrite (sum_ext _ (fun j => scalar_at betas j [*] (scalar_at (certificate_bit_values shown) j [*] scalar_at (certificate_bit_values shown) j
    [-] scalar_at (certificate_bit_values shown) j)) bits).
  2: { intros j J. unfold relation. fold bits. rewrite (proj2 (N.ltb_lt _ _) J), true_bit by exact J. reflexivity. }
  change 2 with (0 + 1 + 1) at 1. rewrite !sum_succ, sum_zero, N.add_0_r. change (0 + 1) with 1.
  replace (relation about items sheet masks rhos bits zeta) with (order_relation about items sheet masks zeta).
  2: { unfold relation. fold bits. now rewrite N.ltb_irrefl, N.eqb_refl. }
  replace (relation about items sheet masks rhos (bits + 1) zeta) with (support_relation items sheet masks rhos zeta).
  2: { unfold relation. fold bits. destruct (N.ltb_spec (bits + 1) bits); [lia |]. destruct (N.eqb_spec (bits + 1) bits); [lia |].
    now rewrite N.eqb_refl. }
  rewrite (sum_ext _ (fun p => beta_of p [*] sums_relation items sheet masks rhos p zeta) moments).
  2: { intros p _. unfold relation. fold bits. destruct (N.ltb_spec (bits + 2 + p) bits); [lia |].
    destruct (N.eqb_spec (bits + 2 + p) bits); [lia |]. destruct (N.eqb_spec (bits + 2 + p) (bits + 1)); [lia |].
    now replace (bits + 2 + p - (bits + 2)) with p by lia. }
  rewrite sums_relations_sum. rewrite <- values_many, <- bits_relation_sum, values_many.
  change (scalar_at betas bits) with (beta_order about drawn). change (scalar_at betas (bits + 1)) with (beta_support about drawn).
  unfold order_relation, support_relation. fold bits. rewrite true_value.
  replace (sum (fun j => scalar_of_N (2 ^ j) [*] polynomial_at (bits_under masks j) zeta) bits) with (weighted_bits (certificate_bit_values shown)).
  2: { rewrite weighted_bits_sum, values_many. apply sum_ext. intros j J. now rewrite true_bit. }
  change (sum (fun p => beta_of p [*] scalar_pow v p) moments) with (powers_combined about drawn v).
  unfold linear_value. cbv zeta. fold n zeta rhos betas v. rewrite lasts_off, identity_off, true_next.
  change (scalar_of_number (about_cap about)) with (scalar_of_N (about_cap about)). change scalar_zero with (scalar_of_N 0). ring.
Qed.

End Sound.

(** So where all claims are true it is 0. *)
Theorem combined_vanishes {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given}
    {hash_given : HashGiven} (about : CertificateAbout) (items : list SheetItem) (drawn : CertificateChallenges) (sheet : SheetPolynomials)
    (masks : MaskPolynomials) (q : list Scalar) (parts : legal_parts about items)
    (off : on_domain (sheet_size (sheet_log items)) (drawn_zeta drawn) = false) (shown : Certificate)
    (bits_many : seq_length (certificate_bits shown) = about_bits about) (values_many : seq_length (certificate_bit_values shown) = about_bits about) :
  (forall i, i < about_bits about + 3 -> claim_error (certificate_claims about items drawn shown)
    (claim_polynomial about items drawn sheet masks q (certificate_value shown)) i = scalar_of_N 0) ->
  combined about items sheet masks q (drawn_rhos drawn) (drawn_betas drawn) (drawn_zeta drawn) = scalar_of_N 0.
Proof.
  intros all_true.
  rewrite (combined_is_linear_error about items drawn sheet masks q parts off shown bits_many values_many (fun i L _ => all_true i L)).
  pose proof (all_true (about_bits about + 1) ltac:(lia)) as T. unfold claim_error in T.
  rewrite (claims_at_linear about items drawn shown bits_many) in T. exact T.
Qed.

(** ** Decided *)

Section Decided.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Variables (about : CertificateAbout) (items : list SheetItem) (drawn : CertificateChallenges) (shown : Certificate).
Variables (sheet : SheetPolynomials) (masks : MaskPolynomials) (q : list Scalar).

Let claims : list FoldedClaim := certificate_claims about items drawn shown.
Let under : N -> list Scalar := claim_polynomial about items drawn sheet masks q (certificate_value shown).

(** The polynomial that an accepted certificate with a false claim hands over. *)
Definition certificate_break (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) : list Scalar :=
  fold_break claims under gammas z w w'.

(** The first claim of the fold that is false of the polynomials. *)
Definition false_claim : option N :=
  find (fun i => negb (claim_error claims under i [=?] scalar_of_N 0)) (range 0 (about_bits about + 3)).

(** There is one, and the fold's challenges are counted for it. *)
Definition opening_counted (gammas w : list Scalar) (z : Scalar) : bool :=
  match false_claim with
  | Some k => challenges_counted claims under k gammas w z
  | None => false
  end.

(** One of the challenges, ρ, β, ζ, or those of the fold, is counted. *)
Definition certificate_counted (gammas w : list Scalar) (z : Scalar) : bool :=
  rhos_counted about items sheet (drawn_rhos drawn)
  || betas_counted about items sheet masks (drawn_rhos drawn) (drawn_betas drawn)
  || zeta_counted about items sheet masks q (drawn_rhos drawn) (drawn_betas drawn) (drawn_zeta drawn)
  || opening_counted gammas w z.

(** The relations hold of the values, sums and bits that the polynomials have on the domain. *)
Definition sheet_related : Prop :=
  sheet_relations (seq_length items) (first_of items) (behind_of items) (guard_position (sheet_size (sheet_log items)))
    (about_bits about) (about_cap about) (about_moments about) (sheet_value items sheet) (sheet_sum items sheet) (sheet_bit items masks).

Theorem accepted_certificate_related (setup : KzgSetup) (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) :
  sheet_committed setup items sheet -> certificate_committed setup shown masks q w w' ->
  verify_certificate_drawn setup about items drawn gammas z shown = Ok tt ->
  sheet_related \/ finds_tau setup (certificate_break gammas z w w') = true \/ certificate_counted gammas w z = true.
Proof.
  intros sheet_known certificate_known accepted.
  destruct (accepted_parts _ _ _ _ _ _ _ accepted) as (parts & [bits_many values_many] & off & opened).
  destruct false_claim as [k |] eqn:E.
  - (* a false claim *)
    assert (opened' : verify_fold setup claims gammas z {| folded_quotient := polynomial_element setup w;
      folded_witness := polynomial_element setup w' |} = true).
    { destruct certificate_known as (_ & _ & _ & _ & <- & <-). unfold claims. destruct (certificate_opening shown). exact opened. }
    destruct (accepted_fold_decided claims under setup gammas z w w' k) as [found | counted].
    + exact (claims_committed about items drawn sheet masks q setup shown bits_many w w' sheet_known (legal_sums _ _ parts)
        certificate_known).
    + exact opened'.
    + now right; left.
    + right. right. unfold certificate_counted, opening_counted. rewrite E. fold claims under. rewrite counted. apply orb_true_r.
  - (* all claims are true *)
    assert (all_true : forall i, i < about_bits about + 3 -> claim_error claims under i = scalar_of_N 0).
    { intros i L. pose proof (find_none _ _ E i) as T. cbv beta in T. apply scalar_eqb_iff, negb_false_iff, T, range_in. lia. }
    pose proof (combined_vanishes about items drawn sheet masks q parts off shown bits_many values_many all_true) as zero.
    destruct (certificate_counted gammas w z) eqn:C; [now right; right | left].
    unfold certificate_counted in C. apply orb_false_iff in C as [C _]. apply orb_false_iff in C as [C fine_zeta].
    apply orb_false_iff in C as [fine_rhos fine_betas].
    apply (segments_decided about items sheet masks (drawn_rhos drawn) (at_least_three about items parts) (divides about items parts)).
    + intros k K. now apply (laid_each about items parts).
    + intros t i T L. apply (relations_decided about items sheet masks q (drawn_rhos drawn) (drawn_betas drawn)
        (at_least_three about items parts) (divides about items parts)); try assumption.
      intros j J. now apply (combined_decided about items sheet masks q (drawn_rhos drawn) (drawn_betas drawn) (drawn_zeta drawn)).
    + exact fine_rhos.
Qed.

(** What a certificate says of its segments: segment [k] has these rows. *)
Definition certified_rows (k : N) : list N := segment_rows (first_of items) (behind_of items) (about_bits about) (sheet_bit items masks) k.

(** Segment [k], as the polynomials under its commitments have it on the sheet's domain, stands with these rows. *)
Definition segment_certified (k : N) (rows : list N) : Prop :=
  segment_stands (guard_position (sheet_size (sheet_log items))) (about_cap about) (about_moments about) (first_of items k)
    (sheet_value items sheet k) (fun p => sheet_sum items sheet p k) rows.

Theorem accepted_certificate_decided (setup : KzgSetup) (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) :
  numbers_differ (2 ^ 128) -> about_bits about <= 64 -> about_cap about < 2 ^ 128 ->
  sheet_committed setup items sheet -> certificate_committed setup shown masks q w w' ->
  verify_certificate_drawn setup about items drawn gammas z shown = Ok tt ->
  (forall k, k < seq_length items ->
    seq_length (certified_rows k) = record_rows (item_record (seq_at items k)) /\ segment_certified k (certified_rows k)) \/
  finds_tau setup (certificate_break gammas z w w') = true \/ certificate_counted gammas w z = true.
Proof.
  intros differ bits_few cap_few sheet_known certificate_known accepted.
  destruct (accepted_certificate_related setup gammas z w w' sheet_known certificate_known accepted) as [related | other]; [left | now right].
  destruct (accepted_parts _ _ _ _ _ _ _ accepted) as (parts & _). intros k K. split.
  - unfold certified_rows. rewrite segment_rows_length. unfold first_of, behind_of, begins, ends. lia.
  - apply (relations_imply_rows (seq_length items) (first_of items) (behind_of items)) with (limit := 2 ^ 128);
      [exact (laid_each about items parts) | exact (laid_apart about items parts) | exact related | exact differ | exact cap_few | | exact K].
    pose proof (guard_place about items parts) as G. destruct (legal_log _ _ parts) as [A B].
    destruct (size_of_log _ A B) as (_ & S & _). apply N.le_trans with (2048 * 2 ^ 64); [| vm_compute; discriminate].
    apply N.mul_le_mono; [lia |]. apply N.pow_le_mono_r; lia.
Qed.

End Decided.

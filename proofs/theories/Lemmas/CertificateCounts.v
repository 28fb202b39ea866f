(** How many challenges of a certificate are counted, and how many let a false one pass.

    - [counted_rhos_few], [counted_betas_few], [counted_zetas_few], [counted_openings_few]: of each kind a small part;
    - [certificate_bad_values]: of all challenges at most a (4 d + 2 N + bits + 6) / |s| part, whatever an algebraic prover makes of
      those that it has seen ([Strategy]);
    - [forged_certificates_few]: so at most as many let a certificate pass where a segment is not certified, without handing over
      a polynomial that vanishes at tau. *)
From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Lemmas.Polynomials Lemmas.Batch Lemmas.AggregationLemmas
  Lemmas.PolynomialRoots Lemmas.PolynomialProducts Spec.Commitment.FoldedOpening Lemmas.FoldedSound Lemmas.SheetRelations
  Spec.Table.Sheet Spec.Table.DomainValues Spec.Table.Certificate Lemmas.CertificateRelations Lemmas.CertificateSound.
Import ListNotations.
Local Open Scope N_scope.

(** ** Parts of products *)

(** What is bad for a [c] / [size] part at the first, or else for a [c'] / [size] part at the second. *)
Lemma product_part {A B : Type} (bad : A -> bool) (keep : A -> B -> bool) (l : list A) (l' : list B) (size c c' : nat) :
  (length (filter bad l) * size <= c * length l)%nat ->
  (forall x, In x l -> length (filter (keep x) l') * size <= c' * length l')%nat ->
  (length (filter (fun '(x, y) => bad x || keep x y) (list_prod l l')) * size <= (c + c') * length (list_prod l l'))%nat.
Proof.
  intros few few'. rewrite filter_product_length, prod_length.
  assert (scale : forall f : A -> nat, (list_sum (map f l) * size = list_sum (map (fun x => f x * size) l))%nat).
  { intros f. clear. induction l as [| x l IH]; [reflexivity |]. simpl. unfold list_sum in *. rewrite Nat.mul_add_distr_r, IH. reflexivity. }
  rewrite scale. etransitivity.
  - apply (list_sum_two_bounds bad _ _ (length l' * size) (c' * length l')). intros x I. specialize (few' x I).
    destruct (bad x); cbn [orb].
    + pose proof (filter_length_le (fun _ : B => true) l') as all. nia.
    + exact few'.
  - nia.
Qed.

(** The same of a single kind. *)
Lemma power_part (passing size count : nat) : (passing <= size ^ (count - 1))%nat -> (1 <= count)%nat ->
  (passing * size <= 1 * size ^ count)%nat.
Proof. intros L positive. replace count with (S (count - 1)) at 1 by lia. rewrite Nat.pow_succ_r'. nia. Qed.

Section Counts.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Variables (about : CertificateAbout) (items : list SheetItem) (sheet : SheetPolynomials).
Let n : N := sheet_size (sheet_log items).
Let count : nat := N.to_nat (relations about).

(** ** ρ and β *)

Theorem counted_rhos_few (s : list Scalar) : NoDup s ->
  (length (filter (rhos_counted about items sheet) (choices s (length items))) * length s <= 1 * length (choices s (length items)))%nat.
Proof.
  intros distinct. unfold rhos_counted. destruct (first_error about items sheet) as [[i t] |] eqn:E.
  - apply find_some in E as [_ wrong]. apply some_error_iff in wrong as (k & K & wrong). rewrite choices_length.
    apply power_part; [| unfold seq_length in K; lia]. apply few_choices_vanish; [exact distinct |]. now exists k.
  - rewrite filter_none by reflexivity. simpl. lia.
Qed.

Theorem counted_betas_few (masks : MaskPolynomials) (rhos s : list Scalar) : NoDup s ->
  (length (filter (betas_counted about items sheet masks rhos) (choices s count)) * length s <= 1 * length (choices s count))%nat.
Proof.
  intros distinct. unfold betas_counted. destruct (first_unrelated about items sheet masks rhos) as [i |] eqn:E.
  - apply find_some in E as [_ wrong]. apply some_error_iff in wrong as (t & T & wrong). rewrite choices_length.
    apply power_part; [| unfold count; lia]. replace (relations about) with (N.of_nat count) by apply N2Nat.id.
    apply few_choices_vanish; [exact distinct |]. exists t. split; [| exact wrong]. unfold count. now rewrite N2Nat.id.
  - rewrite filter_none by reflexivity. simpl. lia.
Qed.

(** ** ζ *)

(** The polynomials that a prover may know have at most [d] coefficients. *)
Definition sheet_short (d : nat) : Prop := forall k p, (length (values_under sheet k) <= d)%nat /\ (length (sums_under sheet p k) <= d)%nat.
Definition masks_short (d : nat) (masks : MaskPolynomials) : Prop :=
  forall j, (length (bits_under masks j) <= d)%nat /\ (length (values_mask_under masks) <= d)%nat /\ (length (sums_mask_under masks) <= d)%nat.

Hypothesis size_legal : 8 <= n /\ 4096 mod n = 0.
Hypothesis moments_few : about_moments about <= 3.

Section Zeta.

Variables (d : nat) (masks : MaskPolynomials) (q rhos betas : list Scalar).
Hypothesis some_coefficient : (1 <= d)%nat.
Hypothesis known_sheet : sheet_short d.
Hypothesis known_masks : masks_short d masks.
Hypothesis known_quotient : (length q <= d)%nat.

Let most : nat := (3 * d + 2 * N.to_nat n)%nat.

Lemma total_poly (f : N -> Scalar -> Scalar) (m : nat) (k : N) : (forall i, is_poly m (f i)) -> is_poly m (fun x => sum (fun i => f i x) k).
Proof. intros P. apply poly_sum. intros i _. apply P. Qed.

Lemma short_poly (p : list Scalar) (m m' : nat) : (length p <= m)%nat -> (m <= m')%nat -> is_poly m' (polynomial_at p).
Proof. intros L M. apply poly_of. lia. Qed.

Lemma vanishing_times (p : list Scalar) : (length p <= d)%nat ->
  is_poly (N.to_nat n + d - 2) (fun x => vanishing_at items x [*] polynomial_at p x).
Proof.
  intros L. replace (N.to_nat n + d - 2)%nat with (N.to_nat n - 1 + (d - 1))%nat by lia. apply poly_multiply.
  - apply poly_of. fold n. rewrite rows_polynomial_length by (lia || tauto). lia.
  - apply poly_of. lia.
Qed.

Lemma masked_poly : is_poly (N.to_nat n + d - 2) (masked_at items sheet masks).
Proof.
  apply poly_add.
  - apply total_poly. intros k. apply (short_poly _ d); [apply (known_sheet k 0) | lia].
  - apply vanishing_times. apply (known_masks 0).
Qed.

Lemma next_poly (m : nat) (f : Scalar -> Scalar) : is_poly m f -> is_poly m (fun x => f (next_of items x)).
Proof. apply poly_dilate. Qed.

Lemma unguarded_times (f : Scalar -> Scalar) : is_poly (N.to_nat n + d - 2) f -> is_poly most (fun x => unguarded_of items x [*] f x).
Proof.
  intros P. apply (poly_more (N.to_nat n + (N.to_nat n + d - 3))); [unfold most; lia |]. apply poly_multiply.
  - apply poly_of. apply (unguarded_polynomial_length n); tauto || lia.
  - apply (poly_more (N.to_nat n + d - 2)); [lia | exact P].
Qed.

Lemma combined_values_poly : is_poly d (combined_values_at items sheet rhos).
Proof. apply total_poly. intros k. apply poly_scale, poly_of. apply (known_sheet k 0). Qed.

Lemma masked_sums_poly (p : N) : is_poly (N.to_nat n + d - 2) (fun x => combined_sums_at items sheet rhos p x [+] sums_mask_at items masks p x).
Proof.
  apply poly_add.
  - apply total_poly. intros k. apply poly_scale. apply (short_poly _ d); [apply (known_sheet k p) | lia].
  - unfold sums_mask_at. destruct (p =? 0); [apply vanishing_times, (known_masks 0) |].
    exists []. split; [simpl; lia | reflexivity].
Qed.

Lemma relation_poly (t : N) : t < relations about -> is_poly most (relation about items sheet masks rhos t).
Proof.
  intros T. unfold relations in T. unfold relation. destruct (t <? about_bits about).
  { apply poly_sub.
    - apply (poly_more (d + (d - 1))); [unfold most; lia |]. apply poly_multiply; apply poly_of; destruct (known_masks t); lia.
    - apply (short_poly _ d); [apply known_masks | unfold most; lia]. }
  destruct (t =? about_bits about).
  { unfold order_relation. apply poly_sub; [apply poly_add; [apply poly_sub |] |].
    - apply (unguarded_times (fun x => masked_at items sheet masks (next_of items x))), next_poly, masked_poly.
    - apply (poly_more (N.to_nat n + d - 2)); [unfold most; lia | exact masked_poly].
    - apply poly_scale, total_poly. intros k. apply (short_poly _ (N.to_nat n)); [| unfold most; lia].
      fold n. rewrite lagrange_polynomial_length by (lia || tauto). lia.
    - apply (total_poly (fun j x => scalar_of_N (2 ^ j) [*] polynomial_at (bits_under masks j) x)). intros j. apply poly_scale.
      apply (short_poly _ d); [apply known_masks | unfold most; lia]. }
  destruct (t =? about_bits about + 1).
  { unfold support_relation. apply poly_sub.
    - apply (poly_more d); [unfold most; lia | exact combined_values_poly].
    - apply (poly_more (N.to_nat n + (N.to_nat n + d - 3))); [unfold most; lia |]. apply poly_multiply.
      + apply total_poly. intros k. apply poly_scale, poly_of. apply (interval_polynomial_length n).
      + apply (poly_more (N.to_nat n + d - 2)); [lia | exact masked_poly]. }
  set (p := t - (about_bits about + 2)). assert (P : p <= 2) by (unfold p; lia). clearbody p.
  unfold sums_relation. apply poly_sub; [apply poly_sub |].
  - apply (poly_more (N.to_nat n + d - 2)); [unfold most; lia | apply masked_sums_poly].
  - apply (unguarded_times (fun x => combined_sums_at items sheet rhos p (next_of items x) [+] sums_mask_at items masks p (next_of items x))).
    apply (next_poly _ (fun x => combined_sums_at items sheet rhos p x [+] sums_mask_at items masks p x)), masked_sums_poly.
  - apply (poly_more (d + N.to_nat p * (N.to_nat n + d - 3))); [unfold most; assert (N.to_nat p <= 2)%nat by lia; nia |].
    apply poly_multiply; [exact combined_values_poly |].
    apply (poly_ext _ (fun x => scalar_pow (masked_at items sheet masks x) (N.of_nat (N.to_nat p)))); [intros x; now rewrite N2Nat.id |].
    apply poly_power. apply (poly_more (N.to_nat n + d - 2)); [lia | exact masked_poly].
Qed.

Lemma combined_poly : is_poly most (combined about items sheet masks q rhos betas).
Proof.
  unfold combined, combination. apply poly_sub.
  - apply (poly_sum most (fun t x => scalar_at betas t [*] relation about items sheet masks rhos t x)). intros t T.
    apply poly_scale. now apply relation_poly.
  - apply (poly_more (N.to_nat n + d - 2)); [unfold most; lia |]. now apply vanishing_times.
Qed.

Theorem counted_zetas_few (s : list Scalar) : NoDup s ->
  (length (filter (zeta_counted about items sheet masks q rhos betas) s) <= 3 * d + 2 * N.to_nat n)%nat.
Proof.
  intros distinct. unfold zeta_counted. destruct (some_error _ _) eqn:E; cbn [andb].
  - apply some_error_iff in E as (i & _ & wrong). destruct combined_poly as (p & L & P). rewrite <- P in wrong.
    pose proof (few_roots p s _ distinct wrong) as few. fold most. etransitivity; [| transitivity (pred (length p)); [exact few | lia]].
    apply Nat.eq_le_incl, filter_ext_length. intros x _. unfold is_root. now rewrite P.
  - rewrite filter_none by reflexivity. simpl. lia.
Qed.

End Zeta.

(** ** The fold *)

Let claims_count : nat := (N.to_nat (about_bits about) + 3)%nat.

Theorem counted_openings_few (d : nat) (drawn : CertificateChallenges) (shown : Certificate) (masks : MaskPolynomials) (q s : list Scalar)
    (prover : list Scalar -> list Scalar) :
  NoDup s -> (1 <= d)%nat -> sheet_short d -> masks_short d masks -> (length q <= d)%nat -> (forall gammas, (length (prover gammas) <= d)%nat) ->
  seq_length (certificate_bits shown) = about_bits about ->
  (length (filter (fun '(gammas, z) => opening_counted about items drawn shown sheet masks q gammas (prover gammas) z)
    (list_prod (choices s claims_count) s)) * length s
  <= (1 + (d + claims_count)) * length (list_prod (choices s claims_count) s))%nat.
Proof.
  intros distinct positive known known' short short' many. unfold opening_counted.
  destruct (false_claim about items drawn shown sheet masks q) as [k |] eqn:E.
  - apply find_some in E as [K wrong]. apply range_in in K. apply negb_true_iff, not_true_iff_false in wrong. rewrite scalar_eqb_iff in wrong.
    pose proof (claims_length about items drawn shown many) as L.
    assert (L' : length (certificate_claims about items drawn shown) = claims_count) by (unfold seq_length in L; unfold claims_count; lia).
    pose proof (counted_challenges_few (certificate_claims about items drawn shown)
      (claim_polynomial about items drawn sheet masks q (certificate_value shown)) d k s s prover distinct distinct ltac:(lia) wrong) as few.
    rewrite L' in few. rewrite prod_length, choices_length. etransitivity.
    + apply Nat.mul_le_mono_r, few; [| exact short' | exact positive]. intros i _. now apply claim_polynomial_short.
    + unfold claims_count. replace (N.to_nat (about_bits about) + 3 - 1)%nat with (N.to_nat (about_bits about) + 2)%nat by lia.
      replace (N.to_nat (about_bits about) + 3)%nat with (S (N.to_nat (about_bits about) + 2)) by lia. rewrite Nat.pow_succ_r'. nia.
  - rewrite filter_none by (intros [gammas z] _; reflexivity). simpl. lia.
Qed.

(** What an accepted certificate hands over has few coefficients. *)
Theorem certificate_break_length (drawn : CertificateChallenges) (shown : Certificate) (masks : MaskPolynomials) (q : list Scalar)
    (d : nat) (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) :
  sheet_short d -> masks_short d masks -> (length q <= d)%nat -> (1 <= d)%nat -> (length w <= d)%nat -> (length w' <= d)%nat ->
  (length (certificate_break about items drawn shown sheet masks q gammas z w w') <= S d)%nat.
Proof. intros. apply fold_break_length; try assumption. intros i _. now apply claim_polynomial_short. Qed.

(** ** All challenges *)

(** The numbers that a certificate states. *)
Record CertificateScalars : Type := { stated_bits : list Scalar; stated_value : Scalar; stated_next : Scalar }.

(** An algebraic prover: what it sends after each draw. *)
Record Strategy : Type := {
  sent_masks : list Scalar -> MaskPolynomials;
  sent_quotient : list Scalar -> list Scalar -> list Scalar;
  sent_scalars : list Scalar -> list Scalar -> Scalar -> CertificateScalars;
  sent_opening : list Scalar -> list Scalar -> Scalar -> list Scalar -> list Scalar;
  sent_witness : list Scalar -> list Scalar -> Scalar -> list Scalar -> Scalar -> list Scalar;
}.

(** It knows polynomials of at most [d] coefficients. *)
Definition strategy_short (d : nat) (prover : Strategy) : Prop :=
  forall rhos betas zeta gammas, masks_short d (sent_masks prover rhos) /\ (length (sent_quotient prover rhos betas) <= d)%nat /\
    (length (sent_opening prover rhos betas zeta gammas) <= d)%nat.

(** The certificate with the points of these polynomials. *)
Definition certificate_of (setup : KzgSetup) (masks : MaskPolynomials) (q : list Scalar) (scalars : CertificateScalars)
    (w w' : list Scalar) : Certificate :=
  let held p := {| held_element := polynomial_element setup p; held_bytes := [] |} in
  {| certificate_bits := map (fun j => held (bits_under masks j)) (range 0 (about_bits about));
     certificate_values_mask := held (values_mask_under masks);
     certificate_sums_mask := held (sums_mask_under masks);
     certificate_quotient := held q;
     certificate_bit_values := stated_bits scalars;
     certificate_value := stated_value scalars;
     certificate_next := stated_next scalars;
     certificate_scalar_bytes := [];
     certificate_opening := {| folded_quotient := polynomial_element setup w; folded_witness := polynomial_element setup w' |};
     certificate_opening_bytes := [] |}.

Lemma certificate_of_committed (setup : KzgSetup) (masks : MaskPolynomials) (q : list Scalar) (scalars : CertificateScalars)
    (w w' : list Scalar) : certificate_committed setup (certificate_of setup masks q scalars w w') masks q w w'.
Proof.
  unfold certificate_committed. cbn [certificate_of certificate_bits certificate_values_mask certificate_sums_mask certificate_quotient
    certificate_opening folded_quotient folded_witness held_element]. repeat split. intros j J.
  rewrite seq_length_map, seq_length_range in J. now rewrite nth_map_range by exact J.
Qed.

(** All choices of ρ, β, ζ, and the fold's γ and z, from one set. *)
Definition Challenges : Type := list Scalar * (list Scalar * (Scalar * (list Scalar * Scalar))).
Definition all_challenges (s : list Scalar) : list Challenges :=
  list_prod (choices s (length items)) (list_prod (choices s count) (list_prod s (list_prod (choices s claims_count) s))).

Definition challenges_of (rhos betas : list Scalar) (zeta : Scalar) : CertificateChallenges :=
  {| drawn_rhos := rhos; drawn_betas := betas; drawn_zeta := zeta |}.

Variables (setup : KzgSetup) (prover : Strategy).

(** What the prover sends when these are drawn. *)
Definition sent (drawn : Challenges) : Certificate :=
  let '(rhos, (betas, (zeta, (gammas, z)))) := drawn in
  certificate_of setup (sent_masks prover rhos) (sent_quotient prover rhos betas) (sent_scalars prover rhos betas zeta)
    (sent_opening prover rhos betas zeta gammas) (sent_witness prover rhos betas zeta gammas z).

Definition sent_counted (drawn : Challenges) : bool :=
  let '(rhos, (betas, (zeta, (gammas, z)))) := drawn in
  certificate_counted about items (challenges_of rhos betas zeta) (sent drawn) sheet (sent_masks prover rhos)
    (sent_quotient prover rhos betas) gammas (sent_opening prover rhos betas zeta gammas) z.

Theorem certificate_bad_values (d : nat) (s : list Scalar) :
  NoDup s -> (1 <= d)%nat -> sheet_short d -> strategy_short d prover ->
  (length (filter sent_counted (all_challenges s)) * length s
  <= (4 * d + 2 * N.to_nat n + N.to_nat (about_bits about) + 6) * length (all_challenges s))%nat.
Proof.
  intros distinct positive known short.
  replace (4 * d + 2 * N.to_nat n + N.to_nat (about_bits about) + 6)%nat
    with (1 + (1 + ((3 * d + 2 * N.to_nat n) + (1 + (d + claims_count)))))%nat by (unfold claims_count; lia).
  set (opening rhos betas zeta := fun '(gammas, z) => opening_counted about items (challenges_of rhos betas zeta)
    (certificate_of setup (sent_masks prover rhos) (sent_quotient prover rhos betas) (sent_scalars prover rhos betas zeta) [] [])
    sheet (sent_masks prover rhos) (sent_quotient prover rhos betas) gammas (sent_opening prover rhos betas zeta gammas) z).
  set (third rhos betas := fun '(zeta, rest) => zeta_counted about items sheet (sent_masks prover rhos) (sent_quotient prover rhos betas)
    rhos betas zeta || opening rhos betas zeta rest).
  set (second rhos := fun '(betas, rest) => betas_counted about items sheet (sent_masks prover rhos) rhos betas || third rhos betas rest).
  rewrite (filter_ext_length _ (fun '(rhos, rest) => rhos_counted about items sheet rhos || second rhos rest)).
  2: { intros (rhos & betas & zeta & gammas & z) _. unfold sent_counted, certificate_counted, second, third, opening.
    rewrite <- !orb_assoc. reflexivity. }
  unfold all_challenges. apply product_part; [now apply counted_rhos_few |]. intros rhos _. unfold second.
  apply product_part; [now apply counted_betas_few |]. intros betas _. unfold third.
  apply product_part.
  - apply Nat.mul_le_mono_r. destruct (short rhos betas (scalar_of_N 0) []) as (M & Q & _). now apply counted_zetas_few.
  - intros zeta _. unfold opening. destruct (short rhos betas zeta []) as (M & Q & _).
    apply (counted_openings_few d _ _ _ _ s (sent_opening prover rhos betas zeta)); try assumption.
    + intros gammas. apply (short rhos betas zeta gammas).
    + cbn [certificate_of certificate_bits]. now rewrite seq_length_map, seq_length_range.
Qed.

(** Under these challenges, what the prover sends is accepted, and hands over no polynomial that vanishes at tau. *)
Definition forges (drawn : Challenges) : bool :=
  let '(rhos, (betas, (zeta, (gammas, z)))) := drawn in
  match verify_certificate_drawn setup about items (challenges_of rhos betas zeta) gammas z (sent drawn) with
  | Ok _ => negb (finds_tau setup (certificate_break about items (challenges_of rhos betas zeta) (sent drawn) sheet (sent_masks prover rhos)
      (sent_quotient prover rhos betas) gammas z (sent_opening prover rhos betas zeta gammas) (sent_witness prover rhos betas zeta gammas z)))
  | Err _ => false
  end.

Theorem forged_certificates_few (d : nat) (s : list Scalar) (k : N) :
  numbers_differ (2 ^ 128) -> about_bits about <= 64 -> about_cap about < 2 ^ 128 -> sheet_committed setup items sheet ->
  k < seq_length items -> (forall rows, ~ segment_certified about items sheet k rows) ->
  NoDup s -> (1 <= d)%nat -> sheet_short d -> strategy_short d prover ->
  (length (filter forges (all_challenges s)) * length s
  <= (4 * d + 2 * N.to_nat n + N.to_nat (about_bits about) + 6) * length (all_challenges s))%nat.
Proof.
  intros differ bits_few cap_few committed K wrong distinct positive known short.
  etransitivity; [| exact (certificate_bad_values d s distinct positive known short)]. apply Nat.mul_le_mono_r.
  apply filter_length_monotone. intros (rhos & betas & zeta & gammas & z) _ F'. unfold forges in F'.
  destruct (verify_certificate_drawn _ _ _ _ _ _ _) as [[] |] eqn:accepted; [| discriminate].
  destruct (accepted_certificate_decided about items (challenges_of rhos betas zeta) _ sheet (sent_masks prover rhos)
    (sent_quotient prover rhos betas) setup gammas z (sent_opening prover rhos betas zeta gammas)
    (sent_witness prover rhos betas zeta gammas z) differ bits_few cap_few committed (certificate_of_committed _ _ _ _ _ _) accepted)
    as [certified | [found | counted]].
  - elim (wrong _ (proj2 (certified k K))).
  - unfold sent in F'. rewrite found in F'. discriminate.
  - exact counted.
Qed.

End Counts.

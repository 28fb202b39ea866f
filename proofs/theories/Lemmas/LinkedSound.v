(** Linked certificates are sound against algebraic provers: besides what certificates say, the first row is at least the last row of the
    segment before.

    - [linked_relation]: the relations, that of order with the link; [linked_combined_vanishes]: true claims say that their combination
      vanishes at ζ;
    - [linked_counted]: the challenges that are counted;
    - [link_steps_related]: where the relations hold, so do those of a sheet without a link whose first step begins at the row before;
    - [accepted_link_related]: the relations of an accepted linked certificate hold;
    - [accepted_link_decided]: an accepted linked certificate says so, or hands over a polynomial that vanishes at tau, or is counted;
    - [counted_link_betas_few], [counted_link_zetas_few]: few challenges are. *)
From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate Table.LinkedCertificate.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials Lemmas.Batch
  Lemmas.PolynomialRoots Lemmas.PolynomialProducts Spec.Commitment.FoldedOpening Lemmas.FoldedSound Lemmas.SheetRelations
  Spec.Table.Sheet Spec.Table.DomainValues Spec.Table.Certificate Lemmas.CertificateRelations Lemmas.CertificateSound
  Spec.Table.LinkedCertificate Lemmas.HonestPolynomials.
From Aardvark Require Lemmas.CertificateCounts.
From AardvarkSpec Require Table.CertificateProver.
Import ListNotations.
Local Open Scope N_scope.

Section Linked.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

Variables (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem).
Variables (sheet : SheetPolynomials) (masks : MaskPolynomials) (before mask q : list Scalar).

Let n : N := sheet_size (sheet_log items).
Let n' : N := sheet_size (record_log previous).
Let bits : N := about_bits about.
Let segments : N := seq_length items.
Let guard : N := guard_position n.
Let point (i : N) : Scalar := domain_point n i.
Let place : N := link_position items.

(** What stands at the last row of the segment before. *)
Definition row_before : Scalar := polynomial_at before (domain_point n' (last_row_position previous)).
(** P^ *)
Definition masked_before (y : Scalar) : Scalar := polynomial_at before y [+] polynomial_at (rows_polynomial n') y [*] polynomial_at mask y.
(** λ(x) P^(κx) *)
Definition link_at (x : Scalar) : Scalar := polynomial_at (lagrange_polynomial n place) x [*] masked_before (link_shift previous items [*] x).

(** The relations in the order of the β. *)
Definition linked_relation (rhos : list Scalar) (t : N) (x : Scalar) : Scalar :=
  relation about items sheet masks rhos t x [-] (if t =? bits then link_at x else scalar_of_N 0).

(** The first position where a relation has an error, and the β that make the errors there cancel. *)
Definition first_unlinked (rhos : list Scalar) : option N :=
  find (fun i => some_error (fun t => linked_relation rhos t (point i)) (relations about)) (range 0 (guard + 1)).
Definition link_betas_counted (rhos betas : list Scalar) : bool :=
  match first_unlinked rhos with
  | Some i => combination (fun t => linked_relation rhos t (point i)) betas (relations about) [=?] scalar_of_N 0
  | None => false
  end.

Definition linked_combined (rhos betas : list Scalar) (x : Scalar) : Scalar :=
  combination (fun t => linked_relation rhos t x) betas (relations about) [-] vanishing_at items x [*] polynomial_at q x.

(** The combination does not vanish where the rows stand, and yet at ζ. *)
Definition link_zeta_counted (rhos betas : list Scalar) (zeta : Scalar) : bool :=
  some_error (fun i => linked_combined rhos betas (point i)) (guard + 1) && (linked_combined rhos betas zeta [=?] scalar_of_N 0).

Lemma linked_combined_is (rhos betas : list Scalar) (x : Scalar) :
  linked_combined rhos betas x = combined about items sheet masks q rhos betas x [-] scalar_at betas bits [*] link_at x.
Proof.
  unfold linked_combined, combined, combination.
  rewrite (sum_ext _ (fun t => scalar_at betas t [*] relation about items sheet masks rhos t x
    [-] scalar_at betas t [*] (if t =? bits then link_at x else scalar_of_N 0))) by (intros t _; unfold linked_relation; ring).
  rewrite sum_subtract, (sum_single (fun t => scalar_at betas t [*] (if t =? bits then link_at x else scalar_of_N 0)) _ bits).
  - rewrite N.eqb_refl. ring.
  - unfold relations. fold bits. lia.
  - intros t _ D. destruct (N.eqb_spec t bits); [contradiction | ring].
Qed.

(** ** At ζ *)

Section Zeta.

Variables (drawn : CertificateChallenges) (shown : LinkedCertificate).
Let zeta : Scalar := drawn_zeta drawn.
Let body : Certificate := linked_body shown.
Let claims : list FoldedClaim := linked_claims about previous items drawn shown.
Let under : N -> list Scalar := linked_polynomial about previous items drawn sheet masks before mask q (certificate_value body).

Hypothesis parts : legal_parts about items.
Hypothesis link : link_parts previous.
Hypothesis off : on_domain n zeta = false.
Hypothesis link_off : on_domain n' (link_shift previous items [*] zeta) = false.
Hypothesis bits_many : seq_length (certificate_bits body) = bits.
Hypothesis values_many : seq_length (certificate_bit_values body) = bits.
Hypothesis all_true : forall i, i < bits + 4 -> claim_error claims under i = scalar_of_N 0.

Lemma previous_size : 8 <= n' /\ n' <= 2048 /\ 4096 mod n' = 0.
Proof. destruct (link_log _ link). now apply size_of_log. Qed.

Lemma place_inside : place < n.
Proof.
  pose proof (large about items parts) as L. fold n in L. unfold place, link_position. destruct (N.ltb_spec 0 (seq_length items)) as [some |]; cbn [andb]; [| lia].
  destruct (N.leb_spec 1 (record_first (item_record (seq_at items 0)))); [| lia].
  pose proof (laid_each about items parts 0 some) as (A & B & C). fold n in C. pose proof (guard_below_size n). unfold first_of, behind_of, begins, ends in *. lia.
Qed.

Theorem linked_combined_vanishes : linked_combined (drawn_rhos drawn) (drawn_betas drawn) zeta = scalar_of_N 0.
Proof.
  pose proof (large about items parts) as L. fold n in L. pose proof (divides about items parts) as D. fold n in D. destruct previous_size as (P8 & _ & PD).
  assert (others : forall i, i < bits + 3 -> i <> bits + 1 -> claim_error (certificate_claims about items drawn body)
    (claim_polynomial about items drawn sheet masks q (certificate_value body)) i = scalar_of_N 0).
  { intros i I N'. pose proof (all_true i ltac:(lia)) as T. unfold claim_error, claims in T.
    rewrite (linked_at_other about previous items drawn shown bits_many i I N') in T. unfold under, linked_polynomial in T. fold bits in T.
    rewrite (proj2 (N.ltb_lt _ _) I) in T. exact T. }
  rewrite linked_combined_is. fold zeta.
  pose proof (combined_is_linear_error about items drawn sheet masks q parts off body bits_many values_many others) as E. fold zeta bits in E. rewrite E. clear E.
  pose proof (all_true (bits + 1) ltac:(lia)) as T. unfold claim_error, claims, under in T.
  rewrite (linked_at_linear about previous items drawn shown bits_many) in T. cbn [folded_point folded_value] in T. unfold linked_polynomial in T. fold bits in T.
  rewrite (proj2 (N.ltb_lt (bits + 1) (bits + 3))) in T by lia. apply (proj1 (scalar_sub_zero _ _)) in T. fold body zeta in T. rewrite T. clear T.
  pose proof (all_true (bits + 3) ltac:(lia)) as T. unfold claim_error, claims, under in T.
  rewrite (linked_at_link about previous items drawn shown bits_many) in T. cbn [folded_point folded_value] in T. unfold linked_polynomial in T. fold bits in T.
  rewrite (proj2 (N.ltb_ge (bits + 3) (bits + 3))) in T by lia. apply (proj1 (scalar_sub_zero _ _)) in T. rewrite added_at, scaled_at in T.
  unfold linked_linear_value. cbv zeta. fold body. rewrite <- T. unfold link_at, masked_before, link_lagrange, link_point, link_vanishing, link_point. fold n n' place zeta.
  rewrite (rows_polynomial_off n' ltac:(lia) PD _ link_off), (lagrange_polynomial_off n ltac:(lia) D place zeta place_inside off).
  unfold beta_order. fold bits. ring.
Qed.

End Zeta.

(** ** On the domain *)

Hypothesis parts : legal_parts about items.
Hypothesis link : link_parts previous.
Hypothesis some : 1 <= segments.

Lemma place_is : place + 1 = first_of items 0.
Proof.
  destruct (laid_each about items parts 0 ltac:(unfold segments in some; lia)) as (A & _). unfold place, link_position, first_of, begins in *.
  destruct (N.ltb_spec 0 (seq_length items)); [| unfold segments in some; lia]. cbn [andb]. destruct (N.leb_spec 1 (record_first (item_record (seq_at items 0)))); lia.
Qed.

Lemma link_on (i : N) : i <= guard -> link_at (point i) = if i =? place then row_before else scalar_of_N 0.
Proof.
  intros I. pose proof (large about items parts) as L. fold n in L. pose proof (divides about items parts) as D. fold n in D.
  pose proof (guard_place about items parts) as G. fold n guard in G. destruct (previous_size link) as (P8 & _ & PD).
  unfold link_at. unfold point at 1. rewrite (lagrange_polynomial_at n ltac:(lia) D) by lia. destruct (N.eqb_spec i place) as [-> | N']; [| ring].
  replace (link_shift previous items [*] point place) with (domain_point n' (last_row_position previous)).
  - unfold masked_before, row_before. pose proof (link_ends _ link) as E. pose proof (link_rows _ link) as R. fold n' in E.
    rewrite (guard_inside n' ltac:(lia) PD) in E. unfold last_row_position. destruct (N.leb_spec 1 (record_rows previous)); [| lia].
    rewrite (rows_polynomial_at n' ltac:(lia) PD) by lia. ring.
  - unfold link_shift, scalar_inverse. cbv zeta. fold n n' place. unfold point.
    pose proof (scalar_pow_nonzero (root_of_unity n) place (primitive_root_nonzero _ n ltac:(lia) (primitive n ltac:(lia) D))) as Z.
    change (scalar_pow (root_of_unity n) place) with (domain_point n place) in Z. field. exact Z.
Qed.

(** The row before, as an integer. *)
Variable row : N.
Hypothesis row_is : row_before = scalar_of_N row.
Hypothesis row_small : row < 2 ^ 64.
Hypothesis bits_few : bits <= 64.

(** The steps that the bits write, the first one from 0 over the row before. *)
Definition linked_step (i : N) : N := step_number bits (sheet_bit items masks) i + (if i =? place then row else 0).

(** A certificate without a link would have these bits, one more than 64. *)
Definition linked_about : CertificateAbout :=
  {| about_dictionary := about_dictionary about; about_table := about_table about; about_column := about_column about;
     about_schema := about_schema about; about_bits := 65; about_cap := about_cap about; about_moments := about_moments about |}.
Definition linked_masks : MaskPolynomials :=
  {| bits_under := fun j => interpolation (root_of_unity n) n (fun i => scalar_of_N (CertificateProver.halved (linked_step i) j mod 2));
     values_mask_under := values_mask_under masks; sums_mask_under := sums_mask_under masks |}.

Lemma linked_step_small (i : N) : linked_step i < 2 ^ 65.
Proof.
  unfold linked_step. pose proof (step_number_below bits (sheet_bit items masks) i) as B.
  assert (2 ^ bits <= 2 ^ 64) by (apply N.pow_le_mono_r; lia). change (2 ^ 65) with (2 ^ 64 + 2 ^ 64). destruct (i =? place); lia.
Qed.

Lemma linked_bit (j i : N) : i <= guard -> sheet_bit items linked_masks j i = scalar_of_N (CertificateProver.halved (linked_step i) j mod 2).
Proof.
  intros I. pose proof (large about items parts) as L. fold n in L. pose proof (divides about items parts) as D. fold n in D.
  pose proof (guard_place about items parts) as G. fold n guard in G. unfold sheet_bit. cbn [linked_masks bits_under]. fold n.
  now rewrite (interpolated_at n ltac:(lia) D) by lia.
Qed.

(** These bits write the step. *)
Lemma linked_step_number (i : N) : i <= guard -> step_number 65 (sheet_bit items linked_masks) i = linked_step i.
Proof.
  intros I. unfold step_number. rewrite <- (N.mod_small (linked_step i) (2 ^ 65)) by apply linked_step_small. rewrite <- low_bits. unfold number_sum.
  apply fold_left_ext_in. intros total j _. f_equal. rewrite linked_bit by exact I. rewrite halved_is.
  pose proof (N.mod_upper_bound (linked_step i / 2 ^ j) 2 ltac:(discriminate)) as B. revert B. generalize (linked_step i / 2 ^ j mod 2). intros b B.
  assert (E : b = 0 \/ b = 1) by lia. destruct E as [-> | ->].
  - destruct (scalar_of_N 0 [=?] scalar_of_N 1) eqn:E; [apply scalar_eqb_iff in E; now elim scalar_one_nonzero | lia].
  - rewrite (proj2 (scalar_eqb_iff _ _) eq_refl). lia.
Qed.

Theorem link_steps_related (rhos : list Scalar) :
  (forall t i, t < relations about -> i <= guard -> linked_relation rhos t (point i) = scalar_of_N 0) -> rhos_counted about items sheet rhos = false ->
  sheet_related linked_about items sheet linked_masks.
Proof.
  intros zero fine. pose proof (large about items parts) as L. fold n in L. pose proof (divides about items parts) as D. fold n in D.
  assert (laid : forall k, k < seq_length items -> first_of items k < behind_of items k /\ behind_of items k <= guard_position (sheet_size (sheet_log items))).
  { intros k K. now apply (laid_each about items parts). }
  apply (segments_decided linked_about items sheet linked_masks rhos ltac:(fold n; lia) D laid); [| exact fine].
  fold n guard. intros t i T I. fold (point i). unfold relation. cbn [linked_about about_bits]. unfold relations in T. cbn [linked_about about_bits about_moments] in T.
  destruct (N.ltb_spec t 65) as [Lt | Lt].
  { pose proof (linked_bit t i I) as E. unfold sheet_bit in E. fold n in E. fold (point i) in E. rewrite E. apply bit_is_one. }
  destruct (N.eqb_spec t 65) as [-> | N1].
  - etransitivity; [exact (order_on linked_about items sheet linked_masks ltac:(fold n; lia) D i I) |]. cbn [linked_about about_bits about_cap].
    pose proof (zero bits i ltac:(unfold relations; fold bits; lia) I) as Z. unfold linked_relation in Z. rewrite N.eqb_refl, (link_on i I) in Z.
    unfold relation in Z. fold bits in Z. rewrite N.ltb_irrefl, N.eqb_refl in Z.
    pose proof (order_on about items sheet masks ltac:(fold n; lia) D i I) as O. cbv beta in O. fold n in O. fold (point i) in O. rewrite O in Z. clear O. fold n guard bits in Z.
    assert (steps : step_at bits (sheet_bit items masks) i = scalar_of_N (step_number bits (sheet_bit items masks) i)).
    { unfold step_at, step_number. rewrite scalar_of_number_sum. apply sum_ext. intros j J.
      pose proof (zero j i ltac:(unfold relations; fold bits; lia) I) as R. unfold linked_relation in R.
      destruct (N.eqb_spec j bits); [lia |]. unfold relation in R. fold bits in R. rewrite (proj2 (N.ltb_lt _ _) J) in R. fold (sheet_bit items masks j i) in R.
      change (polynomial_at (bits_under masks j) (point i)) with (sheet_bit items masks j i) in R. set (b := sheet_bit items masks j i) in *.
      assert (two : b [*] (b [-] scalar_of_N 1) = scalar_of_N 0) by (etransitivity; [| exact R]; ring).
      destruct (scalar_mul_zero _ _ two) as [E | E].
      - rewrite E. destruct (scalar_of_N 0 [=?] scalar_of_N 1) eqn:E'; [| ring]. apply scalar_eqb_iff in E'. now elim scalar_one_nonzero.
      - apply (proj1 (scalar_sub_zero _ _)) in E. rewrite E, (proj2 (scalar_eqb_iff _ _) eq_refl). ring. }
    assert (steps' : step_at 65 (sheet_bit items linked_masks) i = scalar_of_N (linked_step i)).
    { unfold step_at. rewrite (sum_ext _ (fun j => scalar_of_N (2 ^ j) [*] scalar_of_N (CertificateProver.halved (linked_step i) j mod 2))).
      - apply bits_write, linked_step_small.
      - intros j _. now rewrite linked_bit. }
    rewrite steps in Z. fold n guard. rewrite steps'. unfold linked_step. rewrite scalar_of_N_add.
    replace (scalar_of_N (if i =? place then row else 0)) with (if i =? place then row_before else scalar_of_N 0) by (destruct (i =? place); congruence).
    etransitivity; [| exact Z]. ring.
  - destruct (N.eqb_spec t (65 + 1)) as [-> | N2].
    + pose proof (zero (bits + 1) i ltac:(unfold relations; fold bits; lia) I) as Z. unfold linked_relation in Z.
      destruct (N.eqb_spec (bits + 1) bits); [lia |]. unfold relation in Z. fold bits in Z. destruct (N.ltb_spec (bits + 1) bits); [lia |].
      destruct (N.eqb_spec (bits + 1) bits); [lia |]. rewrite N.eqb_refl in Z. etransitivity; [| exact Z].
      change (support_relation items sheet linked_masks rhos (point i)) with (support_relation items sheet masks rhos (point i)). ring.
    + set (p := t - (65 + 2)). pose proof (zero (bits + 2 + p) i ltac:(unfold relations, p; fold bits; lia) I) as Z. unfold linked_relation in Z.
      destruct (N.eqb_spec (bits + 2 + p) bits); [lia |]. unfold relation in Z. fold bits in Z. destruct (N.ltb_spec (bits + 2 + p) bits); [lia |].
      destruct (N.eqb_spec (bits + 2 + p) bits); [lia |]. destruct (N.eqb_spec (bits + 2 + p) (bits + 1)); [lia |].
      replace (bits + 2 + p - (bits + 2)) with p in Z by lia. etransitivity; [| exact Z].
      change (sums_relation items sheet linked_masks rhos p (point i)) with (sums_relation items sheet masks rhos p (point i)). ring.
Qed.

End Linked.

(** ** Decided *)

Section Decided.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars' : scalar_field.

Variables (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem) (drawn : CertificateChallenges) (shown : LinkedCertificate).
Variables (sheet : SheetPolynomials) (masks : MaskPolynomials) (before mask q : list Scalar).

Let claims : list FoldedClaim := linked_claims about previous items drawn shown.
Let under : N -> list Scalar :=
  linked_polynomial about previous items drawn sheet masks before mask q (certificate_value (linked_body shown)).

(** The polynomial that an accepted certificate with a false claim hands over. *)
Definition link_break (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) : list Scalar := fold_break claims under gammas z w w'.

(** The first claim of the fold that is false of the polynomials, for which the fold's challenges are counted. *)
Definition false_link_claim : option N :=
  find (fun i => negb (claim_error claims under i [=?] scalar_of_N 0)) (range 0 (about_bits about + 4)).
Definition link_opening_counted (gammas w : list Scalar) (z : Scalar) : bool :=
  match false_link_claim with
  | Some k => challenges_counted claims under k gammas w z
  | None => false
  end.

(** One of the challenges, ρ, β, ζ, or those of the fold, is counted. *)
Definition linked_counted (gammas w : list Scalar) (z : Scalar) : bool :=
  rhos_counted about items sheet (drawn_rhos drawn)
  || link_betas_counted about previous items sheet masks before mask (drawn_rhos drawn) (drawn_betas drawn)
  || link_zeta_counted about previous items sheet masks before mask q (drawn_rhos drawn) (drawn_betas drawn) (drawn_zeta drawn)
  || link_opening_counted gammas w z.

(** What a linked certificate says of its segments, where [row] is the last row of the segment before. *)
Definition linked_rows (row k : N) : list N :=
  segment_rows (first_of items) (behind_of items) 65 (sheet_bit items (linked_masks about items masks row)) k.

(** The relations of an accepted certificate hold up to the guard, or it hands over a polynomial that vanishes at tau, or is counted. *)
Theorem accepted_link_related (setup : KzgSetup) (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) :
  sheet_committed setup items sheet -> linked_committed setup previous shown masks before mask q w w' ->
  verify_linked_drawn setup about previous items drawn gammas z shown = Ok tt ->
  (legal_parts about items /\ link_parts previous /\ 1 <= seq_length items /\ rhos_counted about items sheet (drawn_rhos drawn) = false /\
    forall t i, t < relations about -> i <= guard_position (sheet_size (sheet_log items)) ->
      linked_relation about previous items sheet masks before mask (drawn_rhos drawn) t (domain_point (sheet_size (sheet_log items)) i) = scalar_of_N 0) \/
  finds_tau setup (link_break gammas z w w') = true \/ linked_counted gammas w z = true.
Proof.
  intros sheet_known known accepted.
  destruct (linked_accepted_parts _ _ _ _ _ _ _ _ accepted) as ((parts & link & some) & [bits_many values_many] & [off link_off] & opened).
  destruct false_link_claim as [k |] eqn:E.
  - right. assert (opened' : verify_fold setup claims gammas z {| folded_quotient := polynomial_element setup w;
      folded_witness := polynomial_element setup w' |} = true).
    { destruct known as (_ & _ & (_ & _ & _ & _ & <- & <-)). unfold claims. destruct (certificate_opening (linked_body shown)). exact opened. }
    destruct (accepted_fold_decided claims under setup gammas z w w' k) as [found | counted].
    + exact (linked_claims_committed about previous items drawn sheet masks before mask q setup shown bits_many w w' sheet_known (legal_sums _ _ parts) known).
    + exact opened'.
    + now left.
    + right. unfold linked_counted, link_opening_counted. rewrite E. rewrite counted. apply orb_true_r.
  - assert (all_true : forall i, i < about_bits about + 4 -> claim_error claims under i = scalar_of_N 0).
    { intros i L. pose proof (find_none _ _ E i) as T. cbv beta in T. apply scalar_eqb_iff, negb_false_iff, T, range_in. lia. }
    pose proof (linked_combined_vanishes about previous items sheet masks before mask q drawn shown parts link off link_off bits_many values_many all_true) as zero.
    destruct (linked_counted gammas w z) eqn:C; [now right; right | left].
    unfold linked_counted in C. apply orb_false_iff in C as [C _]. apply orb_false_iff in C as [C fine_zeta].
    apply orb_false_iff in C as [fine_rhos fine_betas].
    pose proof (at_least_three about items parts) as three. pose proof (divides about items parts) as D.
    split; [exact parts | split; [exact link | split; [exact some | split; [exact fine_rhos |]]]].
    assert (combined : forall j, j <= guard_position (sheet_size (sheet_log items)) ->
      linked_combined about previous items sheet masks before mask q (drawn_rhos drawn) (drawn_betas drawn) (domain_point (sheet_size (sheet_log items)) j) = scalar_of_N 0).
    { intros j J. unfold link_zeta_counted in fine_zeta. rewrite zero, (proj2 (scalar_eqb_iff _ _) eq_refl), andb_true_r in fine_zeta.
      apply (no_error _ _ j fine_zeta). lia. }
    intros t i T I. unfold link_betas_counted in fine_betas. destruct (first_unlinked _ _ _ _ _ _ _ _) as [j |] eqn:E'.
    + exfalso. apply not_true_iff_false in fine_betas. apply fine_betas, scalar_eqb_iff. apply find_some in E' as [J _]. apply range_in in J.
      pose proof (combined j ltac:(lia)) as Z. unfold linked_combined in Z.
      rewrite (vanishing_on about items three D j ltac:(lia)) in Z. etransitivity; [| exact Z]. ring.
    + assert (I' : In i (range 0 (guard_position (sheet_size (sheet_log items)) + 1))) by (apply range_in; lia).
      exact (no_error _ _ t (find_none _ _ E' i I') T).
Qed.

Theorem accepted_link_decided (setup : KzgSetup) (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) (row : N) :
  numbers_differ (2 ^ 128) -> about_bits about <= 64 -> about_cap about < 2 ^ 128 ->
  sheet_committed setup items sheet -> linked_committed setup previous shown masks before mask q w w' ->
  row_before previous before = scalar_of_N row -> row < 2 ^ 64 ->
  verify_linked_drawn setup about previous items drawn gammas z shown = Ok tt ->
  ((forall k, k < seq_length items ->
      seq_length (linked_rows row k) = record_rows (item_record (seq_at items k)) /\ segment_certified about items sheet k (linked_rows row k)) /\
    row <= seq_at (linked_rows row 0) 0) \/
  finds_tau setup (link_break gammas z w w') = true \/ linked_counted gammas w z = true.
Proof.
  intros differ bits_few cap_few sheet_known known row_is row_small accepted.
  destruct (accepted_link_related setup gammas z w w' sheet_known known accepted) as [(parts & link & some & fine_rhos & zero) | other]; [left | now right].
  assert (related : sheet_related (linked_about about) items sheet (linked_masks about items masks row)).
  { apply (link_steps_related about previous items sheet masks before mask parts link some row row_is row_small bits_few (drawn_rhos drawn)); assumption. }
  split.
  - intros k K. split.
    + unfold linked_rows. rewrite segment_rows_length. unfold first_of, behind_of, begins, ends. lia.
    + apply (relations_imply_rows (seq_length items) (first_of items) (behind_of items)) with (limit := 2 ^ 128);
        [exact (laid_each about items parts) | exact (laid_apart about items parts) | exact related | exact differ | exact cap_few | | exact K].
      pose proof (guard_place about items parts) as G. destruct (legal_log _ _ parts) as [A B].
      destruct (size_of_log _ A B) as (_ & S & _). apply N.le_trans with (2048 * 2 ^ 65); [| vm_compute; discriminate].
      apply N.mul_le_mono_r. lia.
  - unfold linked_rows, segment_rows.
    destruct (laid_each about items parts 0 ltac:(lia)) as (A & B & C).
    rewrite nth_map_range by lia. unfold row_number. rewrite N.add_0_l. change 1 with (0 + 1). rewrite number_sum_succ. change (number_sum _ 0) with 0.
    pose proof (place_is about previous items parts some) as P. replace (first_of items 0 - (0 + 1) + 0) with (link_position items) by lia.
    rewrite (linked_step_number about previous items masks parts some row row_small bits_few) by lia. unfold linked_step. rewrite N.eqb_refl. lia.
Qed.

End Decided.

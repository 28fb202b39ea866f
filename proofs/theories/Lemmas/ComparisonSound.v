(** Comparisons are sound against algebraic provers.

    With each point the prover knows a polynomial; those of the segments are fixed first, those of B_j and R_k before the β,
    Q before ζ.

    - [compared_combination_vanishes]: claims that are true of the polynomials say that the relations, combined, vanish at ζ;
    - [comparison_counted]: the challenges that are counted, a predicate that a program decides;
    - [true_comparison_decided]: so where all claims are true, each row is on its side of its threshold, by a number that the
      bits write, or the challenges are counted;
    - [compared_rows_ordered]: in integers, where the rows are numbers below 2^64;
    - [counted_comparison_betas_few], [counted_comparison_zetas_few]: few are counted. *)
From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate Table.Comparison.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Lemmas.Polynomials Lemmas.Batch
  Lemmas.PolynomialRoots Lemmas.PolynomialProducts Lemmas.FoldedSound Lemmas.SheetRelations Spec.Table.Sheet
  Spec.Table.DomainValues Lemmas.CertificateRelations Lemmas.CertificateSound Lemmas.CertificateCounts Spec.Table.Comparison.
Import ListNotations.
Local Open Scope N_scope.

Section Sound.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

Variables (bits : N) (items : list ComparedRow) (known : ComparisonPolynomials).

Let n : N := comparison_size (seq_length items).
Let m : N := seq_length items.
Let point (i : N) : Scalar := domain_point n i.
Let size_of (k : N) : N := item_size (seq_at items k).

(** The point of its segment's domain where the row of item [k] stands, and what stands there. *)
Definition compared_place (k : N) : Scalar := domain_point (size_of k) (compared_position (seq_at items k)).
Definition compared_row_value (k : N) : Scalar := polynomial_at (rows_under known k) (compared_place k).

(** κ_k x and V^_k there. *)
Definition relocated (k : N) (x : Scalar) : Scalar := relocated_point n (seq_at items k) k x.
Definition masked_row (k : N) (x : Scalar) : Scalar :=
  polynomial_at (rows_under known k) x [+] polynomial_at (rows_polynomial (size_of k)) x [*] polynomial_at (comparison_masks_under known k) x.
(** σ_k (V^_k(κ_k x) - x_k) *)
Definition row_difference (k : N) (x : Scalar) : Scalar :=
  signed_value (seq_at items k) (masked_row k (relocated k x) [-] scalar_of_N (compared_threshold (seq_at items k))).

(** The relations in the order of the β. *)
Definition compared_relation (t : N) (x : Scalar) : Scalar :=
  if t <? bits then polynomial_at (comparison_bits_under known t) x [*] polynomial_at (comparison_bits_under known t) x
    [-] polynomial_at (comparison_bits_under known t) x
  else sum (fun k => polynomial_at (lagrange_polynomial n k) x [*] row_difference k x) m
    [-] sum (fun j => scalar_of_N (2 ^ j) [*] polynomial_at (comparison_bits_under known j) x) bits.

(** The first item where a relation has an error. *)
Definition first_misplaced : option N := find (fun i => some_error (fun t => compared_relation t (point i)) (bits + 1)) (range 0 m).

(** The β make the errors there cancel. *)
Definition comparison_betas_counted (betas : list Scalar) : bool :=
  match first_misplaced with
  | Some i => combination (fun t => compared_relation t (point i)) betas (bits + 1) [=?] scalar_of_N 0
  | None => false
  end.

Definition compared_combination (betas q : list Scalar) (x : Scalar) : Scalar :=
  combination (fun t => compared_relation t x) betas (bits + 1) [-] polynomial_at (rows_polynomial n) x [*] polynomial_at q x.

(** The combination does not vanish where the items stand, and yet at ζ. *)
Definition comparison_zeta_counted (betas q : list Scalar) (zeta : Scalar) : bool :=
  some_error (fun i => compared_combination betas q (point i)) m && (compared_combination betas q zeta [=?] scalar_of_N 0).

Definition comparison_counted (drawn : ComparisonChallenges) (q : list Scalar) : bool :=
  comparison_betas_counted (compared_betas drawn) || comparison_zeta_counted (compared_betas drawn) q (compared_zeta drawn).

Variables (drawn : ComparisonChallenges) (shown : Comparison) (q : list Scalar).
Let zeta : Scalar := compared_zeta drawn.
Let betas : list Scalar := compared_betas drawn.

Hypothesis legal : legal_items bits items drawn shown.

Lemma domain_legal : 4 <= n /\ n <= 1024 /\ m + 2 <= n /\ 4096 mod n = 0.
Proof. exact (comparison_size_legal m (items_few _ _ _ _ legal)). Qed.

Lemma item_legal (k : N) : k < m -> 8 <= size_of k /\ size_of k <= 2048 /\ 4096 mod size_of k = 0 /\
  compared_position (seq_at items k) < size_of k - 3 /\ compared_threshold (seq_at items k) < 2 ^ 64.
Proof.
  intros K. destruct (compared_row_legal_parts _ (items_each _ _ _ _ legal k K)) as ([A B] & C & D).
  destruct (size_of_log _ A B) as (S & S' & S''). fold (item_size (seq_at items k)) in S, S', S''. fold (size_of k) in *.
  pose proof (guard_inside (size_of k) ltac:(lia) S'') as G. change (item_size (seq_at items k)) with (size_of k) in C. rewrite G in C.
  split; [exact S |]. split; [exact S' |]. split; [exact S'' |]. split; [exact C | exact D].
Qed.

(** ** At ζ *)

Lemma vanishing_nonzero (x : Scalar) : on_domain n x = false -> polynomial_at (rows_polynomial n) x <> scalar_of_N 0.
Proof.
  destruct domain_legal as (A & _ & _ & D). intros off Z. pose proof (rows_polynomial_factor n ltac:(lia) D x) as E. rewrite Z in E.
  apply not_true_iff_false in off. apply off. apply (on_domain_iff n). apply scalar_sub_zero. rewrite E. ring.
Qed.

Let claims : list FoldedClaim := comparison_claims items drawn shown.
Let under : N -> list Scalar := comparison_polynomial bits items drawn known q.
Hypothesis all_true : forall i, i < bits + m + 1 -> claim_error claims under i = scalar_of_N 0.

Lemma compared_claim_true (i : N) : i < bits + m + 1 ->
  polynomial_at (under i) (folded_point (compared_claim bits items drawn shown i)) = folded_value (compared_claim bits items drawn shown i).
Proof.
  intros L. pose proof (all_true i L) as T. unfold claim_error, claims in T. rewrite (compared_claim_at bits items drawn shown legal i L) in T.
  now apply scalar_sub_zero.
Qed.

Lemma compared_bit_true (j : N) : j < bits -> polynomial_at (comparison_bits_under known j) zeta = scalar_at (comparison_bit_values shown) j.
Proof.
  intros L. pose proof (compared_claim_true j ltac:(lia)) as E. unfold under, comparison_polynomial, compared_claim in E.
  now rewrite (proj2 (N.ltb_lt _ _) L) in E.
Qed.

Lemma compared_row_true (k : N) : k < m -> masked_row k (relocated k zeta) = scalar_at (comparison_values shown) k.
Proof.
  intros K. pose proof (compared_claim_true (bits + k) ltac:(lia)) as E. unfold under, comparison_polynomial, compared_claim in E.
  rewrite (proj2 (N.ltb_ge (bits + k) bits)), (proj2 (N.ltb_lt (bits + k) (bits + seq_length items))) in E by (fold m; lia).
  replace (bits + k - bits) with k in E by lia. cbn [folded_point folded_value] in E. rewrite added_at, scaled_at in E. rewrite <- E.
  destruct (item_legal k K) as (S & _ & D & _). unfold masked_row, row_vanishing, row_point. fold n zeta (size_of k). fold (relocated k zeta).
  now rewrite (rows_polynomial_off (size_of k) ltac:(lia) D) by exact (rows_off _ _ _ _ legal k K).
Qed.

Lemma compared_differences_sum :
  compared_differences n items (comparison_values shown) zeta
  = sum (fun k => polynomial_at (lagrange_polynomial n k) zeta [*] row_difference k zeta) m.
Proof.
  destruct domain_legal as (A & _ & B & D). apply fold_left_ext_in. intros total k I. apply range_in in I. unfold compared_differences_step. cbv zeta.
  rewrite (lagrange_polynomial_off n ltac:(lia) D) by (lia || exact (zeta_off _ _ _ _ legal)). unfold row_difference.
  now rewrite compared_row_true by (unfold m; lia).
Qed.

Theorem compared_combination_vanishes : compared_combination betas q zeta = scalar_of_N 0.
Proof.
  pose proof (compared_claim_true (bits + m) ltac:(lia)) as E. unfold under, comparison_polynomial, compared_claim in E. fold m in E.
  rewrite (proj2 (N.ltb_ge (bits + m) bits)), (proj2 (N.ltb_ge (bits + m) (bits + m))) in E by lia. cbn [folded_point folded_value] in E.
  unfold comparison_quotient_value in E. cbv zeta in E. fold n zeta betas in E. destruct domain_legal as (A & _ & B & D).
  rewrite <- (rows_polynomial_off n ltac:(lia) D zeta (zeta_off _ _ _ _ legal)) in E.
  pose proof (vanishing_nonzero zeta (zeta_off _ _ _ _ legal)) as nonzero. unfold scalar_inverse in E.
  destruct (bits_shaped _ _ _ _ legal) as [_ shaped].
  assert (R : comparison_relation items betas (comparison_bit_values shown) (comparison_values shown) zeta
    = combination (fun t => compared_relation t zeta) betas (bits + 1)).
  { unfold comparison_relation. cbv zeta. fold n. rewrite compared_differences_sum, bits_relation_sum, weighted_bits_sum, shaped.
    unfold combination. rewrite sum_succ. f_equal.
    - apply sum_ext. intros j J. unfold compared_relation. now rewrite (proj2 (N.ltb_lt _ _) J), compared_bit_true.
    - unfold compared_relation. rewrite N.ltb_irrefl. do 2 f_equal. apply sum_ext. intros j J. now rewrite compared_bit_true. }
  unfold compared_combination. rewrite <- R, E. field. exact nonzero.
Qed.

(** ** At the items *)

Lemma relocated_at (k : N) : k < m -> relocated k (point k) = compared_place k.
Proof.
  intros K. destruct domain_legal as (A & _ & B & D). unfold relocated, relocated_point, compared_place, scalar_inverse. cbv zeta. fold (point k).
  change (sheet_size (record_log (compared_record (seq_at items k)))) with (size_of k).
  pose proof (scalar_pow_nonzero (root_of_unity n) k (primitive_root_nonzero _ n ltac:(lia) (primitive n ltac:(lia) D))) as Z.
  change (scalar_pow (root_of_unity n) k) with (point k) in Z. field. exact Z.
Qed.

Lemma masked_row_at (k : N) : k < m -> masked_row k (relocated k (point k)) = compared_row_value k.
Proof.
  intros K. rewrite relocated_at by exact K. destruct (item_legal k K) as (S & _ & D & P & _). unfold masked_row, compared_row_value, compared_place.
  rewrite (rows_polynomial_at (size_of k) ltac:(lia) D) by lia. ring.
Qed.

(** The number that the bits of item [k] write. *)
Definition compared_number (k : N) : N :=
  step_number bits (fun j i => polynomial_at (comparison_bits_under known j) (domain_point n i)) k.

Theorem true_comparison_decided : comparison_counted drawn q = false -> forall k, k < m ->
  compared_number k < 2 ^ bits /\
  signed_value (seq_at items k) (compared_row_value k [-] scalar_of_N (compared_threshold (seq_at items k))) = scalar_of_N (compared_number k).
Proof.
  intros fine k K. unfold comparison_counted in fine. apply orb_false_iff in fine as [fine_betas fine_zeta]. fold betas in fine_betas, fine_zeta. fold zeta in fine_zeta.
  destruct domain_legal as (A & _ & B & D).
  assert (combined : forall i, i < m -> compared_combination betas q (point i) = scalar_of_N 0).
  { intros i I. unfold comparison_zeta_counted in fine_zeta.
    rewrite compared_combination_vanishes, (proj2 (scalar_eqb_iff _ _) eq_refl), andb_true_r in fine_zeta. exact (no_error _ _ i fine_zeta I). }
  assert (related : forall t, t < bits + 1 -> compared_relation t (point k) = scalar_of_N 0).
  { intros t T. unfold comparison_betas_counted in fine_betas. destruct first_misplaced as [i |] eqn:E.
    - exfalso. apply find_some in E as [I _]. apply range_in in I. apply not_true_iff_false in fine_betas. apply fine_betas, scalar_eqb_iff.
      pose proof (combined i ltac:(lia)) as Z. unfold compared_combination in Z. unfold point in Z at 2.
      rewrite (rows_polynomial_at n ltac:(lia) D) in Z by lia. etransitivity; [| exact Z]. ring.
    - assert (I : In k (range 0 m)) by (apply range_in; lia). exact (no_error _ _ t (find_none _ _ E k I) T). }
  assert (steps : step_at bits (fun j i => polynomial_at (comparison_bits_under known j) (domain_point n i)) k = scalar_of_N (compared_number k)).
  { unfold step_at, compared_number, step_number. rewrite scalar_of_number_sum. apply sum_ext. intros j J.
    pose proof (related j ltac:(lia)) as R. unfold compared_relation in R. rewrite (proj2 (N.ltb_lt _ _) J) in R. unfold point in R.
    set (b := polynomial_at (comparison_bits_under known j) (domain_point n k)) in *.
    assert (zero : b [*] (b [-] scalar_of_N 1) = scalar_of_N 0) by (etransitivity; [| exact R]; ring).
    destruct (scalar_mul_zero _ _ zero) as [Z | Z].
    - rewrite Z. destruct (scalar_of_N 0 [=?] scalar_of_N 1) eqn:E; [| ring]. apply scalar_eqb_iff in E. now elim scalar_one_nonzero.
    - apply (proj1 (scalar_sub_zero _ _)) in Z. rewrite Z, (proj2 (scalar_eqb_iff _ _) eq_refl). ring. }
  split; [apply step_number_below |]. pose proof (related bits ltac:(lia)) as R. unfold compared_relation in R. rewrite N.ltb_irrefl in R.
  rewrite (sum_single _ m k K) in R.
  2: { intros i I N'. unfold point. rewrite (lagrange_polynomial_at n ltac:(lia) D) by lia. destruct (N.eqb_spec k i); [congruence | ring]. }
  unfold point in R at 1. rewrite (lagrange_polynomial_at n ltac:(lia) D), N.eqb_refl in R by lia.
  unfold row_difference in R. rewrite masked_row_at in R by exact K. apply (proj1 (scalar_sub_zero _ _)) in R.
  rewrite <- steps. unfold step_at, point in *. rewrite <- R. ring.
Qed.

(** Where the rows are numbers, they are on their sides of the thresholds, as integers. *)
Theorem compared_rows_ordered (rows : N -> N) : numbers_differ (2 ^ 128) -> bits <= 64 -> comparison_counted drawn q = false ->
  forall k, k < m -> rows k < 2 ^ 64 -> compared_row_value k = scalar_of_N (rows k) ->
  if compared_at_most (seq_at items k) then rows k <= compared_threshold (seq_at items k)
  else compared_threshold (seq_at items k) <= rows k.
Proof.
  intros differ few fine k K small row. destruct (true_comparison_decided fine k K) as [L E]. destruct (item_legal k K) as (_ & _ & _ & _ & T).
  assert (B : 2 ^ bits <= 2 ^ 64) by (apply N.pow_le_mono_r; lia).
  assert (W : 2 ^ 64 + 2 ^ 64 < 2 ^ 128) by (vm_compute; reflexivity).
  rewrite row in E. unfold signed_value, scalar_zero in E. destruct (compared_at_most (seq_at items k)).
  - enough (compared_threshold (seq_at items k) = rows k + compared_number k) by lia.
    apply differ; [lia | lia |]. rewrite scalar_of_N_add, <- E. ring.
  - enough (rows k = compared_threshold (seq_at items k) + compared_number k) by lia.
    apply differ; [lia | lia |]. rewrite scalar_of_N_add, <- E. ring.
Qed.

End Sound.

(** ** How many challenges are counted *)

Section Counts.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars_again : scalar_field.

Variables (bits : N) (items : list ComparedRow) (known : ComparisonPolynomials).
Let n : N := comparison_size (seq_length items).

Theorem counted_comparison_betas_few (s : list Scalar) : NoDup s ->
  let all := choices s (N.to_nat (bits + 1)) in
  (length (filter (comparison_betas_counted bits items known) all) * length s <= 1 * length all)%nat.
Proof.
  intros distinct. cbv zeta. unfold comparison_betas_counted. destruct (first_misplaced bits items known) as [i |] eqn:E.
  - apply find_some in E as [_ wrong]. apply some_error_iff in wrong as (t & T & wrong). rewrite choices_length.
    apply power_part; [| lia].
    rewrite (filter_ext_length _ (fun betas => combination (fun t => compared_relation bits items known t
      (domain_point (comparison_size (seq_length items)) i)) betas (N.of_nat (N.to_nat (bits + 1))) [=?] scalar_of_N 0))
      by (intros betas _; now rewrite N2Nat.id).
    apply few_choices_vanish; [exact distinct |]. exists t. split; [lia | exact wrong].
  - rewrite filter_none by reflexivity. simpl. lia.
Qed.

Variables (d : nat) (betas q : list Scalar).
Hypothesis few : seq_length items <= MAX_COMPARED.
Hypothesis each : forall k, k < seq_length items -> compared_row_legal (seq_at items k) = true.
Hypothesis some_coefficient : (1 <= d)%nat.
Hypothesis short : forall i, (length (rows_under known i) <= d)%nat /\ (length (comparison_bits_under known i) <= d)%nat /\
  (length (comparison_masks_under known i) <= d)%nat.
Hypothesis q_short : (length q <= d)%nat.

Let most : nat := (2 * d + 3072)%nat.

Lemma poly_shorter (p : list Scalar) (m m' : nat) : (length p <= m)%nat -> (m <= m')%nat -> is_poly m' (polynomial_at p).
Proof. intros L M. apply poly_of. lia. Qed.

Lemma row_difference_poly (k : N) : k < seq_length items -> is_poly (2047 + d) (row_difference items known k).
Proof.
  intros K. destruct (compared_row_legal_parts _ (each k K)) as ([A B] & _). destruct (size_of_log _ A B) as (S & S' & S'').
  fold (item_size (seq_at items k)) in S, S', S''.
  assert (P : is_poly (2047 + d) (fun x => masked_row items known k (relocated items k x))).
  { unfold relocated, relocated_point. cbv zeta. apply (poly_dilate _ _ (masked_row items known k)). apply poly_add.
    - apply (poly_shorter _ d); [apply short | lia].
    - apply (poly_more ((N.to_nat (item_size (seq_at items k)) - 1) + (d - 1))); [lia |]. apply poly_multiply; apply poly_of.
      + rewrite rows_polynomial_length by (lia || assumption). lia.
      + destruct (short k) as (_ & _ & R). lia. }
  assert (Q : is_poly (2047 + d) (fun x => masked_row items known k (relocated items k x) [-] scalar_of_N (compared_threshold (seq_at items k)))).
  { apply poly_sub; [exact P |]. apply (poly_more 1); [lia | apply poly_constant]. }
  unfold row_difference, signed_value. destruct (compared_at_most (seq_at items k)); [| exact Q].
  apply poly_sub; [apply (poly_more 1); [lia | apply poly_constant] | exact Q].
Qed.

Lemma compared_relation_poly (t : N) : is_poly most (compared_relation bits items known t).
Proof.
  destruct (comparison_size_legal _ few) as (A & B & C & D). fold n in A, B, C, D. unfold compared_relation. destruct (t <? bits).
  - apply poly_sub; [| apply (poly_shorter _ d); [apply short | unfold most; lia]].
    apply (poly_more (d + (d - 1))); [unfold most; lia |]. apply poly_multiply; apply poly_of; destruct (short t) as (_ & L & _); lia.
  - apply poly_sub.
    + apply (poly_sum most (fun k x => polynomial_at (lagrange_polynomial (comparison_size (seq_length items)) k) x [*] row_difference items known k x)).
      intros k K. apply (poly_more (N.to_nat n + (2046 + d))); [unfold most; lia |]. apply poly_multiply.
      * apply poly_of. fold n. rewrite lagrange_polynomial_length by (lia || assumption). lia.
      * now apply row_difference_poly.
    + apply (poly_sum most (fun j x => scalar_of_N (2 ^ j) [*] polynomial_at (comparison_bits_under known j) x)). intros j _. apply poly_scale.
      apply (poly_shorter _ d); [apply short | unfold most; lia].
Qed.

Theorem counted_comparison_zetas_few (s : list Scalar) : NoDup s ->
  (length (filter (comparison_zeta_counted bits items known betas q) s) <= 2 * d + 3072)%nat.
Proof.
  intros distinct. unfold comparison_zeta_counted. destruct (some_error _ _) eqn:E; cbn [andb].
  - apply some_error_iff in E as (i & _ & wrong).
    assert (P : is_poly most (compared_combination bits items known betas q)).
    { destruct (comparison_size_legal _ few) as (A & B & C & D). fold n in A, B, C, D. unfold compared_combination, combination. apply poly_sub.
      - apply (poly_sum most (fun t x => scalar_at betas t [*] compared_relation bits items known t x)). intros t _.
        apply poly_scale, compared_relation_poly.
      - apply (poly_more ((N.to_nat n - 1) + (d - 1))); [unfold most; lia |]. apply poly_multiply; apply poly_of; [| lia].
        fold n. rewrite rows_polynomial_length by (lia || assumption). lia. }
    destruct P as (p & L & P). rewrite <- P in wrong. pose proof (few_roots p s _ distinct wrong) as roots. unfold most in L.
    etransitivity; [| transitivity (pred (length p)); [exact roots | lia]]. apply Nat.eq_le_incl, filter_ext_length. intros x _.
    unfold is_root. now rewrite P.
  - rewrite filter_none by reflexivity. simpl. lia.
Qed.

End Counts.

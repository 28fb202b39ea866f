(** Honest comparisons: what the specification's prover makes of rows on their sides of their thresholds are values of polynomials,
    whatever tau, the masks and the challenges; and all claims that a verifier takes from them are true.

    - [compared_relations_vanish]: the relations hold at all positions but the masks;
    - [compared_divides]: so their combination is Z times a polynomial, of no more coefficients than the ceremony has powers;
    - [comparison_quotient_is]: which the specification's prover computes;
    - [comparison_complete]: the claims are true of these polynomials. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.KnownPoints Table.KnownSegment Table.Sheet Table.Certificate Table.Comparison Table.CertificateProver
  Table.ComparisonProver.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials Lemmas.Batch
  Lemmas.PolynomialRoots Lemmas.PolynomialProducts Spec.Commitment.FoldedOpening Lemmas.FoldedSound Lemmas.SheetRelations
  Spec.Table.Sheet Spec.Table.DomainValues Lemmas.CertificateRelations Lemmas.CertificateSound Spec.Table.Comparison Lemmas.ComparisonSound
  Lemmas.HonestPolynomials.
From Aardvark Require Lemmas.Hiding.
Import ListNotations.
Local Open Scope N_scope.

Section Complete.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

Variables (bits : N) (items : list ComparedRow) (segments : list KnownSegment) (masks : ComparisonMasks) (drawn : ComparisonChallenges).

Let n : N := comparison_size (seq_length items).
Let m : N := seq_length items.
Let point (i : N) : Scalar := domain_point n i.
Let size_of (k : N) : N := item_size (seq_at items k).
Let segment (k : N) : KnownSegment := seq_at segments k.
Let betas : list Scalar := compared_betas drawn.
Let zeta : Scalar := compared_zeta drawn.

(** Each item's row is on its side of its threshold, by a number that the bits can write. *)
Definition honest_rows : Prop := seq_length segments = seq_length items /\
  forall k, k < seq_length items ->
    let row := number_at (seq_at segments k) (compared_position (seq_at items k)) in
    let threshold := compared_threshold (seq_at items k) in
    (if compared_at_most (seq_at items k) then row <= threshold else threshold <= row) /\
    compared_difference (seq_at items k) (seq_at segments k) < 2 ^ bits.

(** Under the commitments of the items, and under B_j and R_k: tau is not looked at. *)
Definition honest_comparison : ComparisonPolynomials :=
  {| rows_under := fun k => interpolation (root_of_unity (item_size (seq_at items k))) (item_size (seq_at items k))
       (values_element (item_size (seq_at items k)) (seq_at segments k));
     comparison_bits_under := fun j => interpolation (root_of_unity n) n (compared_bit_element items segments masks j);
     comparison_masks_under := fun k => mask_polynomial (compared_row_masks masks) (3 * k) |}.
Let known : ComparisonPolynomials := honest_comparison.

Hypothesis honest : honest_rows.

(** Any comparison with these claims: it brings the sizes. *)
Variable shown : Comparison.
Hypothesis legal : legal_items bits items drawn shown.

Lemma sizes : 4 <= n /\ n <= 1024 /\ m + 2 <= n /\ 4096 mod n = 0 /\ mask_position n = n - 2.
Proof.
  destruct (domain_legal bits items drawn shown legal) as (A & B & C & D). unfold mask_position.
  fold n m in A, B, C, D. destruct (N.leb_spec 2 n); [| lia]. repeat split; assumption.
Qed.

Lemma item_sizes (k : N) : k < m -> 8 <= size_of k /\ size_of k <= 2048 /\ 4096 mod size_of k = 0 /\
  compared_position (seq_at items k) < size_of k - 3 /\ mask_position (size_of k) = size_of k - 2.
Proof.
  intros K. destruct (item_legal bits items drawn shown legal k K) as (A & B & C & D & _). fold (size_of k) in A, B, C, D. unfold mask_position.
  destruct (N.leb_spec 2 (size_of k)); [| lia]. repeat split; assumption.
Qed.

(** ** On the domain *)

Lemma bit_at (j i : N) : i < n - 2 ->
  polynomial_at (comparison_bits_under known j) (point i) = scalar_of_N (halved (ComparisonProver.compared_number items segments i) j mod 2).
Proof.
  intros L. destruct sizes as (A & _ & _ & D & M). cbn [known honest_comparison comparison_bits_under]. unfold point.
  rewrite (interpolated_at n A D) by lia. unfold compared_bit_element. cbv zeta. fold n. rewrite M. destruct (N.leb_spec (n - 2) i); [lia | reflexivity].
Qed.

Lemma row_at_place (k : N) : k < m ->
  compared_row_value items known k = scalar_of_N (number_at (segment k) (compared_position (seq_at items k))).
Proof.
  intros K. destruct (item_sizes k K) as (A & _ & D & P & M). unfold compared_row_value, compared_place. cbn [known honest_comparison rows_under].
  fold (size_of k). rewrite (interpolated_at (size_of k) ltac:(lia) D) by lia. unfold values_element. rewrite M.
  destruct (N.leb_spec (size_of k - 2) (compared_position (seq_at items k))); [lia | reflexivity].
Qed.

Lemma difference_is (k : N) : k < m ->
  signed_value (seq_at items k) (scalar_of_N (number_at (segment k) (compared_position (seq_at items k))) [-] scalar_of_N (compared_threshold (seq_at items k)))
  = scalar_of_N (compared_difference (seq_at items k) (segment k)).
Proof.
  intros K. destruct (proj2 honest k K) as [side _]. unfold signed_value, compared_difference. cbv zeta. fold (segment k) in side.
  set (row := number_at (segment k) _) in *. set (threshold := compared_threshold _) in *. destruct (compared_at_most (seq_at items k)); cbn [andb negb].
  - rewrite (proj2 (N.leb_le row threshold)) by exact side. replace threshold with (threshold - row + row) at 1 by lia. rewrite scalar_of_N_add.
    change scalar_zero with (scalar_of_N 0). ring.
  - rewrite (proj2 (N.leb_le threshold row)) by exact side. replace row with (row - threshold + threshold) at 1 by lia. rewrite scalar_of_N_add. ring.
Qed.

Theorem compared_relations_vanish (t i : N) : t < bits + 1 -> i < n - 2 -> compared_relation bits items known t (point i) = scalar_of_N 0.
Proof.
  intros T L. destruct sizes as (A & _ & B & D & _). destruct honest as [many side]. unfold compared_relation. fold n m.
  destruct (N.ltb_spec t bits) as [_ | _]; [rewrite bit_at by exact L; apply bit_is_one |].
  set (number := ComparisonProver.compared_number items segments i).
  assert (small : number < 2 ^ bits).
  { unfold number, ComparisonProver.compared_number. rewrite many.
    destruct (N.ltb_spec i (seq_length items)) as [I | I]; cbn [andb]; [apply side, I | apply N.neq_0_lt_0, N.pow_nonzero; discriminate]. }
  assert (written : sum (fun j => scalar_of_N (2 ^ j) [*] polynomial_at (comparison_bits_under known j) (point i)) bits = scalar_of_N number).
  { rewrite (sum_ext _ (fun j => scalar_of_N (2 ^ j) [*] scalar_of_N (halved number j mod 2))).
    - now apply bits_write.
    - intros j _. now rewrite bit_at. }
  rewrite written. apply scalar_sub_zero. destruct (N.lt_ge_cases i m) as [I | I].
  - rewrite (sum_single _ m i I).
    + unfold point at 1. rewrite (lagrange_polynomial_at n ltac:(lia) D), N.eqb_refl by lia. unfold row_difference.
      pose proof (masked_row_at bits items known drawn shown legal i I) as R. cbv beta in R. fold n in R. fold (point i) in R. rewrite R, row_at_place, difference_is by exact I.
      unfold number, ComparisonProver.compared_number. rewrite many. rewrite (proj2 (N.ltb_lt i (seq_length items))) by exact I. cbn [andb].
      fold (segment i). ring.
    + intros k K N'. unfold point at 1. rewrite (lagrange_polynomial_at n ltac:(lia) D) by lia. destruct (N.eqb_spec i k); [congruence | ring].
  - replace number with 0.
    2: { unfold number, ComparisonProver.compared_number. rewrite (proj2 (N.ltb_ge i (seq_length items))) by exact I. reflexivity. }
    apply sum_all_zero. intros k K. unfold point at 1. rewrite (lagrange_polynomial_at n ltac:(lia) D) by lia. destruct (N.eqb_spec i k); [lia | ring].
Qed.

(** ** How many coefficients *)

Definition comparison_powers : nat := 4096.

Lemma row_difference_poly (k : N) : k < m -> is_poly 2049 (row_difference items known k).
Proof.
  intros K. destruct (item_sizes k K) as (A & B & D & _). 
  assert (P : is_poly 2049 (fun x => masked_row items known k (relocated items k x) [-] scalar_of_N (compared_threshold (seq_at items k)))).
  { apply poly_sub; [| apply (poly_more 1); [lia | apply poly_constant]].
    unfold relocated, relocated_point. cbv zeta. apply (poly_dilate _ _ (masked_row items known k)). apply poly_add.
    - apply poly_of. cbn [known honest_comparison rows_under]. rewrite interpolation_length. fold (size_of k). lia.
    - apply (poly_more (N.to_nat (size_of k) - 1 + 2)); [lia |]. apply poly_multiply; apply poly_of.
      + fold (size_of k). rewrite (rows_polynomial_length (size_of k) ltac:(lia) D). lia.
      + cbn. lia. }
  unfold row_difference, signed_value. destruct (compared_at_most (seq_at items k)); [| exact P].
  apply (poly_ext _ (fun x => (scalar_of_N 0 [-] scalar_of_N 1) [*]
    (masked_row items known k (relocated items k x) [-] scalar_of_N (compared_threshold (seq_at items k))))).
  - intros x. change scalar_zero with (scalar_of_N 0). ring.
  - now apply poly_scale.
Qed.

Lemma compared_relation_poly (t : N) : is_poly comparison_powers (compared_relation bits items known t).
Proof.
  destruct sizes as (A & B & _ & D & _). unfold compared_relation. fold n m.
  assert (short : forall j, (length (comparison_bits_under known j) <= 1024)%nat).
  { intros j. cbn [known honest_comparison comparison_bits_under]. rewrite interpolation_length. lia. }
  destruct (t <? bits).
  - apply poly_sub.
    + apply (poly_more (1024 + 1023)); [unfold comparison_powers; lia |]. apply poly_multiply; apply poly_of; specialize (short t); lia.
    + apply (poly_more 1024); [unfold comparison_powers; lia |]. apply poly_of, short.
  - apply poly_sub.
    + apply (poly_sum comparison_powers (fun k x => polynomial_at (lagrange_polynomial n k) x [*] row_difference items known k x)). intros k K.
      apply (poly_more (1024 + 2048)); [unfold comparison_powers; lia |]. apply poly_multiply; [| now apply row_difference_poly].
      apply poly_of. rewrite lagrange_polynomial_length by (assumption || lia). lia.
    + apply (poly_sum comparison_powers (fun j x => scalar_of_N (2 ^ j) [*] polynomial_at (comparison_bits_under known j) x)). intros j _.
      apply poly_scale, (poly_more 1024); [unfold comparison_powers; lia |]. apply poly_of, short.
Qed.

Let all_relations (x : Scalar) : Scalar := combination (fun t => compared_relation bits items known t x) betas (bits + 1).

Theorem compared_divides : exists q, (length q <= comparison_powers)%nat /\
  forall x, all_relations x = polynomial_at (rows_polynomial n) x [*] polynomial_at q x.
Proof.
  destruct sizes as (A & _ & _ & D & _).
  assert (P : is_poly comparison_powers all_relations).
  { apply (poly_sum comparison_powers (fun t x => scalar_at betas t [*] compared_relation bits items known t x)). intros t _. apply poly_scale, compared_relation_poly. }
  destruct P as (p & L & E). destruct (rows_divide n A D p zeta (zeta_off _ _ _ _ legal)) as (q & L' & E').
  - intros i I. rewrite E. apply sum_all_zero. intros t T. fold (point i). rewrite compared_relations_vanish by (assumption || lia). ring.
  - exists q. split; [lia |]. intros x. rewrite <- E. apply E'.
Qed.

(** ** What the prover computes off the domains *)

Section Off.

Variable x : Scalar.
Hypothesis off : on_domain n x = false.
Hypothesis rows_apart : forall k, k < m -> on_domain (size_of k) (relocated items k x) = false.

Lemma compared_bits_off : compared_bits_at bits items segments masks x = map (fun j => polynomial_at (comparison_bits_under known j) x) (range 0 bits).
Proof.
  destruct sizes as (A & _ & _ & D & _). unfold compared_bits_at, compared_bits_at_step. cbv zeta. rewrite (fold_range_append _ 0 bits []). cbn [app].
  apply map_ext_in. intros j _. unfold compared_bit_vector, compared_bit_vector_step. fold n.
  rewrite (fold_range_append (compared_bit_element items segments masks j) 0 n []). cbn [app]. now rewrite (vector_value_off n A D).
Qed.

Lemma compared_mask_is (k : N) (y : Scalar) : compared_mask_at masks k y = polynomial_at (comparison_masks_under known k) y.
Proof. unfold compared_mask_at. cbv zeta. cbn. ring. Qed.

Lemma compared_value_off (k : N) : k < m ->
  compared_value_at (seq_at items k) (segment k) masks k (relocated items k x) = masked_row items known k (relocated items k x).
Proof.
  intros K. destruct (item_sizes k K) as (A & _ & D & _). unfold compared_value_at, masked_row. cbv zeta.
  change (sheet_size (record_log (compared_record (seq_at items k)))) with (size_of k). rewrite compared_mask_is. fold (size_of k).
  rewrite (rows_polynomial_off (size_of k) ltac:(lia) D _ (rows_apart k K)). f_equal. unfold values_at. rewrite Hiding.values_vector_map.
  rewrite (vector_value_off (size_of k) ltac:(lia) D _ _ (rows_apart k K)). reflexivity.
Qed.

Lemma compared_values_off : compared_values_at items segments masks x = map (fun k => masked_row items known k (relocated items k x)) (range 0 m).
Proof.
  unfold compared_values_at. fold m.
  rewrite (fold_left_ext_in _ (fun values k => values ++ [masked_row items known k (relocated items k x)])).
  - rewrite (fold_range_append (fun k => masked_row items known k (relocated items k x)) 0 m []). reflexivity.
  - intros values k I. apply range_in in I. unfold compared_values_at_step. destruct honest as [many _]. rewrite many.
    rewrite (proj2 (N.ltb_lt k (seq_length items))) by (unfold m in I; lia). cbv zeta. fold n. fold (relocated items k x). fold (segment k).
    now rewrite compared_value_off by lia.
Qed.

Lemma comparison_relation_is : comparison_relation items betas (compared_bits_at bits items segments masks x) (compared_values_at items segments masks x) x
  = all_relations x.
Proof.
  destruct sizes as (A & _ & B & D & _). unfold comparison_relation. cbv zeta. fold n. rewrite compared_bits_off, compared_values_off.
  rewrite bits_relation_sum, weighted_bits_sum, seq_length_map, seq_length_range. unfold all_relations, combination. rewrite sum_succ. f_equal.
  - apply sum_ext. intros j J. unfold compared_relation. rewrite (proj2 (N.ltb_lt _ _) J). now rewrite scalar_at_map.
  - unfold compared_relation at 1. rewrite N.ltb_irrefl. f_equal. f_equal.
    + fold n m. unfold compared_differences. fold m. apply fold_left_ext_in. intros total k I. apply range_in in I. unfold compared_differences_step. cbv zeta.
      rewrite (lagrange_polynomial_off n ltac:(lia) D) by (lia || exact off). now rewrite scalar_at_map by lia.
    + apply sum_ext. intros j J. now rewrite scalar_at_map.
Qed.

Variable q : list Scalar.
Hypothesis divided : forall x, all_relations x = polynomial_at (rows_polynomial n) x [*] polynomial_at q x.

Theorem comparison_quotient_is :
  comparison_quotient_value items betas (compared_bits_at bits items segments masks x) (compared_values_at items segments masks x) x = polynomial_at q x.
Proof.
  destruct sizes as (A & _ & _ & D & _). unfold comparison_quotient_value. cbv zeta. fold n. rewrite comparison_relation_is, divided.
  rewrite <- (rows_polynomial_off n ltac:(lia) D x off). pose proof (vanishing_nonzero bits items drawn shown legal x off) as Z. unfold scalar_inverse.
  fold n in Z. field. exact Z.
Qed.

End Off.

(** ** The claims *)

Variable setup : KzgSetup.
Let tau : Scalar := g2_exponent (kzg_key setup).

(** The records hold the points of the segments. *)
Definition rows_held : Prop := forall k, k < seq_length items ->
  held_element (record_values (compared_record (seq_at items k))) = g1_multiple (values_at (item_size (seq_at items k)) (seq_at segments k) tau).

(** The comparison is the prover's, but for its encodings. *)
Definition comparison_made : Prop :=
  let made := unopened_comparison tau bits items segments masks drawn in
  map held_element (comparison_bits shown) = map held_element (comparison_bits made) /\
  map held_element (comparison_masks shown) = map held_element (comparison_masks made) /\
  held_element (comparison_quotient shown) = held_element (comparison_quotient made) /\
  comparison_bit_values shown = comparison_bit_values made /\ comparison_values shown = comparison_values made.

Hypothesis tau_off : on_domain n tau = false.
Hypothesis tau_apart : forall k, k < m -> on_domain (size_of k) (relocated items k tau) = false /\ on_domain (size_of k) tau = false.
Hypothesis records : rows_held.
Hypothesis made : comparison_made.

Variable q : list Scalar.
Hypothesis divided : forall x, all_relations x = polynomial_at (rows_polynomial n) x [*] polynomial_at q x.

Lemma unencoded_map (s : list Scalar) : map held_element (unencoded_points s) = map g1_multiple s.
Proof.
  unfold unencoded_points, unencoded_points_step. rewrite (fold_range_append (fun i => unencoded_point (seq_at s i)) 0 _ []). cbn [app].
  apply seq_ext; [now rewrite !seq_length_map, seq_length_range |]. rewrite !seq_length_map, seq_length_range. intros i I.
  rewrite Hiding.mapped_at by (now rewrite seq_length_map, seq_length_range). rewrite nth_map_range by exact I. now rewrite Hiding.mapped_at.
Qed.

Theorem honest_comparison_committed : comparison_committed setup items shown known q.
Proof.
  destruct made as (B & R & Q & _). cbn [unopened_comparison comparison_bits comparison_masks comparison_quotient] in B, R, Q.
  destruct (bits_shaped _ _ _ _ legal) as [LB _]. destruct (rows_shaped _ _ _ _ legal) as [LR _].
  split; [| split; [| split]].
  - intros k K. rewrite records by exact K. unfold polynomial_element. f_equal. destruct (item_sizes k K) as (A & _ & D & _). fold tau.
    unfold values_at. rewrite Hiding.values_vector_map. exact (vector_value_off (size_of k) ltac:(lia) D _ _ (proj2 (tau_apart k K))).
  - intros j J. rewrite LB in J. rewrite unencoded_map, (compared_bits_off tau tau_off), map_map in B. apply (f_equal (fun s => seq_at s j)) in B.
    rewrite Hiding.mapped_at in B by lia. rewrite B. rewrite nth_map_range by exact J. reflexivity.
  - intros k K. rewrite LR in K. rewrite unencoded_map in R. unfold compared_masks_at, compared_masks_at_step in R.
    rewrite (fold_range_append (fun k => compared_mask_at masks k tau) 0 (seq_length items) []) in R. cbn [app] in R. rewrite map_map in R.
    apply (f_equal (fun s => seq_at s k)) in R. rewrite Hiding.mapped_at in R by lia. rewrite R. rewrite nth_map_range by exact K.
    now rewrite compared_mask_is.
  - rewrite Q. cbn [unencoded_point held_element]. unfold compared_quotient_at. fold betas.
    rewrite (comparison_quotient_is tau tau_off (fun k K => proj1 (tau_apart k K)) q divided). reflexivity.
Qed.

Theorem honest_comparison_true (i : N) : i < bits + m + 1 ->
  claim_error (comparison_claims items drawn shown) (comparison_polynomial bits items drawn known q) i = scalar_of_N 0.
Proof.
  intros L. destruct made as (_ & _ & _ & B & V). cbn [unopened_comparison comparison_bit_values comparison_values] in B, V. fold zeta in B, V.
  pose proof (zeta_off _ _ _ _ legal) as off. fold n zeta in off.
  pose proof (rows_off _ _ _ _ legal) as apart. fold n zeta m in apart.
  unfold claim_error. rewrite (compared_claim_at bits items drawn shown legal i L). apply scalar_sub_zero. unfold comparison_polynomial, compared_claim.
  fold m n zeta betas. destruct (N.ltb_spec i bits) as [Li | Li].
  { cbn [folded_point folded_value]. rewrite B, (compared_bits_off zeta off). now rewrite scalar_at_map. }
  destruct (N.ltb_spec i (bits + m)) as [Lm | Lm]; cbn [folded_point folded_value].
  - set (k := i - bits). assert (K : k < m) by (unfold k; lia). rewrite V, (compared_values_off zeta apart), scalar_at_map by exact K.
    rewrite added_at, scaled_at. unfold masked_row, row_vanishing, row_point. fold n zeta (size_of k). fold (relocated items k zeta).
    destruct (item_sizes k K) as (A & _ & D & _). now rewrite (rows_polynomial_off (size_of k) ltac:(lia) D (relocated items k zeta) (apart k K)).
  - rewrite B, V. symmetry. exact (comparison_quotient_is zeta off apart q divided).
Qed.

End Complete.

(** ** With the challenges that are named *)

Section Named.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars' : scalar_field.

Lemma power_of_one (x : Scalar) (size : N) : 0 < size -> 4096 mod size = 0 -> scalar_pow x size = scalar_of_N 1 -> scalar_pow x 4096 = scalar_of_N 1.
Proof.
  intros P D E. rewrite (N.div_mod 4096 size) by lia. rewrite D, N.add_0_r, <- scalar_pow_mul, E. apply scalar_one_pow.
Qed.

Lemma off_any_domain (x : Scalar) (size : N) : 3 <= size -> 4096 mod size = 0 -> scalar_pow x 4096 <> scalar_of_N 1 -> on_domain size x = false.
Proof.
  intros P D no. apply not_true_iff_false. intros E. apply on_domain_iff in E. apply no. apply (power_of_one x size); (lia || assumption).
Qed.

(** Whoever is no root of unity of order 4096 is none after it is relocated. *)
Lemma relocated_apart (x : Scalar) (place size : N) (other : N) (k : N) : 3 <= size -> 4096 mod size = 0 -> 3 <= other -> 4096 mod other = 0 ->
  scalar_pow x 4096 <> scalar_of_N 1 -> scalar_pow (domain_point size place [*] scalar_inverse (domain_point other k) [*] x) 4096 <> scalar_of_N 1.
Proof.
  intros P D P' D' no E. apply no. rewrite !scalar_mul_pow in E.
  rewrite (power_of_one (domain_point size place) size) in E by (lia || assumption || now apply domain_point_on).
  assert (inverse : scalar_pow (scalar_inverse (domain_point other k)) 4096 = scalar_of_N 1).
  { pose proof (scalar_pow_nonzero (root_of_unity other) k (primitive_root_nonzero _ other ltac:(lia) (primitive other P' D'))) as Z.
    change (scalar_pow (root_of_unity other) k) with (domain_point other k) in Z.
    pose proof (power_of_one (domain_point other k) other ltac:(lia) D' (domain_point_on other P' D' k)) as one.
    transitivity (scalar_pow (scalar_inverse (domain_point other k)) 4096 [*] scalar_pow (domain_point other k) 4096); [rewrite one; ring |].
    rewrite <- scalar_mul_pow. replace (scalar_inverse (domain_point other k) [*] domain_point other k) with (scalar_of_N 1); [apply scalar_one_pow |].
    unfold scalar_inverse. field. exact Z. }
  rewrite inverse in E. rewrite <- E. ring.
Qed.

Theorem comparison_complete (setup : KzgSetup) (bits : N) (items : list ComparedRow) (segments : list KnownSegment) (masks : ComparisonMasks)
    (drawn : ComparisonChallenges) (shown : Comparison) :
  let tau := g2_exponent (kzg_key setup) in
  compared_rows_legal items = true -> honest_rows bits items segments -> scalar_pow tau 4096 <> scalar_of_N 1 ->
  rows_held items segments setup -> comparison_made bits items segments masks drawn shown setup ->
  compared_on_domain items (compared_zeta drawn) = false ->
  exists claims q, claims_of_comparison bits items drawn shown = Ok claims /\ (length q <= comparison_powers)%nat /\
    comparison_committed setup items shown (honest_comparison items segments masks) q /\
    forall i, i < seq_length claims ->
      claim_error claims (comparison_polynomial bits items drawn (honest_comparison items segments masks) q) i = scalar_of_N 0.
Proof.
  intros tau rows honest no records made fine.
  assert (shaped : seq_length (comparison_bits shown) = bits /\ seq_length (comparison_bit_values shown) = bits /\
    seq_length (comparison_masks shown) = seq_length items /\ seq_length (comparison_values shown) = seq_length items).
  { destruct made as (B & R & _ & B' & V). cbn [unopened_comparison comparison_bits comparison_masks comparison_bit_values comparison_values] in B, R, B', V.
    rewrite unencoded_map in B, R. apply (f_equal (fun s => seq_length s)) in B, R. rewrite !seq_length_map in B, R.
    assert (many : forall x, seq_length (compared_bits_at bits items segments masks x) = bits).
    { intros x. unfold compared_bits_at, compared_bits_at_step. cbv zeta. rewrite (fold_range_append _ 0 bits []). cbn [app].
      now rewrite seq_length_map, seq_length_range. }
    rewrite B, R, B', V, !many. split; [reflexivity |]. split; [reflexivity |]. split.
    - fold tau. unfold compared_masks_at, compared_masks_at_step. rewrite (fold_range_append (fun k => compared_mask_at masks k tau) 0 (seq_length items) []). cbn [app].
      now rewrite seq_length_map, seq_length_range.
    - unfold compared_values_at. rewrite (fold_left_ext_in _ (fun values k => values ++ [compared_value_at (seq_at items k) (seq_at segments k) masks k
        (relocated_point (comparison_size (seq_length items)) (seq_at items k) k (compared_zeta drawn))])).
      + rewrite (fold_range_append (fun k => compared_value_at (seq_at items k) (seq_at segments k) masks k
          (relocated_point (comparison_size (seq_length items)) (seq_at items k) k (compared_zeta drawn))) 0 (seq_length items) []).
        cbn [app]. now rewrite seq_length_map, seq_length_range.
      + intros values k I. apply range_in in I. unfold compared_values_at_step. destruct honest as [same _]. rewrite same.
        now rewrite (proj2 (N.ltb_lt k (seq_length items))) by lia. }
  destruct shaped as (S1 & S2 & S3 & S4).
  assert (claimed : claims_of_comparison bits items drawn shown = Ok (comparison_claims items drawn shown)).
  { unfold claims_of_comparison. cbv zeta. rewrite rows, S1, S2, S3, S4, !N.eqb_refl, fine. reflexivity. }
  destruct (claims_of_comparison_parts _ _ _ _ _ claimed) as [legal _].
  destruct (compared_divides bits items segments masks drawn honest shown legal) as (q & short & divided).
  pose proof (domain_legal bits items drawn shown legal) as (A & _ & _ & D).
  assert (off : on_domain (comparison_size (seq_length items)) tau = false) by (apply off_any_domain; (lia || assumption)).
  assert (apart : forall k, k < seq_length items -> on_domain (item_size (seq_at items k)) (relocated items k tau) = false /\
    on_domain (item_size (seq_at items k)) tau = false).
  { intros k K. destruct (item_legal bits items drawn shown legal k K) as (B & _ & D' & _). split; apply off_any_domain; try (lia || assumption).
    unfold relocated, relocated_point. cbv zeta. fold (item_log (seq_at items k)). fold (item_size (seq_at items k)).
    apply relocated_apart; [lia | assumption | lia | assumption | assumption]. }
  exists (comparison_claims items drawn shown), q. split; [exact claimed |]. split; [exact short |]. split.
  - exact (honest_comparison_committed bits items segments masks drawn honest shown legal setup off apart records made q divided).
  - intros i L. rewrite (comparison_claims_length bits items drawn shown legal) in L.
    exact (honest_comparison_true bits items segments masks drawn honest shown legal setup made q divided i L).
Qed.

End Named.

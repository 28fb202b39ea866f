(** From an accepted certificate to the relations on its sheet, challenge by challenge.

    What is assumed of the prover is the algebraic group model: with each point it knows a polynomial (Spec/Table/Certificate.v).
    Those of the segments are fixed before the ρ are drawn, those of the first message before the β, Q before ζ.

    - [relation]: the relations as functions of a point; [combined]: Σ β_t relation_t - Z Q;
    - [combined_vanishes]: true claims of the fold say that it vanishes at ζ;
    - [combined_decided]: then it vanishes where the rows stand, or ζ is counted ([zeta_counted]);
    - [relations_decided]: then each relation does, or the β are counted ([betas_counted]);
    - [segments_decided]: then each segment's own relations do, or the ρ are counted ([rhos_counted]). *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Lemmas.Polynomials Lemmas.Batch
  Lemmas.PolynomialRoots Lemmas.PolynomialProducts Lemmas.SheetRelations Spec.Table.Sheet Spec.Table.DomainValues
  Spec.Table.Certificate.
From Aardvark Require Lemmas.FoldedSound.
Import ListNotations.
Local Open Scope N_scope.

Section Relations.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** Some error is not 0. *)
Definition some_error (errors : N -> Scalar) (count : N) : bool := existsb (fun i => negb (errors i [=?] scalar_of_N 0)) (range 0 count).

Lemma some_error_iff (errors : N -> Scalar) (count : N) :
  some_error errors count = true <-> exists i, i < count /\ errors i <> scalar_of_N 0.
Proof.
  unfold some_error. rewrite existsb_exists. split.
  - intros (i & I & E). exists i. apply range_in in I. split; [lia |]. intros Z. rewrite Z, (proj2 (scalar_eqb_iff _ _) eq_refl) in E. discriminate.
  - intros (i & I & E). exists i. split; [apply range_in; lia |]. apply negb_true_iff, not_true_iff_false. rewrite scalar_eqb_iff. exact E.
Qed.

Lemma no_error (errors : N -> Scalar) (count i : N) : some_error errors count = false -> i < count -> errors i = scalar_of_N 0.
Proof.
  intros none L. destruct (scalar_eq_dec (errors i) (scalar_of_N 0)) as [E | E]; [exact E |]. exfalso.
  apply not_true_iff_false in none. apply none, some_error_iff. now exists i.
Qed.

Variables (about : CertificateAbout) (items : list SheetItem).
Variables (sheet : SheetPolynomials) (masks : MaskPolynomials) (q : list Scalar).

Let n : N := sheet_size (sheet_log items).
Let bits : N := about_bits about.
Let moments : N := about_moments about.
Let segments : N := seq_length items.
Let guard : N := guard_position n.
Let point (i : N) : Scalar := domain_point n i.

Definition first_of (k : N) : N := begins (seq_at items k).
Definition behind_of (k : N) : N := ends (seq_at items k).

(** Values, sums and bits at the positions of the domain. *)
Definition sheet_value (k i : N) : Scalar := polynomial_at (values_under sheet k) (point i).
Definition sheet_sum (p k i : N) : Scalar := polynomial_at (sums_under sheet p k) (point i).
Definition sheet_bit (j i : N) : Scalar := polynomial_at (bits_under masks j) (point i).

(** ** The segments' own relations, and the ρ *)

(** By how much segment [k] misses support, for 0, or the sums of the powers [t], at position [i]. *)
Definition segment_error (t i k : N) : Scalar :=
  if t =? 0 then
    sheet_value k i [-] (if is_row first_of behind_of k i then all_values segments sheet_value i else scalar_of_N 0)
  else
    sheet_sum (t - 1) k i [-] unguarded_at guard i [*] sheet_sum (t - 1) k (i + 1)
    [-] sheet_value k i [*] scalar_pow (all_values segments sheet_value i) (t - 1).

(** The first position and relation with an error. *)
Definition first_error : option (N * N) :=
  find (fun '(i, t) => some_error (segment_error t i) segments) (list_prod (range 0 (guard + 1)) (range 0 (moments + 1))).

(** The ρ make the errors there cancel. *)
Definition rhos_counted (rhos : list Scalar) : bool :=
  match first_error with
  | Some (i, t) => combination (segment_error t i) rhos segments [=?] scalar_of_N 0
  | None => false
  end.

(** ** The relations of the sheet, and the β *)

Section Rhos.

Variable rhos : list Scalar.
Let rho (k : N) : Scalar := scalar_at rhos k.

Definition vanishing_at (x : Scalar) : Scalar := polynomial_at (rows_polynomial n) x.
(** V^ *)
Definition masked_at (x : Scalar) : Scalar :=
  sum (fun k => polynomial_at (values_under sheet k) x) segments [+] vanishing_at x [*] polynomial_at (values_mask_under masks) x.
(** V_ρ *)
Definition combined_values_at (x : Scalar) : Scalar := sum (fun k => rho k [*] polynomial_at (values_under sheet k) x) segments.
(** A_p without its mask *)
Definition combined_sums_at (p : N) (x : Scalar) : Scalar := sum (fun k => rho k [*] polynomial_at (sums_under sheet p k) x) segments.
(** The mask of A_1 *)
Definition sums_mask_at (p : N) (x : Scalar) : Scalar :=
  if p =? 0 then vanishing_at x [*] polynomial_at (sums_mask_under masks) x else scalar_of_N 0.
(** id *)
Definition identity_at (x : Scalar) : Scalar :=
  sum (fun k => rho k [*] polynomial_at (interval_polynomial n (first_of k) (behind_of k - first_of k)) x) segments.
(** last *)
Definition lasts_at (x : Scalar) : Scalar := sum (fun k => polynomial_at (lagrange_polynomial n (behind_of k - 1)) x) segments.
(** s *)
Definition unguarded_of (x : Scalar) : Scalar := polynomial_at (unguarded_polynomial n) x.
(** ωx *)
Definition next_of (x : Scalar) : Scalar := domain_point n 1 [*] x.

Definition order_relation (x : Scalar) : Scalar :=
  unguarded_of x [*] masked_at (next_of x) [-] masked_at x [+] scalar_of_N (about_cap about) [*] lasts_at x
  [-] sum (fun j => scalar_of_N (2 ^ j) [*] polynomial_at (bits_under masks j) x) bits.

Definition support_relation (x : Scalar) : Scalar := combined_values_at x [-] identity_at x [*] masked_at x.

Definition sums_relation (p : N) (x : Scalar) : Scalar :=
  (combined_sums_at p x [+] sums_mask_at p x)
  [-] unguarded_of x [*] (combined_sums_at p (next_of x) [+] sums_mask_at p (next_of x))
  [-] combined_values_at x [*] scalar_pow (masked_at x) p.

(** The relations in the order of the β. *)
Definition relation (t : N) (x : Scalar) : Scalar :=
  if t <? bits then polynomial_at (bits_under masks t) x [*] polynomial_at (bits_under masks t) x [-] polynomial_at (bits_under masks t) x
  else if t =? bits then order_relation x
  else if t =? bits + 1 then support_relation x
  else sums_relation (t - (bits + 2)) x.

(** How many relations there are. *)
Definition relations : N := bits + 2 + moments.

(** The first position where a relation has an error. *)
Definition first_unrelated : option N := find (fun i => some_error (fun t => relation t (point i)) relations) (range 0 (guard + 1)).

(** The β make the errors there cancel. *)
Definition betas_counted (betas : list Scalar) : bool :=
  match first_unrelated with
  | Some i => combination (fun t => relation t (point i)) betas relations [=?] scalar_of_N 0
  | None => false
  end.

(** ** Their combination, and ζ *)

Variable betas : list Scalar.

Definition combined (x : Scalar) : Scalar :=
  combination (fun t => relation t x) betas relations [-] vanishing_at x [*] polynomial_at q x.

(** The combination does not vanish where the rows stand, and yet at ζ. *)
Definition zeta_counted (zeta : Scalar) : bool :=
  some_error (fun i => combined (point i)) (guard + 1) && (combined zeta [=?] scalar_of_N 0).

Theorem combined_decided (zeta : Scalar) (i : N) :
  combined zeta = scalar_of_N 0 -> zeta_counted zeta = false -> i <= guard -> combined (point i) = scalar_of_N 0.
Proof.
  intros zero fine L. unfold zeta_counted in fine. rewrite zero, (proj2 (scalar_eqb_iff _ _) eq_refl), andb_true_r in fine.
  apply (no_error _ _ i fine). lia.
Qed.

(** ** On the domain *)

Hypothesis large : 3 <= n.
Hypothesis divides : 4096 mod n = 0.

Lemma guard_is : guard = n - 3.
Proof. exact (guard_inside n large divides). Qed.

Lemma vanishing_on (i : N) : i <= guard -> vanishing_at (point i) = scalar_of_N 0.
Proof. intros L. pose proof guard_is. apply (rows_polynomial_at n large divides). lia. Qed.

Theorem relations_decided (t i : N) :
  (forall j, j <= guard -> combined (point j) = scalar_of_N 0) -> betas_counted betas = false ->
  t < relations -> i <= guard -> relation t (point i) = scalar_of_N 0.
Proof.
  intros zero fine T L. unfold betas_counted in fine. destruct first_unrelated as [j |] eqn:E.
  - exfalso. apply not_true_iff_false in fine. apply fine, scalar_eqb_iff. apply find_some in E as [J _]. apply range_in in J.
    specialize (zero j ltac:(lia)). unfold combined in zero. rewrite vanishing_on in zero by lia.
    etransitivity; [| exact zero]. ring.
  - assert (I : In i (range 0 (guard + 1))) by (apply range_in; lia).
    exact (no_error _ _ t (find_none _ _ E i I) T).
Qed.

Lemma masked_on (i : N) : i <= guard -> masked_at (point i) = all_values segments sheet_value i.
Proof. intros L. unfold masked_at. rewrite vanishing_on by exact L. unfold all_values, sheet_value. ring. Qed.

Lemma next_on (i : N) : next_of (point i) = point (i + 1).
Proof. apply domain_point_next. Qed.

(** What stands behind the guard is multiplied by 0. *)
Lemma unguarded_next (f g : Scalar -> Scalar) (i : N) : i <= guard -> (i < guard -> f (point (i + 1)) = g (point (i + 1))) ->
  unguarded_of (point i) [*] f (next_of (point i)) = unguarded_at guard i [*] g (point (i + 1)).
Proof.
  intros L same. pose proof guard_is. unfold unguarded_of. unfold point at 1. rewrite (unguarded_polynomial_at n large divides) by lia.
  fold guard. rewrite next_on. unfold unguarded_at. destruct (N.eqb_spec i guard) as [E | E]; [ring |]. rewrite same by lia. ring.
Qed.

Hypothesis laid : forall k, k < segments -> first_of k < behind_of k /\ behind_of k <= guard.

Lemma order_on (i : N) : i <= guard ->
  order_relation (point i) = unguarded_at guard i [*] all_values segments sheet_value (i + 1) [-] all_values segments sheet_value i
    [+] scalar_of_N (about_cap about) [*] last_at segments behind_of i [-] step_at bits sheet_bit i.
Proof.
  intros L. pose proof guard_is. unfold order_relation.
  rewrite (unguarded_next masked_at (fun x => sum (fun k => polynomial_at (values_under sheet k) x) segments) i L).
  2: { intros B. rewrite masked_on by lia. reflexivity. }
  rewrite masked_on by exact L. replace (lasts_at (point i)) with (last_at segments behind_of i); [reflexivity |].
  apply sum_ext. intros k K. symmetry. apply (lagrange_polynomial_at n large divides). lia.
Qed.

Lemma support_on (i : N) : i <= guard -> support_relation (point i) = combination (segment_error 0 i) rhos segments.
Proof.
  intros L. pose proof guard_is. unfold support_relation, combination, combined_values_at, identity_at. rewrite masked_on by exact L.
  transitivity (sum (fun k => rho k [*] polynomial_at (values_under sheet k) (point i) [-]
    all_values segments sheet_value i [*] (rho k [*] polynomial_at (interval_polynomial n (first_of k) (behind_of k - first_of k)) (point i))) segments).
  { rewrite sum_subtract, sum_scale. ring. }
  apply sum_ext. intros k K. specialize (laid k K). unfold point at 2. rewrite (interval_polynomial_at n large divides) by lia.
  unfold segment_error, is_row. cbn [N.eqb]. replace (first_of k + (behind_of k - first_of k)) with (behind_of k) by lia.
  fold (rho k). unfold sheet_value. destruct (_ && _); ring.
Qed.

Lemma sums_on (p i : N) : i <= guard -> sums_relation p (point i) = combination (segment_error (p + 1) i) rhos segments.
Proof.
  intros L. unfold sums_relation.
  rewrite (unguarded_next (fun x => combined_sums_at p x [+] sums_mask_at p x) (combined_sums_at p) i L).
  2: { intros B. unfold sums_mask_at. rewrite vanishing_on by lia. destruct (p =? 0); ring. }
  rewrite masked_on by exact L. unfold sums_mask_at. rewrite vanishing_on by exact L.
  transitivity (combined_sums_at p (point i) [-] unguarded_at guard i [*] combined_sums_at p (point (i + 1))
    [-] scalar_pow (all_values segments sheet_value i) p [*] combined_values_at (point i)); [destruct (p =? 0); ring |].
  unfold combined_sums_at, combined_values_at. rewrite <- !sum_scale, <- !sum_subtract. apply sum_ext. intros k _.
  unfold segment_error. destruct (N.eqb_spec (p + 1) 0); [lia |]. replace (p + 1 - 1) with p by lia. fold (rho k).
  unfold sheet_sum, sheet_value. ring.
Qed.

(** Where all relations hold on the domain, so do those of each segment, or the ρ are counted. *)
Theorem segments_decided :
  (forall t i, t < relations -> i <= guard -> relation t (point i) = scalar_of_N 0) -> rhos_counted rhos = false ->
  sheet_relations segments first_of behind_of guard bits (about_cap about) moments sheet_value sheet_sum sheet_bit.
Proof.
  intros zero fine.
  assert (errors : forall t i k, t <= moments -> i <= guard -> k < segments -> segment_error t i k = scalar_of_N 0).
  { intros t i k T L K. unfold rhos_counted in fine. destruct first_error as [[i' t'] |] eqn:E.
    - exfalso. apply find_some in E as [J _]. apply in_prod_iff in J as [J T']. apply range_in in J, T'.
      apply not_true_iff_false in fine. apply fine, scalar_eqb_iff. destruct (N.eq_dec t' 0) as [-> | D].
      + rewrite <- support_on by lia. rewrite <- (zero (bits + 1) i') by (unfold relations; lia). unfold relation.
        destruct (N.ltb_spec (bits + 1) bits); [lia |]. destruct (N.eqb_spec (bits + 1) bits); [lia |]. now rewrite N.eqb_refl.
      + replace t' with (t' - 1 + 1) by lia. rewrite <- sums_on by lia.
        rewrite <- (zero (bits + 2 + (t' - 1)) i') by (unfold relations; lia). unfold relation.
        destruct (N.ltb_spec (bits + 2 + (t' - 1)) bits); [lia |]. destruct (N.eqb_spec (bits + 2 + (t' - 1)) bits); [lia |].
        destruct (N.eqb_spec (bits + 2 + (t' - 1)) (bits + 1)); [lia |].
        now replace (bits + 2 + (t' - 1) - (bits + 2)) with (t' - 1) by lia.
    - assert (I : In (i, t) (list_prod (range 0 (guard + 1)) (range 0 (moments + 1)))) by (apply in_prod; apply range_in; lia).
      exact (no_error _ _ k (find_none _ _ E (i, t) I) K). }
  split.
  - intros j i J L. rewrite <- (zero j i) by (unfold relations; lia). unfold relation. now rewrite (proj2 (N.ltb_lt _ _) J).
  - intros i L. rewrite <- order_on by exact L. rewrite <- (zero bits i) by (unfold relations; lia). unfold relation.
    now rewrite N.ltb_irrefl, N.eqb_refl.
  - intros k i K L. exact (errors 0 i k ltac:(lia) L K).
  - intros p k i P K L. rewrite <- (errors (p + 1) i k ltac:(lia) L K). unfold segment_error.
    destruct (N.eqb_spec (p + 1) 0); [lia |]. now replace (p + 1 - 1) with p by lia.
Qed.

End Rhos.

End Relations.

(** Permutation commitments.

    - [factors], [permutation_product_factors]: the product of all e_i - x, by the list.
    - [equal_products_everywhere], [same_product_rearranged]: two products of one length that agree at as many points are of
      one list, rearranged.
    - [combination_empty], [combination_updated]: combinations of rows of few elements.
    - [permutation_chain_row_combination], [permutation_last_row_combination]: what the rows of the relation say.
    - [chain_element], [product_chain]: a chain's last element commits to the product, or a relation between F_0 and B_0.
    - [pedersen_binding]: two openings of one commitment are a relation among the generators. *)

From Coq Require Import NArith List Bool Lia Ring Field Permutation.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.LinearRelation Mixnet.Permutation.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials
  Lemmas.PolynomialRoots Spec.Mixnet.LinearRelation.
Import ListNotations.
Local Open Scope N_scope.

Section Permutations.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** * Products *)

(** (e_1 - x) * (e_2 - x) * .. *)
Fixpoint factors (e : list Scalar) (x : Scalar) : Scalar :=
  match e with
  | [] => scalar_of_N 1
  | a :: e => (a [-] x) [*] factors e x
  end.

Lemma permutation_product_factors (e : list Scalar) (x : Scalar) : permutation_product e x = factors e x.
Proof.
  unfold permutation_product, permutation_product_step.
  rewrite (fold_range_elements (fun product a => product [*] (a [-] x))). unfold scalar_one.
  enough (forall p, fold_left (fun product a => product [*] (a [-] x)) e p = p [*] factors e x) as E
    by (rewrite E; ring).
  induction e as [| a e IH]; intros p; simpl; [ring |]. rewrite IH. ring.
Qed.

Lemma factors_poly (e : list Scalar) : is_poly (S (length e)) (factors e).
Proof.
  induction e as [| a e IH]; simpl; [apply poly_constant |].
  apply (poly_ext _ (fun x => (scalar_of_N 0 [-] scalar_of_N 1) [*] ((x [-] a) [*] factors e x))); [intros; ring |].
  apply poly_scale. now apply poly_linear.
Qed.

(** The leading coefficients of two products of one length cancel. *)
Lemma factors_difference_poly (a c : list Scalar) :
  length a = length c -> is_poly (length a) (fun x => factors a x [-] factors c x).
Proof.
  revert c. induction a as [| p a IH]; intros [| q c] L; simpl in *; try lia.
  { exists []. split; [simpl; lia |]. intros x. simpl. ring. }
  apply (poly_ext _ (fun x => (scalar_of_N 0 [-] scalar_of_N 1) [*] ((x [-] p) [*] (factors a x [-] factors c x))
    [+] (p [-] q) [*] factors c x)); [intros; ring |].
  injection L as L. apply poly_add; apply poly_scale; [apply poly_linear; now apply IH |].
  rewrite L. apply factors_poly.
Qed.

Lemma filter_all {A : Type} (f : A -> bool) (s : list A) : (forall x, In x s -> f x = true) -> filter f s = s.
Proof. induction s as [| y s IH]; intros E; simpl; [reflexivity |]. rewrite E by now left. f_equal. apply IH. intros; apply E; now right. Qed.

Lemma equal_products_everywhere (a c s : list Scalar) (x : Scalar) :
  length a = length c -> NoDup s -> (length a <= length s)%nat ->
  (forall y, In y s -> factors a y = factors c y) -> factors a x = factors c x.
Proof.
  intros L D LS E. apply scalar_sub_zero. destruct (factors_difference_poly a c L) as (p & Lp & P).
  destruct (scalar_eq_dec (factors a x [-] factors c x) (scalar_of_N 0)) as [Z | Z]; [exact Z |]. exfalso.
  assert (length (filter (is_root p) s) = length s) as All.
  { rewrite filter_all; [reflexivity |]. intros y I. apply scalar_eqb_iff. rewrite P, E by exact I. ring. }
  assert (length (filter (is_root p) s) < length p)%nat as Few.
  { pose proof (few_roots p s x) as FR. rewrite P in FR. specialize (FR D Z).
    destruct p as [| q p]; [exfalso; apply Z; rewrite <- P; reflexivity | simpl in *; lia]. }
  lia.
Qed.

Lemma factors_app (a c : list Scalar) (x : Scalar) : factors (a ++ c) x = factors a x [*] factors c x.
Proof. induction a as [| p a IH]; simpl; [ring | rewrite IH; ring]. Qed.

Lemma factors_root (a : list Scalar) (x : Scalar) : factors a x = scalar_of_N 0 -> In x a.
Proof.
  induction a as [| p a IH]; simpl; intros E; [now destruct (scalar_one_nonzero E) |].
  apply scalar_mul_zero in E as [E | E]; [left; now apply scalar_sub_zero | right; now apply IH].
Qed.

Definition others (x : Scalar) (s : list Scalar) : list Scalar := filter (fun y => negb (y [=?] x)) s.

Lemma others_length (x : Scalar) (s : list Scalar) : NoDup s -> (length s <= S (length (others x s)))%nat.
Proof.
  induction s as [| y s IH]; intros D; simpl; [lia |]. inversion D as [| ? ? N D']; subst.
  destruct (y [=?] x) eqn:E; simpl; [| specialize (IH D'); lia].
  apply scalar_eqb_iff in E. subst. unfold others. rewrite filter_all; [lia |].
  intros z I. destruct (z [=?] x) eqn:Z; [| reflexivity]. apply scalar_eqb_iff in Z. now subst.
Qed.

Theorem same_factors_rearranged (a c s : list Scalar) :
  length a = length c -> NoDup s -> (length a <= length s)%nat ->
  (forall x, In x s -> factors a x = factors c x) -> Permutation a c.
Proof.
  revert a s. induction c as [| q c IH]; intros a s L D LS E.
  { destruct a; [constructor | discriminate]. }
  assert (In q a) as I.
  { apply factors_root. rewrite (equal_products_everywhere a (q :: c) s q L D LS E). simpl. ring. }
  apply in_split in I as (l & r & ->). etransitivity; [symmetry; apply Permutation_middle |]. constructor.
  rewrite app_length in *. simpl in L, LS.
  apply (IH _ (others q s)).
  - rewrite app_length. lia.
  - now apply NoDup_filter.
  - rewrite app_length. pose proof (others_length q s D). lia.
  - intros x Ix. apply filter_In in Ix as [Ix Nx]. specialize (E x Ix). rewrite factors_app in *. simpl in E.
    apply (scalar_mul_cancel _ _ (q [-] x)).
    + apply scalar_sub_nonzero. intros <-. rewrite (proj2 (scalar_eqb_iff q q) eq_refl) in Nx. discriminate.
    + etransitivity; [| etransitivity; [exact E |]]; ring.
Qed.

Theorem same_product_rearranged (a c s : list Scalar) :
  length a = length c -> NoDup s -> (length a <= length s)%nat ->
  (forall x, In x s -> permutation_product a x = permutation_product c x) -> Permutation a c.
Proof.
  intros L D LS E. apply (same_factors_rearranged a c s L D LS).
  intros x I. rewrite <- !permutation_product_factors. now apply E.
Qed.

(** * Rows of few elements *)

Lemma combination_empty (columns : N) (w : list Scalar) : g1_combination (linear_empty_row columns) w = g1_identity.
Proof.
  apply g1_ext. rewrite g1_combination_exponent. cbn [g1_identity g1_exponent]. unfold scalar_zero.
  apply sum_all_zero. intros i _. unfold linear_empty_row. rewrite g1_at_resized.
  destruct (i <? columns); [rewrite g1_at_beyond by (cbn; lia) |]; group_exponents; ring.
Qed.

Lemma combination_updated (row : list G1) (w : list Scalar) (j : N) (x : G1) :
  j < seq_length row -> g1_at row j = g1_identity ->
  g1_combination (g1_updated row j x) w = g1_add (g1_combination row w) (g1_scale (scalar_at w j) x).
Proof.
  intros L Z. apply g1_ext. group_exponents. rewrite !g1_combination_exponent, g1_updated_length.
  rewrite (sum_changed (fun i => scalar_at w i [*] g1_exponent (g1_at (g1_updated row j x) i))
    (fun i => scalar_at w i [*] g1_exponent (g1_at row i)) _ j L).
  - rewrite g1_at_updated by exact L. rewrite N.eqb_refl, Z. group_exponents. ring.
  - intros i Li D. rewrite g1_at_updated by exact L. destruct (N.eqb_spec i j); [contradiction | reflexivity].
Qed.

Lemma empty_row_length (columns : N) : seq_length (linear_empty_row columns) = columns.
Proof. apply g1_resized_length. Qed.

Lemma empty_row_at (columns i : N) : g1_at (linear_empty_row columns) i = g1_identity.
Proof.
  unfold linear_empty_row. rewrite g1_at_resized. destruct (i <? columns); [apply g1_at_beyond; cbn; lia | reflexivity].
Qed.

Lemma permutation_chain_row_combination (generators : MixnetGenerators) (chain : list G1) (w : list Scalar) (i : N) :
  i < seq_length (generator_bases generators) ->
  g1_combination (permutation_chain_row generators chain i) w
  = g1_add (g1_scale (scalar_at w (1 + i)) (permutation_chain_before generators chain i))
      (g1_scale (scalar_at w (1 + seq_length (generator_bases generators) + i)) (generator_blinding generators)).
Proof.
  intros L. unfold permutation_chain_row.
  rewrite combination_updated; [rewrite combination_updated, combination_empty | |].
  - group_solve.
  - rewrite empty_row_length. lia.
  - apply empty_row_at.
  - rewrite g1_updated_length, empty_row_length. lia.
  - rewrite g1_at_updated by (rewrite empty_row_length; lia). rewrite empty_row_at.
    destruct (N.eqb_spec (1 + seq_length (generator_bases generators) + i) (1 + i)); [lia | reflexivity].
Qed.

Lemma permutation_last_row_combination (generators : MixnetGenerators) (w : list Scalar) :
  g1_combination (permutation_last_row generators) w
  = g1_scale (scalar_at w (2 * seq_length (generator_bases generators) + 1)) (generator_blinding generators).
Proof.
  unfold permutation_last_row. rewrite combination_updated, combination_empty.
  - group_solve.
  - rewrite empty_row_length. lia.
  - apply empty_row_at.
Qed.

(** * Combinations of longer lists *)

Lemma scalar_at_cons (x : Scalar) (s : list Scalar) (i : N) : scalar_at (x :: s) (i + 1) = scalar_at s i.
Proof.
  unfold scalar_at. rewrite seq_length_cons, seq_at_succ. now destruct (N.ltb_spec (i + 1) (seq_length s + 1)),
    (N.ltb_spec i (seq_length s)); try lia.
Qed.

Lemma g1_at_cons (x : G1) (s : list G1) (i : N) : g1_at (x :: s) (i + 1) = g1_at s i.
Proof.
  unfold g1_at. rewrite seq_length_cons, seq_at_succ. now destruct (N.ltb_spec (i + 1) (seq_length s + 1)),
    (N.ltb_spec i (seq_length s)); try lia.
Qed.

Lemma sum_first (f : N -> Scalar) (n : N) : sum f (n + 1) = f 0 [+] sum (fun i => f (i + 1)) n.
Proof.
  induction n as [| n IH] using N.peano_ind.
  - rewrite sum_succ, !sum_zero. ring.
  - rewrite <- N.add_1_r, sum_succ, IH, (sum_succ _ n). ring.
Qed.

Lemma combination_cons (x : G1) (elements : list G1) (k : Scalar) (scalars : list Scalar) :
  g1_combination (x :: elements) (k :: scalars) = g1_add (g1_scale k x) (g1_combination elements scalars).
Proof.
  apply g1_ext. group_exponents. rewrite !g1_combination_exponent, seq_length_cons, sum_first. f_equal.
  apply sum_ext. intros i _. now rewrite scalar_at_cons, g1_at_cons.
Qed.

(** * The chain *)

(** A chain by its rows: B_i = s'_i F_0 + (e'_i - theta) B_{i-1} for the first [n]. *)
Definition is_chain (generators : MixnetGenerators) (chain : list G1) (moved blindings : list Scalar) (theta : Scalar)
    (n : N) : Prop :=
  forall i, i < n ->
  g1_at chain i = g1_add (g1_scale (scalar_at blindings i) (generator_blinding generators))
    (g1_scale (scalar_at moved i [-] theta) (permutation_chain_before generators chain i)).

(** ω_n and the product, of the first [n]. *)
Definition omega_of (moved blindings : list Scalar) (theta : Scalar) (n : N) : Scalar :=
  fold_left (fun omega i => permutation_omega_step omega moved blindings theta i) (range 0 n) (scalar_of_N 0).

Definition product_of (moved : list Scalar) (theta : Scalar) (n : N) : Scalar :=
  product (fun i => scalar_at moved i [-] theta) n.

Lemma omega_of_succ (moved blindings : list Scalar) (theta : Scalar) (n : N) :
  omega_of moved blindings theta (n + 1)
  = scalar_at blindings n [+] (scalar_at moved n [-] theta) [*] omega_of moved blindings theta n.
Proof. unfold omega_of. rewrite range_last by lia. now rewrite fold_left_app. Qed.

Lemma product_of_all (moved : list Scalar) (theta : Scalar) :
  product_of moved theta (seq_length moved) = permutation_product moved theta.
Proof.
  apply fold_left_ext_in. intros total i I. apply range_in in I. unfold permutation_product_step.
  now rewrite scalar_at_in by lia.
Qed.

Lemma chain_before_succ (generators : MixnetGenerators) (chain : list G1) (n : N) :
  permutation_chain_before generators chain (n + 1) = g1_at chain n.
Proof.
  unfold permutation_chain_before. destruct (N.eqb_spec (n + 1) 0); [lia |]. now rewrite N.add_sub.
Qed.

Lemma chain_element (generators : MixnetGenerators) (chain : list G1) (moved blindings : list Scalar) (theta : Scalar)
    (n : N) :
  is_chain generators chain moved blindings theta n ->
  permutation_chain_before generators chain n
  = g1_add (g1_scale (omega_of moved blindings theta n) (generator_blinding generators))
      (g1_scale (product_of moved theta n) (generator_chain generators)).
Proof.
  induction n as [| n IH] using N.peano_ind; intros C.
  - apply g1_ext. unfold product_of, omega_of, product, permutation_chain_before. simpl. group_exponents. ring.
  - rewrite <- N.add_1_r, chain_before_succ, C, IH by (try lia; intros i L; apply C; lia).
    unfold product_of. rewrite omega_of_succ, product_succ. group_solve.
Qed.

Theorem product_chain (generators : MixnetGenerators) (chain : list G1) (moved blindings coefficients : list Scalar)
    (theta omega : Scalar) :
  is_chain generators chain moved blindings theta (seq_length moved) ->
  g1_subtract (permutation_chain_before generators chain (seq_length moved))
    (g1_scale (permutation_product coefficients theta) (generator_chain generators))
  = g1_scale omega (generator_blinding generators) ->
  g1_combination [generator_blinding generators; generator_chain generators]
    [permutation_omega moved blindings theta [-] omega;
     permutation_product moved theta [-] permutation_product coefficients theta] = g1_identity.
Proof.
  intros C E. apply chain_element in C. rewrite C in E.
  assert (forall (a b : Scalar) (f g : G1),
    g1_combination [f; g] [a; b] = g1_add (g1_scale a f) (g1_scale b g)) as Two.
  { intros a b f g. rewrite !combination_cons. change (g1_combination [] []) with g1_identity. group_solve. }
  rewrite Two, <- product_of_all.
  change (permutation_omega moved blindings theta) with (omega_of moved blindings theta (seq_length moved)).
  apply g1_ext_iff in E. apply g1_ext. group_exponents.
  set (w := omega_of moved blindings theta (seq_length moved)) in *.
  set (p := product_of moved theta (seq_length moved)) in *.
  transitivity ((w [*] g1_exponent (generator_blinding generators) [+] p [*] g1_exponent (generator_chain generators)
    [-] permutation_product coefficients theta [*] g1_exponent (generator_chain generators))
    [-] omega [*] g1_exponent (generator_blinding generators)); [ring | rewrite E; ring].
Qed.

(** * Binding *)

(** The difference of two openings, blinding first. *)
Definition opening_relation (blinding blinding' : Scalar) (values values' : list Scalar) : list Scalar :=
  (blinding [-] blinding') :: map (fun i => scalar_at values i [-] scalar_at values' i) (range 0 (seq_length values)).

Theorem pedersen_binding (generators : MixnetGenerators) (blinding blinding' : Scalar) (values values' : list Scalar) :
  seq_length values = seq_length (generator_bases generators) ->
  g1_add (g1_scale blinding (generator_blinding generators)) (g1_combination (generator_bases generators) values)
  = g1_add (g1_scale blinding' (generator_blinding generators)) (g1_combination (generator_bases generators) values') ->
  g1_combination (generator_blinding generators :: generator_bases generators)
    (opening_relation blinding blinding' values values') = g1_identity.
Proof.
  intros L E. unfold opening_relation. rewrite combination_cons. apply g1_ext_iff in E. apply g1_ext.
  group_exponents. rewrite !g1_combination_exponent in *.
  rewrite (sum_ext _ (fun i => scalar_at values i [*] g1_exponent (g1_at (generator_bases generators) i) [+]
    (scalar_of_N 0 [-] scalar_of_N 1) [*] (scalar_at values' i [*] g1_exponent (g1_at (generator_bases generators) i)))).
  2: { intros i I. rewrite scalar_at_map by lia. ring. }
  rewrite sum_add, sum_scale.
  set (b := g1_exponent (generator_blinding generators)) in *.
  set (v := sum (fun i => scalar_at values i [*] _) _) in *. set (v' := sum (fun i => scalar_at values' i [*] _) _) in *.
  transitivity ((blinding [*] b [+] v) [-] (blinding' [*] b [+] v')); [unfold v, v'; ring | rewrite E; ring].
Qed.

(** What is no opening twice over is no trivial relation. *)
Lemma opening_relation_nonzero (blinding blinding' : Scalar) (values values' : list Scalar) (i : N) :
  i < seq_length values -> scalar_at values i <> scalar_at values' i ->
  scalar_at (opening_relation blinding blinding' values values') (i + 1) <> scalar_of_N 0.
Proof. intros L D. unfold opening_relation. rewrite scalar_at_cons, scalar_at_map by exact L. now apply scalar_sub_nonzero. Qed.

End Permutations.

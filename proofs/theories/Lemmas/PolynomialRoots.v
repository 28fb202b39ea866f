(** Functions that are polynomials with few coefficients, and how many roots they have.

    - [few_roots]: of distinct scalars, fewer than its number of coefficients are roots of a polynomial that is not 0 everywhere;
    - [is_poly] and its lemmas: sums, multiples, and products with linear factors are such functions. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Lemmas.Polynomials.
Import ListNotations.
Local Open Scope N_scope.

Section Roots.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** ** Arithmetic of coefficients *)

(** c p(X) *)
Definition scaled (c : Scalar) (p : list Scalar) : list Scalar := map (fun x => c [*] x) p.

(** p(X) + q(X) *)
Fixpoint added (p q : list Scalar) : list Scalar :=
  match p, q with
  | [], _ => q
  | _, [] => p
  | x :: p, y :: q => x [+] y :: added p q
  end.

(** (X - z) p(X) *)
Definition times_linear (z : Scalar) (p : list Scalar) : list Scalar :=
  added (scalar_of_N 0 :: p) (scaled (scalar_of_N 0 [-] z) p).

Lemma scaled_at (c : Scalar) (p : list Scalar) (x : Scalar) : polynomial_at (scaled c p) x = c [*] polynomial_at p x.
Proof.
  induction p as [| a p IH]; [simpl; ring |]. change (polynomial_at (scaled c (a :: p)) x)
    with (c [*] a [+] x [*] polynomial_at (scaled c p) x). rewrite IH.
  change (polynomial_at (a :: p) x) with (a [+] x [*] polynomial_at p x). ring.
Qed.

Lemma added_at (p q : list Scalar) (x : Scalar) :
  polynomial_at (added p q) x = polynomial_at p x [+] polynomial_at q x.
Proof.
  revert q. induction p as [| a p IH]; intros q; [simpl; ring |]. destruct q as [| b q]; [simpl; ring |].
  change (polynomial_at (added (a :: p) (b :: q)) x) with (a [+] b [+] x [*] polynomial_at (added p q) x). rewrite IH.
  change (polynomial_at (a :: p) x) with (a [+] x [*] polynomial_at p x).
  change (polynomial_at (b :: q) x) with (b [+] x [*] polynomial_at q x). ring.
Qed.

Lemma times_linear_at (z : Scalar) (p : list Scalar) (x : Scalar) :
  polynomial_at (times_linear z p) x = (x [-] z) [*] polynomial_at p x.
Proof.
  unfold times_linear. rewrite added_at, scaled_at.
  change (polynomial_at (scalar_of_N 0 :: p) x) with (scalar_of_N 0 [+] x [*] polynomial_at p x). ring.
Qed.

Lemma scaled_length (c : Scalar) (p : list Scalar) : length (scaled c p) = length p.
Proof. apply map_length. Qed.

Lemma added_length (p q : list Scalar) (m : nat) : (length p <= m)%nat -> (length q <= m)%nat -> (length (added p q) <= m)%nat.
Proof.
  revert q m. induction p as [| a p IH]; intros q m P Q; [exact Q |]. destruct q as [| b q]; [exact P |].
  simpl in *. destruct m as [| m]; [lia |]. specialize (IH q m). lia.
Qed.

Lemma times_linear_length (z : Scalar) (p : list Scalar) (m : nat) :
  (length p <= m)%nat -> (length (times_linear z p) <= S m)%nat.
Proof. intros L. apply added_length; [simpl; lia | rewrite scaled_length; lia]. Qed.

(** Where all coefficients are 0, so are all values. *)
Lemma zero_coefficients (p : list Scalar) (x : Scalar) :
  (forall c, In c p -> c = scalar_of_N 0) -> polynomial_at p x = scalar_of_N 0.
Proof.
  induction p as [| a p IH]; intros zero; [reflexivity |].
  change (polynomial_at (a :: p) x) with (a [+] x [*] polynomial_at p x).
  rewrite IH by (intros c I; apply zero; now right). rewrite (zero a) by now left. ring.
Qed.

(** ** Roots *)

Definition is_root (p : list Scalar) (x : Scalar) : bool := polynomial_at p x [=?] scalar_of_N 0.

Lemma filter_at_most_one (z : Scalar) (keep keep' : Scalar -> bool) (s : list Scalar) :
  NoDup s -> (forall x, x <> z -> keep x = true -> keep' x = true) ->
  (length (filter keep s) <= S (length (filter keep' s)))%nat.
Proof.
  intros distinct implied. induction distinct as [| x s fresh distinct IH]; [simpl; lia |].
  assert (rest : (length (filter keep s) <= S (length (filter keep' s)))%nat) by exact IH. simpl.
  destruct (scalar_eq_dec x z) as [-> | D].
  - assert (same : (length (filter keep s) <= length (filter keep' s))%nat).
    { clear - fresh implied. induction s as [| y s IH]; [simpl; lia |]. simpl in fresh.
      assert (Y : y <> z) by (intros ->; tauto). specialize (implied y Y). simpl.
      assert ((length (filter keep s) <= length (filter keep' s))%nat) by (apply IH; tauto).
      destruct (keep y); [rewrite implied by reflexivity; simpl; lia |]. destruct (keep' y); simpl; lia. }
    destruct (keep z), (keep' z); simpl; lia.
  - specialize (implied x D). destruct (keep x); [rewrite implied by reflexivity; simpl; lia |].
    destruct (keep' x); simpl; lia.
Qed.

Theorem few_roots (p : list Scalar) (s : list Scalar) (x : Scalar) :
  NoDup s -> polynomial_at p x <> scalar_of_N 0 -> (length (filter (is_root p) s) <= pred (length p))%nat.
Proof.
  intros distinct. remember (length p) as m eqn:Em. revert p x Em.
  induction m as [| m IH]; intros p x Em nonzero.
  { destruct p; [| discriminate]. now elim nonzero. }
  destruct (filter (is_root p) s) as [| z found] eqn:E; [simpl; lia |].
  assert (root : polynomial_at p z = scalar_of_N 0).
  { assert (I : In z (filter (is_root p) s)) by (rewrite E; now left). apply filter_In in I. destruct I as [_ I].
    now apply scalar_eqb_iff. }
  rewrite <- E. clear found E.
  assert (factor : forall y, polynomial_at p y = (y [-] z) [*] polynomial_at (quotient p z) y).
  { intros y. rewrite <- quotient_correct, root. ring. }
  assert (L : length (quotient p z) = m) by (rewrite quotient_length; lia).
  destruct m as [| m].
  { exfalso. apply nonzero. rewrite factor. destruct (quotient p z); [| discriminate]. simpl. ring. }
  specialize (IH (quotient p z) x (eq_sym L)). simpl pred in *.
  transitivity (S (length (filter (is_root (quotient p z)) s))).
  - apply (filter_at_most_one z); [exact distinct |]. intros y D R. apply scalar_eqb_iff in R. rewrite factor in R.
    apply scalar_eqb_iff. destruct (scalar_mul_zero _ _ R) as [Z | Z]; [| exact Z]. apply (proj1 (scalar_sub_zero _ _)) in Z. contradiction.
  - apply le_n_S. apply IH. intros Z. apply nonzero. rewrite factor, Z. ring.
Qed.

(** ** Functions that are polynomials *)

(** The function is that of a polynomial with at most [m] coefficients. *)
Definition is_poly (m : nat) (f : Scalar -> Scalar) : Prop :=
  exists p, (length p <= m)%nat /\ forall x, polynomial_at p x = f x.

Lemma poly_of (p : list Scalar) (m : nat) : (length p <= m)%nat -> is_poly m (polynomial_at p).
Proof. intros L. now exists p. Qed.

Lemma poly_ext (m : nat) (f g : Scalar -> Scalar) : (forall x, f x = g x) -> is_poly m f -> is_poly m g.
Proof. intros E (p & L & P). exists p. split; [exact L |]. intros x. now rewrite P. Qed.

Lemma poly_more (m m' : nat) (f : Scalar -> Scalar) : (m <= m')%nat -> is_poly m f -> is_poly m' f.
Proof. intros L (p & Lp & P). exists p. split; [lia | exact P]. Qed.

Lemma poly_constant (c : Scalar) : is_poly 1 (fun _ => c).
Proof. exists [c]. split; [simpl; lia |]. intros x. simpl. ring. Qed.

Lemma poly_scale (m : nat) (c : Scalar) (f : Scalar -> Scalar) : is_poly m f -> is_poly m (fun x => c [*] f x).
Proof. intros (p & L & P). exists (scaled c p). rewrite scaled_length. split; [exact L |]. intros x. now rewrite scaled_at, P. Qed.

Lemma poly_add (m : nat) (f g : Scalar -> Scalar) : is_poly m f -> is_poly m g -> is_poly m (fun x => f x [+] g x).
Proof.
  intros (p & L & P) (q & L' & Q). exists (added p q). split; [now apply added_length |]. intros x. now rewrite added_at, P, Q.
Qed.

Lemma poly_sub (m : nat) (f g : Scalar -> Scalar) : is_poly m f -> is_poly m g -> is_poly m (fun x => f x [-] g x).
Proof.
  intros P Q. apply (poly_ext m (fun x => f x [+] (scalar_of_N 0 [-] scalar_of_N 1) [*] g x)); [intros; ring |].
  apply poly_add; [exact P |]. now apply poly_scale.
Qed.

Lemma poly_linear (m : nat) (z : Scalar) (f : Scalar -> Scalar) : is_poly m f -> is_poly (S m) (fun x => (x [-] z) [*] f x).
Proof.
  intros (p & L & P). exists (times_linear z p). split; [now apply times_linear_length |]. intros x. now rewrite times_linear_at, P.
Qed.

Lemma poly_sum (m : nat) (f : N -> Scalar -> Scalar) (n : N) :
  (forall i, i < n -> is_poly m (f i)) -> is_poly m (fun x => sum (fun i => f i x) n).
Proof.
  induction n as [| n IH] using N.peano_ind; intros P.
  - exists []. split; [simpl; lia | reflexivity].
  - apply (poly_ext m (fun x => sum (fun i => f i x) n [+] f n x)); [intros x; now rewrite <- N.add_1_r, sum_succ |].
    apply poly_add; [apply IH; intros; apply P; lia | apply P; lia].
Qed.

(** ** Products *)

(** f 0 * .. * f (n-1) *)
Definition product (f : N -> Scalar) (n : N) : Scalar :=
  fold_left (fun total i => total [*] f i) (range 0 n) (scalar_of_N 1).

Lemma product_succ (f : N -> Scalar) (n : N) : product f (n + 1) = product f n [*] f n.
Proof. unfold product. rewrite range_last by lia. now rewrite fold_left_app. Qed.

Lemma product_ext (f g : N -> Scalar) (n : N) : (forall i, i < n -> f i = g i) -> product f n = product g n.
Proof.
  intros E. unfold product. apply fold_left_ext_in. intros total i I. apply range_in in I. now rewrite E by lia.
Qed.

Lemma product_nonzero (f : N -> Scalar) (n : N) : (forall i, i < n -> f i <> scalar_of_N 0) -> product f n <> scalar_of_N 0.
Proof.
  induction n as [| n IH] using N.peano_ind; intros nonzero; [exact scalar_one_nonzero |].
  rewrite <- N.add_1_r, product_succ. apply scalar_mul_nonzero; [apply IH; intros; apply nonzero; lia | apply nonzero; lia].
Qed.

(** A product with one factor left out, times that factor. *)
Lemma product_without (f : N -> Scalar) (n i : N) : i < n ->
  f i [*] product (fun j => if j =? i then scalar_of_N 1 else f j) n = product f n.
Proof.
  induction n as [| n IH] using N.peano_ind; intros L; [lia |]. rewrite <- N.add_1_r, !product_succ.
  destruct (N.eqb_spec n i) as [-> | D].
  - rewrite (product_ext _ f i); [ring |]. intros j Lj. destruct (N.eqb_spec j i); [lia | reflexivity].
  - rewrite <- IH by lia. ring.
Qed.

(** A polynomial times some linear factors. *)
Lemma poly_product (m : nat) (f : Scalar -> Scalar) (skipped : N -> bool) (z : N -> Scalar) (n : N) :
  is_poly m f ->
  is_poly (m + N.to_nat n) (fun x => f x [*] product (fun j => if skipped j then scalar_of_N 1 else x [-] z j) n).
Proof.
  intros P. induction n as [| n IH] using N.peano_ind.
  - apply (poly_ext _ f); [intros x; unfold product; simpl; ring |]. apply (poly_more m); [lia | exact P].
  - set (before := fun x => f x [*] product (fun j => if skipped j then scalar_of_N 1 else x [-] z j) n) in *.
    destruct (skipped n) eqn:K.
    + apply (poly_ext _ before); [| apply (poly_more (m + N.to_nat n)); [lia | exact IH]].
      intros x. rewrite <- N.add_1_r, product_succ, K. unfold before. ring.
    + apply (poly_ext _ (fun x => (x [-] z n) [*] before x)).
      { intros x. rewrite <- N.add_1_r, product_succ, K. unfold before. ring. }
      apply (poly_more (S (m + N.to_nat n))); [lia |]. now apply poly_linear.
Qed.

End Roots.

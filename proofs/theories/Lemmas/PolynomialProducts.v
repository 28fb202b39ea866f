(** More arithmetic of polynomials, as lists of coefficients: products, arguments times a constant, sums over indices.

    - [multiplied_at], [dilated_at], [total_polynomial_at]: their values;
    - [poly_multiply], [poly_dilate], [poly_power]: how many coefficients they have;
    - [sum_split]: a sum in two parts. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Lemmas.Polynomials Lemmas.PolynomialRoots.
Import ListNotations.
Local Open Scope N_scope.

Section Products.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** p(X) q(X) *)
Fixpoint multiplied (p q : list Scalar) : list Scalar :=
  match p with
  | [] => []
  | c :: p => added (scaled c q) (scalar_of_N 0 :: multiplied p q)
  end.

(** p(c X) *)
Fixpoint dilated (c : Scalar) (p : list Scalar) : list Scalar :=
  match p with
  | [] => []
  | a :: p => a :: scaled c (dilated c p)
  end.

(** The sum of the polynomials with these indices. *)
Definition total_polynomial (f : N -> list Scalar) (indices : list N) : list Scalar :=
  fold_left (fun total i => added total (f i)) indices [].

Lemma multiplied_at (p q : list Scalar) (x : Scalar) :
  polynomial_at (multiplied p q) x = polynomial_at p x [*] polynomial_at q x.
Proof.
  induction p as [| c p IH]; [simpl; ring |]. cbn [multiplied]. rewrite added_at, scaled_at.
  change (polynomial_at (scalar_of_N 0 :: multiplied p q) x) with (scalar_of_N 0 [+] x [*] polynomial_at (multiplied p q) x).
  change (polynomial_at (c :: p) x) with (c [+] x [*] polynomial_at p x). rewrite IH. ring.
Qed.

Lemma multiplied_length (p q : list Scalar) (m m' : nat) :
  (length p <= m)%nat -> (length q <= S m')%nat -> (length (multiplied p q) <= m + m')%nat.
Proof.
  revert m. induction p as [| c p IH]; intros m P Q; [simpl; lia |]. destruct m as [| m]; [simpl in P; lia |].
  cbn [multiplied]. simpl in P. specialize (IH m ltac:(lia) Q). apply added_length; [rewrite scaled_length; lia | simpl; lia].
Qed.

Lemma dilated_at (c : Scalar) (p : list Scalar) (x : Scalar) : polynomial_at (dilated c p) x = polynomial_at p (c [*] x).
Proof.
  induction p as [| a p IH]; [reflexivity |]. cbn [dilated].
  change (polynomial_at (a :: scaled c (dilated c p)) x) with (a [+] x [*] polynomial_at (scaled c (dilated c p)) x).
  rewrite scaled_at, IH. change (polynomial_at (a :: p) (c [*] x)) with (a [+] c [*] x [*] polynomial_at p (c [*] x)). ring.
Qed.

Lemma dilated_length (c : Scalar) (p : list Scalar) : length (dilated c p) = length p.
Proof. induction p as [| a p IH]; [reflexivity |]. simpl. now rewrite scaled_length, IH. Qed.

Lemma total_polynomial_at (f : N -> list Scalar) (indices : list N) (x : Scalar) :
  polynomial_at (total_polynomial f indices) x = fold_left (fun total i => total [+] polynomial_at (f i) x) indices (scalar_of_N 0).
Proof.
  unfold total_polynomial. assert (general : forall p, polynomial_at (fold_left (fun total i => added total (f i)) indices p) x
    = fold_left (fun total i => total [+] polynomial_at (f i) x) indices (polynomial_at p x)).
  { induction indices as [| i indices IH]; intros p; [reflexivity |]. cbn [fold_left]. now rewrite IH, added_at. }
  apply general.
Qed.

Lemma total_polynomial_sum (f : N -> list Scalar) (n : N) (x : Scalar) :
  polynomial_at (total_polynomial f (range 0 n)) x = sum (fun i => polynomial_at (f i) x) n.
Proof. apply total_polynomial_at. Qed.

Lemma total_polynomial_length (f : N -> list Scalar) (indices : list N) (m : nat) :
  (forall i, In i indices -> (length (f i) <= m)%nat) -> (length (total_polynomial f indices) <= m)%nat.
Proof.
  unfold total_polynomial. assert (general : forall p, (length p <= m)%nat -> (forall i, In i indices -> (length (f i) <= m)%nat) ->
    (length (fold_left (fun total i => added total (f i)) indices p) <= m)%nat).
  { induction indices as [| i indices IH]; intros p P Q; [exact P |]. cbn [fold_left]. apply IH; [| intros; apply Q; now right].
    apply added_length; [exact P | apply Q; now left]. }
  apply general. simpl. lia.
Qed.

(** ** Functions that are polynomials *)

Lemma poly_multiply (m m' : nat) (f g : Scalar -> Scalar) :
  is_poly m f -> is_poly (S m') g -> is_poly (m + m') (fun x => f x [*] g x).
Proof.
  intros (p & L & P) (q & L' & Q). exists (multiplied p q). split; [now apply multiplied_length |].
  intros x. now rewrite multiplied_at, P, Q.
Qed.

Lemma poly_dilate (m : nat) (c : Scalar) (f : Scalar -> Scalar) : is_poly m f -> is_poly m (fun x => f (c [*] x)).
Proof. intros (p & L & P). exists (dilated c p). rewrite dilated_length. split; [exact L |]. intros x. now rewrite dilated_at, P. Qed.

Lemma poly_power (m : nat) (f : Scalar -> Scalar) (e : nat) :
  is_poly (S m) f -> is_poly (S (e * m)) (fun x => scalar_pow (f x) (N.of_nat e)).
Proof.
  intros P. induction e as [| e IH].
  - apply (poly_ext _ (fun _ => scalar_of_N 1)); [reflexivity |]. exact (poly_constant _).
  - apply (poly_ext _ (fun x => f x [*] scalar_pow (f x) (N.of_nat e))).
    + intros x. now rewrite Nat2N.inj_succ, <- N.add_1_r, scalar_pow_succ.
    + replace (S (S e * m)) with (S m + e * m)%nat by lia. now apply poly_multiply.
Qed.

(** ** Sums *)

Lemma sum_split (f : N -> Scalar) (m n : N) : sum f (m + n) = sum f m [+] sum (fun i => f (m + i)) n.
Proof.
  induction n as [| n IH] using N.peano_ind; [rewrite N.add_0_r, sum_zero; ring |].
  replace (m + N.succ n) with (m + n + 1) by lia. rewrite <- (N.add_1_r n), !sum_succ, IH. ring.
Qed.

Lemma sum_subtract (f g : N -> Scalar) (n : N) : sum (fun i => f i [-] g i) n = sum f n [-] sum g n.
Proof.
  transitivity (sum (fun i => f i [+] (scalar_of_N 0 [-] scalar_of_N 1) [*] g i) n); [apply sum_ext; intros; ring |].
  rewrite sum_add, sum_scale. ring.
Qed.

End Products.

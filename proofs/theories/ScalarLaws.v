(** What the theorems about commitments ask of the scalars: that they are a field, and that some scalar is a primitive
    n-th root of unity.

    - [ScalarLaws]: the laws of a field, for the operations that the specification uses.
    - [primitive_root]: omega has order exactly n.
    - [scalar_field_theory]: the laws in the form that Coq's tactics [ring] and [field] take.

    [Aardvark.PrimeField] shows that the integers modulo any prime satisfy the laws, [Aardvark.ScalarField] that the
    specification's root of unity is a primitive one modulo the order of BLS12-381. *)

From Coq Require Import NArith List Bool Lia Field Ring RelationClasses.
From AardvarkSpec Require Import Prelude Scalar.
From Aardvark Require Import LoopLemmas.
Import ListNotations.
Local Open Scope N_scope.

(** * The laws *)

Class ScalarLaws {F : ScalarOperations} : Prop := {
  scalar_add_comm : forall a b, a [+] b = b [+] a;
  scalar_add_assoc : forall a b c, a [+] (b [+] c) = a [+] b [+] c;
  scalar_add_zero : forall a, scalar_zero [+] a = a;
  scalar_sub_add : forall a b, a [-] b [+] b = a;
  scalar_mul_comm : forall a b, a [*] b = b [*] a;
  scalar_mul_assoc : forall a b c, a [*] (b [*] c) = a [*] b [*] c;
  scalar_mul_one : forall a, scalar_one [*] a = a;
  scalar_mul_add : forall a b c, (a [+] b) [*] c = a [*] c [+] b [*] c;
  scalar_mul_inv : forall a, a <> scalar_zero -> scalar_inv a [*] a = scalar_one;
  scalar_one_not_zero : scalar_one <> scalar_zero;
  scalar_of_N_add : forall m n, scalar_of_N (m + n) = scalar_of_N m [+] scalar_of_N n;
  scalar_eqb_iff : forall a b, (a [=?] b) = true <-> a = b;
}.

(** omega to the n is 1, and no lower power is. *)
Definition primitive_root {F : ScalarOperations} (omega : Scalar) (n : N) : Prop :=
  0 < n /\ scalar_power omega n = scalar_one /\ forall k, 0 < k < n -> scalar_power omega k <> scalar_one.

(** * Their consequences *)

Section Consequences.

Context {F : ScalarOperations} {laws : ScalarLaws}.

Definition scalar_opp (a : Scalar) : Scalar := scalar_zero [-] a.
Definition scalar_div (a b : Scalar) : Scalar := a [*] scalar_inv b.

Lemma scalar_add_opp (a : Scalar) : a [+] scalar_opp a = scalar_zero.
Proof. unfold scalar_opp. rewrite scalar_add_comm. apply scalar_sub_add. Qed.

Lemma scalar_add_cancel (a b c : Scalar) : a [+] c = b [+] c -> a = b.
Proof.
  intros E. rewrite <- (scalar_add_zero a), <- (scalar_add_zero b), <- (scalar_add_opp c).
  rewrite <- !scalar_add_assoc, !(scalar_add_comm (scalar_opp c)), !scalar_add_assoc.
  rewrite !(scalar_add_comm c), E. reflexivity.
Qed.

Lemma scalar_sub_opp (a b : Scalar) : a [-] b = a [+] scalar_opp b.
Proof.
  apply (scalar_add_cancel _ _ b). rewrite scalar_sub_add.
  rewrite <- scalar_add_assoc, (scalar_add_comm (scalar_opp b)), scalar_add_opp, scalar_add_comm.
  symmetry. apply scalar_add_zero.
Qed.

Lemma scalar_ring_theory :
  ring_theory scalar_zero scalar_one scalar_add scalar_mul scalar_sub scalar_opp (@eq Scalar).
Proof.
  constructor.
  - apply scalar_add_zero.
  - apply scalar_add_comm.
  - apply scalar_add_assoc.
  - apply scalar_mul_one.
  - apply scalar_mul_comm.
  - apply scalar_mul_assoc.
  - apply scalar_mul_add.
  - apply scalar_sub_opp.
  - apply scalar_add_opp.
Qed.

Lemma scalar_field_theory :
  field_theory scalar_zero scalar_one scalar_add scalar_mul scalar_sub scalar_opp scalar_div scalar_inv (@eq Scalar).
Proof.
  constructor.
  - exact scalar_ring_theory.
  - exact scalar_one_not_zero.
  - reflexivity.
  - exact scalar_mul_inv.
Qed.

Add Field scalar_field : scalar_field_theory.

Lemma scalar_eqb_refl (a : Scalar) : (a [=?] a) = true.
Proof. apply scalar_eqb_iff. reflexivity. Qed.

Lemma scalar_eqb_false (a b : Scalar) : (a [=?] b) = false <-> a <> b.
Proof.
  rewrite <- scalar_eqb_iff. destruct (a [=?] b); split; intros H; try reflexivity; try discriminate.
  - exfalso. apply H. reflexivity.
Qed.

Lemma scalar_eq_dec (a b : Scalar) : {a = b} + {a <> b}.
Proof.
  destruct (a [=?] b) eqn:E; [left; apply scalar_eqb_iff | right; apply scalar_eqb_false]; exact E.
Qed.

Lemma scalar_sub_zero_iff (a b : Scalar) : a [-] b = scalar_zero <-> a = b.
Proof.
  split; intros E; [| rewrite E; ring].
  apply (scalar_add_cancel _ _ (scalar_opp b)). rewrite <- scalar_sub_opp, E. ring.
Qed.

Lemma scalar_mul_zero (a b : Scalar) : a [*] b = scalar_zero -> a = scalar_zero \/ b = scalar_zero.
Proof.
  intros E. destruct (scalar_eq_dec a scalar_zero) as [Z | Z]; [left; exact Z | right].
  transitivity (scalar_inv a [*] a [*] b); [rewrite scalar_mul_inv by exact Z; ring |].
  rewrite <- scalar_mul_assoc, E. ring.
Qed.

Lemma scalar_mul_cancel (a b c : Scalar) : c <> scalar_zero -> a [*] c = b [*] c -> a = b.
Proof.
  intros Z E. apply scalar_sub_zero_iff.
  destruct (scalar_mul_zero (a [-] b) c) as [D | D]; [| exact D | contradiction].
  transitivity (a [*] c [-] b [*] c); [ring |]. rewrite E. ring.
Qed.

Lemma scalar_sub_not_zero (a b : Scalar) : a <> b -> a [-] b <> scalar_zero.
Proof. intros D E. apply D, scalar_sub_zero_iff, E. Qed.

(** The inverse is the only solution. *)
Lemma scalar_inv_unique (a b : Scalar) : a [*] b = scalar_one -> a = scalar_inv b.
Proof.
  intros E. assert (Z : b <> scalar_zero).
  { intros Z. apply scalar_one_not_zero. rewrite <- E, Z. ring. }
  apply (scalar_mul_cancel _ _ b Z). rewrite scalar_mul_inv by exact Z. exact E.
Qed.

(** ** Powers *)

Lemma scalar_power_zero (a : Scalar) : scalar_power a 0 = scalar_one.
Proof. reflexivity. Qed.

Lemma scalar_power_add (a : Scalar) (m n : N) : scalar_power a (m + n) = scalar_power a m [*] scalar_power a n.
Proof.
  unfold scalar_power, u128_of_usize, scalar_pow, pow_N.
  destruct m as [| m], n as [| n]; cbn [N.add]; fold scalar_one; try ring.
  apply (pow_pos_add eq_equivalence).
  - intros x y E x' y' E'. rewrite E, E'. reflexivity.
  - intros. apply scalar_mul_assoc.
Qed.

Lemma scalar_power_one (a : Scalar) : scalar_power a 1 = a.
Proof. reflexivity. Qed.

Lemma scalar_power_succ (a : Scalar) (n : N) : scalar_power a (n + 1) = scalar_power a n [*] a.
Proof. rewrite scalar_power_add. reflexivity. Qed.

Lemma scalar_power_of_one (n : N) : scalar_power scalar_one n = scalar_one.
Proof.
  induction n as [| n IH] using N.peano_ind; [reflexivity |].
  rewrite <- N.add_1_r, scalar_power_succ, IH. ring.
Qed.

Lemma scalar_power_mul (a : Scalar) (m n : N) : scalar_power a (m * n) = scalar_power (scalar_power a m) n.
Proof.
  induction n as [| n IH] using N.peano_ind; [rewrite N.mul_0_r; reflexivity |].
  rewrite <- N.add_1_r, scalar_power_succ, N.mul_add_distr_l, N.mul_1_r, scalar_power_add, IH. reflexivity.
Qed.

Lemma scalar_power_product (a b : Scalar) (n : N) :
  scalar_power (a [*] b) n = scalar_power a n [*] scalar_power b n.
Proof.
  induction n as [| n IH] using N.peano_ind; [rewrite !scalar_power_zero; ring |].
  rewrite <- N.add_1_r, !scalar_power_succ, IH. ring.
Qed.

Lemma scalar_power_not_zero (a : Scalar) (n : N) : a <> scalar_zero -> scalar_power a n <> scalar_zero.
Proof.
  intros Z. induction n as [| n IH] using N.peano_ind; [exact scalar_one_not_zero |].
  rewrite <- N.add_1_r, scalar_power_succ. intros E. apply scalar_mul_zero in E. tauto.
Qed.

(** ** Primitive roots *)

Section Root.

Variables (omega : Scalar) (n : N).
Hypothesis root : primitive_root omega n.

Lemma root_not_zero : omega <> scalar_zero.
Proof.
  intros Z. destruct root as (positive & E & _). apply scalar_one_not_zero. rewrite <- E, Z.
  replace n with (n - 1 + 1) by lia. rewrite scalar_power_succ. ring.
Qed.

Lemma root_power (k : N) : scalar_power (scalar_power omega k) n = scalar_one.
Proof.
  destruct root as (_ & E & _). rewrite <- scalar_power_mul, N.mul_comm, scalar_power_mul, E.
  apply scalar_power_of_one.
Qed.

Lemma root_powers_distinct (i j : N) : i < n -> j < n -> scalar_power omega i = scalar_power omega j -> i = j.
Proof.
  assert (ordered : forall i j, i < j -> j < n -> scalar_power omega i <> scalar_power omega j).
  { clear i j. intros i j less below E. destruct root as (_ & _ & lower).
    apply (lower (j - i)); [lia |].
    apply (scalar_mul_cancel _ _ (scalar_power omega i)); [apply scalar_power_not_zero, root_not_zero |].
    rewrite <- scalar_power_add. replace (j - i + i) with j by lia. rewrite <- E. ring. }
  intros Hi Hj E. destruct (N.lt_trichotomy i j) as [L | [L | L]]; [| exact L |]; exfalso.
  - exact (ordered i j L Hj E).
  - exact (ordered j i L Hi (eq_sym E)).
Qed.

(** What is not an n-th root of unity is none of the powers. *)
Lemma root_avoids (tau : Scalar) (k : N) : scalar_power tau n <> scalar_one -> tau <> scalar_power omega k.
Proof. intros T E. apply T. rewrite E. apply root_power. Qed.

End Root.

(** ** Sums *)

(** The sum of [f k] over [k < n], in the shape of the specification's loops. *)
Definition sum_below (n : N) (f : N -> Scalar) : Scalar :=
  fold_left (fun total k => total [+] f k) (range 0 n) scalar_zero.

Lemma sum_below_zero (f : N -> Scalar) : sum_below 0 f = scalar_zero.
Proof. reflexivity. Qed.

Lemma sum_below_succ (n : N) (f : N -> Scalar) : sum_below (n + 1) f = sum_below n f [+] f n.
Proof. unfold sum_below. rewrite range_snoc, fold_left_app by lia. reflexivity. Qed.

(** Sums by induction: a claim about all sums that holds for 0 and is kept by one more summand. *)
Ltac sum_induction n :=
  induction n as [| n IH] using N.peano_ind;
  [rewrite ?sum_below_zero | rewrite <- N.add_1_r in *; rewrite ?sum_below_succ in *].

Lemma sum_below_ext (n : N) (f g : N -> Scalar) : (forall k, k < n -> f k = g k) -> sum_below n f = sum_below n g.
Proof.
  sum_induction n; [reflexivity |]. intros E. rewrite IH by (intros; apply E; lia). rewrite E by lia. reflexivity.
Qed.

Lemma sum_below_add (n : N) (f g : N -> Scalar) : sum_below n (fun k => f k [+] g k) = sum_below n f [+] sum_below n g.
Proof. sum_induction n; [ring |]. rewrite IH. ring. Qed.

Lemma sum_below_sub (n : N) (f g : N -> Scalar) : sum_below n (fun k => f k [-] g k) = sum_below n f [-] sum_below n g.
Proof. sum_induction n; [ring |]. rewrite IH. ring. Qed.

Lemma sum_below_scale (n : N) (c : Scalar) (f : N -> Scalar) : sum_below n (fun k => c [*] f k) = c [*] sum_below n f.
Proof. sum_induction n; [ring |]. rewrite IH. ring. Qed.

Lemma sum_below_zeros (n : N) (f : N -> Scalar) : (forall k, k < n -> f k = scalar_zero) -> sum_below n f = scalar_zero.
Proof. sum_induction n; [reflexivity |]. intros E. rewrite IH by (intros; apply E; lia). rewrite E by lia. ring. Qed.

(** A sum of which one summand alone is not 0. *)
Lemma sum_below_single (n j : N) (f : N -> Scalar) :
  j < n -> (forall k, k < n -> k <> j -> f k = scalar_zero) -> sum_below n f = f j.
Proof.
  sum_induction n; [lia |]. intros L E. destruct (N.eq_dec j n) as [-> | D].
  - rewrite sum_below_zeros by (intros; apply E; lia). ring.
  - rewrite IH by (try intros; try apply E; lia). rewrite (E n) by lia. ring.
Qed.

(** One summand taken out of a sum. *)
Lemma sum_below_take (n j : N) (f : N -> Scalar) :
  j < n -> sum_below n f = f j [+] sum_below n (fun k => if k =? j then scalar_zero else f k).
Proof.
  intros L. transitivity (sum_below n (fun k =>
    (if k =? j then f k else scalar_zero) [+] (if k =? j then scalar_zero else f k))).
  - apply sum_below_ext. intros k _. destruct (k =? j); ring.
  - rewrite sum_below_add. f_equal. rewrite (sum_below_single n j) by
      (try exact L; intros k _ D; apply N.eqb_neq in D; rewrite D; reflexivity).
    rewrite N.eqb_refl. reflexivity.
Qed.

Lemma sum_below_swap (n m : N) (f : N -> N -> Scalar) :
  sum_below n (fun i => sum_below m (fun j => f i j)) = sum_below m (fun j => sum_below n (fun i => f i j)).
Proof.
  sum_induction n; [symmetry; apply sum_below_zeros; reflexivity |].
  rewrite IH, <- sum_below_add. apply sum_below_ext. intros j _. rewrite sum_below_succ. reflexivity.
Qed.

(** The geometric sum. *)
Lemma geometric_sum (n : N) (y : Scalar) :
  (y [-] scalar_one) [*] sum_below n (fun j => scalar_power y j) = scalar_power y n [-] scalar_one.
Proof.
  sum_induction n; [rewrite scalar_power_zero; ring |].
  rewrite scalar_power_succ. transitivity
    ((y [-] scalar_one) [*] sum_below n (fun j => scalar_power y j) [+] (y [-] scalar_one) [*] scalar_power y n); [ring |].
  rewrite IH. ring.
Qed.

Lemma sum_below_ones (n : N) : sum_below n (fun _ => scalar_one) = scalar_of_N n.
Proof. sum_induction n; [reflexivity |]. rewrite IH, scalar_of_N_add. reflexivity. Qed.

End Consequences.

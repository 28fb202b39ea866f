(** What the theorems ask of scalars: the laws of a field, and a primitive root of unity.

    - [LawfulScalars]: the operations of the specification are those of a field with decidable equality.
    - [PrimitiveRoot]: the given root of unity is one, of order 4096.
    - [root_of_unity_primitive]: then [root_of_unity n] is one of order [n], for each [n] that divides 4096.
    - [powers_differ]: the powers of a primitive n-th root below the n-th differ.
    - [size_scalar_nonzero]: the number of elements of a vector is not zero in the field. *)

From Coq Require Import NArith List Bool Lia Ring Field Ring_theory Field_theory.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar.
From Aardvark Require Import Lemmas.Sequences.
Local Open Scope N_scope.

(** The operations on scalars are those of a field. *)
Class LawfulScalars (F : ScalarOperations) : Prop := {
  (** Sum, product and difference satisfy the laws of a commutative ring with 0 and 1. *)
  scalar_ring : ring_theory (scalar_of_N 0) (scalar_of_N 1) scalar_add scalar_mul scalar_sub
    (fun x => scalar_of_N 0 [-] x) eq;
  (** 0 and 1 differ. *)
  scalar_one_nonzero : scalar_of_N 1 <> scalar_of_N 0;
  (** What is not zero has an inverse. *)
  scalar_inv_law : forall x, x <> scalar_of_N 0 -> scalar_inv x [*] x = scalar_of_N 1;
  (** Equality is decided. *)
  scalar_eqb_iff : forall a b, (a [=?] b) = true <-> a = b;
  (** Numbers are sums of ones. *)
  scalar_of_N_add : forall m n, scalar_of_N (m + n) = scalar_of_N m [+] scalar_of_N n;
}.

(** [w] has order [n]: its n-th power is 1, and none before. *)
Definition primitive_root {F : ScalarOperations} (w : Scalar) (n : N) : Prop :=
  scalar_pow w n = scalar_of_N 1 /\ forall k, 0 < k < n -> scalar_pow w k <> scalar_of_N 1.

(** The given root of unity has order 4096. *)
Class PrimitiveRoot {F : ScalarOperations} (scalar_given : ScalarGiven) : Prop :=
  given_root_primitive : primitive_root root_of_unity_4096 4096.

Section Laws.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Definition scalar_opp (x : Scalar) : Scalar := scalar_of_N 0 [-] x.
Definition scalar_div (x y : Scalar) : Scalar := x [*] scalar_inv y.

Lemma scalar_field : field_theory (scalar_of_N 0) (scalar_of_N 1) scalar_add scalar_mul scalar_sub scalar_opp
  scalar_div scalar_inv eq.
Proof.
  split; [exact scalar_ring | exact scalar_one_nonzero | reflexivity | exact scalar_inv_law].
Qed.

Add Field scalars : scalar_field.

Lemma scalar_eq_dec (a b : Scalar) : {a = b} + {a <> b}.
Proof.
  destruct (a [=?] b) eqn:E; [left; now apply scalar_eqb_iff |].
  right. intros ->. rewrite (proj2 (scalar_eqb_iff b b) eq_refl) in E. discriminate.
Qed.

Lemma scalar_mul_zero (a b : Scalar) : a [*] b = scalar_of_N 0 -> a = scalar_of_N 0 \/ b = scalar_of_N 0.
Proof.
  intros E. destruct (scalar_eq_dec a (scalar_of_N 0)) as [A | A]; [now left | right].
  transitivity (scalar_inv a [*] (a [*] b)); [field; exact A | rewrite E; ring].
Qed.

Lemma scalar_mul_nonzero (a b : Scalar) : a <> scalar_of_N 0 -> b <> scalar_of_N 0 -> a [*] b <> scalar_of_N 0.
Proof. intros A B E. destruct (scalar_mul_zero a b E); contradiction. Qed.

Lemma scalar_mul_cancel (a b c : Scalar) : c <> scalar_of_N 0 -> a [*] c = b [*] c -> a = b.
Proof.
  intros C E. transitivity (a [*] c [*] scalar_inv c); [field; exact C | rewrite E; field; exact C].
Qed.

Lemma scalar_sub_zero (a b : Scalar) : a [-] b = scalar_of_N 0 <-> a = b.
Proof.
  split; [intros E | intros ->; ring]. transitivity (a [-] b [+] b); [ring | rewrite E; ring].
Qed.

Lemma scalar_sub_nonzero (a b : Scalar) : a <> b -> a [-] b <> scalar_of_N 0.
Proof. intros D E. apply D. now apply scalar_sub_zero. Qed.

Lemma scalar_inv_nonzero (a : Scalar) : a <> scalar_of_N 0 -> scalar_inv a <> scalar_of_N 0.
Proof.
  intros A E. apply scalar_one_nonzero. rewrite <- (scalar_inv_law a A), E. ring.
Qed.

(** * Powers *)

Lemma scalar_pow_zero (x : Scalar) : scalar_pow x 0 = scalar_of_N 1.
Proof. reflexivity. Qed.

Lemma scalar_pow_succ (x : Scalar) (n : N) : scalar_pow x (n + 1) = x [*] scalar_pow x n.
Proof.
  rewrite N.add_1_r. unfold scalar_pow. destruct n as [| n]; simpl; [ring |].
  apply pow_pos_succ; [exact (Eqsth Scalar) | intros a b -> c d ->; reflexivity | intros; ring].
Qed.

Lemma scalar_pow_one (x : Scalar) : scalar_pow x 1 = x.
Proof. reflexivity. Qed.

Lemma scalar_pow_add (x : Scalar) (m n : N) : scalar_pow x (m + n) = scalar_pow x m [*] scalar_pow x n.
Proof.
  induction m as [| m IH] using N.peano_ind; [rewrite N.add_0_l, scalar_pow_zero; ring |].
  replace (N.succ m + n) with (m + n + 1) by lia. rewrite <- N.add_1_r, !scalar_pow_succ, IH. ring.
Qed.

Lemma scalar_one_pow (n : N) : scalar_pow (scalar_of_N 1) n = scalar_of_N 1.
Proof.
  induction n as [| n IH] using N.peano_ind; [reflexivity |]. rewrite <- N.add_1_r, scalar_pow_succ, IH. ring.
Qed.

Lemma scalar_pow_mul (x : Scalar) (m n : N) : scalar_pow (scalar_pow x m) n = scalar_pow x (m * n).
Proof.
  induction n as [| n IH] using N.peano_ind; [now rewrite N.mul_0_r |].
  rewrite <- N.add_1_r, scalar_pow_succ, IH, N.mul_add_distr_l, N.mul_1_r, scalar_pow_add. ring.
Qed.

Lemma scalar_mul_pow (x y : Scalar) (n : N) : scalar_pow (x [*] y) n = scalar_pow x n [*] scalar_pow y n.
Proof.
  induction n as [| n IH] using N.peano_ind; [rewrite !scalar_pow_zero; ring |].
  rewrite <- N.add_1_r, !scalar_pow_succ, IH. ring.
Qed.

Lemma scalar_pow_nonzero (x : Scalar) (n : N) : x <> scalar_of_N 0 -> scalar_pow x n <> scalar_of_N 0.
Proof.
  intros X. induction n as [| n IH] using N.peano_ind; [exact scalar_one_nonzero |].
  rewrite <- N.add_1_r, scalar_pow_succ. now apply scalar_mul_nonzero.
Qed.

(** * Primitive roots *)

Lemma primitive_root_nonzero (w : Scalar) (n : N) : 0 < n -> primitive_root w n -> w <> scalar_of_N 0.
Proof.
  intros L [one _] ->. apply scalar_one_nonzero. rewrite <- one.
  replace n with (n - 1 + 1) by lia. rewrite scalar_pow_succ. ring.
Qed.

(** The powers of a primitive n-th root below the n-th differ. *)
Lemma powers_differ (w : Scalar) (n i j : N) :
  primitive_root w n -> i < n -> j < n -> i <> j -> scalar_pow w i <> scalar_pow w j.
Proof.
  assert (below : forall i j, primitive_root w n -> i < j -> j < n -> scalar_pow w i <> scalar_pow w j).
  { clear i j. intros i j root L M E. assert (w <> scalar_of_N 0) as W by (apply (primitive_root_nonzero w n); auto; lia).
    destruct root as [_ first]. apply (first (j - i)); [lia |].
    replace j with (j - i + i) in E by lia. rewrite scalar_pow_add in E. symmetry.
    apply (scalar_mul_cancel _ _ (scalar_pow w i)); [now apply scalar_pow_nonzero |]. rewrite <- E. ring. }
  intros root Li Lj D. destruct (N.lt_total i j) as [L | [E | L]]; [now apply below | contradiction |].
  intros E. now apply (below j i root L Li).
Qed.

(** A proper divisor of 4096 divides 2048. *)
Lemma divisor_of_half (d : N) : 0 < d < 4096 -> 4096 mod d = 0 -> 2048 mod d = 0.
Proof.
  intros B divides.
  assert (forallb (fun d => negb (4096 mod d =? 0) || (2048 mod d =? 0)) (range 1 4096) = true) as all
    by (vm_compute; reflexivity).
  rewrite forallb_forall in all. specialize (all d). rewrite range_in in all.
  rewrite divides in all. apply N.eqb_eq. apply all. lia.
Qed.

(** What has a 4096-th power of 1, and another 2048-th power, has order 4096. *)
Lemma primitive_by_halves (w : Scalar) :
  scalar_pow w 4096 = scalar_of_N 1 -> scalar_pow w 2048 <> scalar_of_N 1 -> primitive_root w 4096.
Proof.
  intros one half. split; [exact one |]. intros k B E. apply half.
  destruct (N.gcd_bezout_pos k 4096) as [a [b bezout]]; [lia |].
  assert (N.gcd k 4096 <> 0) as nonzero by (intros Z; apply N.gcd_eq_0_l in Z; lia).
  assert (scalar_pow w (N.gcd k 4096) = scalar_of_N 1) as divisor.
  { transitivity (scalar_pow (scalar_pow w 4096) b [*] scalar_pow w (N.gcd k 4096)).
    - rewrite one, scalar_one_pow. ring.
    - rewrite scalar_pow_mul, <- scalar_pow_add.
      replace (4096 * b + N.gcd k 4096) with (k * a) by lia. rewrite <- scalar_pow_mul, E. apply scalar_one_pow. }
  assert (2048 mod N.gcd k 4096 = 0) as divides.
  { apply divisor_of_half.
    - split; [lia |]. apply N.le_lt_trans with k; [| lia]. apply N.divide_pos_le; [lia | apply N.gcd_divide_l].
    - apply N.mod_divide; [exact nonzero | apply N.gcd_divide_r]. }
  apply N.mod_divide in divides; [| exact nonzero]. destruct divides as [c ->].
  rewrite N.mul_comm, <- scalar_pow_mul, divisor. apply scalar_one_pow.
Qed.

(** * Numbers *)

Lemma scalar_of_N_mul (m n : N) : scalar_of_N (m * n) = scalar_of_N m [*] scalar_of_N n.
Proof.
  induction m as [| m IH] using N.peano_ind; [rewrite N.mul_0_l; ring |].
  replace (N.succ m * n) with (n + m * n) by lia. rewrite <- N.add_1_r, !scalar_of_N_add, IH. ring.
Qed.

(** If 1 is not its own opposite, no power of two is zero. *)
Lemma power_of_two_nonzero (k : N) : scalar_of_N 2 <> scalar_of_N 0 -> scalar_of_N (2 ^ k) <> scalar_of_N 0.
Proof.
  intros two. induction k as [| k IH] using N.peano_ind; [exact scalar_one_nonzero |].
  rewrite N.pow_succ_r', scalar_of_N_mul. now apply scalar_mul_nonzero.
Qed.

Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given}.

(** [root_of_unity n] is a primitive n-th root, for each [n] that divides 4096. *)
Lemma root_of_unity_primitive (n : N) : 4096 mod n = 0 -> 0 < n -> primitive_root (root_of_unity n) n.
Proof.
  intros divides positive. destruct given_root_primitive as [one first].
  assert (n * (4096 / n) = 4096) as E by (symmetry; apply N.div_exact; lia).
  unfold root_of_unity, scalar_power, u128_of_usize, MAX_VECTOR_SIZE. split.
  - rewrite scalar_pow_mul, N.mul_comm, E. exact one.
  - intros k B. rewrite scalar_pow_mul. apply first. nia.
Qed.

(** 1 is not its own opposite: otherwise the root's 2048-th power, whose square is 1, would be 1. *)
Lemma two_nonzero : scalar_of_N 2 <> scalar_of_N 0.
Proof.
  intros two. destruct given_root_primitive as [one first]. apply (first 2048); [lia |].
  set (h := scalar_pow root_of_unity_4096 2048).
  assert (h [*] h = scalar_of_N 1) as square.
  { unfold h. rewrite <- scalar_pow_add. exact one. }
  apply scalar_sub_zero.
  assert ((h [-] scalar_of_N 1) [*] (h [-] scalar_of_N 1) = scalar_of_N 0) as zero.
  { transitivity (h [*] h [-] scalar_of_N 1 [-] scalar_of_N 2 [*] (h [-] scalar_of_N 1)).
    - change 2 with (1 + 1). rewrite scalar_of_N_add. ring.
    - rewrite square, two. ring. }
  destruct (scalar_mul_zero _ _ zero); assumption.
Qed.

(** The number of elements of a vector is not zero in the field. *)
Lemma size_scalar_nonzero (n : N) : 4096 mod n = 0 -> 0 < n -> scalar_of_N n <> scalar_of_N 0.
Proof.
  intros divides positive E. apply (power_of_two_nonzero 12 two_nonzero).
  change (2 ^ 12) with 4096. assert (n * (4096 / n) = 4096) as <- by (symmetry; apply N.div_exact; lia).
  rewrite scalar_of_N_mul, E. ring.
Qed.

End Laws.

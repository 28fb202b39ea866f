(** The scalars of BLS12-381, the numbers modulo r: an instance of what the theorems ask for, which shows that it can be
    met, and with which the oracle computes.

    - [modulus_prime]: r is prime, by a Pocklington certificate.
    - [modular_lawful]: the numbers modulo r are a field.
    - [root_lawful]: the root of unity that the specification writes has order 4096. *)

From Coq Require Import ZArith NArith Znumtheory List Bool Lia Ring_theory Eqdep_dec.
From Coqprime Require Import PocklingtonCertificat Euler Zp.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field.
Import ListNotations.
Local Open Scope N_scope.

(** r, as the specification writes it. *)
Definition modulus : N := Scalar_modulus.

(** r is prime: r - 1 is divisible by 2^32 and by the primes named here, and the certificate checks. *)
Theorem modulus_prime : prime (Z.of_N modulus).
Proof.
  change (Z.of_N modulus) with (Zpos 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001).
  apply (Pocklington_refl
    (Pock_certif 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001 5
      [(906349, 1); (125527, 1); (10177, 1); (11, 1); (2, 32)]%positive 103514360691799098516839670)
    [Pock_certif 906349 2 [(47, 1); (2, 2)]%positive 308;
     Pock_certif 125527 3 [(20921, 1); (2, 1)]%positive 1;
     Pock_certif 20921 3 [(5, 1); (2, 3)]%positive 42;
     Pock_certif 10177 5 [(2, 6)]%positive 30;
     Pock_certif 47 5 [(23, 1); (2, 1)]%positive 1;
     Pock_certif 23 5 [(2, 1)]%positive 1;
     Pock_certif 11 2 [(2, 1)]%positive 1;
     Pock_certif 5 2 [(2, 2)]%positive 1;
     Proof_certif 2 prime_2]).
  vm_cast_no_check (eq_refl true).
Qed.

(** * Residues *)

(** A number below r. *)
Record Residue : Type := {
  residue : N;
  residue_below : (residue <? modulus) = true;
}.

Lemma residue_bound (x : Residue) : residue x < modulus.
Proof. apply N.ltb_lt, residue_below. Qed.

Lemma residue_injective (x y : Residue) : residue x = residue y -> x = y.
Proof.
  destruct x as [x X], y as [y Y]. simpl. intros ->. f_equal. apply UIP_dec, bool_dec.
Qed.

Lemma modulus_nonzero : modulus <> 0.
Proof. discriminate. Qed.

Lemma reduced_below (n : N) : (n mod modulus <? modulus) = true.
Proof. apply N.ltb_lt, N.mod_lt, modulus_nonzero. Qed.

Definition reduced (n : N) : Residue := {| residue := n mod modulus; residue_below := reduced_below n |}.

Definition residue_mul (x y : Residue) : Residue := reduced (residue x * residue y).

(** The operations. The inverse is Fermat's: x^(r-2). *)
#[global] Instance modular : ScalarOperations := {|
  Scalar := Residue;
  scalar_add x y := reduced (residue x + residue y);
  scalar_sub x y := reduced (residue x + (modulus - residue y));
  scalar_mul := residue_mul;
  scalar_eqb x y := residue x =? residue y;
  scalar_inv x := pow_N (reduced 1) residue_mul x (modulus - 2);
  scalar_of_N := reduced;
|}.

(** The given root of unity is the one that the specification writes. *)
#[global] Instance modular_root : ScalarGiven := {| root_of_unity_4096 := root_of_unity_4096_of_spec |}.

(** * Laws *)

Lemma residue_small (x : Residue) : residue x mod modulus = residue x.
Proof. apply N.mod_small, residue_bound. Qed.

Lemma residue_opposite (x : Residue) : ((modulus - residue x) + residue x) mod modulus = 0.
Proof. pose proof (residue_bound x). rewrite N.sub_add by lia. apply N.mod_same, modulus_nonzero. Qed.

Lemma residue_reduced (n : N) : residue (reduced n) = n mod modulus.
Proof. reflexivity. Qed.

Lemma residue_add (x y : Residue) : residue (scalar_add x y) = (residue x + residue y) mod modulus.
Proof. reflexivity. Qed.

Lemma residue_sub (x y : Residue) : residue (scalar_sub x y) = (residue x + (modulus - residue y)) mod modulus.
Proof. reflexivity. Qed.

Lemma residue_product (x y : Residue) : residue (scalar_mul x y) = (residue x * residue y) mod modulus.
Proof. reflexivity. Qed.

Lemma zero_mod : 0 mod modulus = 0.
Proof. reflexivity. Qed.

Lemma one_mod : 1 mod modulus = 1.
Proof. reflexivity. Qed.

Lemma residue_ring :
  ring_theory (reduced 0) (reduced 1) scalar_add scalar_mul scalar_sub (fun x => scalar_sub (reduced 0) x) eq.
Proof.
  pose proof modulus_nonzero as nonzero.
  split; intros; apply residue_injective;
    rewrite ?residue_add, ?residue_product, ?residue_sub, ?residue_add, ?residue_product, ?residue_reduced,
      ?zero_mod, ?one_mod.
  - rewrite N.add_0_l. apply residue_small.
  - now rewrite N.add_comm.
  - rewrite N.add_mod_idemp_l, N.add_mod_idemp_r by exact nonzero. f_equal. lia.
  - rewrite N.mul_1_l. apply residue_small.
  - now rewrite N.mul_comm.
  - rewrite N.mul_mod_idemp_l, N.mul_mod_idemp_r by exact nonzero. f_equal. lia.
  - rewrite N.mul_mod_idemp_l, N.add_mod_idemp_l, N.add_mod_idemp_r by exact nonzero. f_equal. lia.
  - rewrite N.add_0_l, N.add_mod_idemp_r by exact nonzero. reflexivity.
  - rewrite N.add_0_l, N.add_mod_idemp_r, N.add_comm by exact nonzero. apply residue_opposite.
Qed.

Lemma residue_pow (x : Residue) (n : N) : residue (pow_N (reduced 1) residue_mul x n) = residue x ^ n mod modulus.
Proof.
  destruct n as [| n]; [reflexivity |]. unfold pow_N. induction n as [| n IH] using Pos.peano_ind.
  - change (pow_pos residue_mul x 1) with x. rewrite N.pow_1_r. symmetry. apply residue_small.
  - rewrite pow_pos_succ;
      [| exact (Eqsth Residue) | intros a b -> c d ->; reflexivity | exact (Rmul_assoc residue_ring)].
    change (residue_mul x (pow_pos residue_mul x n)) with (scalar_mul x (pow_pos residue_mul x n)).
    rewrite residue_product, IH, N.mul_mod_idemp_r by exact modulus_nonzero.
    change (N.pos (Pos.succ n)) with (N.succ (N.pos n)). now rewrite N.pow_succ_r'.
Qed.

(** Fermat's little theorem. *)
Lemma residue_fermat (x : N) : x mod modulus <> 0 -> x ^ (modulus - 1) mod modulus = 1.
Proof.
  intros nonzero. apply N2Z.inj. rewrite N2Z.inj_mod, N2Z.inj_pow by exact modulus_nonzero.
  rewrite N2Z.inj_sub by (apply N.lt_le_incl; reflexivity).
  change (Z.of_N 1) with 1%Z. rewrite <- (prime_phi_n_minus_1 _ modulus_prime).
  apply phi_power_is_1; [reflexivity |]. apply rel_prime_sym, prime_rel_prime; [exact modulus_prime |].
  intros D. apply nonzero. apply N2Z.inj. rewrite N2Z.inj_mod by exact modulus_nonzero.
  now apply Zdivide_mod.
Qed.

(** The numbers modulo r are a field. *)
#[global] Instance modular_lawful : LawfulScalars modular.
Proof.
  split.
  - exact residue_ring.
  - intros E. apply (f_equal residue) in E. discriminate.
  - intros x nonzero. apply residue_injective. rewrite residue_product.
    change (scalar_inv x) with (pow_N (reduced 1) residue_mul x (modulus - 2)).
    rewrite residue_pow, N.mul_mod_idemp_l, N.mul_comm, <- N.pow_succ_r' by exact modulus_nonzero.
    replace (N.succ (modulus - 2)) with (modulus - 1) by reflexivity.
    rewrite residue_fermat; [reflexivity |]. rewrite residue_small. intros E. apply nonzero.
    apply residue_injective. rewrite E. reflexivity.
  - intros a b. unfold scalar_eqb, modular. rewrite N.eqb_eq. split; [apply residue_injective | now intros ->].
  - intros m n. apply residue_injective. rewrite residue_add.
    change (scalar_of_N (m + n)) with (reduced (m + n)). change (scalar_of_N m) with (reduced m).
    change (scalar_of_N n) with (reduced n). rewrite !residue_reduced.
    rewrite N.add_mod_idemp_l, N.add_mod_idemp_r by exact modulus_nonzero. reflexivity.
Qed.

(** * The root of unity *)

(** The root of unity that the specification writes has order 4096: its 4096-th power is 1, its 2048-th is not. *)
#[global] Instance root_lawful : PrimitiveRoot modular_root.
Proof.
  apply primitive_by_halves; [apply residue_injective; vm_compute; reflexivity |].
  intros E. apply (f_equal residue) in E. revert E. vm_compute. discriminate.
Qed.

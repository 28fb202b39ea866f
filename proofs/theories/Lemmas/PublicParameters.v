(** The public parameters of a scheme, without the trapdoor, and what everyone can compute from them.

    What is public of KZG is the powers of tau up to the (N-1)-th, as points; of
    Libert-Yung all powers but one. Everyone can multiply public points by scalars that they know and add them up: that is
    all that [public_commit] and [public_open] do.

    - [public_commit_correct], [public_open_correct]: so commitments and honest openings can be made without the trapdoor. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Group Commitment.Opening Commitment.Kzg Commitment.LibertYung
  Commitment.Scheme.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials.
From Aardvark Require Spec.Commitment.Kzg Spec.Commitment.LibertYung Lemmas.KzgPolynomial
  Spec.Commitment.Scheme.
Import ListNotations.
Local Open Scope N_scope.

Section Public.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** What is public: N and the powers of tau from the 0th to the (N-1)-th; or Libert-Yung's parameters, which hold no
    trapdoor. *)
Inductive PublicParameters : Type :=
| Public_Kzg (n : N) (powers : list G1)
| Public_LibertYung (parameters : LibertYungSetup).

Definition public_of (setup : Setup) : PublicParameters :=
  match setup with
  | Setup_Kzg kzg => Public_Kzg (kzg_size kzg)
      (map (fun k => g1_multiple (scalar_pow (g2_exponent (kzg_key kzg)) k)) (range 0 (kzg_size kzg)))
  | Setup_LibertYung libert_yung => Public_LibertYung libert_yung
  end.

(** The sum of points times scalars: a multi-scalar multiplication. *)
Fixpoint combination (scalars : list Scalar) (points : list G1) : G1 :=
  match scalars, points with
  | c :: scalars', p :: points' => g1_add (g1_scale c p) (combination scalars' points')
  | _, _ => g1_identity
  end.

(** The commitment to a vector: for KZG, the combination of the powers by the coefficients of the vector's polynomial. *)
Definition public_commit (public : PublicParameters) (vector : list Scalar) : G1 :=
  match public with
  | Public_Kzg n powers => combination (KzgPolynomial.kzg_polynomial n vector) powers
  | Public_LibertYung parameters => libert_yung_commit parameters vector
  end.

(** The opening of a vector at an index: for KZG, the combination by the coefficients of the quotient. *)
Definition public_open (public : PublicParameters) (vector : list Scalar) (i : N) : G1 :=
  match public with
  | Public_Kzg n powers =>
      combination (quotient (KzgPolynomial.kzg_polynomial n vector) (scalar_pow (root_of_unity n) i)) powers
  | Public_LibertYung parameters => libert_yung_open parameters vector i
  end.

Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

Add Field scalars : scalar_field.

Lemma combination_is_evaluation (p : list Scalar) (tau : Scalar) (from to : N) :
  N.of_nat (length p) <= to - from ->
  g1_exponent (combination p (map (fun k => g1_multiple (scalar_pow tau k)) (range from to)))
  = scalar_pow tau from [*] polynomial_at p tau.
Proof.
  revert from. induction p as [|c p IH]; intros from L; [simpl; unfold scalar_zero; ring|]. cbn [length] in L.
  rewrite range_first by lia. cbn [map combination]. group_exponents. rewrite IH by lia. rewrite scalar_pow_succ.
  change (polynomial_at (c :: p) tau) with (c [+] tau [*] polynomial_at p tau). ring.
Qed.

Theorem public_commit_correct (setup : Setup) (vector : list Scalar) :
  Scheme.well_made setup -> public_commit (public_of setup) vector = commit setup vector.
Proof.
  destruct setup as [kzg|libert_yung]; [|reflexivity]. intros (n & tau & -> & P & D & O). cbn [public_of public_commit commit].
  change (kzg_size (kzg_setup n tau)) with n. change (g2_exponent (kzg_key (kzg_setup n tau))) with tau.
  destruct (KzgPolynomial.kzg_commit_is_evaluation n tau P D O vector) as (L & _ & ->).
  apply g1_ext. rewrite combination_is_evaluation by (rewrite L; lia). rewrite scalar_pow_zero. group_exponents. ring.
Qed.

Theorem public_open_correct (setup : Setup) (vector : list Scalar) (i : N) :
  Scheme.well_made setup -> i < setup_vector_size setup -> public_open (public_of setup) vector i = open setup vector i.
Proof.
  destruct setup as [kzg|libert_yung]; [|reflexivity]. intros (n & tau & -> & P & D & O).
  cbn [public_of public_open open setup_vector_size].
  change (kzg_size (kzg_setup n tau)) with n. change (g2_exponent (kzg_key (kzg_setup n tau))) with tau. intros Li.
  destruct (KzgPolynomial.kzg_open_is_quotient n tau P D O vector i Li) as (-> & _ & L).
  apply g1_ext. rewrite combination_is_evaluation by (rewrite L; lia). rewrite scalar_pow_zero. group_exponents. ring.
Qed.

End Public.

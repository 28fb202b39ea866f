(** Theorems for auditors: the groups of the pairing, and what is linear.

    To understand a statement of this file you need Prelude.v, generated/Base/Scalar.v, Group.v and generated/Commitment/Scheme.v
    with the schemes, and [field_laws], [kzg_legal], [well_made] of Theorems/Commitments.v. Elements of G1, G2 and GT are types of
    their own in the specification, whose exponents only spec/src/base/group.rs sees, by Rust's privacy: all other functions
    are made of the operations that this file is about.

    - [g1_module]: the operations of G1 are those of a module over the scalars;
    - [g1_cyclic]: each element is one multiple of the generator, and of one scalar only;
    - [g1_equality], [gt_equality]: equality is decided;
    - [pairing_linear], [pairing_nondegenerate]: the pairing is linear in its first argument, and no identity for generators;
    - [pairings_equal_iff_multiple]: the equation of a key holds exactly for multiples by the trapdoor;
    - [commit_linear], [open_linear]: commitments and openings are linear in the vector. *)
From Coq Require Import NArith List Bool Ring_theory.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Group Commitment.Scheme.
From Aardvark Require Lemmas.Field Spec.Base.Group Spec.Commitment.Scheme Theorems.Commitments.
Local Open Scope N_scope.

Section Groups.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.
Hypothesis laws : Theorems.Commitments.field_laws F.

Hypothesis root : Theorems.Commitments.primitive_root root_of_unity_4096 4096.

#[local] Instance lawful : Aardvark.Lemmas.Field.LawfulScalars F := Theorems.Commitments.lawful_instance laws.
#[local] Instance rooted : Aardvark.Lemmas.Field.PrimitiveRoot scalar_given := root.

Add Field scalars : (@Aardvark.Lemmas.Field.scalar_field F lawful).

(** The operations of G1 are those of a module over the scalars. *)
Theorem g1_module : forall (a b c : G1) (x y : Scalar),
  g1_add a b = g1_add b a /\ g1_add a (g1_add b c) = g1_add (g1_add a b) c /\ g1_add a g1_identity = a /\
  g1_add (g1_subtract a b) b = a /\ g1_scale (x [+] y) a = g1_add (g1_scale x a) (g1_scale y a) /\
  g1_scale x (g1_add a b) = g1_add (g1_scale x a) (g1_scale x b) /\ g1_scale (x [*] y) a = g1_scale x (g1_scale y a) /\
  g1_scale (scalar_of_N 1) a = a.
Proof. intros. repeat split; Aardvark.Spec.Base.Group.group_solve. Qed.

(** Each element is a multiple of the generator, by one scalar only. *)
Theorem g1_cyclic : forall a : G1, exists x, a = g1_multiple x /\ a = g1_scale x g1_generator /\
  forall y, a = g1_multiple y -> y = x.
Proof.
  intros a. exists (g1_exponent a). rewrite <- Aardvark.Spec.Base.Group.g1_multiple_generator.
  repeat split; try apply Aardvark.Spec.Base.Group.g1_exponent_of. now intros y ->.
Qed.

Theorem g1_equality : forall a b : G1, g1_equal a b = true <-> a = b.
Proof. exact Aardvark.Spec.Base.Group.g1_equal_iff. Qed.

Theorem gt_equality : forall a b : GT, gt_equal a b = true <-> a = b.
Proof. exact Aardvark.Spec.Base.Group.gt_equal_iff. Qed.

(** The pairing is linear in its first argument. *)
Theorem pairing_linear : forall (x : Scalar) (a b : G1) (c : G2),
  pairing (g1_add (g1_scale x a) b) c = gt_add (gt_scale x (pairing a c)) (pairing b c).
Proof. intros. now rewrite Aardvark.Spec.Base.Group.pairing_add, Aardvark.Spec.Base.Group.pairing_scale. Qed.

(** The pairing of the generators is no identity. *)
Theorem pairing_nondegenerate : pairing g1_generator g2_generator <> gt_identity.
Proof. exact Aardvark.Spec.Base.Group.pairing_nondegenerate. Qed.

(** What a verifier who has the key [tau]_2 can decide of two elements: whether one is tau times the other. *)
Theorem pairings_equal_iff_multiple : forall (left right : G1) (tau : Scalar),
  pairings_equal left right (g2_multiple tau) = true <-> left = g1_scale tau right.
Proof.
  intros left right tau. rewrite Aardvark.Spec.Base.Group.pairings_equal_iff, Aardvark.Spec.Base.Group.g1_ext_iff.
  cbn [g1_scale g1_exponent g2_multiple g2_exponent]. split; intros E; rewrite E; ring.
Qed.

(** The commitment to [x a + b] is [x] times that to [a], plus that to [b]. *)
Theorem commit_linear : forall setup x a b c,
  Theorems.Commitments.well_made setup ->
  (forall k, k < setup_vector_size setup -> scalar_at c k = x [*] scalar_at a k [+] scalar_at b k) ->
  commit setup c = g1_add (g1_scale x (commit setup a)) (commit setup b).
Proof. exact Aardvark.Spec.Commitment.Scheme.commit_linear. Qed.

(** And so are its openings. *)
Theorem open_linear : forall setup x a b c i,
  Theorems.Commitments.well_made setup -> i < setup_vector_size setup ->
  (forall k, k < setup_vector_size setup -> scalar_at c k = x [*] scalar_at a k [+] scalar_at b k) ->
  open setup c i = g1_add (g1_scale x (open setup a i)) (open setup b i).
Proof. exact Aardvark.Spec.Commitment.Scheme.open_linear. Qed.

End Groups.

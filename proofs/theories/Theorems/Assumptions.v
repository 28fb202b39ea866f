(** Theorems for auditors: what the other theorems ask of scalars can be met, by the scalars of BLS12-381.

    To understand a statement of this file you need this file, the generated definitions, what a field and a primitive root
    are here ([LawfulScalars], [PrimitiveRoot], Lemmas/Field.v), and the numbers modulo r ([modular],
    Examples/ModularScalars.v), with which the oracle computes.

    - [modulus_prime]: r is prime.
    - [modular_lawful]: the numbers modulo r are a field.
    - [root_lawful]: the root of unity that the specification writes has order 4096. *)
From Coq Require Import ZArith NArith Znumtheory.
From AardvarkSpec Require Import Prelude Base.Scalar.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Examples.ModularScalars.
Local Open Scope N_scope.

(** r, as the specification writes it, is prime. *)
Theorem modulus_prime : prime (Z.of_N Scalar_modulus).
Proof. exact Aardvark.Examples.ModularScalars.modulus_prime. Qed.

(** The numbers modulo r are a field. *)
Theorem modular_lawful : LawfulScalars Aardvark.Examples.ModularScalars.modular.
Proof. exact Aardvark.Examples.ModularScalars.modular_lawful. Qed.

(** The root of unity that the specification writes has order 4096. *)
Theorem root_lawful : PrimitiveRoot Aardvark.Examples.ModularScalars.modular_root.
Proof. exact Aardvark.Examples.ModularScalars.root_lawful. Qed.

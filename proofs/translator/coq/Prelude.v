(** What the primitives of the specification mean: machine integers, sequences, loops, results, scalars.

    The translator copies this file as it stands, and every generated file builds on it. It is part of what is trusted.

    Integers of all widths are exact natural numbers. A definition of a generated file says what the Rust function
    returns when it returns; the boolean twin [f_safe] in [..Safe.v] says whether it does: that no sum, difference,
    product, quotient, index or slice on the way leaves its range. Where [f_safe] is false the Rust function panics,
    and the value of the definition means nothing. *)

From Coq Require Import NArith List Bool Ring_theory.

(* Only notations are passed on, never names of Coq's library: a name of the specification must not lose against one. *)
Export (notations) BinNat List.ListNotations.

Local Open Scope N_scope.
Local Open Scope list_scope.

(** * Names of Coq's library that generated text uses *)

Notation fold_left := List.fold_left (only parsing).
Infix "=b?" := Bool.eqb (at level 70, no associativity).

(** * Types *)

Notation u8 := N (only parsing).
Notation u32 := N (only parsing).
Notation u64 := N (only parsing).
Notation u128 := N (only parsing).
Notation usize := N (only parsing).
Notation Option := option (only parsing).
Notation Seq := list (only parsing).

Inductive Result (A E : Type) : Type :=
| Ok (value : A)
| Err (error : E).

Arguments Ok {A E} value.
Arguments Err {A E} error.

(** * Default values: what fills [Seq::new], and what an index out of range yields here (Rust panics there) *)

Class Default (A : Type) : Type := default : A.

#[global] Instance Default_N : Default N := 0.
#[global] Instance Default_bool : Default bool := false.
#[global] Instance Default_unit : Default unit := tt.
#[global] Instance Default_list {A : Type} : Default (list A) := [].
#[global] Instance Default_option {A : Type} : Default (option A) := None.
#[global] Instance Default_prod {A B : Type} `{Default A} `{Default B} : Default (A * B) := (default, default).

(** * Sequences *)

(** [Seq::new(length)] *)
Definition seq_new {A : Type} `{Default A} (length : N) : list A := repeat default (N.to_nat length).

(** [s.len()] *)
Definition seq_length {A : Type} (s : list A) : N := N.of_nat (length s).

(** [s[i]] *)
Definition seq_at {A : Type} `{Default A} (s : list A) (i : N) : A := nth (N.to_nat i) s default.

(** [s.slice(start, length)] *)
Definition seq_slice {A : Type} (s : list A) (start length : N) : list A :=
  firstn (N.to_nat length) (skipn (N.to_nat start) s).

(** * Loops: [for i in from..to { acc = body; }] is [fold_left (fun acc i => body) (range from to) acc] *)

(** The numbers from [from] to [to - 1] in ascending order; none when [to <= from]. *)
Definition range (from to : N) : list N :=
  map N.of_nat (seq (N.to_nat from) (N.to_nat to - N.to_nat from)).

(** Whether the loop's body is safe each time that it runs. *)
Fixpoint loop_safe {A : Type} (body : A -> N -> A) (body_safe : A -> N -> bool) (indices : list N) (acc : A) : bool :=
  match indices with
  | [] => true
  | i :: rest => if body_safe acc i then loop_safe body body_safe rest (body acc i) else false
  end.

(** * Ranges of the integer types *)

Definition within_u8 (x : N) : bool := x <? 2 ^ 8.
Definition within_u32 (x : N) : bool := x <? 2 ^ 32.
Definition within_u64 (x : N) : bool := x <? 2 ^ 64.
Definition within_u128 (x : N) : bool := x <? 2 ^ 128.
Definition within_usize (x : N) : bool := x <? 2 ^ 64.

(** * Scalars: the operations of hacspec's [public_nat_mod!] *)

Class ScalarOperations : Type := {
  (** The type that the macro declares. *)
  Scalar : Type;
  (** [a + b] *)
  scalar_add : Scalar -> Scalar -> Scalar;
  (** [a - b] *)
  scalar_sub : Scalar -> Scalar -> Scalar;
  (** [a * b] *)
  scalar_mul : Scalar -> Scalar -> Scalar;
  (** [a == b] *)
  scalar_eqb : Scalar -> Scalar -> bool;
  (** [x.inv()] *)
  scalar_inv : Scalar -> Scalar;
  (** [Scalar::from_literal(n)] and [Scalar::from_hex(n)] *)
  scalar_of_N : N -> Scalar;
}.

Infix "[+]" := scalar_add (at level 50, left associativity).
Infix "[-]" := scalar_sub (at level 50, left associativity).
Infix "[*]" := scalar_mul (at level 40, left associativity).
Infix "[=?]" := scalar_eqb (at level 70, no associativity).

#[global] Instance Default_Scalar {F : ScalarOperations} : Default Scalar := scalar_of_N 0.

(** [x.pow(n)] *)
Definition scalar_pow {F : ScalarOperations} (x : Scalar) (n : N) : Scalar := pow_N (scalar_of_N 1) scalar_mul x n.

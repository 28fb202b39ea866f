(* Translated from spec/src/base/scalar.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The scalar field of BLS12-381: the numbers modulo its prime r.

    r - 1 is divisible by 2^32, and 7 generates the multiplicative group: 7^((r-1)/N) is a primitive
    N-th root of unity. Elements of the groups, which exponents represent, are types of their own:
    [`crate::base::group`]. *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations}.

(** The type that hacspec's macro declares; it has no documentation of its own, and names a feature
    of hacspec's compiler. *)
(** The field's modulus; the field itself is [Scalar] of the prelude. *)
Definition Scalar_modulus := 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001.

(** The largest number of slots in a vector. *)
Definition MAX_VECTOR_SIZE : usize :=
  4096.

(** The scalar 0: the content of an unused position, and the exponent of a group's identity. *)
Definition scalar_zero : Scalar :=
  scalar_of_N 0.

(** The scalar 1: the exponent of a group's generator. *)
Definition scalar_one : Scalar :=
  scalar_of_N 1.

(** The scalar of a number. *)
Definition scalar_of_number (number : u128) : Scalar :=
  scalar_of_N number.

(** The `n`-th power of `base`. *)
Definition scalar_power (base : Scalar) (n : usize) : Scalar :=
  scalar_pow base (u128_of_usize n).

(** The inverse of `x`, and 0 for 0. *)
Definition scalar_inverse (x : Scalar) : Scalar :=
  scalar_inv x.

(** Given, not translated: the theorems hold whatever these are. *)
Class ScalarGiven : Type := {
  (** 7^((r-1)/4096), a primitive 4096-th root of unity. *)
  root_of_unity_4096 : Scalar;
}.

(** What [root_of_unity_4096] is in the specification. *)
Definition root_of_unity_4096_of_spec : Scalar :=
  scalar_of_N 0x564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306.

Context {scalar_given : ScalarGiven}.

(** 7^((r-1)/n), a primitive `n`-th root of unity, for `n` a power of two of at most 4096. *)
Definition root_of_unity (n : usize) : Scalar :=
  scalar_power root_of_unity_4096 (MAX_VECTOR_SIZE / n).

(** 48 bytes, highest first, modulo r: three limbs of 128 bits. *)
Definition scalar_of_wide_bytes (wide : ByteString) : Scalar :=
  let high := scalar_of_number (number_of_bytes (seq_slice wide 0 16)) in
  let middle := scalar_of_number (number_of_bytes (seq_slice wide 16 16)) in
  let low := scalar_of_number (number_of_bytes (seq_slice wide 32 16)) in
  let limb := scalar_of_number 18446744073709551616 [*] scalar_of_number 18446744073709551616 in
  (high [*] limb [+] middle) [*] limb [+] low.

(** Element `i` of a vector of scalars, and 0 beyond its end. *)
Definition scalar_at (scalars : Seq Scalar) (i : usize) : Scalar :=
  if i <? seq_length scalars then seq_at scalars i else scalar_zero.

(** One step of [`inner_product`]. *)
Definition inner_product_step (total a b : Scalar) : Scalar :=
  total [+] a [*] b.

(** The sum of `a[i] * b[i]` over the indices of `a`; elements that `b` lacks are 0. *)
Definition inner_product (a b : Seq Scalar) : Scalar :=
  fold_left
    (fun total i => inner_product_step total (seq_at a i) (scalar_at b i))
    (range 0 (seq_length a))
    scalar_zero.

(** One step of [`scalars_resized`]. *)
Definition scalars_resized_step (resized scalars : Seq Scalar) (i : usize) : Seq Scalar :=
  resized ++ [scalar_at scalars i].

(** The first `count` elements of a vector, filled up with 0. *)
Definition scalars_resized (scalars : Seq Scalar) (count : usize) : Seq Scalar :=
  fold_left (fun resized i => scalars_resized_step resized scalars i) (range 0 count) [].

(** The vector with `new` at index `i`; unchanged when `i` is beyond its end. *)
Definition scalars_updated (scalars : Seq Scalar) (i : usize) (new : Scalar) : Seq Scalar :=
  if i <? seq_length scalars then
    let above := seq_slice scalars (i + 1) (seq_length scalars - i - 1) in
    seq_slice scalars 0 i ++ [new] ++ above
  else
    scalars.

End Specification.

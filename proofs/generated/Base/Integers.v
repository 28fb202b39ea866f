(* Translated from spec/src/base/integers.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Conversions between integer types: the primitives of this specification.

    Every widening is the identity on the number, and every narrowing is the remainder modulo the
    width of its target. A translation maps these functions by hand. No other file of the
    specification converts between integer types.

    Positions, versions, counts and lengths are `usize`, which is 64 bits wide wherever the
    specification runs; bytes are `u8`; amounts of `Add` and `Sub` are `u64`; numbers read from
    bytes are `u128`. *)
From AardvarkSpec Require Export Prelude.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** The number of a byte. *)
Definition u128_of_u8 (x : u8) : u128 :=
  x.

(** The number of a position, version, count or length. *)
Definition u128_of_usize (x : usize) : u128 :=
  x.

(** The number of an amount. *)
Definition u128_of_u64 (x : u64) : u128 :=
  x.

(** The number modulo 2^8. *)
Definition u8_of_u128 (x : u128) : u8 :=
  (x mod 256) mod 2 ^ 8.

(** The number modulo 2^64. *)
Definition u64_of_u128 (x : u128) : u64 :=
  (x mod 18446744073709551616) mod 2 ^ 64.

(** The number of a position, version, count or length: the number modulo 2^64. *)
Definition usize_of_u128 (x : u128) : usize :=
  (x mod 18446744073709551616) mod 2 ^ 64.

(* Translated from spec/src/mixnet/trace_packed.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Eight bits in one decrypted number: where a bit is asked for each row, the target is the sum of
    eight rows, the k-th of them 2^k times, and what it decrypts to has their bits. The rows hold
    bits since the first column does and every server proves its shuffle. Source: docs/mixnet.md,
    "Queries". *)
From AardvarkSpec Require Export Prelude.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** Rows that one target holds. *)
Definition TRACE_PACKED : usize :=
  8.

(** One step of [`trace_pack`]: twice what there is, and the row before it. *)
Definition trace_pack_step (target rows : Seq usize) (start k : usize) : Seq usize :=
  let place := start + (TRACE_PACKED - 1 - k) in
  let doubled := target ++ target in
  if place <? seq_length rows then doubled ++ [seq_at rows place] else doubled.

(** The target of eight rows from a place on, or of as many as there are: the k-th row 2^k times. *)
Definition trace_pack (rows : Seq usize) (start : usize) : Seq usize :=
  fold_left (fun target k => trace_pack_step target rows start k) (range 0 TRACE_PACKED) [].

(** One step of [`trace_packs`]. *)
Definition trace_packs_step
    (targets : Seq (Seq usize))
    (rows : Seq usize)
    (number : usize) : Seq (Seq usize) :=
  targets ++ [trace_pack rows (TRACE_PACKED * number)].

(** The targets of these rows, eight in each. *)
Definition trace_packs (rows : Seq usize) : Seq (Seq usize) :=
  fold_left
    (fun targets number => trace_packs_step targets rows number)
    (range 0 ((seq_length rows + (TRACE_PACKED - 1)) / TRACE_PACKED))
    [].

(** Bit `k` of a number, from 0, the lowest. *)
Definition trace_bit (number k : usize) : usize :=
  let halved := fold_left (fun halved _i => halved / 2) (range 0 k) number in
  halved mod 2.

(** One step of [`trace_unpacked`]. *)
Definition trace_unpacked_step (bits numbers : Seq usize) (i : usize) : Seq usize :=
  bits ++ [trace_bit (seq_at numbers (i / TRACE_PACKED)) (i mod TRACE_PACKED)].

(** The bits of so many rows, from the numbers that their targets decrypt to. *)
Definition trace_unpacked (numbers : Seq usize) (count : usize) : Seq usize :=
  fold_left (fun bits i => trace_unpacked_step bits numbers i) (range 0 count) [].

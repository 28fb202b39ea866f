(* Translated from spec/src/mixnet/trace_packed.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.TracePacked.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [trace_pack_step] does not panic. *)
Definition trace_pack_step_safe (target rows : Seq usize) (start k : usize) : bool :=
  (1 <=? TRACE_PACKED) && (k <=? TRACE_PACKED - 1) && within_usize (start + (TRACE_PACKED - 1 - k)).

(** When [trace_pack] does not panic. *)
Definition trace_pack_safe (rows : Seq usize) (start : usize) : bool :=
  loop_safe
    (fun target k => trace_pack_step target rows start k)
    (fun target k => trace_pack_step_safe target rows start k)
    (range 0 TRACE_PACKED)
    [].

(** When [trace_packs_step] does not panic. *)
Definition trace_packs_step_safe (targets : Seq (Seq usize)) (rows : Seq usize) (number : usize) : bool :=
  within_usize (TRACE_PACKED * number) && trace_pack_safe rows (TRACE_PACKED * number).

(** When [trace_packs] does not panic. *)
Definition trace_packs_safe (rows : Seq usize) : bool :=
  (1 <=? TRACE_PACKED) && within_usize (seq_length rows + (TRACE_PACKED - 1)) && negb (TRACE_PACKED =? 0) &&
  (loop_safe
      (fun targets number => trace_packs_step targets rows number)
      (fun targets number => trace_packs_step_safe targets rows number)
      (range 0 ((seq_length rows + (TRACE_PACKED - 1)) / TRACE_PACKED))
      []).

(** When [trace_unpacked_step] does not panic. *)
Definition trace_unpacked_step_safe (bits numbers : Seq usize) (i : usize) : bool :=
  negb (TRACE_PACKED =? 0) && ((i / TRACE_PACKED) <? seq_length numbers) && negb (TRACE_PACKED =? 0).

(** When [trace_unpacked] does not panic. *)
Definition trace_unpacked_safe (numbers : Seq usize) (count : usize) : bool :=
  loop_safe
    (fun bits i => trace_unpacked_step bits numbers i)
    (fun bits i => trace_unpacked_step_safe bits numbers i)
    (range 0 count)
    [].

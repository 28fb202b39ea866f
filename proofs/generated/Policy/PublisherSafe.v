(* Translated from spec/src/policy/publisher.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.Publisher Base.BytesSafe Policy.SignersSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [all_listed_step] does not panic. *)
Definition all_listed_step_safe
    (all_are : bool)
    (publishers : Seq ByteString)
    (public_key : ByteString) : bool :=
  if all_are then is_listed_safe publishers public_key else true.

(** When [all_listed] does not panic. *)
Definition all_listed_safe (publishers signing_keys : Seq ByteString) : bool :=
  loop_safe
    (fun all_are i => all_listed_step all_are publishers (seq_at signing_keys i))
    (fun all_are i =>
      (i <? seq_length signing_keys) && all_listed_step_safe all_are publishers (seq_at signing_keys i))
    (range 0 (seq_length signing_keys))
    true.

(** When [check_publisher] does not panic. *)
Definition check_publisher_safe (publishers signing_keys : Seq ByteString) : bool :=
  if seq_length signing_keys =? 0 then true else all_listed_safe publishers signing_keys.

(* Translated from spec/src/dictionary/slot.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Dictionary.Slot Base.BytesSafe Base.ScalarSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [covers] does not panic. *)
Definition covers_safe (slot : Slot) (k : ByteString) : bool :=
  bytes_less_safe slot.(key) slot.(next) &&
  (if bytes_less slot.(key) slot.(next) then
      bytes_at_most_safe slot.(key) k &&
      (if bytes_at_most slot.(key) k then bytes_less_safe k slot.(next) else true)
    else
      bytes_at_most_safe slot.(key) k &&
      (if bytes_at_most slot.(key) k then true else bytes_less_safe k slot.(next))).

(** When [precedes] does not panic. *)
Definition precedes_safe (slot : Slot) (k : ByteString) : bool :=
  bytes_less_safe slot.(key) slot.(next) &&
  (if bytes_less slot.(key) slot.(next) then
      bytes_less_safe slot.(key) k &&
      (if bytes_less slot.(key) k then bytes_at_most_safe k slot.(next) else true)
    else
      bytes_less_safe slot.(key) k &&
      (if bytes_less slot.(key) k then true else bytes_at_most_safe k slot.(next))).

(** When [slots_equal] does not panic. *)
Definition slots_equal_safe (a b : Slot) : bool :=
  bytes_equal_safe a.(key) b.(key) &&
  (if bytes_equal a.(key) b.(key) then bytes_equal_safe a.(value) b.(value) else true) &&
  (if bytes_equal a.(key) b.(key) && bytes_equal a.(value) b.(value) then
      bytes_equal_safe a.(next) b.(next)
    else
      true).

(** When [slot_contents_equal] does not panic. *)
Definition slot_contents_equal_safe (a b : Option Slot) : bool :=
  match a with
  | None => true
  | Some left' =>
      match b with
      | None => true
      | Some right' => slots_equal_safe left' right'
      end
  end.

(** When [slot_bytes_length] does not panic. *)
Definition slot_bytes_length_safe (slot : Slot) : bool :=
  within_usize (4 + seq_length slot.(key)) &&
  within_usize (4 + seq_length slot.(key) + seq_length slot.(next)) &&
  within_usize (4 + seq_length slot.(key) + seq_length slot.(next) + seq_length slot.(value)).

End Specification.

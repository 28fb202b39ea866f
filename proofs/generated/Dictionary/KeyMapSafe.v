(* Translated from spec/src/dictionary/key_map.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Dictionary.KeyMap Base.BytesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [key_map_get_step] does not panic. *)
Definition key_map_get_step_safe (found : Option ByteString) (entry : KeyEntry) (k : ByteString) : bool :=
  bytes_equal_safe entry.(entry_key) k.

(** When [key_map_get] does not panic. *)
Definition key_map_get_safe (entries : KeyMap) (k : ByteString) : bool :=
  loop_safe
    (fun found i => key_map_get_step found (seq_at entries i) k)
    (fun found i => (i <? seq_length entries) && key_map_get_step_safe found (seq_at entries i) k)
    (range 0 (seq_length entries))
    None.

(** When [entries_below_step] does not panic. *)
Definition entries_below_step_safe (below : KeyMap) (entry : KeyEntry) (k : ByteString) : bool :=
  bytes_less_safe entry.(entry_key) k.

(** When [entries_below] does not panic. *)
Definition entries_below_safe (entries : KeyMap) (k : ByteString) : bool :=
  loop_safe
    (fun below i => entries_below_step below (seq_at entries i) k)
    (fun below i => (i <? seq_length entries) && entries_below_step_safe below (seq_at entries i) k)
    (range 0 (seq_length entries))
    empty_key_map.

(** When [entries_above_step] does not panic. *)
Definition entries_above_step_safe (above : KeyMap) (entry : KeyEntry) (k : ByteString) : bool :=
  bytes_less_safe k entry.(entry_key).

(** When [entries_above] does not panic. *)
Definition entries_above_safe (entries : KeyMap) (k : ByteString) : bool :=
  loop_safe
    (fun above i => entries_above_step above (seq_at entries i) k)
    (fun above i => (i <? seq_length entries) && entries_above_step_safe above (seq_at entries i) k)
    (range 0 (seq_length entries))
    empty_key_map.

(** When [key_map_put] does not panic. *)
Definition key_map_put_safe (entries : KeyMap) (k : ByteString) (content : Option ByteString) : bool :=
  entries_below_safe entries k && entries_above_safe entries k.

(** When [key_map_ascends_step] does not panic. *)
Definition key_map_ascends_step_safe (ascends : bool) (entries : KeyMap) (i : usize) : bool :=
  if 0 <? i then
    if ascends then
      (1 <=? i) && (i - 1 <? seq_length entries) && (i <? seq_length entries) &&
      bytes_less_safe (seq_at entries (i - 1)).(entry_key) (seq_at entries i).(entry_key)
    else
      true
  else
    true.

(** When [key_map_ascends] does not panic. *)
Definition key_map_ascends_safe (entries : KeyMap) : bool :=
  loop_safe
    (fun ascends i => key_map_ascends_step ascends entries i)
    (fun ascends i => key_map_ascends_step_safe ascends entries i)
    (range 0 (seq_length entries))
    true.

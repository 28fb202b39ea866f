(* Translated from spec/src/dictionary/key_map.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The finite map from keys to values: an ordinary map, what a dictionary means to its users.

    The entries stand in strictly ascending order of their keys. Nobody outside this file changes
    the sequence: others use [`key_map_get`] and [`key_map_put`]. *)
From AardvarkSpec Require Export Prelude Base.Bytes.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** A key and its value. *)
Record KeyEntry : Type := {
  (** The key. *)
  entry_key : ByteString;
  (** The value. *)
  entry_value : ByteString;
}.

#[global] Instance Default_KeyEntry : Default KeyEntry := {| entry_key := default; entry_value := default |}.

(** A finite map from keys to values. *)
Definition KeyMap : Type := Seq KeyEntry.

(** The map without any key. *)
Definition empty_key_map : KeyMap :=
  [].

(** One step of [`key_map_get`]. *)
Definition key_map_get_step
    (found : Option ByteString)
    (entry : KeyEntry)
    (k : ByteString) : Option ByteString :=
  if bytes_equal entry.(entry_key) k then Some entry.(entry_value) else found.

(** The value of `k`, or absent. *)
Definition key_map_get (entries : KeyMap) (k : ByteString) : Option ByteString :=
  fold_left (fun found i => key_map_get_step found (seq_at entries i) k) (range 0 (seq_length entries)) None.

(** One step of [`entries_below`]. *)
Definition entries_below_step (below : KeyMap) (entry : KeyEntry) (k : ByteString) : KeyMap :=
  if bytes_less entry.(entry_key) k then below ++ [entry] else below.

(** The entries whose keys come before `k`. *)
Definition entries_below (entries : KeyMap) (k : ByteString) : KeyMap :=
  fold_left
    (fun below i => entries_below_step below (seq_at entries i) k)
    (range 0 (seq_length entries))
    empty_key_map.

(** One step of [`entries_above`]. *)
Definition entries_above_step (above : KeyMap) (entry : KeyEntry) (k : ByteString) : KeyMap :=
  if bytes_less k entry.(entry_key) then above ++ [entry] else above.

(** The entries whose keys come after `k`. *)
Definition entries_above (entries : KeyMap) (k : ByteString) : KeyMap :=
  fold_left
    (fun above i => entries_above_step above (seq_at entries i) k)
    (range 0 (seq_length entries))
    empty_key_map.

(** No entry for an absent content, one entry for a value. *)
Definition entries_of (k : ByteString) (content : Option ByteString) : KeyMap :=
  match content with
  | None => empty_key_map
  | Some present => empty_key_map ++ [{| entry_key := k; entry_value := present |}]
  end.

(** The map with another content of `k`; `None` removes. *)
Definition key_map_put (entries : KeyMap) (k : ByteString) (content : Option ByteString) : KeyMap :=
  entries_below entries k ++ entries_of k content ++ entries_above entries k.

(** One step of [`key_map_ascends`]: entry `i` comes after the one before it. *)
Definition key_map_ascends_step (ascends : bool) (entries : KeyMap) (i : usize) : bool :=
  if 0 <? i then
    ascends && bytes_less (seq_at entries (i - 1)).(entry_key) (seq_at entries i).(entry_key)
  else
    ascends.

(** Whether the keys are strictly ascending. *)
Definition key_map_ascends (entries : KeyMap) : bool :=
  fold_left (fun ascends i => key_map_ascends_step ascends entries i) (range 0 (seq_length entries)) true.

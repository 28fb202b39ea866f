(* Translated from spec/src/answer/scan.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The answer that a chain of slots gives to a question, once they are known to be slots of the
    dictionary.

    Between a slot's key and its next key there is no live key. So slots that cover, one after the
    other, all that is asked for show every entry of it and leave no gap:

    ```text
    cursor := the least asked key
    each slot must cover the cursor; if its key is the cursor, it is an entry
    cursor := the least asked key from slot.next on; there is none where the ring closes
    ```

    The slots end exactly where the cursor does, or where the limit is reached: the cursor then says
    where to go on. All slots must be of one version, since slots of two versions do not compose.
    Source: docs/answers.md. *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.Slot Dictionary.KeyMap Answer.Question.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Why slots do not answer a question. *)
Inductive ChainFault : Type :=
(** The slot does not cover the cursor, or does not precede the key. *)
| ChainFault_NotCovering
(** The slot stands where all has been answered. *)
| ChainFault_SlotSuperfluous
(** The slots end before all has been answered. *)
| ChainFault_SlotMissing.

(** How far a scan has come. *)
Record Scan : Type := {
  (** The least asked key of which nothing is known yet; none where all is known. *)
  scan_cursor : Option ByteString;
  (** The entries found, in ascending order. *)
  scan_entries : KeyMap;
}.

#[global] Instance Default_Scan : Default Scan := {| scan_cursor := default; scan_entries := default |}.

(** A key that was asked for, and its value, or that it is absent. *)
Record KeyAnswer : Type := {
  (** The key. *)
  answered_key : ByteString;
  (** Its value; `None` where the key is absent. *)
  answered_value : Option ByteString;
}.

#[global] Instance Default_KeyAnswer : Default KeyAnswer := {| answered_key := default; answered_value := default |}.

(** The entries of a range. *)
Record RangeAnswer : Type := {
  (** The entries, in ascending order. *)
  range_entries : KeyMap;
  (** Where the limit was reached: the least key of the range of which nothing is said. *)
  range_resume : Option ByteString;
}.

#[global] Instance Default_RangeAnswer : Default RangeAnswer := {| range_entries := default; range_resume := default |}.

(** An answer. *)
Inductive Answer : Type :=
(** To a list of keys: each with its value, or absent. *)
| Answer_AnswerKeys (_ : Seq KeyAnswer)
(** To a range. *)
| Answer_AnswerRange (_ : RangeAnswer)
(** The greatest live key below the asked one; none where there is none. *)
| Answer_AnswerPredecessor (_ : Option KeyEntry)
(** The least live key above the asked one; none where there is none. *)
| Answer_AnswerSuccessor (_ : Option ByteString).

(** Whether a number of entries reaches a limit. *)
Definition limit_reached (limit : Option usize) (count : usize) : bool :=
  match limit with
  | None => false
  | Some most => most <=? count
  end.

(** Whether nothing more is to be shown: all is known, or there are as many entries as were asked
    for. *)
Definition scan_done (region : Region) (scan : Scan) : bool :=
  match scan.(scan_cursor) with
  | None => true
  | Some _ => limit_reached (region_limit region) (seq_length scan.(scan_entries))
  end.

(** Where a scan begins. *)
Definition scan_start (region : Region) : Scan :=
  {| scan_cursor := asked_from region []; scan_entries := empty_key_map |}.

(** The cursor after a slot that covers `cursor`. Where the slot's next key does not come after the
    cursor, the ring closes: no live key comes after it. *)
Definition cursor_after (region : Region) (cursor : ByteString) (slot : Slot) : Option ByteString :=
  if bytes_less cursor slot.(next) then asked_from region slot.(next) else None.

(** The entries with the slot's, if its key is the cursor. The sentinel's is no entry. *)
Definition entries_after (found_entries : KeyMap) (cursor : ByteString) (slot : Slot) : KeyMap :=
  if bytes_equal slot.(key) cursor && (0 <? seq_length slot.(key)) then
    found_entries ++ [{| entry_key := slot.(key); entry_value := slot.(value) |}]
  else
    found_entries.

(** The scan after one more slot. *)
Definition scan_slot (region : Region) (scan : Scan) (slot : Slot) : Result Scan ChainFault :=
  match scan.(scan_cursor) with
  | None => Err ChainFault_SlotSuperfluous
  | Some cursor =>
      if scan_done region scan then
        Err ChainFault_SlotSuperfluous
      else if negb (covers slot cursor) then
        Err ChainFault_NotCovering
      else
        Ok
          {| scan_cursor := cursor_after region cursor slot;
            scan_entries := entries_after scan.(scan_entries) cursor slot |}
  end.

(** One step of [`scan_slots`]. *)
Definition scan_slots_step
    (progress : Result Scan ChainFault)
    (region : Region)
    (slot : Slot) : Result Scan ChainFault :=
  match progress with
  | Err fault => Err fault
  | Ok scan => scan_slot region scan slot
  end.

(** The scan after all slots, wherever it has come. *)
Definition scan_slots (region : Region) (chain : Seq Slot) : Result Scan ChainFault :=
  fold_left
    (fun progress i => scan_slots_step progress region (seq_at chain i))
    (range 0 (seq_length chain))
    (Ok (scan_start region)).

(** One step of [`key_answers`]. *)
Definition key_answers_step
    (answers : Seq KeyAnswer)
    (k : ByteString)
    (found_entries : KeyMap) : Seq KeyAnswer :=
  answers ++ [{| answered_key := k; answered_value := key_map_get found_entries k |}].

(** Each asked key with its value, or absent where it is not among the entries. *)
Definition key_answers (listed_keys : Seq ByteString) (found_entries : KeyMap) : Seq KeyAnswer :=
  fold_left
    (fun answers i => key_answers_step answers (seq_at listed_keys i) found_entries)
    (range 0 (seq_length listed_keys))
    [].

(** What a finished scan answers. *)
Definition region_answer (region : Region) (scan : Scan) : Answer :=
  match region with
  | Region_RegionKeys listed_keys => Answer_AnswerKeys (key_answers listed_keys scan.(scan_entries))
  | Region_RegionRange _ =>
      Answer_AnswerRange {| range_entries := scan.(scan_entries); range_resume := scan.(scan_cursor) |}
  end.

(** The answer of a chain of slots about a region. *)
Definition answer_region (region : Region) (chain : Seq Slot) : Result Answer ChainFault :=
  match scan_slots region chain with
  | Ok scan => if scan_done region scan then Ok (region_answer region scan) else Err ChainFault_SlotMissing
  | Err e' => Err e'
  end.

(** The entry of a slot; the sentinel has none. *)
Definition entry_of_slot (slot : Slot) : Option KeyEntry :=
  if 0 <? seq_length slot.(key) then
    Some {| entry_key := slot.(key); entry_value := slot.(value) |}
  else
    None.

(** The slot's next key; none where the ring closes. *)
Definition next_of_slot (slot : Slot) : Option ByteString :=
  if 0 <? seq_length slot.(next) then Some slot.(next) else None.

(** The only slot of a chain. *)
Definition single_slot (chain : Seq Slot) : Result Slot ChainFault :=
  if seq_length chain <? 1 then
    Err ChainFault_SlotMissing
  else if 1 <? seq_length chain then
    Err ChainFault_SlotSuperfluous
  else
    Ok (seq_at chain 0).

(** The greatest live key below `k`, as the slot that precedes it says. *)
Definition answer_predecessor (k : ByteString) (chain : Seq Slot) : Result Answer ChainFault :=
  match single_slot chain with
  | Ok slot =>
      if precedes slot k then
        Ok (Answer_AnswerPredecessor (entry_of_slot slot))
      else
        Err ChainFault_NotCovering
  | Err e' => Err e'
  end.

(** The least live key above `k`, as the slot that covers it says. *)
Definition answer_successor (k : ByteString) (chain : Seq Slot) : Result Answer ChainFault :=
  match single_slot chain with
  | Ok slot =>
      if covers slot k then Ok (Answer_AnswerSuccessor (next_of_slot slot)) else Err ChainFault_NotCovering
  | Err e' => Err e'
  end.

(** The answer of slots, all of one version of the dictionary, to a question. *)
Definition answer_of_slots (question : Question) (chain : Seq Slot) : Result Answer ChainFault :=
  match question with
  | Question_AskRegion region => answer_region region chain
  | Question_AskPredecessor k => answer_predecessor k chain
  | Question_AskSuccessor k => answer_successor k chain
  end.

End Specification.

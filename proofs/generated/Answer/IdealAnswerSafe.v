(* Translated from spec/src/answer/ideal_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Answer.IdealAnswer Base.BytesSafe Dictionary.KeyMapSafe Answer.QuestionSafe
  Answer.ScanSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [is_within] does not panic. *)
Definition is_within_safe (asked : KeyRange) (k : ByteString) : bool :=
  bytes_at_most_safe asked.(range_from) k &&
  (if bytes_at_most asked.(range_from) k then is_below_end_safe asked.(range_to) k else true).

(** When [entries_within_step] does not panic. *)
Definition entries_within_step_safe (within : KeyMap) (entry : KeyEntry) (asked : KeyRange) : bool :=
  is_within_safe asked entry.(entry_key).

(** When [entries_within] does not panic. *)
Definition entries_within_safe (entries : KeyMap) (asked : KeyRange) : bool :=
  loop_safe
    (fun within i => entries_within_step within (seq_at entries i) asked)
    (fun within i => (i <? seq_length entries) && entries_within_step_safe within (seq_at entries i) asked)
    (range 0 (seq_length entries))
    empty_key_map.

(** When [limited_range] does not panic. *)
Definition limited_range_safe (within : KeyMap) (most : usize) : bool :=
  if most <? seq_length within then 0 + most <=? seq_length within else true.

(** When [ideal_range] does not panic. *)
Definition ideal_range_safe (asked : KeyRange) (entries : KeyMap) : bool :=
  entries_within_safe entries asked &&
  (let within := entries_within entries asked in
    match asked.(range_limit) with
    | None => true
    | Some most => limited_range_safe within most
    end).

(** When [ideal_predecessor] does not panic. *)
Definition ideal_predecessor_safe (k : ByteString) (entries : KeyMap) : bool :=
  entries_below_safe entries k &&
  (let below := entries_below entries k in
    if 0 <? seq_length below then
      (1 <=? seq_length below) && (seq_length below - 1 <? seq_length below)
    else
      true).

(** When [ideal_successor] does not panic. *)
Definition ideal_successor_safe (k : ByteString) (entries : KeyMap) : bool :=
  entries_above_safe entries k.

(** When [ideal_answer] does not panic. *)
Definition ideal_answer_safe (question : Question) (entries : KeyMap) : bool :=
  match question with
  | Question_AskRegion region =>
      match region with
      | Region_RegionKeys listed_keys => key_answers_safe listed_keys entries
      | Region_RegionRange asked => ideal_range_safe asked entries
      end
  | Question_AskPredecessor k => ideal_predecessor_safe k entries
  | Question_AskSuccessor k => ideal_successor_safe k entries
  end.

End Specification.

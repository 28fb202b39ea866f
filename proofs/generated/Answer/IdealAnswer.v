(* Translated from spec/src/answer/ideal_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What an answer should be: the same question, put to an ordinary map. Source: docs/answers.md. *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.KeyMap Answer.Question Answer.Scan.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Whether a key lies in a range. *)
Definition is_within (asked : KeyRange) (k : ByteString) : bool :=
  bytes_at_most asked.(range_from) k && is_below_end asked.(range_to) k.

(** One step of [`entries_within`]. *)
Definition entries_within_step (within : KeyMap) (entry : KeyEntry) (asked : KeyRange) : KeyMap :=
  if is_within asked entry.(entry_key) then within ++ [entry] else within.

(** All entries of a range, whatever its limit. *)
Definition entries_within (entries : KeyMap) (asked : KeyRange) : KeyMap :=
  fold_left
    (fun within i => entries_within_step within (seq_at entries i) asked)
    (range 0 (seq_length entries))
    empty_key_map.

(** The first `most` entries, and the key of the one after them. *)
Definition limited_range (within : KeyMap) (most : usize) : RangeAnswer :=
  if most <? seq_length within then
    {| range_entries := seq_slice within 0 most; range_resume := Some (seq_at within most).(entry_key) |}
  else
    {| range_entries := within; range_resume := None |}.

(** The entries of a range, as many as its limit allows. *)
Definition ideal_range (asked : KeyRange) (entries : KeyMap) : RangeAnswer :=
  let within := entries_within entries asked in
  match asked.(range_limit) with
  | None => {| range_entries := within; range_resume := None |}
  | Some most => limited_range within most
  end.

(** The greatest key below `k`, with its value. *)
Definition ideal_predecessor (k : ByteString) (entries : KeyMap) : Option KeyEntry :=
  let below := entries_below entries k in
  if 0 <? seq_length below then Some (seq_at below (seq_length below - 1)) else None.

(** The least key above `k`. *)
Definition ideal_successor (k : ByteString) (entries : KeyMap) : Option ByteString :=
  let above := entries_above entries k in
  if 0 <? seq_length above then Some (seq_at above 0).(entry_key) else None.

(** The answer that a map gives. *)
Definition ideal_answer (question : Question) (entries : KeyMap) : Answer :=
  match question with
  | Question_AskRegion region =>
      match region with
      | Region_RegionKeys listed_keys => Answer_AnswerKeys (key_answers listed_keys entries)
      | Region_RegionRange asked => Answer_AnswerRange (ideal_range asked entries)
      end
  | Question_AskPredecessor k => Answer_AnswerPredecessor (ideal_predecessor k entries)
  | Question_AskSuccessor k => Answer_AnswerSuccessor (ideal_successor k entries)
  end.

End Specification.

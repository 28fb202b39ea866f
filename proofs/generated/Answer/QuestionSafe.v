(* Translated from spec/src/answer/question.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Answer.Question Base.BytesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [is_below_end] does not panic. *)
Definition is_below_end_safe (range_end k : ByteString) : bool :=
  if seq_length range_end =? 0 then true else bytes_less_safe k range_end.

(** When [range_key_from] does not panic. *)
Definition range_key_from_safe (asked : KeyRange) (k : ByteString) : bool :=
  bytes_less_safe k asked.(range_from) &&
  (let least := if bytes_less k asked.(range_from) then asked.(range_from) else k in
    is_below_end_safe asked.(range_to) least).

(** When [listed_key_from_step] does not panic. *)
Definition listed_key_from_step_safe (found : Option ByteString) (listed k : ByteString) : bool :=
  match found with
  | Some earlier => true
  | None => bytes_less_safe listed k
  end.

(** When [listed_key_from] does not panic. *)
Definition listed_key_from_safe (listed_keys : Seq ByteString) (k : ByteString) : bool :=
  loop_safe
    (fun found i => listed_key_from_step found (seq_at listed_keys i) k)
    (fun found i => (i <? seq_length listed_keys) && listed_key_from_step_safe found (seq_at listed_keys i) k)
    (range 0 (seq_length listed_keys))
    None.

(** When [asked_from] does not panic. *)
Definition asked_from_safe (region : Region) (k : ByteString) : bool :=
  match region with
  | Region_RegionKeys listed_keys => listed_key_from_safe listed_keys k
  | Region_RegionRange asked => range_key_from_safe asked k
  end.

(** When [keys_askable_step] does not panic. *)
Definition keys_askable_step_safe (askable : bool) (listed_keys : Seq ByteString) (i : usize) : bool :=
  if 0 <? i then
    (if askable then i <? seq_length listed_keys else true) &&
    (if askable && key_askable (seq_at listed_keys i) then
        (1 <=? i) && (i - 1 <? seq_length listed_keys) && (i <? seq_length listed_keys) &&
        bytes_less_safe (seq_at listed_keys (i - 1)) (seq_at listed_keys i)
      else
        true)
  else if askable then
    i <? seq_length listed_keys
  else
    true.

(** When [keys_askable] does not panic. *)
Definition keys_askable_safe (listed_keys : Seq ByteString) : bool :=
  loop_safe
    (fun askable i => keys_askable_step askable listed_keys i)
    (fun askable i => keys_askable_step_safe askable listed_keys i)
    (range 0 (seq_length listed_keys))
    (1 <=? seq_length listed_keys).

(** When [range_askable] does not panic. *)
Definition range_askable_safe (asked : KeyRange) : bool :=
  if (seq_length asked.(range_from) <=? MAX_ASKED_LENGTH) &&
    (seq_length asked.(range_to) <=? MAX_ASKED_LENGTH) then
    is_below_end_safe asked.(range_to) asked.(range_from)
  else
    true.

(** When [question_legal] does not panic. *)
Definition question_legal_safe (question : Question) : bool :=
  match question with
  | Question_AskRegion region =>
      match region with
      | Region_RegionKeys listed_keys => keys_askable_safe listed_keys
      | Region_RegionRange asked => range_askable_safe asked
      end
  | Question_AskPredecessor k => true
  | Question_AskSuccessor k => true
  end.

(** When [same_keys_step] does not panic. *)
Definition same_keys_step_safe (same : bool) (a b : Seq ByteString) (i : usize) : bool :=
  if same && (i <? seq_length b) then
    (i <? seq_length a) && bytes_equal_safe (seq_at a i) (seq_at b i)
  else
    true.

(** When [same_keys] does not panic. *)
Definition same_keys_safe (a b : Seq ByteString) : bool :=
  loop_safe
    (fun same i => same_keys_step same a b i)
    (fun same i => same_keys_step_safe same a b i)
    (range 0 (seq_length a))
    (seq_length a =? seq_length b).

(** When [same_regions] does not panic. *)
Definition same_regions_safe (a b : Region) : bool :=
  match a with
  | Region_RegionKeys left_keys =>
      match b with
      | Region_RegionKeys right_keys => same_keys_safe left_keys right_keys
      | Region_RegionRange _ => true
      end
  | Region_RegionRange left' =>
      match b with
      | Region_RegionKeys _ => true
      | Region_RegionRange right' =>
          bytes_equal_safe left'.(range_from) right'.(range_from) &&
          (if bytes_equal left'.(range_from) right'.(range_from) then
              bytes_equal_safe left'.(range_to) right'.(range_to)
            else
              true)
      end
  end.

(** When [same_questions] does not panic. *)
Definition same_questions_safe (a b : Question) : bool :=
  match a with
  | Question_AskRegion left' =>
      match b with
      | Question_AskRegion right' => same_regions_safe left' right'
      | Question_AskPredecessor _ => true
      | Question_AskSuccessor _ => true
      end
  | Question_AskPredecessor left' =>
      match b with
      | Question_AskRegion _ => true
      | Question_AskPredecessor right' => bytes_equal_safe left' right'
      | Question_AskSuccessor _ => true
      end
  | Question_AskSuccessor left' =>
      match b with
      | Question_AskRegion _ => true
      | Question_AskPredecessor _ => true
      | Question_AskSuccessor right' => bytes_equal_safe left' right'
      end
  end.

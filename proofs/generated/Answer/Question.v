(* Translated from spec/src/answer/question.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What is asked of a dictionary at one version: the values of keys, the entries of a range, a
    key's neighbours.

    A region is a set of keys, given by a function: the least key of the set that is at least some
    key ([`asked_from`]). The scan of [`crate::answer::scan`] needs nothing else of it. Source:
    docs/answers.md. *)
From AardvarkSpec Require Export Prelude Base.Bytes.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** The most bytes of a key in any dictionary. *)
Definition MAX_ASKED_LENGTH : usize :=
  255.

(** The keys from one key up to, and not including, another. *)
Record KeyRange : Type := {
  (** The least key of the range, present or not. *)
  range_from : ByteString;
  (** The least key above the range; empty for a range without an end. *)
  range_to : ByteString;
  (** At most so many entries are asked for, from the least on. *)
  range_limit : Option usize;
}.

#[global] Instance Default_KeyRange : Default KeyRange := {| range_from := default; range_to := default; range_limit := default |}.

(** A set of keys. *)
Inductive Region : Type :=
(** These keys, in strictly ascending order. *)
| Region_RegionKeys (_ : Seq ByteString)
(** The keys of a range. *)
| Region_RegionRange (_ : KeyRange).

(** A question. *)
Inductive Question : Type :=
(** What there is in a region: of a set of keys each key's value or absence, of a range its
    entries. *)
| Question_AskRegion (_ : Region)
(** The greatest live key below this one, and its value. *)
| Question_AskPredecessor (_ : ByteString)
(** The least live key above this one. *)
| Question_AskSuccessor (_ : ByteString).

(** Whether `k` is below the end of a range; the empty end is no end. *)
Definition is_below_end (range_end k : ByteString) : bool :=
  (seq_length range_end =? 0) || bytes_less k range_end.

(** The least key of a range that is at least `k`. *)
Definition range_key_from (asked : KeyRange) (k : ByteString) : Option ByteString :=
  let least := if bytes_less k asked.(range_from) then asked.(range_from) else k in
  if is_below_end asked.(range_to) least then Some least else None.

(** One step of [`listed_key_from`]. *)
Definition listed_key_from_step (found : Option ByteString) (listed k : ByteString) : Option ByteString :=
  match found with
  | Some earlier => Some earlier
  | None => if bytes_less listed k then None else Some listed
  end.

(** The first of ascending keys that is at least `k`. *)
Definition listed_key_from (listed_keys : Seq ByteString) (k : ByteString) : Option ByteString :=
  fold_left
    (fun found i => listed_key_from_step found (seq_at listed_keys i) k)
    (range 0 (seq_length listed_keys))
    None.

(** The least key of a region that is at least `k`. *)
Definition asked_from (region : Region) (k : ByteString) : Option ByteString :=
  match region with
  | Region_RegionKeys listed_keys => listed_key_from listed_keys k
  | Region_RegionRange asked => range_key_from asked k
  end.

(** The most entries that a region asks for, if there is such a number. *)
Definition region_limit (region : Region) : Option usize :=
  match region with
  | Region_RegionKeys _ => None
  | Region_RegionRange asked => asked.(range_limit)
  end.

(** Whether a byte string may be a key that somebody asks for. *)
Definition key_askable (k : ByteString) : bool :=
  (1 <=? seq_length k) && (seq_length k <=? MAX_ASKED_LENGTH).

(** One step of [`keys_askable`]. *)
Definition keys_askable_step (askable : bool) (listed_keys : Seq ByteString) (i : usize) : bool :=
  if 0 <? i then
    askable && key_askable (seq_at listed_keys i) &&
    bytes_less (seq_at listed_keys (i - 1)) (seq_at listed_keys i)
  else
    askable && key_askable (seq_at listed_keys i).

(** Whether there are keys, and all have legal lengths and ascend. *)
Definition keys_askable (listed_keys : Seq ByteString) : bool :=
  fold_left
    (fun askable i => keys_askable_step askable listed_keys i)
    (range 0 (seq_length listed_keys))
    (1 <=? seq_length listed_keys).

(** Whether a limit is not 0. *)
Definition limit_legal (limit : Option usize) : bool :=
  match limit with
  | None => true
  | Some most => 1 <=? most
  end.

(** Whether a range has a key, ends of legal lengths, and a limit that is not 0. *)
Definition range_askable (asked : KeyRange) : bool :=
  (seq_length asked.(range_from) <=? MAX_ASKED_LENGTH) &&
  (seq_length asked.(range_to) <=? MAX_ASKED_LENGTH) &&
  is_below_end asked.(range_to) asked.(range_from) &&
  limit_legal asked.(range_limit).

(** Whether a question can be asked. *)
Definition question_legal (question : Question) : bool :=
  match question with
  | Question_AskRegion region =>
      match region with
      | Region_RegionKeys listed_keys => keys_askable listed_keys
      | Region_RegionRange asked => range_askable asked
      end
  | Question_AskPredecessor k => key_askable k
  | Question_AskSuccessor k => key_askable k
  end.

(** One step of [`same_keys`]. *)
Definition same_keys_step (same : bool) (a b : Seq ByteString) (i : usize) : bool :=
  same && (i <? seq_length b) && bytes_equal (seq_at a i) (seq_at b i).

(** Whether two lists of keys are the same. *)
Definition same_keys (a b : Seq ByteString) : bool :=
  fold_left (fun same i => same_keys_step same a b i) (range 0 (seq_length a)) (seq_length a =? seq_length b).

(** Whether two limits are the same. *)
Definition same_limits (a b : Option usize) : bool :=
  match a with
  | None =>
      match b with
      | None => true
      | Some _ => false
      end
  | Some left' =>
      match b with
      | None => false
      | Some right' => left' =? right'
      end
  end.

(** Whether two regions are the same. *)
Definition same_regions (a b : Region) : bool :=
  match a with
  | Region_RegionKeys left_keys =>
      match b with
      | Region_RegionKeys right_keys => same_keys left_keys right_keys
      | Region_RegionRange _ => false
      end
  | Region_RegionRange left' =>
      match b with
      | Region_RegionKeys _ => false
      | Region_RegionRange right' =>
          bytes_equal left'.(range_from) right'.(range_from) &&
          bytes_equal left'.(range_to) right'.(range_to) &&
          same_limits left'.(range_limit) right'.(range_limit)
      end
  end.

(** Whether two questions are the same. *)
Definition same_questions (a b : Question) : bool :=
  match a with
  | Question_AskRegion left' =>
      match b with
      | Question_AskRegion right' => same_regions left' right'
      | Question_AskPredecessor _ => false
      | Question_AskSuccessor _ => false
      end
  | Question_AskPredecessor left' =>
      match b with
      | Question_AskRegion _ => false
      | Question_AskPredecessor right' => bytes_equal left' right'
      | Question_AskSuccessor _ => false
      end
  | Question_AskSuccessor left' =>
      match b with
      | Question_AskRegion _ => false
      | Question_AskPredecessor _ => false
      | Question_AskSuccessor right' => bytes_equal left' right'
      end
  end.

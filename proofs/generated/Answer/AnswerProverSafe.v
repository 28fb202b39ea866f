(* Translated from spec/src/answer/answer_prover.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Answer.AnswerProver Base.BytesSafe Commitment.OpeningSafe
  Commitment.SchemeSafe Commitment.CommitmentTreeSafe Dictionary.SlotSafe Dictionary.SlotMapSafe
  Dictionary.ArraySafe Dictionary.VectorsSafe Block.TransactionSafe Block.ProverSafe Block.RootSafe
  Answer.QuestionSafe Answer.ScanSafe Answer.AnswerBasisSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [extend_search] does not panic. *)
Definition extend_search_safe
    (region : Region)
    (search : ChainSearch)
    (position : usize)
    (slot : Slot) : bool :=
  scan_slot_safe region search.(search_scan) slot.

(** When [extend_search_at] does not panic. *)
Definition extend_search_at_safe
    (region : Region)
    (search : ChainSearch)
    (slots : SlotMap)
    (position : usize) : bool :=
  match slot_at slots position with
  | None => true
  | Some slot => extend_search_safe region search position slot
  end.

(** When [region_positions_step] does not panic. *)
Definition region_positions_step_safe (search : ChainSearch) (region : Region) (slots : SlotMap) : bool :=
  match search.(search_scan).(scan_cursor) with
  | None => true
  | Some cursor =>
      covering_position_safe slots cursor &&
      (match covering_position slots cursor with
        | None => true
        | Some position => extend_search_at_safe region search slots position
        end)
  end.

(** When [region_positions] does not panic. *)
Definition region_positions_safe (region : Region) (slots : SlotMap) : bool :=
  within_usize (slot_map_end slots + 1) && scan_start_safe region &&
  (loop_safe
      (fun search _i => region_positions_step search region slots)
      (fun search _i => region_positions_step_safe search region slots)
      (range 0 (slot_map_end slots + 1))
      {| search_scan := scan_start region; search_positions := [] |}).

(** When [answer_positions] does not panic. *)
Definition answer_positions_safe (question : Question) (slots : SlotMap) : bool :=
  match question with
  | Question_AskRegion region => region_positions_safe region slots
  | Question_AskPredecessor k => preceding_position_safe slots k
  | Question_AskSuccessor k => covering_position_safe slots k
  end.

(** When [slots_of_positions] does not panic. *)
Definition slots_of_positions_safe (positions : Seq usize) (slots : SlotMap) : bool :=
  loop_safe
    (fun chain i => slots_of_positions_step chain slots (seq_at positions i))
    (fun chain i => i <? seq_length positions)
    (range 0 (seq_length positions))
    [].

(** When [claims_at_step] does not panic. *)
Definition claims_at_step_safe
    (items : Seq Claim)
    (setup : Setup)
    (slots : SlotMap)
    (position : usize) : bool :=
  honest_claim_safe setup slots position.

(** When [claims_at] does not panic. *)
Definition claims_at_safe (setup : Setup) (slots : SlotMap) (positions : Seq usize) : bool :=
  loop_safe
    (fun items i => claims_at_step items setup slots (seq_at positions i))
    (fun items i => (i <? seq_length positions) && claims_at_step_safe items setup slots (seq_at positions i))
    (range 0 (seq_length positions))
    [].

(** When [honest_answer] does not panic. *)
Definition honest_answer_safe
    (setup : Setup)
    (array : Array)
    (id : ByteString)
    (version_of_array : usize)
    (question : Question) : bool :=
  answer_positions_safe question array.(array_slots) &&
  claims_at_safe setup array.(array_slots) (answer_positions question array.(array_slots)).

(** When [honest_tied_vectors_step] does not panic. *)
Definition honest_tied_vectors_step_safe
    (tied : Seq TiedVector)
    (setup : Setup)
    (slots : SlotMap)
    (encoded : Seq ByteString)
    (items : Seq Claim)
    (number : usize) : bool :=
  let n := setup_vector_size setup in
  is_claimed_vector_safe items n number &&
  (if is_claimed_vector items n number then
      (number <? seq_length encoded) &&
      (vector_scalars_safe slots n number && commit_safe setup (vector_scalars slots n number)) &&
      commitment_path_safe encoded number
    else
      true).

(** When [honest_tied_vectors] does not panic. *)
Definition honest_tied_vectors_safe
    (setup : Setup)
    (slots : SlotMap)
    (encoded : Seq ByteString)
    (items : Seq Claim) : bool :=
  loop_safe
    (fun tied number => honest_tied_vectors_step tied setup slots encoded items number)
    (fun tied number => honest_tied_vectors_step_safe tied setup slots encoded items number)
    (range 0 (seq_length encoded))
    [].

(** When [honest_rooted_answer] does not panic. *)
Definition honest_rooted_answer_safe
    (setup : Setup)
    (array : Array)
    (state : HashedState)
    (question : Question) : bool :=
  answer_positions_safe question array.(array_slots) &&
  claims_at_safe setup array.(array_slots) (answer_positions question array.(array_slots)) &&
  (let items := claims_at setup array.(array_slots) (answer_positions question array.(array_slots)) in
    honest_tied_vectors_safe setup array.(array_slots) state.(hashed_commitments) items &&
    parts_of_state_safe state).

End Specification.

(* Translated from spec/src/answer/answer_prover.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What an honest archive answers with: the slots that a question needs, in their order, and claims
    of them. *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Opening Commitment.Scheme
  Commitment.CommitmentTree Dictionary.Slot Dictionary.SlotMap Dictionary.Array Dictionary.Vectors
  Block.Transaction Block.Prover Block.Root Answer.Question Answer.Scan Answer.AnswerProof Answer.AnswerBasis.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** How far the search for a region's slots has come. *)
Record ChainSearch : Type := {
  (** The scan over the slots found. *)
  search_scan : Scan;
  (** Their positions. *)
  search_positions : Seq usize;
}.

#[global] Instance Default_ChainSearch : Default ChainSearch := {| search_scan := default; search_positions := default |}.

(** The search with the slot of one more position. *)
Definition extend_search
    (region : Region)
    (search : ChainSearch)
    (position : usize)
    (slot : Slot) : ChainSearch :=
  match scan_slot region search.(search_scan) slot with
  | Err _ => search
  | Ok scan => {| search_scan := scan; search_positions := search.(search_positions) ++ [position] |}
  end.

(** The search with the slot at a position, if there is one. *)
Definition extend_search_at
    (region : Region)
    (search : ChainSearch)
    (slots : SlotMap)
    (position : usize) : ChainSearch :=
  match slot_at slots position with
  | None => search
  | Some slot => extend_search region search position slot
  end.

(** One step of [`region_positions`]: the slot that covers the cursor. *)
Definition region_positions_step (search : ChainSearch) (region : Region) (slots : SlotMap) : ChainSearch :=
  match search.(search_scan).(scan_cursor) with
  | None => search
  | Some cursor =>
      match covering_position slots cursor with
      | None => search
      | Some position => extend_search_at region search slots position
      end
  end.

(** The positions of the slots that answer for a region. No slot is needed twice. *)
Definition region_positions (region : Region) (slots : SlotMap) : Seq usize :=
  let search :=
    fold_left
      (fun search _i => region_positions_step search region slots)
      (range 0 (slot_map_end slots + 1))
      {| search_scan := scan_start region; search_positions := [] |}
  in
  search.(search_positions).

(** The position, as a list; empty where there is none. *)
Definition listed_position (found_position : Option usize) : Seq usize :=
  match found_position with
  | None => []
  | Some position => [] ++ [position]
  end.

(** The positions of the slots that answer a question. *)
Definition answer_positions (question : Question) (slots : SlotMap) : Seq usize :=
  match question with
  | Question_AskRegion region => region_positions region slots
  | Question_AskPredecessor k => listed_position (preceding_position slots k)
  | Question_AskSuccessor k => listed_position (covering_position slots k)
  end.

(** One step of [`slots_of_positions`]. *)
Definition slots_of_positions_step (chain : Seq Slot) (slots : SlotMap) (position : usize) : Seq Slot :=
  match slot_at slots position with
  | None => chain
  | Some slot => chain ++ [slot]
  end.

(** The slots at positions. *)
Definition slots_of_positions (positions : Seq usize) (slots : SlotMap) : Seq Slot :=
  fold_left
    (fun chain i => slots_of_positions_step chain slots (seq_at positions i))
    (range 0 (seq_length positions))
    [].

(** One step of [`claims_at`]. *)
Definition claims_at_step
    (items : Seq Claim)
    (setup : Setup)
    (slots : SlotMap)
    (position : usize) : Seq Claim :=
  match honest_claim setup slots position with
  | None => items
  | Some claim => items ++ [claim]
  end.

(** The claims of what positions hold. *)
Definition claims_at (setup : Setup) (slots : SlotMap) (positions : Seq usize) : Seq Claim :=
  fold_left
    (fun items i => claims_at_step items setup slots (seq_at positions i))
    (range 0 (seq_length positions))
    [].

(** An honest archive's proof, for those who trust commitments. *)
Definition honest_answer
    (setup : Setup)
    (array : Array)
    (id : ByteString)
    (version_of_array : usize)
    (question : Question) : AnswerProof :=
  {| proof_dictionary := id;
    proof_vector_size := setup_vector_size setup;
    proof_version := version_of_array;
    proof_question := question;
    proof_claims := claims_at setup array.(array_slots) (answer_positions question array.(array_slots));
    proof_tie := None |}.

(** One step of [`honest_tied_vectors`]. *)
Definition honest_tied_vectors_step
    (tied : Seq TiedVector)
    (setup : Setup)
    (slots : SlotMap)
    (encoded : Seq ByteString)
    (items : Seq Claim)
    (number : usize) : Seq TiedVector :=
  let n := setup_vector_size setup in
  if is_claimed_vector items n number then
    tied ++
    [{| tied_number := number;
        tied_bytes := seq_at encoded number;
        tied_commitment := Opening_Point (commit setup (vector_scalars slots n number));
        tied_path := commitment_path encoded number |}]
  else
    tied.

(** The vectors of claims, with their paths to the root over the encoded commitments. *)
Definition honest_tied_vectors
    (setup : Setup)
    (slots : SlotMap)
    (encoded : Seq ByteString)
    (items : Seq Claim) : Seq TiedVector :=
  fold_left
    (fun tied number => honest_tied_vectors_step tied setup slots encoded items number)
    (range 0 (seq_length encoded))
    [].

(** An honest archive's proof, for those who trust the root of the state of which the array is. *)
Definition honest_rooted_answer
    (setup : Setup)
    (array : Array)
    (state : HashedState)
    (question : Question) : AnswerProof :=
  let items := claims_at setup array.(array_slots) (answer_positions question array.(array_slots)) in
  let tied := honest_tied_vectors setup array.(array_slots) state.(hashed_commitments) items in
  {| proof_dictionary := state.(hashed_dictionary);
    proof_vector_size := setup_vector_size setup;
    proof_version := state.(hashed_version);
    proof_question := question;
    proof_claims := items;
    proof_tie := Some {| tie_parts := parts_of_state state; tie_vectors := tied |} |}.

End Specification.

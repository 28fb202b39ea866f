(* Translated from spec/src/answer/verify.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Verifying an answer: the one function that everyone who reads a dictionary calls.

    What is trusted is either the commitments of a version with its number of slots, or a state
    root. All else comes from whoever answers, and so do dictionary, vector size, version and
    question as the proof states them: they are compared, so that a mix-up has a clear name, and
    never used.

    The phases run in this order over the whole proof, and in the first that fails the lowest item
    names the reason:

    ```text
    form       the question can be asked; slots have lengths of the format
    about      dictionary, vector size, version, question
    root       parts hash to the root; each vector's path leads to it            (under a root)
    positions  each is in use, and its vector's commitment is known
    openings   none malformed; each opens its vector's commitment to its slot's scalar
    chain      the slots answer the question
    ```

    Source: docs/answers.md. *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Opening Commitment.Scheme Dictionary.Slot
  Dictionary.Vectors Block.Transaction Answer.Question Answer.Scan Answer.AnswerReason Answer.AnswerProof
  Answer.AnswerBasis.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The most bytes of a value in any dictionary. *)
Definition MAX_ANSWERED_LENGTH : usize :=
  1024.

(** Whether a slot's lengths are those of some dictionary. *)
Definition slot_answerable (slot : Slot) : bool :=
  (seq_length slot.(key) <=? MAX_ASKED_LENGTH) && (seq_length slot.(next) <=? MAX_ASKED_LENGTH) &&
  (seq_length slot.(value) <=? MAX_ANSWERED_LENGTH).

(** One step of [`check_answer_slots`]. *)
Definition check_answer_slots_step
    (checked : Result unit AnswerRefusal)
    (claim : Claim)
    (c : usize) : Result unit AnswerRefusal :=
  match checked with
  | Err refusal => Err refusal
  | Ok _ =>
      if slot_answerable claim.(claim_slot) then
        Ok tt
      else
        Err (refuse_answer_item AnswerReason_AnswerSlotTooLong c)
  end.

(** Whether all claimed slots have lengths of the format. *)
Definition check_answer_slots (items : Seq Claim) : Result unit AnswerRefusal :=
  fold_left
    (fun checked c => check_answer_slots_step checked (seq_at items c) c)
    (range 0 (seq_length items))
    (Ok tt).

(** The form of question and proof. *)
Definition check_answer_form (question : Question) (proof : AnswerProof) : Result unit AnswerRefusal :=
  if question_legal question then
    check_answer_slots proof.(proof_claims)
  else
    Err (refuse_answer AnswerReason_QuestionIllegal).

(** The dictionary that is trusted. *)
Definition trusted_dictionary (trusted : Trusted) : ByteString :=
  match trusted with
  | Trusted_TrustedCommitments known => known.(known_dictionary)
  | Trusted_TrustedRoot known => known.(root_dictionary)
  end.

(** The vector size that is trusted. *)
Definition trusted_vector_size (trusted : Trusted) : usize :=
  match trusted with
  | Trusted_TrustedCommitments known => known.(known_vector_size)
  | Trusted_TrustedRoot known => known.(root_vector_size)
  end.

(** Whether the version is not another than the one that is trusted. A root says its version by its
    parts. *)
Definition version_fits (trusted : Trusted) (version_of_proof : usize) : bool :=
  match trusted with
  | Trusted_TrustedCommitments known => known.(known_version) =? version_of_proof
  | Trusted_TrustedRoot _ => true
  end.

(** Whether the proof says that it is about what is trusted and asked. *)
Definition check_answer_about
    (trusted : Trusted)
    (question : Question)
    (proof : AnswerProof) : Result unit AnswerRefusal :=
  if negb (bytes_equal proof.(proof_dictionary) (trusted_dictionary trusted)) then
    Err (refuse_answer AnswerReason_OtherDictionary)
  else if negb (proof.(proof_vector_size) =? trusted_vector_size trusted) then
    Err (refuse_answer AnswerReason_OtherVectorSize)
  else if negb (version_fits trusted proof.(proof_version)) then
    Err (refuse_answer AnswerReason_OtherVersion)
  else if negb (same_questions proof.(proof_question) question) then
    Err (refuse_answer AnswerReason_OtherQuestion)
  else
    Ok tt.

(** One step of [`check_answer_positions`]. *)
Definition check_answer_positions_step
    (checked : Result unit AnswerRefusal)
    (basis : AnswerBasis)
    (claim : Claim)
    (c : usize) : Result unit AnswerRefusal :=
  match checked with
  | Err refusal => Err refusal
  | Ok _ =>
      if basis.(basis_size) <=? claim.(claim_position) then
        Err (refuse_answer_item AnswerReason_AnswerPositionOutOfRange c)
      else
        match basis_commitment basis (vector_of claim.(claim_position) basis.(basis_vector_size)) with
        | None => Err (refuse_answer_item AnswerReason_TiedVectorsMismatched c)
        | Some _ => Ok tt
        end
  end.

(** Whether all positions are in use, and their vectors' commitments known. *)
Definition check_answer_positions (basis : AnswerBasis) (items : Seq Claim) : Result unit AnswerRefusal :=
  fold_left
    (fun checked c => check_answer_positions_step checked basis (seq_at items c) c)
    (range 0 (seq_length items))
    (Ok tt).

(** One step of [`check_answer_encodings`]. *)
Definition check_answer_encodings_step
    (checked : Result unit AnswerRefusal)
    (claim : Claim)
    (c : usize) : Result unit AnswerRefusal :=
  match checked with
  | Err refusal => Err refusal
  | Ok _ =>
      if is_malformed claim.(claim_opening) then
        Err (refuse_answer_item AnswerReason_AnswerOpeningMalformed c)
      else
        Ok tt
  end.

(** Whether no opening's bytes break the format's rule. *)
Definition check_answer_encodings (items : Seq Claim) : Result unit AnswerRefusal :=
  fold_left
    (fun checked c => check_answer_encodings_step checked (seq_at items c) c)
    (range 0 (seq_length items))
    (Ok tt).

(** Whether an opening proves its claim. *)
Definition answer_opening_holds (setup : Setup) (basis : AnswerBasis) (claim : Claim) : bool :=
  let n := basis.(basis_vector_size) in
  match basis_commitment basis (vector_of claim.(claim_position) n) with
  | None => false
  | Some commitment =>
      verify
        setup
        commitment
        (index_of claim.(claim_position) n)
        (scalar_of_slot claim.(claim_slot))
        claim.(claim_opening)
  end.

(** One step of [`check_answer_openings`]. *)
Definition check_answer_openings_step
    (checked : Result unit AnswerRefusal)
    (setup : Setup)
    (basis : AnswerBasis)
    (claim : Claim)
    (c : usize) : Result unit AnswerRefusal :=
  match checked with
  | Err refusal => Err refusal
  | Ok _ =>
      if answer_opening_holds setup basis claim then
        Ok tt
      else
        Err (refuse_answer_item AnswerReason_AnswerOpeningFalse c)
  end.

(** Whether all openings prove their claims. *)
Definition check_answer_openings
    (setup : Setup)
    (basis : AnswerBasis)
    (items : Seq Claim) : Result unit AnswerRefusal :=
  fold_left
    (fun checked c => check_answer_openings_step checked setup basis (seq_at items c) c)
    (range 0 (seq_length items))
    (Ok tt).

(** One step of [`claimed_slots`]. *)
Definition claimed_slots_step (chain : Seq Slot) (claim : Claim) : Seq Slot :=
  chain ++ [claim.(claim_slot)].

(** The slots of claims. *)
Definition claimed_slots (items : Seq Claim) : Seq Slot :=
  fold_left (fun chain c => claimed_slots_step chain (seq_at items c)) (range 0 (seq_length items)) [].

(** The reason for a fault of the chain. *)
Definition reason_of_fault (fault : ChainFault) : AnswerReason :=
  match fault with
  | ChainFault_NotCovering => AnswerReason_ChainNotCovering
  | ChainFault_SlotSuperfluous => AnswerReason_ChainSuperfluous
  | ChainFault_SlotMissing => AnswerReason_ChainMissing
  end.

(** The answer of claims whose openings hold. *)
Definition answer_of_claims (question : Question) (items : Seq Claim) : Result Answer AnswerRefusal :=
  match answer_of_slots question (claimed_slots items) with
  | Ok answer => Ok answer
  | Err fault => Err (refuse_answer (reason_of_fault fault))
  end.

(** The answer that a proof gives to a question, under what is trusted; or why it gives none. *)
Definition verify_answer
    (setup : Setup)
    (trusted : Trusted)
    (question : Question)
    (proof : AnswerProof) : Result Answer AnswerRefusal :=
  match check_answer_form question proof with
  | Ok _ =>
      match check_answer_about trusted question proof with
      | Ok _ =>
          match answer_basis trusted proof with
          | Ok basis =>
              match check_answer_positions basis proof.(proof_claims) with
              | Ok _ =>
                  match check_answer_encodings proof.(proof_claims) with
                  | Ok _ =>
                      match check_answer_openings setup basis proof.(proof_claims) with
                      | Ok _ => answer_of_claims question proof.(proof_claims)
                      | Err e' => Err e'
                      end
                  | Err e' => Err e'
                  end
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.

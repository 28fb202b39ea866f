(* Translated from spec/src/answer/verify.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Answer.Verify Base.BytesSafe Commitment.OpeningSafe Commitment.SchemeSafe
  Dictionary.SlotSafe Dictionary.VectorsSafe Block.TransactionSafe Answer.QuestionSafe Answer.ScanSafe
  Answer.AnswerBasisSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [check_answer_slots] does not panic. *)
Definition check_answer_slots_safe (items : Seq Claim) : bool :=
  loop_safe
    (fun checked c => check_answer_slots_step checked (seq_at items c) c)
    (fun checked c => c <? seq_length items)
    (range 0 (seq_length items))
    (Ok tt).

(** When [check_answer_form] does not panic. *)
Definition check_answer_form_safe (question : Question) (proof : AnswerProof) : bool :=
  question_legal_safe question &&
  (if question_legal question then check_answer_slots_safe proof.(proof_claims) else true).

(** When [check_answer_about] does not panic. *)
Definition check_answer_about_safe (trusted : Trusted) (question : Question) (proof : AnswerProof) : bool :=
  bytes_equal_safe proof.(proof_dictionary) (trusted_dictionary trusted) &&
  (if negb (bytes_equal proof.(proof_dictionary) (trusted_dictionary trusted)) then
      true
    else if negb (proof.(proof_vector_size) =? trusted_vector_size trusted) then
      true
    else if negb (version_fits trusted proof.(proof_version)) then
      true
    else
      same_questions_safe proof.(proof_question) question).

(** When [check_answer_positions_step] does not panic. *)
Definition check_answer_positions_step_safe
    (checked : Result unit AnswerRefusal)
    (basis : AnswerBasis)
    (claim : Claim)
    (c : usize) : bool :=
  match checked with
  | Err refusal => true
  | Ok _ =>
      if basis.(basis_size) <=? claim.(claim_position) then
        true
      else
        vector_of_safe claim.(claim_position) basis.(basis_vector_size) &&
        basis_commitment_safe basis (vector_of claim.(claim_position) basis.(basis_vector_size))
  end.

(** When [check_answer_positions] does not panic. *)
Definition check_answer_positions_safe (basis : AnswerBasis) (items : Seq Claim) : bool :=
  loop_safe
    (fun checked c => check_answer_positions_step checked basis (seq_at items c) c)
    (fun checked c =>
      (c <? seq_length items) && check_answer_positions_step_safe checked basis (seq_at items c) c)
    (range 0 (seq_length items))
    (Ok tt).

(** When [check_answer_encodings] does not panic. *)
Definition check_answer_encodings_safe (items : Seq Claim) : bool :=
  loop_safe
    (fun checked c => check_answer_encodings_step checked (seq_at items c) c)
    (fun checked c => c <? seq_length items)
    (range 0 (seq_length items))
    (Ok tt).

(** When [answer_opening_holds] does not panic. *)
Definition answer_opening_holds_safe (setup : Setup) (basis : AnswerBasis) (claim : Claim) : bool :=
  let n := basis.(basis_vector_size) in
  vector_of_safe claim.(claim_position) n &&
  basis_commitment_safe basis (vector_of claim.(claim_position) n) &&
  (match basis_commitment basis (vector_of claim.(claim_position) n) with
    | None => true
    | Some commitment =>
        index_of_safe claim.(claim_position) n &&
        verify_safe
          setup
          commitment
          (index_of claim.(claim_position) n)
          (scalar_of_slot claim.(claim_slot))
          claim.(claim_opening)
    end).

(** When [check_answer_openings_step] does not panic. *)
Definition check_answer_openings_step_safe
    (checked : Result unit AnswerRefusal)
    (setup : Setup)
    (basis : AnswerBasis)
    (claim : Claim)
    (c : usize) : bool :=
  match checked with
  | Err refusal => true
  | Ok _ => answer_opening_holds_safe setup basis claim
  end.

(** When [check_answer_openings] does not panic. *)
Definition check_answer_openings_safe (setup : Setup) (basis : AnswerBasis) (items : Seq Claim) : bool :=
  loop_safe
    (fun checked c => check_answer_openings_step checked setup basis (seq_at items c) c)
    (fun checked c =>
      (c <? seq_length items) && check_answer_openings_step_safe checked setup basis (seq_at items c) c)
    (range 0 (seq_length items))
    (Ok tt).

(** When [claimed_slots] does not panic. *)
Definition claimed_slots_safe (items : Seq Claim) : bool :=
  loop_safe
    (fun chain c => claimed_slots_step chain (seq_at items c))
    (fun chain c => c <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [answer_of_claims] does not panic. *)
Definition answer_of_claims_safe (question : Question) (items : Seq Claim) : bool :=
  claimed_slots_safe items && answer_of_slots_safe question (claimed_slots items).

(** When [verify_answer] does not panic. *)
Definition verify_answer_safe
    (setup : Setup)
    (trusted : Trusted)
    (question : Question)
    (proof : AnswerProof) : bool :=
  check_answer_form_safe question proof &&
  (match check_answer_form question proof with
    | Ok _ =>
        check_answer_about_safe trusted question proof &&
        (match check_answer_about trusted question proof with
          | Ok _ =>
              answer_basis_safe trusted proof &&
              (match answer_basis trusted proof with
                | Ok basis =>
                    check_answer_positions_safe basis proof.(proof_claims) &&
                    (match check_answer_positions basis proof.(proof_claims) with
                      | Ok _ =>
                          check_answer_encodings_safe proof.(proof_claims) &&
                          (match check_answer_encodings proof.(proof_claims) with
                            | Ok _ =>
                                check_answer_openings_safe setup basis proof.(proof_claims) &&
                                (match check_answer_openings setup basis proof.(proof_claims) with
                                  | Ok _ => answer_of_claims_safe question proof.(proof_claims)
                                  | Err _ => true
                                  end)
                            | Err _ => true
                            end)
                      | Err _ => true
                      end)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

End Specification.

(* Translated from spec/src/answer/folded_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Answer.FoldedAnswer Base.BytesSafe Base.ScalarSafe Base.GroupSafe
  Commitment.OpeningSafe Commitment.KzgSafe Commitment.SchemeSafe Commitment.FoldedOpeningSafe
  Dictionary.SlotSafe Dictionary.VectorsSafe Block.TransactionSafe Answer.QuestionSafe Answer.ScanSafe
  Answer.AnswerBasisSafe Answer.VerifySafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [claimed_commitment] does not panic. *)
Definition claimed_commitment_safe (basis : AnswerBasis) (claim : Claim) : bool :=
  vector_of_safe claim.(claim_position) basis.(basis_vector_size) &&
  basis_commitment_safe basis (vector_of claim.(claim_position) basis.(basis_vector_size)).

(** When [folded_claims_step] does not panic. *)
Definition folded_claims_step_safe
    (folded : Seq FoldedClaim)
    (setup : KzgSetup)
    (basis : AnswerBasis)
    (claim : Claim) : bool :=
  claimed_commitment_safe basis claim && index_of_safe claim.(claim_position) basis.(basis_vector_size).

(** When [folded_claims] does not panic. *)
Definition folded_claims_safe (setup : KzgSetup) (basis : AnswerBasis) (items : Seq Claim) : bool :=
  loop_safe
    (fun folded c => folded_claims_step folded setup basis (seq_at items c))
    (fun folded c => (c <? seq_length items) && folded_claims_step_safe folded setup basis (seq_at items c))
    (range 0 (seq_length items))
    [].

(** When [check_fold] does not panic. *)
Definition check_fold_safe
    (setup : Setup)
    (basis : AnswerBasis)
    (proof : FoldedAnswerProof)
    (bound_claims : Seq FoldedClaimBytes)
    (opening : FoldedOpening) : bool :=
  match setup with
  | Setup_LibertYung _ => true
  | Setup_Kzg kzg =>
      folded_claims_safe kzg basis proof.(unopened_proof).(proof_claims) &&
      verify_folded_safe
        kzg
        (fold_answer_context proof.(unopened_proof))
        bound_claims
        (folded_claims kzg basis proof.(unopened_proof).(proof_claims))
        proof.(received_quotient)
        opening
  end.

(** When [verify_folded_answer] does not panic. *)
Definition verify_folded_answer_safe
    (setup : Setup)
    (trusted : Trusted)
    (question : Question)
    (proof : FoldedAnswerProof)
    (bound_claims : Seq FoldedClaimBytes) : bool :=
  check_answer_form_safe question proof.(unopened_proof) &&
  (match check_answer_form question proof.(unopened_proof) with
    | Ok _ =>
        check_answer_about_safe trusted question proof.(unopened_proof) &&
        (match check_answer_about trusted question proof.(unopened_proof) with
          | Ok _ =>
              answer_basis_safe trusted proof.(unopened_proof) &&
              (match answer_basis trusted proof.(unopened_proof) with
                | Ok basis =>
                    check_answer_positions_safe basis proof.(unopened_proof).(proof_claims) &&
                    (match check_answer_positions basis proof.(unopened_proof).(proof_claims) with
                      | Ok _ =>
                          match decoded_fold proof with
                          | Ok opening =>
                              check_fold_safe setup basis proof bound_claims opening &&
                              (match check_fold setup basis proof bound_claims opening with
                                | Ok _ => answer_of_claims_safe question proof.(unopened_proof).(proof_claims)
                                | Err _ => true
                                end)
                          | Err _ => true
                          end
                      | Err _ => true
                      end)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

End Specification.

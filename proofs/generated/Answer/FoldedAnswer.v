(* Translated from spec/src/answer/folded_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Answers whose openings are folded: 96 bytes for all claims of a proof, however many. KZG only.

    All but the openings is as in [`crate::answer::verify`]: the same phases in the same order, with
    the same reasons. The fold's context is `H("AARDVARK-V1-FOLD-ANSWER", dictionary (32) || u64
    version || u32 N)`; its claims are those of the proof, in their order: the commitment of the
    claim's vector, ω^index, and the scalar of the slot. Source: docs/answers.md, "Many openings in
    one". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Group Base.Hash Commitment.Opening
  Commitment.Kzg Commitment.Scheme Commitment.FoldedOpening Dictionary.Slot Dictionary.Vectors
  Block.Transaction Answer.Question Answer.Scan Answer.AnswerReason Answer.AnswerProof Answer.AnswerBasis
  Answer.Verify.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A proof whose openings are folded. *)
Record FoldedAnswerProof : Type := {
  (** The proof; the openings of its claims mean nothing. *)
  unopened_proof : AnswerProof;
  (** The encoded W as received, 48 bytes. *)
  received_quotient : ByteString;
  (** What these bytes decode to. *)
  decoded_quotient : Opening;
  (** What the bytes of W' decode to. *)
  decoded_witness : Opening;
}.

(** The tag of the context of answers. *)
Definition tag_fold_answer : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 70; 79; 76; 68; 45; 65; 78; 83; 87; 69; 82].

(** The context of an answer's fold. *)
Definition fold_answer_context (proof : AnswerProof) : ByteString :=
  tagged_hash
    tag_fold_answer
    (proof.(proof_dictionary) ++ u64_bytes proof.(proof_version) ++ u32_bytes proof.(proof_vector_size)).

(** The commitment of a claim's vector; the identity where none is known, which positions have been
    checked for. *)
Definition claimed_commitment (basis : AnswerBasis) (claim : Claim) : G1 :=
  match basis_commitment basis (vector_of claim.(claim_position) basis.(basis_vector_size)) with
  | None => g1_identity
  | Some commitment => commitment
  end.

(** One step of [`folded_claims`]. *)
Definition folded_claims_step
    (folded : Seq FoldedClaim)
    (setup : KzgSetup)
    (basis : AnswerBasis)
    (claim : Claim) : Seq FoldedClaim :=
  folded ++
  [{| folded_commitment := claimed_commitment basis claim;
      folded_point :=
        scalar_at setup.(kzg_domain) (index_of claim.(claim_position) basis.(basis_vector_size));
      folded_value := scalar_of_slot claim.(claim_slot) |}].

(** The claims of a proof, as those of a fold. *)
Definition folded_claims (setup : KzgSetup) (basis : AnswerBasis) (items : Seq Claim) : Seq FoldedClaim :=
  fold_left
    (fun folded c => folded_claims_step folded setup basis (seq_at items c))
    (range 0 (seq_length items))
    [].

(** The two points of a proof, if the bytes of neither break the format's rule. *)
Definition decoded_fold (proof : FoldedAnswerProof) : Result FoldedOpening AnswerRefusal :=
  match proof.(decoded_quotient) with
  | Opening_Malformed => Err (refuse_answer AnswerReason_AnswerOpeningMalformed)
  | Opening_Point quotient =>
      match proof.(decoded_witness) with
      | Opening_Malformed => Err (refuse_answer AnswerReason_AnswerOpeningMalformed)
      | Opening_Point witness => Ok {| folded_quotient := quotient; folded_witness := witness |}
      end
  end.

(** Whether the two points show all claims. Other schemes than KZG have no folded openings. *)
Definition check_fold
    (setup : Setup)
    (basis : AnswerBasis)
    (proof : FoldedAnswerProof)
    (bound_claims : Seq FoldedClaimBytes)
    (opening : FoldedOpening) : Result unit AnswerRefusal :=
  match setup with
  | Setup_LibertYung _ => Err (refuse_answer AnswerReason_AnswerOpeningFalse)
  | Setup_Kzg kzg =>
      if verify_folded
          kzg
          (fold_answer_context proof.(unopened_proof))
          bound_claims
          (folded_claims kzg basis proof.(unopened_proof).(proof_claims))
          proof.(received_quotient)
          opening then
        Ok tt
      else
        Err (refuse_answer AnswerReason_AnswerOpeningFalse)
  end.

(** The answer that a proof with folded openings gives, as [`verify_answer`] has it for one with
    plain ones. `bound_claims` are the encodings of the claims, which a verifier makes of what it
    has checked. *)
Definition verify_folded_answer
    (setup : Setup)
    (trusted : Trusted)
    (question : Question)
    (proof : FoldedAnswerProof)
    (bound_claims : Seq FoldedClaimBytes) : Result Answer AnswerRefusal :=
  match check_answer_form question proof.(unopened_proof) with
  | Ok _ =>
      match check_answer_about trusted question proof.(unopened_proof) with
      | Ok _ =>
          match answer_basis trusted proof.(unopened_proof) with
          | Ok basis =>
              match check_answer_positions basis proof.(unopened_proof).(proof_claims) with
              | Ok _ =>
                  match decoded_fold proof with
                  | Ok opening =>
                      match check_fold setup basis proof bound_claims opening with
                      | Ok _ => answer_of_claims question proof.(unopened_proof).(proof_claims)
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

(* Translated from spec/src/answer/answer_basis.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What is known of a version before any opening is looked at: its size, and the commitments of the
    claims' vectors.

    Trusted commitments are known as they are. Under a root the parts must hash to it, and each
    vector's path must lead from its commitment to the root over the commitments; the number of
    leaves follows from the size in the parts. Source: docs/answers.md; docs/format.md, "The state
    root". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Group Commitment.Opening Commitment.CommitmentTree
  Dictionary.Vectors Block.Transaction Block.Root Answer.AnswerReason Answer.AnswerProof.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** One step of [`known_vectors`]. *)
Definition known_vectors_step
    (vectors : Seq TiedVector)
    (commitment : G1)
    (number : usize) : Seq TiedVector :=
  vectors ++
  [{| tied_number := number;
      tied_bytes := [];
      tied_commitment := Opening_Point commitment;
      tied_path := [] |}].

(** All vectors, with commitments that are trusted and so need no bytes and no paths. *)
Definition known_vectors (committed : Seq G1) : Seq TiedVector :=
  fold_left
    (fun vectors number => known_vectors_step vectors (g1_at committed number) number)
    (range 0 (seq_length committed))
    [].

(** One step of [`is_claimed_vector`]. *)
Definition is_claimed_vector_step (found : bool) (claim : Claim) (n number : usize) : bool :=
  found || (vector_of claim.(claim_position) n =? number).

(** Whether a claim is about the vector. *)
Definition is_claimed_vector (items : Seq Claim) (n number : usize) : bool :=
  fold_left
    (fun found c => is_claimed_vector_step found (seq_at items c) n number)
    (range 0 (seq_length items))
    false.

(** One step of [`check_tied_vectors`]: vector `i` comes after the one before it, and some claim is
    about it. *)
Definition check_tied_vectors_step
    (checked : Result unit AnswerRefusal)
    (vectors : Seq TiedVector)
    (items : Seq Claim)
    (n i : usize) : Result unit AnswerRefusal :=
  match checked with
  | Err refusal => Err refusal
  | Ok _ =>
      if ((0 <? i) && ((seq_at vectors i).(tied_number) <=? (seq_at vectors (i - 1)).(tied_number))) ||
        negb (is_claimed_vector items n (seq_at vectors i).(tied_number)) then
        Err (refuse_answer_item AnswerReason_TiedVectorsMismatched i)
      else if is_malformed (seq_at vectors i).(tied_commitment) then
        Err (refuse_answer_item AnswerReason_CommitmentMalformed i)
      else
        Ok tt
  end.

(** Whether the tied vectors are some of those that the claims are about, ascending, with
    well-formed commitments. *)
Definition check_tied_vectors
    (vectors : Seq TiedVector)
    (items : Seq Claim)
    (n : usize) : Result unit AnswerRefusal :=
  fold_left
    (fun checked i => check_tied_vectors_step checked vectors items n i)
    (range 0 (seq_length vectors))
    (Ok tt).

(** Whether a path ties its commitment to the root over the commitments of so many vectors. *)
Definition path_holds (vector : TiedVector) (count : usize) (commitments_root : ByteString) : bool :=
  match root_of_path count vector.(tied_number) vector.(tied_bytes) vector.(tied_path) with
  | None => false
  | Some found_root => bytes_equal found_root commitments_root
  end.

(** One step of [`check_paths`]. *)
Definition check_paths_step
    (checked : Result unit AnswerRefusal)
    (vector : TiedVector)
    (count : usize)
    (commitments_root : ByteString)
    (i : usize) : Result unit AnswerRefusal :=
  match checked with
  | Err refusal => Err refusal
  | Ok _ =>
      if path_holds vector count commitments_root then
        Ok tt
      else
        Err (refuse_answer_item AnswerReason_PathFalse i)
  end.

(** Whether all paths lead to the root over the commitments. *)
Definition check_paths
    (vectors : Seq TiedVector)
    (count : usize)
    (commitments_root : ByteString) : Result unit AnswerRefusal :=
  fold_left
    (fun checked i => check_paths_step checked (seq_at vectors i) count commitments_root i)
    (range 0 (seq_length vectors))
    (Ok tt).

(** Whether the parts are those of the root, of this dictionary and version. *)
Definition parts_hold (known : KnownRoot) (version_of_proof : usize) (parts : RootParts) : bool :=
  bytes_equal parts.(parts_dictionary) known.(root_dictionary) &&
  (parts.(parts_version) =? version_of_proof) &&
  bytes_equal (root_of_parts parts) known.(root_digest).

(** Whether the digests among the parts have 32 bytes each. *)
Definition parts_well_formed (parts : RootParts) : bool :=
  (seq_length parts.(parts_dictionary) =? 32) && (seq_length parts.(parts_commitment_root) =? 32) &&
  (seq_length parts.(parts_tail_digest) =? 32) &&
  (seq_length parts.(parts_replay_digest) =? 32) &&
  (seq_length parts.(parts_window_digest) =? 32).

(** The parts of a root, by themselves. *)
Definition check_parts
    (known : KnownRoot)
    (version_of_proof : usize)
    (parts : RootParts) : Result unit AnswerRefusal :=
  if negb (parts_well_formed parts) then
    Err (refuse_answer AnswerReason_PartsMalformed)
  else if negb (parts_hold known version_of_proof parts) then
    Err (refuse_answer AnswerReason_RootFalse)
  else
    Ok tt.

(** The number of vectors that hold `s` slots, as [`vector_count`] has it, whatever number a proof
    states. *)
Definition stated_vector_count (s n : usize) : usize :=
  if (s mod n) =? 0 then s / n else (s / n) + 1.

(** What a root makes known, through what ties the claims' vectors to it. *)
Definition basis_of_tie
    (known : KnownRoot)
    (proof : AnswerProof)
    (tie : RootTie) : Result AnswerBasis AnswerRefusal :=
  let n := known.(root_vector_size) in
  match check_tied_vectors tie.(tie_vectors) proof.(proof_claims) n with
  | Ok _ =>
      match check_parts known proof.(proof_version) tie.(tie_parts) with
      | Ok _ =>
          let count := stated_vector_count tie.(tie_parts).(parts_size) n in
          match check_paths tie.(tie_vectors) count tie.(tie_parts).(parts_commitment_root) with
          | Ok _ =>
              Ok
                {| basis_vector_size := n;
                  basis_size := tie.(tie_parts).(parts_size);
                  basis_vectors := tie.(tie_vectors) |}
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** What is known of the version before any opening is looked at. *)
Definition answer_basis (trusted : Trusted) (proof : AnswerProof) : Result AnswerBasis AnswerRefusal :=
  match trusted with
  | Trusted_TrustedCommitments known =>
      match proof.(proof_tie) with
      | Some _ => Err (refuse_answer AnswerReason_TieMismatched)
      | None =>
          Ok
            {| basis_vector_size := known.(known_vector_size);
              basis_size := known.(known_size);
              basis_vectors := known_vectors known.(known_commitments) |}
      end
  | Trusted_TrustedRoot known =>
      match proof.(proof_tie) with
      | None => Err (refuse_answer AnswerReason_TieMismatched)
      | Some tie => basis_of_tie known proof tie
      end
  end.

(** One step of [`basis_commitment`]. *)
Definition basis_commitment_step (found : Option G1) (vector : TiedVector) (number : usize) : Option G1 :=
  if vector.(tied_number) =? number then
    match vector.(tied_commitment) with
    | Opening_Malformed => None
    | Opening_Point point => Some point
    end
  else
    found.

(** The commitment of a vector, if it is known. *)
Definition basis_commitment (basis : AnswerBasis) (number : usize) : Option G1 :=
  fold_left
    (fun found i => basis_commitment_step found (seq_at basis.(basis_vectors) i) number)
    (range 0 (seq_length basis.(basis_vectors)))
    None.

End Specification.

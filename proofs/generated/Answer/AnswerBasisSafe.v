(* Translated from spec/src/answer/answer_basis.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Answer.AnswerBasis Base.BytesSafe Base.GroupSafe Commitment.OpeningSafe
  Commitment.CommitmentTreeSafe Dictionary.VectorsSafe Block.TransactionSafe Block.RootSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [is_claimed_vector_step] does not panic. *)
Definition is_claimed_vector_step_safe (found : bool) (claim : Claim) (n number : usize) : bool :=
  if found then true else vector_of_safe claim.(claim_position) n.

(** When [is_claimed_vector] does not panic. *)
Definition is_claimed_vector_safe (items : Seq Claim) (n number : usize) : bool :=
  loop_safe
    (fun found c => is_claimed_vector_step found (seq_at items c) n number)
    (fun found c => (c <? seq_length items) && is_claimed_vector_step_safe found (seq_at items c) n number)
    (range 0 (seq_length items))
    false.

(** When [check_tied_vectors_step] does not panic. *)
Definition check_tied_vectors_step_safe
    (checked : Result unit AnswerRefusal)
    (vectors : Seq TiedVector)
    (items : Seq Claim)
    (n i : usize) : bool :=
  match checked with
  | Err refusal => true
  | Ok _ =>
      (if 0 <? i then (i <? seq_length vectors) && ((1 <=? i) && (i - 1 <? seq_length vectors)) else true) &&
      (if (0 <? i) && ((seq_at vectors i).(tied_number) <=? (seq_at vectors (i - 1)).(tied_number)) then
          true
        else
          (i <? seq_length vectors) && is_claimed_vector_safe items n (seq_at vectors i).(tied_number)) &&
      (if ((0 <? i) && ((seq_at vectors i).(tied_number) <=? (seq_at vectors (i - 1)).(tied_number))) ||
          negb (is_claimed_vector items n (seq_at vectors i).(tied_number)) then
          true
        else
          i <? seq_length vectors)
  end.

(** When [check_tied_vectors] does not panic. *)
Definition check_tied_vectors_safe (vectors : Seq TiedVector) (items : Seq Claim) (n : usize) : bool :=
  loop_safe
    (fun checked i => check_tied_vectors_step checked vectors items n i)
    (fun checked i => check_tied_vectors_step_safe checked vectors items n i)
    (range 0 (seq_length vectors))
    (Ok tt).

(** When [path_holds] does not panic. *)
Definition path_holds_safe (vector : TiedVector) (count : usize) (commitments_root : ByteString) : bool :=
  root_of_path_safe count vector.(tied_number) vector.(tied_bytes) vector.(tied_path) &&
  (match root_of_path count vector.(tied_number) vector.(tied_bytes) vector.(tied_path) with
    | None => true
    | Some found_root => bytes_equal_safe found_root commitments_root
    end).

(** When [check_paths_step] does not panic. *)
Definition check_paths_step_safe
    (checked : Result unit AnswerRefusal)
    (vector : TiedVector)
    (count : usize)
    (commitments_root : ByteString)
    (i : usize) : bool :=
  match checked with
  | Err refusal => true
  | Ok _ => path_holds_safe vector count commitments_root
  end.

(** When [check_paths] does not panic. *)
Definition check_paths_safe
    (vectors : Seq TiedVector)
    (count : usize)
    (commitments_root : ByteString) : bool :=
  loop_safe
    (fun checked i => check_paths_step checked (seq_at vectors i) count commitments_root i)
    (fun checked i =>
      (i <? seq_length vectors) && check_paths_step_safe checked (seq_at vectors i) count commitments_root i)
    (range 0 (seq_length vectors))
    (Ok tt).

(** When [parts_hold] does not panic. *)
Definition parts_hold_safe (known : KnownRoot) (version_of_proof : usize) (parts : RootParts) : bool :=
  bytes_equal_safe parts.(parts_dictionary) known.(root_dictionary) &&
  (if bytes_equal parts.(parts_dictionary) known.(root_dictionary) &&
      (parts.(parts_version) =? version_of_proof) then
      bytes_equal_safe (root_of_parts parts) known.(root_digest)
    else
      true).

(** When [check_parts] does not panic. *)
Definition check_parts_safe (known : KnownRoot) (version_of_proof : usize) (parts : RootParts) : bool :=
  if negb (parts_well_formed parts) then true else parts_hold_safe known version_of_proof parts.

(** When [stated_vector_count] does not panic. *)
Definition stated_vector_count_safe (s n : usize) : bool :=
  negb (n =? 0) && (if (s mod n) =? 0 then negb (n =? 0) else negb (n =? 0) && within_usize ((s / n) + 1)).

(** When [basis_of_tie] does not panic. *)
Definition basis_of_tie_safe (known : KnownRoot) (proof : AnswerProof) (tie : RootTie) : bool :=
  let n := known.(root_vector_size) in
  check_tied_vectors_safe tie.(tie_vectors) proof.(proof_claims) n &&
  (match check_tied_vectors tie.(tie_vectors) proof.(proof_claims) n with
    | Ok _ =>
        check_parts_safe known proof.(proof_version) tie.(tie_parts) &&
        (match check_parts known proof.(proof_version) tie.(tie_parts) with
          | Ok _ =>
              stated_vector_count_safe tie.(tie_parts).(parts_size) n &&
              (let count := stated_vector_count tie.(tie_parts).(parts_size) n in
                check_paths_safe tie.(tie_vectors) count tie.(tie_parts).(parts_commitment_root))
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [answer_basis] does not panic. *)
Definition answer_basis_safe (trusted : Trusted) (proof : AnswerProof) : bool :=
  match trusted with
  | Trusted_TrustedCommitments known => true
  | Trusted_TrustedRoot known =>
      match proof.(proof_tie) with
      | None => true
      | Some tie => basis_of_tie_safe known proof tie
      end
  end.

(** When [basis_commitment] does not panic. *)
Definition basis_commitment_safe (basis : AnswerBasis) (number : usize) : bool :=
  loop_safe
    (fun found i => basis_commitment_step found (seq_at basis.(basis_vectors) i) number)
    (fun found i => i <? seq_length basis.(basis_vectors))
    (range 0 (seq_length basis.(basis_vectors)))
    None.

End Specification.

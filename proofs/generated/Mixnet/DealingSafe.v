(* Translated from spec/src/mixnet/dealing.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.Dealing Base.BytesSafe Base.ScalarSafe Base.GroupSafe
  Mixnet.LinearRelationSafe Mixnet.MixnetTranscriptSafe Mixnet.SharingSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [knowledge_matrix_step] does not panic. *)
Definition knowledge_matrix_step_safe (matrix : Seq (Seq G1)) (count i : usize) : bool :=
  g1_updated_safe (linear_empty_row count) i g1_generator.

(** When [knowledge_matrix] does not panic. *)
Definition knowledge_matrix_safe (count : usize) : bool :=
  loop_safe
    (fun matrix i => knowledge_matrix_step matrix count i)
    (fun matrix i => knowledge_matrix_step_safe matrix count i)
    (range 0 count)
    [].

(** When [verify_knowledge] does not panic. *)
Definition verify_knowledge_safe (image : Seq G1) (proof : LinearProof) (c : Scalar) : bool :=
  knowledge_matrix_safe (seq_length image) &&
  linear_verify_safe (knowledge_matrix (seq_length image)) (seq_length image) image proof c.

(** When [verify_equality] does not panic. *)
Definition verify_equality_safe (base transport shared : G1) (proof : LinearProof) (c : Scalar) : bool :=
  linear_verify_safe (equality_matrix base) 1 ([] ++ [transport] ++ [shared]) proof c.

(** When [dealing_image_step] does not panic. *)
Definition dealing_image_step_safe (image : Seq G1) (committed : Seq (Seq G1)) (l : usize) : bool :=
  l <? seq_length committed.

(** When [dealing_randomised_step] does not panic. *)
Definition dealing_randomised_step_safe (image randomised : Seq G1) (k : usize) : bool :=
  k <? seq_length randomised.

(** When [dealing_image] does not panic. *)
Definition dealing_image_safe (committed : Seq (Seq G1)) (randomised : Seq G1) : bool :=
  (loop_safe
      (fun image l => dealing_image_step image committed l)
      (fun image l => dealing_image_step_safe image committed l)
      (range 0 (seq_length committed))
      []) &&
  (let image :=
      fold_left (fun image l => dealing_image_step image committed l) (range 0 (seq_length committed)) []
    in
    loop_safe
      (fun image k => dealing_randomised_step image randomised k)
      (fun image k => dealing_randomised_step_safe image randomised k)
      (range 0 (seq_length randomised))
      image).

(** When [verify_dealing] does not panic. *)
Definition verify_dealing_safe
    (seed : ByteString)
    (committed : Seq (Seq G1))
    (randomised : Seq G1)
    (proof : LinearProof)
    (first : ByteString) : bool :=
  dealing_image_safe committed randomised &&
  verify_knowledge_safe (dealing_image committed randomised) proof (knowledge_challenge seed first).

(** When [share_seal_step] does not panic. *)
Definition share_seal_step_safe
    (sealed : Seq Scalar)
    (seed : ByteString)
    (shares : Seq Scalar)
    (l : usize) : bool :=
  l <? seq_length shares.

(** When [share_seal] does not panic. *)
Definition share_seal_safe (seed : ByteString) (shares : Seq Scalar) : bool :=
  loop_safe
    (fun sealed l => share_seal_step sealed seed shares l)
    (fun sealed l => share_seal_step_safe sealed seed shares l)
    (range 0 (seq_length shares))
    [].

(** When [share_unseal_step] does not panic. *)
Definition share_unseal_step_safe
    (shares : Seq Scalar)
    (seed : ByteString)
    (sealed : Seq Scalar)
    (l : usize) : bool :=
  l <? seq_length sealed.

(** When [share_unseal] does not panic. *)
Definition share_unseal_safe (seed : ByteString) (sealed : Seq Scalar) : bool :=
  loop_safe
    (fun shares l => share_unseal_step shares seed sealed l)
    (fun shares l => share_unseal_step_safe shares seed sealed l)
    (range 0 (seq_length sealed))
    [].

(** When [dealt_shares_step] does not panic. *)
Definition dealt_shares_step_safe
    (held : bool)
    (committed : Seq (Seq G1))
    (server : usize)
    (shares : Seq Scalar)
    (l : usize) : bool :=
  if held then
    (l <? seq_length committed) && share_verify_safe (seq_at committed l) server (scalar_at shares l)
  else
    true.

(** When [dealt_shares_hold] does not panic. *)
Definition dealt_shares_hold_safe (committed : Seq (Seq G1)) (server : usize) (shares : Seq Scalar) : bool :=
  loop_safe
    (fun held l => dealt_shares_step held committed server shares l)
    (fun held l => dealt_shares_step_safe held committed server shares l)
    (range 0 (seq_length committed))
    (seq_length shares =? seq_length committed).

(** When [complaint_convicts] does not panic. *)
Definition complaint_convicts_safe
    (shown : bool)
    (committed : Seq (Seq G1))
    (server : usize)
    (sealed : Seq Scalar)
    (mask_seed : ByteString) : bool :=
  if shown then
    share_unseal_safe mask_seed sealed &&
    dealt_shares_hold_safe committed server (share_unseal mask_seed sealed)
  else
    true.

End Specification.

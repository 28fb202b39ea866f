(* Translated from spec/src/mixnet/permutation.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.Permutation Base.BytesSafe Base.ScalarSafe Base.GroupSafe
  Mixnet.LinearRelationSafe Mixnet.MixnetTranscriptSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [permutation_commitment_step] does not panic. *)
Definition permutation_commitment_step_safe
    (committed : Seq G1)
    (generators : MixnetGenerators)
    (images : Seq usize)
    (blindings : Seq Scalar)
    (i : usize) : bool :=
  i <? seq_length images.

(** When [permutation_commitment] does not panic. *)
Definition permutation_commitment_safe
    (generators : MixnetGenerators)
    (images : Seq usize)
    (blindings : Seq Scalar) : bool :=
  loop_safe
    (fun committed i => permutation_commitment_step committed generators images blindings i)
    (fun committed i => permutation_commitment_step_safe committed generators images blindings i)
    (range 0 (seq_length images))
    [].

(** When [permutation_move_step] does not panic. *)
Definition permutation_move_step_safe
    (moved : Seq Scalar)
    (images : Seq usize)
    (scalars : Seq Scalar)
    (i : usize) : bool :=
  (i <? seq_length images) && scalars_updated_safe moved (seq_at images i) (scalar_at scalars i).

(** When [permutation_move] does not panic. *)
Definition permutation_move_safe (images : Seq usize) (scalars : Seq Scalar) : bool :=
  loop_safe
    (fun moved i => permutation_move_step moved images scalars i)
    (fun moved i => permutation_move_step_safe moved images scalars i)
    (range 0 (seq_length images))
    (scalars_resized [] (seq_length images)).

(** When [permutation_chain_before] does not panic. *)
Definition permutation_chain_before_safe
    (generators : MixnetGenerators)
    (chain : Seq G1)
    (i : usize) : bool :=
  if i =? 0 then true else 1 <=? i.

(** When [permutation_chain_step] does not panic. *)
Definition permutation_chain_step_safe
    (chain : Seq G1)
    (generators : MixnetGenerators)
    (moved chain_blindings : Seq Scalar)
    (theta : Scalar)
    (i : usize) : bool :=
  permutation_chain_before_safe generators chain i.

(** When [permutation_chain] does not panic. *)
Definition permutation_chain_safe
    (generators : MixnetGenerators)
    (moved chain_blindings : Seq Scalar)
    (theta : Scalar) : bool :=
  loop_safe
    (fun chain i => permutation_chain_step chain generators moved chain_blindings theta i)
    (fun chain i => permutation_chain_step_safe chain generators moved chain_blindings theta i)
    (range 0 (seq_length moved))
    [].

(** When [permutation_product_step] does not panic. *)
Definition permutation_product_step_safe
    (product : Scalar)
    (coefficients : Seq Scalar)
    (theta : Scalar)
    (i : usize) : bool :=
  i <? seq_length coefficients.

(** When [permutation_product] does not panic. *)
Definition permutation_product_safe (coefficients : Seq Scalar) (theta : Scalar) : bool :=
  loop_safe
    (fun product i => permutation_product_step product coefficients theta i)
    (fun product i => permutation_product_step_safe product coefficients theta i)
    (range 0 (seq_length coefficients))
    scalar_one.

(** When [permutation_first_row] does not panic. *)
Definition permutation_first_row_safe (generators : MixnetGenerators) : bool :=
  within_usize (2 * seq_length generators.(generator_bases)) &&
  within_usize (2 * seq_length generators.(generator_bases) + 2).

(** When [permutation_chain_row] does not panic. *)
Definition permutation_chain_row_safe (generators : MixnetGenerators) (chain : Seq G1) (i : usize) : bool :=
  let count := seq_length generators.(generator_bases) in
  permutation_chain_before_safe generators chain i &&
  (let before := permutation_chain_before generators chain i in
    within_usize (2 * count) && within_usize (2 * count + 2) && within_usize (1 + i) &&
    g1_updated_safe (linear_empty_row (2 * count + 2)) (1 + i) before &&
    (let row := g1_updated (linear_empty_row (2 * count + 2)) (1 + i) before in
      within_usize (1 + count) && within_usize (1 + count + i) &&
      g1_updated_safe row (1 + count + i) generators.(generator_blinding))).

(** When [permutation_last_row] does not panic. *)
Definition permutation_last_row_safe (generators : MixnetGenerators) : bool :=
  let count := seq_length generators.(generator_bases) in
  within_usize (2 * count) && within_usize (2 * count + 2) &&
  (within_usize (2 * count) && within_usize (2 * count + 1)) &&
  g1_updated_safe (linear_empty_row (2 * count + 2)) (2 * count + 1) generators.(generator_blinding).

(** When [permutation_matrix_step] does not panic. *)
Definition permutation_matrix_step_safe
    (matrix : Seq (Seq G1))
    (generators : MixnetGenerators)
    (chain : Seq G1)
    (i : usize) : bool :=
  permutation_chain_row_safe generators chain i.

(** When [permutation_matrix] does not panic. *)
Definition permutation_matrix_safe (generators : MixnetGenerators) (chain : Seq G1) : bool :=
  permutation_first_row_safe generators &&
  (loop_safe
      (fun matrix i => permutation_matrix_step matrix generators chain i)
      (fun matrix i => permutation_matrix_step_safe matrix generators chain i)
      (range 0 (seq_length generators.(generator_bases)))
      ([] ++ [permutation_first_row generators])) &&
  permutation_last_row_safe generators.

(** When [permutation_image_step] does not panic. *)
Definition permutation_image_step_safe
    (image : Seq G1)
    (generators : MixnetGenerators)
    (chain : Seq G1)
    (theta : Scalar)
    (i : usize) : bool :=
  permutation_chain_before_safe generators chain i.

(** When [permutation_closing] does not panic. *)
Definition permutation_closing_safe
    (generators : MixnetGenerators)
    (chain : Seq G1)
    (coefficients : Seq Scalar)
    (theta : Scalar) : bool :=
  permutation_chain_before_safe generators chain (seq_length generators.(generator_bases)) &&
  permutation_product_safe coefficients theta.

(** When [permutation_image] does not panic. *)
Definition permutation_image_safe
    (generators : MixnetGenerators)
    (committed chain : Seq G1)
    (coefficients : Seq Scalar)
    (theta : Scalar) : bool :=
  g1_combination_safe committed coefficients &&
  (loop_safe
      (fun image i => permutation_image_step image generators chain theta i)
      (fun image i => permutation_image_step_safe image generators chain theta i)
      (range 0 (seq_length generators.(generator_bases)))
      ([] ++ [g1_combination committed coefficients])) &&
  permutation_closing_safe generators chain coefficients theta.

(** When [permutation_witness] does not panic. *)
Definition permutation_witness_safe
    (images : Seq usize)
    (blindings chain_blindings coefficients : Seq Scalar)
    (theta : Scalar) : bool :=
  permutation_move_safe images coefficients && inner_product_safe coefficients blindings.

(** When [verify_permutation] does not panic. *)
Definition verify_permutation_safe
    (generators : MixnetGenerators)
    (committed chain : Seq G1)
    (proof : LinearProof)
    (coefficients : Seq Scalar)
    (theta c : Scalar) : bool :=
  let count := seq_length generators.(generator_bases) in
  let fits := (0 <? count) && (seq_length committed =? count) && (seq_length chain =? count) in
  permutation_matrix_safe generators chain &&
  (let matrix := permutation_matrix generators chain in
    permutation_image_safe generators committed chain coefficients theta &&
    (let image := permutation_image generators committed chain coefficients theta in
      if fits then
        within_usize (2 * count) && within_usize (2 * count + 2) &&
        linear_verify_safe matrix (2 * count + 2) image proof c
      else
        true)).

(** When [verify_permutation_drawn] does not panic. *)
Definition verify_permutation_drawn_safe
    (context : MixnetContext)
    (generators : MixnetGenerators)
    (committed : Seq G1)
    (commitment_digest : ByteString)
    (chain : Seq G1)
    (chain_digest : ByteString)
    (proof : LinearProof)
    (first_digest : ByteString) : bool :=
  let seed := permutation_seed context (seq_length committed) commitment_digest in
  mixnet_coefficients_safe seed (seq_length committed) &&
  (let coefficients := mixnet_coefficients seed (seq_length committed) in
    let c := permutation_challenge seed chain_digest first_digest in
    verify_permutation_safe generators committed chain proof coefficients (permutation_shift seed) c).

End Specification.

(* Translated from spec/src/mixnet/permutation.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Commitments to permutations, and the proof that a commitment is to one.

    A commitment to π is a_i = s_i F_0 + F_{π(i)}. Coefficients e_i and a shift θ are drawn from it.
    With e'_{π(i)} = e_i, B_i = s'_i F_0 + (e'_i - θ) B_{i-1}, ω_0 = 0 and ω_i = s'_i + (e'_i - θ)
    ω_{i-1}, the relation in (q = Σ e_i s_i; e'; s'; ω_n) is

    ```text
    Σ e_i a_i                   = q F_0 + Σ_j e'_j F_j
    B_i + θ B_{i-1}             = s'_i F_0 + e'_i B_{i-1}             i = 1..n
    B_n - (Π_i (e_i - θ)) B_0   = ω_n F_0
    ```

    Rows count from 0 here: element i of a sequence is number i + 1 above. Source: docs/mixnet.md,
    "Mixing". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Group Mixnet.LinearRelation
  Mixnet.MixnetTranscript.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The elements of commitments, with no known relation. *)
Record MixnetGenerators : Type := {
  (** F_0. *)
  generator_blinding : G1;
  (** B_0. *)
  generator_chain : G1;
  (** F_1 .. F_n. *)
  generator_bases : Seq G1;
}.

#[global] Instance Default_MixnetGenerators : Default MixnetGenerators := {| generator_blinding := default; generator_chain := default; generator_bases := default |}.

(** One step of [`permutation_commitment`]. *)
Definition permutation_commitment_step
    (committed : Seq G1)
    (generators : MixnetGenerators)
    (images : Seq usize)
    (blindings : Seq Scalar)
    (i : usize) : Seq G1 :=
  let blinded := g1_scale (scalar_at blindings i) generators.(generator_blinding) in
  committed ++ [g1_add blinded (g1_at generators.(generator_bases) (seq_at images i))].

(** a_i = s_i F_0 + F_{π(i)}; `images[i]` is π(i), from 0. *)
Definition permutation_commitment
    (generators : MixnetGenerators)
    (images : Seq usize)
    (blindings : Seq Scalar) : Seq G1 :=
  fold_left
    (fun committed i => permutation_commitment_step committed generators images blindings i)
    (range 0 (seq_length images))
    [].

(** One step of [`permutation_move`]. *)
Definition permutation_move_step
    (moved : Seq Scalar)
    (images : Seq usize)
    (scalars : Seq Scalar)
    (i : usize) : Seq Scalar :=
  scalars_updated moved (seq_at images i) (scalar_at scalars i).

(** e' with e'_{π(i)} = e_i. *)
Definition permutation_move (images : Seq usize) (scalars : Seq Scalar) : Seq Scalar :=
  fold_left
    (fun moved i => permutation_move_step moved images scalars i)
    (range 0 (seq_length images))
    (scalars_resized [] (seq_length images)).

(** B_{i-1} of the chain's element `i`, from 0. *)
Definition permutation_chain_before (generators : MixnetGenerators) (chain : Seq G1) (i : usize) : G1 :=
  if i =? 0 then generators.(generator_chain) else g1_at chain (i - 1).

(** One step of [`permutation_chain`]. *)
Definition permutation_chain_step
    (chain : Seq G1)
    (generators : MixnetGenerators)
    (moved chain_blindings : Seq Scalar)
    (theta : Scalar)
    (i : usize) : Seq G1 :=
  let before := permutation_chain_before generators chain i in
  let blinded := g1_scale (scalar_at chain_blindings i) generators.(generator_blinding) in
  chain ++ [g1_add blinded (g1_scale (scalar_at moved i [-] theta) before)].

(** B_1 .. B_n *)
Definition permutation_chain
    (generators : MixnetGenerators)
    (moved chain_blindings : Seq Scalar)
    (theta : Scalar) : Seq G1 :=
  fold_left
    (fun chain i => permutation_chain_step chain generators moved chain_blindings theta i)
    (range 0 (seq_length moved))
    [].

(** One step of [`permutation_omega`]. *)
Definition permutation_omega_step
    (omega : Scalar)
    (moved chain_blindings : Seq Scalar)
    (theta : Scalar)
    (i : usize) : Scalar :=
  scalar_at chain_blindings i [+] (scalar_at moved i [-] theta) [*] omega.

(** ω_n *)
Definition permutation_omega (moved chain_blindings : Seq Scalar) (theta : Scalar) : Scalar :=
  fold_left
    (fun omega i => permutation_omega_step omega moved chain_blindings theta i)
    (range 0 (seq_length moved))
    scalar_zero.

(** One step of [`permutation_product`]. *)
Definition permutation_product_step
    (product : Scalar)
    (coefficients : Seq Scalar)
    (theta : Scalar)
    (i : usize) : Scalar :=
  product [*] (seq_at coefficients i [-] theta).

(** Π_i (e_i - θ) *)
Definition permutation_product (coefficients : Seq Scalar) (theta : Scalar) : Scalar :=
  fold_left
    (fun product i => permutation_product_step product coefficients theta i)
    (range 0 (seq_length coefficients))
    scalar_one.

(** The first row: F_0, F_1 .. F_n, and identities. *)
Definition permutation_first_row (generators : MixnetGenerators) : Seq G1 :=
  let columns := 2 * seq_length generators.(generator_bases) + 2 in
  let blinding := [] ++ [generators.(generator_blinding)] in
  g1_resized (blinding ++ generators.(generator_bases)) columns.

(** Row 1 + `i`: B_{i-1} in the column of e'_i, F_0 in that of s'_i. *)
Definition permutation_chain_row (generators : MixnetGenerators) (chain : Seq G1) (i : usize) : Seq G1 :=
  let count := seq_length generators.(generator_bases) in
  let before := permutation_chain_before generators chain i in
  let row := g1_updated (linear_empty_row (2 * count + 2)) (1 + i) before in
  g1_updated row (1 + count + i) generators.(generator_blinding).

(** The last row: F_0 in the column of ω. *)
Definition permutation_last_row (generators : MixnetGenerators) : Seq G1 :=
  let count := seq_length generators.(generator_bases) in
  g1_updated (linear_empty_row (2 * count + 2)) (2 * count + 1) generators.(generator_blinding).

(** One step of [`permutation_matrix`]. *)
Definition permutation_matrix_step
    (matrix : Seq (Seq G1))
    (generators : MixnetGenerators)
    (chain : Seq G1)
    (i : usize) : Seq (Seq G1) :=
  matrix ++ [permutation_chain_row generators chain i].

(** M: columns q, e' (n), s' (n), ω. *)
Definition permutation_matrix (generators : MixnetGenerators) (chain : Seq G1) : Seq (Seq G1) :=
  let matrix :=
    fold_left
      (fun matrix i => permutation_matrix_step matrix generators chain i)
      (range 0 (seq_length generators.(generator_bases)))
      ([] ++ [permutation_first_row generators])
  in
  matrix ++ [permutation_last_row generators].

(** One step of [`permutation_image`]. *)
Definition permutation_image_step
    (image : Seq G1)
    (generators : MixnetGenerators)
    (chain : Seq G1)
    (theta : Scalar)
    (i : usize) : Seq G1 :=
  let before := permutation_chain_before generators chain i in
  image ++ [g1_add (g1_at chain i) (g1_scale theta before)].

(** B_n - (Π (e_i - θ)) B_0 *)
Definition permutation_closing
    (generators : MixnetGenerators)
    (chain : Seq G1)
    (coefficients : Seq Scalar)
    (theta : Scalar) : G1 :=
  let last := permutation_chain_before generators chain (seq_length generators.(generator_bases)) in
  g1_subtract last (g1_scale (permutation_product coefficients theta) generators.(generator_chain)).

(** X *)
Definition permutation_image
    (generators : MixnetGenerators)
    (committed chain : Seq G1)
    (coefficients : Seq Scalar)
    (theta : Scalar) : Seq G1 :=
  let image :=
    fold_left
      (fun image i => permutation_image_step image generators chain theta i)
      (range 0 (seq_length generators.(generator_bases)))
      ([] ++ [g1_combination committed coefficients])
  in
  image ++ [permutation_closing generators chain coefficients theta].

(** (q; e'; s'; ω) *)
Definition permutation_witness
    (images : Seq usize)
    (blindings chain_blindings coefficients : Seq Scalar)
    (theta : Scalar) : Seq Scalar :=
  let moved := permutation_move images coefficients in
  let q := inner_product coefficients blindings in
  let omega := permutation_omega moved chain_blindings theta in
  [] ++ [q] ++ moved ++ chain_blindings ++ [omega].

(** Whether a commitment is shown to be to a permutation, under these challenges. *)
Definition verify_permutation
    (generators : MixnetGenerators)
    (committed chain : Seq G1)
    (proof : LinearProof)
    (coefficients : Seq Scalar)
    (theta c : Scalar) : bool :=
  let count := seq_length generators.(generator_bases) in
  let fits := (0 <? count) && (seq_length committed =? count) && (seq_length chain =? count) in
  let matrix := permutation_matrix generators chain in
  let image := permutation_image generators committed chain coefficients theta in
  fits && linear_verify matrix (2 * count + 2) image proof c.

(** Whether a commitment is shown to be to a permutation, under the challenges that are drawn for it
    from the digests of a, B and T. *)
Definition verify_permutation_drawn
    (context : MixnetContext)
    (generators : MixnetGenerators)
    (committed : Seq G1)
    (commitment_digest : ByteString)
    (chain : Seq G1)
    (chain_digest : ByteString)
    (proof : LinearProof)
    (first_digest : ByteString) : bool :=
  let seed := permutation_seed context (seq_length committed) commitment_digest in
  let coefficients := mixnet_coefficients seed (seq_length committed) in
  let c := permutation_challenge seed chain_digest first_digest in
  verify_permutation generators committed chain proof coefficients (permutation_shift seed) c.

End Specification.

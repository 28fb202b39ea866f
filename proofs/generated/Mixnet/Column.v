(* Translated from spec/src/mixnet/column.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Lists shuffled by a committed permutation: Y_{π(i)} = X_i + ρ_i κ.

    A row is a ciphertext (C_0, .., C_w) under the key row κ = (G, Y_1, .., Y_w). Coefficients e_i
    are drawn from commitment, keys and both lists. With e'_{π(i)} = e_i the relation in (q = Σ e_i
    s_i; e'; u = Σ e_i ρ_i) is

    ```text
    Σ e_i a_i        = q F_0 + Σ_j e'_j F_j
    Σ e_i X_{i,l}    = Σ_j e'_j Y_{j,l} - u κ_l                       l = 0..w
    ```

    From outputs to inputs it is the same relation, with the lists exchanged and -ρ_i for ρ_i.
    Source: docs/mixnet.md, "Mixing". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Group Mixnet.LinearRelation
  Mixnet.MixnetTranscript Mixnet.Permutation.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** One step of [`column_of`]. *)
Definition column_of_step (column : Seq G1) (rows : Seq (Seq G1)) (l i : usize) : Seq G1 :=
  column ++ [g1_at (seq_at rows i) l].

(** Column `l` of a list. *)
Definition column_of (rows : Seq (Seq G1)) (l : usize) : Seq G1 :=
  fold_left (fun column i => column_of_step column rows l i) (range 0 (seq_length rows)) [].

(** One step of [`column_reencrypt_row`]. *)
Definition column_reencrypt_row_step (fresh row keys : Seq G1) (rho : Scalar) (l : usize) : Seq G1 :=
  fresh ++ [g1_add (g1_at row l) (g1_scale rho (seq_at keys l))].

(** X_i + ρ κ *)
Definition column_reencrypt_row (row keys : Seq G1) (rho : Scalar) : Seq G1 :=
  fold_left (fun fresh l => column_reencrypt_row_step fresh row keys rho l) (range 0 (seq_length keys)) [].

(** The list with `row` at index `i`; unchanged when `i` is beyond its end. *)
Definition column_replaced (rows : Seq (Seq G1)) (i : usize) (row : Seq G1) : Seq (Seq G1) :=
  if i <? seq_length rows then
    let above := seq_slice rows (i + 1) (seq_length rows - i - 1) in
    seq_slice rows 0 i ++ [row] ++ above
  else
    rows.

(** One step of [`column_forward`]. *)
Definition column_forward_step
    (shuffled : Seq (Seq G1))
    (images : Seq usize)
    (rows : Seq (Seq G1))
    (keys : Seq G1)
    (randomness : Seq Scalar)
    (i : usize) : Seq (Seq G1) :=
  column_replaced
    shuffled
    (seq_at images i)
    (column_reencrypt_row (seq_at rows i) keys (scalar_at randomness i)).

(** The list with X_i + ρ_i κ at π(i). *)
Definition column_forward
    (images : Seq usize)
    (rows : Seq (Seq G1))
    (keys : Seq G1)
    (randomness : Seq Scalar) : Seq (Seq G1) :=
  fold_left
    (fun shuffled i => column_forward_step shuffled images rows keys randomness i)
    (range 0 (seq_length rows))
    rows.

(** One step of [`column_backward`]. *)
Definition column_backward_step
    (shuffled : Seq (Seq G1))
    (images : Seq usize)
    (rows : Seq (Seq G1))
    (keys : Seq G1)
    (randomness : Seq Scalar)
    (i : usize) : Seq (Seq G1) :=
  let source := seq_at images i in
  shuffled ++ [column_reencrypt_row (seq_at rows source) keys (scalar_at randomness source)].

(** The list with X_{π(i)} + ρ_{π(i)} κ at i. *)
Definition column_backward
    (images : Seq usize)
    (rows : Seq (Seq G1))
    (keys : Seq G1)
    (randomness : Seq Scalar) : Seq (Seq G1) :=
  fold_left
    (fun shuffled i => column_backward_step shuffled images rows keys randomness i)
    (range 0 (seq_length rows))
    [].

(** The first row: F_0, F_1 .. F_n, the identity. *)
Definition column_first_row (generators : MixnetGenerators) : Seq G1 :=
  let blinding := [] ++ [generators.(generator_blinding)] in
  blinding ++ generators.(generator_bases) ++ [g1_identity].

(** Row 1 + `l`: the identity, column l of Y, -κ_l. *)
Definition column_key_row (keys : Seq G1) (after : Seq (Seq G1)) (l : usize) : Seq G1 :=
  let start := [] ++ [g1_identity] in
  start ++ column_of after l ++ [g1_subtract g1_identity (seq_at keys l)].

(** One step of [`column_matrix`]. *)
Definition column_matrix_step
    (matrix : Seq (Seq G1))
    (keys : Seq G1)
    (after : Seq (Seq G1))
    (l : usize) : Seq (Seq G1) :=
  matrix ++ [column_key_row keys after l].

(** M: columns q, e' (n), u. *)
Definition column_matrix
    (generators : MixnetGenerators)
    (keys : Seq G1)
    (after : Seq (Seq G1)) : Seq (Seq G1) :=
  fold_left
    (fun matrix l => column_matrix_step matrix keys after l)
    (range 0 (seq_length keys))
    ([] ++ [column_first_row generators]).

(** One step of [`column_image`]. *)
Definition column_image_step
    (image : Seq G1)
    (before : Seq (Seq G1))
    (coefficients : Seq Scalar)
    (l : usize) : Seq G1 :=
  image ++ [g1_combination (column_of before l) coefficients].

(** X *)
Definition column_image
    (committed keys : Seq G1)
    (before : Seq (Seq G1))
    (coefficients : Seq Scalar) : Seq G1 :=
  fold_left
    (fun image l => column_image_step image before coefficients l)
    (range 0 (seq_length keys))
    ([] ++ [g1_combination committed coefficients]).

(** (q; e'; u) *)
Definition column_witness
    (images : Seq usize)
    (blindings randomness coefficients : Seq Scalar) : Seq Scalar :=
  let start := [] ++ [inner_product coefficients blindings] in
  start ++ permutation_move images coefficients ++ [inner_product coefficients randomness].

(** One step of [`column_widths`]. *)
Definition column_widths_step (fits : bool) (rows : Seq (Seq G1)) (width i : usize) : bool :=
  fits && (seq_length (seq_at rows i) =? width).

(** Whether all rows of a list have this width. *)
Definition column_widths (rows : Seq (Seq G1)) (width : usize) : bool :=
  fold_left (fun fits i => column_widths_step fits rows width i) (range 0 (seq_length rows)) true.

(** Whether Y is shown to be X, re-encrypted and shuffled by the committed permutation, under these
    challenges. *)
Definition verify_column
    (generators : MixnetGenerators)
    (committed keys : Seq G1)
    (before after : Seq (Seq G1))
    (proof : LinearProof)
    (coefficients : Seq Scalar)
    (c : Scalar) : bool :=
  let count := seq_length generators.(generator_bases) in
  let lengths :=
    (seq_length committed =? count) && (seq_length before =? count) && (seq_length after =? count)
  in
  let fits :=
    (0 <? count) && lengths && column_widths before (seq_length keys) && column_widths after (seq_length keys)
  in
  let matrix := column_matrix generators keys after in
  let image := column_image committed keys before coefficients in
  fits && linear_verify matrix (count + 2) image proof c.

(** Whether Y is shown to be X, re-encrypted and shuffled by the committed permutation, under the
    challenges that are drawn for it from the seed C0 and the digest of T. *)
Definition verify_column_drawn
    (seed : ByteString)
    (generators : MixnetGenerators)
    (committed keys : Seq G1)
    (before after : Seq (Seq G1))
    (proof : LinearProof)
    (first_digest : ByteString) : bool :=
  let coefficients := mixnet_coefficients seed (seq_length before) in
  let c := column_challenge seed first_digest in
  verify_column generators committed keys before after proof coefficients c.

End Specification.

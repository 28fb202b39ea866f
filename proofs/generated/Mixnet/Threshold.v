(* Translated from spec/src/mixnet/threshold.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Decryption by t of m servers: shares D_{j,l} = x_l C_{j,0} of all rows j and keys l, and one
    proof of them all.

    Coefficients δ_j are drawn from keys, rows and shares. The relation in (x_l), two rows a key:

    ```text
    Y_l                = x_l G
    Σ_j δ_j D_{j,l}    = x_l Σ_j δ_j C_{j,0}
    ```

    Source: docs/mixnet.md, "Decryption". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Group Mixnet.LinearRelation
  Mixnet.MixnetTranscript Mixnet.Column Mixnet.Sharing.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A row that has one element in column `l`. *)
Definition decryption_row (keys l : usize) (element : G1) : Seq G1 :=
  g1_updated (linear_empty_row keys) l element.

(** One step of [`decryption_matrix`]. *)
Definition decryption_matrix_step
    (matrix : Seq (Seq G1))
    (keys : usize)
    (combined : G1)
    (l : usize) : Seq (Seq G1) :=
  matrix ++ [decryption_row keys l g1_generator] ++ [decryption_row keys l combined].

(** M: a column a key; `combined` is Σ δ_j C_{j,0}. *)
Definition decryption_matrix (keys : usize) (combined : G1) : Seq (Seq G1) :=
  fold_left (fun matrix l => decryption_matrix_step matrix keys combined l) (range 0 keys) [].

(** One step of [`decryption_image`]. *)
Definition decryption_image_step
    (image key_shares : Seq G1)
    (shares : Seq (Seq G1))
    (coefficients : Seq Scalar)
    (l : usize) : Seq G1 :=
  image ++ [seq_at key_shares l] ++ [g1_combination (column_of shares l) coefficients].

(** X *)
Definition decryption_image
    (key_shares : Seq G1)
    (shares : Seq (Seq G1))
    (coefficients : Seq Scalar) : Seq G1 :=
  fold_left
    (fun image l => decryption_image_step image key_shares shares coefficients l)
    (range 0 (seq_length key_shares))
    [].

(** One step of [`decryption_row_shares`]. *)
Definition decryption_row_shares_step
    (multiples : Seq G1)
    (secrets : Seq Scalar)
    (first : G1)
    (l : usize) : Seq G1 :=
  multiples ++ [g1_scale (seq_at secrets l) first].

(** x_l C_0 for all keys. *)
Definition decryption_row_shares (secrets : Seq Scalar) (first : G1) : Seq G1 :=
  fold_left
    (fun multiples l => decryption_row_shares_step multiples secrets first l)
    (range 0 (seq_length secrets))
    [].

(** One step of [`decryption_shares`]. *)
Definition decryption_shares_step
    (shares : Seq (Seq G1))
    (secrets : Seq Scalar)
    (firsts : Seq G1)
    (j : usize) : Seq (Seq G1) :=
  shares ++ [decryption_row_shares secrets (seq_at firsts j)].

(** D *)
Definition decryption_shares (secrets : Seq Scalar) (firsts : Seq G1) : Seq (Seq G1) :=
  fold_left (fun shares j => decryption_shares_step shares secrets firsts j) (range 0 (seq_length firsts)) [].

(** Whether a server's shares are shown to be right, under these challenges; `firsts` are all C_0. *)
Definition verify_decryption
    (key_shares firsts : Seq G1)
    (shares : Seq (Seq G1))
    (proof : LinearProof)
    (coefficients : Seq Scalar)
    (c : Scalar) : bool :=
  let fits := (seq_length shares =? seq_length firsts) && column_widths shares (seq_length key_shares) in
  let matrix := decryption_matrix (seq_length key_shares) (g1_combination firsts coefficients) in
  let image := decryption_image key_shares shares coefficients in
  fits && linear_verify matrix (seq_length key_shares) image proof c.

(** Whether a server's shares are shown to be right, under the challenges that are drawn for them
    from the seed D0 and the digest of T. *)
Definition verify_decryption_drawn
    (seed : ByteString)
    (key_shares firsts : Seq G1)
    (shares : Seq (Seq G1))
    (proof : LinearProof)
    (first_digest : ByteString) : bool :=
  let coefficients := mixnet_coefficients seed (seq_length firsts) in
  verify_decryption key_shares firsts shares proof coefficients (decryption_challenge seed first_digest).

(** C_l - Σ_k λ_k D^{(k)}_l: the plaintext of one component, from the servers' shares of it. *)
Definition decryption_plaintext (component : G1) (servers : Seq usize) (shares : Seq G1) : G1 :=
  g1_subtract component (share_combine servers shares).

End Specification.

(* Translated from spec/src/mixnet/threshold.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.Threshold Base.BytesSafe Base.ScalarSafe Base.GroupSafe
  Mixnet.LinearRelationSafe Mixnet.MixnetTranscriptSafe Mixnet.ColumnSafe Mixnet.SharingSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [decryption_row] does not panic. *)
Definition decryption_row_safe (keys l : usize) (element : G1) : bool :=
  g1_updated_safe (linear_empty_row keys) l element.

(** When [decryption_matrix_step] does not panic. *)
Definition decryption_matrix_step_safe
    (matrix : Seq (Seq G1))
    (keys : usize)
    (combined : G1)
    (l : usize) : bool :=
  decryption_row_safe keys l g1_generator && decryption_row_safe keys l combined.

(** When [decryption_matrix] does not panic. *)
Definition decryption_matrix_safe (keys : usize) (combined : G1) : bool :=
  loop_safe
    (fun matrix l => decryption_matrix_step matrix keys combined l)
    (fun matrix l => decryption_matrix_step_safe matrix keys combined l)
    (range 0 keys)
    [].

(** When [decryption_image_step] does not panic. *)
Definition decryption_image_step_safe
    (image key_shares : Seq G1)
    (shares : Seq (Seq G1))
    (coefficients : Seq Scalar)
    (l : usize) : bool :=
  (l <? seq_length key_shares) &&
  (column_of_safe shares l && g1_combination_safe (column_of shares l) coefficients).

(** When [decryption_image] does not panic. *)
Definition decryption_image_safe
    (key_shares : Seq G1)
    (shares : Seq (Seq G1))
    (coefficients : Seq Scalar) : bool :=
  loop_safe
    (fun image l => decryption_image_step image key_shares shares coefficients l)
    (fun image l => decryption_image_step_safe image key_shares shares coefficients l)
    (range 0 (seq_length key_shares))
    [].

(** When [decryption_row_shares_step] does not panic. *)
Definition decryption_row_shares_step_safe
    (multiples : Seq G1)
    (secrets : Seq Scalar)
    (first : G1)
    (l : usize) : bool :=
  l <? seq_length secrets.

(** When [decryption_row_shares] does not panic. *)
Definition decryption_row_shares_safe (secrets : Seq Scalar) (first : G1) : bool :=
  loop_safe
    (fun multiples l => decryption_row_shares_step multiples secrets first l)
    (fun multiples l => decryption_row_shares_step_safe multiples secrets first l)
    (range 0 (seq_length secrets))
    [].

(** When [decryption_shares_step] does not panic. *)
Definition decryption_shares_step_safe
    (shares : Seq (Seq G1))
    (secrets : Seq Scalar)
    (firsts : Seq G1)
    (j : usize) : bool :=
  (j <? seq_length firsts) && decryption_row_shares_safe secrets (seq_at firsts j).

(** When [decryption_shares] does not panic. *)
Definition decryption_shares_safe (secrets : Seq Scalar) (firsts : Seq G1) : bool :=
  loop_safe
    (fun shares j => decryption_shares_step shares secrets firsts j)
    (fun shares j => decryption_shares_step_safe shares secrets firsts j)
    (range 0 (seq_length firsts))
    [].

(** When [verify_decryption] does not panic. *)
Definition verify_decryption_safe
    (key_shares firsts : Seq G1)
    (shares : Seq (Seq G1))
    (proof : LinearProof)
    (coefficients : Seq Scalar)
    (c : Scalar) : bool :=
  (if seq_length shares =? seq_length firsts then
      column_widths_safe shares (seq_length key_shares)
    else
      true) &&
  (let fits := (seq_length shares =? seq_length firsts) && column_widths shares (seq_length key_shares) in
    g1_combination_safe firsts coefficients &&
    decryption_matrix_safe (seq_length key_shares) (g1_combination firsts coefficients) &&
    (let matrix := decryption_matrix (seq_length key_shares) (g1_combination firsts coefficients) in
      decryption_image_safe key_shares shares coefficients &&
      (let image := decryption_image key_shares shares coefficients in
        if fits then linear_verify_safe matrix (seq_length key_shares) image proof c else true))).

(** When [verify_decryption_drawn] does not panic. *)
Definition verify_decryption_drawn_safe
    (seed : ByteString)
    (key_shares firsts : Seq G1)
    (shares : Seq (Seq G1))
    (proof : LinearProof)
    (first_digest : ByteString) : bool :=
  mixnet_coefficients_safe seed (seq_length firsts) &&
  (let coefficients := mixnet_coefficients seed (seq_length firsts) in
    verify_decryption_safe
      key_shares
      firsts
      shares
      proof
      coefficients
      (decryption_challenge seed first_digest)).

(** When [decryption_plaintext] does not panic. *)
Definition decryption_plaintext_safe (component : G1) (servers : Seq usize) (shares : Seq G1) : bool :=
  share_combine_safe servers shares.

End Specification.

(* Translated from spec/src/mixnet/column.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.Column Base.BytesSafe Base.ScalarSafe Base.GroupSafe
  Mixnet.LinearRelationSafe Mixnet.MixnetTranscriptSafe Mixnet.PermutationSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [column_of_step] does not panic. *)
Definition column_of_step_safe (column : Seq G1) (rows : Seq (Seq G1)) (l i : usize) : bool :=
  i <? seq_length rows.

(** When [column_of] does not panic. *)
Definition column_of_safe (rows : Seq (Seq G1)) (l : usize) : bool :=
  loop_safe
    (fun column i => column_of_step column rows l i)
    (fun column i => column_of_step_safe column rows l i)
    (range 0 (seq_length rows))
    [].

(** When [column_reencrypt_row_step] does not panic. *)
Definition column_reencrypt_row_step_safe (fresh row keys : Seq G1) (rho : Scalar) (l : usize) : bool :=
  l <? seq_length keys.

(** When [column_reencrypt_row] does not panic. *)
Definition column_reencrypt_row_safe (row keys : Seq G1) (rho : Scalar) : bool :=
  loop_safe
    (fun fresh l => column_reencrypt_row_step fresh row keys rho l)
    (fun fresh l => column_reencrypt_row_step_safe fresh row keys rho l)
    (range 0 (seq_length keys))
    [].

(** When [column_replaced] does not panic. *)
Definition column_replaced_safe (rows : Seq (Seq G1)) (i : usize) (row : Seq G1) : bool :=
  if i <? seq_length rows then
    within_usize (i + 1) && (1 <=? seq_length rows - i) &&
    (i + 1 + (seq_length rows - i - 1) <=? seq_length rows) &&
    (0 + i <=? seq_length rows)
  else
    true.

(** When [column_forward_step] does not panic. *)
Definition column_forward_step_safe
    (shuffled : Seq (Seq G1))
    (images : Seq usize)
    (rows : Seq (Seq G1))
    (keys : Seq G1)
    (randomness : Seq Scalar)
    (i : usize) : bool :=
  (i <? seq_length images) &&
  ((i <? seq_length rows) && column_reencrypt_row_safe (seq_at rows i) keys (scalar_at randomness i)) &&
  column_replaced_safe
    shuffled
    (seq_at images i)
    (column_reencrypt_row (seq_at rows i) keys (scalar_at randomness i)).

(** When [column_forward] does not panic. *)
Definition column_forward_safe
    (images : Seq usize)
    (rows : Seq (Seq G1))
    (keys : Seq G1)
    (randomness : Seq Scalar) : bool :=
  loop_safe
    (fun shuffled i => column_forward_step shuffled images rows keys randomness i)
    (fun shuffled i => column_forward_step_safe shuffled images rows keys randomness i)
    (range 0 (seq_length rows))
    rows.

(** When [column_backward_step] does not panic. *)
Definition column_backward_step_safe
    (shuffled : Seq (Seq G1))
    (images : Seq usize)
    (rows : Seq (Seq G1))
    (keys : Seq G1)
    (randomness : Seq Scalar)
    (i : usize) : bool :=
  (i <? seq_length images) &&
  (let source := seq_at images i in
    (source <? seq_length rows) &&
    column_reencrypt_row_safe (seq_at rows source) keys (scalar_at randomness source)).

(** When [column_backward] does not panic. *)
Definition column_backward_safe
    (images : Seq usize)
    (rows : Seq (Seq G1))
    (keys : Seq G1)
    (randomness : Seq Scalar) : bool :=
  loop_safe
    (fun shuffled i => column_backward_step shuffled images rows keys randomness i)
    (fun shuffled i => column_backward_step_safe shuffled images rows keys randomness i)
    (range 0 (seq_length rows))
    [].

(** When [column_key_row] does not panic. *)
Definition column_key_row_safe (keys : Seq G1) (after : Seq (Seq G1)) (l : usize) : bool :=
  column_of_safe after l && (l <? seq_length keys).

(** When [column_matrix_step] does not panic. *)
Definition column_matrix_step_safe
    (matrix : Seq (Seq G1))
    (keys : Seq G1)
    (after : Seq (Seq G1))
    (l : usize) : bool :=
  column_key_row_safe keys after l.

(** When [column_matrix] does not panic. *)
Definition column_matrix_safe (generators : MixnetGenerators) (keys : Seq G1) (after : Seq (Seq G1)) : bool :=
  loop_safe
    (fun matrix l => column_matrix_step matrix keys after l)
    (fun matrix l => column_matrix_step_safe matrix keys after l)
    (range 0 (seq_length keys))
    ([] ++ [column_first_row generators]).

(** When [column_image_step] does not panic. *)
Definition column_image_step_safe
    (image : Seq G1)
    (before : Seq (Seq G1))
    (coefficients : Seq Scalar)
    (l : usize) : bool :=
  column_of_safe before l && g1_combination_safe (column_of before l) coefficients.

(** When [column_image] does not panic. *)
Definition column_image_safe
    (committed keys : Seq G1)
    (before : Seq (Seq G1))
    (coefficients : Seq Scalar) : bool :=
  g1_combination_safe committed coefficients &&
  (loop_safe
      (fun image l => column_image_step image before coefficients l)
      (fun image l => column_image_step_safe image before coefficients l)
      (range 0 (seq_length keys))
      ([] ++ [g1_combination committed coefficients])).

(** When [column_witness] does not panic. *)
Definition column_witness_safe (images : Seq usize) (blindings randomness coefficients : Seq Scalar) : bool :=
  inner_product_safe coefficients blindings &&
  (permutation_move_safe images coefficients && inner_product_safe coefficients randomness).

(** When [column_widths_step] does not panic. *)
Definition column_widths_step_safe (fits : bool) (rows : Seq (Seq G1)) (width i : usize) : bool :=
  if fits then i <? seq_length rows else true.

(** When [column_widths] does not panic. *)
Definition column_widths_safe (rows : Seq (Seq G1)) (width : usize) : bool :=
  loop_safe
    (fun fits i => column_widths_step fits rows width i)
    (fun fits i => column_widths_step_safe fits rows width i)
    (range 0 (seq_length rows))
    true.

(** When [verify_column] does not panic. *)
Definition verify_column_safe
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
  (if (0 <? count) && lengths then column_widths_safe before (seq_length keys) else true) &&
  (if (0 <? count) && lengths && column_widths before (seq_length keys) then
      column_widths_safe after (seq_length keys)
    else
      true) &&
  (let fits :=
      (0 <? count) && lengths && column_widths before (seq_length keys) &&
      column_widths after (seq_length keys)
    in
    column_matrix_safe generators keys after &&
    (let matrix := column_matrix generators keys after in
      column_image_safe committed keys before coefficients &&
      (let image := column_image committed keys before coefficients in
        if fits then
          within_usize (count + 2) && linear_verify_safe matrix (count + 2) image proof c
        else
          true))).

(** When [verify_column_drawn] does not panic. *)
Definition verify_column_drawn_safe
    (seed : ByteString)
    (generators : MixnetGenerators)
    (committed keys : Seq G1)
    (before after : Seq (Seq G1))
    (proof : LinearProof)
    (first_digest : ByteString) : bool :=
  mixnet_coefficients_safe seed (seq_length before) &&
  (let coefficients := mixnet_coefficients seed (seq_length before) in
    let c := column_challenge seed first_digest in
    verify_column_safe generators committed keys before after proof coefficients c).

End Specification.

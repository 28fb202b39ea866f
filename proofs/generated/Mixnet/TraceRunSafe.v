(* Translated from spec/src/mixnet/trace_run.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.TraceRun Base.ScalarSafe Base.GroupSafe Mixnet.ColumnSafe
  Mixnet.SharingSafe Mixnet.ThresholdSafe Mixnet.ZeroTestSafe Mixnet.TracePackedSafe Mixnet.TraceSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [trace_first_bit] does not panic. *)
Definition trace_first_bit_safe (query : TraceQuery) (outputs : Seq (Seq G1)) (i : usize) : bool :=
  match query.(trace_direction) with
  | TraceDirection_TraceIn =>
      if i <? seq_length outputs then
        trace_stands_safe outputs query.(trace_outputs) (seq_at outputs i)
      else
        true
  | TraceDirection_TraceOut => true
  end.

(** When [trace_first_column_step] does not panic. *)
Definition trace_first_column_step_safe
    (column : Seq (Seq G1))
    (query : TraceQuery)
    (outputs : Seq (Seq G1))
    (i : usize) : bool :=
  trace_first_bit_safe query outputs i.

(** When [trace_first_column] does not panic. *)
Definition trace_first_column_safe (query : TraceQuery) (outputs : Seq (Seq G1)) : bool :=
  loop_safe
    (fun column i => trace_first_column_step column query outputs i)
    (fun column i => trace_first_column_step_safe column query outputs i)
    (range 0 (seq_length outputs))
    [].

(** When [trace_through_step] does not panic. *)
Definition trace_through_step_safe
    (column : Seq (Seq G1))
    (direction : TraceDirection)
    (mixers : Seq TraceMixer)
    (keys : Seq G1)
    (k : usize) : bool :=
  match direction with
  | TraceDirection_TraceIn =>
      (1 <=? seq_length mixers) && (k <=? seq_length mixers - 1) &&
      (seq_length mixers - 1 - k <? seq_length mixers) &&
      (let mixer := seq_at mixers (seq_length mixers - 1 - k) in
        column_backward_safe mixer.(mixer_images) column keys mixer.(mixer_randomness))
  | TraceDirection_TraceOut =>
      (k <? seq_length mixers) &&
      (let mixer := seq_at mixers k in
        column_forward_safe mixer.(mixer_images) column keys mixer.(mixer_randomness))
  end.

(** When [trace_through] does not panic. *)
Definition trace_through_safe
    (direction : TraceDirection)
    (mixers : Seq TraceMixer)
    (keys : Seq G1)
    (first : Seq (Seq G1)) : bool :=
  loop_safe
    (fun column k => trace_through_step column direction mixers keys k)
    (fun column k => trace_through_step_safe column direction mixers keys k)
    (range 0 (seq_length mixers))
    first.

(** When [trace_component_step] does not panic. *)
Definition trace_component_step_safe
    (total : G1)
    (column : Seq (Seq G1))
    (rows : Seq usize)
    (l i : usize) : bool :=
  (i <? seq_length rows) && (seq_at rows i <? seq_length column).

(** When [trace_component] does not panic. *)
Definition trace_component_safe (column : Seq (Seq G1)) (rows : Seq usize) (l : usize) : bool :=
  loop_safe
    (fun total i => trace_component_step total column rows l i)
    (fun total i => trace_component_step_safe total column rows l i)
    (range 0 (seq_length rows))
    g1_identity.

(** When [trace_sum] does not panic. *)
Definition trace_sum_safe (column : Seq (Seq G1)) (rows : Seq usize) : bool :=
  trace_component_safe column rows 0 && trace_component_safe column rows 1.

(** When [trace_sums_step] does not panic. *)
Definition trace_sums_step_safe
    (sums column : Seq (Seq G1))
    (targets : Seq (Seq usize))
    (number : usize) : bool :=
  (number <? seq_length targets) && trace_sum_safe column (seq_at targets number).

(** When [trace_sums] does not panic. *)
Definition trace_sums_safe (column : Seq (Seq G1)) (targets : Seq (Seq usize)) : bool :=
  loop_safe
    (fun sums number => trace_sums_step sums column targets number)
    (fun sums number => trace_sums_step_safe sums column targets number)
    (range 0 (seq_length targets))
    [].

(** When [trace_test_sums_step] does not panic. *)
Definition trace_test_sums_step_safe
    (tested : Seq (Seq G1))
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (column : Seq (Seq G1))
    (number : usize) : bool :=
  (number <? seq_length targets) &&
  (if trace_tested reveal (seq_at targets number) then
      (number <? seq_length targets) && trace_sum_safe column (seq_at targets number)
    else
      true).

(** When [trace_test_sums] does not panic. *)
Definition trace_test_sums_safe
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (column : Seq (Seq G1)) : bool :=
  loop_safe
    (fun tested number => trace_test_sums_step tested reveal targets column number)
    (fun tested number => trace_test_sums_step_safe tested reveal targets column number)
    (range 0 (seq_length targets))
    [].

(** When [trace_blind_step] does not panic. *)
Definition trace_blind_step_safe (blinded : Seq (Seq G1)) (mixers : Seq TraceMixer) (k : usize) : bool :=
  (k <? seq_length mixers) && zero_test_blind_safe blinded (seq_at mixers k).(mixer_factors).

(** When [trace_blind] does not panic. *)
Definition trace_blind_safe (mixers : Seq TraceMixer) (tested : Seq (Seq G1)) : bool :=
  loop_safe
    (fun blinded k => trace_blind_step blinded mixers k)
    (fun blinded k => trace_blind_step_safe blinded mixers k)
    (range 0 (seq_length mixers))
    tested.

(** When [trace_place_step] does not panic. *)
Definition trace_place_step_safe
    (place : usize)
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (i : usize) : bool :=
  (i <? seq_length targets) &&
  (if trace_tested reveal (seq_at targets i) then within_usize (place + 1) else true).

(** When [trace_place] does not panic. *)
Definition trace_place_safe (reveal : TraceReveal) (targets : Seq (Seq usize)) (number : usize) : bool :=
  loop_safe
    (fun place i => trace_place_step place reveal targets i)
    (fun place i => trace_place_step_safe place reveal targets i)
    (range 0 number)
    0.

(** When [trace_decrypted_step] does not panic. *)
Definition trace_decrypted_step_safe
    (rows : Seq (Seq G1))
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (column blinded : Seq (Seq G1))
    (number : usize) : bool :=
  (number <? seq_length targets) &&
  (if trace_tested reveal (seq_at targets number) then
      trace_place_safe reveal targets number
    else
      (number <? seq_length targets) && trace_sum_safe column (seq_at targets number)).

(** When [trace_decrypted] does not panic. *)
Definition trace_decrypted_safe
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (column blinded : Seq (Seq G1)) : bool :=
  loop_safe
    (fun rows number => trace_decrypted_step rows reveal targets column blinded number)
    (fun rows number => trace_decrypted_step_safe rows reveal targets column blinded number)
    (range 0 (seq_length targets))
    [].

(** When [trace_shares_step] does not panic. *)
Definition trace_shares_step_safe
    (shares : Seq G1)
    (coefficients : Seq Scalar)
    (servers : Seq usize)
    (first : G1)
    (i : usize) : bool :=
  (i <? seq_length servers) && share_of_safe coefficients (seq_at servers i) &&
  (let secrets := [] ++ [share_of coefficients (seq_at servers i)] in
    decryption_row_shares_safe secrets first).

(** When [trace_shares] does not panic. *)
Definition trace_shares_safe (coefficients : Seq Scalar) (servers : Seq usize) (first : G1) : bool :=
  loop_safe
    (fun shares i => trace_shares_step shares coefficients servers first i)
    (fun shares i => trace_shares_step_safe shares coefficients servers first i)
    (range 0 (seq_length servers))
    [].

(** When [trace_results_step] does not panic. *)
Definition trace_results_step_safe
    (results : Seq G1)
    (coefficients : Seq Scalar)
    (servers : Seq usize)
    (querier : Scalar)
    (rows : Seq (Seq G1))
    (number : usize) : bool :=
  (number <? seq_length rows) &&
  (let first := g1_at (seq_at rows number) 0 in
    trace_shares_safe coefficients servers first &&
    (let shares := trace_shares coefficients servers first in
      (number <? seq_length rows) &&
      decryption_plaintext_safe (g1_at (seq_at rows number) 1) servers shares)).

(** When [trace_results] does not panic. *)
Definition trace_results_safe
    (coefficients : Seq Scalar)
    (servers : Seq usize)
    (querier : Scalar)
    (rows : Seq (Seq G1)) : bool :=
  loop_safe
    (fun results number => trace_results_step results coefficients servers querier rows number)
    (fun results number => trace_results_step_safe results coefficients servers querier rows number)
    (range 0 (seq_length rows))
    [].

(** When [trace_read_one] does not panic. *)
Definition trace_read_one_safe
    (reveal : TraceReveal)
    (target : Seq usize)
    (rows : usize)
    (result : G1) : bool :=
  match reveal with
  | TraceReveal_RevealEach => within_usize (seq_length target + 1)
  | TraceReveal_RevealAny => true
  | TraceReveal_RevealCount => within_usize (rows + 1)
  end.

(** When [trace_read_step] does not panic. *)
Definition trace_read_step_safe
    (read : Option (Seq usize))
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (rows : usize)
    (results : Seq G1)
    (number : usize) : bool :=
  match read with
  | Some before =>
      (number <? seq_length targets) &&
      trace_read_one_safe reveal (seq_at targets number) rows (g1_at results number)
  | None => true
  end.

(** When [trace_read] does not panic. *)
Definition trace_read_safe
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (rows : usize)
    (results : Seq G1) : bool :=
  loop_safe
    (fun read number => trace_read_step read reveal targets rows results number)
    (fun read number => trace_read_step_safe read reveal targets rows results number)
    (range 0 (seq_length targets))
    (Some []).

(** When [trace_answer] does not panic. *)
Definition trace_answer_safe (query : TraceQuery) (numbers : Seq usize) : bool :=
  match query.(trace_reveal) with
  | TraceReveal_RevealEach =>
      trace_asked_rows_safe (trace_asked query) &&
      trace_unpacked_safe numbers (seq_length (trace_asked_rows (trace_asked query)))
  | TraceReveal_RevealAny => true
  | TraceReveal_RevealCount => true
  end.

(** When [trace_run] does not panic. *)
Definition trace_run_safe
    (query : TraceQuery)
    (outputs : Seq (Seq G1))
    (mixers : Seq TraceMixer)
    (coefficients : Seq Scalar)
    (servers : Seq usize)
    (querier : Scalar) : bool :=
  let keys := trace_keys coefficients querier in
  trace_first_column_safe query outputs &&
  (let first := trace_first_column query outputs in
    trace_through_safe query.(trace_direction) mixers keys first &&
    (let column := trace_through query.(trace_direction) mixers keys first in
      trace_targets_safe query outputs &&
      (let targets := trace_targets query outputs in
        trace_test_sums_safe query.(trace_reveal) targets column &&
        trace_blind_safe mixers (trace_test_sums query.(trace_reveal) targets column) &&
        (let blinded := trace_blind mixers (trace_test_sums query.(trace_reveal) targets column) in
          trace_decrypted_safe query.(trace_reveal) targets column blinded &&
          (let rows := trace_decrypted query.(trace_reveal) targets column blinded in
            trace_results_safe coefficients servers querier rows &&
            (let results := trace_results coefficients servers querier rows in
              trace_read_safe query.(trace_reveal) targets (seq_length outputs) results &&
              (match trace_read query.(trace_reveal) targets (seq_length outputs) results with
                | Some numbers => trace_answer_safe query numbers
                | None => true
                end))))))).

End Specification.

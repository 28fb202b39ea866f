(* Translated from spec/src/mixnet/trace_run.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** How servers answer a query: the column of bits through all servers that mixed, the targets'
    sums, zero tests, decryption, and what the results say. Source: docs/mixnet.md, "Queries". *)
From AardvarkSpec Require Export Prelude Base.Scalar Base.Group Mixnet.Column Mixnet.Sharing Mixnet.Threshold
  Mixnet.ZeroTest Mixnet.TracePacked Mixnet.Trace.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What a server that mixed has and draws for a query. *)
Record TraceMixer : Type := {
  (** Its permutation, from 0. *)
  mixer_images : Seq usize;
  (** The randomness of its column, a scalar a row. *)
  mixer_randomness : Seq Scalar;
  (** Its factors of the zero tests. *)
  mixer_factors : Seq Scalar;
}.

#[global] Instance Default_TraceMixer : Default TraceMixer := {| mixer_images := default; mixer_randomness := default; mixer_factors := default |}.

(** (0, bit G) *)
Definition trace_first_row (bit : bool) : Seq G1 :=
  let element := if bit then g1_generator else g1_identity in
  [] ++ [g1_identity] ++ [element].

(** Whether row `i` of the first column is 1: of trace-out if input i is in I, of trace-in if output
    i has a value of J. *)
Definition trace_first_bit (query : TraceQuery) (outputs : Seq (Seq G1)) (i : usize) : bool :=
  match query.(trace_direction) with
  | TraceDirection_TraceIn =>
      (i <? seq_length outputs) && trace_stands outputs query.(trace_outputs) (seq_at outputs i)
  | TraceDirection_TraceOut => trace_chosen query.(trace_inputs) i
  end.

(** One step of [`trace_first_column`]. *)
Definition trace_first_column_step
    (column : Seq (Seq G1))
    (query : TraceQuery)
    (outputs : Seq (Seq G1))
    (i : usize) : Seq (Seq G1) :=
  column ++ [trace_first_row (trace_first_bit query outputs i)].

(** The column that goes into the servers; everybody computes it. *)
Definition trace_first_column (query : TraceQuery) (outputs : Seq (Seq G1)) : Seq (Seq G1) :=
  fold_left
    (fun column i => trace_first_column_step column query outputs i)
    (range 0 (seq_length outputs))
    [].

(** One step of [`trace_through`]. *)
Definition trace_through_step
    (column : Seq (Seq G1))
    (direction : TraceDirection)
    (mixers : Seq TraceMixer)
    (keys : Seq G1)
    (k : usize) : Seq (Seq G1) :=
  match direction with
  | TraceDirection_TraceIn =>
      let mixer := seq_at mixers (seq_length mixers - 1 - k) in
      column_backward mixer.(mixer_images) column keys mixer.(mixer_randomness)
  | TraceDirection_TraceOut =>
      let mixer := seq_at mixers k in
      column_forward mixer.(mixer_images) column keys mixer.(mixer_randomness)
  end.

(** The column after all servers: forward in the order in which they mixed, or backward in the other
    order. *)
Definition trace_through
    (direction : TraceDirection)
    (mixers : Seq TraceMixer)
    (keys : Seq G1)
    (first : Seq (Seq G1)) : Seq (Seq G1) :=
  fold_left
    (fun column k => trace_through_step column direction mixers keys k)
    (range 0 (seq_length mixers))
    first.

(** One step of [`trace_component`]. *)
Definition trace_component_step (total : G1) (column : Seq (Seq G1)) (rows : Seq usize) (l i : usize) : G1 :=
  g1_add total (g1_at (seq_at column (seq_at rows i)) l).

(** The sum of component `l` of some rows. *)
Definition trace_component (column : Seq (Seq G1)) (rows : Seq usize) (l : usize) : G1 :=
  fold_left
    (fun total i => trace_component_step total column rows l i)
    (range 0 (seq_length rows))
    g1_identity.

(** The sum of some rows. *)
Definition trace_sum (column : Seq (Seq G1)) (rows : Seq usize) : Seq G1 :=
  let first := trace_component column rows 0 in
  [] ++ [first] ++ [trace_component column rows 1].

(** One step of [`trace_sums`]. *)
Definition trace_sums_step
    (sums column : Seq (Seq G1))
    (targets : Seq (Seq usize))
    (number : usize) : Seq (Seq G1) :=
  sums ++ [trace_sum column (seq_at targets number)].

(** The sums of the targets. *)
Definition trace_sums (column : Seq (Seq G1)) (targets : Seq (Seq usize)) : Seq (Seq G1) :=
  fold_left (fun sums number => trace_sums_step sums column targets number) (range 0 (seq_length targets)) [].

(** Whether a target is only tested for zero: a sum of several rows under `any`. *)
Definition trace_tested (reveal : TraceReveal) (target : Seq usize) : bool :=
  match reveal with
  | TraceReveal_RevealEach => false
  | TraceReveal_RevealAny => 1 <? seq_length target
  | TraceReveal_RevealCount => false
  end.

(** One step of [`trace_test_sums`]. *)
Definition trace_test_sums_step
    (tested : Seq (Seq G1))
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (column : Seq (Seq G1))
    (number : usize) : Seq (Seq G1) :=
  if trace_tested reveal (seq_at targets number) then
    tested ++ [trace_sum column (seq_at targets number)]
  else
    tested.

(** The sums of the targets that are tested for zero. *)
Definition trace_test_sums
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (column : Seq (Seq G1)) : Seq (Seq G1) :=
  fold_left
    (fun tested number => trace_test_sums_step tested reveal targets column number)
    (range 0 (seq_length targets))
    [].

(** One step of [`trace_blind`]. *)
Definition trace_blind_step (blinded : Seq (Seq G1)) (mixers : Seq TraceMixer) (k : usize) : Seq (Seq G1) :=
  zero_test_blind blinded (seq_at mixers k).(mixer_factors).

(** The tested sums, multiplied by the factors of one server after the other. *)
Definition trace_blind (mixers : Seq TraceMixer) (tested : Seq (Seq G1)) : Seq (Seq G1) :=
  fold_left (fun blinded k => trace_blind_step blinded mixers k) (range 0 (seq_length mixers)) tested.

(** One step of [`trace_place`]. *)
Definition trace_place_step
    (place : usize)
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (i : usize) : usize :=
  if trace_tested reveal (seq_at targets i) then place + 1 else place.

(** How many targets before this one are tested for zero. *)
Definition trace_place (reveal : TraceReveal) (targets : Seq (Seq usize)) (number : usize) : usize :=
  fold_left (fun place i => trace_place_step place reveal targets i) (range 0 number) 0.

(** One step of [`trace_decrypted`]. *)
Definition trace_decrypted_step
    (rows : Seq (Seq G1))
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (column blinded : Seq (Seq G1))
    (number : usize) : Seq (Seq G1) :=
  if trace_tested reveal (seq_at targets number) then
    let place := trace_place reveal targets number in
    let row := if place <? seq_length blinded then seq_at blinded place else [] in
    rows ++ [row]
  else
    rows ++ [trace_sum column (seq_at targets number)].

(** The rows that are decrypted: the targets' sums, those that are tested as the last server left
    them. *)
Definition trace_decrypted
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (column blinded : Seq (Seq G1)) : Seq (Seq G1) :=
  fold_left
    (fun rows number => trace_decrypted_step rows reveal targets column blinded number)
    (range 0 (seq_length targets))
    [].

(** One step of [`trace_shares`]. *)
Definition trace_shares_step
    (shares : Seq G1)
    (coefficients : Seq Scalar)
    (servers : Seq usize)
    (first : G1)
    (i : usize) : Seq G1 :=
  let secrets := [] ++ [share_of coefficients (seq_at servers i)] in
  shares ++ [g1_at (decryption_row_shares secrets first) 0].

(** The servers' shares of C_0, of the key that these coefficients share. *)
Definition trace_shares (coefficients : Seq Scalar) (servers : Seq usize) (first : G1) : Seq G1 :=
  fold_left
    (fun shares i => trace_shares_step shares coefficients servers first i)
    (range 0 (seq_length servers))
    [].

(** One step of [`trace_results`]. *)
Definition trace_results_step
    (results : Seq G1)
    (coefficients : Seq Scalar)
    (servers : Seq usize)
    (querier : Scalar)
    (rows : Seq (Seq G1))
    (number : usize) : Seq G1 :=
  let first := g1_at (seq_at rows number) 0 in
  let shares := trace_shares coefficients servers first in
  let plaintext := decryption_plaintext (g1_at (seq_at rows number) 1) servers shares in
  results ++ [g1_subtract plaintext (g1_scale querier first)].

(** C_1 - Σ λ_k D_k - p C_0 of all rows; p is the querier's secret, 0 of a public query. *)
Definition trace_results
    (coefficients : Seq Scalar)
    (servers : Seq usize)
    (querier : Scalar)
    (rows : Seq (Seq G1)) : Seq G1 :=
  fold_left
    (fun results number => trace_results_step results coefficients servers querier rows number)
    (range 0 (seq_length rows))
    [].

(** One step of [`trace_number`]. *)
Definition trace_number_step (found : Option usize) (result : G1) (number : usize) : Option usize :=
  match found with
  | Some before => Some before
  | None => if g1_equal (g1_multiple (share_point number)) result then Some number else None
  end.

(** The number whose multiple of the generator a result is, below a bound. *)
Definition trace_number (result : G1) (bound : usize) : Option usize :=
  fold_left (fun found number => trace_number_step found result number) (range 0 bound) None.

(** What a result says: a number with a bit for each row that the target has, which is as long as
    all of them make it; a bit; not 0 or 0 of a tested target; or a number up to that of the rows. *)
Definition trace_read_one
    (reveal : TraceReveal)
    (target : Seq usize)
    (rows : usize)
    (result : G1) : Option usize :=
  match reveal with
  | TraceReveal_RevealEach => trace_number result (seq_length target + 1)
  | TraceReveal_RevealAny =>
      if trace_tested reveal target then
        let number := if g1_equal result g1_identity then 0 else 1 in
        Some number
      else
        trace_number result 2
  | TraceReveal_RevealCount => trace_number result (rows + 1)
  end.

(** One step of [`trace_read`]. *)
Definition trace_read_step
    (read : Option (Seq usize))
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (rows : usize)
    (results : Seq G1)
    (number : usize) : Option (Seq usize) :=
  match read with
  | Some before =>
      match trace_read_one reveal (seq_at targets number) rows (g1_at results number) with
      | Some said => Some (before ++ [said])
      | None => None
      end
  | None => None
  end.

(** The numbers that the decrypted targets give; none if one of them is no such number. *)
Definition trace_read
    (reveal : TraceReveal)
    (targets : Seq (Seq usize))
    (rows : usize)
    (results : Seq G1) : Option (Seq usize) :=
  fold_left
    (fun read number => trace_read_step read reveal targets rows results number)
    (range 0 (seq_length targets))
    (Some []).

(** The answer that these numbers are: bits of rows under `each`, else they themselves. *)
Definition trace_answer (query : TraceQuery) (numbers : Seq usize) : Seq usize :=
  match query.(trace_reveal) with
  | TraceReveal_RevealEach => trace_unpacked numbers (seq_length (trace_asked_rows (trace_asked query)))
  | TraceReveal_RevealAny => numbers
  | TraceReveal_RevealCount => numbers
  end.

(** The keys of a query's columns: G, and x G + p G. *)
Definition trace_keys (coefficients : Seq Scalar) (querier : Scalar) : Seq G1 :=
  let joint := g1_add (g1_multiple (scalar_at coefficients 0)) (g1_multiple querier) in
  [] ++ [g1_generator] ++ [joint].

(** An honest run: what everybody reads after all servers did what they have to. *)
Definition trace_run
    (query : TraceQuery)
    (outputs : Seq (Seq G1))
    (mixers : Seq TraceMixer)
    (coefficients : Seq Scalar)
    (servers : Seq usize)
    (querier : Scalar) : Option (Seq usize) :=
  let keys := trace_keys coefficients querier in
  let first := trace_first_column query outputs in
  let column := trace_through query.(trace_direction) mixers keys first in
  let targets := trace_targets query outputs in
  let blinded := trace_blind mixers (trace_test_sums query.(trace_reveal) targets column) in
  let rows := trace_decrypted query.(trace_reveal) targets column blinded in
  let results := trace_results coefficients servers querier rows in
  match trace_read query.(trace_reveal) targets (seq_length outputs) results with
  | Some numbers => Some (trace_answer query numbers)
  | None => None
  end.

End Specification.

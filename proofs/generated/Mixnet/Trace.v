(* Translated from spec/src/mixnet/trace.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What queries mean: the ideal answers, read off from the true assignment of outputs to inputs,
    and what servers have to decrypt for them.

    trace-in: which of the inputs I hold a value that stands among the outputs J? trace-out: which
    of the outputs J hold a value that one of the inputs I holds? A value is a row of elements, so
    equal values are equal rows. An answer is a number for each target: 0 or 1, or how many. Source:
    docs/mixnet.md, "Queries". *)
From AardvarkSpec Require Export Prelude Base.Group Mixnet.TracePacked.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** Which question. *)
Inductive TraceDirection : Type :=
(** Which of these inputs hold a value that stands among these outputs? *)
| TraceDirection_TraceIn
(** Which of these outputs hold a value that one of these inputs holds? *)
| TraceDirection_TraceOut.

(** What of the answer is decrypted. *)
Inductive TraceReveal : Type :=
(** Whether, for each asked row. *)
| TraceReveal_RevealEach
(** Whether, for each value of the asked outputs. *)
| TraceReveal_RevealAny
(** How many of the asked rows. *)
| TraceReveal_RevealCount.

(** A question. *)
Record TraceQuery : Type := {
  (** Which. *)
  trace_direction : TraceDirection;
  (** What of the answer. *)
  trace_reveal : TraceReveal;
  (** For each input whether it is in I. *)
  trace_inputs : Seq bool;
  (** For each output whether it is in J. *)
  trace_outputs : Seq bool;
}.

(** One step of [`trace_rows_equal`]. *)
Definition trace_rows_equal_step (equal : bool) (a b : Seq G1) (l : usize) : bool :=
  equal && g1_equal (seq_at a l) (g1_at b l).

(** Whether two values are the same. *)
Definition trace_rows_equal (a b : Seq G1) : bool :=
  fold_left
    (fun equal l => trace_rows_equal_step equal a b l)
    (range 0 (seq_length a))
    (seq_length a =? seq_length b).

(** Whether a row is in a set. *)
Definition trace_chosen (chosen : Seq bool) (i : usize) : bool :=
  (i <? seq_length chosen) && seq_at chosen i.

(** One step of [`trace_stands`]. *)
Definition trace_stands_step
    (found : bool)
    (values : Seq (Seq G1))
    (chosen : Seq bool)
    (sought : Seq G1)
    (i : usize) : bool :=
  found || (trace_chosen chosen i && trace_rows_equal (seq_at values i) sought).

(** Whether a value stands in one of the chosen rows. *)
Definition trace_stands (values : Seq (Seq G1)) (chosen : Seq bool) (sought : Seq G1) : bool :=
  fold_left
    (fun found i => trace_stands_step found values chosen sought i)
    (range 0 (seq_length values))
    false.

(** One step of [`trace_each`]. *)
Definition trace_each_step
    (answers : Seq usize)
    (asked : Seq bool)
    (values : Seq (Seq G1))
    (among : Seq bool)
    (others : Seq (Seq G1))
    (i : usize) : Seq usize :=
  if trace_chosen asked i then
    let number := if trace_stands others among (seq_at values i) then 1 else 0 in
    answers ++ [number]
  else
    answers.

(** For each asked row whether its value stands among the chosen others. *)
Definition trace_each
    (asked : Seq bool)
    (values : Seq (Seq G1))
    (among : Seq bool)
    (others : Seq (Seq G1)) : Seq usize :=
  fold_left
    (fun answers i => trace_each_step answers asked values among others i)
    (range 0 (seq_length values))
    [].

(** One step of [`trace_total`]. *)
Definition trace_total_step (total : usize) (numbers : Seq usize) (i : usize) : usize :=
  total + seq_at numbers i.

(** The sum of numbers. *)
Definition trace_total (numbers : Seq usize) : usize :=
  fold_left (fun total i => trace_total_step total numbers i) (range 0 (seq_length numbers)) 0.

(** One step of [`trace_first_of_value`]. *)
Definition trace_first_of_value_step
    (first : bool)
    (outputs : Seq (Seq G1))
    (chosen : Seq bool)
    (j i : usize) : bool :=
  first && negb (trace_chosen chosen i && trace_rows_equal (seq_at outputs i) (seq_at outputs j)).

(** Whether output `j` is asked for, and no asked output before it has the same value. *)
Definition trace_first_of_value (outputs : Seq (Seq G1)) (chosen : Seq bool) (j : usize) : bool :=
  fold_left
    (fun first i => trace_first_of_value_step first outputs chosen j i)
    (range 0 j)
    ((j <? seq_length outputs) && trace_chosen chosen j).

(** One step of [`trace_firsts`]. *)
Definition trace_firsts_step
    (firsts : Seq bool)
    (outputs : Seq (Seq G1))
    (chosen : Seq bool)
    (j : usize) : Seq bool :=
  firsts ++ [trace_first_of_value outputs chosen j].

(** For each output whether it is the first asked one of its value. *)
Definition trace_firsts (outputs : Seq (Seq G1)) (chosen : Seq bool) : Seq bool :=
  fold_left (fun firsts j => trace_firsts_step firsts outputs chosen j) (range 0 (seq_length outputs)) [].

(** One step of [`trace_moved`]. *)
Definition trace_moved_step
    (total : usize)
    (query : TraceQuery)
    (assignment : Seq usize)
    (i : usize) : usize :=
  if trace_chosen query.(trace_inputs) i && trace_chosen query.(trace_outputs) (seq_at assignment i) then
    total + 1
  else
    total.

(** How many of the inputs I went to one of the outputs J. *)
Definition trace_moved (query : TraceQuery) (assignment : Seq usize) : usize :=
  fold_left (fun total i => trace_moved_step total query assignment i) (range 0 (seq_length assignment)) 0.

(** The ideal answer, from the values and the true assignment: input i is output `assignment[i]`.
    Nobody asks for `any` of trace-in. *)
Definition trace_ideal
    (query : TraceQuery)
    (inputs outputs : Seq (Seq G1))
    (assignment : Seq usize) : Seq usize :=
  match query.(trace_direction) with
  | TraceDirection_TraceIn =>
      let each := trace_each query.(trace_inputs) inputs query.(trace_outputs) outputs in
      match query.(trace_reveal) with
      | TraceReveal_RevealEach => each
      | TraceReveal_RevealAny => []
      | TraceReveal_RevealCount => [] ++ [trace_total each]
      end
  | TraceDirection_TraceOut =>
      match query.(trace_reveal) with
      | TraceReveal_RevealEach => trace_each query.(trace_outputs) outputs query.(trace_inputs) inputs
      | TraceReveal_RevealAny =>
          let firsts := trace_firsts outputs query.(trace_outputs) in
          trace_each firsts outputs query.(trace_inputs) inputs
      | TraceReveal_RevealCount => [] ++ [trace_moved query assignment]
      end
  end.

(** One step of [`trace_rows_of`]. *)
Definition trace_rows_of_step
    (rows : Seq usize)
    (outputs : Seq (Seq G1))
    (sought : Seq G1)
    (j : usize) : Seq usize :=
  if trace_rows_equal (seq_at outputs j) sought then rows ++ [j] else rows.

(** All outputs of a value. *)
Definition trace_rows_of (outputs : Seq (Seq G1)) (sought : Seq G1) : Seq usize :=
  fold_left (fun rows j => trace_rows_of_step rows outputs sought j) (range 0 (seq_length outputs)) [].

(** One step of [`trace_unique`]. *)
Definition trace_unique_step
    (unique : bool)
    (outputs : Seq (Seq G1))
    (chosen : Seq bool)
    (j : usize) : bool :=
  unique && (negb (trace_chosen chosen j) || (seq_length (trace_rows_of outputs (seq_at outputs j)) =? 1)).

(** Whether no asked output has the value of another output. *)
Definition trace_unique (outputs : Seq (Seq G1)) (chosen : Seq bool) : bool :=
  fold_left (fun unique j => trace_unique_step unique outputs chosen j) (range 0 (seq_length outputs)) true.

(** Whether a question can be asked: sets of so many rows; `any` of outputs only; `each` of outputs
    only where they have values of their own, since else it would say how many inputs of a value are
    in I. *)
Definition trace_legal (query : TraceQuery) (outputs : Seq (Seq G1)) : bool :=
  let fits :=
    (seq_length query.(trace_inputs) =? seq_length outputs) &&
    (seq_length query.(trace_outputs) =? seq_length outputs)
  in
  let allowed :=
    match query.(trace_direction) with
    | TraceDirection_TraceIn =>
        match query.(trace_reveal) with
        | TraceReveal_RevealEach => true
        | TraceReveal_RevealAny => false
        | TraceReveal_RevealCount => true
        end
    | TraceDirection_TraceOut =>
        match query.(trace_reveal) with
        | TraceReveal_RevealEach => trace_unique outputs query.(trace_outputs)
        | TraceReveal_RevealAny => true
        | TraceReveal_RevealCount => true
        end
    end
  in
  fits && allowed.

(** One step of [`trace_asked_rows`]. *)
Definition trace_asked_rows_step (rows : Seq usize) (asked : Seq bool) (i : usize) : Seq usize :=
  if seq_at asked i then rows ++ [i] else rows.

(** All asked rows. *)
Definition trace_asked_rows (asked : Seq bool) : Seq usize :=
  fold_left (fun rows i => trace_asked_rows_step rows asked i) (range 0 (seq_length asked)) [].

(** One step of [`trace_targets_any`]. *)
Definition trace_targets_any_step
    (targets : Seq (Seq usize))
    (outputs : Seq (Seq G1))
    (chosen : Seq bool)
    (j : usize) : Seq (Seq usize) :=
  if trace_first_of_value outputs chosen j then
    targets ++ [trace_rows_of outputs (seq_at outputs j)]
  else
    targets.

(** A target for each value of the asked outputs: all rows that have it, asked for or not. *)
Definition trace_targets_any (outputs : Seq (Seq G1)) (chosen : Seq bool) : Seq (Seq usize) :=
  fold_left
    (fun targets j => trace_targets_any_step targets outputs chosen j)
    (range 0 (seq_length outputs))
    [].

(** The set that is asked for: I of trace-in, J of trace-out. *)
Definition trace_asked (query : TraceQuery) : Seq bool :=
  match query.(trace_direction) with
  | TraceDirection_TraceIn => query.(trace_inputs)
  | TraceDirection_TraceOut => query.(trace_outputs)
  end.

(** The targets: rows of the last column whose sums are decrypted, some of them more than once. *)
Definition trace_targets (query : TraceQuery) (outputs : Seq (Seq G1)) : Seq (Seq usize) :=
  let asked := trace_asked query in
  match query.(trace_reveal) with
  | TraceReveal_RevealEach => trace_packs (trace_asked_rows asked)
  | TraceReveal_RevealAny => trace_targets_any outputs asked
  | TraceReveal_RevealCount => [] ++ [trace_asked_rows asked]
  end.

End Specification.

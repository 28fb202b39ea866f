(* Translated from spec/src/mixnet/trace.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.Trace Base.GroupSafe Mixnet.TracePackedSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** When [trace_rows_equal_step] does not panic. *)
Definition trace_rows_equal_step_safe (equal : bool) (a b : Seq G1) (l : usize) : bool :=
  if equal then l <? seq_length a else true.

(** When [trace_rows_equal] does not panic. *)
Definition trace_rows_equal_safe (a b : Seq G1) : bool :=
  loop_safe
    (fun equal l => trace_rows_equal_step equal a b l)
    (fun equal l => trace_rows_equal_step_safe equal a b l)
    (range 0 (seq_length a))
    (seq_length a =? seq_length b).

(** When [trace_stands_step] does not panic. *)
Definition trace_stands_step_safe
    (found : bool)
    (values : Seq (Seq G1))
    (chosen : Seq bool)
    (sought : Seq G1)
    (i : usize) : bool :=
  if found then
    true
  else if trace_chosen chosen i then
    (i <? seq_length values) && trace_rows_equal_safe (seq_at values i) sought
  else
    true.

(** When [trace_stands] does not panic. *)
Definition trace_stands_safe (values : Seq (Seq G1)) (chosen : Seq bool) (sought : Seq G1) : bool :=
  loop_safe
    (fun found i => trace_stands_step found values chosen sought i)
    (fun found i => trace_stands_step_safe found values chosen sought i)
    (range 0 (seq_length values))
    false.

(** When [trace_each_step] does not panic. *)
Definition trace_each_step_safe
    (answers : Seq usize)
    (asked : Seq bool)
    (values : Seq (Seq G1))
    (among : Seq bool)
    (others : Seq (Seq G1))
    (i : usize) : bool :=
  if trace_chosen asked i then
    (i <? seq_length values) && trace_stands_safe others among (seq_at values i)
  else
    true.

(** When [trace_each] does not panic. *)
Definition trace_each_safe
    (asked : Seq bool)
    (values : Seq (Seq G1))
    (among : Seq bool)
    (others : Seq (Seq G1)) : bool :=
  loop_safe
    (fun answers i => trace_each_step answers asked values among others i)
    (fun answers i => trace_each_step_safe answers asked values among others i)
    (range 0 (seq_length values))
    [].

(** When [trace_total_step] does not panic. *)
Definition trace_total_step_safe (total : usize) (numbers : Seq usize) (i : usize) : bool :=
  (i <? seq_length numbers) && within_usize (total + seq_at numbers i).

(** When [trace_total] does not panic. *)
Definition trace_total_safe (numbers : Seq usize) : bool :=
  loop_safe
    (fun total i => trace_total_step total numbers i)
    (fun total i => trace_total_step_safe total numbers i)
    (range 0 (seq_length numbers))
    0.

(** When [trace_first_of_value_step] does not panic. *)
Definition trace_first_of_value_step_safe
    (first : bool)
    (outputs : Seq (Seq G1))
    (chosen : Seq bool)
    (j i : usize) : bool :=
  if first then
    if trace_chosen chosen i then
      (i <? seq_length outputs) && (j <? seq_length outputs) &&
      trace_rows_equal_safe (seq_at outputs i) (seq_at outputs j)
    else
      true
  else
    true.

(** When [trace_first_of_value] does not panic. *)
Definition trace_first_of_value_safe (outputs : Seq (Seq G1)) (chosen : Seq bool) (j : usize) : bool :=
  loop_safe
    (fun first i => trace_first_of_value_step first outputs chosen j i)
    (fun first i => trace_first_of_value_step_safe first outputs chosen j i)
    (range 0 j)
    ((j <? seq_length outputs) && trace_chosen chosen j).

(** When [trace_firsts_step] does not panic. *)
Definition trace_firsts_step_safe
    (firsts : Seq bool)
    (outputs : Seq (Seq G1))
    (chosen : Seq bool)
    (j : usize) : bool :=
  trace_first_of_value_safe outputs chosen j.

(** When [trace_firsts] does not panic. *)
Definition trace_firsts_safe (outputs : Seq (Seq G1)) (chosen : Seq bool) : bool :=
  loop_safe
    (fun firsts j => trace_firsts_step firsts outputs chosen j)
    (fun firsts j => trace_firsts_step_safe firsts outputs chosen j)
    (range 0 (seq_length outputs))
    [].

(** When [trace_moved_step] does not panic. *)
Definition trace_moved_step_safe
    (total : usize)
    (query : TraceQuery)
    (assignment : Seq usize)
    (i : usize) : bool :=
  (if trace_chosen query.(trace_inputs) i then i <? seq_length assignment else true) &&
  (if trace_chosen query.(trace_inputs) i && trace_chosen query.(trace_outputs) (seq_at assignment i) then
      within_usize (total + 1)
    else
      true).

(** When [trace_moved] does not panic. *)
Definition trace_moved_safe (query : TraceQuery) (assignment : Seq usize) : bool :=
  loop_safe
    (fun total i => trace_moved_step total query assignment i)
    (fun total i => trace_moved_step_safe total query assignment i)
    (range 0 (seq_length assignment))
    0.

(** When [trace_ideal] does not panic. *)
Definition trace_ideal_safe
    (query : TraceQuery)
    (inputs outputs : Seq (Seq G1))
    (assignment : Seq usize) : bool :=
  match query.(trace_direction) with
  | TraceDirection_TraceIn =>
      trace_each_safe query.(trace_inputs) inputs query.(trace_outputs) outputs &&
      (let each := trace_each query.(trace_inputs) inputs query.(trace_outputs) outputs in
        match query.(trace_reveal) with
        | TraceReveal_RevealEach => true
        | TraceReveal_RevealAny => true
        | TraceReveal_RevealCount => trace_total_safe each
        end)
  | TraceDirection_TraceOut =>
      match query.(trace_reveal) with
      | TraceReveal_RevealEach => trace_each_safe query.(trace_outputs) outputs query.(trace_inputs) inputs
      | TraceReveal_RevealAny =>
          trace_firsts_safe outputs query.(trace_outputs) &&
          (let firsts := trace_firsts outputs query.(trace_outputs) in
            trace_each_safe firsts outputs query.(trace_inputs) inputs)
      | TraceReveal_RevealCount => trace_moved_safe query assignment
      end
  end.

(** When [trace_rows_of_step] does not panic. *)
Definition trace_rows_of_step_safe
    (rows : Seq usize)
    (outputs : Seq (Seq G1))
    (sought : Seq G1)
    (j : usize) : bool :=
  (j <? seq_length outputs) && trace_rows_equal_safe (seq_at outputs j) sought.

(** When [trace_rows_of] does not panic. *)
Definition trace_rows_of_safe (outputs : Seq (Seq G1)) (sought : Seq G1) : bool :=
  loop_safe
    (fun rows j => trace_rows_of_step rows outputs sought j)
    (fun rows j => trace_rows_of_step_safe rows outputs sought j)
    (range 0 (seq_length outputs))
    [].

(** When [trace_unique_step] does not panic. *)
Definition trace_unique_step_safe
    (unique : bool)
    (outputs : Seq (Seq G1))
    (chosen : Seq bool)
    (j : usize) : bool :=
  if unique then
    if negb (trace_chosen chosen j) then
      true
    else
      (j <? seq_length outputs) && trace_rows_of_safe outputs (seq_at outputs j)
  else
    true.

(** When [trace_unique] does not panic. *)
Definition trace_unique_safe (outputs : Seq (Seq G1)) (chosen : Seq bool) : bool :=
  loop_safe
    (fun unique j => trace_unique_step unique outputs chosen j)
    (fun unique j => trace_unique_step_safe unique outputs chosen j)
    (range 0 (seq_length outputs))
    true.

(** When [trace_legal] does not panic. *)
Definition trace_legal_safe (query : TraceQuery) (outputs : Seq (Seq G1)) : bool :=
  match query.(trace_direction) with
  | TraceDirection_TraceIn => true
  | TraceDirection_TraceOut =>
      match query.(trace_reveal) with
      | TraceReveal_RevealEach => trace_unique_safe outputs query.(trace_outputs)
      | TraceReveal_RevealAny => true
      | TraceReveal_RevealCount => true
      end
  end.

(** When [trace_asked_rows_step] does not panic. *)
Definition trace_asked_rows_step_safe (rows : Seq usize) (asked : Seq bool) (i : usize) : bool :=
  i <? seq_length asked.

(** When [trace_asked_rows] does not panic. *)
Definition trace_asked_rows_safe (asked : Seq bool) : bool :=
  loop_safe
    (fun rows i => trace_asked_rows_step rows asked i)
    (fun rows i => trace_asked_rows_step_safe rows asked i)
    (range 0 (seq_length asked))
    [].

(** When [trace_targets_any_step] does not panic. *)
Definition trace_targets_any_step_safe
    (targets : Seq (Seq usize))
    (outputs : Seq (Seq G1))
    (chosen : Seq bool)
    (j : usize) : bool :=
  trace_first_of_value_safe outputs chosen j &&
  (if trace_first_of_value outputs chosen j then
      (j <? seq_length outputs) && trace_rows_of_safe outputs (seq_at outputs j)
    else
      true).

(** When [trace_targets_any] does not panic. *)
Definition trace_targets_any_safe (outputs : Seq (Seq G1)) (chosen : Seq bool) : bool :=
  loop_safe
    (fun targets j => trace_targets_any_step targets outputs chosen j)
    (fun targets j => trace_targets_any_step_safe targets outputs chosen j)
    (range 0 (seq_length outputs))
    [].

(** When [trace_targets] does not panic. *)
Definition trace_targets_safe (query : TraceQuery) (outputs : Seq (Seq G1)) : bool :=
  let asked := trace_asked query in
  match query.(trace_reveal) with
  | TraceReveal_RevealEach => trace_asked_rows_safe asked && trace_packs_safe (trace_asked_rows asked)
  | TraceReveal_RevealAny => trace_targets_any_safe outputs asked
  | TraceReveal_RevealCount => trace_asked_rows_safe asked
  end.

End Specification.

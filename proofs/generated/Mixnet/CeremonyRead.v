(* Translated from spec/src/mixnet/ceremony_read.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What is read of a ceremony's posts of one kind, apart from servers' in turn: inputs, queries,
    and which dealers remain. Source: docs/mixnet.md, "Ceremonies". *)
From AardvarkSpec Require Export Prelude Base.Bytes Mixnet.PostKey Mixnet.CountedPost Mixnet.ServersRead.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** What was read of inputs. *)
Record InputsRead : Type := {
  (** The senders of the valid ones. *)
  inputs_senders : Seq ByteString;
  (** Their C_0. *)
  inputs_firsts : Seq ByteString;
  (** What is wrong with the others. *)
  inputs_faults : Seq PostFault;
}.

(** What was read of queries. *)
Record QueriesRead : Type := {
  (** The valid ones. *)
  queries_valid : Seq AskedQuery;
  (** What is wrong with the others. *)
  queries_faults : Seq PostFault;
}.

(** What is wrong with the body of an input, behind those with these C_0. *)
Definition input_flaw (written : ViewPost) (firsts : Seq ByteString) : Option PostFlaw :=
  match written.(viewed_flaw) with
  | Some flaw => Some flaw
  | None => if is_one_of firsts written.(viewed_first) then Some PostFlaw_FlawInputRepeated else None
  end.

(** The inputs with one more that was judged. *)
Definition with_input (inputs : InputsRead) (written : ViewPost) (flaw : Option PostFlaw) : InputsRead :=
  match flaw with
  | Some _ =>
      {| inputs_senders := inputs.(inputs_senders);
        inputs_firsts := inputs.(inputs_firsts);
        inputs_faults := with_fault inputs.(inputs_faults) written flaw |}
  | None =>
      {| inputs_senders := inputs.(inputs_senders) ++ [written.(viewed_key).(post_author)];
        inputs_firsts := inputs.(inputs_firsts) ++ [written.(viewed_first)];
        inputs_faults := inputs.(inputs_faults) |}
  end.

(** One step of [`read_inputs`]. *)
Definition read_inputs_step (inputs : InputsRead) (terms : ViewTerms) (written : ViewPost) : InputsRead :=
  if (written.(viewed_key).(post_kind) =? KIND_INPUT) && is_counted terms written then
    let flaw := input_flaw written inputs.(inputs_firsts) in
    with_input inputs written flaw
  else
    inputs.

(** The list of inputs: all valid ones, in the order of keys. *)
Definition read_inputs (terms : ViewTerms) (posts : Seq ViewPost) : InputsRead :=
  fold_left
    (fun inputs i => read_inputs_step inputs terms (seq_at posts i))
    (range 0 (seq_length posts))
    {| inputs_senders := []; inputs_firsts := []; inputs_faults := [] |}.

(** The queries with one more that counts. *)
Definition with_query (queries : QueriesRead) (written : ViewPost) : QueriesRead :=
  match written.(viewed_flaw) with
  | Some _ =>
      {| queries_valid := queries.(queries_valid);
        queries_faults := with_fault queries.(queries_faults) written written.(viewed_flaw) |}
  | None =>
      {| queries_valid :=
          queries.(queries_valid) ++
          [{| query_author := written.(viewed_key).(post_author);
              query_id := written.(viewed_id);
              query_backward := written.(viewed_backward);
              query_tested := written.(viewed_tested) |}];
        queries_faults := queries.(queries_faults) |}
  end.

(** One step of [`read_queries`]. *)
Definition read_queries_step (queries : QueriesRead) (terms : ViewTerms) (written : ViewPost) : QueriesRead :=
  if (written.(viewed_key).(post_kind) =? KIND_QUERY) && is_counted terms written then
    with_query queries written
  else
    queries.

(** The valid queries, in the order of keys. *)
Definition read_queries (terms : ViewTerms) (posts : Seq ViewPost) : QueriesRead :=
  fold_left
    (fun queries i => read_queries_step queries terms (seq_at posts i))
    (range 0 (seq_length posts))
    {| queries_valid := []; queries_faults := [] |}.

(** Dealers that remain, and what is wrong with the dealings of the others. *)
Record DealersLeft : Type := {
  (** Who remains. *)
  left_dealers : Seq usize;
  (** The dealings that are convicted. *)
  left_faults : Seq PostFault;
}.

(** The faults with the one of a dealer's dealing. *)
Definition with_convicted
    (faults : Seq PostFault)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (dealer : usize) : Seq PostFault :=
  match server_post terms posts KIND_DEALING [] dealer with
  | Some written => with_fault faults written (Some PostFlaw_FlawDealingFalse)
  | None => faults
  end.

(** One step of [`dealers_left`]. *)
Definition dealers_left_step
    (found : DealersLeft)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (accused : Seq usize)
    (dealer : usize) : DealersLeft :=
  if number_among accused dealer then
    {| left_dealers := found.(left_dealers);
      left_faults := with_convicted found.(left_faults) terms posts dealer |}
  else
    {| left_dealers := found.(left_dealers) ++ [dealer]; left_faults := found.(left_faults) |}.

(** The dealers whom no valid verdict convicts. *)
Definition dealers_left
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (dealers accused : Seq usize) : DealersLeft :=
  fold_left
    (fun found i => dealers_left_step found terms posts accused (seq_at dealers i))
    (range 0 (seq_length dealers))
    {| left_dealers := []; left_faults := [] |}.

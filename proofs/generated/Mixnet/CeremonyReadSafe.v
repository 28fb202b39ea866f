(* Translated from spec/src/mixnet/ceremony_read.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.CeremonyRead Base.BytesSafe Mixnet.PostKeySafe Mixnet.CountedPostSafe
  Mixnet.ServersReadSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [input_flaw] does not panic. *)
Definition input_flaw_safe (written : ViewPost) (firsts : Seq ByteString) : bool :=
  match written.(viewed_flaw) with
  | Some flaw => true
  | None => is_one_of_safe firsts written.(viewed_first)
  end.

(** When [read_inputs_step] does not panic. *)
Definition read_inputs_step_safe (inputs : InputsRead) (terms : ViewTerms) (written : ViewPost) : bool :=
  (if written.(viewed_key).(post_kind) =? KIND_INPUT then is_counted_safe terms written else true) &&
  (if (written.(viewed_key).(post_kind) =? KIND_INPUT) && is_counted terms written then
      input_flaw_safe written inputs.(inputs_firsts)
    else
      true).

(** When [read_inputs] does not panic. *)
Definition read_inputs_safe (terms : ViewTerms) (posts : Seq ViewPost) : bool :=
  loop_safe
    (fun inputs i => read_inputs_step inputs terms (seq_at posts i))
    (fun inputs i => (i <? seq_length posts) && read_inputs_step_safe inputs terms (seq_at posts i))
    (range 0 (seq_length posts))
    {| inputs_senders := []; inputs_firsts := []; inputs_faults := [] |}.

(** When [read_queries_step] does not panic. *)
Definition read_queries_step_safe (queries : QueriesRead) (terms : ViewTerms) (written : ViewPost) : bool :=
  if written.(viewed_key).(post_kind) =? KIND_QUERY then is_counted_safe terms written else true.

(** When [read_queries] does not panic. *)
Definition read_queries_safe (terms : ViewTerms) (posts : Seq ViewPost) : bool :=
  loop_safe
    (fun queries i => read_queries_step queries terms (seq_at posts i))
    (fun queries i => (i <? seq_length posts) && read_queries_step_safe queries terms (seq_at posts i))
    (range 0 (seq_length posts))
    {| queries_valid := []; queries_faults := [] |}.

(** When [with_convicted] does not panic. *)
Definition with_convicted_safe
    (faults : Seq PostFault)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (dealer : usize) : bool :=
  server_post_safe terms posts KIND_DEALING [] dealer.

(** When [dealers_left_step] does not panic. *)
Definition dealers_left_step_safe
    (found : DealersLeft)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (accused : Seq usize)
    (dealer : usize) : bool :=
  number_among_safe accused dealer &&
  (if number_among accused dealer then with_convicted_safe found.(left_faults) terms posts dealer else true).

(** When [dealers_left] does not panic. *)
Definition dealers_left_safe
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (dealers accused : Seq usize) : bool :=
  loop_safe
    (fun found i => dealers_left_step found terms posts accused (seq_at dealers i))
    (fun found i =>
      (i <? seq_length dealers) && dealers_left_step_safe found terms posts accused (seq_at dealers i))
    (range 0 (seq_length dealers))
    {| left_dealers := []; left_faults := [] |}.

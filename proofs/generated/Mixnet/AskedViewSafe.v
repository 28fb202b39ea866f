(* Translated from spec/src/mixnet/asked_view.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.AskedView Base.BytesSafe Mixnet.PostKeySafe Mixnet.CountedPostSafe
  Mixnet.ServersReadSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [turned_round_step] does not panic. *)
Definition turned_round_step_safe (turned numbers : Seq usize) (i : usize) : bool :=
  (1 <=? seq_length numbers) && (i <=? seq_length numbers - 1) &&
  (seq_length numbers - 1 - i <? seq_length numbers).

(** When [turned_round] does not panic. *)
Definition turned_round_safe (numbers : Seq usize) : bool :=
  loop_safe
    (fun turned i => turned_round_step turned numbers i)
    (fun turned i => turned_round_step_safe turned numbers i)
    (range 0 (seq_length numbers))
    [].

(** When [read_opening] does not panic. *)
Definition read_opening_safe
    (asked : AskedView)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (query : AskedQuery) : bool :=
  post_at_safe posts KIND_OPENING query.(query_id) 0 query.(query_author) &&
  (match post_at posts KIND_OPENING query.(query_id) 0 query.(query_author) with
    | Some opening => is_counted_safe terms opening
    | None => true
    end).

(** When [read_shares] does not panic. *)
Definition read_shares_safe
    (asked : AskedView)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (query : AskedQuery) : bool :=
  let place := place_about KIND_ANSWER_SHARES query.(query_id) in
  let none := [] in
  server_numbers_safe terms &&
  read_servers_safe ReadRule_ReadAll terms posts place none (server_numbers terms) &&
  (let shares := read_servers ReadRule_ReadAll terms posts place none (server_numbers terms) in
    if terms.(terms_threshold) <=? seq_length shares.(read_valid) then
      read_opening_safe (with_shares asked shares true) terms posts query
    else
      true).

(** When [read_tests] does not panic. *)
Definition read_tests_safe
    (asked : AskedView)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (query : AskedQuery)
    (order : Seq usize) : bool :=
  let place := place_about KIND_ZERO_TEST query.(query_id) in
  let none := [] in
  read_servers_safe ReadRule_ReadStops terms posts place none order &&
  (let tests := read_servers ReadRule_ReadStops terms posts place none order in
    let tested := with_tests asked tests in
    if tests.(read_stopped) || (negb (tests.(read_waits) =? 0)) then
      true
    else
      read_shares_safe tested terms posts query).

(** When [view_of_query] does not panic. *)
Definition view_of_query_safe
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (query : AskedQuery)
    (mixers : Seq usize) : bool :=
  (if query.(query_backward) then turned_round_safe mixers else true) &&
  (let order := if query.(query_backward) then turned_round mixers else mixers in
    let place := place_about KIND_COLUMN query.(query_id) in
    let none := [] in
    read_servers_safe ReadRule_ReadStops terms posts place none order &&
    (let columns := read_servers ReadRule_ReadStops terms posts place none order in
      let shuffled := with_columns (asked_first query.(query_id)) columns in
      if columns.(read_stopped) || (negb (columns.(read_waits) =? 0)) then
        true
      else if query.(query_tested) then
        read_tests_safe shuffled terms posts query order
      else
        read_shares_safe shuffled terms posts query)).

(** When [views_of_queries_step] does not panic. *)
Definition views_of_queries_step_safe
    (asked : Seq AskedView)
    (terms : ViewTerms)
    (about : Seq ViewPost)
    (query : AskedQuery)
    (mixers : Seq usize) : bool :=
  view_of_query_safe terms about query mixers.

(** When [views_of_queries] does not panic. *)
Definition views_of_queries_safe
    (terms : ViewTerms)
    (about : Seq ViewPost)
    (queries : Seq AskedQuery)
    (mixers : Seq usize) : bool :=
  loop_safe
    (fun asked i => views_of_queries_step asked terms about (seq_at queries i) mixers)
    (fun asked i =>
      (i <? seq_length queries) && views_of_queries_step_safe asked terms about (seq_at queries i) mixers)
    (range 0 (seq_length queries))
    [].

(** When [faults_of_asked] does not panic. *)
Definition faults_of_asked_safe (asked : Seq AskedView) : bool :=
  loop_safe
    (fun faults i => faults_of_asked_step faults (seq_at asked i))
    (fun faults i => i <? seq_length asked)
    (range 0 (seq_length asked))
    [].

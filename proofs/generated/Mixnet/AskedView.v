(* Translated from spec/src/mixnet/asked_view.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What posts say of a query: whose column, zero test or shares are waited for, and whether there
    is an answer.

    Source: docs/mixnet.md, "Queries" and "Ceremonies". *)
From AardvarkSpec Require Export Prelude Base.Bytes Mixnet.PostKey Mixnet.CountedPost Mixnet.ServersRead.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** Where a query stands. *)
Inductive AskedStage : Type :=
(** A column is waited for. *)
| AskedStage_AskedColumn
(** A zero test is waited for. *)
| AskedStage_AskedZeroTest
(** Shares are waited for. *)
| AskedStage_AskedShares
(** t shares are there. *)
| AskedStage_AskedAnswered
(** A column or zero test was false, and cannot be replaced. *)
| AskedStage_AskedStopped.

#[global] Instance Default_AskedStage : Default AskedStage := AskedStage_AskedColumn.

(** A valid query with what was posted for it. *)
Record AskedView : Type := {
  (** Its id. *)
  asked_id : ByteString;
  (** Where it stands. *)
  asked_stage : AskedStage;
  (** Whose column or zero test is waited for; 0 in the other stages. *)
  asked_turn : usize;
  (** Whose columns are valid, in their order. *)
  asked_columns : Seq usize;
  (** Whose zero tests are valid, in their order. *)
  asked_tests : Seq usize;
  (** Whose shares are valid. *)
  asked_sharers : Seq usize;
  (** Whether its querier opened it. *)
  asked_opened : bool;
  (** What is wrong with posts about it. *)
  asked_faults : Seq PostFault;
}.

#[global] Instance Default_AskedView : Default AskedView := {| asked_id := default; asked_stage := default; asked_turn := default; asked_columns := default; asked_tests := default; asked_sharers := default; asked_opened := default; asked_faults := default |}.

(** One step of [`turned_round`]. *)
Definition turned_round_step (turned numbers : Seq usize) (i : usize) : Seq usize :=
  turned ++ [seq_at numbers (seq_length numbers - 1 - i)].

(** Numbers, the last first. *)
Definition turned_round (numbers : Seq usize) : Seq usize :=
  fold_left (fun turned i => turned_round_step turned numbers i) (range 0 (seq_length numbers)) [].

(** Posts of a kind about a query. *)
Definition place_about (kind : usize) (id : ByteString) : PostKey :=
  {| post_organiser := [];
    post_ceremony := 0;
    post_kind := kind;
    post_query := id;
    post_sequence := 0;
    post_author := [] |}.

(** A query of which nothing was read. *)
Definition asked_first (id : ByteString) : AskedView :=
  {| asked_id := id;
    asked_stage := AskedStage_AskedColumn;
    asked_turn := 0;
    asked_columns := [];
    asked_tests := [];
    asked_sharers := [];
    asked_opened := false;
    asked_faults := [] |}.

(** A query whose next post is waited for in this stage, or was false. *)
Definition asked_waiting (asked : AskedView) (stage : AskedStage) (read_last : ServersRead) : AskedView :=
  {| asked_id := asked.(asked_id);
    asked_stage := if read_last.(read_stopped) then AskedStage_AskedStopped else stage;
    asked_turn := if read_last.(read_stopped) then 0 else read_last.(read_waits);
    asked_columns := asked.(asked_columns);
    asked_tests := asked.(asked_tests);
    asked_sharers := asked.(asked_sharers);
    asked_opened := asked.(asked_opened);
    asked_faults := asked.(asked_faults) |}.

(** A query with the columns that were read. *)
Definition with_columns (asked : AskedView) (columns : ServersRead) : AskedView :=
  {| asked_id := asked.(asked_id);
    asked_stage := asked.(asked_stage);
    asked_turn := asked.(asked_turn);
    asked_columns := columns.(read_valid);
    asked_tests := asked.(asked_tests);
    asked_sharers := asked.(asked_sharers);
    asked_opened := asked.(asked_opened);
    asked_faults := asked.(asked_faults) ++ columns.(read_faults) |}.

(** A query with the zero tests that were read. *)
Definition with_tests (asked : AskedView) (tests : ServersRead) : AskedView :=
  {| asked_id := asked.(asked_id);
    asked_stage := asked.(asked_stage);
    asked_turn := asked.(asked_turn);
    asked_columns := asked.(asked_columns);
    asked_tests := tests.(read_valid);
    asked_sharers := asked.(asked_sharers);
    asked_opened := asked.(asked_opened);
    asked_faults := asked.(asked_faults) ++ tests.(read_faults) |}.

(** A query with the shares that were read. *)
Definition with_shares (asked : AskedView) (shares : ServersRead) (enough : bool) : AskedView :=
  {| asked_id := asked.(asked_id);
    asked_stage := if enough then AskedStage_AskedAnswered else AskedStage_AskedShares;
    asked_turn := 0;
    asked_columns := asked.(asked_columns);
    asked_tests := asked.(asked_tests);
    asked_sharers := shares.(read_valid);
    asked_opened := asked.(asked_opened);
    asked_faults := asked.(asked_faults) ++ shares.(read_faults) |}.

(** An answered query with its querier's opening. *)
Definition with_opening (asked : AskedView) (opening : ViewPost) : AskedView :=
  let opened :=
    match opening.(viewed_flaw) with
    | Some _ => false
    | None => true
    end
  in
  let faults := with_fault asked.(asked_faults) opening opening.(viewed_flaw) in
  {| asked_id := asked.(asked_id);
    asked_stage := asked.(asked_stage);
    asked_turn := asked.(asked_turn);
    asked_columns := asked.(asked_columns);
    asked_tests := asked.(asked_tests);
    asked_sharers := asked.(asked_sharers);
    asked_opened := opened;
    asked_faults := faults |}.

(** An answered query with the opening that its querier posted, if there is one that counts. *)
Definition read_opening
    (asked : AskedView)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (query : AskedQuery) : AskedView :=
  match post_at posts KIND_OPENING query.(query_id) 0 query.(query_author) with
  | Some opening => if is_counted terms opening then with_opening asked opening else asked
  | None => asked
  end.

(** A query whose columns and zero tests are there, with its shares. *)
Definition read_shares
    (asked : AskedView)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (query : AskedQuery) : AskedView :=
  let place := place_about KIND_ANSWER_SHARES query.(query_id) in
  let none := [] in
  let shares := read_servers ReadRule_ReadAll terms posts place none (server_numbers terms) in
  if terms.(terms_threshold) <=? seq_length shares.(read_valid) then
    read_opening (with_shares asked shares true) terms posts query
  else
    with_shares asked shares false.

(** A query whose columns are there, with what comes after. *)
Definition read_tests
    (asked : AskedView)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (query : AskedQuery)
    (order : Seq usize) : AskedView :=
  let place := place_about KIND_ZERO_TEST query.(query_id) in
  let none := [] in
  let tests := read_servers ReadRule_ReadStops terms posts place none order in
  let tested := with_tests asked tests in
  if tests.(read_stopped) || (negb (tests.(read_waits) =? 0)) then
    asked_waiting tested AskedStage_AskedZeroTest tests
  else
    read_shares tested terms posts query.

(** What posts about queries say of one, where these servers mixed. *)
Definition view_of_query
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (query : AskedQuery)
    (mixers : Seq usize) : AskedView :=
  let order := if query.(query_backward) then turned_round mixers else mixers in
  let place := place_about KIND_COLUMN query.(query_id) in
  let none := [] in
  let columns := read_servers ReadRule_ReadStops terms posts place none order in
  let shuffled := with_columns (asked_first query.(query_id)) columns in
  if columns.(read_stopped) || (negb (columns.(read_waits) =? 0)) then
    asked_waiting shuffled AskedStage_AskedColumn columns
  else if query.(query_tested) then
    read_tests shuffled terms posts query order
  else
    read_shares shuffled terms posts query.

(** One step of [`views_of_queries`]. *)
Definition views_of_queries_step
    (asked : Seq AskedView)
    (terms : ViewTerms)
    (about : Seq ViewPost)
    (query : AskedQuery)
    (mixers : Seq usize) : Seq AskedView :=
  asked ++ [view_of_query terms about query mixers].

(** What posts about queries say of each. *)
Definition views_of_queries
    (terms : ViewTerms)
    (about : Seq ViewPost)
    (queries : Seq AskedQuery)
    (mixers : Seq usize) : Seq AskedView :=
  fold_left
    (fun asked i => views_of_queries_step asked terms about (seq_at queries i) mixers)
    (range 0 (seq_length queries))
    [].

(** One step of [`faults_of_asked`]. *)
Definition faults_of_asked_step (faults : Seq PostFault) (asked : AskedView) : Seq PostFault :=
  faults ++ asked.(asked_faults).

(** What is wrong with posts about queries. *)
Definition faults_of_asked (asked : Seq AskedView) : Seq PostFault :=
  fold_left (fun faults i => faults_of_asked_step faults (seq_at asked i)) (range 0 (seq_length asked)) [].

(* Translated from spec/src/mixnet/ceremony_view.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What a board's posts say of a ceremony: its stage, what is valid, who is waited for, and which
    posts break the rules.

    | stage | ends when |
    |---|---|
    | dealing, verdicts | each server has posted or is absent; t dealers remain |
    | open | the organiser closes; with fewer valid inputs than the least it is void |
    | mixing | each server has posted or is absent; t layers are valid |
    | decrypting | t shares are valid |
    | done | |

    A post before its stage is not looked at beyond the first checks, and a post about a query not
    at all before the query is found valid. Posts are given in the order of their keys; a board has
    one for a key. Source: docs/mixnet.md, "Ceremonies". *)
From AardvarkSpec Require Export Prelude Base.Bytes Mixnet.PostKey Mixnet.CountedPost Mixnet.ServersRead
  Mixnet.AskedView Mixnet.CeremonyRead.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** Where a ceremony stands. *)
Inductive ViewStage : Type :=
(** Servers deal keys. *)
| ViewStage_ViewDealing
(** Servers say whose shares are false. *)
| ViewStage_ViewVerdicts
(** Senders send. *)
| ViewStage_ViewOpen
(** Servers shuffle, one after the other. *)
| ViewStage_ViewMixing
(** Servers agree on the mix and decrypt it. *)
| ViewStage_ViewDecrypting
(** The outputs are there; queriers ask. *)
| ViewStage_ViewDone
(** It cannot go on: fewer than t dealers or layers, or too few inputs. *)
| ViewStage_ViewVoid.

(** What posts say of a ceremony. *)
Record CeremonyView : Type := {
  (** Where it stands. *)
  view_stage : ViewStage;
  (** The posts that break the rules. *)
  view_faults : Seq PostFault;
  (** Posts whose bodies are not at hand. *)
  view_missing : Seq PostKey;
  (** Whose dealings are valid. *)
  view_dealers : Seq usize;
  (** Whose inputs are valid, in the order of the rows. *)
  view_senders : Seq ByteString;
  (** Whose layers are valid, in their order. *)
  view_mixers : Seq usize;
  (** Whose layer is waited for; 0 where none is. *)
  view_turn : usize;
  (** Who agreed on the mix. *)
  view_agreed : Seq usize;
  (** Whose shares of the last list are valid. *)
  view_sharers : Seq usize;
  (** The valid queries. *)
  view_asked : Seq AskedView;
  (** How many posts are about none of them. *)
  view_unasked : usize;
}.

(** Posts of a kind about no query. *)
Definition place_of_kind (kind : usize) : PostKey :=
  place_about kind [].

(** The view before any stage: what the first checks find. *)
Definition view_first (terms : ViewTerms) (posts : Seq ViewPost) : CeremonyView :=
  {| view_stage := ViewStage_ViewDealing;
    view_faults := first_faults terms posts;
    view_missing := missing_bodies terms posts;
    view_dealers := [];
    view_senders := [];
    view_mixers := [];
    view_turn := 0;
    view_agreed := [];
    view_sharers := [];
    view_asked := [];
    view_unasked := 0 |}.

(** A view with dealings that were read. *)
Definition with_dealings (seen : CeremonyView) (dealings : ServersRead) : CeremonyView :=
  {| view_stage := if dealings.(read_waits) =? 0 then ViewStage_ViewVerdicts else ViewStage_ViewDealing;
    view_faults := seen.(view_faults) ++ dealings.(read_faults);
    view_missing := seen.(view_missing);
    view_dealers := dealings.(read_valid);
    view_senders := seen.(view_senders);
    view_mixers := seen.(view_mixers);
    view_turn := seen.(view_turn);
    view_agreed := seen.(view_agreed);
    view_sharers := seen.(view_sharers);
    view_asked := seen.(view_asked);
    view_unasked := seen.(view_unasked) |}.

(** The dealings. *)
Definition judge_dealings (seen : CeremonyView) (terms : ViewTerms) (posts : Seq ViewPost) : CeremonyView :=
  let none := [] in
  let place := place_of_kind KIND_DEALING in
  let dealings := read_servers ReadRule_ReadAll terms posts place none (server_numbers terms) in
  with_dealings seen dealings.

(** A view with dealers that remain after these verdicts. *)
Definition with_verdicts
    (seen : CeremonyView)
    (stage : ViewStage)
    (verdicts : ServersRead)
    (left' : DealersLeft) : CeremonyView :=
  {| view_stage := stage;
    view_faults := seen.(view_faults) ++ verdicts.(read_faults) ++ left'.(left_faults);
    view_missing := seen.(view_missing);
    view_dealers := left'.(left_dealers);
    view_senders := seen.(view_senders);
    view_mixers := seen.(view_mixers);
    view_turn := seen.(view_turn);
    view_agreed := seen.(view_agreed);
    view_sharers := seen.(view_sharers);
    view_asked := seen.(view_asked);
    view_unasked := seen.(view_unasked) |}.

(** The verdicts; the convicted are out when all are there. *)
Definition judge_verdicts (seen : CeremonyView) (terms : ViewTerms) (posts : Seq ViewPost) : CeremonyView :=
  let place := place_of_kind KIND_VERDICT in
  let dealers := seen.(view_dealers) in
  let verdicts := read_servers ReadRule_ReadAll terms posts place dealers (server_numbers terms) in
  if verdicts.(read_waits) =? 0 then
    let left' := dealers_left terms posts dealers verdicts.(read_accused) in
    let enough := terms.(terms_threshold) <=? seq_length left'.(left_dealers) in
    let stage := if enough then ViewStage_ViewOpen else ViewStage_ViewVoid in
    with_verdicts seen stage verdicts left'
  else
    let left' := {| left_dealers := dealers; left_faults := [] |} in
    with_verdicts seen ViewStage_ViewVerdicts verdicts left'.

(** A view with inputs, or the fault of their close. *)
Definition with_inputs
    (seen : CeremonyView)
    (stage : ViewStage)
    (senders : Seq ByteString)
    (faults : Seq PostFault) : CeremonyView :=
  {| view_stage := stage;
    view_faults := seen.(view_faults) ++ faults;
    view_missing := seen.(view_missing);
    view_dealers := seen.(view_dealers);
    view_senders := senders;
    view_mixers := seen.(view_mixers);
    view_turn := seen.(view_turn);
    view_agreed := seen.(view_agreed);
    view_sharers := seen.(view_sharers);
    view_asked := seen.(view_asked);
    view_unasked := seen.(view_unasked) |}.

(** The inputs behind a close that counts. *)
Definition judge_closed
    (seen : CeremonyView)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (close : ViewPost) : CeremonyView :=
  match close.(viewed_flaw) with
  | Some _ =>
      let none := [] in
      let faults := with_fault none close close.(viewed_flaw) in
      with_inputs seen ViewStage_ViewVoid [] faults
  | None =>
      let inputs := read_inputs terms posts in
      if terms.(terms_least) <=? seq_length inputs.(inputs_senders) then
        with_inputs seen ViewStage_ViewMixing inputs.(inputs_senders) inputs.(inputs_faults)
      else
        with_inputs seen ViewStage_ViewVoid [] inputs.(inputs_faults)
  end.

(** The inputs, once they are closed. *)
Definition judge_inputs (seen : CeremonyView) (terms : ViewTerms) (posts : Seq ViewPost) : CeremonyView :=
  match post_at posts KIND_CLOSE [] 0 terms.(terms_organiser) with
  | Some close => if is_counted terms close then judge_closed seen terms posts close else seen
  | None => seen
  end.

(** A view with layers that were read. *)
Definition with_layers (seen : CeremonyView) (stage : ViewStage) (layers : ServersRead) : CeremonyView :=
  {| view_stage := stage;
    view_faults := seen.(view_faults) ++ layers.(read_faults);
    view_missing := seen.(view_missing);
    view_dealers := seen.(view_dealers);
    view_senders := seen.(view_senders);
    view_mixers := layers.(read_valid);
    view_turn := layers.(read_waits);
    view_agreed := seen.(view_agreed);
    view_sharers := seen.(view_sharers);
    view_asked := seen.(view_asked);
    view_unasked := seen.(view_unasked) |}.

(** The layers, each in its turn. *)
Definition judge_layers (seen : CeremonyView) (terms : ViewTerms) (posts : Seq ViewPost) : CeremonyView :=
  let place := place_of_kind KIND_LAYER in
  let none := [] in
  let layers := read_servers ReadRule_ReadTurns terms posts place none (server_numbers terms) in
  let stage :=
    if negb (layers.(read_waits) =? 0) then
      ViewStage_ViewMixing
    else if terms.(terms_threshold) <=? seq_length layers.(read_valid) then
      ViewStage_ViewDecrypting
    else
      ViewStage_ViewVoid
  in
  with_layers seen stage layers.

(** A view with agreements and shares that were read. *)
Definition with_decryption
    (seen : CeremonyView)
    (stage : ViewStage)
    (agreements shares : ServersRead) : CeremonyView :=
  {| view_stage := stage;
    view_faults := seen.(view_faults) ++ agreements.(read_faults) ++ shares.(read_faults);
    view_missing := seen.(view_missing);
    view_dealers := seen.(view_dealers);
    view_senders := seen.(view_senders);
    view_mixers := seen.(view_mixers);
    view_turn := seen.(view_turn);
    view_agreed := agreements.(read_valid);
    view_sharers := shares.(read_valid);
    view_asked := seen.(view_asked);
    view_unasked := seen.(view_unasked) |}.

(** The agreements and the shares of the last list. *)
Definition judge_decryption (seen : CeremonyView) (terms : ViewTerms) (posts : Seq ViewPost) : CeremonyView :=
  let numbers := server_numbers terms in
  let none := [] in
  let agreeing := place_of_kind KIND_AGREEMENT in
  let sharing := place_of_kind KIND_SHARES in
  let agreements := read_servers ReadRule_ReadAll terms posts agreeing none numbers in
  let shares := read_servers ReadRule_ReadAll terms posts sharing none numbers in
  let enough := terms.(terms_threshold) <=? seq_length shares.(read_valid) in
  let stage := if enough then ViewStage_ViewDone else ViewStage_ViewDecrypting in
  with_decryption seen stage agreements shares.

(** A view with its queries, and the faults of posts about them. *)
Definition with_queries
    (seen : CeremonyView)
    (asked : Seq AskedView)
    (unasked : usize)
    (faults : Seq PostFault)
    (missing : Seq PostKey) : CeremonyView :=
  {| view_stage := seen.(view_stage);
    view_faults := seen.(view_faults) ++ faults;
    view_missing := seen.(view_missing) ++ missing;
    view_dealers := seen.(view_dealers);
    view_senders := seen.(view_senders);
    view_mixers := seen.(view_mixers);
    view_turn := seen.(view_turn);
    view_agreed := seen.(view_agreed);
    view_sharers := seen.(view_sharers);
    view_asked := asked;
    view_unasked := unasked |}.

(** The queries: `of_stages` are the posts about none, `posts` all of the ceremony. *)
Definition judge_queries
    (seen : CeremonyView)
    (terms : ViewTerms)
    (of_stages posts : Seq ViewPost) : CeremonyView :=
  let queries := read_queries terms of_stages in
  let about := posts_about posts queries.(queries_valid) in
  let asked := views_of_queries terms about.(about_posts) queries.(queries_valid) seen.(view_mixers) in
  let faults := queries.(queries_faults) ++ first_faults terms about.(about_posts) ++ faults_of_asked asked in
  let missing := missing_bodies terms about.(about_posts) in
  with_queries seen asked about.(about_unasked) faults missing.

(** A view that was judged up to a stage, with the next stage if there are posts for it. *)
Definition judge_next
    (seen : CeremonyView)
    (terms : ViewTerms)
    (of_stages posts : Seq ViewPost)
    (stage : ViewStage) : CeremonyView :=
  match stage with
  | ViewStage_ViewDealing => judge_dealings seen terms of_stages
  | ViewStage_ViewVerdicts => judge_verdicts seen terms of_stages
  | ViewStage_ViewOpen => judge_inputs seen terms of_stages
  | ViewStage_ViewMixing => judge_layers seen terms of_stages
  | ViewStage_ViewDecrypting => judge_decryption seen terms of_stages
  | ViewStage_ViewDone => judge_queries seen terms of_stages posts
  | ViewStage_ViewVoid => seen
  end.

(** Stages that have gone by when a ceremony stands at this one. *)
Definition stages_before (stage : ViewStage) : usize :=
  match stage with
  | ViewStage_ViewDealing => 0
  | ViewStage_ViewVerdicts => 1
  | ViewStage_ViewOpen => 2
  | ViewStage_ViewMixing => 3
  | ViewStage_ViewDecrypting => 4
  | ViewStage_ViewDone => 5
  | ViewStage_ViewVoid => 6
  end.

(** One step of [`view_of_posts`]: judges the stage with this number, if the ceremony has come so
    far. *)
Definition view_of_posts_step
    (seen : CeremonyView)
    (terms : ViewTerms)
    (of_stages posts : Seq ViewPost)
    (i : usize) : CeremonyView :=
  let stage := seen.(view_stage) in
  if stages_before stage =? i then judge_next seen terms of_stages posts stage else seen.

(** What posts say of a ceremony with these terms. *)
Definition view_of_posts (terms : ViewTerms) (posts : Seq ViewPost) : CeremonyView :=
  let of_stages := posts_of_stages posts in
  fold_left
    (fun seen i => view_of_posts_step seen terms of_stages posts i)
    (range 0 6)
    (view_first terms of_stages).

(* Translated from spec/src/mixnet/ceremony_view.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.CeremonyView Base.BytesSafe Mixnet.PostKeySafe Mixnet.CountedPostSafe
  Mixnet.ServersReadSafe Mixnet.AskedViewSafe Mixnet.CeremonyReadSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [view_first] does not panic. *)
Definition view_first_safe (terms : ViewTerms) (posts : Seq ViewPost) : bool :=
  first_faults_safe terms posts && missing_bodies_safe terms posts.

(** When [judge_dealings] does not panic. *)
Definition judge_dealings_safe (seen : CeremonyView) (terms : ViewTerms) (posts : Seq ViewPost) : bool :=
  let none := [] in
  let place := place_of_kind KIND_DEALING in
  server_numbers_safe terms &&
  read_servers_safe ReadRule_ReadAll terms posts place none (server_numbers terms).

(** When [judge_verdicts] does not panic. *)
Definition judge_verdicts_safe (seen : CeremonyView) (terms : ViewTerms) (posts : Seq ViewPost) : bool :=
  let place := place_of_kind KIND_VERDICT in
  let dealers := seen.(view_dealers) in
  server_numbers_safe terms &&
  read_servers_safe ReadRule_ReadAll terms posts place dealers (server_numbers terms) &&
  (let verdicts := read_servers ReadRule_ReadAll terms posts place dealers (server_numbers terms) in
    if verdicts.(read_waits) =? 0 then
      dealers_left_safe terms posts dealers verdicts.(read_accused)
    else
      true).

(** When [judge_closed] does not panic. *)
Definition judge_closed_safe
    (seen : CeremonyView)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (close : ViewPost) : bool :=
  match close.(viewed_flaw) with
  | Some _ => true
  | None => read_inputs_safe terms posts
  end.

(** When [judge_inputs] does not panic. *)
Definition judge_inputs_safe (seen : CeremonyView) (terms : ViewTerms) (posts : Seq ViewPost) : bool :=
  post_at_safe posts KIND_CLOSE [] 0 terms.(terms_organiser) &&
  (match post_at posts KIND_CLOSE [] 0 terms.(terms_organiser) with
    | Some close =>
        is_counted_safe terms close &&
        (if is_counted terms close then judge_closed_safe seen terms posts close else true)
    | None => true
    end).

(** When [judge_layers] does not panic. *)
Definition judge_layers_safe (seen : CeremonyView) (terms : ViewTerms) (posts : Seq ViewPost) : bool :=
  let place := place_of_kind KIND_LAYER in
  let none := [] in
  server_numbers_safe terms &&
  read_servers_safe ReadRule_ReadTurns terms posts place none (server_numbers terms).

(** When [judge_decryption] does not panic. *)
Definition judge_decryption_safe (seen : CeremonyView) (terms : ViewTerms) (posts : Seq ViewPost) : bool :=
  server_numbers_safe terms &&
  (let numbers := server_numbers terms in
    let none := [] in
    let agreeing := place_of_kind KIND_AGREEMENT in
    let sharing := place_of_kind KIND_SHARES in
    read_servers_safe ReadRule_ReadAll terms posts agreeing none numbers &&
    read_servers_safe ReadRule_ReadAll terms posts sharing none numbers).

(** When [judge_queries] does not panic. *)
Definition judge_queries_safe
    (seen : CeremonyView)
    (terms : ViewTerms)
    (of_stages posts : Seq ViewPost) : bool :=
  read_queries_safe terms of_stages &&
  (let queries := read_queries terms of_stages in
    posts_about_safe posts queries.(queries_valid) &&
    (let about := posts_about posts queries.(queries_valid) in
      views_of_queries_safe terms about.(about_posts) queries.(queries_valid) seen.(view_mixers) &&
      (let asked := views_of_queries terms about.(about_posts) queries.(queries_valid) seen.(view_mixers) in
        first_faults_safe terms about.(about_posts) && faults_of_asked_safe asked &&
        missing_bodies_safe terms about.(about_posts)))).

(** When [judge_next] does not panic. *)
Definition judge_next_safe
    (seen : CeremonyView)
    (terms : ViewTerms)
    (of_stages posts : Seq ViewPost)
    (stage : ViewStage) : bool :=
  match stage with
  | ViewStage_ViewDealing => judge_dealings_safe seen terms of_stages
  | ViewStage_ViewVerdicts => judge_verdicts_safe seen terms of_stages
  | ViewStage_ViewOpen => judge_inputs_safe seen terms of_stages
  | ViewStage_ViewMixing => judge_layers_safe seen terms of_stages
  | ViewStage_ViewDecrypting => judge_decryption_safe seen terms of_stages
  | ViewStage_ViewDone => judge_queries_safe seen terms of_stages posts
  | ViewStage_ViewVoid => true
  end.

(** When [view_of_posts_step] does not panic. *)
Definition view_of_posts_step_safe
    (seen : CeremonyView)
    (terms : ViewTerms)
    (of_stages posts : Seq ViewPost)
    (i : usize) : bool :=
  let stage := seen.(view_stage) in
  if stages_before stage =? i then judge_next_safe seen terms of_stages posts stage else true.

(** When [view_of_posts] does not panic. *)
Definition view_of_posts_safe (terms : ViewTerms) (posts : Seq ViewPost) : bool :=
  posts_of_stages_safe posts &&
  (let of_stages := posts_of_stages posts in
    view_first_safe terms of_stages &&
    (loop_safe
        (fun seen i => view_of_posts_step seen terms of_stages posts i)
        (fun seen i => view_of_posts_step_safe seen terms of_stages posts i)
        (range 0 6)
        (view_first terms of_stages))).

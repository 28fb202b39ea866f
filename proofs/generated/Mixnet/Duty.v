(* Translated from spec/src/mixnet/duty.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What a server must post next: a function of the view and of what it has posted.

    Source: docs/mixnet.md, "Ceremonies". *)
From AardvarkSpec Require Export Prelude Base.Bytes Mixnet.PostKey Mixnet.CountedPost Mixnet.ServersRead
  Mixnet.AskedView Mixnet.CeremonyView.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** Something that a server must post. *)
Record ServerDuty : Type := {
  (** Of which kind. *)
  duty_kind : usize;
  (** About which query; empty where about none. *)
  duty_query : ByteString;
}.

#[global] Instance Default_ServerDuty : Default ServerDuty := {| duty_kind := default; duty_query := default |}.

(** ceil((m + t) / 2): so many servers agree on a mix before it is decrypted. *)
Definition mix_quorum (terms : ViewTerms) : usize :=
  (seq_length terms.(terms_servers) + terms.(terms_threshold) + 1) / 2.

(** The duties, and one more that the server has not done. *)
Definition with_duty
    (duties : Seq ServerDuty)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (kind : usize)
    (query : ByteString)
    (number : usize) : Seq ServerDuty :=
  match server_post terms posts kind query number with
  | Some _ => duties
  | None => duties ++ [{| duty_kind := kind; duty_query := query |}]
  end.

(** The kind of a post that is waited for in turn, if it is this server's turn; else 0. *)
Definition kind_in_turn (asked : AskedView) (number kind : usize) : usize :=
  if asked.(asked_turn) =? number then kind else 0.

(** What a query asks of a server: the kind of the post, 0 for nothing. *)
Definition kind_asked (asked : AskedView) (number : usize) : usize :=
  match asked.(asked_stage) with
  | AskedStage_AskedColumn => kind_in_turn asked number KIND_COLUMN
  | AskedStage_AskedZeroTest => kind_in_turn asked number KIND_ZERO_TEST
  | AskedStage_AskedShares => KIND_ANSWER_SHARES
  | _ => 0
  end.

(** One step of [`duties_asked`]. *)
Definition duties_asked_step
    (duties : Seq ServerDuty)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (asked : AskedView)
    (number : usize) : Seq ServerDuty :=
  let kind := kind_asked asked number in
  if kind =? 0 then duties else with_duty duties terms posts kind asked.(asked_id) number.

(** What queries ask of a server. *)
Definition duties_asked
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (asked : Seq AskedView)
    (number : usize) : Seq ServerDuty :=
  fold_left
    (fun duties i => duties_asked_step duties terms posts (seq_at asked i) number)
    (range 0 (seq_length asked))
    [].

(** What a server must post of what it has not posted yet; `seen` is the view of the posts. *)
Definition duties_of
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (seen : CeremonyView)
    (number : usize) : Seq ServerDuty :=
  let none := [] in
  let no_query := [] in
  match seen.(view_stage) with
  | ViewStage_ViewDealing => with_duty none terms posts KIND_DEALING no_query number
  | ViewStage_ViewVerdicts => with_duty none terms posts KIND_VERDICT no_query number
  | ViewStage_ViewMixing =>
      if seen.(view_turn) =? number then with_duty none terms posts KIND_LAYER no_query number else none
  | ViewStage_ViewDecrypting =>
      let agreeing := with_duty none terms posts KIND_AGREEMENT no_query number in
      if mix_quorum terms <=? seq_length seen.(view_agreed) then
        with_duty agreeing terms posts KIND_SHARES no_query number
      else
        agreeing
  | ViewStage_ViewDone => duties_asked terms posts seen.(view_asked) number
  | _ => none
  end.

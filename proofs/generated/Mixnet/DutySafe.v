(* Translated from spec/src/mixnet/duty.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.Duty Base.BytesSafe Mixnet.PostKeySafe Mixnet.CountedPostSafe
  Mixnet.ServersReadSafe Mixnet.AskedViewSafe Mixnet.CeremonyViewSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [mix_quorum] does not panic. *)
Definition mix_quorum_safe (terms : ViewTerms) : bool :=
  within_usize (seq_length terms.(terms_servers) + terms.(terms_threshold)) &&
  within_usize (seq_length terms.(terms_servers) + terms.(terms_threshold) + 1).

(** When [with_duty] does not panic. *)
Definition with_duty_safe
    (duties : Seq ServerDuty)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (kind : usize)
    (query : ByteString)
    (number : usize) : bool :=
  server_post_safe terms posts kind query number.

(** When [duties_asked_step] does not panic. *)
Definition duties_asked_step_safe
    (duties : Seq ServerDuty)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (asked : AskedView)
    (number : usize) : bool :=
  let kind := kind_asked asked number in
  if kind =? 0 then true else with_duty_safe duties terms posts kind asked.(asked_id) number.

(** When [duties_asked] does not panic. *)
Definition duties_asked_safe
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (asked : Seq AskedView)
    (number : usize) : bool :=
  loop_safe
    (fun duties i => duties_asked_step duties terms posts (seq_at asked i) number)
    (fun duties i =>
      (i <? seq_length asked) && duties_asked_step_safe duties terms posts (seq_at asked i) number)
    (range 0 (seq_length asked))
    [].

(** When [duties_of] does not panic. *)
Definition duties_of_safe
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (seen : CeremonyView)
    (number : usize) : bool :=
  let none := [] in
  let no_query := [] in
  match seen.(view_stage) with
  | ViewStage_ViewDealing => with_duty_safe none terms posts KIND_DEALING no_query number
  | ViewStage_ViewVerdicts => with_duty_safe none terms posts KIND_VERDICT no_query number
  | ViewStage_ViewMixing =>
      if seen.(view_turn) =? number then with_duty_safe none terms posts KIND_LAYER no_query number else true
  | ViewStage_ViewDecrypting =>
      with_duty_safe none terms posts KIND_AGREEMENT no_query number &&
      (let agreeing := with_duty none terms posts KIND_AGREEMENT no_query number in
        mix_quorum_safe terms &&
        (if mix_quorum terms <=? seq_length seen.(view_agreed) then
            with_duty_safe agreeing terms posts KIND_SHARES no_query number
          else
            true))
  | ViewStage_ViewDone => duties_asked_safe terms posts seen.(view_asked) number
  | _ => true
  end.

(* Translated from spec/src/mixnet/servers_read.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.ServersRead Base.BytesSafe Mixnet.PostKeySafe Mixnet.CountedPostSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [number_among_step] does not panic. *)
Definition number_among_step_safe (found : bool) (numbers : Seq usize) (i number : usize) : bool :=
  if found then true else i <? seq_length numbers.

(** When [number_among] does not panic. *)
Definition number_among_safe (numbers : Seq usize) (number : usize) : bool :=
  loop_safe
    (fun found i => number_among_step found numbers i number)
    (fun found i => number_among_step_safe found numbers i number)
    (range 0 (seq_length numbers))
    false.

(** When [numbers_among_step] does not panic. *)
Definition numbers_among_step_safe (found : bool) (numbers others : Seq usize) (i : usize) : bool :=
  if found then (i <? seq_length others) && number_among_safe numbers (seq_at others i) else true.

(** When [numbers_among] does not panic. *)
Definition numbers_among_safe (numbers others : Seq usize) : bool :=
  loop_safe
    (fun found i => numbers_among_step found numbers others i)
    (fun found i => numbers_among_step_safe found numbers others i)
    (range 0 (seq_length others))
    true.

(** When [server_numbers_step] does not panic. *)
Definition server_numbers_step_safe (numbers : Seq usize) (i : usize) : bool :=
  within_usize (i + 1).

(** When [server_numbers] does not panic. *)
Definition server_numbers_safe (terms : ViewTerms) : bool :=
  loop_safe
    (fun numbers i => server_numbers_step numbers i)
    (fun numbers i => server_numbers_step_safe numbers i)
    (range 0 (seq_length terms.(terms_servers)))
    [].

(** When [server_author] does not panic. *)
Definition server_author_safe (terms : ViewTerms) (number : usize) : bool :=
  if (0 <? number) && (number <=? seq_length terms.(terms_servers)) then
    (1 <=? number) && (number - 1 <? seq_length terms.(terms_servers))
  else
    true.

(** When [server_post] does not panic. *)
Definition server_post_safe
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (kind : usize)
    (query : ByteString)
    (number : usize) : bool :=
  server_author_safe terms number && post_at_safe posts kind query number (server_author terms number).

(** When [is_absent] does not panic. *)
Definition is_absent_safe (terms : ViewTerms) (posts : Seq ViewPost) (kind number : usize) : bool :=
  if kind_may_be_absent kind then
    within_usize (kind * 256) && within_usize (kind * 256 + number) &&
    post_at_safe posts KIND_ABSENT [] (kind * 256 + number) terms.(terms_organiser) &&
    (match post_at posts KIND_ABSENT [] (kind * 256 + number) terms.(terms_organiser) with
      | Some word => is_counted_safe terms word
      | None => true
      end)
  else
    true.

(** When [server_place] does not panic. *)
Definition server_place_safe
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (kind : usize)
    (query : ByteString)
    (number : usize) : bool :=
  server_post_safe terms posts kind query number &&
  (match server_post terms posts kind query number with
    | None => is_absent_safe terms posts kind number
    | Some written => is_admitted_safe terms written
    end).

(** When [body_flaw] does not panic. *)
Definition body_flaw_safe (written : ViewPost) (dealers : Seq usize) : bool :=
  match written.(viewed_flaw) with
  | Some flaw => true
  | None => numbers_among_safe dealers written.(viewed_accused)
  end.

(** When [read_servers_step] does not panic. *)
Definition read_servers_step_safe
    (found : ServersRead)
    (rule : ReadRule)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (place : PostKey)
    (dealers : Seq usize)
    (number : usize) : bool :=
  if read_ends found rule then
    true
  else
    server_place_safe terms posts place.(post_kind) place.(post_query) number &&
    (match server_place terms posts place.(post_kind) place.(post_query) number with
      | ServerPlace_PlaceWaits => true
      | ServerPlace_PlaceAbsent => true
      | ServerPlace_PlaceFaulty => true
      | ServerPlace_PlaceCounted written => body_flaw_safe written dealers
      end).

(** When [read_servers] does not panic. *)
Definition read_servers_safe
    (rule : ReadRule)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (place : PostKey)
    (dealers order : Seq usize) : bool :=
  loop_safe
    (fun found i => read_servers_step found rule terms posts place dealers (seq_at order i))
    (fun found i =>
      (i <? seq_length order) && read_servers_step_safe found rule terms posts place dealers (seq_at order i))
    (range 0 (seq_length order))
    {| read_valid := []; read_faults := []; read_waits := 0; read_stopped := false; read_accused := [] |}.

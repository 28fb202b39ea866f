(* Translated from spec/src/mixnet/servers_read.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What servers' posts of one kind come to: whose are valid, which are faulty, who is waited for.

    Source: docs/mixnet.md, "Ceremonies". *)
From AardvarkSpec Require Export Prelude Base.Bytes Mixnet.PostKey Mixnet.CountedPost.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** In which way servers are waited for. *)
Inductive ReadRule : Type :=
(** All post at once. *)
| ReadRule_ReadAll
(** Each in its turn; whose post is false is passed over. *)
| ReadRule_ReadTurns
(** Each in its turn; a false post ends it. *)
| ReadRule_ReadStops.

(** What there is of a server's in a place. *)
Inductive ServerPlace : Type :=
(** Nothing that can be judged yet. *)
| ServerPlace_PlaceWaits
(** Nothing, and nothing is waited for: the server is declared absent. *)
| ServerPlace_PlaceAbsent
(** A post that fails the first checks. *)
| ServerPlace_PlaceFaulty
(** A post whose body is to be judged. *)
| ServerPlace_PlaceCounted (_ : ViewPost).

(** What was read of the servers' posts of one kind. *)
Record ServersRead : Type := {
  (** The servers whose posts are valid, in the order in which they were read. *)
  read_valid : Seq usize;
  (** What is wrong with the others' bodies. *)
  read_faults : Seq PostFault;
  (** The first server that is waited for; 0 where none is. *)
  read_waits : usize;
  (** Whether a false post ended it. *)
  read_stopped : bool;
  (** The dealers that valid verdicts convict. *)
  read_accused : Seq usize;
}.

(** One step of [`number_among`]. *)
Definition number_among_step (found : bool) (numbers : Seq usize) (i number : usize) : bool :=
  found || (seq_at numbers i =? number).

(** Whether a number is among these. *)
Definition number_among (numbers : Seq usize) (number : usize) : bool :=
  fold_left (fun found i => number_among_step found numbers i number) (range 0 (seq_length numbers)) false.

(** One step of [`numbers_among`]. *)
Definition numbers_among_step (found : bool) (numbers others : Seq usize) (i : usize) : bool :=
  found && number_among numbers (seq_at others i).

(** Whether all of the others are among these numbers. *)
Definition numbers_among (numbers others : Seq usize) : bool :=
  fold_left (fun found i => numbers_among_step found numbers others i) (range 0 (seq_length others)) true.

(** One step of [`server_numbers`]. *)
Definition server_numbers_step (numbers : Seq usize) (i : usize) : Seq usize :=
  numbers ++ [i + 1].

(** The numbers of the servers. *)
Definition server_numbers (terms : ViewTerms) : Seq usize :=
  fold_left (fun numbers i => server_numbers_step numbers i) (range 0 (seq_length terms.(terms_servers))) [].

(** The key of the server with this number; no bytes where there is none. *)
Definition server_author (terms : ViewTerms) (number : usize) : ByteString :=
  if (0 <? number) && (number <=? seq_length terms.(terms_servers)) then
    seq_at terms.(terms_servers) (number - 1)
  else
    [].

(** The post of a server of a kind, about this query. *)
Definition server_post
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (kind : usize)
    (query : ByteString)
    (number : usize) : Option ViewPost :=
  post_at posts kind query number (server_author terms number).

(** Whether the organiser says that a server's post of a kind is not waited for. *)
Definition is_absent (terms : ViewTerms) (posts : Seq ViewPost) (kind number : usize) : bool :=
  if kind_may_be_absent kind then
    match post_at posts KIND_ABSENT [] (kind * 256 + number) terms.(terms_organiser) with
    | Some word => is_counted terms word
    | None => false
    end
  else
    false.

(** What there is of a server's of a kind, about this query. *)
Definition server_place
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (kind : usize)
    (query : ByteString)
    (number : usize) : ServerPlace :=
  match server_post terms posts kind query number with
  | None => if is_absent terms posts kind number then ServerPlace_PlaceAbsent else ServerPlace_PlaceWaits
  | Some written =>
      if negb (is_admitted terms written) then
        ServerPlace_PlaceFaulty
      else if negb written.(viewed_at_hand) then
        ServerPlace_PlaceWaits
      else
        ServerPlace_PlaceCounted written
  end.

(** What is wrong with the body of a post, where these dealings are valid. *)
Definition body_flaw (written : ViewPost) (dealers : Seq usize) : Option PostFlaw :=
  match written.(viewed_flaw) with
  | Some flaw => Some flaw
  | None =>
      if numbers_among dealers written.(viewed_accused) then None else Some PostFlaw_FlawComplaintUnfounded
  end.

(** What was read, and a server is waited for. *)
Definition read_waiting (found : ServersRead) (number : usize) : ServersRead :=
  {| read_valid := found.(read_valid);
    read_faults := found.(read_faults);
    read_waits := if found.(read_waits) =? 0 then number else found.(read_waits);
    read_stopped := found.(read_stopped);
    read_accused := found.(read_accused) |}.

(** What was read, and a post that fails the first checks, or whose body is false: `flaw` says how. *)
Definition read_false (found : ServersRead) (faults : Seq PostFault) : ServersRead :=
  {| read_valid := found.(read_valid);
    read_faults := faults;
    read_waits := found.(read_waits);
    read_stopped := true;
    read_accused := found.(read_accused) |}.

(** What was read, and a valid post of a server. *)
Definition read_valid_post (found : ServersRead) (number : usize) (written : ViewPost) : ServersRead :=
  {| read_valid := found.(read_valid) ++ [number];
    read_faults := found.(read_faults);
    read_waits := found.(read_waits);
    read_stopped := found.(read_stopped);
    read_accused := found.(read_accused) ++ written.(viewed_accused) |}.

(** What was read, and a post whose body was judged. *)
Definition read_judged
    (found : ServersRead)
    (number : usize)
    (written : ViewPost)
    (flaw : Option PostFlaw) : ServersRead :=
  match flaw with
  | None => read_valid_post found number written
  | Some _ =>
      let faults := with_fault found.(read_faults) written flaw in
      read_false found faults
  end.

(** Whether nothing behind what was read is looked at. *)
Definition read_ends (found : ServersRead) (rule : ReadRule) : bool :=
  match rule with
  | ReadRule_ReadAll => false
  | ReadRule_ReadTurns => negb (found.(read_waits) =? 0)
  | ReadRule_ReadStops => (negb (found.(read_waits) =? 0)) || found.(read_stopped)
  end.

(** One step of [`read_servers`]. *)
Definition read_servers_step
    (found : ServersRead)
    (rule : ReadRule)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (place : PostKey)
    (dealers : Seq usize)
    (number : usize) : ServersRead :=
  if read_ends found rule then
    found
  else
    match server_place terms posts place.(post_kind) place.(post_query) number with
    | ServerPlace_PlaceWaits => read_waiting found number
    | ServerPlace_PlaceAbsent => found
    | ServerPlace_PlaceFaulty =>
        let faults := found.(read_faults) in
        read_false found faults
    | ServerPlace_PlaceCounted written => read_judged found number written (body_flaw written dealers)
    end.

(** What these servers' posts of a kind come to, where these dealings are valid. `place` says the
    kind, and the query that they are about. *)
Definition read_servers
    (rule : ReadRule)
    (terms : ViewTerms)
    (posts : Seq ViewPost)
    (place : PostKey)
    (dealers order : Seq usize) : ServersRead :=
  fold_left
    (fun found i => read_servers_step found rule terms posts place dealers (seq_at order i))
    (range 0 (seq_length order))
    {| read_valid := []; read_faults := []; read_waits := 0; read_stopped := false; read_accused := [] |}.

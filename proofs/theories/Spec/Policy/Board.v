(** The policy `board`.

    - [posts_written_once]: a transaction that passes and is applied changes and deletes nothing that was there;
    - [posts_admitted]: each pair that it puts is a post in a ceremony of a listed organiser, to be signed by that organiser
      or behind the requirement of an admission that the organiser has to have signed. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.KeyMap Block.Rejection Block.Operation
  Block.Transaction Block.Map Mixnet.PostKey Mixnet.PostValue Policy.PolicyReason Policy.Signers Policy.Board.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.KeyMap Safety.BoundsSafe
  Spec.Mixnet.PostKey Spec.Policy.Signers.
From Aardvark Require Spec.Policy.Accounts.
Import ListNotations.
Local Open Scope N_scope.

Lemma still_true : forall A (f : bool -> A -> bool) l a, (forall acc i, f acc i = true -> acc = true) ->
  fold_left f l a = true -> a = true.
Proof. intros A f l. induction l as [|i l IH]; intros a H E; [exact E|]. exact (H _ _ (IH _ H E)). Qed.

Lemma expect_board_ok : forall condition reason u, expect_board condition reason = Ok u -> condition = true.
Proof. intros [] reason u E; [reflexivity|discriminate]. Qed.

(** Gates that are required hold the post's own key. *)
Lemma own_gate_required : forall items first key, gates_required items first (post_gates key) = true ->
  exists op, In op items /\ action op = Action_RequireAbsent /\ operation_key op = encode_post_key key.
Proof.
  intros items first key E. unfold gates_required in E.
  assert (own : exists rest, post_gates key = key :: rest).
  { unfold post_gates. destruct (post_kind key =? KIND_INPUT); [|destruct (kind_may_be_absent (post_kind key))];
      cbn [app]; eexists; reflexivity. }
  destruct own as (rest & own). rewrite own in E. rewrite range_cons in E by (rewrite seq_length_cons; lia).
  cbn [fold_left] in E. apply still_true in E.
  - unfold gates_required_step in E. rewrite !andb_true_iff in E. destruct E as ((_ & L) & E). apply N.ltb_lt in L.
    rewrite seq_at_cons_zero in E. exists (seq_at items (first + 0)). split; [now apply seq_at_in|].
    unfold requires_absence in E. destruct (action _); try discriminate. split; [reflexivity|now apply bytes_equal_iff].
  - intros acc i H. unfold gates_required_step in H. rewrite !andb_true_iff in H. tauto.
Qed.

Lemma board_post_ok : forall key_bytes value_bytes written, of_bytes key_bytes -> board_post key_bytes value_bytes = Ok written ->
  key_bytes = encode_post_key (board_key written).
Proof.
  intros k v written O E. unfold board_post in E. destruct (decode_post_key k) as [key|] eqn:D; [|discriminate].
  destruct (decode_post_value v); [|discriminate]. injection E as <-. exact (proj2 (proj1 (decode_post_key_iff k key O) D)).
Qed.

Section Board.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What was read of the first operations. *)
Definition read_first (organisers : list ByteString) (items : list Operation) (count : N) : Result BoardReading PolicyReason :=
  fold_left (fun reading j => read_board_step reading organisers (seq_at items j)) (range 0 count)
    (Ok {| read_posts := []; read_requirements := [] |}).

Lemma read_first_next : forall organisers items j,
  read_first organisers items (j + 1) = read_board_step (read_first organisers items j) organisers (seq_at items j).
Proof. intros. unfold read_first. rewrite range_snoc by lia. now rewrite fold_left_app. Qed.

Lemma check_board_read : forall organisers tx keys, check_board organisers tx keys = Ok tt ->
  exists reading, read_first organisers (operations tx) (seq_length (operations tx)) = Ok reading /\ read_requirements reading = [].
Proof.
  intros organisers tx keys E. unfold check_board in E. destruct (expect_board _ _); [|discriminate].
  unfold board_posts, read_board in E. unfold read_first. destruct (fold_left _ _ _) as [reading|]; [|discriminate].
  destruct (expect_board _ _) eqn:W; [|discriminate]. apply expect_board_ok in W. rewrite andb_true_iff, !N.eqb_eq in W.
  exists reading. split; [reflexivity|]. destruct (read_requirements reading); [reflexivity|]. rewrite seq_length_cons in W. lia.
Qed.

Theorem posts_written_once : forall organisers tx keys before x after k v,
  Forall (fun op => of_bytes (operation_key op)) (operations tx) ->
  check_board organisers tx keys = Ok tt ->
  map_operations before (operations tx) x = Ok after ->
  key_map_get before k = Some v -> key_map_get after k = Some v.
Proof.
  intros organisers tx keys before x after k v O C E V. destruct (check_board_read _ _ _ C) as (last & R & _).
  set (items := operations tx) in *.
  cut (forall reading, read_first organisers items (seq_length items) = Ok reading -> key_map_get after k = Some v /\
    forall op, In op (read_requirements reading) -> action op = Action_RequireAbsent -> key_map_get after (operation_key op) = None).
  { intros H. exact (proj1 (H _ R)). }
  apply (Accounts.map_operations_invariant (fun j entries => forall reading, read_first organisers items j = Ok reading ->
    key_map_get entries k = Some v /\
    forall op, In op (read_requirements reading) -> action op = Action_RequireAbsent -> key_map_get entries (operation_key op) = None)
    items before x after E).
  { intros reading Q. injection Q as <-. split; [exact V|intros op []]. }
  intros j entries content L P A reading Q. rewrite read_first_next in Q.
  destruct (read_first organisers items j) as [so_far|]; [|discriminate]. destruct (P _ eq_refl) as (Pk & Pr). clear P.
  assert (Oj : of_bytes (operation_key (seq_at items j))).
  { rewrite Forall_forall in O. apply O, seq_at_in, L. }
  cbn [read_board_step] in Q. unfold read_board_operation in Q. destruct (seq_at items j) as [key act]. cbn [operation_key action] in *.
  destruct act as [|required|written| |amount|amount]; try discriminate; cbn [run_action] in A.
  - unfold run_require in A. destruct (contents_equal _ _) eqn:Same; [|discriminate]. injection A as <-. injection Q as <-.
    apply contents_equal_iff in Same. assert (Keep : forall q, key_map_get (key_map_put entries key (key_map_get entries key)) q = key_map_get entries q).
    { intros q. rewrite key_map_get_put. destruct (bytes_equal key q) eqn:B; [|reflexivity]. apply bytes_equal_iff in B. now subst q. }
    split; [now rewrite Keep|]. intros op I Ab. rewrite Keep. cbn [read_requirements with_requirement] in I. apply in_app_or in I.
    destruct I as [I|[<-|[]]]; [now apply Pr|]. exact Same.
  - unfold run_require in A. destruct (contents_equal _ _) eqn:Same; [|discriminate]. injection A as <-. injection Q as <-.
    assert (Keep : forall q, key_map_get (key_map_put entries key (key_map_get entries key)) q = key_map_get entries q).
    { intros q. rewrite key_map_get_put. destruct (bytes_equal key q) eqn:B; [|reflexivity]. apply bytes_equal_iff in B. now subst q. }
    split; [now rewrite Keep|]. intros op I Ab. rewrite Keep. cbn [read_requirements with_requirement] in I. apply in_app_or in I.
    destruct I as [I|[<-|[]]]; [now apply Pr|]. discriminate.
  - injection A as <-. unfold with_post in Q. destruct (board_post key written) as [post|] eqn:Post; [|discriminate].
    apply board_post_ok in Post; [|exact Oj]. destruct (check_board_post _ _ _) as [checked|] eqn:Ch; [|discriminate].
    injection Q as <-. split; [|intros op []].
    unfold check_board_post in Ch. cbv zeta in Ch. destruct (expect_board _ _); [|discriminate]. destruct (expect_board _ _); [|discriminate].
    destruct (admissions_of _ _); [|discriminate]. destruct (expect_board (gates_required _ _ _) _) eqn:G; [|discriminate].
    apply expect_board_ok in G. apply own_gate_required in G. destruct G as (op & I & Ab & K).
    specialize (Pr op I Ab). rewrite K, <- Post in Pr. rewrite key_map_get_put. destruct (bytes_equal key k) eqn:B; [|exact Pk].
    apply bytes_equal_iff in B. subst k. congruence.
Qed.

(** What stands behind a pair that a transaction puts. *)
Definition admitted (organisers : list ByteString) (items : list Operation) (op : Operation) : Prop :=
  forall written, action op = Action_Put written ->
  exists post, board_post (operation_key op) written = Ok post /\ In (post_organiser (board_key post)) organisers /\
    (if kind_of_organiser (post_kind (board_key post)) then post_signer (board_key post) = post_organiser (board_key post)
     else exists admission required, In admission items /\ action admission = Action_RequireValue required /\
       operation_key admission = encode_post_key (admission_key (board_key post))).

Theorem posts_admitted : forall organisers tx keys op,
  check_board organisers tx keys = Ok tt -> In op (operations tx) -> admitted organisers (operations tx) op.
Proof.
  intros organisers tx keys op C I. destruct (check_board_read _ _ _ C) as (last & R & _). set (items := operations tx) in *.
  cut (forall reading, read_first organisers items (seq_length items) = Ok reading ->
    (forall i, i < seq_length items -> admitted organisers items (seq_at items i)) /\
    forall required, In required (read_requirements reading) -> In required items).
  { intros H. destruct (H _ R) as (A & _). destruct (In_nth items op default I) as (n & L & <-).
    specialize (A (N.of_nat n)). unfold seq_at in A. rewrite Nnat.Nat2N.id in A. apply A. unfold seq_length. lia. }
  unfold read_first. apply (loop_invariant _ (fun j reading => forall so_far, reading = Ok so_far ->
    (forall i, i < j -> admitted organisers items (seq_at items i)) /\
    forall required, In required (read_requirements so_far) -> In required items)); [lia| |].
  { intros so_far Q. injection Q as <-. split; [intros i L; lia|intros required []]. }
  intros j reading Hj P so_far Q. destruct reading as [before|]; [|discriminate]. destruct (P _ eq_refl) as (Pa & Pr). clear P.
  assert (Ij : In (seq_at items j) items) by (apply seq_at_in; lia).
  assert (Next : admitted organisers items (seq_at items j) -> forall i, i < j + 1 -> admitted organisers items (seq_at items i)).
  { intros A i L. destruct (N.eq_dec i j) as [->|N]; [exact A|apply Pa; lia]. }
  cbn [read_board_step] in Q. unfold read_board_operation in Q. destruct (action (seq_at items j)) as [|required|written| |amount|amount] eqn:Act;
    try discriminate.
  - injection Q as <-. split; [apply Next; intros w E; congruence|]. cbn [read_requirements with_requirement]. intros q H.
    apply in_app_or in H. destruct H as [H|[<-|[]]]; [now apply Pr|exact Ij].
  - injection Q as <-. split; [apply Next; intros w E; congruence|]. cbn [read_requirements with_requirement]. intros q H.
    apply in_app_or in H. destruct H as [H|[<-|[]]]; [now apply Pr|exact Ij].
  - unfold with_post in Q. destruct (board_post _ _) as [post|] eqn:Post; [|discriminate].
    destruct (check_board_post _ _ _) as [checked|] eqn:Ch; [|discriminate]. injection Q as <-. split; [|intros q []].
    apply Next. intros w E. assert (w = written) by congruence. subst w. exists post. split; [exact Post|].
    unfold check_board_post in Ch. cbv zeta in Ch. destruct (expect_board (is_listed _ _) _) eqn:Li; [|discriminate].
    apply expect_board_ok, is_listed_in in Li. split; [exact Li|]. destruct (expect_board (post_in_place _) _) eqn:Pl; [|discriminate].
    apply expect_board_ok in Pl. unfold post_in_place in Pl. destruct (admissions_of _ _) as [admissions|] eqn:Ad; [|discriminate].
    unfold admissions_of in Ad. destruct (kind_of_organiser _); [now apply bytes_equal_iff|].
    destruct (N.eqb_spec (seq_length (read_requirements before)) 0) as [|N]; [discriminate|].
    assert (I0 : In (seq_at (read_requirements before) 0) (read_requirements before)) by (apply seq_at_in; lia).
    destruct (admission_required _ _) as [shown|] eqn:Re; [|discriminate]. unfold admission_required in Re.
    destruct (action (seq_at (read_requirements before) 0)) as [|pinned| | | |] eqn:A0; try discriminate.
    destruct (bytes_equal _ _) eqn:B; [|discriminate]. apply bytes_equal_iff in B.
    exists (seq_at (read_requirements before) 0), pinned. split; [now apply Pr|]. split; [exact A0|exact B].
Qed.

End Board.

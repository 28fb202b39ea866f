(** The policy `board`.

    - [checked_post]: what is asked of a post, behind its requirements;
    - [posts_admitted]: each pair that a transaction puts is a post in a ceremony of a listed organiser, to be signed by that
      organiser or behind the requirement of an admission that the organiser has to have signed;
    - [posts_applied]: a transaction that passes and is applied changes and deletes nothing that was there, and each pair that
      is there afterwards was there before, or is a post whose author's admission is there too;
    - [states_keep_posts]: so it is after transactions one after the other. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.KeyMap Block.Rejection Block.Operation
  Block.Transaction Block.Map Mixnet.PostKey Mixnet.PostValue Policy.PolicyReason Policy.Signers Policy.Board Policy.CheckPolicy.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.KeyMap Safety.BoundsSafe
  Spec.Mixnet.PostKey Spec.Policy.Signers Spec.Policy.CheckPolicy.
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
  fits_post_key (board_key written) /\ key_bytes = encode_post_key (board_key written).
Proof.
  intros k v written O E. unfold board_post in E. destruct (decode_post_key k) as [key|] eqn:D; [|discriminate].
  destruct (decode_post_value v); [|discriminate]. injection E as <-. exact (proj1 (decode_post_key_iff k key O) D).
Qed.

(** An author's admission is a post's key. *)
Lemma admission_key_fits : forall key, fits_post_key key -> kind_of_organiser (post_kind key) = false -> post_in_place key = true ->
  fits_post_key (admission_key key).
Proof.
  intros key (O & C & _ & _ & _ & _ & W) Kind Place. unfold post_in_place in Place. rewrite Kind in Place.
  assert (L : admitted_as key <= ADMITTED_QUERIER).
  { unfold admitted_as. revert Place. destruct (post_kind key =? KIND_INPUT); [discriminate|].
    destruct (post_kind key =? KIND_QUERY); [discriminate|]. destruct (post_kind key =? KIND_OPENING); [discriminate|]. cbn [orb].
    intros [_ Below]%andb_true_iff. apply N.ltb_lt in Below. lia. }
  unfold fits_post_key, admission_key. cbn [post_organiser post_ceremony post_kind post_query post_sequence post_author].
  split; [exact O|]. split; [exact C|]. split; [reflexivity|]. split; [reflexivity|].
  split; [unfold ADMITTED_QUERIER in L; change (2 ^ 16) with 65536; lia|]. split; [now apply N.leb_le|exact W].
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

(** The admission of a post's author, as an operation requires it. *)
Definition admission_among (items : list Operation) (key : PostKey) (shown : BoardPost) : Prop :=
  exists op required, In op items /\ action op = Action_RequireValue required /\ operation_key op = encode_post_key (admission_key key) /\
    board_post (operation_key op) required = Ok shown.

Lemma checked_post : forall organisers items written checked, check_board_post organisers items written = Ok checked ->
  In (post_organiser (board_key written)) organisers /\ post_in_place (board_key written) = true /\ In written checked /\
  (exists op, In op items /\ action op = Action_RequireAbsent /\ operation_key op = encode_post_key (board_key written)) /\
  if kind_of_organiser (post_kind (board_key written)) then post_signer (board_key written) = post_organiser (board_key written)
  else exists shown, admission_among items (board_key written) shown /\ In shown checked.
Proof.
  intros organisers items written checked E. unfold check_board_post in E. cbv zeta in E.
  destruct (expect_board (is_listed _ _) _) eqn:Li; [|discriminate]. apply expect_board_ok, is_listed_in in Li. split; [exact Li|].
  destruct (expect_board (post_in_place _) _) eqn:Pl; [|discriminate]. apply expect_board_ok in Pl. split; [exact Pl|].
  destruct (admissions_of _ _) as [admissions|] eqn:Ad; [|discriminate]. destruct (expect_board (gates_required _ _ _) _) eqn:G; [|discriminate].
  injection E as <-. split; [apply in_or_app; right; now left|].
  split; [exact (own_gate_required _ _ _ (expect_board_ok _ _ _ G))|].
  unfold post_in_place in Pl. unfold admissions_of in Ad. destruct (kind_of_organiser _); [now apply bytes_equal_iff|].
  destruct (N.eqb_spec (seq_length items) 0) as [|N]; [discriminate|].
  destruct (admission_required _ _) as [shown|] eqn:Re; [|discriminate]. injection Ad as <-. exists shown.
  split; [|now left]. unfold admission_required in Re. exists (seq_at items 0).
  destruct (action (seq_at items 0)) as [|required| | | |]; try discriminate. destruct (bytes_equal _ _) eqn:B; [|discriminate].
  apply bytes_equal_iff in B. exists required. split; [apply seq_at_in; lia|]. auto.
Qed.

Lemma public_keys_counted : forall signed_by, seq_length (public_keys_of signed_by) = seq_length signed_by.
Proof.
  intros signed_by. unfold public_keys_of. rewrite (loop_over_elements _ _ _ public_keys_of_step).
  assert (G : forall found, seq_length (fold_left public_keys_of_step signed_by found) = seq_length found + seq_length signed_by).
  { induction signed_by as [|s signed_by IH]; intros found; [now rewrite seq_length_nil, N.add_0_r|]. cbn [fold_left].
    rewrite IH. unfold public_keys_of_step. rewrite seq_length_app, !seq_length_cons, seq_length_nil. lia. }
  apply G.
Qed.

(** What was read of all operations of a transaction that passes. *)
Lemma check_board_read : forall organisers tx keys, check_board organisers tx keys = Ok tt ->
  exists reading, read_first organisers (operations tx) (seq_length (operations tx)) = Ok reading /\
    board_posts organisers tx = Ok (read_posts reading).
Proof.
  intros organisers tx keys E. unfold check_board in E. destruct (expect_board _ _); [|discriminate].
  destruct (board_posts organisers tx) as [posts|] eqn:B; [|discriminate]. unfold board_posts, read_board in B. unfold read_first.
  destruct (fold_left _ _ _) as [reading|]; [|discriminate]. destruct (expect_board _ _); [|discriminate]. injection B as <-.
  exists reading. split; reflexivity.
Qed.

(** What stands behind a pair that a transaction puts. *)
Definition admitted (organisers : list ByteString) (items : list Operation) (op : Operation) : Prop :=
  forall written, action op = Action_Put written ->
  exists post, board_post (operation_key op) written = Ok post /\ In (post_organiser (board_key post)) organisers /\
    (if kind_of_organiser (post_kind (board_key post)) then post_signer (board_key post) = post_organiser (board_key post)
     else exists shown, admission_among items (board_key post) shown).

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
  1,2: injection Q as <-; split; [apply Next; intros w E; congruence|]; cbn [read_requirements with_requirement]; intros q H;
    apply in_app_or in H; destruct H as [H|[<-|[]]]; [now apply Pr|exact Ij].
  unfold with_post in Q. destruct (board_post _ _) as [post|] eqn:Post; [|discriminate].
  destruct (check_board_post _ _ _) as [checked|] eqn:Ch; [|discriminate]. injection Q as <-. split; [|intros q []].
  apply Next. intros w E. assert (w = written) by congruence. subst w. exists post. split; [exact Post|].
  destruct (checked_post _ _ _ _ Ch) as (Li & _ & _ & _ & Ad). split; [exact Li|]. destruct (kind_of_organiser _); [exact Ad|].
  destruct Ad as (shown & (op' & required & I' & A') & _). exists shown, op', required. split; [now apply Pr|exact A'].
Qed.

(** ** Maps of posts *)

(** A post that stands in a map under this key: signed, in a ceremony of a listed organiser, and the organiser's own, or the
    organiser's admission of its author stands there too, and is signed. An admission's signer is the organiser. *)
Record post_stands (organisers : list ByteString) (signed : BoardPost -> Prop) (entries : KeyMap) (k v : ByteString)
    (post : BoardPost) : Prop := {
  stands_read : board_post k v = Ok post;
  stands_signed : signed post;
  stands_listed : In (post_organiser (board_key post)) organisers;
  stands_admitted :
    if kind_of_organiser (post_kind (board_key post)) then post_signer (board_key post) = post_organiser (board_key post)
    else exists admission required shown, key_map_get entries admission = Some required /\ board_post admission required = Ok shown /\
      board_key shown = admission_key (board_key post) /\ signed shown;
}.

(** Each pair is a post that stands there. *)
Definition board_kept (organisers : list ByteString) (signed : BoardPost -> Prop) (entries : KeyMap) : Prop :=
  forall k v, key_map_get entries k = Some v -> exists post, post_stands organisers signed entries k v post.

(** What is in a map is in another one. *)
Definition stays (before after : KeyMap) : Prop := forall k v, key_map_get before k = Some v -> key_map_get after k = Some v.

Lemma stands_later : forall organisers (signed signed' : BoardPost -> Prop) entries entries' k v post,
  (forall any, signed any -> signed' any) -> stays entries entries' ->
  post_stands organisers signed entries k v post -> post_stands organisers signed' entries' k v post.
Proof.
  intros organisers signed signed' entries entries' k v post S K [R G L A]. constructor; auto. destruct (kind_of_organiser _); [exact A|].
  destruct A as (admission & required & shown & E & B & C & D). exists admission, required, shown. auto.
Qed.

(** What has been applied of a transaction. *)
Record applied_so_far (organisers : list ByteString) (before entries : KeyMap) (reading : BoardReading) : Prop := {
  applied_stays : stays before entries;
  applied_stands : forall k v, key_map_get entries k = Some v ->
    key_map_get before k = Some v \/ exists post, post_stands organisers (fun any => In any (read_posts reading)) entries k v post;
  applied_required : forall op, In op (read_requirements reading) -> of_bytes (operation_key op) /\
    match action op with
    | Action_RequireAbsent => key_map_get entries (operation_key op) = None
    | Action_RequireValue required => key_map_get entries (operation_key op) = Some required
    | _ => True
    end;
}.

Lemma same_content : forall entries k q, key_map_get (key_map_put entries k (key_map_get entries k)) q = key_map_get entries q.
Proof.
  intros entries k q. rewrite key_map_get_put. destruct (bytes_equal k q) eqn:B; [|reflexivity]. apply bytes_equal_iff in B. now subst q.
Qed.

(** A requirement changes nothing. *)
Lemma requirement_applied : forall organisers before entries reading op required,
  applied_so_far organisers before entries reading -> of_bytes (operation_key op) ->
  key_map_get entries (operation_key op) = required ->
  action op = match required with None => Action_RequireAbsent | Some v => Action_RequireValue v end ->
  applied_so_far organisers before (key_map_put entries (operation_key op) required) (with_requirement reading op).
Proof.
  intros organisers before entries reading op required [S T R] O <- A. pose proof (same_content entries (operation_key op)) as Same.
  constructor.
  - intros k v E. rewrite Same. now apply S.
  - intros k v E. rewrite Same in E. destruct (T _ _ E) as [B|(post & P)]; [now left|]. right. exists post.
    eapply stands_later; [| |exact P]; [intros any I; exact I|]. intros k' v' E'. now rewrite Same.
  - intros q I. cbn [read_requirements with_requirement] in I. rewrite Same. apply in_app_or in I. destruct I as [I|[<-|[]]]; [now apply R|].
    split; [exact O|]. rewrite A. destruct (key_map_get entries (operation_key op)) eqn:G; reflexivity.
Qed.

(** A put writes a post where nothing stood. *)
Lemma put_applied : forall organisers before entries reading reading' k v,
  applied_so_far organisers before entries reading -> of_bytes k -> with_post reading organisers k v = Ok reading' ->
  applied_so_far organisers before (key_map_put entries k (Some v)) reading'.
Proof.
  intros organisers before entries reading reading' k v [S T R] O E. unfold with_post in E.
  destruct (board_post k v) as [post|] eqn:Post; [|discriminate]. destruct (board_post_ok _ _ _ O Post) as (Fit & Key).
  destruct (check_board_post _ _ _) as [checked|] eqn:Ch; [|discriminate]. injection E as <-.
  destruct (checked_post _ _ _ _ Ch) as (Li & Pl & Ic & (gate & Ig & Ag & Kg) & Ad).
  assert (Free : key_map_get entries k = None).
  { destruct (R _ Ig) as (_ & G). rewrite Ag, Kg, <- Key in G. exact G. }
  assert (Later : stays entries (key_map_put entries k (Some v))).
  { intros q w G. rewrite key_map_get_put. destruct (bytes_equal k q) eqn:B; [|exact G]. apply bytes_equal_iff in B. congruence. }
  constructor; [intros q w G; now apply Later, S| |intros op []]. cbn [read_posts].
  intros q w G. rewrite key_map_get_put in G. destruct (bytes_equal k q) eqn:B.
  - apply bytes_equal_iff in B. subst q. injection G as ->. right. exists post.
    constructor; [exact Post|apply in_or_app; right; exact Ic|exact Li|].
    destruct (kind_of_organiser _) eqn:Kind; [exact Ad|]. destruct Ad as (shown & (op & required & I & A & K & Re) & Is).
    destruct (R _ I) as (Oo & G). rewrite A in G. exists (operation_key op), required, shown.
    split; [now apply Later|]. split; [exact Re|]. split; [|apply in_or_app; right; exact Is].
    destruct (board_post_ok _ _ _ Oo Re) as (Fits & Ks). apply post_key_injective; [exact Fits|now apply admission_key_fits|congruence].
  - destruct (T _ _ G) as [Was|(other & P)]; [now left|]. right. exists other. eapply stands_later; [|exact Later|exact P].
    intros any I. apply in_or_app. now left.
Qed.

Lemma operations_applied : forall organisers items before x after,
  Forall (fun op => of_bytes (operation_key op)) items -> map_operations before items x = Ok after ->
  forall reading, read_first organisers items (seq_length items) = Ok reading -> applied_so_far organisers before after reading.
Proof.
  intros organisers items before x after O E. apply (Accounts.map_operations_invariant (fun j entries => forall reading,
    read_first organisers items j = Ok reading -> applied_so_far organisers before entries reading) items before x after E).
  { intros reading Q. injection Q as <-. constructor; [intros k v G; exact G|intros k v G; now left|intros op []]. }
  intros j entries content L P A reading Q. rewrite read_first_next in Q.
  destruct (read_first organisers items j) as [so_far|]; [|discriminate]. specialize (P _ eq_refl).
  assert (Oj : of_bytes (operation_key (seq_at items j))).
  { rewrite Forall_forall in O. apply O, seq_at_in, L. }
  cbn [read_board_step] in Q. unfold read_board_operation in Q.
  destruct (action (seq_at items j)) as [|required|written| |amount|amount] eqn:Act; try discriminate; cbn [run_action] in A.
  - unfold run_require in A. destruct (contents_equal _ _) eqn:Same; [|discriminate]. injection A as <-. injection Q as <-.
    apply contents_equal_iff in Same. rewrite Same. now apply requirement_applied.
  - unfold run_require in A. destruct (contents_equal _ _) eqn:Same; [|discriminate]. injection A as <-. injection Q as <-.
    apply contents_equal_iff in Same. rewrite Same. now apply requirement_applied.
  - injection A as <-. now apply (put_applied organisers before entries so_far).
Qed.

(** ** Transactions that the policy lets pass *)

(** Exactly posts that may be written pass, which nobody signs as a transaction. *)
Theorem board_passes_iff : forall organisers tx signed_by brought,
  check_policy (Policy_PolicyBoard organisers) tx signed_by brought = Ok tt <->
  (exists posts, board_posts organisers tx = Ok posts) /\ signed_by = [] /\ brought = [].
Proof.
  intros organisers tx signed_by brought. rewrite check_policy_iff, uncertified_iff by discriminate. cbn [check_signed].
  unfold check_board. rewrite public_keys_counted.
  destruct signed_by as [|signer signed_by].
  - cbn [expect_board seq_length]. destruct (board_posts organisers tx) as [posts|why]; cbn; split.
    + intros [_ B]. split; [now exists posts|auto].
    + intros (_ & _ & B). auto.
    + intros [H _]. discriminate H.
    + intros ((posts & H) & _). discriminate H.
  - rewrite seq_length_cons. replace (seq_length signed_by + 1 =? 0) with false by (symmetry; apply N.eqb_neq; lia).
    split; [intros [H _]; discriminate H|intros (_ & H & _); discriminate H].
Qed.

Variables (organisers : list ByteString) (signed : BoardPost -> Prop).

(** A transaction that the policy lets pass, with what has to be signed: its posts, and the admissions that they require. *)
Definition board_allowed (tx : Transaction) : Prop :=
  exists signed_by brought, Forall (fun op => of_bytes (operation_key op)) (operations tx) /\
    check_policy (Policy_PolicyBoard organisers) tx signed_by brought = Ok tt /\
    forall posts, board_posts organisers tx = Ok posts -> Forall signed posts.

Theorem posts_applied : forall tx before x after, board_allowed tx -> map_operations before (operations tx) x = Ok after ->
  stays before after /\
  forall k v, key_map_get after k = Some v ->
    key_map_get before k = Some v \/ exists post, post_stands organisers signed after k v post.
Proof.
  intros tx before x after (signed_by & brought & O & C & S) E. apply check_policy_iff in C as [C _].
  destruct (check_board_read _ _ _ C) as (reading & R & Posts). specialize (S _ Posts). rewrite Forall_forall in S.
  destruct (operations_applied _ _ _ _ _ O E _ R) as [K T _]. split; [exact K|]. intros k v G.
  destruct (T _ _ G) as [Was|(post & P)]; [now left|]. right. exists post.
  eapply stands_later; [exact S|intros q w H; exact H|exact P].
Qed.

(** From one map to a later one: nothing changes or goes, and if all are posts that stand, so are all afterwards. *)
Definition board_grows (before after : KeyMap) : Prop :=
  stays before after /\ (board_kept organisers signed before -> board_kept organisers signed after).

Lemma grows_on : forall before between after, board_grows before between -> board_grows between after -> board_grows before after.
Proof. intros before between after [S K] [S' K']. split; [intros k v G; apply S', S, G|auto]. Qed.

Theorem transaction_keeps_posts : forall tx before x after,
  board_allowed tx -> map_operations before (operations tx) x = Ok after -> board_grows before after.
Proof.
  intros tx before x after A E. destruct (posts_applied _ _ _ _ A E) as [S T]. split; [exact S|]. intros B k v G.
  destruct (T _ _ G) as [Was|new]; [|exact new]. destruct (B _ _ Was) as (post & P). exists post.
  eapply stands_later; [|exact S|exact P]. intros any H. exact H.
Qed.

Theorem transactions_keep_posts : forall items before after,
  (forall tx, In tx items -> board_allowed tx) -> map_transactions before items = Ok after -> board_grows before after.
Proof.
  intros items before after A. revert after. unfold map_transactions.
  apply (loop_invariant _ (fun _ run => forall after, run = Ok after -> board_grows before after)); [lia| |].
  - intros after E. injection E as <-. split; [intros k v G; exact G|auto].
  - intros j run Hj IH after E. unfold map_transactions_step in E. destruct run as [between|]; [|discriminate].
    eapply grows_on; [exact (IH _ eq_refl)|]. eapply transaction_keeps_posts; [|exact E]. apply A, seq_at_in. lia.
Qed.

End Board.

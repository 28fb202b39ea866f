(** What posts say of a ceremony: whom it blames.

    - [view_faults_earned]: each fault is one of a post that fails its check;
    - [honest_unblamed]: a post that passes all checks is not at fault. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Mixnet.PostKey Mixnet.CountedPost Mixnet.ServersRead Mixnet.AskedView
  Mixnet.CeremonyRead Mixnet.CeremonyView.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Spec.Mixnet.CeremonyView.
Import ListNotations.
Local Open Scope N_scope.

(** ** Faults *)

(** Whose dealings are valid before any verdict. *)
Definition dealt (terms : ViewTerms) (posts : list ViewPost) : list N :=
  read_valid (read_servers ReadRule_ReadAll terms (posts_of_stages posts) (place_of_kind KIND_DEALING) [] (server_numbers terms)).

(** How a post has a flaw: *)
Inductive earned (terms : ViewTerms) (posts : list ViewPost) (p : ViewPost) : PostFlaw -> Prop :=
(** it fails one of the first checks; *)
| earned_first : forall flaw, first_flaw terms p = Some flaw -> earned terms posts p flaw
(** it counts, and its body is false; *)
| earned_body : forall flaw, is_counted terms p = true -> viewed_flaw p = Some flaw -> earned terms posts p flaw
(** it is an input with the C_0 of a valid one before it; *)
| earned_repeated : forall before after other, is_counted terms p = true -> post_kind (viewed_key p) = KIND_INPUT ->
    posts_of_stages posts = before ++ p :: after -> In other before -> stands terms posts other ->
    post_kind (viewed_key other) = KIND_INPUT -> viewed_first other = viewed_first p ->
    earned terms posts p PostFlaw_FlawInputRepeated
(** it accuses somebody, and is no verdict, or that one's dealing is not valid; *)
| earned_unfounded : forall dealer, is_counted terms p = true -> In dealer (viewed_accused p) ->
    (post_kind (viewed_key p) = KIND_VERDICT -> ~ In dealer (dealt terms posts)) ->
    earned terms posts p PostFlaw_FlawComplaintUnfounded
(** it is a dealing, and a verdict that stands accuses it. *)
| earned_convicted : forall verdict, post_kind (viewed_key p) = KIND_DEALING -> stands terms posts verdict ->
    post_kind (viewed_key verdict) = KIND_VERDICT -> In (post_sequence (viewed_key p)) (viewed_accused verdict) ->
    earned terms posts p PostFlaw_FlawDealingFalse.

Definition fault_earned (terms : ViewTerms) (posts : list ViewPost) (fault : PostFault) : Prop :=
  exists p, In p posts /\ fault_key fault = viewed_key p /\ earned terms posts p (fault_flaw fault).

Lemma first_faults_earned : forall terms posts some, incl some posts -> Forall (fault_earned terms posts) (first_faults terms some).
Proof.
  intros terms posts some. unfold first_faults. rewrite (loop_over_elements _ _ _ (fun faults x => first_faults_step faults terms x)).
  assert (G : forall l faults, incl l posts -> Forall (fault_earned terms posts) faults ->
    Forall (fault_earned terms posts) (fold_left (fun faults x => first_faults_step faults terms x) l faults)).
  { induction l as [|x l IH]; intros faults L H; [exact H|]. cbn [fold_left]. apply IH; [intros y Y; apply L; now right|].
    apply Forall_forall. intros f I. unfold first_faults_step in I. apply in_with_fault in I as [I|[K E]].
    - now apply (proj1 (Forall_forall _ _) H).
    - exists x. split; [apply L; now left|]. split; [exact K|]. now apply earned_first. }
  intros L. apply G; [exact L|constructor].
Qed.

Lemma not_numbers_among : forall numbers others, numbers_among numbers others = false -> exists n, In n others /\ ~ In n numbers.
Proof.
  intros numbers others. unfold numbers_among, numbers_among_step.
  rewrite (loop_over_elements _ _ _ (fun found x => found && number_among numbers x)).
  assert (G : forall l found, fold_left (fun found x => found && number_among numbers x) l found = false ->
    found = false \/ exists n, In n l /\ ~ In n numbers).
  { induction l as [|x l IH]; intros found E; [now left|]. cbn [fold_left] in E. apply IH in E as [E|(n & I & H)]; [|right; exists n; split; [now right|exact H]].
    apply andb_false_iff in E as [E|E]; [now left|]. right. exists x. split; [now left|]. now apply not_number_among. }
  intros E. apply G in E as [E|E]; [discriminate|exact E].
Qed.

Lemma read_faults_earned : forall rule terms posts some place dealers order, incl some posts ->
  (post_kind place = KIND_VERDICT -> dealers = dealt terms posts) ->
  Forall (fault_earned terms posts) (read_faults (read_servers rule terms some place dealers order)).
Proof.
  intros rule terms posts some place dealers order L D. apply Forall_forall. intros f H.
  apply (proj1 (proj2 (read_servers_stands rule terms some place dealers order))) in H as (p & I & K & C & F & B).
  exists p. split; [now apply L|]. split; [exact F|]. unfold body_flaw in B. destruct (viewed_flaw p) as [w|] eqn:W.
  - injection B as <-. now apply earned_body.
  - destruct (numbers_among dealers _) eqn:A; [discriminate|]. injection B as <-. apply not_numbers_among in A as (d & I' & N).
    apply (earned_unfounded terms posts p d C I'). intros V. rewrite K in V. now rewrite <- (D V).
Qed.

Lemma read_inputs_earned : forall terms posts, Forall (fault_earned terms posts) (inputs_faults (read_inputs terms (posts_of_stages posts))).
Proof.
  intros terms posts. unfold read_inputs. rewrite (loop_over_elements _ _ _ (fun found x => read_inputs_step found terms x)).
  set (P := fun before found => (forall first, In first (inputs_firsts found) -> exists other, In other before /\
      stands terms posts other /\ post_kind (viewed_key other) = KIND_INPUT /\ viewed_first other = first) /\
    Forall (fault_earned terms posts) (inputs_faults found)).
  assert (G : forall after before found, posts_of_stages posts = before ++ after -> P before found ->
    P (before ++ after) (fold_left (fun found x => read_inputs_step found terms x) after found)).
  { induction after as [|x after IH]; intros before found E (H & F); [now rewrite app_nil_r|].
    cbn [fold_left]. replace (before ++ x :: after) with ((before ++ [x]) ++ after) by now rewrite <- app_assoc.
    assert (I : In x posts). { apply posts_of_stages_in. rewrite E. apply in_or_app. right. now left. }
    apply IH; [now rewrite <- app_assoc|].
    assert (H' : forall first, In first (inputs_firsts found) -> exists other, In other (before ++ [x]) /\
      stands terms posts other /\ post_kind (viewed_key other) = KIND_INPUT /\ viewed_first other = first).
    { intros first Y. destruct (H first Y) as (other & O & R). exists other. split; [apply in_or_app; now left|exact R]. }
    unfold read_inputs_step. destruct (_ && _) eqn:C; [|now split]. apply andb_true_iff in C as [K C]. apply N.eqb_eq in K.
    unfold with_input. destruct (input_flaw x (inputs_firsts found)) as [w|] eqn:W.
    - split; [exact H'|]. cbn [inputs_faults]. apply Forall_forall. intros f Y. apply in_with_fault in Y as [Y|[Y1 Y2]].
      { now apply (proj1 (Forall_forall _ _) F). }
      exists x. split; [exact I|]. split; [exact Y1|]. injection Y2 as <-. unfold input_flaw in W.
      destruct (viewed_flaw x) as [v|] eqn:V; [injection W as <-; now apply earned_body|].
      destruct (is_one_of _ _) eqn:M; [|discriminate]. injection W as <-.
      assert (Q : In (viewed_first x) (inputs_firsts found)).
      { unfold is_one_of, is_one_of_step in M. rewrite (loop_over_elements _ _ _ (fun found y => found || bytes_equal y (viewed_first x))) in M.
        assert (T : forall l b, fold_left (fun found y => found || bytes_equal y (viewed_first x)) l b = true -> b = true \/ In (viewed_first x) l).
        { induction l as [|y l IHl]; intros b Y; [now left|]. cbn [fold_left] in Y. apply IHl in Y as [Y|Y]; [|right; now right].
          apply orb_true_iff in Y as [Y|Y]; [now left|]. apply bytes_equal_iff in Y. right. now left. }
        apply T in M as [M|M]; [discriminate|exact M]. }
      destruct (H _ Q) as (other & O & S & KO & FO). exact (earned_repeated terms posts x before after other C K E O S KO FO).
    - split; [|exact F]. cbn [inputs_firsts]. intros first Y. apply in_app_or in Y as [Y|[<-|[]]]; [now apply H'|]. exists x.
      split; [apply in_or_app; right; now left|]. split; [|now split]. apply counted_stands; [exact I|exact C|].
      unfold input_flaw in W. now destruct (viewed_flaw x). }
  apply (G (posts_of_stages posts) [] {| inputs_senders := []; inputs_firsts := []; inputs_faults := [] |} eq_refl).
  split; [intros first []|constructor].
Qed.

Lemma read_queries_earned : forall terms posts some, incl some posts ->
  Forall (fault_earned terms posts) (queries_faults (read_queries terms some)).
Proof.
  intros terms posts some. unfold read_queries. rewrite (loop_over_elements _ _ _ (fun found x => read_queries_step found terms x)).
  assert (G : forall l found, incl l posts -> Forall (fault_earned terms posts) (queries_faults found) ->
    Forall (fault_earned terms posts) (queries_faults (fold_left (fun found x => read_queries_step found terms x) l found))).
  { induction l as [|x l IH]; intros found L H; [exact H|]. cbn [fold_left]. apply IH; [intros y Y; apply L; now right|].
    unfold read_queries_step. destruct (_ && _) eqn:C; [|exact H]. apply andb_true_iff in C as [K C]. unfold with_query.
    destruct (viewed_flaw x) as [w|] eqn:W; [|exact H]. cbn [queries_faults]. apply Forall_forall. intros f Y.
    apply in_with_fault in Y as [Y|[Y1 Y2]]; [now apply (proj1 (Forall_forall _ _) H)|]. exists x.
    split; [apply L; now left|]. split; [exact Y1|]. injection Y2 as <-. now apply earned_body. }
  intros L. apply G; [exact L|constructor].
Qed.

Lemma convicted_earned : forall terms posts some verdicts, incl some posts ->
  (forall d, In d (read_accused verdicts) -> exists p, stands terms posts p /\ post_kind (viewed_key p) = KIND_VERDICT /\
    In d (viewed_accused p)) -> forall dealers,
  Forall (fault_earned terms posts) (left_faults (dealers_left terms some dealers (read_accused verdicts))).
Proof.
  intros terms posts some verdicts L A dealers. unfold dealers_left.
  rewrite (loop_over_elements _ _ _ (fun found x => dealers_left_step found terms some (read_accused verdicts) x)).
  apply (fold_keeps _ _ (fun found => Forall (fault_earned terms posts) (left_faults found))); [constructor|]. intros found d H.
  unfold dealers_left_step. destruct (number_among _ d) eqn:M; [|exact H]. cbn [left_faults]. unfold with_convicted.
  destruct (server_post _ _ _ _ _) as [p|] eqn:P; [|exact H]. apply post_at_some in P as (I & K & N & _ & _).
  apply Forall_forall. intros f Y. apply in_with_fault in Y as [Y|[Y1 Y2]]; [now apply (proj1 (Forall_forall _ _) H)|].
  exists p. split; [now apply L|]. split; [exact Y1|]. injection Y2 as <-. destruct (A d (number_among_in _ _ M)) as (v & S & KV & IV).
  apply (earned_convicted terms posts p v K S KV). now rewrite N.
Qed.

Lemma asked_earned : forall terms posts some query mixers, incl some posts ->
  Forall (fault_earned terms posts) (asked_faults (view_of_query terms some query mixers)).
Proof.
  intros terms posts some query mixers L.
  assert (R : forall rule kind order, kind <> KIND_VERDICT ->
    Forall (fault_earned terms posts) (read_faults (read_servers rule terms some (place_about kind (query_id query)) [] order))).
  { intros rule kind order N. apply read_faults_earned; [exact L|]. intros V. now apply N in V. }
  assert (shares : forall asked, Forall (fault_earned terms posts) (asked_faults asked) ->
    Forall (fault_earned terms posts) (asked_faults (read_shares asked terms some query))).
  { intros asked H. unfold read_shares. destruct (_ <=? _).
    - unfold read_opening. destruct (post_at _ _ _ _ _) as [opening|] eqn:P.
      + destruct (is_counted _ _) eqn:C.
        * cbn [asked_faults with_opening]. apply Forall_forall. intros f Y. apply in_with_fault in Y as [Y|[Y1 Y2]].
          { revert f Y. apply Forall_forall. cbn [asked_faults with_shares]. apply Forall_app. split; [exact H|]. now apply R. }
          exists opening. split; [apply L; now apply post_at_some in P|]. split; [exact Y1|]. now apply earned_body.
        * cbn [asked_faults with_shares]. apply Forall_app. split; [exact H|]. now apply R.
      + cbn [asked_faults with_shares]. apply Forall_app. split; [exact H|]. now apply R.
    - cbn [asked_faults with_shares]. apply Forall_app. split; [exact H|]. now apply R. }
  unfold view_of_query. set (order := if query_backward query then _ else _).
  set (columns := read_servers _ _ _ (place_about KIND_COLUMN _) _ _).
  assert (H : Forall (fault_earned terms posts) (asked_faults (with_columns (asked_first (query_id query)) columns))).
  { cbn [asked_faults with_columns asked_first]. now apply R. }
  destruct (_ || _); [exact H|]. destruct (query_tested query); [|now apply shares].
  unfold read_tests. set (tests := read_servers _ _ _ (place_about KIND_ZERO_TEST _) _ _).
  assert (T : Forall (fault_earned terms posts) (asked_faults (with_tests (with_columns (asked_first (query_id query)) columns) tests))).
  { cbn [asked_faults with_tests]. apply Forall_app. split; [exact H|]. now apply R. }
  destruct (_ || _); [exact T|now apply shares].
Qed.

Lemma faults_of_asked_earned : forall terms posts asked,
  Forall (fun one => Forall (fault_earned terms posts) (asked_faults one)) asked -> Forall (fault_earned terms posts) (faults_of_asked asked).
Proof.
  intros terms posts asked. unfold faults_of_asked. rewrite (loop_over_elements _ _ _ faults_of_asked_step).
  assert (G : forall l faults, Forall (fun one => Forall (fault_earned terms posts) (asked_faults one)) l -> Forall (fault_earned terms posts) faults ->
    Forall (fault_earned terms posts) (fold_left faults_of_asked_step l faults)).
  { induction l as [|x l IH]; intros faults A H; [exact H|]. cbn [fold_left]. inversion A. apply IH; [assumption|].
    unfold faults_of_asked_step. now apply Forall_app. }
  intros A. apply G; [exact A|constructor].
Qed.

Lemma views_of_queries_earned : forall terms posts some queries mixers, incl some posts ->
  Forall (fun one => Forall (fault_earned terms posts) (asked_faults one)) (views_of_queries terms some queries mixers).
Proof.
  intros terms posts some queries mixers L. unfold views_of_queries.
  rewrite (loop_over_elements _ _ _ (fun asked x => views_of_queries_step asked terms some x mixers)).
  apply fold_keeps; [constructor|]. intros asked query H. unfold views_of_queries_step. apply Forall_app. split; [exact H|].
  constructor; [|constructor]. now apply asked_earned.
Qed.

(** What is kept while stages are judged: faults are earned, and at the verdicts dealers are those whose dealings are valid. *)
Definition view_earned (terms : ViewTerms) (posts : list ViewPost) (seen : CeremonyView) : Prop :=
  Forall (fault_earned terms posts) (view_faults seen) /\
  (view_stage seen = ViewStage_ViewVerdicts -> view_dealers seen = dealt terms posts).

Lemma judged_earned : forall terms posts seen i, view_earned terms posts seen ->
  view_earned terms posts (view_of_posts_step seen terms (posts_of_stages posts) posts i).
Proof.
  intros terms posts seen i (F & D). unfold view_of_posts_step. destruct (_ =? i); [|now split].
  pose proof (posts_of_stages_in posts : incl _ _) as L.
  assert (R : forall rule kind order, kind <> KIND_VERDICT ->
    Forall (fault_earned terms posts) (read_faults (read_servers rule terms (posts_of_stages posts) (place_of_kind kind) [] order))).
  { intros rule kind order N. apply read_faults_earned; [exact L|]. intros V. now apply N in V. }
  destruct (view_stage seen) eqn:S; cbn [judge_next].
  - split; [|reflexivity]. cbn. apply Forall_app. split; [exact F|]. now apply R.
  - unfold judge_verdicts. rewrite (D eq_refl). set (verdicts := read_servers _ _ _ (place_of_kind KIND_VERDICT) _ _).
    assert (V : Forall (fault_earned terms posts) (read_faults verdicts)) by (apply read_faults_earned; auto).
    destruct (_ =? 0).
    + split; [|cbn; now destruct (_ <=? _)]. cbn [view_faults with_verdicts]. apply Forall_app. split; [exact F|].
      apply Forall_app. split; [exact V|]. apply convicted_earned; [exact L|]. intros d H.
      apply (proj2 (proj2 (read_servers_stands _ _ _ _ _ _))) in H as (p & P & K & A). exists p.
      split; [exact (stands_among _ _ _ _ L P)|now split].
    + split; [|reflexivity]. cbn [view_faults with_verdicts left_faults]. apply Forall_app. split; [exact F|]. apply Forall_app. split; [exact V|constructor].
  - unfold judge_inputs. destruct (post_at _ _ _ _ _) as [close|] eqn:P; [|split; [exact F|now rewrite S]].
    destruct (is_counted _ _) eqn:C; [|split; [exact F|now rewrite S]]. unfold judge_closed. destruct (viewed_flaw close) as [w|] eqn:W.
    + split; [|discriminate]. cbn [view_faults with_inputs]. apply Forall_app. split; [exact F|]. apply Forall_forall. intros f Y.
      apply in_with_fault in Y as [[]|[Y1 Y2]]. exists close. split; [apply L; now apply post_at_some in P|]. split; [exact Y1|].
      injection Y2 as <-. now apply earned_body.
    + pose proof (read_inputs_earned terms posts) as I.
      destruct (_ <=? _); (split; [|discriminate]); cbn [view_faults with_inputs]; apply Forall_app; now split.
  - split; [|cbn; destruct (negb _); [discriminate|]; now destruct (_ <=? _)]. cbn. apply Forall_app. split; [exact F|]. now apply R.
  - split; [|cbn; now destruct (_ <=? _)]. cbn. apply Forall_app. split; [exact F|]. apply Forall_app. split; now apply R.
  - split; [|cbn; rewrite S; discriminate]. cbn [view_faults judge_queries with_queries]. apply Forall_app. split; [exact F|].
    assert (A : incl (about_posts (posts_about posts (queries_valid (read_queries terms (posts_of_stages posts))))) posts).
    { rewrite posts_about_filter. intros p H. now apply filter_In in H. }
    apply Forall_app. split; [now apply read_queries_earned|]. apply Forall_app. split; [now apply first_faults_earned|].
    apply faults_of_asked_earned. now apply views_of_queries_earned.
  - split; [exact F|now rewrite S].
Qed.

Theorem view_faults_earned : forall terms posts fault, In fault (view_faults (view_of_posts terms posts)) -> fault_earned terms posts fault.
Proof.
  intros terms posts. apply Forall_forall.
  assert (G : view_earned terms posts (view_of_posts terms posts)); [|exact (proj1 G)].
  unfold view_of_posts. apply fold_keeps; [|intros; now apply judged_earned]. split; [|discriminate]. cbn.
  apply first_faults_earned. exact (posts_of_stages_in posts).
Qed.

(** ** Honest posts *)

(** A post that passes all checks: it counts, its body is not false; it accuses nobody but whose dealing is valid, in a verdict;
    if it is an input, no other one has its C_0; if it is a dealing, no verdict that stands accuses it. *)
Definition honest (terms : ViewTerms) (posts : list ViewPost) (p : ViewPost) : Prop :=
  In p posts /\ is_counted terms p = true /\ viewed_flaw p = None /\
  (forall dealer, In dealer (viewed_accused p) -> post_kind (viewed_key p) = KIND_VERDICT /\ In dealer (dealt terms posts)) /\
  (post_kind (viewed_key p) = KIND_INPUT -> forall other, In other posts -> post_kind (viewed_key other) = KIND_INPUT ->
    viewed_first other = viewed_first p -> other = p) /\
  (post_kind (viewed_key p) = KIND_DEALING -> forall verdict, stands terms posts verdict ->
    post_kind (viewed_key verdict) = KIND_VERDICT -> ~ In (post_sequence (viewed_key p)) (viewed_accused verdict)).

Lemma one_of_key : forall posts (p q : ViewPost), NoDup (map viewed_key posts) -> In p posts -> In q posts ->
  viewed_key p = viewed_key q -> p = q.
Proof.
  induction posts as [|x posts IH]; intros p q N P Q E; [destruct P|]. cbn [map] in N. apply NoDup_cons_iff in N as [N1 N2].
  destruct P as [->|P], Q as [->|Q]; [reflexivity| | |now apply IH].
  - exfalso. apply N1. rewrite E. now apply in_map.
  - exfalso. apply N1. rewrite <- E. now apply in_map.
Qed.

Lemma stages_once : forall posts, NoDup (map viewed_key posts) -> NoDup (posts_of_stages posts).
Proof. intros posts N. rewrite posts_of_stages_filter. now apply NoDup_filter, (NoDup_map_inv viewed_key). Qed.

Theorem honest_unblamed : forall terms posts p, NoDup (map viewed_key posts) -> honest terms posts p ->
  forall fault, In fault (view_faults (view_of_posts terms posts)) -> fault_key fault <> viewed_key p.
Proof.
  intros terms posts p N (I & C & B & A & F & D) fault H E. destruct (view_faults_earned _ _ _ H) as (q & Q & K & W).
  rewrite K in E. pose proof (one_of_key _ _ _ N Q I E) as ->. destruct W as [flaw W|flaw _ W|before after other _ PK S O OS OK OF|d _ X V|verdict X S V J].
  - unfold is_counted in C. apply andb_true_iff in C as [C _]. apply admitted_iff in C as [C _]. congruence.
  - congruence.
  - assert (other = p) as ->. { apply (F PK); [apply OS|exact OK|exact OF]. }
    pose proof (stages_once _ N) as T. rewrite S in T. apply NoDup_remove_2 in T. apply T. apply in_or_app. left. exact O.
  - destruct (A d X) as [V1 V2]. exact (V V1 V2).
  - exact (D X verdict S V J).
Qed.

(** What posts say of a ceremony.

    - [forgotten_unasked]: a post about a query that nobody asked changes the number of such posts alone;
    - [view_stands]: whose posts are valid, signed them, may write them, and wrote nothing false;
    - [view_faults_earned]: each fault is one of a post that fails its check;
    - [honest_unblamed]: a post that passes all checks is not at fault. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Mixnet.PostKey Mixnet.CountedPost Mixnet.ServersRead Mixnet.AskedView
  Mixnet.CeremonyView.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes.
Import ListNotations.
Local Open Scope N_scope.

Lemma fold_keeps : forall A B (P : A -> Prop) (f : A -> B -> A) l a, P a -> (forall a b, P a -> P (f a b)) -> P (fold_left f l a).
Proof. intros A B P f l. induction l as [|b l IH]; intros a H K; [exact H|]. apply IH; [now apply K|exact K]. Qed.

(** ** Posts that are kept *)

Lemma fold_filter : forall A (keep : A -> bool) (step : list A -> A -> list A),
  (forall acc x, step acc x = if keep x then acc ++ [x] else acc) -> forall s acc, fold_left step s acc = acc ++ filter keep s.
Proof.
  intros A keep step E s. induction s as [|x s IH]; intros acc; [now rewrite app_nil_r|]. cbn [fold_left filter]. rewrite E, IH.
  destruct (keep x); [now rewrite <- app_assoc|reflexivity].
Qed.

Definition of_stage (p : ViewPost) : bool :=
  let kind := post_kind (viewed_key p) in negb ((kind =? KIND_CEREMONY) || kind_of_query kind).

Lemma posts_of_stages_filter : forall posts, posts_of_stages posts = filter of_stage posts.
Proof.
  intros posts. unfold posts_of_stages. rewrite (loop_over_elements _ _ _ posts_of_stages_step).
  rewrite (fold_filter _ of_stage); [reflexivity|]. intros acc x. unfold posts_of_stages_step, of_stage. now destruct (_ || _).
Qed.

Lemma posts_of_stages_in : forall posts p, In p (posts_of_stages posts) -> In p posts.
Proof. intros posts p H. rewrite posts_of_stages_filter in H. now apply filter_In in H. Qed.

Lemma posts_about_fold : forall queries posts found,
  let made := fold_left (fun found p => posts_about_step found queries p) posts found in
  about_posts made = about_posts found
    ++ filter (fun p => kind_of_query (post_kind (viewed_key p)) && is_awaited (viewed_key p) queries) posts.
Proof.
  intros queries posts. induction posts as [|p posts IH]; intros found; cbn zeta in *; [now rewrite app_nil_r|].
  cbn [fold_left filter]. rewrite IH. unfold posts_about_step. destruct (kind_of_query _); [|reflexivity]. cbn [negb andb].
  destruct (is_awaited _ _); [|reflexivity]. cbn [about_posts]. now rewrite <- app_assoc.
Qed.

Lemma posts_about_filter : forall posts queries, about_posts (posts_about posts queries)
  = filter (fun p => kind_of_query (post_kind (viewed_key p)) && is_awaited (viewed_key p) queries) posts.
Proof.
  intros posts queries. unfold posts_about.
  rewrite (loop_over_elements _ _ _ (fun found p => posts_about_step found queries p)). now rewrite posts_about_fold.
Qed.

(** A view without the number of posts that nobody asked for. *)
Definition forget_unasked (seen : CeremonyView) : CeremonyView :=
  {| view_stage := view_stage seen; view_faults := view_faults seen; view_missing := view_missing seen;
     view_dealers := view_dealers seen; view_senders := view_senders seen; view_mixers := view_mixers seen;
     view_turn := view_turn seen; view_agreed := view_agreed seen; view_sharers := view_sharers seen;
     view_asked := view_asked seen; view_unasked := 0 |}.

Lemma judged_alike : forall terms of_stages posts others a b i,
  (let queries := queries_valid (read_queries terms of_stages) in
   about_posts (posts_about posts queries) = about_posts (posts_about others queries)) ->
  forget_unasked a = forget_unasked b ->
  forget_unasked (view_of_posts_step a terms of_stages posts i) = forget_unasked (view_of_posts_step b terms of_stages others i).
Proof.
  intros terms of_stages posts others [] [] i A E. unfold forget_unasked in E. cbn in E. injection E as -> -> -> -> -> -> -> -> -> ->.
  unfold view_of_posts_step. cbn [view_stage]. destruct (_ =? i); [|reflexivity]. cbn zeta in A.
  destruct view_stage0; cbn [judge_next].
  - reflexivity.
  - unfold judge_verdicts. cbn [view_dealers]. destruct (_ =? 0); [destruct (_ <=? _)|]; reflexivity.
  - unfold judge_inputs. destruct (post_at _ _ _ _ _) as [close|]; [|reflexivity]. destruct (is_counted _ _); [|reflexivity].
    unfold judge_closed. destruct (viewed_flaw close); [reflexivity|]. destruct (_ <=? _); reflexivity.
  - reflexivity.
  - reflexivity.
  - unfold judge_queries. rewrite A. reflexivity.
  - reflexivity.
Qed.

Theorem forgotten_unasked : forall terms before after p,
  kind_of_query (post_kind (viewed_key p)) = true ->
  is_awaited (viewed_key p) (queries_valid (read_queries terms (posts_of_stages (before ++ after)))) = false ->
  forget_unasked (view_of_posts terms (before ++ p :: after)) = forget_unasked (view_of_posts terms (before ++ after)).
Proof.
  intros terms before after p Q W. unfold view_of_posts.
  assert (S : posts_of_stages (before ++ p :: after) = posts_of_stages (before ++ after)).
  { rewrite !posts_of_stages_filter, !filter_app. cbn [filter]. unfold of_stage at 2. now rewrite Q, orb_true_r. }
  rewrite S. set (of_stages := posts_of_stages (before ++ after)) in *.
  assert (A : about_posts (posts_about (before ++ p :: after) (queries_valid (read_queries terms of_stages)))
    = about_posts (posts_about (before ++ after) (queries_valid (read_queries terms of_stages)))).
  { rewrite !posts_about_filter, !filter_app. cbn [filter]. now rewrite W, andb_false_r. }
  generalize (range 0 6) as l. assert (G : forall l a b, forget_unasked a = forget_unasked b ->
    forget_unasked (fold_left (fun seen i => view_of_posts_step seen terms of_stages (before ++ p :: after) i) l a)
    = forget_unasked (fold_left (fun seen i => view_of_posts_step seen terms of_stages (before ++ after) i) l b)).
  { induction l as [|i l IH]; intros a b E; [exact E|]. cbn [fold_left]. apply IH. now apply judged_alike. }
  intros l. now apply G.
Qed.

(** ** Valid posts *)

Lemma admitted_iff : forall terms p, is_admitted terms p = true ->
  first_flaw terms p = None /\ viewed_decodes p = true /\ viewed_signed p = true /\ viewed_held p = true
  /\ is_entitled terms (viewed_key p) = true.
Proof.
  intros terms p. unfold is_admitted, first_flaw. destruct (viewed_decodes p); [|discriminate]. destruct (viewed_signed p); [|discriminate].
  destruct (viewed_held p); [|discriminate]. destruct (is_entitled _ _); [auto|discriminate].
Qed.

(** A post that counts, and whose body has no flaw. *)
Definition stands (terms : ViewTerms) (posts : list ViewPost) (p : ViewPost) : Prop :=
  In p posts /\ viewed_decodes p = true /\ viewed_signed p = true /\ viewed_held p = true /\ viewed_at_hand p = true /\
  is_entitled terms (viewed_key p) = true /\ viewed_flaw p = None.

Lemma counted_stands : forall terms posts p, In p posts -> is_counted terms p = true -> viewed_flaw p = None -> stands terms posts p.
Proof.
  intros terms posts p I C N. unfold is_counted in C. apply andb_true_iff in C as [C H]. apply admitted_iff in C. unfold stands. tauto.
Qed.

Lemma post_at_some : forall posts kind query sequence author p, post_at posts kind query sequence author = Some p ->
  In p posts /\ post_kind (viewed_key p) = kind /\ post_sequence (viewed_key p) = sequence /\
  post_query (viewed_key p) = query /\ post_author (viewed_key p) = author.
Proof.
  intros posts kind query sequence author p. unfold post_at.
  rewrite (loop_over_elements _ _ _ (fun found x => post_at_step found x kind query sequence author)).
  assert (G : forall l found, fold_left (fun found x => post_at_step found x kind query sequence author) l found = Some p ->
    found = Some p \/ In p l /\ stands_at (viewed_key p) kind query sequence author = true).
  { induction l as [|x l IH]; intros found E; [now left|]. cbn [fold_left] in E. apply IH in E as [E|[E S]]; [|right; split; [now right|exact S]].
    unfold post_at_step in E. destruct found as [q|]; [now left|]. destruct (stands_at (viewed_key x) _ _ _ _) eqn:S; [|discriminate E].
    injection E as <-. right. split; [now left|exact S]. }
  intros E. apply G in E as [E|[I S]]; [discriminate|]. split; [exact I|]. unfold stands_at in S.
  rewrite !andb_true_iff, !N.eqb_eq, !bytes_equal_iff in S. tauto.
Qed.

(** A server's post of a kind that stands. *)
Definition server_stands (terms : ViewTerms) (posts : list ViewPost) (kind : N) (number : N) : Prop :=
  exists p, stands terms posts p /\ post_kind (viewed_key p) = kind /\ post_sequence (viewed_key p) = number /\
    post_author (viewed_key p) = server_author terms number.

(** What was read of servers: of valid posts, of false ones, of verdicts. *)
Definition read_stands (terms : ViewTerms) (posts : list ViewPost) (kind : N) (dealers : list N) (found : ServersRead) : Prop :=
  (forall number, In number (read_valid found) -> server_stands terms posts kind number) /\
  (forall fault, In fault (read_faults found) -> exists p, In p posts /\ post_kind (viewed_key p) = kind /\
    is_counted terms p = true /\ fault_key fault = viewed_key p /\ body_flaw p dealers = Some (fault_flaw fault)) /\
  (forall dealer, In dealer (read_accused found) -> exists p, stands terms posts p /\ post_kind (viewed_key p) = kind /\
    In dealer (viewed_accused p)).

Lemma body_flaw_none : forall p dealers, body_flaw p dealers = None -> viewed_flaw p = None.
Proof. intros p dealers. unfold body_flaw. now destruct (viewed_flaw p). Qed.

Lemma server_place_counted : forall terms posts kind query number p,
  server_place terms posts kind query number = ServerPlace_PlaceCounted p ->
  In p posts /\ is_counted terms p = true /\ post_kind (viewed_key p) = kind /\ post_sequence (viewed_key p) = number /\
  post_author (viewed_key p) = server_author terms number.
Proof.
  intros terms posts kind query number p. unfold server_place. destruct (server_post _ _ _ _ _) as [q|] eqn:E; [|now destruct (is_absent _ _ _ _)].
  destruct (is_admitted terms q) eqn:A; [|discriminate]. destruct (viewed_at_hand q) eqn:H; [|discriminate]. cbn [negb].
  intros D. injection D as <-. apply post_at_some in E. unfold is_counted. rewrite A, H. tauto.
Qed.

Lemma in_with_fault : forall faults p flaw f, In f (with_fault faults p flaw) ->
  In f faults \/ fault_key f = viewed_key p /\ flaw = Some (fault_flaw f).
Proof.
  intros faults p [w|] f H; [|now left]. apply in_app_or in H as [H|[<-|[]]]; [now left|right]. now split.
Qed.

Lemma read_servers_stands : forall rule terms posts place dealers order,
  read_stands terms posts (post_kind place) dealers (read_servers rule terms posts place dealers order).
Proof.
  intros rule terms posts place dealers order. unfold read_servers. apply fold_keeps.
  { split; [|split]; intros x []. }
  intros found i (V & B & A). unfold read_servers_step. destruct (read_ends _ _); [now split|].
  destruct (server_place _ _ _ _ _) as [| | |p] eqn:P; [now split|now split|now split|].
  apply server_place_counted in P as (I & C & K & N & W). unfold read_judged. destruct (body_flaw p dealers) as [w|] eqn:E.
  - split; [exact V|]. split; [|exact A]. intros f H. unfold read_false in H. cbn [read_faults] in H. apply in_with_fault in H as [H|[H1 H2]]; [now apply B|].
    exists p. rewrite <- H2. auto.
  - pose proof (counted_stands _ _ _ I C (body_flaw_none _ _ E)) as S. split; [|split; [exact B|]].
    + intros n H. apply in_app_or in H as [H|[<-|[]]]; [now apply V|]. now exists p.
    + intros d H. apply in_app_or in H as [H|H]; [now apply A|]. now exists p.
Qed.

(** What was read of inputs. *)
Definition sender_stands (terms : ViewTerms) (posts : list ViewPost) (sender : ByteString) : Prop :=
  exists p, stands terms posts p /\ post_kind (viewed_key p) = KIND_INPUT /\ post_author (viewed_key p) = sender.

(** Lists of a view, each of posts that stand. *)
Definition view_stands_of (terms : ViewTerms) (posts : list ViewPost) (seen : CeremonyView) : Prop :=
  Forall (server_stands terms posts KIND_DEALING) (view_dealers seen) /\
  Forall (sender_stands terms posts) (view_senders seen) /\
  Forall (server_stands terms posts KIND_LAYER) (view_mixers seen) /\
  Forall (server_stands terms posts KIND_AGREEMENT) (view_agreed seen) /\
  Forall (server_stands terms posts KIND_SHARES) (view_sharers seen).

Lemma read_forall : forall rule terms posts kind dealers order,
  Forall (server_stands terms posts kind) (read_valid (read_servers rule terms posts (place_of_kind kind) dealers order)).
Proof. intros. apply Forall_forall. exact (proj1 (read_servers_stands rule terms posts (place_of_kind kind) dealers order)). Qed.

Lemma dealers_left_in : forall terms posts dealers accused d, In d (left_dealers (dealers_left terms posts dealers accused)) -> In d dealers.
Proof.
  intros terms posts dealers accused. unfold dealers_left.
  rewrite (loop_over_elements _ _ _ (fun found x => dealers_left_step found terms posts accused x)).
  assert (G : forall l found, (forall d, In d (left_dealers found) -> In d dealers) -> incl l dealers ->
    forall d, In d (left_dealers (fold_left (fun found x => dealers_left_step found terms posts accused x) l found)) -> In d dealers).
  { induction l as [|x l IH]; intros found H L d; [apply H|]. cbn [fold_left]. apply IH; [|intros y Y; apply L; now right].
    intros y. unfold dealers_left_step. destruct (number_among _ _); [apply H|]. cbn [left_dealers]. rewrite in_app_iff.
    intros [Y|[<-|[]]]; [now apply H|]. apply L. now left. }
  intros d. apply G; [intros y []|intros y Y; exact Y].
Qed.

Lemma read_inputs_stands : forall terms posts, Forall (sender_stands terms posts) (inputs_senders (read_inputs terms posts)).
Proof.
  intros terms posts. unfold read_inputs.
  rewrite (loop_over_elements _ _ _ (fun found x => read_inputs_step found terms x)).
  assert (G : forall l found, incl l posts -> Forall (sender_stands terms posts) (inputs_senders found) ->
    Forall (sender_stands terms posts) (inputs_senders (fold_left (fun found x => read_inputs_step found terms x) l found))).
  { induction l as [|x l IH]; intros found L H; [exact H|]. cbn [fold_left]. apply IH; [intros y Y; apply L; now right|].
    unfold read_inputs_step. destruct (_ && _) eqn:C; [|exact H]. apply andb_true_iff in C as [K C]. apply N.eqb_eq in K.
    unfold with_input. destruct (input_flaw x _) as [w|] eqn:E; [exact H|]. cbn [inputs_senders]. apply Forall_app. split; [exact H|].
    apply Forall_cons; [|constructor]. exists x. split; [|split; [exact K|reflexivity]]. apply counted_stands; [apply L; now left|exact C|].
    unfold input_flaw in E. now destruct (viewed_flaw x). }
  apply G; [intros y Y; exact Y|constructor].
Qed.

Lemma judged_stands : forall terms of_stages posts seen i, view_stands_of terms of_stages seen ->
  view_stands_of terms of_stages (view_of_posts_step seen terms of_stages posts i).
Proof.
  intros terms of_stages posts seen i (D & I & M & A & S). unfold view_of_posts_step. destruct (_ =? i); [|now unfold view_stands_of].
  unfold view_stands_of. destruct (view_stage seen); cbn [judge_next].
  - unfold judge_dealings. cbn. auto 6 using read_forall.
  - unfold judge_verdicts. destruct (_ =? 0); [|cbn; auto 7]. cbn. repeat split; try assumption.
    apply Forall_forall. intros d H. apply dealers_left_in in H. now apply (proj1 (Forall_forall _ _) D).
  - unfold judge_inputs. destruct (post_at _ _ _ _ _) as [close|]; [|auto 7].
    destruct (is_counted _ _); [|auto 7]. unfold judge_closed. destruct (viewed_flaw close); [cbn; auto 7|].
    destruct (_ <=? _); cbn; repeat split; try assumption; [apply read_inputs_stands|constructor].
  - unfold judge_layers. cbn. auto 6 using read_forall.
  - unfold judge_decryption. cbn. auto 6 using read_forall.
  - cbn. auto 7.
  - auto 7.
Qed.

Lemma stands_among : forall terms some posts p, incl some posts -> stands terms some p -> stands terms posts p.
Proof. intros terms some posts p L (I & H). split; [now apply L|exact H]. Qed.

Theorem view_stands : forall terms posts, view_stands_of terms posts (view_of_posts terms posts).
Proof.
  intros terms posts.
  assert (G : view_stands_of terms (posts_of_stages posts) (view_of_posts terms posts)).
  { unfold view_of_posts. apply fold_keeps; [|intros; now apply judged_stands]. repeat split; constructor. }
  pose proof (posts_of_stages_in posts : incl _ _) as L.
  assert (servers : forall kind l, Forall (server_stands terms (posts_of_stages posts) kind) l -> Forall (server_stands terms posts kind) l).
  { intros kind l. apply Forall_impl. intros n (p & S & H). exists p. split; [exact (stands_among _ _ _ _ L S)|exact H]. }
  destruct G as (D & I & M & A & S). repeat split; try (now apply servers).
  revert I. apply Forall_impl. intros n (p & P & H). exists p. split; [exact (stands_among _ _ _ _ L P)|exact H].
Qed.

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

Lemma not_number_among : forall numbers n, number_among numbers n = false -> ~ In n numbers.
Proof.
  intros numbers n. unfold number_among, number_among_step. rewrite (loop_over_elements _ _ _ (fun found x => found || (x =? n))).
  assert (G : forall l found, fold_left (fun found x => found || (x =? n)) l found = false -> found = false /\ ~ In n l).
  { induction l as [|x l IH]; intros found E; [now split|]. cbn [fold_left] in E. apply IH in E as [E H].
    apply orb_false_iff in E as [E1 E2]. apply N.eqb_neq in E2. split; [exact E1|]. intros [<-|I]; [now apply E2|now apply H]. }
  intros E. now apply G in E.
Qed.

Lemma number_among_in : forall numbers n, number_among numbers n = true -> In n numbers.
Proof.
  intros numbers n. unfold number_among, number_among_step. rewrite (loop_over_elements _ _ _ (fun found x => found || (x =? n))).
  assert (G : forall l found, fold_left (fun found x => found || (x =? n)) l found = true -> found = true \/ In n l).
  { induction l as [|x l IH]; intros found E; [now left|]. cbn [fold_left] in E. apply IH in E as [E|E]; [|right; now right].
    apply orb_true_iff in E as [E|E]; [now left|]. apply N.eqb_eq in E. right. now left. }
  intros E. apply G in E as [E|E]; [discriminate|exact E].
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

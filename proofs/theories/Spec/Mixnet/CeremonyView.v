(** What posts say of a ceremony.

    - [forgotten_unasked]: a post about a query that nobody asked changes the number of such posts alone;
    - [view_stands]: whose posts are valid, signed them, may write them, and wrote nothing false.

    What is said of faults stands in CeremonyFaults.v. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Mixnet.PostKey Mixnet.CountedPost Mixnet.ServersRead Mixnet.AskedView
  Mixnet.CeremonyRead Mixnet.CeremonyView.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes.
Import ListNotations.
Local Open Scope N_scope.

Lemma fold_keeps : forall A B (P : A -> Prop) (f : A -> B -> A) l a, P a -> (forall a b, P a -> P (f a b)) -> P (fold_left f l a).
Proof. intros A B P f l. induction l as [|b l IH]; intros a H K; [exact H|]. apply IH; [now apply K|exact K]. Qed.

(** ** Numbers *)

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

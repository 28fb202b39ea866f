(** What posts say of a ceremony is computed without a panic, whatever was posted and by whom, and so are servers' duties.

    Asked is that strings have fewer than 2^32 bytes, that there are fewer than 2^32 servers and fewer than 2^62 posts. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.BytesSafe Mixnet.PostKey Mixnet.CountedPost Mixnet.ServersRead
  Mixnet.AskedView Mixnet.CeremonyRead Mixnet.CeremonyView Mixnet.Duty Mixnet.PostKeySafe Mixnet.CountedPostSafe Mixnet.ServersReadSafe
  Mixnet.AskedViewSafe Mixnet.CeremonyReadSafe Mixnet.CeremonyViewSafe Mixnet.DutySafe.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Readers Safety.SlotMapSafe Spec.Mixnet.CeremonyView.
Import ListNotations.
Local Open Scope N_scope.

(** A post whose strings are short. *)
Definition short_post (p : ViewPost) : Prop :=
  short (post_organiser (viewed_key p)) /\ short (post_query (viewed_key p)) /\ short (post_author (viewed_key p)) /\
  short (viewed_first p).

(** Terms whose strings are short, of few enough servers. *)
Definition short_terms (terms : ViewTerms) : Prop :=
  Forall short (terms_servers terms) /\ Forall short (terms_senders terms) /\ Forall short (terms_queriers terms) /\
  seq_length (terms_servers terms) < 2 ^ 32 /\ terms_threshold terms < 2 ^ 32.

Lemma short_at : forall strings i, Forall short strings -> short (seq_at strings i).
Proof.
  intros strings i H. destruct (N.lt_ge_cases i (seq_length strings)) as [L|L].
  - now apply (proj1 (Forall_forall _ _) H), seq_at_in.
  - rewrite seq_at_beyond by exact L. reflexivity.
Qed.

Lemma short_post_at : forall posts i, Forall short_post posts -> short_post (seq_at posts i).
Proof.
  intros posts i H. destruct (N.lt_ge_cases i (seq_length posts)) as [L|L].
  - now apply (proj1 (Forall_forall _ _) H), seq_at_in.
  - rewrite seq_at_beyond by exact L. repeat split.
Qed.

(** Each turn of a loop is safe by itself. *)
Ltac each_turn i H := apply (loop_is_safe _ (fun _ _ => True)); [exact I|]; intros i ? H _; split; [|exact I].
Ltac in_range H := apply N.ltb_lt; lia.

Lemma is_one_of_never_panics : forall strings sought, Forall short strings -> is_one_of_safe strings sought = true.
Proof.
  intros strings sought S. unfold is_one_of_safe. each_turn i H. apply andb_true_iff. split; [in_range H|].
  unfold is_one_of_step_safe. destruct acc; [reflexivity|]. now apply bytes_equal_never_panics, short_at.
Qed.

Section Ceremony.

Variable terms : ViewTerms.
Hypothesis legal : short_terms terms.

Lemma is_server_never_panics : forall number author, is_server_safe terms number author = true.
Proof.
  intros number author. unfold is_server_safe. destruct (0 <? number) eqn:A; [|reflexivity]. apply N.ltb_lt in A.
  destruct (number <=? _) eqn:B; [|reflexivity]. apply N.leb_le in B. cbn [andb]. rewrite !andb_true_iff, N.leb_le, N.ltb_lt.
  repeat split; [lia|lia|]. apply bytes_equal_never_panics, short_at, legal.
Qed.

Lemma first_flaw_never_panics : forall p, short_post p -> first_flaw_safe terms p = true.
Proof.
  intros p (O & Q & A & _). unfold first_flaw_safe. destruct (viewed_decodes p), (viewed_signed p), (viewed_held p); try reflexivity.
  cbn [negb]. unfold is_entitled_safe. destruct legal as (_ & SE & QU & _). destruct (kind_of_organiser _).
  - apply bytes_equal_never_panics. unfold post_signer. now destruct (_ =? _).
  - destruct (_ =? _); [now apply is_one_of_never_panics|]. destruct (_ =? _).
    + destruct (terms_anyone terms); [reflexivity|now apply is_one_of_never_panics].
    + destruct (_ =? _); [reflexivity|apply is_server_never_panics].
Qed.

Lemma first_faults_never_panics : forall posts, Forall short_post posts -> first_faults_safe terms posts = true.
Proof.
  intros posts S. unfold first_faults_safe. each_turn i H. apply andb_true_iff. split; [in_range H|].
  now apply first_flaw_never_panics, short_post_at.
Qed.

Lemma missing_bodies_never_panics : forall posts, Forall short_post posts -> missing_bodies_safe terms posts = true.
Proof.
  intros posts S. unfold missing_bodies_safe. each_turn i H. apply andb_true_iff. split; [in_range H|].
  now apply first_flaw_never_panics, short_post_at.
Qed.

Lemma post_at_never_panics : forall posts kind query sequence author, Forall short_post posts ->
  post_at_safe posts kind query sequence author = true.
Proof.
  intros posts kind query sequence author S. unfold post_at_safe. each_turn i H. apply andb_true_iff. split; [in_range H|].
  unfold post_at_step_safe. destruct acc; [reflexivity|]. destruct (short_post_at posts i S) as (_ & Q & A & _).
  unfold stands_at_safe. rewrite !bytes_equal_never_panics by assumption.
  destruct (_ =? kind), (_ =? sequence), (bytes_equal _ query); reflexivity.
Qed.

Lemma post_at_short : forall posts kind query sequence author p, Forall short_post posts ->
  post_at posts kind query sequence author = Some p -> short_post p.
Proof. intros posts kind query sequence author p S E. apply post_at_some in E. now apply (proj1 (Forall_forall _ _) S). Qed.

Lemma server_numbers_never_panics : server_numbers_safe terms = true.
Proof.
  unfold server_numbers_safe. each_turn i H. destruct legal as (_ & _ & _ & L & _). apply N.ltb_lt.
  change (2 ^ 32) with 4294967296 in L. change (2 ^ 64) with 18446744073709551616. lia.
Qed.

Lemma server_post_never_panics : forall posts kind query number, Forall short_post posts ->
  server_post_safe terms posts kind query number = true.
Proof.
  intros posts kind query number S. unfold server_post_safe. rewrite post_at_never_panics by exact S. rewrite andb_true_r.
  unfold server_author_safe. destruct (0 <? number) eqn:A; [|reflexivity]. apply N.ltb_lt in A.
  destruct (number <=? _) eqn:B; [|reflexivity]. apply N.leb_le in B. apply andb_true_iff. rewrite N.leb_le, N.ltb_lt. lia.
Qed.

Lemma is_absent_never_panics : forall posts kind number, Forall short_post posts -> number < 2 ^ 62 ->
  is_absent_safe terms posts kind number = true.
Proof.
  intros posts kind number S L. unfold is_absent_safe. destruct (kind_may_be_absent kind) eqn:K; [|reflexivity].
  assert (small : kind <= 5).
  { unfold kind_may_be_absent, KIND_DEALING, KIND_VERDICT, KIND_LAYER in K. rewrite !orb_true_iff, !N.eqb_eq in K. lia. }
  rewrite post_at_never_panics by exact S. rewrite !andb_true_iff. change (2 ^ 62) with 4611686018427387904 in L.
  repeat split; try (apply N.ltb_lt; change (2 ^ 64) with 18446744073709551616; lia).
  destruct (post_at _ _ _ _ _) as [word|] eqn:E; [|reflexivity]. exact (first_flaw_never_panics _ (post_at_short _ _ _ _ _ _ S E)).
Qed.

Lemma numbers_among_never_panics : forall numbers others, numbers_among_safe numbers others = true.
Proof.
  intros numbers others. unfold numbers_among_safe. each_turn i H. unfold numbers_among_step_safe. destruct acc; [|reflexivity].
  apply andb_true_iff. split; [in_range H|]. unfold number_among_safe. each_turn j J. unfold number_among_step_safe.
  destruct acc; [reflexivity|in_range J].
Qed.

Lemma read_servers_never_panics : forall rule posts place dealers order, Forall short_post posts ->
  (kind_may_be_absent (post_kind place) = true -> Forall (fun number => number < 2 ^ 62) order) ->
  read_servers_safe rule terms posts place dealers order = true.
Proof.
  intros rule posts place dealers order S O. unfold read_servers_safe. each_turn i H. apply andb_true_iff. split; [in_range H|].
  unfold read_servers_step_safe. destruct (read_ends _ _); [reflexivity|]. apply andb_true_iff. split.
  - unfold server_place_safe. rewrite server_post_never_panics by exact S. cbn [andb].
    destruct (server_post _ _ _ _ _) as [p|] eqn:P.
    + exact (first_flaw_never_panics _ (post_at_short _ _ _ _ _ _ S P)).
    + destruct (kind_may_be_absent (post_kind place)) eqn:K; [|unfold is_absent_safe; now rewrite K].
      apply is_absent_never_panics; [exact S|].
      apply (proj1 (Forall_forall _ _) (O eq_refl)), seq_at_in. lia.
  - destruct (server_place _ _ _ _ _); try reflexivity. unfold body_flaw_safe. destruct (viewed_flaw _); [reflexivity|].
    apply numbers_among_never_panics.
Qed.

Lemma numbers_below : Forall (fun number => number < 2 ^ 62) (server_numbers terms).
Proof.
  unfold server_numbers. apply (loop_invariant _ (fun _ numbers => Forall (fun number => number < 2 ^ 62) numbers)); [lia|constructor|].
  intros i numbers H N. unfold server_numbers_step. apply Forall_app. split; [exact N|]. constructor; [|constructor].
  destruct legal as (_ & _ & _ & L & _). change (2 ^ 32) with 4294967296 in L. change (2 ^ 62) with 4611686018427387904. lia.
Qed.

Lemma read_all_never_panics : forall rule posts place dealers, Forall short_post posts ->
  read_servers_safe rule terms posts place dealers (server_numbers terms) = true.
Proof. intros. apply read_servers_never_panics; [assumption|]. intros _. exact numbers_below. Qed.

Lemma turned_round_never_panics : forall numbers, turned_round_safe numbers = true.
Proof.
  intros numbers. unfold turned_round_safe. each_turn i H. unfold turned_round_step_safe.
  rewrite !andb_true_iff, !N.leb_le, N.ltb_lt. lia.
Qed.

Lemma read_shares_never_panics : forall asked posts query, Forall short_post posts -> read_shares_safe asked terms posts query = true.
Proof.
  intros asked posts query S. unfold read_shares_safe. cbv zeta. rewrite server_numbers_never_panics, read_all_never_panics by exact S.
  cbn [andb]. destruct (_ <=? _); [|reflexivity]. unfold read_opening_safe. rewrite post_at_never_panics by exact S. cbn [andb].
  destruct (post_at _ _ _ _ _) as [p|] eqn:E; [|reflexivity]. exact (first_flaw_never_panics _ (post_at_short _ _ _ _ _ _ S E)).
Qed.

Lemma view_of_query_never_panics : forall posts query mixers, Forall short_post posts ->
  view_of_query_safe terms posts query mixers = true.
Proof.
  intros posts query mixers S. unfold view_of_query_safe. cbv zeta.
  rewrite (read_servers_never_panics ReadRule_ReadStops) by (assumption || discriminate). rewrite turned_round_never_panics.
  destruct (query_backward query); cbn [andb]; (destruct (_ || _); [reflexivity|]);
    (destruct (query_tested query); [|now apply read_shares_never_panics]); unfold read_tests_safe; cbv zeta;
    rewrite (read_servers_never_panics ReadRule_ReadStops) by (assumption || discriminate); cbn [andb];
    (destruct (_ || _); [reflexivity|now apply read_shares_never_panics]).
Qed.

Lemma read_inputs_never_panics : forall posts, Forall short_post posts -> read_inputs_safe terms posts = true.
Proof.
  intros posts S. unfold read_inputs_safe. apply (loop_is_safe _ (fun _ inputs => Forall short (inputs_firsts inputs))); [constructor|].
  intros i inputs H F. pose proof (short_post_at posts i S) as P. split.
  - apply andb_true_iff. split; [in_range H|]. unfold read_inputs_step_safe. apply andb_true_iff. split.
    + destruct (_ =? _); [exact (first_flaw_never_panics _ P)|reflexivity].
    + destruct (_ && _); [|reflexivity]. unfold input_flaw_safe. destruct (viewed_flaw _); [reflexivity|]. now apply is_one_of_never_panics.
  - unfold read_inputs_step. destruct (_ && _); [|exact F]. unfold with_input. destruct (input_flaw _ _); [exact F|]. cbn [inputs_firsts].
    apply Forall_app. split; [exact F|]. constructor; [apply P|constructor].
Qed.

Lemma posts_about_never_panics : forall posts queries, Forall short_post posts -> seq_length posts < 2 ^ 62 ->
  posts_about_safe posts queries = true.
Proof.
  intros posts queries S L. unfold posts_about_safe. apply (loop_is_safe _ (fun i found => about_unasked found <= i)); [apply N.le_refl|].
  intros i found H U. split.
  - apply andb_true_iff. split; [apply N.ltb_lt; lia|]. unfold posts_about_step_safe. destruct (negb _); [reflexivity|].
    apply andb_true_iff. split.
    + unfold is_awaited_safe. each_turn j J. apply andb_true_iff. split; [in_range J|]. unfold is_awaited_step_safe.
      destruct acc; [reflexivity|]. destruct (short_post_at posts i S) as (_ & Q & A & _). unfold is_about_safe.
      rewrite !bytes_equal_never_panics by assumption. destruct (bytes_equal _ _); [now destruct (negb _)|reflexivity].
    + destruct (is_awaited _ _); [reflexivity|]. apply N.ltb_lt. change (2 ^ 62) with 4611686018427387904 in L.
      change (2 ^ 64) with 18446744073709551616. lia.
  - unfold posts_about_step. destruct (negb _); [lia|]. destruct (is_awaited _ _); cbn [about_unasked]; lia.
Qed.

Lemma judge_queries_never_panics : forall seen of_stages posts, Forall short_post of_stages -> Forall short_post posts ->
  seq_length posts < 2 ^ 62 -> judge_queries_safe seen terms of_stages posts = true.
Proof.
  intros seen of_stages posts SS S L. unfold judge_queries_safe. cbv zeta. rewrite posts_about_never_panics by assumption.
  assert (A : forall queries, Forall short_post (about_posts (posts_about posts queries))).
  { intros queries. rewrite posts_about_filter. apply Forall_forall. intros p H. apply filter_In in H. now apply (proj1 (Forall_forall _ _) S). }
  rewrite first_faults_never_panics, missing_bodies_never_panics by apply A. rewrite !andb_true_iff. repeat split.
  - unfold read_queries_safe. each_turn i H. apply andb_true_iff. split; [in_range H|]. unfold read_queries_step_safe.
    destruct (_ =? _); [|reflexivity]. now apply first_flaw_never_panics, short_post_at.
  - unfold views_of_queries_safe. each_turn i H. apply andb_true_iff. split; [in_range H|]. apply view_of_query_never_panics, A.
  - unfold faults_of_asked_safe. each_turn i H. in_range H.
Qed.

Theorem view_of_posts_never_panics : forall posts, Forall short_post posts -> seq_length posts < 2 ^ 62 ->
  view_of_posts_safe terms posts = true.
Proof.
  intros posts S L. unfold view_of_posts_safe. cbv zeta. assert (SS : Forall short_post (posts_of_stages posts)).
  { apply Forall_forall. intros p H. apply posts_of_stages_in in H. now apply (proj1 (Forall_forall _ _) S). }
  unfold view_first_safe. rewrite first_faults_never_panics, missing_bodies_never_panics by exact SS. rewrite !andb_true_iff. repeat split.
  - unfold posts_of_stages_safe. each_turn i H. in_range H.
  - each_turn i H. unfold view_of_posts_step_safe. cbv zeta. destruct (_ =? i); [|reflexivity]. destruct (view_stage acc); cbn [judge_next_safe].
    + unfold judge_dealings_safe. cbv zeta. now rewrite server_numbers_never_panics, read_all_never_panics.
    + unfold judge_verdicts_safe. cbv zeta. rewrite server_numbers_never_panics, read_all_never_panics by exact SS. cbn [andb].
      destruct (_ =? 0); [|reflexivity]. unfold dealers_left_safe. each_turn j J. apply andb_true_iff. split; [in_range J|].
      unfold dealers_left_step_safe. apply andb_true_iff. split.
      * unfold number_among_safe. each_turn k K. unfold number_among_step_safe. destruct acc1; [reflexivity|in_range K].
      * destruct (number_among _ _); [|reflexivity]. now apply server_post_never_panics.
    + unfold judge_inputs_safe. rewrite post_at_never_panics by exact SS. cbn [andb]. destruct (post_at _ _ _ _ _) as [close|] eqn:E; [|reflexivity].
      apply andb_true_iff. split; [exact (first_flaw_never_panics _ (post_at_short _ _ _ _ _ _ SS E))|].
      destruct (is_counted _ _); [|reflexivity]. unfold judge_closed_safe. destruct (viewed_flaw close); [reflexivity|].
      now apply read_inputs_never_panics.
    + unfold judge_layers_safe. cbv zeta. now rewrite server_numbers_never_panics, read_all_never_panics.
    + unfold judge_decryption_safe. cbv zeta. now rewrite server_numbers_never_panics, !read_all_never_panics.
    + now apply judge_queries_never_panics.
    + reflexivity.
Qed.

Theorem duties_of_never_panics : forall posts seen number, Forall short_post posts -> duties_of_safe terms posts seen number = true.
Proof.
  intros posts seen number S. unfold duties_of_safe. cbv zeta. destruct (view_stage seen); try reflexivity.
  - now apply server_post_never_panics.
  - now apply server_post_never_panics.
  - destruct (_ =? _); [now apply server_post_never_panics|reflexivity].
  - unfold with_duty_safe. rewrite !server_post_never_panics by exact S. cbn [andb]. apply andb_true_iff. split; [|now destruct (_ <=? _)].
    destruct legal as (_ & _ & _ & L & T). unfold mix_quorum_safe. change (2 ^ 32) with 4294967296 in *.
    apply andb_true_iff. split; apply N.ltb_lt; change (2 ^ 64) with 18446744073709551616; lia.
  - unfold duties_asked_safe. each_turn i H. apply andb_true_iff. split; [in_range H|]. unfold duties_asked_step_safe. cbv zeta.
    destruct (_ =? 0); [reflexivity|]. now apply server_post_never_panics.
Qed.

End Ceremony.

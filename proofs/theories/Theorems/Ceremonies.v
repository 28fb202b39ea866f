(** Theorems for auditors: what a mixnet's view makes of a board's posts.

    To understand a statement of this file you need this file, the generated definitions, and of Spec/Mixnet/CeremonyView.v
    [forget_unasked], [stands], [server_stands], [sender_stands] and [view_stands_of], of Spec/Mixnet/CeremonyFaults.v [dealt],
    [earned], [fault_earned] and [honest], of Safety/CeremonySafe.v [short_post] and [short_terms].

    A post is given with what is judged elsewhere: whether its value is one, whether signature and receipts are true, whether the
    body is at hand and what is wrong with it ([ViewPost]). The theorems hold whatever is given, and whoever posts.

    - [unasked_posts_change_nothing]: a post about a query that no valid query is, or that opens another querier's, changes the
      number of such posts and nothing else of the view: no stage, list, fault or missing body;
    - [valid_posts_stand]: behind each dealer, sender, mixer, agreement and share of a view there is a post of that kind, by that
      server or registered sender, which its signer signed, whose body t servers hold and whose body is not false;
    - [faults_are_earned]: each fault is one of a post that is on the board and fails the check;
    - [honest_posts_unblamed]: where a board has one post for a key, no fault names a post that passes all checks, whatever the others
      post, so long as no verdict that stands convicts it;
    - [view_never_panics], [duties_never_panic]: both are computed whatever was posted, within the lengths of memory. *)
From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Mixnet.PostKey Mixnet.CountedPost Mixnet.ServersRead Mixnet.CeremonyRead Mixnet.CeremonyView
  Mixnet.Duty Mixnet.CeremonyViewSafe Mixnet.DutySafe.
From Aardvark Require Import Spec.Mixnet.CeremonyView Spec.Mixnet.CeremonyFaults Safety.CeremonySafe.
Import ListNotations.
Local Open Scope N_scope.

Theorem unasked_posts_change_nothing : forall terms before after p,
  kind_of_query (post_kind (viewed_key p)) = true ->
  is_awaited (viewed_key p) (queries_valid (read_queries terms (posts_of_stages (before ++ after)))) = false ->
  forget_unasked (view_of_posts terms (before ++ p :: after)) = forget_unasked (view_of_posts terms (before ++ after)).
Proof. exact forgotten_unasked. Qed.

Theorem valid_posts_stand : forall terms posts, view_stands_of terms posts (view_of_posts terms posts).
Proof. exact view_stands. Qed.

Theorem faults_are_earned : forall terms posts fault,
  In fault (view_faults (view_of_posts terms posts)) -> fault_earned terms posts fault.
Proof. exact view_faults_earned. Qed.

Theorem honest_posts_unblamed : forall terms posts p, NoDup (map viewed_key posts) -> honest terms posts p ->
  forall fault, In fault (view_faults (view_of_posts terms posts)) -> fault_key fault <> viewed_key p.
Proof. exact honest_unblamed. Qed.

Theorem view_never_panics : forall terms posts, short_terms terms -> Forall short_post posts -> seq_length posts < 2 ^ 62 ->
  view_of_posts_safe terms posts = true.
Proof. intros terms posts T. now apply view_of_posts_never_panics. Qed.

Theorem duties_never_panic : forall terms posts seen number, short_terms terms -> Forall short_post posts ->
  duties_of_safe terms posts seen number = true.
Proof. intros terms posts seen number T. now apply duties_of_never_panics. Qed.

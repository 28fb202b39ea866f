(** Theorems for auditors: what the policy `board` lets into a dictionary.

    To understand a statement of this file you need this file, the generated definitions, [of_bytes] (Safety/BoundsSafe.v), of
    Spec/Policy/Board.v [admitted], [admission_among], [post_stands], [board_kept], [stays] and [board_allowed], and for accepted
    blocks Blocks.v.

    A transaction is allowed ([board_allowed]) where the policy lets it pass ([check_policy]), its keys are strings of bytes, and all that has to
    be signed is: its posts, and the admissions that they require ([board_posts]). Which posts are signed, each by its [post_signer] under
    [post_digest], is given, as the signatures under other policies are: they are verified besides.

    - [board_passes_iff]: a transaction passes exactly where its operations are posts that may be written, nobody signed it, and it
      brings no certificates;
    - [posts_written_once]: a transaction that passes and is applied changes and deletes nothing that was there; so who
      relays a post that stands there writes nothing;
    - [posts_admitted]: each pair that a passing transaction puts is a post in a ceremony of an organiser whom genesis names:
      one that this organiser has to have signed, or one behind the requirement of its author's admission ([admitted]);
    - [posts_stay]: whatever allowed transactions follow, what stands in a state stands in all later ones, with the same value;
    - [policy_keeps_posts]: in every state that allowed transactions lead to from an empty one, all that stands there are signed
      posts of ceremonies whose organisers genesis names, and the admission of each author who is not the organiser, signed by that
      organiser, stands there too;
    - [accepted_block_keeps_posts]: so it is after an aggregated block that a network's validator accepts, of which
      [find_in_aggregated] finds no break.

    That no transaction makes the policy panic: [check_policy_never_panics] of Policies.v. *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.KeyMap Dictionary.Array Block.Operation
  Block.Transaction Block.BlockData Block.Map Policy.PolicyReason Policy.Signers Policy.Board Policy.CheckPolicy.
From Coq Require Import Ring_theory.
From AardvarkSpec Require Import Commitment.Kzg Commitment.LibertYung Commitment.Scheme Commitment.Transcript
  Dictionary.Genesis Dictionary.Vectors Block.State Block.AggregatedBlock Block.DrawnBlock.
From Aardvark Require Import Safety.BoundsSafe Spec.Policy.CheckPolicy Spec.Policy.Board Theorems.Breaks Theorems.Blocks Theorems.Drawn.
Import ListNotations.
Local Open Scope N_scope.

Section Board.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Theorem board_passes_iff : forall organisers tx signed_by brought,
  check_policy (Policy_PolicyBoard organisers) tx signed_by brought = Ok tt <->
  (exists posts, board_posts organisers tx = Ok posts) /\ signed_by = [] /\ brought = [].
Proof. exact Aardvark.Spec.Policy.Board.board_passes_iff. Qed.

Theorem posts_written_once : forall organisers tx signed_by brought before x after k v,
  Forall (fun op => of_bytes (operation_key op)) (operations tx) ->
  check_policy (Policy_PolicyBoard organisers) tx signed_by brought = Ok tt ->
  map_operations before (operations tx) x = Ok after ->
  key_map_get before k = Some v -> key_map_get after k = Some v.
Proof.
  intros organisers tx signed_by brought before x after k v O C E.
  refine (proj1 (posts_applied organisers (fun _ => True) tx before x after _ E) k v).
  exists signed_by, brought. split; [exact O|]. split; [exact C|]. intros posts _. now apply Forall_forall.
Qed.

Theorem posts_admitted : forall organisers tx signed_by brought op,
  check_policy (Policy_PolicyBoard organisers) tx signed_by brought = Ok tt ->
  In op (operations tx) -> admitted organisers (operations tx) op.
Proof.
  intros organisers tx signed_by brought op C. apply check_policy_iff in C as [C _].
  exact (Aardvark.Spec.Policy.Board.posts_admitted _ _ _ _ C).
Qed.

(** The organisers whom genesis names, and which posts are signed. *)
Variables (organisers : list ByteString) (signed : BoardPost -> Prop).

(** The arrays that blocks lead to, from the first: the transactions of each were allowed, and lead from the map of the
    array before to that of the array after. *)
Inductive board_history (first : Array) : Array -> Prop :=
| board_first : board_history first first
| board_block : forall a block a',
    board_history first a ->
    (forall tx, In tx (transactions block) -> board_allowed organisers signed tx) ->
    map_transactions (map_of_array a) (transactions block) = Ok (map_of_array a') ->
    board_history first a'.

Lemma history_grows : forall first a, board_history first a -> board_grows organisers signed (map_of_array first) (map_of_array a).
Proof.
  intros first a H. induction H as [|a block a' H IH A E]; [split; [intros k v G; exact G|auto]|].
  exact (grows_on _ _ _ _ _ IH (transactions_keep_posts _ _ _ _ _ A E)).
Qed.

Theorem posts_stay : forall first a, board_history first a -> stays (map_of_array first) (map_of_array a).
Proof. intros first a H. exact (proj1 (history_grows _ _ H)). Qed.

Theorem policy_keeps_posts : forall first a,
  (forall k, key_map_get (map_of_array first) k = None) ->
  board_history first a -> board_kept organisers signed (map_of_array a).
Proof. intros first a none H. apply (history_grows _ _ H). intros k v G. rewrite none in G. discriminate. Qed.

End Board.

(** ** Accepted blocks *)

Section Dictionary.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The assumptions are those of Blocks.v. *)
Hypothesis laws :
  ring_theory (scalar_of_N 0) (scalar_of_N 1) scalar_add scalar_mul scalar_sub (fun x => scalar_of_N 0 [-] x) eq /\
  scalar_of_N 1 <> scalar_of_N 0 /\
  (forall x, x <> scalar_of_N 0 -> scalar_inv x [*] x = scalar_of_N 1) /\
  (forall a b, (a [=?] b) = true <-> a = b) /\
  (forall m n, scalar_of_N (m + n) = scalar_of_N m [+] scalar_of_N n).
Hypothesis root :
  scalar_pow root_of_unity_4096 4096 = scalar_of_N 1 /\ forall k, 0 < k < 4096 -> scalar_pow root_of_unity_4096 k <> scalar_of_N 1.
Variables (setup : Setup) (genesis : Genesis).
Hypothesis made :
  match setup with
  | Setup_Kzg kzg =>
      exists n tau, kzg = kzg_setup n tau /\ 0 < n /\ 4096 mod n = 0 /\ scalar_pow tau n <> scalar_of_N 1
  | Setup_LibertYung libert_yung => exists n alpha, libert_yung = libert_yung_setup n alpha
  end.
Hypothesis sized : setup_vector_size setup = vector_size (genesis_parameters genesis).
Hypothesis legal : genesis_legal genesis = true.
Let size_of_vectors : N := vector_size (genesis_parameters genesis).
Variables (commit_to : list Scalar -> G1) (open_at : list Scalar -> N -> G1).
Hypothesis commits : forall vector, commit_to vector = commit setup vector.
Hypothesis opens : forall vector i, i < size_of_vectors -> open_at vector i = open setup vector i.

(** A block that is accepted under the challenges drawn for it, whose transactions the policy lets pass, and in which no break
    is found, changes nothing that stood, and adds posts only whose authors are admitted. *)
Theorem accepted_block_keeps_posts : forall organisers signed h state aggregated encodings state' effects,
  let t := block_transcript state aggregated encodings in
  let coefficients := drawn_coefficients (transcript_claims_seed t) (seq_length (transcript_claims t)) in
  reachable setup genesis commit_to open_at h state ->
  board_kept organisers signed (map_of_array (latest h)) ->
  apply_aggregated_block setup state aggregated encodings = Ok (state', effects) ->
  (forall tx, In tx (transactions (plain_block aggregated)) -> board_allowed organisers signed tx) ->
  find_in_aggregated commit_to open_at size_of_vectors h state aggregated coefficients = None ->
  exists a', reachable setup genesis commit_to open_at (h ++ [a']) state' /\
    stays (map_of_array (latest h)) (map_of_array a') /\ board_kept organisers signed (map_of_array a').
Proof.
  intros organisers signed h state aggregated encodings state' effects t coefficients R K A P None'.
  rewrite drawn_is_challenged in A. cbv zeta in A. fold t in A.
  pose proof (accepted_aggregated_block_is_justified_or_breaks laws root setup genesis made sized legal commit_to open_at commits
    opens h state aggregated _ _ state' effects R A) as J.
  cbv zeta in J. fold size_of_vectors in J. change (transcript_claims_seed t) with
    (aggregate_claims_seed (dictionary_id state) (block_version (plain_block aggregated)) (transcript_claims t)) in coefficients.
  fold coefficients in J. rewrite None' in J. destruct J as (a' & M & _ & R' & _). exists a'. split; [exact R'|].
  destruct (transactions_keep_posts organisers signed _ _ _ P M) as [S Kept]. split; [exact S|exact (Kept K)].
Qed.

End Dictionary.

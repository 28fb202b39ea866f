(* Translated from spec/src/mixnet/key_generation.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Key generation: whose dealings remain after the verdicts, the keys that follow from them, and
    each server's share of these. A pure function of the posts.

    A dealer whom a valid verdict convicts is out, and t dealers must remain. A key is the sum of
    what they dealt: the commitments to its polynomial are the sums of theirs, so Y_l is the first
    of row l, and Σ_a k^a of that row the public half of server k's share. Source: docs/mixnet.md,
    "Keys". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Group Base.Hash Mixnet.LinearRelation
  Mixnet.MixnetTranscript Mixnet.Sharing Mixnet.Dealing Mixnet.ServersRead Mixnet.KeyPosts.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The tag of the digest of all keys. *)
Definition tag_mixnet_keys : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 77; 73; 88; 78; 69; 84; 45; 75; 69; 89; 83].

(** The keys that were dealt. *)
Record GeneratedKeys : Type := {
  (** Whose dealings they are the sum of, in ascending order. *)
  generated_dealers : Seq usize;
  (** The commitments to the sum of the dealt polynomials: a row a key, t elements each. *)
  generated_committed : Seq (Seq G1);
  (** `keys`: what every later hash begins with. *)
  generated_digest : ByteString;
}.

(** One step of [`complaint_dealers`]. *)
Definition complaint_dealers_step
    (dealers : Seq usize)
    (complaints : Seq KeyComplaint)
    (i : usize) : Seq usize :=
  dealers ++ [(seq_at complaints i).(complaint_dealer)].

(** Whom complaints are about. *)
Definition complaint_dealers (complaints : Seq KeyComplaint) : Seq usize :=
  fold_left
    (fun dealers i => complaint_dealers_step dealers complaints i)
    (range 0 (seq_length complaints))
    [].

(** One step of [`convicted_dealers`]. *)
Definition convicted_dealers_step
    (convicted : Seq usize)
    (terms : KeyTerms)
    (valid : Seq KeyDealing)
    (verdict : KeyVerdict) : Seq usize :=
  if verdict_holds terms valid verdict then
    convicted ++ complaint_dealers verdict.(verdict_complaints)
  else
    convicted.

(** The dealers whom valid verdicts convict. *)
Definition convicted_dealers
    (terms : KeyTerms)
    (valid : Seq KeyDealing)
    (verdicts : Seq KeyVerdict) : Seq usize :=
  fold_left
    (fun convicted i => convicted_dealers_step convicted terms valid (seq_at verdicts i))
    (range 0 (seq_length verdicts))
    [].

(** One step of [`qualified_dealings`]. *)
Definition qualified_dealings_step
    (qualified : Seq KeyDealing)
    (dealing : KeyDealing)
    (convicted : Seq usize) : Seq KeyDealing :=
  if number_among convicted dealing.(deal_author) then qualified else qualified ++ [dealing].

(** The valid dealings that no valid verdict convicts. *)
Definition qualified_dealings
    (terms : KeyTerms)
    (dealings : Seq KeyDealing)
    (verdicts : Seq KeyVerdict) : Seq KeyDealing :=
  let valid := valid_dealings terms dealings in
  let convicted := convicted_dealers terms valid verdicts in
  fold_left
    (fun qualified i => qualified_dealings_step qualified (seq_at valid i) convicted)
    (range 0 (seq_length valid))
    [].

(** The commitments of key `l`; none beyond the last. *)
Definition committed_row (committed : Seq (Seq G1)) (l : usize) : Seq G1 :=
  if l <? seq_length committed then seq_at committed l else [].

(** One step of [`summed_row`]. *)
Definition summed_row_step (sums : Seq G1) (dealing : KeyDealing) (l : usize) : Seq G1 :=
  linear_sum_elements sums (committed_row dealing.(deal_committed) l).

(** The commitments to the sum of the polynomials that were dealt for key `l`. *)
Definition summed_row (dealings : Seq KeyDealing) (threshold l : usize) : Seq G1 :=
  fold_left
    (fun sums i => summed_row_step sums (seq_at dealings i) l)
    (range 0 (seq_length dealings))
    (linear_empty_row threshold).

(** One step of [`summed_commitments`]. *)
Definition summed_commitments_step
    (rows : Seq (Seq G1))
    (dealings : Seq KeyDealing)
    (threshold l : usize) : Seq (Seq G1) :=
  rows ++ [summed_row dealings threshold l].

(** The commitments to the sums of the dealt polynomials, a row a key. *)
Definition summed_commitments (terms : KeyTerms) (dealings : Seq KeyDealing) : Seq (Seq G1) :=
  fold_left
    (fun rows l => summed_commitments_step rows dealings terms.(keys_threshold) l)
    (range 0 terms.(keys_count))
    [].

(** One step of [`dealing_authors`]. *)
Definition dealing_authors_step (authors : Seq usize) (dealing : KeyDealing) : Seq usize :=
  authors ++ [dealing.(deal_author)].

(** Whose dealings these are. *)
Definition dealing_authors (dealings : Seq KeyDealing) : Seq usize :=
  fold_left
    (fun authors i => dealing_authors_step authors (seq_at dealings i))
    (range 0 (seq_length dealings))
    [].

(** One step of [`author_bytes`]. *)
Definition author_bytes_step (encoded : ByteString) (authors : Seq usize) (i : usize) : ByteString :=
  encoded ++ u16_bytes (seq_at authors i).

(** Two bytes a dealer. *)
Definition author_bytes (authors : Seq usize) : ByteString :=
  fold_left (fun encoded i => author_bytes_step encoded authors i) (range 0 (seq_length authors)) [].

(** One step of [`dealing_lists`]. *)
Definition dealing_lists_step (encoded : ByteString) (dealing : KeyDealing) : ByteString :=
  encoded ++ dealing.(deal_list).

(** The encodings of all A of all dealings, 96 bytes each. *)
Definition dealing_lists (dealings : Seq KeyDealing) : ByteString :=
  fold_left
    (fun encoded i => dealing_lists_step encoded (seq_at dealings i))
    (range 0 (seq_length dealings))
    [].

(** `keys`: `H(tag, ceremony || u8 count || dealers || list of all A)`. So everything that comes
    after binds whose dealings remained, and what they committed to. *)
Definition keys_digest (terms : KeyTerms) (dealings : Seq KeyDealing) : ByteString :=
  let points := seq_length dealings * terms.(keys_count) * terms.(keys_threshold) in
  let digest := mixnet_list_digest points 1 (dealing_lists dealings) in
  let dealers := u8_bytes (seq_length dealings) ++ author_bytes (dealing_authors dealings) in
  tagged_hash tag_mixnet_keys (terms.(keys_ceremony) ++ dealers ++ digest).

(** The keys that follow from all dealings and verdicts; none where terms are not legal or fewer
    than t dealers remain. *)
Definition generate_keys
    (terms : KeyTerms)
    (dealings : Seq KeyDealing)
    (verdicts : Seq KeyVerdict) : Option GeneratedKeys :=
  let qualified := qualified_dealings terms dealings verdicts in
  if key_terms_legal terms && (terms.(keys_threshold) <=? seq_length qualified) then
    Some
      {| generated_dealers := dealing_authors qualified;
        generated_committed := summed_commitments terms qualified;
        generated_digest := keys_digest terms qualified |}
  else
    None.

(** Y_l *)
Definition generated_key (keys : GeneratedKeys) (l : usize) : G1 :=
  g1_at (committed_row keys.(generated_committed) l) 0.

(** Y_{l,k}, the public half of a server's share of key `l`. *)
Definition generated_public_share (keys : GeneratedKeys) (server l : usize) : G1 :=
  share_public (committed_row keys.(generated_committed) l) server.

(** One step of [`summed_shares`]. *)
Definition summed_shares_step (sums : Seq Scalar) (received : Seq (Seq Scalar)) (i : usize) : Seq Scalar :=
  linear_sum_scalars sums (seq_at received i).

(** A server's shares of all keys: the sums of what the dealers that remain gave it. *)
Definition summed_shares (terms : KeyTerms) (received : Seq (Seq Scalar)) : Seq Scalar :=
  fold_left
    (fun sums i => summed_shares_step sums received i)
    (range 0 (seq_length received))
    (scalars_resized [] terms.(keys_count)).

(** Whether a server's shares are those whose public halves everybody knows. A server for which it
    is not so posts no shares of anything. *)
Definition key_shares_hold (keys : GeneratedKeys) (server : usize) (shares : Seq Scalar) : bool :=
  dealt_shares_hold keys.(generated_committed) server shares.

End Specification.

(* Translated from spec/src/mixnet/key_generation.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.KeyGeneration Base.BytesSafe Base.ScalarSafe Base.GroupSafe
  Mixnet.LinearRelationSafe Mixnet.MixnetTranscriptSafe Mixnet.SharingSafe Mixnet.DealingSafe
  Mixnet.ServersReadSafe Mixnet.KeyPostsSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [complaint_dealers_step] does not panic. *)
Definition complaint_dealers_step_safe
    (dealers : Seq usize)
    (complaints : Seq KeyComplaint)
    (i : usize) : bool :=
  i <? seq_length complaints.

(** When [complaint_dealers] does not panic. *)
Definition complaint_dealers_safe (complaints : Seq KeyComplaint) : bool :=
  loop_safe
    (fun dealers i => complaint_dealers_step dealers complaints i)
    (fun dealers i => complaint_dealers_step_safe dealers complaints i)
    (range 0 (seq_length complaints))
    [].

(** When [convicted_dealers_step] does not panic. *)
Definition convicted_dealers_step_safe
    (convicted : Seq usize)
    (terms : KeyTerms)
    (valid : Seq KeyDealing)
    (verdict : KeyVerdict) : bool :=
  verdict_holds_safe terms valid verdict &&
  (if verdict_holds terms valid verdict then complaint_dealers_safe verdict.(verdict_complaints) else true).

(** When [convicted_dealers] does not panic. *)
Definition convicted_dealers_safe
    (terms : KeyTerms)
    (valid : Seq KeyDealing)
    (verdicts : Seq KeyVerdict) : bool :=
  loop_safe
    (fun convicted i => convicted_dealers_step convicted terms valid (seq_at verdicts i))
    (fun convicted i =>
      (i <? seq_length verdicts) && convicted_dealers_step_safe convicted terms valid (seq_at verdicts i))
    (range 0 (seq_length verdicts))
    [].

(** When [qualified_dealings_step] does not panic. *)
Definition qualified_dealings_step_safe
    (qualified : Seq KeyDealing)
    (dealing : KeyDealing)
    (convicted : Seq usize) : bool :=
  number_among_safe convicted dealing.(deal_author).

(** When [qualified_dealings] does not panic. *)
Definition qualified_dealings_safe
    (terms : KeyTerms)
    (dealings : Seq KeyDealing)
    (verdicts : Seq KeyVerdict) : bool :=
  valid_dealings_safe terms dealings &&
  (let valid := valid_dealings terms dealings in
    convicted_dealers_safe terms valid verdicts &&
    (let convicted := convicted_dealers terms valid verdicts in
      loop_safe
        (fun qualified i => qualified_dealings_step qualified (seq_at valid i) convicted)
        (fun qualified i =>
          (i <? seq_length valid) && qualified_dealings_step_safe qualified (seq_at valid i) convicted)
        (range 0 (seq_length valid))
        [])).

(** When [summed_row_step] does not panic. *)
Definition summed_row_step_safe (sums : Seq G1) (dealing : KeyDealing) (l : usize) : bool :=
  linear_sum_elements_safe sums (committed_row dealing.(deal_committed) l).

(** When [summed_row] does not panic. *)
Definition summed_row_safe (dealings : Seq KeyDealing) (threshold l : usize) : bool :=
  loop_safe
    (fun sums i => summed_row_step sums (seq_at dealings i) l)
    (fun sums i => (i <? seq_length dealings) && summed_row_step_safe sums (seq_at dealings i) l)
    (range 0 (seq_length dealings))
    (linear_empty_row threshold).

(** When [summed_commitments_step] does not panic. *)
Definition summed_commitments_step_safe
    (rows : Seq (Seq G1))
    (dealings : Seq KeyDealing)
    (threshold l : usize) : bool :=
  summed_row_safe dealings threshold l.

(** When [summed_commitments] does not panic. *)
Definition summed_commitments_safe (terms : KeyTerms) (dealings : Seq KeyDealing) : bool :=
  loop_safe
    (fun rows l => summed_commitments_step rows dealings terms.(keys_threshold) l)
    (fun rows l => summed_commitments_step_safe rows dealings terms.(keys_threshold) l)
    (range 0 terms.(keys_count))
    [].

(** When [dealing_authors] does not panic. *)
Definition dealing_authors_safe (dealings : Seq KeyDealing) : bool :=
  loop_safe
    (fun authors i => dealing_authors_step authors (seq_at dealings i))
    (fun authors i => i <? seq_length dealings)
    (range 0 (seq_length dealings))
    [].

(** When [author_bytes_step] does not panic. *)
Definition author_bytes_step_safe (encoded : ByteString) (authors : Seq usize) (i : usize) : bool :=
  i <? seq_length authors.

(** When [author_bytes] does not panic. *)
Definition author_bytes_safe (authors : Seq usize) : bool :=
  loop_safe
    (fun encoded i => author_bytes_step encoded authors i)
    (fun encoded i => author_bytes_step_safe encoded authors i)
    (range 0 (seq_length authors))
    [].

(** When [dealing_lists] does not panic. *)
Definition dealing_lists_safe (dealings : Seq KeyDealing) : bool :=
  loop_safe
    (fun encoded i => dealing_lists_step encoded (seq_at dealings i))
    (fun encoded i => i <? seq_length dealings)
    (range 0 (seq_length dealings))
    [].

(** When [keys_digest] does not panic. *)
Definition keys_digest_safe (terms : KeyTerms) (dealings : Seq KeyDealing) : bool :=
  within_usize (seq_length dealings * terms.(keys_count)) &&
  within_usize (seq_length dealings * terms.(keys_count) * terms.(keys_threshold)) &&
  (dealing_lists_safe dealings &&
    (dealing_authors_safe dealings && author_bytes_safe (dealing_authors dealings))).

(** When [generate_keys] does not panic. *)
Definition generate_keys_safe
    (terms : KeyTerms)
    (dealings : Seq KeyDealing)
    (verdicts : Seq KeyVerdict) : bool :=
  qualified_dealings_safe terms dealings verdicts &&
  (let qualified := qualified_dealings terms dealings verdicts in
    if key_terms_legal terms && (terms.(keys_threshold) <=? seq_length qualified) then
      dealing_authors_safe qualified && summed_commitments_safe terms qualified &&
      keys_digest_safe terms qualified
    else
      true).

(** When [generated_public_share] does not panic. *)
Definition generated_public_share_safe (keys : GeneratedKeys) (server l : usize) : bool :=
  share_public_safe (committed_row keys.(generated_committed) l) server.

(** When [summed_shares_step] does not panic. *)
Definition summed_shares_step_safe (sums : Seq Scalar) (received : Seq (Seq Scalar)) (i : usize) : bool :=
  (i <? seq_length received) && linear_sum_scalars_safe sums (seq_at received i).

(** When [summed_shares] does not panic. *)
Definition summed_shares_safe (terms : KeyTerms) (received : Seq (Seq Scalar)) : bool :=
  loop_safe
    (fun sums i => summed_shares_step sums received i)
    (fun sums i => summed_shares_step_safe sums received i)
    (range 0 (seq_length received))
    (scalars_resized [] terms.(keys_count)).

(** When [key_shares_hold] does not panic. *)
Definition key_shares_hold_safe (keys : GeneratedKeys) (server : usize) (shares : Seq Scalar) : bool :=
  dealt_shares_hold_safe keys.(generated_committed) server shares.

End Specification.

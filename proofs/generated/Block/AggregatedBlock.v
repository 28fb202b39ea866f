(* Translated from spec/src/block/aggregated_block.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Aggregated blocks: in the place of the claims' openings, one point for each index that they
    speak of.

    All phases are those of a plain block, but for the block's length and for phase 6. The
    transactions are those of the plain block; their openings are not looked at. The values of the
    challenges are arguments here, `coefficients` for the distinct claims in order, `combiners` for
    the points; [`crate::block::drawn_block`] draws them, and has what a validator calls. Source:
    docs/format.md, "Aggregated blocks". *)
From AardvarkSpec Require Export Prelude Base.Scalar Base.Group Commitment.Opening Commitment.Scheme
  Dictionary.Slot Dictionary.Vectors Dictionary.Window Block.Rejection Block.Transaction Block.State
  Block.BlockData Block.Phases Block.Validator.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A block whose claims are proved together. *)
Record AggregatedBlock : Type := {
  (** The transactions and tail vectors; openings are of no meaning. *)
  plain_block : Block;
  (** One point for each claimed index, in ascending order of the indices. *)
  block_points : Seq Opening;
}.

#[global] Instance Default_AggregatedBlock : Default AggregatedBlock := {| plain_block := default; block_points := default |}.

(** A claim without its opening, and with what the dictionary's state adds to it. *)
Record MergedClaim : Type := {
  (** The version that it speaks of. *)
  merged_version : usize;
  (** The position. *)
  merged_position : usize;
  (** The commitment to the position's vector at that version. *)
  merged_commitment : G1;
  (** The slot's scalar. *)
  merged_scalar : Scalar;
}.

#[global] Instance Default_MergedClaim : Default MergedClaim := {| merged_version := default; merged_position := default; merged_commitment := default; merged_scalar := default |}.

(** The length of the encoded block, in bytes: 48 a point, and 2 for their number, in the place of
    48 a claim. *)
Definition aggregated_length (block : AggregatedBlock) : usize :=
  let totals := block_totals block.(plain_block) in
  let with_points := block_length block.(plain_block) + 2 + 48 * seq_length block.(block_points) in
  if 48 * totals.(total_claims) <=? with_points then
    with_points - 48 * totals.(total_claims)
  else
    with_points.

(** Phase 1 for the block as a whole: as for a plain block, with the length of the aggregated one. *)
Definition check_aggregated_size (state : ValidatorState) (block : AggregatedBlock) : Result unit Rejection :=
  let totals := block_totals block.(plain_block) in
  let p := state.(parameters) in
  if negb (block.(plain_block).(block_version) =? state.(version) + 1) then
    Err (reject_block Reason_WrongVersion)
  else if p.(block_transactions) <? seq_length block.(plain_block).(transactions) then
    Err (reject_block Reason_TooManyTransactions)
  else if p.(block_operations) <? totals.(total_operations) then
    Err (reject_block Reason_TooManyBlockOperations)
  else if p.(block_claims) <? totals.(total_claims) then
    Err (reject_block Reason_TooManyBlockClaims)
  else if p.(block_bytes) <? aggregated_length block then
    Err (reject_block Reason_BlockTooLong)
  else
    Ok tt.

(** Phase 1: sizes. A transaction is as long as with its openings, for so it was submitted. *)
Definition phase_aggregated_size (state : ValidatorState) (block : AggregatedBlock) : Result unit Rejection :=
  fold_left
    (fun checked x =>
      phase_size_step checked state.(parameters) (seq_at block.(plain_block).(transactions) x) x)
    (range 0 (seq_length block.(plain_block).(transactions)))
    (check_aggregated_size state block).

(** One step of [`is_among`]. *)
Definition is_among_step (found : bool) (other claim : MergedClaim) : bool :=
  found ||
  ((other.(merged_version) =? claim.(merged_version)) &&
    (other.(merged_position) =? claim.(merged_position)) &&
    g1_equal other.(merged_commitment) claim.(merged_commitment) &&
    (other.(merged_scalar) [=?] claim.(merged_scalar))).

(** Whether a claim is among others. *)
Definition is_among (items : Seq MergedClaim) (claim : MergedClaim) : bool :=
  fold_left (fun found j => is_among_step found (seq_at items j) claim) (range 0 (seq_length items)) false.

(** The claims with one more, unless it is among them. *)
Definition add_unopened (items : Seq MergedClaim) (claim : MergedClaim) : Seq MergedClaim :=
  if is_among items claim then items else items ++ [claim].

(** One step of [`unopened_of_transaction`]. A claim of a vector that did not exist, which phase 5
    excludes, leaves none. *)
Definition unopened_of_transaction_step
    (collected : Option (Seq MergedClaim))
    (state : ValidatorState)
    (claim : Claim)
    (v : usize) : Option (Seq MergedClaim) :=
  match collected with
  | None => None
  | Some items =>
      let vector := vector_of claim.(claim_position) state.(parameters).(vector_size) in
      match commitment_at state.(window) state.(commitments) state.(version) v vector with
      | None => None
      | Some commitment =>
          Some
            (add_unopened
                items
                {| merged_version := v;
                  merged_position := claim.(claim_position);
                  merged_commitment := commitment;
                  merged_scalar := scalar_of_slot claim.(claim_slot) |})
      end
  end.

(** The distinct claims with those of one more transaction. *)
Definition unopened_of_transaction
    (before : Option (Seq MergedClaim))
    (state : ValidatorState)
    (tx : Transaction) : Option (Seq MergedClaim) :=
  fold_left
    (fun collected c =>
      unopened_of_transaction_step collected state (seq_at tx.(claims) c) (claims_version tx))
    (range 0 (seq_length tx.(claims)))
    before.

(** The distinct claims of a block, in order; the first of equal ones stays. *)
Definition unopened_claims (state : ValidatorState) (block : Block) : Option (Seq MergedClaim) :=
  fold_left
    (fun collected x => unopened_of_transaction collected state (seq_at block.(transactions) x))
    (range 0 (seq_length block.(transactions)))
    (Some []).

(** One step of [`batch_of_unopened`]. *)
Definition batch_of_unopened_step
    (batch : Seq BatchClaim)
    (claim : MergedClaim)
    (n : usize) : Seq BatchClaim :=
  batch ++
  [{| batch_commitment := claim.(merged_commitment);
      batch_index := index_of claim.(merged_position) n;
      batch_scalar := claim.(merged_scalar);
      batch_opening := g1_identity |}].

(** The claims as the scheme takes them. *)
Definition batch_of_unopened (items : Seq MergedClaim) (n : usize) : Seq BatchClaim :=
  fold_left (fun batch j => batch_of_unopened_step batch (seq_at items j) n) (range 0 (seq_length items)) [].

(** One step of [`speaks_of`]. *)
Definition speaks_of_step (found : bool) (claim : BatchClaim) (i : usize) : bool :=
  found || (claim.(batch_index) =? i).

(** Whether a claim speaks of the index. *)
Definition speaks_of (batch : Seq BatchClaim) (i : usize) : bool :=
  fold_left (fun found j => speaks_of_step found (seq_at batch j) i) (range 0 (seq_length batch)) false.

(** Point `k`; the identity beyond the end and for a malformed one, which are refused for what they
    are. *)
Definition point_element (points : Seq Opening) (k : usize) : G1 :=
  if k <? seq_length points then
    match seq_at points k with
    | Opening_Malformed => g1_identity
    | Opening_Point point => point
    end
  else
    g1_identity.

(** One step of [`indexed_points`]. *)
Definition indexed_points_step
    (indexed : Seq AggregatedOpening)
    (batch : Seq BatchClaim)
    (points : Seq Opening)
    (i : usize) : Seq AggregatedOpening :=
  if speaks_of batch i then
    let element := point_element points (seq_length indexed) in
    indexed ++ [{| aggregated_index := i; aggregated_point := element |}]
  else
    indexed.

(** One entry for each claimed index below `n`, ascending, with the points in their order. *)
Definition indexed_points
    (batch : Seq BatchClaim)
    (points : Seq Opening)
    (n : usize) : Seq AggregatedOpening :=
  fold_left (fun indexed i => indexed_points_step indexed batch points i) (range 0 n) [].

(** One step of [`has_malformed_point`]. *)
Definition has_malformed_point_step (found : bool) (point : Opening) : bool :=
  found || is_malformed point.

(** Whether the bytes of a point break the format's rule. *)
Definition has_malformed_point (points : Seq Opening) : bool :=
  fold_left
    (fun found k => has_malformed_point_step found (seq_at points k))
    (range 0 (seq_length points))
    false.

(** Phase 6: the points prove all claims. Their number is looked at before any point is; a refusal
    names no transaction, for no claim has a proof of its own. *)
Definition phase_points
    (setup : Setup)
    (state : ValidatorState)
    (block : AggregatedBlock)
    (coefficients combiners : Seq Scalar) : Result unit Rejection :=
  match unopened_claims state block.(plain_block) with
  | None => Err (reject_block Reason_OpeningFalse)
  | Some items =>
      let batch := batch_of_unopened items state.(parameters).(vector_size) in
      let indexed := indexed_points batch block.(block_points) state.(parameters).(vector_size) in
      if negb (seq_length indexed =? seq_length block.(block_points)) then
        Err (reject_block Reason_OpeningFalse)
      else if has_malformed_point block.(block_points) then
        Err (reject_block Reason_OpeningMalformed)
      else if negb (verify_aggregated setup batch coefficients indexed combiners) then
        Err (reject_block Reason_OpeningFalse)
      else
        Ok tt
  end.

(** Runs all phases in order, and then the block, under given challenges. *)
Definition execute_challenged_block
    (setup : Setup)
    (state : ValidatorState)
    (aggregated : AggregatedBlock)
    (coefficients combiners : Seq Scalar) : Result Execution Rejection :=
  let block := aggregated.(plain_block) in
  match phase_aggregated_size state aggregated with
  | Ok _ =>
      match phase_interval state block with
      | Ok _ =>
          let ids := transaction_ids state.(dictionary_id) block.(transactions) in
          match phase_replay state ids with
          | Ok _ =>
              match phase_shape state block with
              | Ok _ =>
                  match phase_position state block with
                  | Ok _ =>
                      match phase_points setup state aggregated coefficients combiners with
                      | Ok _ => execute_proved setup state block ids
                      | Err e' => Err e'
                      end
                  | Err e' => Err e'
                  end
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** Applies an aggregated block under given challenges: the state at the next version and what the
    block did, or why it is refused. *)
Definition apply_challenged_block
    (setup : Setup)
    (state : ValidatorState)
    (aggregated : AggregatedBlock)
    (coefficients combiners : Seq Scalar) : Result (ValidatorState * Effects) Rejection :=
  match execute_challenged_block setup state aggregated coefficients combiners with
  | Ok execution => apply_executed setup state execution aggregated.(plain_block).(transactions)
  | Err e' => Err e'
  end.

End Specification.

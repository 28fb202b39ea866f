(* Translated from spec/src/commitment/opening.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What the vector commitment schemes share: openings, claims of a batch, points of an aggregation.

    Commitments and openings are elements of G1; [`crate::base::group`] has what can be done with
    them. *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Group.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** An opening as it was received. *)
Inductive Opening : Type :=
(** Its 48 bytes break the format's rule for openings, which is a matter of the curve's encoding
    and so outside of this specification. *)
| Opening_Malformed
(** Its point, or rather that point's component in the subgroup of order r: the pairing
    annihilates the rest. *)
| Opening_Point (_ : G1).

#[global] Instance Default_Opening : Default Opening := Opening_Malformed.

(** Whether the opening's bytes break the format's rule. *)
Definition is_malformed (opening : Opening) : bool :=
  match opening with
  | Opening_Malformed => true
  | Opening_Point _ => false
  end.

(** One claim of a batch: under the commitment, the vector has the scalar at the index, as the
    opening shows. *)
Record BatchClaim : Type := {
  (** The commitment to the vector. *)
  batch_commitment : G1;
  (** The index within the vector. *)
  batch_index : usize;
  (** The claimed scalar. *)
  batch_scalar : Scalar;
  (** The opening; of no meaning in an aggregation, which has no single openings. *)
  batch_opening : G1;
}.

#[global] Instance Default_BatchClaim : Default BatchClaim := {| batch_commitment := default; batch_index := default; batch_scalar := default; batch_opening := default |}.

(** All openings of one index, merged into one point under the first challenge's coefficients. *)
Record AggregatedOpening : Type := {
  (** The index. *)
  aggregated_index : usize;
  (** The sum, over the claims at this index, of coefficient times opening. *)
  aggregated_point : G1;
}.

#[global] Instance Default_AggregatedOpening : Default AggregatedOpening := {| aggregated_index := default; aggregated_point := default |}.

(** The two sides of an equation between pairings, as they are summed up. *)
Record PairingSum : Type := {
  (** The side that is paired with the second group's generator. *)
  sum_left : G1;
  (** The other side. *)
  sum_right : G1;
}.

#[global] Instance Default_PairingSum : Default PairingSum := {| sum_left := default; sum_right := default |}.

(** Two empty sums. *)
Definition empty_sum : PairingSum :=
  {| sum_left := g1_identity; sum_right := g1_identity |}.

(** One step of [`has_index`]. *)
Definition has_index_step (found : bool) (point : AggregatedOpening) (i : usize) : bool :=
  found || (point.(aggregated_index) =? i).

(** Whether there is a point for the index. *)
Definition has_index (points : Seq AggregatedOpening) (i : usize) : bool :=
  fold_left (fun found j => has_index_step found (seq_at points j) i) (range 0 (seq_length points)) false.

(** One step of [`indices_served`]. *)
Definition indices_served_step (served : bool) (points : Seq AggregatedOpening) (claim : BatchClaim) : bool :=
  served && has_index points claim.(batch_index).

(** Whether there is a point for the index of every claim: without it, a claim would not be checked
    at all. *)
Definition indices_served (batch : Seq BatchClaim) (points : Seq AggregatedOpening) : bool :=
  fold_left
    (fun served j => indices_served_step served points (seq_at batch j))
    (range 0 (seq_length batch))
    true.

(** One step of [`indices_ascend`]: the index of point `j` comes after that of the point before it. *)
Definition indices_ascend_step (ascend : bool) (points : Seq AggregatedOpening) (j : usize) : bool :=
  if 0 <? j then
    ascend && ((seq_at points (j - 1)).(aggregated_index) <? (seq_at points j).(aggregated_index))
  else
    ascend.

(** Whether the indices of the points are strictly ascending, so that no index stands twice. *)
Definition indices_ascend (points : Seq AggregatedOpening) : bool :=
  fold_left (fun ascend j => indices_ascend_step ascend points j) (range 0 (seq_length points)) true.

(** One step of [`is_claimed`]. *)
Definition is_claimed_step (claimed : bool) (claim : BatchClaim) (i : usize) : bool :=
  claimed || (claim.(batch_index) =? i).

(** Whether there is a claim about the index. *)
Definition is_claimed (batch : Seq BatchClaim) (i : usize) : bool :=
  fold_left (fun claimed j => is_claimed_step claimed (seq_at batch j) i) (range 0 (seq_length batch)) false.

(** One step of [`points_claimed`]. *)
Definition points_claimed_step
    (claimed : bool)
    (batch : Seq BatchClaim)
    (point : AggregatedOpening)
    (n : usize) : bool :=
  claimed && (point.(aggregated_index) <? n) && is_claimed batch point.(aggregated_index).

(** Whether every point is at a claimed index below `n`: without it, the identity at an unclaimed
    index would pass. *)
Definition points_claimed (batch : Seq BatchClaim) (points : Seq AggregatedOpening) (n : usize) : bool :=
  fold_left
    (fun claimed j => points_claimed_step claimed batch (seq_at points j) n)
    (range 0 (seq_length points))
    true.

(** Whether the points are those of an aggregation of claims about vectors of `n` elements: exactly
    one a claimed index, in ascending order. *)
Definition aggregation_fits (batch : Seq BatchClaim) (points : Seq AggregatedOpening) (n : usize) : bool :=
  indices_ascend points && points_claimed batch points n && indices_served batch points.

(** One step of [`aggregated_opening`]. *)
Definition aggregated_opening_step (total : G1) (claim : BatchClaim) (rho : Scalar) (i : usize) : G1 :=
  if claim.(batch_index) =? i then g1_add total (g1_scale rho claim.(batch_opening)) else total.

(** The point for index `i`, as the one who aggregates computes it from the single openings. *)
Definition aggregated_opening (batch : Seq BatchClaim) (coefficients : Seq Scalar) (i : usize) : G1 :=
  fold_left
    (fun total j => aggregated_opening_step total (seq_at batch j) (scalar_at coefficients j) i)
    (range 0 (seq_length batch))
    g1_identity.

(** The integer that a batch's coefficient is, as a scalar: the first 16 bytes of a digest. *)
Definition coefficient_of_digest (digest : ByteString) : Scalar :=
  scalar_of_number (number_of_bytes (seq_slice digest 0 16)).

End Specification.

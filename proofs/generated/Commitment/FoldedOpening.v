(* Translated from spec/src/commitment/folded_opening.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Many openings in one: n claims "the polynomial under the commitment C_i has the value y_i at the
    point z_i", any points, any number of commitments, shown by two points of G1, 96 bytes.

    With q_i = (p_i - y_i) / (X - z_i), the quotient whose value at τ opens claim i by itself:

    ```text
    seed   = H("AARDVARK-V1-FOLD-CLAIMS",
               context (32) || u64 n || (C_i (48) || z_i (32) || y_i (32))* )
    γ_i    = challenge(seed, i)
    W      = Σ γ_i [q_i(τ)]
    z      = challenge(H("AARDVARK-V1-FOLD", seed || W (48)), 0)
    W'     = Σ γ_i / (z - z_i) [q_i(τ)]
    accept iff no z_i is z, and
               e(Σ γ_i / (z - z_i) (C_i - y_i g1) - W + z W', g2) = e(W', [τ]_2)
    challenge(seed, i) = hash_to_scalar(seed || u64 i, "AARDVARK-V1-CHALLENGE")
    ```

    The context is a digest of all else that the fold is about. The encodings of points are a matter
    of the curve, so their bytes are inputs here, as in [`crate::commitment::challenge`]. Source:
    docs/answers.md, "Many openings in one". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Group Base.Hash Commitment.Kzg.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A claim of a fold. *)
Record FoldedClaim : Type := {
  (** C_i, the commitment to a polynomial. *)
  folded_commitment : G1;
  (** z_i, where the polynomial is evaluated. *)
  folded_point : Scalar;
  (** y_i, the value that is claimed. *)
  folded_value : Scalar;
}.

#[global] Instance Default_FoldedClaim : Default FoldedClaim := {| folded_commitment := default; folded_point := default; folded_value := default |}.

(** A claim of a fold, as its challenges bind it. *)
Record FoldedClaimBytes : Type := {
  (** The encoded commitment, 48 bytes. *)
  bound_commitment : ByteString;
  (** The point, 32 bytes, highest first. *)
  bound_point : ByteString;
  (** The value, 32 bytes, highest first. *)
  bound_value : ByteString;
}.

#[global] Instance Default_FoldedClaimBytes : Default FoldedClaimBytes := {| bound_commitment := default; bound_point := default; bound_value := default |}.

(** A folded opening: two points of G1. *)
Record FoldedOpening : Type := {
  (** W, which is fixed before z is drawn. *)
  folded_quotient : G1;
  (** W'. *)
  folded_witness : G1;
}.

#[global] Instance Default_FoldedOpening : Default FoldedOpening := {| folded_quotient := default; folded_witness := default |}.

(** The tag of a fold's first seed. *)
Definition tag_fold_claims : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 70; 79; 76; 68; 45; 67; 76; 65; 73; 77; 83].

(** The tag of a fold's second seed. *)
Definition tag_fold : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 70; 79; 76; 68].

(** The tag of challenges that are scalars of full length. *)
Definition tag_challenge : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 67; 72; 65; 76; 76; 69; 78; 71; 69].

(** `commitment (48) || point (32) || value (32)`. *)
Definition encode_folded_claim (claim : FoldedClaimBytes) : ByteString :=
  claim.(bound_commitment) ++ claim.(bound_point) ++ claim.(bound_value).

(** One step of [`fold_claims_seed`]. *)
Definition fold_claims_seed_step (bound : ByteString) (claim : FoldedClaimBytes) : ByteString :=
  bound ++ encode_folded_claim claim.

(** The first seed: it binds the context and all claims in their order. *)
Definition fold_claims_seed (context : ByteString) (bound_claims : Seq FoldedClaimBytes) : ByteString :=
  let bound :=
    fold_left
      (fun bound i => fold_claims_seed_step bound (seq_at bound_claims i))
      (range 0 (seq_length bound_claims))
      (context ++ u64_bytes (seq_length bound_claims))
  in
  tagged_hash tag_fold_claims bound.

(** The second seed: it binds the first, and the encoded W. *)
Definition fold_point_seed (claims_seed quotient_bytes : ByteString) : ByteString :=
  tagged_hash tag_fold (claims_seed ++ quotient_bytes).

(** The challenge with a number, drawn from a seed: any scalar. *)
Definition fold_challenge (seed : ByteString) (i : usize) : Scalar :=
  hash_to_scalar (seed ++ u64_bytes i) tag_challenge.

(** One step of [`fold_gammas`]. *)
Definition fold_gammas_step (gammas : Seq Scalar) (seed : ByteString) (i : usize) : Seq Scalar :=
  gammas ++ [fold_challenge seed i].

(** γ_i, one a claim. *)
Definition fold_gammas (claims_seed : ByteString) (count : usize) : Seq Scalar :=
  fold_left (fun gammas i => fold_gammas_step gammas claims_seed i) (range 0 count) [].

(** z, once W is fixed. *)
Definition fold_point (claims_seed quotient_bytes : ByteString) : Scalar :=
  fold_challenge (fold_point_seed claims_seed quotient_bytes) 0.

(** One step of [`point_is_claimed`]. *)
Definition point_is_claimed_step (found : bool) (claim : FoldedClaim) (z : Scalar) : bool :=
  found || (claim.(folded_point) [=?] z).

(** Whether a claim is about the point. *)
Definition point_is_claimed (folded : Seq FoldedClaim) (z : Scalar) : bool :=
  fold_left
    (fun found i => point_is_claimed_step found (seq_at folded i) z)
    (range 0 (seq_length folded))
    false.

(** γ_i / (z - z_i) *)
Definition fold_factor (claim : FoldedClaim) (gamma z : Scalar) : Scalar :=
  gamma [*] scalar_inverse (z [-] claim.(folded_point)).

(** One step of [`fold_commitments`]. *)
Definition fold_commitments_step (total : G1) (claim : FoldedClaim) (gamma z : Scalar) : G1 :=
  let difference := g1_subtract claim.(folded_commitment) (g1_multiple claim.(folded_value)) in
  g1_add total (g1_scale (fold_factor claim gamma z) difference).

(** Σ γ_i / (z - z_i) (C_i - y_i g1) *)
Definition fold_commitments (folded : Seq FoldedClaim) (gammas : Seq Scalar) (z : Scalar) : G1 :=
  fold_left
    (fun total i => fold_commitments_step total (seq_at folded i) (scalar_at gammas i) z)
    (range 0 (seq_length folded))
    g1_identity.

(** Whether a folded opening shows all claims, under these challenges. *)
Definition verify_fold
    (setup : KzgSetup)
    (folded : Seq FoldedClaim)
    (gammas : Seq Scalar)
    (z : Scalar)
    (opening : FoldedOpening) : bool :=
  let without_quotient := g1_subtract (fold_commitments folded gammas z) opening.(folded_quotient) in
  let left' := g1_add without_quotient (g1_scale z opening.(folded_witness)) in
  negb (point_is_claimed folded z) && pairings_equal left' opening.(folded_witness) setup.(kzg_key).

(** Whether a folded opening shows all claims, under the challenges that are drawn for them. *)
Definition verify_folded
    (setup : KzgSetup)
    (context : ByteString)
    (bound_claims : Seq FoldedClaimBytes)
    (folded : Seq FoldedClaim)
    (quotient_bytes : ByteString)
    (opening : FoldedOpening) : bool :=
  let claims_seed := fold_claims_seed context bound_claims in
  let gammas := fold_gammas claims_seed (seq_length folded) in
  verify_fold setup folded gammas (fold_point claims_seed quotient_bytes) opening.

(** The opening of one claim by itself, [q_i(τ)]_1, as whoever has the trapdoor makes it of a
    commitment: what a prover, who has the polynomial and public points, must come to. *)
Definition open_folded_claim (tau : Scalar) (claim : FoldedClaim) : G1 :=
  let difference := g1_subtract claim.(folded_commitment) (g1_multiple claim.(folded_value)) in
  g1_scale (scalar_inverse (tau [-] claim.(folded_point))) difference.

(** W, of the openings of the claims by themselves. *)
Definition fold_quotient (single_openings : Seq G1) (gammas : Seq Scalar) : G1 :=
  g1_combination single_openings gammas.

(** One step of [`fold_witness`]. *)
Definition fold_witness_step (total : G1) (claim : FoldedClaim) (single : G1) (gamma z : Scalar) : G1 :=
  g1_add total (g1_scale (fold_factor claim gamma z) single).

(** W', of the openings of the claims by themselves. *)
Definition fold_witness
    (folded : Seq FoldedClaim)
    (single_openings : Seq G1)
    (gammas : Seq Scalar)
    (z : Scalar) : G1 :=
  fold_left
    (fun total i =>
      fold_witness_step total (seq_at folded i) (g1_at single_openings i) (scalar_at gammas i) z)
    (range 0 (seq_length folded))
    g1_identity.

End Specification.

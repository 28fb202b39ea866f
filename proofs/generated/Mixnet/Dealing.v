(* Translated from spec/src/mixnet/dealing.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Dealing keys: commitments to polynomials, a share for each server under a mask that only dealer
    and server can compute, one proof that the dealer knows all constant terms and all randomness of
    the masks; and complaints, which open one server's shares to everybody.

    Points that hashes need come as their bytes, 48 each. Source: docs/mixnet.md, "Keys". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Group Base.Hash Mixnet.LinearRelation
  Mixnet.MixnetTranscript Mixnet.Sharing.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The tag of a dealing's seed. *)
Definition tag_mixnet_dealing : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 77; 73; 88; 78; 69; 84; 45; 68; 69; 65; 76; 73; 78; 71].

(** The tag of a server's masks. *)
Definition tag_mixnet_share : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 77; 73; 88; 78; 69; 84; 45; 83; 72; 65; 82; 69].

(** The tag of one mask. *)
Definition tag_mixnet_share_mask : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    77;
    73;
    88;
    78;
    69;
    84;
    45;
    83;
    72;
    65;
    82;
    69;
    45;
    77;
    65;
    83;
    75].

(** The tag of a complaint's seed. *)
Definition tag_mixnet_verdict : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 77; 73; 88; 78; 69; 84; 45; 86; 69; 82; 68; 73; 67; 84].

(** The tag of the last digest of a proof that one knows logarithms. *)
Definition tag_mixnet_knowledge_first : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    77;
    73;
    88;
    78;
    69;
    84;
    45;
    75;
    78;
    79;
    87;
    76;
    69;
    68;
    71;
    69;
    45;
    84].

(** The tag of the seed of a server's proof that it knows its transport key. *)
Definition tag_mixnet_transport : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    77;
    73;
    88;
    78;
    69;
    84;
    45;
    84;
    82;
    65;
    78;
    83;
    80;
    79;
    82;
    84].

(** The tag of the seed of a querier's proof that it knows its reading key. *)
Definition tag_mixnet_querier : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 77; 73; 88; 78; 69; 84; 45; 81; 85; 69; 82; 73; 69; 82].

(** The tag of the seed of that proof in a private query. *)
Definition tag_mixnet_asking : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 77; 73; 88; 78; 69; 84; 45; 65; 83; 75; 73; 78; 71].

(** The challenge of a proof of logarithms, of its seed, which covers the whole statement, and the
    bytes of T. *)
Definition knowledge_challenge (seed first : ByteString) : Scalar :=
  hash_to_scalar (tagged_hash tag_mixnet_knowledge_first (seed ++ first)) tag_mixnet_challenge.

(** One step of [`knowledge_matrix`]. *)
Definition knowledge_matrix_step (matrix : Seq (Seq G1)) (count i : usize) : Seq (Seq G1) :=
  matrix ++ [g1_updated (linear_empty_row count) i g1_generator].

(** M of "I know the logarithms of these elements": the generator on the diagonal. *)
Definition knowledge_matrix (count : usize) : Seq (Seq G1) :=
  fold_left (fun matrix i => knowledge_matrix_step matrix count i) (range 0 count) [].

(** Whether somebody is shown to know the logarithms of all these elements. *)
Definition verify_knowledge (image : Seq G1) (proof : LinearProof) (c : Scalar) : bool :=
  linear_verify (knowledge_matrix (seq_length image)) (seq_length image) image proof c.

(** M of "the first's logarithm is the second's to the base R": both bases in one column. *)
Definition equality_matrix (base : G1) : Seq (Seq G1) :=
  let first := [] ++ [g1_generator] in
  let second := [] ++ [base] in
  [] ++ [first] ++ [second].

(** Whether log_G N is shown to be log_R S. *)
Definition verify_equality (base transport shared : G1) (proof : LinearProof) (c : Scalar) : bool :=
  linear_verify (equality_matrix base) 1 ([] ++ [transport] ++ [shared]) proof c.

(** The seed of a transport or reading key's proof: `author` is the Ed25519 key that it belongs to,
    in a private query after the digest of the mix. *)
Definition key_proof_seed (tag author point : ByteString) : ByteString :=
  tagged_hash tag (author ++ point).

(** The seed of a dealing's proof: ceremony, dealer, and every byte of the post but the proof, that
    is all commitments, all R and all masked shares. *)
Definition dealing_seed (ceremony : ByteString) (dealer : usize) (statement : ByteString) : ByteString :=
  tagged_hash tag_mixnet_dealing (ceremony ++ u16_bytes dealer ++ statement).

(** One step of [`dealing_image`]. *)
Definition dealing_image_step (image : Seq G1) (committed : Seq (Seq G1)) (l : usize) : Seq G1 :=
  image ++ [g1_at (seq_at committed l) 0].

(** One step of [`dealing_image`]. *)
Definition dealing_randomised_step (image randomised : Seq G1) (k : usize) : Seq G1 :=
  image ++ [seq_at randomised k].

(** What a dealer has to know the logarithms of: all constant terms A_{l,0}, and all R_k. *)
Definition dealing_image (committed : Seq (Seq G1)) (randomised : Seq G1) : Seq G1 :=
  let image :=
    fold_left (fun image l => dealing_image_step image committed l) (range 0 (seq_length committed)) []
  in
  fold_left
    (fun image k => dealing_randomised_step image randomised k)
    (range 0 (seq_length randomised))
    image.

(** Whether a dealing's proof is true, under the challenge that is drawn for it. *)
Definition verify_dealing
    (seed : ByteString)
    (committed : Seq (Seq G1))
    (randomised : Seq G1)
    (proof : LinearProof)
    (first : ByteString) : bool :=
  verify_knowledge (dealing_image committed randomised) proof (knowledge_challenge seed first).

(** What a server's masks in a dealing are drawn from: `shared` is ρ_k N_k = ν_k R_k. *)
Definition share_mask_seed
    (ceremony : ByteString)
    (dealer server : usize)
    (randomised shared : ByteString) : ByteString :=
  let author := ceremony ++ u16_bytes dealer ++ u16_bytes server in
  tagged_hash tag_mixnet_share (author ++ randomised ++ shared).

(** The mask of the share of key `l`. *)
Definition share_mask (seed : ByteString) (l : usize) : Scalar :=
  hash_to_scalar (seed ++ u16_bytes l) tag_mixnet_share_mask.

(** One step of [`share_seal`]. *)
Definition share_seal_step
    (sealed : Seq Scalar)
    (seed : ByteString)
    (shares : Seq Scalar)
    (l : usize) : Seq Scalar :=
  sealed ++ [seq_at shares l [+] share_mask seed l].

(** A server's shares under their masks. *)
Definition share_seal (seed : ByteString) (shares : Seq Scalar) : Seq Scalar :=
  fold_left (fun sealed l => share_seal_step sealed seed shares l) (range 0 (seq_length shares)) [].

(** One step of [`share_unseal`]. *)
Definition share_unseal_step
    (shares : Seq Scalar)
    (seed : ByteString)
    (sealed : Seq Scalar)
    (l : usize) : Seq Scalar :=
  shares ++ [seq_at sealed l [-] share_mask seed l].

(** The shares that are under the masks. *)
Definition share_unseal (seed : ByteString) (sealed : Seq Scalar) : Seq Scalar :=
  fold_left (fun shares l => share_unseal_step shares seed sealed l) (range 0 (seq_length sealed)) [].

(** One step of [`dealt_shares_hold`]. *)
Definition dealt_shares_step
    (held : bool)
    (committed : Seq (Seq G1))
    (server : usize)
    (shares : Seq Scalar)
    (l : usize) : bool :=
  held && share_verify (seq_at committed l) server (scalar_at shares l).

(** Whether a server was dealt a share of each key, and each is the one that is committed to. *)
Definition dealt_shares_hold (committed : Seq (Seq G1)) (server : usize) (shares : Seq Scalar) : bool :=
  fold_left
    (fun held l => dealt_shares_step held committed server shares l)
    (range 0 (seq_length committed))
    (seq_length shares =? seq_length committed).

(** The seed of the proof in a complaint of a server about a dealer; the points are N, R and S. *)
Definition verdict_seed
    (ceremony : ByteString)
    (server dealer : usize)
    (transport randomised shared : ByteString) : ByteString :=
  let author := ceremony ++ u16_bytes server ++ u16_bytes dealer in
  tagged_hash tag_mixnet_verdict (author ++ transport ++ randomised ++ shared).

(** Whether a complaint convicts the dealer: S is shown to be what opens the server's shares, and
    these are not the ones that the dealer committed to. `shown` is the verdict of
    [`verify_equality`], `mask_seed` what the masks are drawn from if S is right. *)
Definition complaint_convicts
    (shown : bool)
    (committed : Seq (Seq G1))
    (server : usize)
    (sealed : Seq Scalar)
    (mask_seed : ByteString) : bool :=
  shown && negb (dealt_shares_hold committed server (share_unseal mask_seed sealed)).

End Specification.

(* Translated from spec/src/mixnet/key_posts.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.KeyPosts Base.BytesSafe Base.ScalarSafe Base.GroupSafe
  Mixnet.LinearRelationSafe Mixnet.ColumnSafe Mixnet.DealingSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [transport_known] does not panic. *)
Definition transport_known_safe
    (author : ByteString)
    (point : PostedPoint)
    (proof : LinearProof)
    (first : ByteString) : bool :=
  let seed := key_proof_seed tag_mixnet_transport author point.(posted_bytes) in
  let image := [] ++ [point.(posted_element)] in
  verify_knowledge_safe image proof (knowledge_challenge seed first).

(** When [point_of_server] does not panic. *)
Definition point_of_server_safe (points : Seq PostedPoint) (server : usize) : bool :=
  if (0 <? server) && (server <=? seq_length points) then
    (1 <=? server) && (server - 1 <? seq_length points)
  else
    true.

(** When [sealed_of_server] does not panic. *)
Definition sealed_of_server_safe (sealed : Seq (Seq Scalar)) (server : usize) : bool :=
  if (0 <? server) && (server <=? seq_length sealed) then
    (1 <=? server) && (server - 1 <? seq_length sealed)
  else
    true.

(** When [posted_elements_step] does not panic. *)
Definition posted_elements_step_safe (elements : Seq G1) (points : Seq PostedPoint) (i : usize) : bool :=
  i <? seq_length points.

(** When [posted_elements] does not panic. *)
Definition posted_elements_safe (points : Seq PostedPoint) : bool :=
  loop_safe
    (fun elements i => posted_elements_step elements points i)
    (fun elements i => posted_elements_step_safe elements points i)
    (range 0 (seq_length points))
    [].

(** When [sealed_widths_step] does not panic. *)
Definition sealed_widths_step_safe (fits : bool) (sealed : Seq (Seq Scalar)) (count i : usize) : bool :=
  if fits then i <? seq_length sealed else true.

(** When [sealed_widths] does not panic. *)
Definition sealed_widths_safe (sealed : Seq (Seq Scalar)) (count : usize) : bool :=
  loop_safe
    (fun fits i => sealed_widths_step fits sealed count i)
    (fun fits i => sealed_widths_step_safe fits sealed count i)
    (range 0 (seq_length sealed))
    true.

(** When [dealing_fits] does not panic. *)
Definition dealing_fits_safe (terms : KeyTerms) (dealing : KeyDealing) : bool :=
  let servers := seq_length terms.(keys_transports) in
  (if (0 <? dealing.(deal_author)) && (dealing.(deal_author) <=? servers) &&
      (seq_length dealing.(deal_committed) =? terms.(keys_count)) then
      column_widths_safe dealing.(deal_committed) terms.(keys_threshold)
    else
      true) &&
  (if (0 <? dealing.(deal_author)) && (dealing.(deal_author) <=? servers) &&
      (seq_length dealing.(deal_committed) =? terms.(keys_count)) &&
      column_widths dealing.(deal_committed) terms.(keys_threshold) &&
      (seq_length dealing.(deal_randomised) =? servers) &&
      (seq_length dealing.(deal_sealed) =? servers) then
      sealed_widths_safe dealing.(deal_sealed) terms.(keys_count)
    else
      true).

(** When [dealing_holds] does not panic. *)
Definition dealing_holds_safe (terms : KeyTerms) (dealing : KeyDealing) : bool :=
  let seed := dealing_seed terms.(keys_ceremony) dealing.(deal_author) dealing.(deal_statement) in
  posted_elements_safe dealing.(deal_randomised) &&
  (let randomised := posted_elements dealing.(deal_randomised) in
    let first := dealing.(deal_first) in
    dealing_fits_safe terms dealing &&
    (if dealing_fits terms dealing then
        verify_dealing_safe seed dealing.(deal_committed) randomised dealing.(deal_proof) first
      else
        true)).

(** When [valid_dealings_step] does not panic. *)
Definition valid_dealings_step_safe
    (valid : Seq KeyDealing)
    (terms : KeyTerms)
    (dealing : KeyDealing) : bool :=
  dealing_holds_safe terms dealing.

(** When [valid_dealings] does not panic. *)
Definition valid_dealings_safe (terms : KeyTerms) (dealings : Seq KeyDealing) : bool :=
  loop_safe
    (fun valid i => valid_dealings_step valid terms (seq_at dealings i))
    (fun valid i => (i <? seq_length dealings) && valid_dealings_step_safe valid terms (seq_at dealings i))
    (range 0 (seq_length dealings))
    [].

(** When [dealing_of] does not panic. *)
Definition dealing_of_safe (dealings : Seq KeyDealing) (dealer : usize) : bool :=
  loop_safe
    (fun found i => dealing_of_step found (seq_at dealings i) dealer)
    (fun found i => i <? seq_length dealings)
    (range 0 (seq_length dealings))
    None.

(** When [opened_masks] does not panic. *)
Definition opened_masks_safe
    (terms : KeyTerms)
    (dealing : KeyDealing)
    (server : usize)
    (shared : ByteString) : bool :=
  point_of_server_safe dealing.(deal_randomised) server.

(** When [opened_shares] does not panic. *)
Definition opened_shares_safe
    (terms : KeyTerms)
    (dealing : KeyDealing)
    (server : usize)
    (shared : ByteString) : bool :=
  opened_masks_safe terms dealing server shared && sealed_of_server_safe dealing.(deal_sealed) server &&
  share_unseal_safe
    (opened_masks terms dealing server shared)
    (sealed_of_server dealing.(deal_sealed) server).

(** When [complaint_challenge] does not panic. *)
Definition complaint_challenge_safe
    (terms : KeyTerms)
    (dealing : KeyDealing)
    (server : usize)
    (shared first : ByteString) : bool :=
  point_of_server_safe terms.(keys_transports) server &&
  point_of_server_safe dealing.(deal_randomised) server.

(** When [complaint_shown] does not panic. *)
Definition complaint_shown_safe
    (terms : KeyTerms)
    (dealing : KeyDealing)
    (server : usize)
    (complaint : KeyComplaint) : bool :=
  point_of_server_safe terms.(keys_transports) server &&
  (let transport := point_of_server terms.(keys_transports) server in
    point_of_server_safe dealing.(deal_randomised) server &&
    (let randomised := point_of_server dealing.(deal_randomised) server in
      let shared := complaint.(complaint_shared) in
      complaint_challenge_safe terms dealing server shared.(posted_bytes) complaint.(complaint_first) &&
      (let c := complaint_challenge terms dealing server shared.(posted_bytes) complaint.(complaint_first) in
        let proof := complaint.(complaint_proof) in
        verify_equality_safe
          randomised.(posted_element)
          transport.(posted_element)
          shared.(posted_element)
          proof
          c))).

(** When [server_complaint] does not panic. *)
Definition server_complaint_safe
    (terms : KeyTerms)
    (dealing : KeyDealing)
    (server : usize)
    (secret : Scalar)
    (shared : ByteString)
    (random : Scalar)
    (first : ByteString) : bool :=
  point_of_server_safe dealing.(deal_randomised) server &&
  (let base := (point_of_server dealing.(deal_randomised) server).(posted_element) in
    let witness := [] ++ [secret] in
    let nonces := [] ++ [random] in
    complaint_challenge_safe terms dealing server shared first &&
    (let c := complaint_challenge terms dealing server shared first in
      linear_prove_safe (equality_matrix base) witness nonces c)).

(** When [complaint_founded] does not panic. *)
Definition complaint_founded_safe
    (terms : KeyTerms)
    (valid : Seq KeyDealing)
    (server : usize)
    (complaint : KeyComplaint) : bool :=
  dealing_of_safe valid complaint.(complaint_dealer) &&
  (match dealing_of valid complaint.(complaint_dealer) with
    | None => true
    | Some dealing =>
        complaint_shown_safe terms dealing server complaint &&
        (let shown := complaint_shown terms dealing server complaint in
          sealed_of_server_safe dealing.(deal_sealed) server &&
          (let sealed := sealed_of_server dealing.(deal_sealed) server in
            opened_masks_safe terms dealing server complaint.(complaint_shared).(posted_bytes) &&
            (let masks := opened_masks terms dealing server complaint.(complaint_shared).(posted_bytes) in
              complaint_convicts_safe shown dealing.(deal_committed) server sealed masks)))
    end).

(** When [complaint_ascends] does not panic. *)
Definition complaint_ascends_safe (complaints : Seq KeyComplaint) (i : usize) : bool :=
  if i =? 0 then true else (1 <=? i) && (i - 1 <? seq_length complaints) && (i <? seq_length complaints).

(** When [verdict_holds_step] does not panic. *)
Definition verdict_holds_step_safe
    (held : bool)
    (terms : KeyTerms)
    (valid : Seq KeyDealing)
    (verdict : KeyVerdict)
    (i : usize) : bool :=
  (if held then complaint_ascends_safe verdict.(verdict_complaints) i else true) &&
  (if held && complaint_ascends verdict.(verdict_complaints) i then
      (i <? seq_length verdict.(verdict_complaints)) &&
      complaint_founded_safe terms valid verdict.(verdict_author) (seq_at verdict.(verdict_complaints) i)
    else
      true).

(** When [verdict_holds] does not panic. *)
Definition verdict_holds_safe (terms : KeyTerms) (valid : Seq KeyDealing) (verdict : KeyVerdict) : bool :=
  loop_safe
    (fun held i => verdict_holds_step held terms valid verdict i)
    (fun held i => verdict_holds_step_safe held terms valid verdict i)
    (range 0 (seq_length verdict.(verdict_complaints)))
    ((0 <? verdict.(verdict_author)) && (verdict.(verdict_author) <=? seq_length terms.(keys_transports))).

End Specification.

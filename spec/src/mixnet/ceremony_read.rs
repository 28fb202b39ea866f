//! What is read of a ceremony's posts of one kind, apart from servers' in turn: inputs, queries,
//! and which dealers remain. Source: docs/mixnet.md, "Ceremonies".

use crate::base::bytes::*;
use crate::mixnet::counted_post::*;
use crate::mixnet::post_key::*;
use crate::mixnet::servers_read::*;
use hacspec_lib::*;

/// What was read of inputs.
#[derive(Clone, Debug)]
pub struct InputsRead {
    /// The senders of the valid ones.
    pub inputs_senders: Seq<ByteString>,
    /// Their C_0.
    pub inputs_firsts: Seq<ByteString>,
    /// What is wrong with the others.
    pub inputs_faults: Seq<PostFault>,
}

/// What was read of queries.
#[derive(Clone, Debug)]
pub struct QueriesRead {
    /// The valid ones.
    pub queries_valid: Seq<AskedQuery>,
    /// What is wrong with the others.
    pub queries_faults: Seq<PostFault>,
}

/// What is wrong with the body of an input, behind those with these C_0.
pub fn input_flaw(written: &ViewPost, firsts: &Seq<ByteString>) -> Option<PostFlaw> {
    match written.viewed_flaw {
        Some(flaw) => Some(flaw),
        None => {
            if is_one_of(firsts, &written.viewed_first) {
                Some(PostFlaw::FlawInputRepeated)
            } else {
                None
            }
        }
    }
}

/// The inputs with one more that was judged.
pub fn with_input(inputs: InputsRead, written: &ViewPost, flaw: &Option<PostFlaw>) -> InputsRead {
    match flaw {
        Some(_) => InputsRead {
            inputs_senders: inputs.inputs_senders,
            inputs_firsts: inputs.inputs_firsts,
            inputs_faults: with_fault(inputs.inputs_faults, written, flaw),
        },
        None => InputsRead {
            inputs_senders: inputs.inputs_senders.push_owned(written.viewed_key.post_author.clone()),
            inputs_firsts: inputs.inputs_firsts.push_owned(written.viewed_first.clone()),
            inputs_faults: inputs.inputs_faults,
        },
    }
}

/// One step of [`read_inputs`].
pub fn read_inputs_step(inputs: InputsRead, terms: &ViewTerms, written: &ViewPost) -> InputsRead {
    if written.viewed_key.post_kind == KIND_INPUT && is_counted(terms, written) {
        let flaw = input_flaw(written, &inputs.inputs_firsts);
        with_input(inputs, written, &flaw)
    } else {
        inputs
    }
}

/// The list of inputs: all valid ones, in the order of keys.
pub fn read_inputs(terms: &ViewTerms, posts: &Seq<ViewPost>) -> InputsRead {
    let mut inputs = InputsRead {
        inputs_senders: Seq::<ByteString>::new(0),
        inputs_firsts: Seq::<ByteString>::new(0),
        inputs_faults: Seq::<PostFault>::new(0),
    };
    for i in 0..posts.len() {
        inputs = read_inputs_step(inputs, terms, &posts[i]);
    }
    inputs
}

/// The queries with one more that counts.
pub fn with_query(queries: QueriesRead, written: &ViewPost) -> QueriesRead {
    match &written.viewed_flaw {
        Some(_) => QueriesRead {
            queries_valid: queries.queries_valid,
            queries_faults: with_fault(queries.queries_faults, written, &written.viewed_flaw),
        },
        None => QueriesRead {
            queries_valid: queries.queries_valid.push_owned(AskedQuery {
                query_author: written.viewed_key.post_author.clone(),
                query_id: written.viewed_id.clone(),
                query_backward: written.viewed_backward,
                query_tested: written.viewed_tested,
            }),
            queries_faults: queries.queries_faults,
        },
    }
}

/// One step of [`read_queries`].
pub fn read_queries_step(queries: QueriesRead, terms: &ViewTerms, written: &ViewPost) -> QueriesRead {
    if written.viewed_key.post_kind == KIND_QUERY && is_counted(terms, written) {
        with_query(queries, written)
    } else {
        queries
    }
}

/// The valid queries, in the order of keys.
pub fn read_queries(terms: &ViewTerms, posts: &Seq<ViewPost>) -> QueriesRead {
    let mut queries =
        QueriesRead { queries_valid: Seq::<AskedQuery>::new(0), queries_faults: Seq::<PostFault>::new(0) };
    for i in 0..posts.len() {
        queries = read_queries_step(queries, terms, &posts[i]);
    }
    queries
}

/// Dealers that remain, and what is wrong with the dealings of the others.
#[derive(Clone, Debug)]
pub struct DealersLeft {
    /// Who remains.
    pub left_dealers: Seq<usize>,
    /// The dealings that are convicted.
    pub left_faults: Seq<PostFault>,
}

/// The faults with the one of a dealer's dealing.
pub fn with_convicted(
    faults: Seq<PostFault>,
    terms: &ViewTerms,
    posts: &Seq<ViewPost>,
    dealer: usize,
) -> Seq<PostFault> {
    match server_post(terms, posts, KIND_DEALING, &ByteString::new(0), dealer) {
        Some(written) => with_fault(faults, &written, &Some(PostFlaw::FlawDealingFalse)),
        None => faults,
    }
}

/// One step of [`dealers_left`].
pub fn dealers_left_step(
    found: DealersLeft,
    terms: &ViewTerms,
    posts: &Seq<ViewPost>,
    accused: &Seq<usize>,
    dealer: usize,
) -> DealersLeft {
    if number_among(accused, dealer) {
        DealersLeft {
            left_dealers: found.left_dealers,
            left_faults: with_convicted(found.left_faults, terms, posts, dealer),
        }
    } else {
        DealersLeft { left_dealers: found.left_dealers.push_owned(dealer), left_faults: found.left_faults }
    }
}

/// The dealers whom no valid verdict convicts.
pub fn dealers_left(
    terms: &ViewTerms,
    posts: &Seq<ViewPost>,
    dealers: &Seq<usize>,
    accused: &Seq<usize>,
) -> DealersLeft {
    let mut found = DealersLeft { left_dealers: Seq::<usize>::new(0), left_faults: Seq::<PostFault>::new(0) };
    for i in 0..dealers.len() {
        found = dealers_left_step(found, terms, posts, accused, dealers[i]);
    }
    found
}

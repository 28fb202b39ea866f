//! Requests about what posts say of a mixnet's ceremony.

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::mixnet::asked_view::AskedView;
use aardvark_spec::mixnet::ceremony_view::CeremonyView;
use aardvark_spec::mixnet::counted_post::{PostFault, ViewPost, ViewTerms};
use aardvark_spec::mixnet::duty::ServerDuty;
use aardvark_spec::mixnet::post_key::PostKey;
use hacspec_lib::Seq;

use crate::process::{Answer, Oracle, OracleError, Safety, request};
use crate::tokens::Line;

impl Oracle {
    /// What the oracle says of a ceremony's posts. No state is used or changed.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn mixnet_view(
        &mut self,
        safety: Safety,
        terms: &ViewTerms,
        posts: &Seq<ViewPost>,
    ) -> Result<Answer, OracleError> {
        let mut line = request("mixnet_view", safety);
        line.view_terms(terms);
        line.list(posts, Line::view_post);
        self.ask(line)
    }
}

/// A view and the duties of each server, as the oracle writes them.
pub fn view_text(view: &CeremonyView, duties: &Seq<Seq<ServerDuty>>) -> String {
    let mut line = Line::default();
    line.view(view);
    line.list(duties, |line, of_server| {
        line.list(of_server, |line, duty| {
            line.size(duty.duty_kind);
            line.bytes(&duty.duty_query);
        });
    });
    line.text()
}

impl Line {
    fn byte_strings(&mut self, strings: &Seq<ByteString>) {
        self.list(strings, Self::bytes);
    }

    pub(crate) fn sizes(&mut self, sizes: &Seq<usize>) {
        self.list(sizes, |line, size| line.size(*size));
    }

    fn view_terms(&mut self, terms: &ViewTerms) {
        self.bytes(&terms.terms_organiser);
        self.byte_strings(&terms.terms_servers);
        self.size(terms.terms_threshold);
        self.byte_strings(&terms.terms_senders);
        self.byte_strings(&terms.terms_queriers);
        self.flag(terms.terms_anyone);
        self.size(terms.terms_least);
    }

    fn post_key(&mut self, key: &PostKey) {
        self.bytes(&key.post_organiser);
        self.size(key.post_ceremony);
        self.size(key.post_kind);
        self.bytes(&key.post_query);
        self.size(key.post_sequence);
        self.bytes(&key.post_author);
    }

    fn view_post(&mut self, post: &ViewPost) {
        self.post_key(&post.viewed_key);
        for given in [post.viewed_decodes, post.viewed_signed, post.viewed_held, post.viewed_at_hand] {
            self.flag(given);
        }
        self.option(post.viewed_flaw.as_ref(), |line, flaw| line.word(&format!("{flaw:?}")));
        self.sizes(&post.viewed_accused);
        self.bytes(&post.viewed_first);
        self.bytes(&post.viewed_id);
        self.flag(post.viewed_backward);
        self.flag(post.viewed_tested);
    }

    fn post_fault(&mut self, fault: &PostFault) {
        self.post_key(&fault.fault_key);
        self.word(&format!("{:?}", fault.fault_flaw));
    }

    fn asked_view(&mut self, asked: &AskedView) {
        self.bytes(&asked.asked_id);
        self.word(&format!("{:?}", asked.asked_stage));
        self.size(asked.asked_turn);
        self.sizes(&asked.asked_columns);
        self.sizes(&asked.asked_tests);
        self.sizes(&asked.asked_sharers);
        self.flag(asked.asked_opened);
        self.list(&asked.asked_faults, Self::post_fault);
    }

    fn view(&mut self, view: &CeremonyView) {
        self.word(&format!("{:?}", view.view_stage));
        self.list(&view.view_faults, Self::post_fault);
        self.list(&view.view_missing, Self::post_key);
        self.sizes(&view.view_dealers);
        self.byte_strings(&view.view_senders);
        self.sizes(&view.view_mixers);
        self.size(view.view_turn);
        self.sizes(&view.view_agreed);
        self.sizes(&view.view_sharers);
        self.list(&view.view_asked, Self::asked_view);
        self.size(view.view_unasked);
    }
}

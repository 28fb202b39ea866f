//! Numbers that are looked up when somebody asks for the metrics.

use std::fmt;

use prometheus_client::encoding::{DescriptorEncoder, EncodeCounterValue, EncodeGaugeValue, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

/// Writes one number after the other.
pub(crate) struct Samples<'a>(DescriptorEncoder<'a>);

impl<'a> Samples<'a> {
    pub(crate) fn new(encoder: DescriptorEncoder<'a>) -> Self {
        Self(encoder)
    }

    /// A number that goes up and down. The help is a sentence.
    pub(crate) fn gauge(&mut self, name: &str, help: &str, value: impl EncodeGaugeValue) -> fmt::Result {
        self.put(name, help, &ConstGauge::new(value))
    }

    /// A number that only grows; its name in the text has `_total` behind it.
    pub(crate) fn counter(&mut self, name: &str, help: &str, value: impl EncodeCounterValue) -> fmt::Result {
        self.put(name, help, &ConstCounter::new(value))
    }

    fn put(&mut self, name: &str, help: &str, metric: &impl EncodeMetric) -> fmt::Result {
        metric.encode(self.0.encode_descriptor(name, help, None, metric.metric_type())?)
    }
}

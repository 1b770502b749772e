//! The zone of a proof with the attacker to move, while it is being put together.

/// What the answers to attacks rely on.
pub(super) struct Zone {
    /// Where attacks have to be answered one by one: no answer so far is good for them whatever they are.
    pub relevant: u64,
    /// Liberties that the owner's blocks need, and the points where a block would be captured at once.
    pub needed: u64,
    pub last: u64,
    /// The attacks that are answered (passing is one), and the zones of the answers.
    pub answered: Vec<(Option<usize>, u64)>,
}

impl Zone {
    pub fn new((needed, last): (u64, u64)) -> Zone {
        Zone { relevant: u64::MAX, needed, last, answered: vec![] }
    }

    pub fn add(&mut self, vertex: Option<usize>, zone: u64) {
        self.answered.push((vertex, zone));
        if self.is_base(vertex, zone) {
            self.relevant &= zone | self.last;
        }
    }

    /// Whether an answer does not care for the attack, so that it answers all outside of its zone.
    pub fn is_base(&self, vertex: Option<usize>, zone: u64) -> bool {
        vertex.is_none_or(|vertex| (zone | self.last) >> vertex & 1 == 0)
    }

    pub fn is_relevant(&self, vertex: Option<usize>) -> bool {
        match vertex {
            Some(vertex) => self.relevant >> vertex & 1 == 1,
            None => self.relevant == u64::MAX,
        }
    }
}

//! Strongly connected components (R. Tarjan, Depth-first search and linear graph algorithms, 1972), without recursion.

use crate::budget::Halt;

/// The components of a graph in an order in which every move leads into the same component or an earlier one.
pub(super) struct Components {
    /// All nodes, those of a component side by side.
    order: Vec<u32>,
    /// Where each component ends.
    ends: Vec<u32>,
}

impl Components {
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(from, &to)| &self.order[from as usize..to as usize])
    }

    /// Bytes a node that finding components takes, with some room for the path.
    pub(super) const BYTES_A_NODE: u64 = 32;

    /// `next(v, i)` is the i-th node that `v` leads to, or none; moves to elsewhere are `Some(None)`.
    pub(super) fn of(
        nodes: usize,
        next: impl Fn(u32, usize) -> Option<Option<u32>>,
        work: impl Fn(usize) -> Result<(), Halt>,
    ) -> Result<Components, Halt> {
        const UNSEEN: u32 = u32::MAX;
        const DONE: u32 = u32::MAX - 1;
        let mut low = vec![UNSEEN; nodes];
        let (mut order, mut ends) = (Vec::with_capacity(nodes), vec![]);
        let mut open: Vec<u32> = vec![];
        // Node, its number, the next move to follow.
        let mut path: Vec<(u32, u32, usize)> = vec![];
        let mut count = 0;
        for root in 0..nodes as u32 {
            if low[root as usize] != UNSEEN {
                continue;
            }
            low[root as usize] = count;
            path.push((root, count, 0));
            open.push(root);
            count += 1;
            while let Some((v, number, i)) = path.last_mut() {
                work(1)?;
                let (v, number) = (*v, *number);
                match next(v, *i) {
                    Some(target) => {
                        *i += 1;
                        let Some(w) = target else { continue };
                        match low[w as usize] {
                            UNSEEN => {
                                low[w as usize] = count;
                                path.push((w, count, 0));
                                open.push(w);
                                count += 1;
                            }
                            DONE => {}
                            seen => low[v as usize] = low[v as usize].min(seen),
                        }
                    }
                    None => {
                        path.pop();
                        let lowest = low[v as usize];
                        if lowest == number {
                            while let Some(w) = open.pop() {
                                low[w as usize] = DONE;
                                order.push(w);
                                if w == v {
                                    break;
                                }
                            }
                            ends.push(order.len() as u32);
                        }
                        if let Some((above, _, _)) = path.last() {
                            low[*above as usize] = low[*above as usize].min(lowest);
                        }
                    }
                }
            }
        }
        Ok(Components { order, ends })
    }
}

//! Sets of files by their index in a pool.

use crate::sort::sort_by_key;
use std::ops::Range;

/// Files as ranges of indices, in order and with gaps between them.
///
/// Imports have lower indices than the files that import them, so a long chain of imports is one range.
#[derive(Clone)]
pub(super) struct FileSet(Box<[Range<u32>]>);

impl FileSet {
    pub(super) fn new(mut ranges: Vec<Range<u32>>) -> Self {
        sort_by_key(&mut ranges, |range| range.start);
        ranges.dedup_by(|next, range| {
            let touches = next.start <= range.end;
            if touches {
                range.end = range.end.max(next.end);
            }
            touches
        });
        FileSet(ranges.into_boxed_slice())
    }

    pub(super) fn ranges(&self) -> &[Range<u32>] {
        &self.0
    }

    pub(super) fn contains(&self, file: u32) -> bool {
        let after = self.0.partition_point(|range| range.start <= file);
        after > 0 && file < self.0[after - 1].end
    }
}

#[cfg(test)]
mod tests {
    use super::FileSet;

    #[test]
    fn ranges_that_touch_or_overlap_become_one() {
        let set = FileSet::new(vec![7..9, 0..2, 12..13, 8..10, 2..3, 8..9]);
        assert_eq!(set.ranges(), [0..3, 7..10, 12..13]);
        let inside: Vec<u32> = (0..15).filter(|file| set.contains(*file)).collect();
        assert_eq!(inside, [0, 1, 2, 7, 8, 9, 12]);
        assert!(!FileSet::new(Vec::new()).contains(0));
    }
}

//! What is kept, by number and by memory.

use super::{Choice, Everything, Plain};
use bytes::Bytes;
use tobu::reuse::{Bounds, BufferPool, MessagePool};

/// The memory of a message when it came back.
fn measured(message: Everything) -> usize {
    let pool = MessagePool::bounded(Bounds::new().each(usize::MAX).total(usize::MAX));
    *pool.lend() = message;
    assert_eq!(pool.kept(), 1);
    pool.kept_bytes() - size_of::<Everything>()
}

fn with_capacity<T>(capacity: usize) -> Vec<T> {
    let list = Vec::with_capacity(capacity);
    assert_eq!(list.capacity(), capacity);
    list
}

#[test]
fn all_memory_of_a_message_counts() {
    let text = |capacity| String::with_capacity(capacity);
    let of = |change: &dyn Fn(&mut Everything)| {
        let mut message = Everything::default();
        change(&mut message);
        measured(message)
    };
    assert_eq!(of(&|_| {}), 0);
    assert_eq!(of(&|message| message.text = text(100)), 100);
    assert_eq!(of(&|message| message.bytes = with_capacity(100)), 100);
    assert_eq!(of(&|message| message.option = Some(text(100))), 100);
    assert_eq!(of(&|message| message.numbers = with_capacity(100)), 800);
    assert_eq!(of(&|message| message.boxed = "x".repeat(100).into()), 100);
    let texts = |message: &mut Everything| {
        message.texts = with_capacity(4);
        message.texts.push(text(100));
    };
    assert_eq!(of(&texts), 4 * size_of::<String>() + 100);
    let size = size_of::<Everything>();
    let nested = |message: &mut Everything| {
        message.nested = Some(Box::default());
        texts(message.nested.as_mut().unwrap());
    };
    assert_eq!(of(&nested), size + 4 * size_of::<String>() + 100);
    let list = |message: &mut Everything| {
        message.list = with_capacity(3);
        message.list.push(Everything { text: text(10), ..Everything::default() });
    };
    assert_eq!(of(&list), 3 * size + 10);
    assert_eq!(of(&|message| message.choice = Some(Choice::Line(text(100)))), 100);
    assert_eq!(of(&|message| message.choice = Some(Choice::Count(100))), 0);
    let chosen = |message: &mut Everything| message.choice = Some(Choice::Inner(Box::default()));
    assert_eq!(of(&chosen), size);
}

#[test]
fn what_is_not_reused_is_not_kept() {
    assert_eq!(measured(Everything { shared: Bytes::from(vec![1; 100]), ..Everything::default() }), 0);
    let unknown_fields = tobu::UnknownFields::from_bytes(b"\xfa\x06\x03abc").unwrap();
    assert_eq!(measured(Everything { unknown_fields, ..Everything::default() }), 0);
    assert_eq!(measured(Everything { user: "x".repeat(100), ..Everything::default() }), 0);
    // Of a map its table is kept, not what the entries own.
    let hashed = [(1, "x".repeat(1000))].into();
    let bytes = measured(Everything { hashed, ..Everything::default() });
    assert!(bytes >= size_of::<(u32, String)>() && bytes < 1000, "{bytes}");
    let sorted = [(1, Everything::default())].into();
    assert_eq!(measured(Everything { sorted, ..Everything::default() }), 0);
    let few = [(1, 1), (2, 2)].into_iter().collect();
    assert!(measured(Everything { few, ..Everything::default() }) >= 2 * size_of::<(u32, u64)>());
}

#[test]
fn the_count_is_bounded() {
    let pool = MessagePool::<Everything>::bounded(Bounds::new().count(2));
    let lent: Vec<_> = (0..5).map(|_| pool.lend()).collect();
    drop(lent);
    assert_eq!(pool.kept(), 2);
    assert_eq!(pool.kept_bytes(), 2 * size_of::<Everything>());
    let none = MessagePool::<Everything>::bounded(Bounds::new().count(0));
    assert_eq!(none.decode(b"\x0a\x02hi").unwrap().text, "hi");
    assert_eq!(none.kept(), 0);
}

#[test]
fn a_message_that_has_grown_is_dropped() {
    let size = size_of::<Everything>();
    let pool = MessagePool::<Everything>::bounded(Bounds::new().each(size + 100));
    pool.decode(b"\x0a\x04four").unwrap();
    assert_eq!(pool.kept_bytes(), size + 4);
    let mut large = b"\x0a\x65".to_vec();
    large.extend([b'x'; 101]);
    pool.decode(&large).unwrap();
    assert_eq!((pool.kept(), pool.kept_bytes()), (0, 0));
    // A short text in the memory of a long one is large, too.
    let message = &mut *pool.lend();
    message.text = String::with_capacity(101);
    assert_eq!(pool.kept(), 0);
    // Grown by one element at a time.
    for len in 1..200 {
        let mut list = vec![0x2a, len];
        list.resize(2 + usize::from(len), 1);
        let list = if len < 128 { list } else { [&[0x2a, len, 1], &list[2..]].concat() };
        assert_eq!(pool.decode(&list).unwrap().numbers.len(), usize::from(len));
        assert!(pool.kept_bytes() <= size + 100, "{len}");
    }
}

#[test]
fn a_message_that_was_only_decoded_counts_with_an_upper_bound() {
    let size = size_of::<Plain>();
    let pool = MessagePool::<Plain>::new();
    drop(pool.decode(b"\x0a\x04four").unwrap());
    assert_eq!(pool.kept_bytes(), size + 2 * size + 32 * 6);
    drop(pool.decode(b"\x0a\x04four").unwrap());
    assert_eq!(pool.kept_bytes(), size + 2 * (2 * size + 32 * 6), "it may have grown again");
    // What is borrowed mutably is measured.
    pool.lend().text.push('x');
    assert_eq!(pool.kept_bytes(), size + 4);
    // So is what the bound would drop.
    for bounds in [Bounds::new().each(size + 10), Bounds::new().total(size + 10)] {
        let pool = MessagePool::<Plain>::bounded(bounds);
        drop(pool.decode(b"\x0a\x04four").unwrap());
        assert_eq!(pool.kept_bytes(), size + 4);
        drop(pool.decode(b"\x0a\x0beleven-long").unwrap());
        assert_eq!((pool.kept(), pool.kept_bytes()), (0, 0));
    }
}

/// Whatever is decoded, what is held is no more than what is counted.
#[test]
fn the_upper_bound_holds() {
    let (strings, numbers) = (b"\x1a\x00".repeat(100), [&b"\x12\x64"[..], &[1; 100]].concat());
    let messages = b"\x22\x00".repeat(100);
    let entries: Vec<u8> = (0..100).flat_map(|key| [0x2a, 2, 0x08, key]).collect();
    let long = [&b"\x0a\x64"[..], &[b'x'; 100]].concat();
    let nested = [&b"\x22\x66"[..], &long, &b"\x22\x66"[..], &long].concat();
    let (counted, measured) = (MessagePool::<Plain>::new(), MessagePool::<Plain>::new());
    let (mut state, mut least) = (1_u32, usize::MAX);
    for _ in 0..2_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let input = [&strings, &numbers, &messages, &entries, &long, &nested][(state >> 8) as usize % 6];
        // Whole ones, and such as end anywhere, which are errors for the most part.
        let end = if state >> 30 == 0 { (state >> 12) as usize % input.len() } else { input.len() };
        drop(counted.decode(&input[..end]));
        if let Ok(mut message) = measured.decode(&input[..end]) {
            // Borrowed mutably, so that it is measured.
            message.text.reserve(0);
        }
        let (counted, measured) = (counted.kept_bytes(), measured.kept_bytes());
        assert!(measured <= counted, "{measured} bytes, of which {counted} count");
        least = least.min(counted - measured);
    }
    assert_eq!(least, 0, "now and then it is measured");
}

#[test]
fn the_total_is_bounded() {
    let size = size_of::<Everything>();
    let pool = MessagePool::<Everything>::bounded(Bounds::new().total(3 * size + 10));
    let mut lent: Vec<_> = (0..3).map(|_| pool.decode(b"\x0a\x04four").unwrap()).collect();
    drop(lent.pop());
    drop(lent.pop());
    assert_eq!((pool.kept(), pool.kept_bytes()), (2, 2 * size + 8));
    drop(lent);
    assert_eq!((pool.kept(), pool.kept_bytes()), (2, 2 * size + 8), "the third is 2 bytes too large");
    drop(pool.decode(b"").unwrap());
    assert_eq!((pool.kept(), pool.kept_bytes()), (2, 2 * size + 8), "its text keeps its memory");
}

#[test]
fn buffers_are_bounded() {
    let pool = BufferPool::bounded(Bounds::new().count(1).each(100 + size_of::<Vec<u8>>()));
    pool.lend().reserve_exact(100);
    assert_eq!(pool.kept_bytes(), 100 + size_of::<Vec<u8>>());
    pool.lend().reserve_exact(101);
    assert_eq!((pool.kept(), pool.kept_bytes()), (0, 0));
    drop((pool.lend(), pool.lend()));
    assert_eq!(pool.kept(), 1);
}

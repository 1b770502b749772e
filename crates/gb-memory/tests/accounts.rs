//! A program with the counting allocator.

use gb_memory::{Account, Charged, Counting, charge, deeper};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MB: u64 = 1 << 20;

#[test]
fn threads_are_charged_to_the_account_they_work_for() {
    let (one, other) = (Account::open(), Account::open());
    let _here = one.enter();
    let list = vec![1u8; 10 << 20];
    assert!((10 * MB..11 * MB).contains(&one.bytes()), "{}", one.bytes());
    let of_thread = std::thread::scope(|scope| {
        scope
            .spawn(|| {
                let _there = other.enter();
                let list = vec![1u8; 20 << 20];
                assert_eq!(Account::current(), other);
                list
            })
            .join()
            .unwrap()
    });
    assert!((10 * MB..11 * MB).contains(&one.bytes()), "{}", one.bytes());
    assert!((20 * MB..21 * MB).contains(&other.bytes()), "{}", other.bytes());
    {
        let _there = other.enter();
        drop(of_thread);
    }
    assert!(other.bytes() < MB, "{}", other.bytes());
    drop(list);
    assert!(one.bytes() < MB, "{}", one.bytes());
}

#[test]
fn what_is_no_allocation_is_charged_by_hand() {
    let account = Account::open();
    let _here = account.enter();
    charge(5 << 20);
    let charged = Charged::new(3 << 20);
    assert!((8 * MB..9 * MB).contains(&account.bytes()));
    drop(charged);
    charge(-(5 << 20));
    assert!(account.bytes() < MB);
}

#[test]
fn deep_recursion_is_charged_for_its_stack() {
    fn down(depth: u32, account: Account) -> u64 {
        let room = std::hint::black_box([depth; 64]);
        let below = if depth == 0 { account.bytes() } else { deeper(|| down(depth - 1, account)) };
        below.max(u64::from(room[0] == u32::MAX))
    }
    let account = Account::open();
    let _here = account.enter();
    let most = down(200_000, account);
    assert!(most > 50 * MB, "{most}");
    assert!(account.bytes() < MB, "{}", account.bytes());
}

//! One law a test.

use super::notation::{derived, drawn, shown};
use model::{Family, Settings};

#[test]
fn a_block_lives_from_its_allocation_to_its_completed_free() {
    println!("{}", drawn("segment_alloc 0x10000 2M; alloc 0x10000 600 stack 3; free_requested 0x10000 600; free_completed 0x10000 600
       = 0x10000 2M small"));
}

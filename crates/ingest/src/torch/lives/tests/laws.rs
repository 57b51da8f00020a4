//! One law a test, as text: blocks (`address size/requested born..released..died`), segments
//! (`= …`), totals at every state, the block of every event, warnings.

use super::notation::{derived, laws, same, shown};
use model::{Family, Settings};

laws! {
    a_block_lives_from_its_allocation_to_its_completed_free: "
        segment_alloc 0x10000 2M stack 1
        alloc 0x10000 600 stack 3 stream 2 pool 1
        free_requested 0x10000 600 stack 4
        snapshot 0x0 0
        free_completed 0x10000 600
        = 0x10000 2M small stack 1
    " => "
        0x10000 1K/600 2..3..5 Traced Computed stack 3 stream 2 pool 1
        = 0x10000 2M 1.. Small stack 1
        allocated 0 0 1K 0 0 0
        active 0 0 1K 1K 1K 0
        reserved 0 2M 2M 2M 2M 2M
        events - 0 0 - 0
    ";

    a_block_known_by_its_free_was_there_from_the_start: "
        free_requested 0x10000 600 stack 4
        free_completed 0x10000 600
        free_requested 0x10400 700
        = 0x10000 2M small pool 0
          0x10400 1024/700 pending stack 5
    " => "
        0x10000 1K/600 0..1..2 BeforeRecording Computed pool 0
        0x10400 1K/700 0..3.. BeforeRecording stack 5 pool 0
        = 0x10000 2M 0.. Small pool 0
        allocated 2K 1K 1K 0
        active 2K 2K 1K 1K
        reserved 2M 2M 2M 2M
        events 0 0 1
    ";

    a_block_known_by_the_final_segments_was_there_all_the_time: "
        alloc 0x10000 600
        = 0x10000 2M small pool 2
          0x10000 1024/600 stack 6
          0x10400 512/500 stack 7
          0x10800 512/1 stack 0
          0x10a00 512/2
          0x10c00 512/3 pending stack 8
    " => "
        0x10400 512/500 0.. Ghost stack 7 pool 2
        0x10800 512/1 0.. Ghost pool 2
        0x10a00 512/2 0.. Ghost pool 2
        0x10c00 512/3 0..0.. Ghost stack 8 pool 2
        0x10000 1K/600 1.. Traced stack 6 pool 2
        = 0x10000 2M 0.. Small pool 2
        allocated 1536 2560
        active 2K 3K
        reserved 2M 2M
        events 4
    ";

    a_block_pending_at_the_end_never_dies: "
        alloc 0x10000 600
        free_requested 0x10000 600
        = 0x10000 2M small
          0x10000 1024/600 pending
    " => "
        0x10000 1K/600 1..2.. Traced
        = 0x10000 2M 0.. Small
        allocated 0 1K 0
        active 0 1K 1K
        reserved 2M 2M 2M
        events 0 0
    ";

    a_block_whose_request_the_ring_lost_is_pending_from_the_start: "
        free_completed 0x10000 600
        alloc 0x10000 600
        free_requested 0x10000 600
        free_completed 0x10000 600
        = 0x10000 2M small
    " => "
        0x10000 1K/600 0..0..1 BeforeRecording Computed
        0x10000 1K/600 2..3..4 Traced Computed
        = 0x10000 2M 0.. Small
        allocated 0 0 1K 0 0
        active 1K 0 1K 1K 0
        reserved 2M 2M 2M 2M 2M
        events 0 1 1 1
    ";

    small_blocks_are_split_off_down_to_512: "
        alloc 0x10000 1K
        alloc 0x10600 1K
        free_completed 0x10000 1K
        alloc 0x10000 1K
        alloc 0x10400 200
        free_completed 0x10000 1K
        free_completed 0x10400 200
        alloc 0x10000 1100
        free_completed 0x10000 1100
        = 0x10000 2M small
          0x10600 1024/1024
    " => "
        0x10000 1K/1K 1..3 Traced Computed
        0x10600 1K/1K 2.. Traced
        0x10000 1K/1K 4..6 Traced Computed
        0x10400 512/200 5..7 Traced Computed
        0x10000 1536/1100 8..9 Traced Computed
        = 0x10000 2M 0.. Small
        allocated 0 1K 2K 1K 2K 2560 1536 1K 2560 1K
        active 0 1K 2K 1K 2K 2560 1536 1K 2560 1K
        reserved 2M 2M 2M 2M 2M 2M 2M 2M 2M 2M
        events 0 1 0 2 3 2 3 4 4
    ";

    large_blocks_keep_a_remainder_of_up_to_1_mib: "
        alloc 0x1000000 3M
        alloc 0x1300000 16M
        free_requested 0x1000000 3M
        free_completed 0x1000000 3M
        free_requested 0x1300000 16M
        free_completed 0x1300000 16M
        alloc 0x1000000 18M
        free_requested 0x1000000 18M
        free_completed 0x1000000 18M
        = 0x1000000 20M large
    " => "
        0x1000000 3M/3M 1..3..4 Traced Computed
        0x1300000 17M/16M 2..5..6 Traced Computed
        0x1000000 18M/18M 7..8..9 Traced Computed
        = 0x1000000 20M 0.. Large
        allocated 0 3M 20M 17M 17M 0 0 18M 0 0
        active 0 3M 20M 20M 17M 17M 0 18M 18M 0
        reserved 20M 20M 20M 20M 20M 20M 20M 20M 20M 20M
        events 0 1 0 0 1 1 2 2 2
    ";

    expandable_segments_split_down_to_512_and_touching_pieces_are_one_range: "
        segment_map 0x1000000 20M
        alloc 0x1000000 19M
        free_requested 0x1000000 19M
        free_completed 0x1000000 19M
        segment_map 0x2400000 20M
        alloc 0x1000000 30M
        free_requested 0x1000000 30M
        free_completed 0x1000000 30M
        = 0x1000000 40M large expandable
    " => "
        0x1000000 19M/19M 2..3..4 Traced Computed
        0x1000000 30M/30M 6..7..8 Traced Computed
        = 0x1000000 20M 1.. Large expandable
        = 0x2400000 20M 5.. Large expandable
        allocated 0 0 19M 0 0 0 30M 0 0
        active 0 0 19M 19M 0 0 30M 30M 0
        reserved 0 20M 20M 20M 20M 40M 40M 40M 40M
        events - 0 0 0 - 1 1 1
    ";

    a_segment_gone_before_the_end_is_small_when_the_block_is: "
        segment_alloc 0x200000 2M
        alloc 0x200000 600K
        free_requested 0x200000 600K
        free_completed 0x200000 600K
        segment_free 0x200000 2M
        segment_alloc 0x200000 20M
        alloc 0x200000 19M
        free_requested 0x200000 19M
        free_completed 0x200000 19M
        segment_free 0x200000 20M
    " => "
        0x200000 600K/600K 2..3..4 Traced Computed
        0x200000 20M/19M 7..8..9 Traced Computed
        = 0x200000 2M 1..5 Unknown
        = 0x200000 20M 6..10 Unknown
        allocated 0 0 600K 0 0 0 0 20M 0 0 0
        active 0 0 600K 600K 0 0 0 20M 20M 0 0
        reserved 0 2M 2M 2M 2M 0 20M 20M 20M 20M 0
        events - 0 0 0 - - 1 1 1 -
    ";

    a_workspace_is_allocated_all_the_time_and_its_triple_changes_nothing: "
        workspace_snapshot 0x200000 20M stream 1
        segment_alloc 0x200000 20M stream 1
        alloc 0x200000 20M stream 1
        segment_alloc 0x4000000 2M
        alloc 0x4000000 512
        free_requested 0x4000000 512
        free_completed 0x4000000 512
        = 0x200000 20M large stream 1
        = 0x4000000 2M small
    " => "
        0x200000 20M/20M 0.. Workspace stream 1
        0x4000000 512/512 5..6..7 Traced Computed
        = 0x200000 20M 0.. Large stream 1
        = 0x4000000 2M 4.. Small
        allocated 20M 20M 20M 20M 20M 20972032 20M 20M
        active 20M 20M 20M 20M 20M 20972032 20972032 20M
        reserved 20M 20M 20M 20M 22M 22M 22M 22M
        events - - 0 - 1 1 1
        ! Workspace 1: a workspace is known only as it was when the file was written
    ";

    a_workspace_outside_of_the_final_segments_is_not_counted: "
        workspace_snapshot 0x200000 20M stream 1
        segment_alloc 0x200000 20M stream 1
        alloc 0x200000 20M stream 1
        workspace_snapshot 0x900000 1M
    " => "
        allocated 0 0 0 0 0
        active 0 0 0 0 0
        reserved 0 0 0 0 0
        events - - - -
        ! Workspace 2: a workspace's memory is not in a segment that was there all the time
    ";

    an_unmap_in_the_middle_ends_the_rows_and_their_remains_begin_anew: "
        segment_map 0x200000 4M
        segment_map 0x600000 4M stack 2
        segment_unmap 0x400000 4M
        segment_map 0x400000 2M stack 3
        = 0x200000 4M small expandable pool 1 stack 1
        = 0x800000 2M small expandable pool 1
    " => "
        = 0x200000 4M 1..3 Small expandable pool 1
        = 0x600000 4M 2..3 Small expandable stack 2 pool 1
        = 0x200000 2M 3.. Small expandable stack 1 pool 1
        = 0x800000 2M 3.. Small expandable stack 2 pool 1
        = 0x400000 2M 4.. Small expandable stack 3 pool 1
        allocated 0 0 0 0 0
        active 0 0 0 0 0
        reserved 0 4M 8M 4M 6M
        events - - - -
    ";

    what_was_unmapped_was_there_from_the_start: "
        segment_unmap 0x400000 4M
        = 0x200000 2M small expandable
        = 0x800000 2M small expandable
    " => "
        = 0x200000 2M 0.. Small expandable
        = 0x400000 4M 0..1 Unknown expandable
        = 0x800000 2M 0.. Small expandable
        allocated 0 0
        active 0 0
        reserved 8M 4M
        events -
    ";

    events_and_annotations_go_to_the_life_of_their_time: "
        alloc 0x200000 512
        free_requested 0x200000 512
        free_completed 0x200000 512
        alloc 0x200000 1K
        annotate 0x200000 0
        free_requested 0x200000 1K
        free_completed 0x200000 1K
        annotate 0x200000 0
        annotate 0x200400 0
        free_requested 0x200400 512
        free_completed 0x200400 512
        annotate 0x200600 0
        annotate 0x200800 0
        = 0x200000 2M small
          0x200600 512/512
    " => "
        0x200400 512/512 0..10..11 BeforeRecording Computed
        0x200600 512/512 0.. Ghost
        0x200000 512/512 1..2..3 Traced Computed
        0x200000 1K/1K 4..6..7 Traced Computed
        = 0x200000 2M 0.. Small
        allocated 1K 1536 1K 1K 2K 2K 1K 1K 1K 1K 512 512 512 512
        active 1K 1536 1536 1K 2K 2K 2K 1K 1K 1K 1K 512 512 512
        reserved 2M 2M 2M 2M 2M 2M 2M 2M 2M 2M 2M 2M 2M 2M
        events 2 2 2 3 3 3 3 - 0 0 0 1 -
    ";

    addresses_above_2_63_are_as_good_as_others: "
        segment_alloc 0xfffffe0000000000 2M
        alloc 0xfffffe0000000000 600
        free_requested 0xfffffe0000000000 600
        free_completed 0xfffffe0000000000 600
        alloc 0xfffffe0000000400 600
        alloc 0xfffffffffffffe00 600
        segment_alloc 0xfffffffffffff000 2M
        = 0xfffffe0000000000 2M small
          0xfffffe0000000400 1024/600
    " => "
        0xfffffe0000000000 1K/600 2..3..4 Traced Computed
        0xfffffe0000000400 1K/600 5.. Traced
        0xfffffffffffffe00 600/600 6..7 Traced Requested
        = 0xfffffe0000000000 2M 1.. Small
        = 0xfffffffffffff000 4095 7..7 Unknown
        allocated 0 0 1K 0 0 1K 1624 1K
        active 0 0 1K 1K 0 1K 1624 1K
        reserved 0 2M 2M 2M 2M 2M 2M 2M
        events - 0 0 0 1 2 -
        ! Contradiction 1: a block was allocated, never freed in the trace, and is not in the final segments
        ! Contradiction 1: a segment was never given back in the trace and is not among the final segments
        ! OutsideSegments 1: a block lies in no known segment
    ";

    other_events_change_nothing: "
        oom 0x200000 512
        user_defined 0x0 0
        defragment 0x200000 512
        = 0x200000 2M small
    " => "
        = 0x200000 2M 0.. Small
        allocated 0 0 0 0
        active 0 0 0 0
        reserved 2M 2M 2M 2M
        events - - -
    ";
}

#[test]
fn npu_adds_32_bytes_to_a_request() {
    let text = "segment_alloc 0x10000 2M; alloc 0x10000 512; free_requested 0x10000 512
        free_completed 0x10000 512
        = 0x10000 2M small";
    let drawn = shown(&derived(text, Family::Npu, &Settings::default()));
    same(
        &drawn,
        "
        0x10000 1K/512 2..3..4 Traced Computed
        = 0x10000 2M 1.. Small
        allocated 0 0 1K 0 0
        active 0 0 1K 1K 0
        reserved 0 2M 2M 2M 2M
        events - 0 0 0
    ",
    );
}

#[test]
fn requests_are_rounded_by_the_divisions_that_are_set() {
    let text = "segment_alloc 0x100000 20M; alloc 0x100000 2300000
        free_requested 0x100000 2300000; free_completed 0x100000 2300000
        = 0x100000 20M large";
    let roundup_power2_divisions = vec![(1, 4)];
    let settings = Settings { roundup_power2_divisions, ..Settings::default() };
    let drawn = shown(&derived(text, Family::Cuda, &settings));
    same(
        &drawn,
        "
        0x100000 2560K/2300000 2..3..4 Traced Computed
        = 0x100000 20M 1.. Large
        allocated 0 0 2560K 0 0
        active 0 0 2560K 2560K 0
        reserved 0 20M 20M 20M 20M
        events - 0 0 0
    ",
    );
}

//! What files that contradict themselves, or say only part, are taken to mean; written as in
//! [`laws`](super::laws).

use super::notation::laws;

laws! {
    without_recorded_requests_a_completion_is_both: "
        free_completed 0x200400 512
        alloc 0x200000 512
        free_completed 0x200000 512
        = 0x200000 2M small
    " => "
        0x200400 512/512 0..1 BeforeRecording Computed
        0x200000 512/512 2..3 Traced Computed
        = 0x200000 2M 0.. Small
        allocated 512 0 512 0
        active 512 0 512 0
        reserved 2M 2M 2M 2M
        events 0 1 1
    ";

    without_recorded_completions_a_request_is_both: "
        free_requested 0x200400 512
        alloc 0x200000 512
        free_requested 0x200000 512
        alloc 0x200000 512
        free_requested 0x200000 512
        = 0x200000 2M small
    " => "
        0x200400 512/512 0..1 BeforeRecording Computed
        0x200000 512/512 2..3 Traced Computed
        0x200000 512/512 4..5 Traced Computed
        = 0x200000 2M 0.. Small
        allocated 512 0 512 0 512 0
        active 512 0 512 0 512 0
        reserved 2M 2M 2M 2M 2M 2M
        events 0 1 1 2 2
    ";

    without_recorded_frees_blocks_go_when_something_takes_their_place: "
        alloc 0x200000 1K
        alloc 0x200400 1K
        alloc 0x200200 512
        alloc 0x200000 512
        alloc 0x200800 512
        = 0x200000 2M small
          0x200000 512/512
    " => "
        0x200000 1K/1K 1..3 Traced Computed
        0x200400 1K/1K 2..5 Traced Computed
        0x200200 512/512 3..5 Traced Computed
        0x200000 512/512 4.. Traced
        0x200800 512/512 5..5 Traced Computed
        = 0x200000 2M 0.. Small
        allocated 0 1K 2K 1536 2K 512
        active 0 1K 2K 1536 2K 512
        reserved 2M 2M 2M 2M 2M 2M
        events 0 1 2 3 4
        ! Contradiction 3: a block was allocated, never freed in the trace, and is not in the final segments
        ! Contradiction 1: an address was handed out again without a free in between
    ";

    without_recorded_segment_events_segments_were_there_all_the_time: "
        alloc 0x200000 1K
        free_requested 0x200000 1K
        free_completed 0x200000 1K
        = 0x200000 2M small
    " => "
        0x200000 1K/1K 1..2..3 Traced Computed
        = 0x200000 2M 0.. Small
        allocated 0 1K 0 0
        active 0 1K 1K 0
        reserved 2M 2M 2M 2M
        events 0 0 0
    ";

    an_address_allocated_twice_ends_the_older_life: "
        alloc 0x200000 1K
        alloc 0x200000 512
        = 0x200000 2M small
          0x200000 512/512
    " => "
        0x200000 1K/1K 1..2 Traced Computed
        0x200000 512/512 2.. Traced
        = 0x200000 2M 0.. Small
        allocated 0 1K 512
        active 0 1K 512
        reserved 2M 2M 2M
        events 0 1
        ! Contradiction 1: an address was handed out again without a free in between
    ";

    contradictory_frees_are_counted_and_change_nothing: "
        alloc 0x200000 1K
        free_completed 0x200000 1K
        free_completed 0x200000 1K
        free_requested 0x200000 1K
        alloc 0x200000 512
        free_requested 0x200000 1K
        free_requested 0x200000 512
        alloc 0x200000 512
        free_requested 0x200000 512
        = 0x200000 2M small
    " => "
        0x200000 1K/1K 1..2 Traced Computed
        0x200000 512/512 5..6 Traced Computed
        0x200000 512/512 8..9 Traced Computed
        = 0x200000 2M 0.. Small
        allocated 0 1K 0 0 0 512 0 0 512 0
        active 0 1K 0 0 0 512 0 0 512 0
        reserved 2M 2M 2M 2M 2M 2M 2M 2M 2M 2M
        events 0 0 - - 1 1 1 2 2
        ! Contradiction 2: a block was freed that was not allocated any more
        ! Contradiction 1: a block was freed with another size than it was allocated with
        ! Contradiction 1: a free was completed that nobody had requested
        ! Contradiction 2: a free was requested and never completed, though the memory was free later
        ! Contradiction 1: a free was requested twice
    ";

    the_final_segments_win_over_the_trace: "
        alloc 0x200000 1K
        free_requested 0x200000 1K
        free_completed 0x200000 1K
        alloc 0x200800 512
        free_requested 0x200800 512
        alloc 0x200c00 512
        = 0x200000 2M small
          0x200000 512/512
          0x200800 512/512
          0x200c00 512/512 pending
    " => "
        0x200000 1K/1K 1..2..3 Traced Computed
        0x200800 512/512 4..5 Traced Computed
        0x200000 512/512 6.. Ghost
        0x200800 512/512 6.. Ghost
        0x200c00 512/512 6..6.. Traced
        = 0x200000 2M 0.. Small
        allocated 0 1K 0 0 512 0 1K
        active 0 1K 1K 0 512 0 1536
        reserved 2M 2M 2M 2M 2M 2M 2M
        events 0 0 0 1 1 4
        ! Contradiction 2: a block is in the final segments though the trace freed it and never allocated it again
        ! Contradiction 1: a block is pending free in the final segments and the trace has no request
    ";

    contradictory_segment_events_are_counted_and_the_end_is_right: "
        segment_alloc 0x200000 2M
        segment_alloc 0x200000 2M
        segment_free 0x800000 2M
        segment_free 0x800000 2M
        segment_alloc 0xa00000 2M
        segment_free 0x200000 2M
        = 0x200000 2M small
    " => "
        = 0x800000 2M 0..3 Unknown
        = 0x200000 2M 1..2 Unknown
        = 0x200000 2M 2..6 Unknown
        = 0xa00000 2M 5..6 Unknown
        = 0x200000 2M 6.. Small
        allocated 0 0 0 0 0 0 0
        active 0 0 0 0 0 0 0
        reserved 2M 4M 4M 2M 2M 4M 2M
        events - - - - - -
        ! Contradiction 1: a segment is among the final ones though the trace gave it back
        ! Contradiction 1: a segment was never given back in the trace and is not among the final segments
        ! Contradiction 1: memory was given back to the driver that was not taken, or only in part
        ! Contradiction 1: memory was taken from the driver that was already taken
    ";

    a_block_outside_of_all_segments_keeps_its_requested_size: "
        alloc 0x100 600
        free_requested 0x100 600
        free_completed 0x100 600
    " => "
        0x100 600/600 1..2..3 Traced Requested
        allocated 0 600 0 0
        active 0 600 600 0
        reserved 0 0 0 0
        events 0 0 0
        ! OutsideSegments 1: a block lies in no known segment
    ";

    final_blocks_that_do_not_tile_their_segment_are_told_once_each: "
        = 0x200000 2M small
          0x200000 512/512
          0x200100 512/512
          0x200800 0/0
    " => "
        0x200000 512/512 0.. Ghost
        = 0x200000 2M 0.. Small
        allocated 512
        active 512
        reserved 2M
        events
        ! BadSegment 3: a segment's blocks do not add up to it
    ";

    nothing_gives_nothing: "

    " => "
        allocated 0
        active 0
        reserved 0
        events
    ";

    without_events_there_is_one_state: "
        = 0x200000 2M small
          0x200000 512/512
    " => "
        0x200000 512/512 0.. Ghost
        = 0x200000 2M 0.. Small
        allocated 512
        active 512
        reserved 2M
        events
    ";

    a_block_without_an_allocation_is_as_old_as_its_memory: "
        segment_alloc 0x200000 2M
        alloc 0x200000 512
        segment_free 0x800000 2M
        segment_alloc 0x800000 2M
        free_requested 0x800000 700
        free_completed 0x800000 700
        segment_map 0xa00000 4M
        segment_unmap 0xc00000 2M
        = 0x200000 2M small
          0x200000 512/512
          0x200200 512/400
        = 0x800000 2M small
        = 0xa00000 2M small expandable
          0xa00200 512/300 pending
    " => "
        0x200200 512/400 1.. Ghost
        0x200000 512/512 2.. Traced
        0x800000 1K/700 4..5..6 BeforeRecording Computed
        0xa00200 512/300 7..7.. Ghost
        = 0x800000 2M 0..3 Unknown
        = 0x200000 2M 1.. Small
        = 0x800000 2M 4.. Small
        = 0xa00000 4M 7..8 Small expandable
        = 0xa00000 2M 8.. Small expandable
        allocated 0 512 1K 1K 2K 1K 1K 1K 1K
        active 0 512 1K 1K 2K 2K 1K 1536 1536
        reserved 2M 4M 4M 2M 4M 4M 4M 8M 6M
        events - 1 - - 2 2 - -
        ! Contradiction 3: a block's memory was taken from the driver in the trace, and its allocation is not in the trace
    ";
}

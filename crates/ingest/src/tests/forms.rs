//! What files of all eras say.

use super::{WRITERS, block, event, frame, pickled, raw, said, sampled, segment, shown, snapshot};
use model::{Carrier, StackId, WarningKind};
use sample::pieces::Value;
use sample::{Features, Plan};

#[test]
fn every_protocol_and_both_writers_say_the_same() {
    let texts = WRITERS.map(|writer| shown::text(&raw(&sampled(3000, writer)).unwrap()));
    for text in &texts {
        assert_eq!(*text, texts[0]);
    }
    assert!(texts[0].lines().count() > 3000, "{}", texts[0]);
}

#[test]
fn a_line_nobody_knows_is_none() {
    let frames = [0, -1, 7, (1 << 64) - 1].map(|line| frame("f", line));
    let trace = Value::list([event("alloc", 16, 8, &[("frames", Value::list(frames))])]);
    insta::assert_snapshot!(said(&snapshot([], [trace])), @r"
    Cuda
    Accelerator(0)
    alloc 0x10 8 [f@train.py:? f@train.py:? f@train.py:7 f@train.py:?]
    1 x LegacyHistory
    ");
}

#[test]
fn addresses_above_half_of_the_address_space_are_exact() {
    let addr = 18_446_720_620_317_114_368;
    let trace = Value::list([
        event("segment_alloc", addr, 2 << 20, &[("time_us", 5.into())]),
        event("alloc", addr, 512, &[("time_us", 6.into())]),
    ]);
    let blocks =
        [block(addr, 512, "active_allocated"), block(addr + 512, (2 << 20) - 512, "inactive")];
    let whole = snapshot([segment(addr, 2 << 20, blocks)], [trace]);
    insta::assert_snapshot!(said(&whole), @r"
    Cuda
    Accelerator(0)
    = 0xffffeaab54e00000 2097152 Small fixed stream 0x0 Some(Pool(0, 0)) []
      0xffffeaab54e00000 512 of 512 Allocated []
      0xffffeaab54e00200 2096640 of ? Inactive []
    segment_alloc 0xffffeaab54e00000 2097152 at 5 no stack
    alloc 0xffffeaab54e00000 512 at 6 no stack
    ");
}

#[test]
fn memory_without_events_says_that_recording_was_off() {
    let blocks = [block(0x1000, 512, "active_awaiting_free"), block(0x1200, 512, "inactive")];
    let whole = snapshot([segment(0x1000, 1024, blocks)], [Value::list([]), Value::list([])]);
    insta::assert_snapshot!(said(&whole), @r"
    Cuda
    Accelerator(0)
    = 0x1000 1024 Small fixed stream 0x0 Some(Pool(0, 0)) []
      0x1000 512 of 512 PendingFree []
      0x1200 512 of ? Inactive []
    1 x NoHistory
    ");
}

#[test]
fn a_workspace_of_torch_npu_tells_its_family() {
    let addr = 0x1000;
    let trace = Value::list([
        event("workspace_snapshot", addr, 1024, &[]),
        event("segment_alloc", addr, 1024, &[]),
        event("alloc", addr, 1024, &[]),
        event("free_requested", 0x9000, 100, &[("frames", Value::list([frame("f", 1)]))]),
    ]);
    let whole = snapshot([segment(addr, 1024, [block(addr, 1024, "inactive")])], [trace]);
    insta::assert_snapshot!(said(&whole), @r"
    Npu
    Accelerator(0)
    = 0x1000 1024 Small fixed stream 0x0 Some(Pool(0, 0)) []
      0x1000 1024 of ? Inactive []
    workspace_snapshot 0x1000 1024 no stack
    segment_alloc 0x1000 1024 no stack
    alloc 0x1000 1024 no stack
    free_requested 0x9000 100 [f@train.py:1]
    ");
}

#[test]
fn the_oldest_files_derive_addresses_and_take_the_latest_record() {
    let record = |size: i32, frames| {
        Value::dict([("addr", 4096.into()), ("real_size", size.into()), ("frames", frames)])
    };
    let old = |size: i32, state: &str, history| {
        Value::dict([("size", size.into()), ("state", state.into()), ("history", history)])
    };
    let latest = record(300, Value::list([frame("now", 2)]));
    let older = record(200, Value::list([frame("before", 3)]));
    let blocks = [
        old(512, "active_allocated", Value::list([latest.clone(), older])),
        old(512, "inactive", Value::list([latest])),
    ];
    let segments = Value::dict([
        ("device", 1.into()),
        ("address", 4096.into()),
        ("total_size", 1024.into()),
        ("stream", 0.into()),
        ("segment_type", "large".into()),
        ("blocks", Value::list(blocks)),
    ]);
    insta::assert_snapshot!(said(&Value::list([segments])), @r"
    Cuda
    Accelerator(1)
    = 0x1000 1024 Large fixed stream 0x0 None no stack
      0x1000 512 of 300 Allocated [now@train.py:2]
      0x1200 512 of ? Inactive no stack
    1 x NoHistory
    ");
}

#[test]
fn newer_keys_are_kept() {
    let fx = Value::dict([
        ("name", "forward".into()),
        ("filename", "<eval_with_key>.1".into()),
        ("line", 4.into()),
        ("fx_node_name", "linear".into()),
        ("fx_node_info", Value::dict([])),
    ]);
    let lines = Value::list(["  File \"a.py\"\n".into(), "    x = f()\n".into()]);
    let pool = Value::tuple([0.into(), 3.into()]);
    let more = [
        ("time_us", 100.into()),
        ("compile_context", "Torch-Compiled Region 0/0".into()),
        ("user_metadata", "{\"step\":1}".into()),
        ("internal_metadata", "mallocWithAddress".into()),
        ("category", "gradient".into()),
        ("pool_id", pool.clone()),
        ("frames", Value::list([fx])),
        ("forward_frames", lines),
    ];
    let plain = [
        ("compile_context", "N/A".into()),
        ("user_metadata", "".into()),
        ("pool_id", pool),
        ("tensor", 1.into()),
    ];
    let oom = Value::dict([
        ("action", "oom".into()),
        ("device_free", 77.into()),
        ("size", 512.into()),
        ("stream", (1_i64 << 40).into()),
        ("time_us", 300.into()),
    ]);
    let trace = Value::list([
        event("alloc", 16, 8, &more),
        event("free_requested", 16, 8, &plain),
        oom,
        event("defragment", 16, 8, &[]),
    ]);
    insta::assert_snapshot!(said(&snapshot([], [Value::list([]), trace])), @r##"
    Cuda
    Accelerator(1)
    alloc 0x10 8 at 100 Pool(0, 3) compiled "Torch-Compiled Region 0/0" user "{\"step\":1}" internal "mallocWithAddress" category "gradient" forward "  File \"a.py\"\n    x = f()\n" [forward@<eval_with_key>.1:4#linear]
    free_requested 0x10 8 at 100 Pool(0, 3) no stack
    oom 0x4d 512 stream 0x10000000000 at 300 no stack
    defragment 0x10 8 at 300 no stack
    1 x UnknownAction
    1 x UnknownKey
    2 x MissingField
    "##);
}

#[test]
fn what_tracing_says_of_a_frame_is_kept_whatever_its_form() {
    let trace = "  File \"net.py\", line 7, in forward\n    y = self.up(x)\n";
    let by_keys = vec![
        ("fx_node_op", "call_function".into()),
        ("fx_node_name", "mul".into()),
        ("fx_node_target", "aten.mul".into()),
        ("fx_original_trace", trace.into()),
    ];
    let info = Value::dict([
        ("op", "call_module".into()),
        ("name", "up".into()),
        ("target", Value::list(["net".into(), 3.into()])),
        ("stack_trace", Value::list(["first\n".into(), "second".into()])),
        ("meta", Value::dict([])),
    ]);
    let prefixed = Value::dict([("fx_node_name", "down".into()), ("fx_node_op", "output".into())]);
    let frames = [
        by_keys,
        vec![("fx_node_info", info.clone())],
        // The keys of the frame itself are closer to it.
        vec![("fx_node_info", info), ("fx_node_name", "mine".into())],
        vec![("fx_node_info", prefixed)],
        vec![("fx_node_info", "relu".into())],
        vec![("fx_node_target", 12.into()), ("fx_node_op", "".into())],
        vec![("fx_node_info", Value::dict([]))],
    ];
    let frames = frames.into_iter().enumerate().map(|(line, more)| {
        let line = i32::try_from(line).unwrap() + 1;
        let plain = [("name", "f".into()), ("filename", "g.py".into()), ("line", line.into())];
        Value::dict(plain.into_iter().chain(more))
    });
    let entry = event("alloc", 16, 8, &[("frames", Value::list(frames))]);
    let read = raw(&pickled(&snapshot([], [Value::list([entry])]))).unwrap();
    let (strings, stacks) = (&read.snapshot.strings, &read.snapshot.stacks);
    let said = stacks.frames(StackId(1)).map(|(id, _)| {
        let extra = stacks.extra(id).unwrap_or_default();
        [extra.node_op, extra.node_name, extra.node_target, extra.original_trace]
            .map(|text| text.map_or("-", |text| strings.get(text)))
    });
    let expected = [
        ["call_function", "mul", "aten.mul", trace],
        ["call_module", "up", "[\"net\", 3]", "first\nsecond\n"],
        ["call_module", "mine", "[\"net\", 3]", "first\nsecond\n"],
        ["output", "down", "-", "-"],
        ["-", "relu", "-", "-"],
        ["-", "-", "12", "-"],
        ["-"; 4],
    ];
    assert_eq!(said.collect::<Vec<_>>(), expected);
    let kinds = read.warnings.into_list().into_iter().map(|warning| warning.kind);
    // A single entry looks like a recording of the old mode.
    assert_eq!(kinds.collect::<Vec<_>>(), [WarningKind::LegacyHistory]);
}

#[test]
fn annotations_pair_by_device_and_name() {
    let mark = |stage: &str, name: &str, device: i32, time: i32| {
        Value::dict([
            ("stage", stage.into()),
            ("name", name.into()),
            ("device", device.into()),
            ("time_us", time.into()),
        ])
    };
    let text = |text: &str| {
        let frame =
            Value::dict([("name", "END".into()), ("filename", text.into()), ("line", 0.into())]);
        [("time_us", 40.into()), ("frames", Value::list([frame]))]
    };
    let whole = Value::dict([
        ("segments", Value::list([])),
        (
            "device_traces",
            Value::list([Value::list([
                event("alloc", 16, 8, &[("time_us", 5.into())]),
                event("user_defined", 0, 0, &text("inner")),
            ])]),
        ),
        (
            "external_annotations",
            Value::list([
                mark("START", "step", 0, 10),
                mark("START", "step", 1, 11),
                mark("START", "inner", 0, 20),
                mark("END", "step", 0, 90),
                mark("END", "lost", 0, 95),
            ]),
        ),
        (
            "allocator_settings",
            Value::dict([
                ("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True".into()),
                ("max_split_size", (-1).into()),
                ("roundup_power2_divisions", Value::dict([("1", 4.into())])),
            ]),
        ),
        ("user's own", 1.into()),
    ]);
    insta::assert_snapshot!(said(&whole), @r#"
    Cuda
    Accelerator(0)
    alloc 0x10 8 at 5 no stack
    user_defined 0x0 0 at 40 [END@inner:?]
    "step" on 0 10..90 depth 0
    "step" on 1 11..? depth 0
    "inner" on 0 20..40 depth 1
    "lost" on 0 ?..95 depth 0
    PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
    max_split_size=-1
    roundup_power2_divisions={"1": 4}
    2 x UnpairedAnnotation
    "#);
}

#[test]
fn shared_containers_are_there_each_time() {
    let frames = Value::list([frame("f", 1), frame("g", 2)]);
    let one = event("alloc", 16, 8, &[("frames", frames.clone())]);
    let mut head = block(16, 8, "active_allocated");
    if let Value::Dict(pairs) = &mut head {
        std::rc::Rc::make_mut(pairs)[4].1 = frames;
    }
    let trace = Value::list([one.clone(), event("alloc", 32, 8, &[]), one]);
    insta::assert_snapshot!(said(&snapshot([segment(16, 8, [head])], [trace])), @r"
    Cuda
    Accelerator(0)
    = 0x10 8 Small fixed stream 0x0 Some(Pool(0, 0)) []
      0x10 8 of 8 Allocated [f@train.py:1 g@train.py:2]
    alloc 0x10 8 [f@train.py:1 g@train.py:2]
    alloc 0x20 8 no stack
    alloc 0x10 8 [f@train.py:1 g@train.py:2]
    ");
}

#[test]
fn a_threshold_for_pinned_memory_is_among_the_settings() {
    let says = |max_round_threshold| {
        let features = Features { max_round_threshold, ..Features::default() };
        let mut bytes = Vec::new();
        sample::write(&Plan { features, ..Plan::new(300) }, &mut bytes).unwrap();
        let settings = raw(&bytes).unwrap().snapshot.settings.text;
        ["PYTORCH_CUDA_ALLOC_CONF", "max_round_threshold", "max_cached_size"]
            .map(|key| settings.iter().find(|(name, _)| name == key).map(|(_, text)| text.clone()))
    };
    assert_eq!(says(None)[1..], [None, None]);
    let told = ["pinned_max_round_threshold_mb:16", "16777216", "-1"];
    assert_eq!(says(Some(16 << 20)), told.map(|text| Some(text.to_owned())));
}

#[test]
fn host_memory_is_a_device_of_its_own() {
    let host = |name: &'static str, value| (name, Value::list([value]));
    let whole = Value::dict([
        host("segments", segment(0x1000, 512, [block(0x1000, 512, "inactive")])),
        ("device_traces", Value::list([])),
        host("host_segments", segment(0x9000, 512, [block(0x9000, 512, "active_allocated")])),
        host("host_traces", Value::list([event("alloc", 0x9000, 512, &[])])),
    ]);
    insta::assert_snapshot!(said(&whole), @r"
    Cuda
    Accelerator(0)
    = 0x1000 512 Small fixed stream 0x0 Some(Pool(0, 0)) []
      0x1000 512 of ? Inactive []
    Host
    = 0x9000 512 Small fixed stream 0x0 Some(Pool(0, 0)) []
      0x9000 512 of 512 Allocated []
    alloc 0x9000 512 no stack
    1 x LegacyHistory
    ");
}

#[test]
fn a_container_changed_after_its_use_is_read_again_as_a_whole() {
    // An event dict that gets its size by its own SETITEM, after a batch that looked complete.
    let head = b"\x80\x02}X\x0d\0\0\0device_traces](](}q\0(X\x06\0\0\0actionX\x05\0\0\0alloc";
    let tail = b"X\x04\0\0\0addrK\x10uX\x04\0\0\0sizeK\x08seh\0aes.";
    let read = raw(&[head.as_slice(), tail].concat()).unwrap();
    insta::assert_snapshot!(shown::content(&read.snapshot), @r"
    Cuda
    Accelerator(0)
    alloc 0x10 8 no stack
    alloc 0x10 8 no stack
    ");
}

#[test]
fn events_the_file_says_it_lost_are_told() {
    let with = |key: &'static str, value| {
        let trace = Value::list([event("alloc", 16, 8, &[]), event("alloc", 32, 8, &[])]);
        let traces = Value::list([trace]);
        let whole = [("segments", Value::list([])), ("device_traces", traces), (key, value)];
        let read = raw(&pickled(&Value::dict(whole))).unwrap();
        assert_eq!(read.carrier, Carrier::Pickle);
        read.warnings.into_list().iter().any(|it| it.kind == WarningKind::RingOverflowStated)
    };
    assert!(with("trace_alloc_overflowed", Value::list([true.into()])));
    assert!(!with("trace_alloc_overflowed", Value::list([false.into()])));
    assert!(with("trace_alloc_max_entries", 2.into()));
    assert!(!with("trace_alloc_max_entries", 3.into()));
    let settings = Value::dict([("trace_alloc_overflowed", true.into())]);
    assert!(with("allocator_settings", settings));
}

//! CSV files that nobody escaped.

use super::*;

const HEADER: &str = "ID,Event,Event Type,Name,Timestamp(ns),Process Id,Thread Id,Device Id,Ptr,\
                      Attr,Call Stack(Python),Call Stack(C)\n";

fn read(lines: &str) -> Recording {
    let text = format!("{HEADER}{lines}");
    crate::read_bytes(text.as_bytes(), "dump.csv", &Job::unwatched()).unwrap()
}

fn name(recording: &Recording, row: usize) -> &str {
    recording.text(model::StringId(dump(recording).rows.name[row]))
}

#[test]
fn names_with_commas_and_stacks_of_many_lines_are_one_cell() {
    let recording = read(
        "1,KERNEL_LAUNCH,KERNEL_LAUNCH,add<float, 4>,1700000000000000001,7,70,0,N/A,,,\n\
         2,MALLOC,PTA,N/A,1700000000000000002,7,70,0,0x10,\"{addr:0x10,size:8}\",\
         \"a.py(1): f\nb.py(2): g\n\",\"lib(x+1) [0x2]\n\"\n\
         3,MSTX,Mark,\"\"start, now\"\",1700000000000000003,7,70,0,N/A,,,\n",
    );
    assert_eq!(drawn::tables(&recording), ["0 PTA 7: 10+8@1.."]);
    assert_eq!(name(&recording, 0), "add<float, 4>");
    let rows = &dump(&recording).rows;
    let stack = rows.python_stack(1).unwrap();
    assert_eq!(recording.stacks.frame_ids(stack).len(), 2);
    assert_eq!(recording.text(model::StringId(rows.c_stack[1])), "lib(x+1) [0x2]\n");
    assert_eq!(name(&recording, 2), "\"start, now\"");
    assert_eq!(drawn::annotations(&recording), ["Range start, now @0 2..2 ^0"]);
}

#[test]
fn a_line_that_is_cut_off_is_left_out() {
    let recording = read(
        "1,MALLOC,PTA,N/A,1700000000000000001,7,70,0,0x10,\"{size:8}\",,\n\
         2,MALLOC,PTA,N/A,17000000",
    );
    assert_eq!(dump(&recording).rows.len(), 1);
    assert_eq!(warned(&recording), [(WarningKind::MissingField, 1)]);
}

#[test]
fn a_long_file_is_read_in_stretches_and_says_the_same() {
    // Longer than what one stretch is worth, with a stack that looks almost like a row.
    let lines: Vec<_> = (0..30_000)
        .map(|row| {
            let (ptr, time) = (0x1000 + row * 16, 1_700_000_000_000_000_000_i64 + row);
            format!(
                "{row},MALLOC,PTA,N/A,{time},7,70,0,{ptr:#018x},\"{{addr:{ptr:#018x},size:8}}\",\
                 \"a.py(1): f\n12,x(2): g\n\",\n"
            )
        })
        .collect();
    let recording = read(&lines.concat());
    let rows = &dump(&recording).rows;
    assert_eq!(rows.len(), 30_000);
    assert!(rows.id.iter().copied().eq(0..30_000));
    assert_eq!(recording.devices[0].counters.allocated.last(), Some(&240_000));
    assert_eq!(rows.attr_templates.len(), 2);
    assert_eq!(warned(&recording), []);
}

#[test]
fn the_traces_beside_a_file_are_read_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memscope_dump_1.csv");
    let line = "1,MALLOC,PTA,N/A,1700000000000000001,7,70,0,0x10,\"{size:8}\",,\n";
    std::fs::write(&path, format!("{HEADER}{line}")).unwrap();
    let calls = "FuncInfo,StartTime(ns),EndTime(ns),Thread Id,Process Id\n\
                 f(a, b),1700000000000000000,1700000000000000005,70,7\n\
                 other,1700000000000000000,1700000000000000009,70,8\n\
                 broken,x,y,70,7\n";
    std::fs::write(folder.path().join("python_trace_1.csv"), calls).unwrap();
    let recording = open(&path).unwrap();
    assert_eq!(drawn::threads(&recording), ["7 70: f(a, b) 0..5@0 0"]);
    assert_eq!(drawn::tables(&recording), ["0 PTA 7: 10+8@1.."]);
    assert_eq!(warned(&recording), [(WarningKind::BadValue, 1)]);
}

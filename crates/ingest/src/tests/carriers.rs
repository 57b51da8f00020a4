//! Snapshots in all their wrappers.

use super::{WRITERS, raw, sampled, shown};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use model::{Carrier, WarningKind};
use std::io::Write;

fn check(bytes: &[u8], carrier: Carrier) {
    let plain = raw(&sampled(300, WRITERS[0])).unwrap();
    let read = raw(bytes).unwrap();
    assert_eq!(read.carrier, carrier);
    assert_eq!(shown::text(&read), shown::text(&plain));
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated);
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn page(pickles: &[&[u8]]) -> String {
    let file = |bytes: &&[u8]| {
        let base64 = STANDARD.encode([bytes, b"\0".as_slice()].concat());
        format!("\"base64\": \"{base64}\"}}")
    };
    // As `json.dumps` writes names: what is not ASCII is escaped.
    let names = ["rank 0.pickle", "rang \\u00e9 \\\"1\\\".pickle", "rank 2.pickle"];
    let name = |name: &str| format!("{{\"name\": \"{name}\", ");
    let files: Vec<String> =
        pickles.iter().zip(names).map(|(bytes, text)| name(text) + &file(bytes)).collect();
    format!(
        "<!DOCTYPE html>\n<html><script type=\"module\">\nconst local_files = [{}]\n</script></html>",
        files.join(", ")
    )
}

#[test]
fn every_wrapper_gives_the_same_recording() {
    let bytes = sampled(300, WRITERS[0]);
    check(&bytes, Carrier::Pickle);
    check(&gzipped(&bytes), Carrier::Gzip);
    check(&zstd(&bytes), Carrier::Zstd);
    check(&zipped(&[("run/notes.txt", b"hello"), ("run/snapshot.pickle", &bytes)]), Carrier::Zip);
    check(
        &zipped(&[("archive/data.pkl", &bytes), ("archive/version", b"3\n")]),
        Carrier::TorchSave,
    );
    check(page(&[&bytes]).as_bytes(), Carrier::Html);
    check(&gzipped(page(&[&bytes]).as_bytes()), Carrier::Gzip);
}

#[test]
fn the_old_torch_save_writes_four_pickles() {
    let object = sampled(300, WRITERS[1]);
    let magic = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}q\0.";
    check(&[magic.as_slice(), &object, b"\x80\x02]q\0."].concat(), Carrier::TorchSave);
}

/// How many events are shown, and the remark on what is not.
fn others(bytes: &[u8]) -> (u32, Option<(u64, String)>) {
    let read = raw(bytes).unwrap();
    let events = read.snapshot.devices.iter().map(|device| device.events.len()).sum();
    let warnings = read.warnings.into_list().into_iter();
    let told = warnings.filter(|warning| warning.kind == WarningKind::TrailingBytes);
    (events, told.map(|warning| (warning.count, warning.message)).next())
}

#[test]
fn a_page_with_several_snapshots_shows_the_first_and_names_the_others() {
    let (first, second) = (sampled(300, WRITERS[0]), sampled(100, WRITERS[0]));
    let (events, told) = others(page(&[&first, &second, &second]).as_bytes());
    assert_eq!(events, 300);
    let message = "The page holds 3 snapshots. The first, \"rank 0.pickle\", is shown; not shown: \
                   \"rang é \\\"1\\\".pickle\", \"rank 2.pickle\".";
    assert_eq!(told, Some((2, message.into())));
    assert_eq!(others(page(&[&first]).as_bytes()), (300, None));
}

#[test]
fn an_archive_with_several_snapshots_shows_the_first_and_names_the_others() {
    let (first, second) = (sampled(300, WRITERS[0]), sampled(100, WRITERS[0]));
    let plain = zipped(&[("readme", b"hello"), ("a.pickle", &first), ("b.pickle", &second)]);
    let message = "The archive has 2 files that may be recordings. The first, \"a.pickle\", is \
                   shown; not shown: \"b.pickle\".";
    assert_eq!(others(&plain), (300, Some((1, message.into()))));

    // What `torch.save` puts beside an object belongs to it, whatever its first bytes look like.
    let saved = [("run/data.pkl", first.as_slice()), ("run/data/0", &second)];
    assert_eq!(others(&zipped(&saved)), (300, None));
    let more = zipped(&[saved[0], saved[1], ("running.pickle", &second)]);
    let message = "The archive has 2 files that may be recordings. The first, \"run/data.pkl\", is \
                   shown; not shown: \"running.pickle\".";
    assert_eq!(others(&more), (300, Some((1, message.into()))));
}

#[test]
fn a_long_list_of_others_is_cut() {
    let bytes = sampled(10, WRITERS[0]);
    let names: Vec<String> = (0..12).map(|row| format!("{row:02}.pickle")).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), bytes.as_slice())).collect();
    let (count, message) = others(&zipped(&files)).1.unwrap();
    assert_eq!(count, 11);
    assert!(message.ends_with("\"08.pickle\" and 3 more."), "{message}");
}

#[test]
fn pages_without_a_snapshot_say_what_they_are() {
    let cases = [
        ("<html><script>alloc_data = {\"actions\": []}</script>", "PyTorch 2.0"),
        ("<html><img src=\"data:image/png;base64,iVBO\">", "a picture and no data"),
        ("<html><p>hello", "a page without a snapshot"),
    ];
    for (page, reason) in cases {
        let error = raw(page.as_bytes()).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn a_cut_wrapper_shows_what_could_be_unpacked() {
    let bytes = sampled(3000, WRITERS[0]);
    let packed = [gzipped(&bytes), zstd(&bytes), page(&[&bytes]).into_bytes()];
    for packed in packed {
        let read = raw(&packed[..packed.len() * 9 / 10]).unwrap();
        let events: u32 = read.snapshot.devices.iter().map(|device| device.events.len()).sum();
        assert!(events > 500, "{events} events");
        assert_eq!(read.warnings.into_list()[0].kind, WarningKind::Truncated);
    }
}

#[test]
fn a_bomb_is_refused() {
    let bomb = gzipped(&vec![b' '; 4 << 20]);
    let error = raw(&bomb).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("more than 200 times its size"), "{error}");
}

/// The same snapshot as JSON, as `json.dump` of the unpickled file writes it.
fn json(frames: &str) -> String {
    format!(
        r#"{{"segments": [{{"device": 0, "address": 18446720620317114368, "total_size": 1024, "stream": 0,
        "segment_type": "small", "segment_pool_id": [0, 1], "is_expandable": false, "frames": [],
        "blocks": [{{"address": 18446720620317114368, "size": 1024, "requested_size": 9, "state": "inactive", "frames": []}}]}}],
        "device_traces": [[
        {{"action": "alloc", "addr": 18446720620317114368, "size": 512, "stream": 0, "time_us": 1.7e3, "frames": {frames}}},
        {{"action": "free_requested", "addr": 18446720620317114368, "size": 512, "stream": 0, "time_us": 1701, "frames": {frames}}}
        ]], "more": null}}"#
    )
}

#[test]
fn json_says_the_same_as_a_pickle() {
    let frames = r#"[{"name": "size", "filename": "a.py", "line": 3}]"#;
    let read = raw(json(frames).as_bytes()).unwrap();
    assert_eq!(read.carrier, Carrier::Json);
    insta::assert_snapshot!(shown::text(&read), @r"
    Cuda
    Accelerator(0)
    = 0xffffeaab54e00000 1024 Small fixed stream 0x0 Some(Pool(0, 1)) []
      0xffffeaab54e00000 1024 of ? Inactive []
    alloc 0xffffeaab54e00000 512 at 1700 [size@a.py:3]
    free_requested 0xffffeaab54e00000 512 at 1701 [size@a.py:3]
    ");
}

#[test]
fn any_prefix_of_json_gives_an_error_or_warnings() {
    let text = json("[]");
    for end in 1..text.len() {
        if let Ok(read) = raw(&text.as_bytes()[..end]) {
            assert!(!read.warnings.into_list().is_empty(), "{end}");
        }
    }
    let cut = raw(&text.as_bytes()[..text.len() - 60]).unwrap();
    assert_eq!(cut.snapshot.devices[0].events.len(), 1);
}

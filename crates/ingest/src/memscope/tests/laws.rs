//! What must hold for any rows, against a slow reading of the same rules.

use super::super::attr;
use super::made::{BEGIN, Row, access, database, free, malloc};
use super::*;
use model::{DumpRows, Slot, Track};
use proptest::prelude::*;

/// A row of a little world: few addresses, sizes, times and processes, so that everything happens.
fn any_row() -> impl Strategy<Value = Row> {
    let (time, place, size) = (0_i64..40, 0_u64..6, 0_i64..40);
    let pool = prop::sample::select(vec!["PTA", "ATB", "HAL"]);
    let device = prop::sample::select(vec!["0", "0", "1"]);
    (time, place, size, 0_i64..6, 0_u8..4, 7_i64..9, pool, device).prop_map(
        |(time, place, size, id, what, process, pool, device)| {
            let ptr = 0x100 + place * 16;
            let row = match what {
                0 | 1 => malloc(time, ptr, size, id).of(pool),
                2 => free(time, ptr, size - 20, id).of(pool),
                _ => access(time, ptr + size as u64 % 20, id),
            };
            row.by(process).on(device)
        },
    )
}

/// A block as the oracle knows it: rows are places in the sorted list.
#[derive(Debug, Clone, PartialEq)]
struct Slow {
    lane: (String, String, i64),
    addr: u64,
    size: u64,
    id: i64,
    malloc: Option<usize>,
    /// Row of its FREE, or of the MALLOC in its place.
    end: Option<usize>,
    is_freed: bool,
    accesses: Vec<usize>,
}

fn number(row: &Row, key: &str) -> i64 {
    let json: serde_json::Value = serde_json::from_str(&row.attr).unwrap();
    json[key].as_str().unwrap().parse().unwrap()
}

/// The blocks of `rows`, by looking through all rows for each.
fn slow_blocks(rows: &[Row]) -> Vec<Slow> {
    let lane = |row: &Row| (row.device.clone(), row.event_type.clone(), row.process);
    let is_memory = |row: &Row| row.event != "ACCESS";
    let same = |a: &Row, b: &Row| is_memory(b) && lane(a) == lane(b) && a.ptr == b.ptr;
    let mut blocks = Vec::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| is_memory(row)) {
        let next = (at + 1..rows.len()).find(|next| same(row, &rows[*next]));
        let has_before = rows[..at].iter().any(|before| {
            let is_void = before.event == "FREE" && number(before, "size") == 0;
            // A free that tells of nothing is as if it were not there, unless memory was known.
            same(row, before) && (!is_void || before.event == "MALLOC")
        });
        let size = number(row, "size").unsigned_abs();
        let id = number(row, "allocation_id");
        let block = Slow {
            lane: lane(row),
            addr: row.ptr.unwrap(),
            size,
            id,
            malloc: None,
            end: None,
            is_freed: false,
            accesses: Vec::new(),
        };
        if row.event == "MALLOC" {
            let is_freed = next.is_some_and(|next| rows[next].event == "FREE");
            let freed = next.filter(|_| is_freed).map(|next| number(&rows[next], "size"));
            let size = if size == 0 { freed.unwrap_or(0).unsigned_abs() } else { size };
            blocks.push(Slow { size, malloc: Some(at), end: next, is_freed, ..block });
        } else if !has_before && size > 0 {
            blocks.push(Slow { end: Some(at), is_freed: true, ..block });
        }
    }
    blocks
}

/// Gives each access its block; returns how many have none.
fn slow_accesses(rows: &[Row], blocks: &mut [Slow]) -> u64 {
    let mut unknown = 0;
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| row.event == "ACCESS") {
        let (ptr, id) = (row.ptr.unwrap(), number(row, "allocation_id"));
        let holds = |block: &Slow| ptr >= block.addr && ptr < block.addr + block.size;
        let covers = |block: &Slow| {
            block.malloc.is_none_or(|malloc| rows[malloc].time <= row.time)
                && block.end.filter(|_| block.is_freed).is_none_or(|end| rows[end].time >= row.time)
        };
        let by_id = |block: &Slow| {
            id != 0
                && block.lane.2 == row.process
                && block.id == id
                && holds(block)
                && covers(block)
        };
        let is_there = |block: &Slow, pool: &str| {
            block.lane == (row.device.clone(), pool.to_owned(), row.process)
                && block.malloc.is_none_or(|malloc| malloc < at)
                && block.end.is_none_or(|end| end > at)
        };
        let named: Vec<usize> = (0..blocks.len()).filter(|it| by_id(&blocks[*it])).collect();
        let found = if named.is_empty() {
            ["PTA", "ATB"].iter().find_map(|pool| {
                let below = |it: &usize| is_there(&blocks[*it], pool) && blocks[*it].addr <= ptr;
                let nearest = (0..blocks.len()).filter(below).max_by_key(|it| blocks[*it].addr);
                nearest.filter(|it| holds(&blocks[*it]))
            })
        } else {
            // Which of several with one number is not said.
            named.iter().copied().find(|_| named.len() == 1)
        };
        match found {
            Some(block) => blocks[block].accesses.push(at),
            None if named.len() > 1 => {}
            None => unknown += 1,
        }
    }
    unknown
}

/// Whether an access's number names several blocks, of which any will do.
fn is_ambiguous(rows: &[Row], blocks: &[Slow]) -> bool {
    rows.iter().filter(|row| row.event == "ACCESS").any(|row| {
        let id = number(row, "allocation_id");
        let of = |block: &&Slow| id != 0 && block.id == id && block.lane.2 == row.process;
        blocks.iter().filter(of).count() > 1
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn blocks_and_accesses_are_those_of_a_slow_walk(rows in prop::collection::vec(any_row(), 1..60)) {
        let read = open(&database(&rows).path);
        let mut sorted = rows;
        // The id of a made row is its time; the sort keeps the order of the file.
        sorted.sort_by_key(|row| row.time);
        let mut expected = slow_blocks(&sorted);
        let unknown = slow_accesses(&sorted, &mut expected);
        let Ok(recording) = read else {
            prop_assert!(expected.is_empty());
            return Ok(());
        };
        let begin = sorted[0].time;
        let mut found = Vec::new();
        for table in &recording.devices {
            let track = table.track.as_deref().unwrap();
            let name = called(&recording, table);
            for block in 0..table.blocks.len() as usize {
                let row = |row: u32| (row != Track::NO_ROW).then_some(row as usize);
                let state = |state: u32| track.row_of_event.get((state as usize).wrapping_sub(1)).copied();
                let end = state(table.blocks.released()[block]).map(|row| row as usize);
                let accesses = track.accesses(block).iter().map(|row| *row as usize).collect();
                let mut parts = name.split(' ').map(str::to_owned);
                let (device, pool) = (parts.next().unwrap(), parts.next().unwrap());
                let slow = Slow {
                    lane: (device, pool, parts.next().unwrap().parse().unwrap()),
                    addr: table.blocks.addr()[block],
                    size: table.blocks.size()[block],
                    id: track.allocation_id[block] as i64,
                    malloc: row(track.malloc_row[block]),
                    end,
                    is_freed: row(track.free_row[block]).is_some(),
                    accesses,
                };
                let times: Vec<_> = slow.accesses.iter().map(|row| sorted[*row].time).collect();
                let gap = times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
                prop_assert_eq!(track.longest_gap_ns[block], gap);
                found.push(slow);
            }
            // Totals are those of the blocks that are there.
            for state in 0..=table.events.len() {
                let blocks = &table.blocks;
                let live = (0..blocks.len() as usize)
                    .filter(|it| blocks.born()[*it] <= state && state < blocks.released()[*it]);
                let sum: u64 = live.map(|it| blocks.size()[it]).sum();
                prop_assert_eq!(table.counters.allocated[state as usize], sum);
            }
        }
        prop_assert_eq!(recording.zero_ns, BEGIN + begin);
        let key = |block: &Slow| (block.lane.clone(), block.malloc, block.end);
        found.sort_by_key(key);
        expected.sort_by_key(key);
        if is_ambiguous(&sorted, &expected) {
            for block in found.iter_mut().chain(&mut expected) {
                block.accesses.clear();
            }
        } else {
            let told = recording.warnings.iter().find(|it| it.kind == WarningKind::UnknownAccess);
            prop_assert_eq!(told.map_or(0, |warning| warning.count), unknown);
        }
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_template_and_its_numbers_give_the_text_back(
        text in prop_oneof![
            "\\PC*",
            "[\\x00-\\x20a-z\":,{}0-9]{0,40}",
            r#"\{("(size|used|total|allocation_id|addr|owner|taskId)":"?(-?[0-9]{1,22}|0x[0-9a-f]{16}|0x000000000000ab10|43792|[a-z@:"]{0,8})"?,?){0,6}\}"#,
        ],
        ptr in prop_oneof![Just(0xab10_u64), Just(DumpRows::NO_PTR), any::<u64>()],
    ) {
        let made = Row { ptr: Some(ptr), attr: text.clone(), ..malloc(1, 0, 0, 0) };
        let mut values = made.values();
        if ptr == DumpRows::NO_PTR {
            values[8] = rusqlite::types::Value::Text("N/A".to_owned());
        }
        let mut chunk = super::super::chunk::Chunk::new(1);
        let mut cells = [super::super::cells::Cell::Missing; 12];
        for (cell, value) in cells.iter_mut().zip(&values) {
            *cell = match value {
                rusqlite::types::Value::Integer(number) => super::super::cells::Cell::Number(*number),
                rusqlite::types::Value::Text(text) => super::super::cells::Cell::Text(text.as_bytes()),
                _ => super::super::cells::Cell::Missing,
            };
        }
        chunk.push(&cells);
        let part = super::super::gather::Part { chunks: vec![chunk], ..Default::default() };
        let gathered = super::super::gather::gather(vec![part], &crate::Warnings::default(), &Job::unwatched());
        let gathered = gathered.unwrap();
        let (rows, strings) = (gathered.rows.into_rows([true; 2]), gathered.texts.into_strings());
        prop_assert_eq!(rows.attr_text(0, |id| strings.get(id)), text);
    }
}

#[test]
fn numbers_that_round_trip_have_columns_of_their_own() {
    let template = |text: &str, ptr: u64| {
        let (mut out, mut numbers) = (Vec::new(), attr::Numbers::default());
        attr::template(text.as_bytes(), ptr, &mut out, &mut numbers);
        (String::from_utf8(out).unwrap(), numbers)
    };
    let text =
        r#"{"allocation_id":"4","addr":"0x000000000000ab10","size":"-16","total":"9","used":"8"}"#;
    let expected = "{\"allocation_id\":\"\u{1}\",\"addr\":\"\u{10}\",\"size\":\"\u{2}\",\
                    \"total\":\"\u{3}\",\"used\":\"\u{4}\"}";
    assert_eq!(template(text, 0xab10), (expected.to_owned(), [4, -16, 9, 8]));
    assert_eq!(
        template("{addr:43792,size:007,size:7,streamId:2}", 0xab10),
        ("{addr:\u{11},size:007,size:\u{2},streamId:\u{1}}".to_owned(), [2, 7, 0, 0])
    );
    assert_eq!(template(r#"{"size": 16}"#, 0), ("{\"size\": \u{2}}".to_owned(), [0, 16, 0, 0]));
    let none = |text: &str| assert_eq!(template(text, 0xab11), (text.to_owned(), [0; 4]));
    none(r#"{"addr":"43792","req_size":"8","size":"-0","used":"99999999999999999999"}"#);
    assert_eq!(Slot::ALL.len(), 4);
}

/// `bytes` with some of them changed, cut or said twice.
fn mutated(bytes: &[u8]) -> impl Strategy<Value = Vec<u8>> + use<> {
    let bytes = bytes.to_vec();
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..24);
    (changes, any::<prop::sample::Index>(), 0_u8..4).prop_map(move |(changes, cut, what)| {
        let mut bytes = bytes.clone();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        match what {
            0 => bytes.truncate(cut.index(bytes.len()).max(16)),
            1 => bytes.extend_from_within(cut.index(bytes.len())..),
            _ => {}
        }
        bytes
    })
}

fn small_database() -> Vec<u8> {
    let rows = [malloc(1, 0x10, 8, 1), access(2, 0x10, 1), free(3, 0x10, 8, 1)];
    let made = database(&rows);
    made::trace(&made.path, "python_trace_7", &[("f", "1", "N/A")]);
    std::fs::read(&made.path).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_mutated_database_breaks_nothing(bytes in mutated(&small_database())) {
        crate::fuzz::check(&bytes);
    }

    #[test]
    fn a_mutated_csv_file_breaks_nothing(bytes in mutated(
        "ID,Event,Event Type,Name,Timestamp(ns),Process Id,Thread Id,Device Id,Ptr,Attr\n\
         1,MALLOC,PTA,N/A,1700000000000000001,7,70,0,0x10,\"{addr:0x10,size:8}\"\n\
         2,MSTX,Range_start,\"\"a\"\",1700000000000000002,7,70,0,N/A,\n\
         3,MSTX,Range_end,Range end from id 1,1700000000000000003,7,70,0,N/A,\n\
         4,ACCESS,READ,N/A,1700000000000000004,7,70,0,0x12,\"{allocation_id:1}\"\n".as_bytes()
    )) {
        crate::fuzz::check(&bytes);
    }
}

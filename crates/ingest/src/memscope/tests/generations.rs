//! Every generation of the format, and every carrier, says the same.

use super::made::{BEGIN, COLUMNS, Row, free, malloc, row, table};
use super::*;
use rusqlite::types::Value;

/// What a generation does that others do not.
#[derive(Clone, Copy, PartialEq)]
enum Habit {
    Microseconds,
    Hexadecimal,
    Ids,
    NegativeFrees,
}

/// What changed from one generation to the next.
struct Generation {
    table: &'static str,
    columns: Vec<&'static str>,
    habits: &'static [Habit],
}

/// How `Attr` is written.
#[derive(Clone, Copy)]
enum Attr {
    Json,
    Bare,
}

const CAMEL: [&str; 12] = [
    "id",
    "event",
    "eventType",
    "name",
    "timestamp",
    "processId",
    "threadId",
    "deviceId",
    "ptr",
    "attr",
    "callStackPython",
    "callStackC",
];

/// The rows of the version matrix, oldest first.
fn generations() -> Vec<Generation> {
    use Habit::{Hexadecimal, Ids, Microseconds, NegativeFrees};
    let now = COLUMNS.to_vec();
    let made = |table, columns, habits| Generation { table, columns, habits };
    vec![
        made("leaks_dump", CAMEL.to_vec(), &[Microseconds, NegativeFrees]),
        made("leaks_dump", now[..10].to_vec(), &[NegativeFrees]),
        made("leaks_dump", now[..11].to_vec(), &[Ids]),
        made("leaks_dump", [&now[..10], &now[11..]].concat(), &[Hexadecimal, Ids]),
        made("leaks_dump", now.clone(), &[Hexadecimal, Ids]),
        newest(),
    ]
}

fn newest() -> Generation {
    let habits = &[Habit::Hexadecimal, Habit::Ids];
    Generation { table: "memscope_dump", columns: COLUMNS.to_vec(), habits }
}

impl Generation {
    fn has(&self, habit: Habit) -> bool {
        self.habits.contains(&habit)
    }

    fn attr(&self, row: &Row, written: Attr) -> String {
        let Some(ptr) = row.ptr else { return String::new() };
        let size = if row.event == "FREE" && self.has(Habit::NegativeFrees) { -48 } else { 48 };
        let addr =
            if self.has(Habit::Hexadecimal) { format!("{ptr:#018x}") } else { ptr.to_string() };
        let id = row.id / 1000;
        let (size, id) = (size.to_string(), id.to_string());
        let mut pairs = vec![("addr", addr.as_str()), ("size", &size), ("used", "96")];
        if self.has(Habit::Ids) {
            pairs.insert(0, ("allocation_id", &id));
        }
        let quote = match written {
            Attr::Json => "\"",
            Attr::Bare => "",
        };
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(key, value)| format!("{quote}{key}{quote}:{quote}{value}{quote}"))
            .collect();
        format!("{{{}}}", pairs.join(","))
    }

    /// The cells of `row` under this generation's columns, `Attr` for CSV or for a database.
    fn cells(&self, row: &Row, written: Attr) -> Vec<Value> {
        let mut cells = row.values();
        let time = BEGIN + row.time;
        cells[4] = Value::Integer(if self.has(Habit::Microseconds) { time / 1000 } else { time });
        if let (Some(ptr), false) = (row.ptr, self.has(Habit::Hexadecimal)) {
            cells[8] = Value::Text(ptr.to_string());
        }
        cells[9] = Value::Text(self.attr(row, written));
        if self.columns.len() == 11 && self.columns[10] == COLUMNS[11] {
            cells.remove(10);
        }
        cells.truncate(self.columns.len());
        cells
    }

    fn csv(&self, rows: &[Row]) -> String {
        let mut text = self.columns.join(",") + "\n";
        for row in rows {
            let cells: Vec<_> = self
                .cells(row, Attr::Bare)
                .into_iter()
                .map(|cell| match cell {
                    Value::Integer(number) => number.to_string(),
                    Value::Text(text) if text.contains([',', '\n']) => format!("\"{text}\""),
                    Value::Text(text) => text,
                    _ => String::new(),
                })
                .collect();
            text.push_str(&(cells.join(",") + "\n"));
        }
        text
    }
}

/// Two blocks, one of which outlives the recording, and a block in the place of the first.
fn story() -> Vec<Row> {
    vec![
        malloc(1000, 0x12c0_4140_0000, 48, 1),
        Row { id: 1000, ..free(3000, 0x12c0_4140_0000, 48, 1) },
        malloc(2000, 0x12c0_4140_1000, 48, 2),
        malloc(4000, 0x12c0_4140_0000, 48, 4),
        Row { stack: "a.py(1): f\nb.py(2): g\n".to_owned(), ..malloc(5000, 0x77, 48, 5) },
        row("SYSTEM", "STOP_TRACE", 9000).on("N/A"),
        row("SYSTEM", "START_TRACE", 0).on("N/A"),
    ]
}

fn expected(generation: &Generation) -> Vec<String> {
    let id = |id| if generation.has(Habit::Ids) { format!("#{id}") } else { String::new() };
    let blocks = [
        format!("12c041400000+48@1000..3000{}", id(1)),
        format!("12c041401000+48@2000..{}", id(2)),
        format!("12c041400000+48@4000..{}", id(4)),
        format!("77+48@5000..{}", id(5)),
    ];
    vec![format!("0 PTA 7: {}", blocks.join(" "))]
}

fn check(recording: &Recording, generation: &Generation, carrier: &str) {
    let name = format!("{carrier} {} {:?}", generation.table, generation.columns);
    assert_eq!(drawn::tables(recording), expected(generation), "{name}");
    assert_eq!(recording.zero_ns, BEGIN, "{name}");
    assert_eq!(dump(recording).end_ns, 9000, "{name}");
    assert_eq!(warned(recording), [], "{name}");
    let table = &recording.devices[0];
    let has_python = generation.columns.iter().any(|name| name.contains("Python"));
    let stack = table.blocks.get(model::BlockId(3)).stack;
    assert_eq!(stack.is_some(), has_python, "{name}");
    if let Some(stack) = stack {
        let frames: Vec<_> = recording.stacks.frames(stack).map(|(_, frame)| frame).collect();
        assert_eq!(recording.text(frames[0].name), "f", "{name}");
        assert_eq!(recording.text(frames[1].filename), "b.py", "{name}");
    }
    assert_eq!(dump(recording).rows.has_stacks[0], has_python, "{name}");
    assert_eq!(&table.counters.allocated[..], [0, 48, 96, 48, 96, 144], "{name}");
    // 48 were allocated by the first event, which says 96 after it.
    assert_eq!(&table.counters.active[..], [48, 96, 96, 96, 96, 96], "{name}");
    assert_eq!(table.counters.reserved, table.counters.allocated, "{name}");
}

#[test]
fn every_generation_says_the_same_in_every_carrier() {
    for generation in generations() {
        let folder = tempfile::tempdir().unwrap();
        let rows: Vec<_> = story().iter().map(|row| generation.cells(row, Attr::Json)).collect();
        // Whatever the file is called.
        let path = folder.path().join("some.dat");
        table(&path, generation.table, &generation.columns, &rows);
        check(&open(&path).unwrap(), &generation, "database");

        let csv = generation.csv(&story());
        let read = crate::read_bytes(csv.as_bytes(), "x", &Job::unwatched()).unwrap();
        check(&read, &generation, "CSV");
        let windows = format!("\u{feff}{}", csv.replace('\n', "\r\n"));
        let read = crate::read_bytes(windows.as_bytes(), "x", &Job::unwatched()).unwrap();
        check(&read, &generation, "CSV of Windows");
    }
}

#[test]
fn a_table_of_any_name_with_the_columns_is_a_dump() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b%3f?#.db");
    let rows: Vec<_> = story().iter().map(Row::values).collect();
    table(&path, "it's \"mine\"", &COLUMNS, &rows);
    assert_eq!(drawn::tables(&open(&path).unwrap()), expected(&newest()));
}

#[test]
fn types_of_cells_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let text = |value: &Value| match value {
        Value::Integer(number) => Value::Text(number.to_string()),
        Value::Text(text) if text.is_empty() || text == "{}" => Value::Null,
        Value::Text(text) if text == "N/A" => Value::Text(text.clone()),
        Value::Text(text) => Value::Blob(text.clone().into_bytes()),
        other => other.clone(),
    };
    let rows: Vec<_> =
        story().iter().map(|row| row.values().iter().map(text).collect::<Vec<_>>()).collect();
    table(&path, "memscope_dump", &COLUMNS, &rows);
    assert_eq!(drawn::tables(&open(&path).unwrap()), expected(&newest()));
}

-- 'Tide'
PRAGMA application_id = 1416193125;

CREATE TABLE project (
    id INTEGER PRIMARY KEY,
    -- Real and absolute: what tells one file from another.
    path TEXT NOT NULL UNIQUE,
    -- As the person named it, absolute.
    shown TEXT NOT NULL,
    kind TEXT NOT NULL,
    devices INTEGER NOT NULL,
    -- The most bytes ever allocated on the busiest device.
    peak INTEGER NOT NULL,
    -- Allocated bytes of the busiest device, a byte a column, 255 being the peak.
    curve BLOB NOT NULL,
    -- The file when it was read: bytes, nanoseconds since 1970, a print of parts of its content.
    bytes INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    print INTEGER NOT NULL,
    -- Goes up when the file is another one; what was said of an older one stays with that.
    edition INTEGER NOT NULL DEFAULT 1,
    -- Milliseconds since 1970.
    opened INTEGER NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    -- Where this edition was left.
    state TEXT CHECK (state IS NULL OR json_valid(state))
) STRICT;

CREATE TABLE bookmark (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    edition INTEGER NOT NULL,
    place TEXT NOT NULL CHECK (json_valid(place)),
    note TEXT NOT NULL,
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL
) STRICT;

CREATE INDEX bookmark_of ON bookmark (project);

CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
) STRICT, WITHOUT ROWID;

INSERT INTO project VALUES (7, '/a/one.pickle', '/a/one.pickle', 'cuda', 2, 3298534883328, x'00FF07',
    5, 1700000000123456789, -4, 3, 1700000000000, 1, '{"form":1}');
INSERT INTO project VALUES (9, '/b/dump.db', '/b/dump.db', 'npu', 1, 10, x'', 1, 2, 3, 1, 1800000000000,
    0, NULL);
INSERT INTO bookmark VALUES (4, 7, 3, '{"kind":"block","block":7}', 'the leak', 1, 2);
INSERT INTO setting VALUES ('cache', '5');
PRAGMA user_version = 1;

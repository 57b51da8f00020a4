//! Numbers for what is one of a few kinds.

use model::{AnnotationKind, Carrier, Device, Family, SegmentKind, WarningKind};

/// A kind and its number on disk.
pub(crate) trait Numbered: Sized + Copy {
    fn number(self) -> u64;
    fn of_number(number: u64) -> Option<Self>;
}

macro_rules! numbered {
    ($kind:ident { $($variant:ident = $number:literal,)* }) => {
        impl Numbered for $kind {
            fn number(self) -> u64 {
                match self {
                    $(Self::$variant => $number,)*
                }
            }

            fn of_number(number: u64) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

numbered!(Family {
    Cuda = 0,
    Npu = 1,
    Xpu = 2,
});

numbered!(Carrier {
    Pickle = 0,
    Json = 1,
    Gzip = 2,
    Zstd = 3,
    Zip = 4,
    TorchSave = 5,
    Html = 6,
    Sqlite = 7,
    Csv = 8,
    Folder = 9,
});

numbered!(AnnotationKind {
    Range = 0,
    Step = 1,
    Switch = 2,
    Oom = 3,
    Snapshot = 4,
});

numbered!(SegmentKind {
    Small = 0,
    Large = 1,
    Unknown = 2,
});

numbered!(WarningKind {
    Truncated = 0,
    TrailingBytes = 1,
    NoHistory = 2,
    LegacyHistory = 3,
    RingOverflow = 4,
    RingOverflowStated = 5,
    UnknownAction = 6,
    UnknownKey = 7,
    MissingField = 8,
    BadValue = 9,
    Contradiction = 10,
    BadSegment = 11,
    OutsideSegments = 12,
    TimeBackwards = 13,
    UnpairedAnnotation = 14,
    Workspace = 15,
    Damaged = 16,
    UnmatchedFree = 17,
    UnknownAccess = 18,
    TooLarge = 19,
});

/// As two numbers: which kind, and which of them.
pub(crate) fn device_numbers(device: Device) -> [u64; 2] {
    match device {
        Device::Accelerator(ordinal) => [0, i64::from(ordinal) as u64],
        Device::Host => [1, 0],
        Device::Track => [2, 0],
    }
}

pub(crate) fn device([kind, ordinal]: [u64; 2]) -> Option<Device> {
    match kind {
        0 => Some(Device::Accelerator(i32::try_from(ordinal as i64).ok()?)),
        1 => Some(Device::Host),
        2 => Some(Device::Track),
        _ => None,
    }
}

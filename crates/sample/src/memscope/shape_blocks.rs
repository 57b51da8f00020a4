//! The blocks of the dump with given sums.

use crate::memscope::collector::PoolName;
use crate::memscope::driver::PAGE;
use crate::memscope::pool::rounded;

const MILLISECOND: u64 = 1_000_000;
const WEIGHT: &str = "PTA@model@weight";
const OPERATOR: &str = "PTA@ops@aten";
const LEAK: &str = "PTA@ops@aten@leaks_mem";

/// The driver's blocks in all, before the weights, and up to the moment whose sums are known.
const HAL: [usize; 3] = [96, 19, 90];
/// What they hold then.
const HAL_BYTES: u64 = 187_076_614;
const FIRST_NS: u64 = 4_454_383_900;

const WEIGHTS: usize = 318;
const LARGE_WEIGHTS: usize = 49;
const WEIGHT_BYTES: u64 = 95_234_560;
const FIRST_WEIGHT_NS: u64 = 13_350_166_480;
const FIRST_WEIGHT_FREE_NS: u64 = 45_422_237_070;
/// The known weight: which one, where, how large.
const KNOWN: (usize, u64, u64) = (235, 20_616_964_997_120, 2_359_808);

/// Blocks of operators after that moment.
const TEMPORARY: u64 = 2_944;
const LEAKED: u64 = 41_943_552;

/// A block that is to be.
pub(super) struct Planned {
    pub(super) pool: PoolName,
    pub(super) owner: &'static str,
    pub(super) address: u64,
    pub(super) size: u64,
    /// What torch's pool gets by it.
    pub(super) of_pool: u64,
    pub(super) malloc_ns: u64,
    pub(super) accesses_ns: Vec<u64>,
    pub(super) free_ns: Option<u64>,
}

/// All blocks.
pub(super) fn blocks() -> Vec<Planned> {
    let sizes = weight_sizes();
    let before: u64 = sizes[..KNOWN.0].iter().sum();
    let first = KNOWN.1 - before;
    let ground = first / PAGE * PAGE;
    let mut blocks = driver_blocks(ground);
    let mut address = first;
    for (index, size) in sizes.into_iter().enumerate() {
        let malloc_ns = FIRST_WEIGHT_NS + index as u64 * 20 * MILLISECOND;
        let free_ns = FIRST_WEIGHT_FREE_NS + index as u64 * 5 * MILLISECOND;
        let mut accesses_ns = vec![malloc_ns + 5 * MILLISECOND];
        if index < 3 {
            accesses_ns.push(malloc_ns + 8 * MILLISECOND);
        }
        blocks.push(block(WEIGHT, address, size, malloc_ns, accesses_ns, free_ns));
        address += size;
    }
    // In use at that moment: 5,086,208 bytes of operators and the first leak. The last one is free again.
    let first_step = [
        (LEAK, LEAKED, 47_100_000_000),
        (OPERATOR, 602_624, 44_500_000_000),
        (OPERATOR, 3_211_776, 44_510_000_000),
        (OPERATOR, 1_271_808, 44_520_000_000),
        (OPERATOR, 1_000_448, 19_900_000_000),
    ];
    for (index, (owner, size, free_ns)) in first_step.into_iter().enumerate() {
        let malloc_ns = FIRST_WEIGHT_NS + (WEIGHTS + index) as u64 * 20 * MILLISECOND;
        let accesses_ns = vec![malloc_ns + 5 * MILLISECOND];
        blocks.push(block(owner, address, size, malloc_ns, accesses_ns, free_ns));
        address += size;
    }
    blocks.extend(temporary(ground + REGION));
    blocks
}

/// What torch's pool has at first, and what it gets for operators and for a leak.
const REGION: u64 = 140 << 20;
const FOR_OPERATORS: u64 = 20 << 20;
const FOR_LEAK: u64 = 42 << 20;

fn driver_blocks(ground: u64) -> Vec<Planned> {
    let mut sizes: Vec<u64> =
        (0..HAL[2]).map(|index| [16_384, 65_536, 1 << 20, 480, 655_360][index % 5]).collect();
    sizes[HAL[1] - 1] = REGION;
    sizes[HAL[2] - 1] = 0;
    sizes[HAL[2] - 1] = HAL_BYTES - sizes.iter().sum::<u64>();
    sizes.extend([FOR_OPERATORS; 4]);
    sizes.extend([FOR_LEAK; 2]);
    // Those of the pool follow on the ground, in their order; the others lie far below.
    let (mut of_pool, mut others) = (ground, ground - (1 << 30));
    let mut blocks = Vec::new();
    for (index, size) in sizes.into_iter().enumerate() {
        let pooled = index + 1 == HAL[1] || index >= HAL[2];
        let next = if pooled { &mut of_pool } else { &mut others };
        let address = *next;
        *next += size.next_multiple_of(PAGE);
        let owner = match index % 4 {
            _ if pooled => "CANN@APP",
            0 => "CANN@RUNTIME",
            1 => "CANN@HCCL",
            2 => "CANN@AICPU",
            _ => "CANN@GE",
        };
        let number = index as u64;
        let malloc_ns = if index < HAL[1] {
            FIRST_NS + number * 200 * MILLISECOND
        } else if index < HAL[2] {
            // After the known weight, whose allocation id counts all blocks before.
            FIRST_WEIGHT_NS
                + ((KNOWN.0 - HAL[1] + 1) as u64 + number) * 20 * MILLISECOND
                + 10 * MILLISECOND
        } else {
            20_200_000_000 + (number - HAL[2] as u64) * 10 * MILLISECOND
        };
        let is_freed = !pooled && index % 2 == 0 && index < 82;
        blocks.push(Planned {
            pool: PoolName::Hal,
            owner,
            address,
            size,
            of_pool: if pooled { size } else { 0 },
            malloc_ns,
            accesses_ns: Vec::new(),
            free_ns: is_freed.then_some(47_500_000_000 + number * 10 * MILLISECOND),
        });
    }
    assert_eq!(blocks.len(), HAL[0], "as many blocks as are known");
    blocks
}

/// The first one is of 37,888 bytes, 269 are below 60,000, the known one is where it is.
fn weight_sizes() -> Vec<u64> {
    let is_large =
        |index: usize| index == KNOWN.0 || (index % 6 == 5 && index < 6 * (LARGE_WEIGHTS - 1));
    let mut sizes: Vec<u64> = (0..WEIGHTS)
        .map(|index| {
            if is_large(index) {
                0
            } else {
                rounded([256, 512, 1024, 2048, 4096, 8192][index / 6 % 6])
            }
        })
        .collect();
    sizes[0] = 37_888;
    sizes[KNOWN.0] = KNOWN.2;
    let large: Vec<usize> = (0..WEIGHTS).filter(|index| sizes[*index] == 0).collect();
    let rest = WEIGHT_BYTES - sizes.iter().sum::<u64>();
    let share = rest / large.len() as u64 / 512 * 512;
    for (number, index) in large.iter().enumerate() {
        // Neighbours differ by as much as they can share.
        let by = (number / 2) as u64 * 65_536;
        sizes[*index] = if number % 2 == 0 { share - by } else { share + by };
    }
    sizes[large[0]] += WEIGHT_BYTES - sizes.iter().sum::<u64>();
    sizes
}

/// What operators make after that moment: each is used three times; two more tensors leak.
fn temporary(ground: u64) -> Vec<Planned> {
    let slot = 3 << 20;
    let leaks = ground + 4 * FOR_OPERATORS;
    (0..TEMPORARY)
        .map(|index| {
            let malloc_ns = 20_500 * MILLISECOND + index * 8 * MILLISECOND;
            let accesses_ns = (1..=3).map(|number| malloc_ns + number * MILLISECOND).collect();
            let leak = [TEMPORARY / 3, 2 * TEMPORARY / 3].iter().position(|leak| *leak == index);
            if let Some(leak) = leak {
                let leak = leak as u64;
                let free_ns = 47_110 * MILLISECOND + leak * 10 * MILLISECOND;
                let address = leaks + leak * FOR_LEAK;
                return block(LEAK, address, LEAKED, malloc_ns, accesses_ns, free_ns);
            }
            let owner = match index % 8 {
                6 => "PTA@model@gradient",
                7 => "PTA@model@optimizer_state",
                _ => OPERATOR,
            };
            let size = rounded(
                [802_816, 25_600, 1_605_632, 512, 401_408, 3_000_000, 2048][index as usize % 7],
            );
            let address = ground + index % 24 * slot;
            block(owner, address, size, malloc_ns, accesses_ns, malloc_ns + 164 * MILLISECOND)
        })
        .collect()
}

fn block(
    owner: &'static str,
    address: u64,
    size: u64,
    malloc_ns: u64,
    accesses_ns: Vec<u64>,
    free_ns: u64,
) -> Planned {
    let pool = PoolName::Pta;
    Planned {
        pool,
        owner,
        address,
        size,
        of_pool: 0,
        malloc_ns,
        accesses_ns,
        free_ns: Some(free_ns),
    }
}

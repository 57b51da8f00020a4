//! What a C call stack looks like, by whose memory it is.

use crate::memscope::collector::PoolName;

/// The stack of an allocation, innermost first, one call a line.
pub(crate) fn c_stack(pool: PoolName) -> &'static str {
    match pool {
        PoolName::Hal => {
            "/opt/msmemscope/lib64/libleaks_ascend_hal_hook.so(halMemAlloc+0x118) [0xfffd279760c8]\n\
             /usr/local/Ascend/lib64/libruntime.so(+0x3e1214) [0xfffcbf7d1214]\n\
             /usr/local/Ascend/lib64/libascendcl.so(aclrtMallocAlign32+0x94) [0xfffcc1204e38]\n"
        }
        PoolName::Pinned => {
            "/opt/msmemscope/lib64/libleaks_ascend_hal_hook.so(halMemAlloc+0x118) [0xfffd279760c8]\n\
             /usr/local/Ascend/lib64/libascendcl.so(aclrtMallocHost+0x70) [0xfffcc1205a10]\n"
        }
        PoolName::Atb => {
            "/usr/local/Ascend/nnal/atb/lib/libatb.so(_ZN3atb12RunnerPool5SetupEv+0x3c) [0xfffc9a1b033c]\n"
        }
        PoolName::Pta | PoolName::Workspace => {
            "/usr/lib/python3.11/site-packages/torch_npu/lib/libtorch_npu.so(+0x18c5ab4) [0xfffd0c6b5ab4]\n\
             /usr/lib/python3.11/site-packages/torch_npu/lib/libtorch_npu.so(_ZN2at4npuL5emptyE+0x1f8) [0xfffd0c5e21f8]\n\
             /usr/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so(_ZN2at4_ops5emptyE+0x64) [0xfffd114a9b64]\n"
        }
    }
}

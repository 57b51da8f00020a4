use super::{FileKind, FrameKind};

fn kind(file: &str, name: &str) -> FrameKind {
    FileKind::of(file).kind(name)
}

#[test]
fn files_of_packages_and_of_the_standard_library_are_libraries() {
    for file in [
        "/opt/conda/lib/python3.11/site-packages/torch/nn/functional.py",
        "/usr/lib/python3/dist-packages/numpy/core/multiarray.py",
        "/home/me/project/.venv/lib/python3.12/site-packages/einops/einops.py",
        "/home/me/anaconda3/envs/gnn/lib/python3.11/threading.py",
        "/usr/local/lib/python3.13t/runpy.py",
        "/tmp/torchinductor_brian/3u/c3uabc.py",
        "torch/nn/modules/module.py",
        "/home/me/src/pytorch/torch/_dynamo/eval_frame.py",
        r"C:\Users\me\anaconda3\lib\threading.py",
        r"C:\Users\me\anaconda3\envs\gnn\Lib\runpy.py",
        r"C:\Python311\Lib\runpy.py",
        "<frozen runpy>",
        "<frozen importlib._bootstrap>",
        "<eval_with_key>.7",
        "<__array_function__ internals>",
    ] {
        assert_eq!(kind(file, "f"), FrameKind::Library, "{file}");
    }
}

#[test]
fn other_python_files_are_the_users() {
    for file in [
        "/workspace/llm/train.py",
        "train.py",
        "/mnt/select_n/lib/transformers/models/bert/modeling_bert.py",
        "/tmp/ipykernel_136836/1784485557.py",
        r"d:\ai\dev\How-Diffusion-Models-Work\joel\train.py",
        r"D:\me\lib\model.py",
        "/home/me/torch/model.py",
        "/home/me/python3.11/model.py",
        "<stdin>",
        "<ipython-input-3-abcdef>",
        "<timed exec>",
    ] {
        assert_eq!(kind(file, "f"), FrameKind::User, "{file}");
    }
}

#[test]
fn whatever_is_no_python_file_is_native() {
    for file in [
        "",
        "??",
        "engine.cpp",
        "/usr/src/python/Objects/call.c",
        "clone3.S",
        "thread48.o",
        "x.pyx",
    ] {
        assert_eq!(kind(file, "f"), FrameKind::Native, "{file}");
    }
}

#[test]
fn code_from_a_string_is_the_users_at_module_level_only() {
    assert_eq!(kind("<string>", "<module>"), FrameKind::User);
    assert_eq!(kind("<string>", "__init__"), FrameKind::Library);
}

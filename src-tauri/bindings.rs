//! The list of commands, and the TypeScript made from it.

use tauri_specta::{Builder, collect_commands};

use crate::{
    about, cache, choosing, commands, compare, diagnostics, find, flame, holders, inspect, recents,
    tables, windows,
};

/// Every command the page may ask.
#[expect(clippy::too_many_lines, reason = "it is a list")]
pub(crate) fn commands() -> Builder<tauri::Wry> {
    Builder::new().disable_serde_phases().commands(collect_commands![
        about::about,
        diagnostics::diagnostics,
        diagnostics::report_error,
        commands::startup,
        choosing::choose_file,
        choosing::choose_folder,
        choosing::choose_target,
        commands::open,
        commands::open_sample,
        commands::cancel,
        commands::close,
        commands::changed,
        windows::move_to_window,
        commands::scene,
        commands::annotations,
        commands::block,
        inspect::decompose,
        inspect::event,
        inspect::segment,
        inspect::period,
        inspect::pool,
        inspect::pools,
        inspect::pool_curves,
        inspect::lanes,
        inspect::address_map,
        find::find,
        compare::difference,
        compare::aligned_steps,
        compare::counterpart,
        flame::threads,
        flame::flame,
        flame::slice,
        flame::flame_search,
        inspect::inefficient,
        holders::holder,
        holders::holder_curve,
        holders::period_by,
        holders::stack_tree,
        tables::table_open,
        tables::table_rows,
        tables::table_position,
        tables::table_bounds,
        tables::table_choices,
        tables::table_export,
        tables::table_close,
        recents::project_list,
        recents::project_file,
        recents::project_compare,
        recents::project_relocate,
        recents::project_pin,
        recents::project_unpin,
        recents::project_remove,
        recents::project_opened,
        recents::project_save,
        recents::bookmark_add,
        recents::bookmark_note,
        recents::bookmark_remove,
        cache::cache_state,
        cache::cache_limit,
        cache::cache_clear,
    ])
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use specta_typescript::Typescript;

    /// With this variable set the test writes the file instead of comparing; `cargo xtask wire`
    /// sets it.
    const WRITE: &str = "TIDEMARK_WRITE_BINDINGS";

    #[test]
    fn the_typescript_of_the_commands_is_fresh() {
        let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/wire/bindings.ts");
        let folder = tempfile::tempdir().unwrap();
        let fresh = folder.path().join("bindings.ts");
        super::commands().export(Typescript::default(), &fresh).unwrap();
        let fresh = std::fs::read_to_string(fresh).unwrap();
        let fresh = format!("{}\n", fresh.trim_end());
        if std::env::var_os(WRITE).is_some() {
            std::fs::create_dir_all(committed.parent().unwrap()).unwrap();
            std::fs::write(&committed, fresh).unwrap();
            return;
        }
        let committed = std::fs::read_to_string(committed).unwrap();
        assert!(committed == fresh, "ui/src/wire/bindings.ts is stale: run `cargo xtask wire`");
    }
}

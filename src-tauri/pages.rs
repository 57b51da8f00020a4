//! Windows show the app's own page and no other: a page that was taken over cannot carry what it
//! knows away in the address of another one.

use tauri::plugin::{Builder, TauriPlugin};
use tauri::{Manager, Url, Wry};

use crate::log;

/// Keeps every window on the app's own page.
pub(crate) fn own_only() -> TauriPlugin<Wry> {
    Builder::new("own-pages")
        .on_navigation(|webview, url| {
            let dev = webview.config().build.dev_url.as_ref().filter(|_| tauri::is_dev());
            let is_own = is_own(url, dev);
            if !is_own {
                log::add("refused to show a page from elsewhere");
            }
            is_own
        })
        .build()
}

/// Whether `url` is of the app; `dev` is where it is served while it is being developed.
fn is_own(url: &Url, dev: Option<&Url>) -> bool {
    // Windows has no schemes of our own.
    let (scheme, host) =
        if cfg!(windows) { ("http", "tauri.localhost") } else { ("tauri", "localhost") };
    let is_served = dev.is_some_and(|dev| dev.origin() == url.origin());
    is_served || (url.scheme() == scheme && url.host_str() == Some(host) && url.port().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_apps_own_page_is_shown() {
        let own = if cfg!(windows) { "http://tauri.localhost" } else { "tauri://localhost" };
        let is_own = |url: &str, dev: Option<&str>| {
            let dev = dev.map(|dev| Url::parse(dev).unwrap());
            is_own(&Url::parse(url).unwrap(), dev.as_ref())
        };
        for page in ["", "/", "/index.html?draw=gl"] {
            assert!(is_own(&format!("{own}{page}"), None), "{own}{page}");
        }
        let foreign = [
            "https://example.org/",
            "https://tauri.localhost.example.org/",
            "file:///etc/passwd",
            "data:text/html,hello",
            "javascript:0",
            "about:blank",
            "http://localhost:5173/",
        ];
        for page in foreign {
            assert!(!is_own(page, None), "{page}");
        }
        assert!(!is_own(&format!("{own}:8080/"), None));
        let dev = Some("http://localhost:5173/");
        assert!(is_own("http://localhost:5173/index.html", dev));
        assert!(!is_own("http://localhost:5174/", dev));
    }
}

//! The headers for raw bytes, whose content type the service sets. The bytes may be untrusted uploads.
//!
//! Specifications: <https://www.rfc-editor.org/rfc/rfc6266>, and <https://www.w3.org/TR/CSP3/>.

use http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY};
use http::{HeaderMap, HeaderValue};

/// Says what browsers may do with the bytes of a `google.api.HttpBody`.
///
/// The service sets the content type of the bytes, and often it is the type of an upload. `text/html` and `image/svg+xml` can
/// contain scripts. Such a script would run in the service's origin, with access to its cookies and paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RawContent {
    /// The browser saves the bytes as a file (`Content-Disposition: attachment`). The name of the file is made from the path
    /// and the content type. If a browser shows the bytes anyway, they are in a sandbox. Your own pages can still embed images
    /// and similar content.
    #[default]
    Download,
    /// The browser shows the bytes, in an origin of their own, without scripts, forms and requests
    /// (`Content-Security-Policy: sandbox; default-src 'none'`).
    Sandboxed,
    /// The browser shows the bytes and runs their scripts. Use this only for content of the operators of the service.
    Trusted,
}

/// The policy of a sandbox: no scripts, nothing is loaded, and an origin that equals no other origin.
const SANDBOX: HeaderValue = HeaderValue::from_static("sandbox; default-src 'none'");

/// The longest name of a file, without its extension.
const NAME: usize = 64;

impl RawContent {
    pub(super) fn put_headers(self, path: &str, kind: &str, headers: &mut HeaderMap) {
        if self != RawContent::Trusted {
            headers.insert(CONTENT_SECURITY_POLICY, SANDBOX);
        }
        if self == RawContent::Download {
            let text = format!("attachment; filename=\"{}.{}\"", stem(path), extension(kind));
            // The name has only letters, digits, hyphens and one dot, so it is valid in a header.
            let value = HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("attachment"));
            headers.insert(CONTENT_DISPOSITION, value);
        }
    }
}

/// Returns the last segment of a path, with a hyphen instead of each character that is not a letter or digit. The result has
/// no dots, so it has no extension and is not a hidden file.
fn stem(path: &str) -> String {
    let last = path.rsplit('/').next().unwrap_or_default();
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = last.chars().take(NAME).map(safe).collect();
    match name.trim_matches('-') {
        "" => "download".to_owned(),
        name => name.to_owned(),
    }
}

/// Returns the extension for a content type. Only types that are harmless when they are opened have their own extension.
fn extension(kind: &str) -> &'static str {
    let name = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match name.as_str() {
        "application/gzip" => "gz",
        "application/json" => "json",
        "application/pdf" => "pdf",
        "application/zip" => "zip",
        "audio/mpeg" => "mp3",
        "image/gif" => "gif",
        "image/jpeg" => "jpg",
        "image/png" => "png",
        "image/webp" => "webp",
        "text/csv" => "csv",
        "text/plain" => "txt",
        "video/mp4" => "mp4",
        _ => "bin",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_harmless() {
        for (path, kind, wanted) in [
            ("/v1/shelves/a/books/dune/cover", "image/png", "cover.png"),
            ("/files/Report2.pdf", "Application/PDF; version=1", "Report2-pdf.pdf"),
            // These extensions or types could run code.
            ("/files/setup.exe", "application/x-msdownload", "setup-exe.bin"),
            ("/files/page.html", "text/html; charset=utf-8", "page-html.bin"),
            ("/files/logo", "image/svg+xml", "logo.bin"),
            ("/files/setup.bat;a=b.cmd", "text/plain", "setup-bat-a-b-cmd.txt"),
            // These characters could end the quotes or the header, or name a folder.
            ("/files/%22%0d%0aset-cookie:a=b", "text/plain", "22-0d-0aset-cookie-a-b.txt"),
            ("/files/..%2f..%5cetc", "text/plain", "2f---5cetc.txt"),
            ("/files/.bashrc", "", "bashrc.bin"),
            ("/files/\u{202e}gpj.exe", "image/png", "gpj-exe.png"),
            ("/files/", "a\r\nb", "download.bin"),
            ("/files/---", "image/gif", "download.gif"),
        ] {
            let mut headers = HeaderMap::new();
            RawContent::Download.put_headers(path, kind, &mut headers);
            let wanted = format!("attachment; filename=\"{wanted}\"");
            assert_eq!(headers[CONTENT_DISPOSITION], wanted, "{path} {kind}");
        }
        assert_eq!(stem(&"a".repeat(500)), "a".repeat(64));
    }
}

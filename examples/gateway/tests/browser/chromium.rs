//! A browser without a window, told what to do over pipes.
//!
//! Specification: <https://chromedevtools.github.io/devtools-protocol/>.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// How long anything may take, on a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The names that the browser has.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    last: u64,
    /// What went wrong in the page without being caught.
    pub(crate) exceptions: Vec<String>,
    _profile: TempDir,
}

/// The browser of this machine, if it has one.
pub(crate) fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut candidates =
        std::env::split_paths(&path).flat_map(|directory| NAMES.map(|name| directory.join(name)));
    candidates.find(|candidate| candidate.is_file())
}

impl Browser {
    /// Starts a browser, with a profile of its own.
    pub(crate) fn start(program: &PathBuf) -> Self {
        let profile = tempfile::tempdir().unwrap();
        // It reads from the third file and writes to the fourth.
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#])
            .arg(program)
            .args([
                "--headless",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
            ])
            .args(["--no-first-run", "--disable-background-networking", "--disable-component-update"])
            .args(["--disable-sync", "--disable-dev-shm-usage", "--window-size=1100,900"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            // Each message ends with a zero.
            for message in output.split(0).map_while(Result::ok) {
                if sender.send(serde_json::from_slice(&message).unwrap()).is_err() {
                    break;
                }
            }
        });
        let (session, exceptions) = (None, Vec::new());
        let mut browser = Browser { child, input, messages, session, last: 0, exceptions, _profile: profile };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let target = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", target);
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        browser.call("Runtime.enable", json!({}));
        browser
    }

    /// Tells the browser to do something, and waits for the result.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.input.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let answer =
                self.messages.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{method}: {error}"));
            if answer["method"] == "Runtime.exceptionThrown" {
                self.exceptions.push(answer["params"]["exceptionDetails"].to_string());
            }
            if answer["id"] == self.last {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// Goes to a page, and waits until a condition holds there.
    pub(crate) fn open(&mut self, url: &str, until: &str) {
        self.call("Page.navigate", json!({"url": url}));
        self.wait(until);
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let found = self.call("Runtime.evaluate", parameters);
        assert!(found["exceptionDetails"].is_null(), "{expression}: {found}");
        found["result"]["value"].clone()
    }

    /// Waits until a condition holds in the page.
    pub(crate) fn wait(&mut self, until: &str) {
        for _ in 0..PATIENCE.as_millis() / 20 {
            if self.value(until) == true {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let text = self.value("document.body?.innerText");
        panic!("{until} does not become true; the page is:\n{}", text.as_str().unwrap_or_default());
    }

    /// Presses the mouse on an element.
    pub(crate) fn click(&mut self, selector: &str) {
        let place = self.value(&format!(
            "(() => {{ const it = document.querySelector({selector:?}); it.scrollIntoView({{block: 'center'}}); \
             const {{x, y, width, height}} = it.getBoundingClientRect(); return [x + width / 2, y + height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let at = json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", at);
        }
    }

    /// Types a text into an input.
    pub(crate) fn write(&mut self, selector: &str, text: &str) {
        self.value(&format!("document.querySelector({selector:?}).focus()"));
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Takes one of the choices of a list.
    pub(crate) fn choose(&mut self, selector: &str, choice: &str) {
        self.value(&format!(
            "(() => {{ const it = document.querySelector({selector:?}); it.value = {choice:?}; \
             it.dispatchEvent(new Event('input', {{bubbles: true}})); }})()"
        ));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It ends with its pipes, too; what counts is that it is gone.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

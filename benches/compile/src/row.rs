//! A measured build.

/// A row of the table, in the order in which they are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    Dependencies,
    Check,
    LibraryDebug,
    LibraryRelease,
    SampleDebug,
    SampleRelease,
    JsonDebug,
    JsonRelease,
    AllDebug,
    AllRelease,
    LlvmLines,
}

/// How cargo is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Check,
    Debug,
    Release,
}

impl Row {
    pub const ALL: [Row; 11] = [
        Row::Dependencies,
        Row::Check,
        Row::LibraryDebug,
        Row::LibraryRelease,
        Row::SampleDebug,
        Row::SampleRelease,
        Row::JsonDebug,
        Row::JsonRelease,
        Row::AllDebug,
        Row::AllRelease,
        Row::LlvmLines,
    ];

    /// For the command line.
    pub fn name(self) -> &'static str {
        match self {
            Row::Dependencies => "dependencies",
            Row::Check => "check",
            Row::LibraryDebug => "library-debug",
            Row::LibraryRelease => "library-release",
            Row::SampleDebug => "sample-debug",
            Row::SampleRelease => "sample-release",
            Row::JsonDebug => "json-debug",
            Row::JsonRelease => "json-release",
            Row::AllDebug => "all-debug",
            Row::AllRelease => "all-release",
            Row::LlvmLines => "llvm-lines",
        }
    }

    /// For the table.
    pub fn about(self) -> &'static str {
        match self {
            Row::Dependencies => "dependencies, clean debug build",
            Row::Check => "library, `cargo check`",
            Row::LibraryDebug => "library, debug",
            Row::LibraryRelease => "library, release",
            Row::SampleDebug => "program of 20, debug",
            Row::SampleRelease => "program of 20, release",
            Row::JsonDebug => "program of 20 with JSON, debug",
            Row::JsonRelease => "program of 20 with JSON, release",
            Row::AllDebug => "program of all, debug",
            Row::AllRelease => "program of all, release",
            Row::LlvmLines => "program of 20, not optimized",
        }
    }

    /// The package that is built; programs are built together with the library.
    pub fn package(self) -> &'static str {
        match self {
            Row::Dependencies => "dependencies",
            Row::Check | Row::LibraryDebug | Row::LibraryRelease => "types",
            Row::SampleDebug | Row::SampleRelease | Row::LlvmLines => "sample",
            Row::JsonDebug | Row::JsonRelease => "json",
            Row::AllDebug | Row::AllRelease => "all",
        }
    }

    pub fn mode(self) -> Mode {
        match self {
            Row::Check => Mode::Check,
            Row::Dependencies | Row::LibraryDebug | Row::SampleDebug | Row::JsonDebug | Row::AllDebug => {
                Mode::Debug
            }
            Row::LibraryRelease
            | Row::SampleRelease
            | Row::JsonRelease
            | Row::AllRelease
            | Row::LlvmLines => Mode::Release,
        }
    }

    /// True where only contestants with JSON take part.
    pub fn is_json(self) -> bool {
        self.package() == "json"
    }

    /// An earlier row whose work this one repeats: where that takes too long, so does this.
    pub fn includes(self) -> Option<Row> {
        match self {
            Row::Dependencies | Row::Check => None,
            Row::LibraryDebug | Row::LibraryRelease => Some(Row::Check),
            Row::SampleDebug => Some(Row::LibraryDebug),
            Row::JsonDebug | Row::AllDebug => Some(Row::SampleDebug),
            Row::SampleRelease => Some(Row::LibraryRelease),
            Row::JsonRelease | Row::AllRelease | Row::LlvmLines => Some(Row::SampleRelease),
        }
    }
}

impl Mode {
    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            Mode::Check => &["check"],
            Mode::Debug => &["build"],
            Mode::Release => &["build", "--release"],
        }
    }
}

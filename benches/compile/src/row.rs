//! A measured build.

/// A row of the table, in the order in which they are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// A clean build of a crate with all that it depends on.
    Clean(Whole, Mode),
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

/// A crate that is built with all that it depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// Nothing but the library and the generator.
    Tools,
    /// The first program of the README: one message.
    Book,
    /// A server and a client on tonic, with 20 messages.
    Service,
    /// The library of the large schema.
    Large,
}

/// How cargo is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Check,
    Debug,
    Release,
}

impl Row {
    /// All of them.
    pub fn all() -> Vec<Row> {
        let clean = Whole::ALL.into_iter().flat_map(|whole| Mode::ALL.map(|mode| Row::Clean(whole, mode)));
        let others = [
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
        clean.chain(others).collect()
    }

    /// For the command line.
    pub fn name(self) -> String {
        let name = match self {
            Row::Clean(whole, mode) => return format!("{}-{}", whole.name(), mode.name()),
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
        };
        name.to_owned()
    }

    /// True for the row of this name, and for all those whose names begin with it.
    pub fn is_of(self, name: &str) -> bool {
        self.name().strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    /// For the table.
    pub fn about(self) -> String {
        let about = match self {
            Row::Clean(whole, mode) => return format!("clean: {}, {}", whole.about(), mode.about()),
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
        };
        about.to_owned()
    }

    /// The package that is built; programs are built together with the library.
    pub fn package(self) -> &'static str {
        match self {
            Row::Clean(whole, _) => whole.name(),
            Row::Check | Row::LibraryDebug | Row::LibraryRelease => "types",
            Row::SampleDebug | Row::SampleRelease | Row::LlvmLines => "sample",
            Row::JsonDebug | Row::JsonRelease => "json",
            Row::AllDebug | Row::AllRelease => "all",
        }
    }

    pub fn mode(self) -> Mode {
        match self {
            Row::Clean(_, mode) => mode,
            Row::Check => Mode::Check,
            Row::LibraryDebug | Row::SampleDebug | Row::JsonDebug | Row::AllDebug => Mode::Debug,
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
            Row::Clean(..) | Row::Check => None,
            Row::LibraryDebug | Row::LibraryRelease => Some(Row::Check),
            Row::SampleDebug => Some(Row::LibraryDebug),
            Row::JsonDebug | Row::AllDebug => Some(Row::SampleDebug),
            Row::SampleRelease => Some(Row::LibraryRelease),
            Row::JsonRelease | Row::AllRelease | Row::LlvmLines => Some(Row::SampleRelease),
        }
    }
}

impl Whole {
    pub const ALL: [Whole; 4] = [Whole::Tools, Whole::Book, Whole::Service, Whole::Large];

    /// For the command line, and the name of the crate.
    pub fn name(self) -> &'static str {
        match self {
            Whole::Tools => "clean",
            Whole::Book => "book",
            Whole::Service => "service",
            Whole::Large => "large",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Whole::Tools => "library and generator",
            Whole::Book => "the first program",
            Whole::Service => "a service of 20 messages",
            Whole::Large => "the large schema",
        }
    }

    /// True for what is a program, which runs once it is built.
    pub fn is_program(self) -> bool {
        matches!(self, Whole::Book | Whole::Service)
    }
}

impl Mode {
    pub const ALL: [Mode; 3] = [Mode::Check, Mode::Debug, Mode::Release];

    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            Mode::Check => &["check"],
            Mode::Debug => &["build"],
            Mode::Release => &["build", "--release"],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Mode::Check => "check",
            Mode::Debug => "debug",
            Mode::Release => "release",
        }
    }

    /// For the table.
    pub fn about(self) -> &'static str {
        match self {
            Mode::Check => "`cargo check`",
            Mode::Debug => "debug",
            Mode::Release => "release",
        }
    }
}

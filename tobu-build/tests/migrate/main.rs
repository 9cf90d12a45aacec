use std::path::Path;
use tobu_build::migrate::*;
#[test]
fn smoke() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for (dir, proto, inc) in [
        ("examples/gateway", "library/v1/library.proto", "examples/gateway/proto"),
        ("examples/migrate/route_guide/after", "", "examples/migrate/route_guide/after/proto"),
        ("examples/migrate/otlp/after", "opentelemetry/proto/collector/trace/v1/trace_service.proto", "examples/migrate/otlp/after/proto"),
    ] {
        let inc = root.join(inc);
        let proto = if proto.is_empty() { std::fs::read_dir(&inc).unwrap().next().unwrap().unwrap().path() } else { inc.join(proto) };
        let pool = tobu_build::load(&[proto], &[inc]).unwrap();
        let mut sources = Vec::new();
        fn walk(d: &Path, out: &mut Vec<Source>) { let mut e: Vec<_> = std::fs::read_dir(d).unwrap().map(|e| e.unwrap().path()).collect(); e.sort(); for p in e { if p.is_dir() { walk(&p, out) } else if p.extension().is_some_and(|e| e == "rs") { out.push(Source::new(p.file_name().unwrap().to_str().unwrap(), std::fs::read_to_string(&p).unwrap())) } } }
        walk(&root.join(dir).join("src"), &mut sources);
        let mut m = Migration::new(&pool).unwrap();
        let level = match std::env::var("LEVEL").as_deref() { Ok("red") => Level::Red, Ok("yellow") => Level::Yellow, _ => Level::Green };
        m.level(level);
        let mut sum = [0; 3]; let mut left = 0;
        for o in m.run(&sources) {
            print!("{}", o.diff());
            for l in &o.left { println!("LEFT {}:{l}", o.name); }
            if let Some(e) = o.error { println!("ERROR {} {e}", o.name); }
            for i in 0..3 { sum[i] += o.rewritten[i]; } left += o.left.len();
        }
        println!("SUM {dir} {sum:?} left {left}");
    }
}

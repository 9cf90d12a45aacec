//! Which files may import each other.

use super::*;
use crate::descriptor::Edition;
use crate::descriptor::list::numbered;
use crate::descriptor::raw::options;
use crate::descriptor::tables::ImportKind;

// The fields of `google.protobuf.FileOptions`.
const OPTIMIZE_FOR: u32 = 9;
const CC_GENERIC_SERVICES: u32 = 16;
const JAVA_GENERIC_SERVICES: u32 = 17;

const LITE_RUNTIME: u64 = 3;

impl Broken<'_> {
    pub(super) fn imports(&mut self) {
        let tables = self.tables;
        let has_options = tables.edition >= Edition::Edition2024;
        for import in &tables.imports {
            let name = import.file.map_or("", |file| tables.reach[file as usize].name());
            match import.kind {
                ImportKind::Option if !has_options => {
                    self.add_to_file("imports for options are not valid before edition 2024");
                }
                ImportKind::Weak if has_options => {
                    self.add_to_file(format_args!(
                        "import \"{}\" cannot be weak from edition 2024 on",
                        printable(name)
                    ));
                }
                _ => {}
            }
        }
        match is_lite(tables) {
            true => self.lite(),
            false => {
                let imports = tables.imports.iter().filter_map(|import| import.file);
                let mut files = imports.map(|file| &tables.reach[file as usize]);
                if let Some(lite) = files.find(|file| is_lite(file)) {
                    let name = printable(lite.name());
                    self.add_to_file(format_args!(
                        "import \"{name}\" is for LITE_RUNTIME, which only files for LITE_RUNTIME can import"
                    ));
                }
            }
        }
    }

    /// The rules of a file that is optimized for the lite runtime.
    fn lite(&mut self) {
        let tables = self.tables;
        for (field, i) in numbered(&tables.fields) {
            if !field.is_extension {
                continue;
            }
            if !is_lite(tables.target(field.parent)) {
                let extendee = tables.target_name(field.parent, Item::Message);
                self.add(
                    Item::Extension(i),
                    format_args!(
                        "{extendee} is not for LITE_RUNTIME, so files for LITE_RUNTIME cannot extend it"
                    ),
                );
            }
        }
        let encoded = tables.options(tables.options);
        if [CC_GENERIC_SERVICES, JAVA_GENERIC_SERVICES].iter().any(|number| options::is_set(encoded, *number))
        {
            for i in 0..tables.services.len() as u32 {
                let text = "a file for LITE_RUNTIME cannot have services with cc_generic_services or \
                            java_generic_services";
                self.add(Item::Service(i), text);
            }
        }
    }
}

fn is_lite(file: &FileTables) -> bool {
    options::varint(file.options(file.options), OPTIMIZE_FOR) == Some(LITE_RUNTIME)
}

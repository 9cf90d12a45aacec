//! Plans that cannot be made.

use crate::support::{message, pool};
use tobu::sink::{Builder, Plan};

#[test]
fn paths_that_lead_nowhere() {
    let rows = [
        ("nme", "the path \"nme\": all.Root has no field \"nme\""),
        ("items", "the path \"items\": all.Root.items is repeated, and must be written with \"[]\""),
        ("name[]", "the path \"name[]\": all.Root.name is not repeated, and must be written without \"[]\""),
        ("name.x", "the path \"name.x\" goes into all.Root.name, which holds no messages"),
        ("by_name[].x", "the path \"by_name[].x\": all.Root.ByNameEntry has no field \"x\""),
        ("[all.other]", "the path \"[all.other]\": all.Root has no extension \"all.other\""),
        ("single.[all.note]", "the path \"single.[all.note]\": all.Item has no extension \"all.note\""),
        ("items[", "the path \"items[\" has no dot between two steps"),
        ("single..id", "the path \"single..id\" has a step without a name"),
    ];
    for (path, expected) in rows {
        let error = Plan::builder(&message("Root")).pool(&pool()).field(path).unwrap_err();
        assert_eq!(error.to_string(), format!("all.Root: {expected}"));
    }
}

#[test]
fn what_cannot_be_wanted() {
    type Add = fn(Builder) -> tobu::Result<Builder>;
    let rows: [(Add, &str); 6] = [
        (|plan| plan.field("name")?.field("name"), "the path \"name\" is given twice"),
        (|plan| plan.field("name")?.field_or_default("name"), "the path \"name\" is given twice"),
        (
            |plan| plan.field_or_default("count"),
            "the path \"count\" does not lead to a single value outside of oneofs",
        ),
        (
            |plan| plan.field_or_default("numbers[]"),
            "the path \"numbers[]\" does not lead to a single value outside of oneofs",
        ),
        (|plan| plan.unknown("name"), "the path \"name\" leads to all.Root.name, which holds no messages"),
        (|plan| plan.unknown("")?.unknown(""), "the path \"\" is given twice"),
    ];
    for (add, expected) in rows {
        let error = add(Plan::builder(&message("Root"))).unwrap_err();
        assert_eq!(error.to_string(), format!("all.Root: {expected}"));
    }
}

#[test]
fn what_a_plan_says_of_itself() {
    let plan = Plan::builder(&message("Root")).field("items[].id").unwrap().unknown("single").unwrap();
    let plan = plan.build().unwrap();
    assert_eq!((plan.len(), plan.is_empty()), (2, false));
    assert_eq!((plan.path(0), plan.path(1), plan.path(2)), (Some("items[].id"), Some("single"), None));
    assert_eq!(plan.field(0).unwrap().full_name(), "all.Item.id");
    assert!(plan.field(1).is_none() && plan.field(2).is_none());
    assert_eq!(plan.descriptor().full_name(), "all.Root");
    let text = "Plan { of: \"all.Root\", paths: [\"items[].id\", \"single\"], extensions: 0 }";
    assert_eq!(format!("{plan:?}"), text);
}

//! A sink that puts events together to a message again.

use tobu::reflect::{MapKey, Value};
use tobu::sink::{Flow, Plan, Sink};
use tobu::{DynamicMessage, FieldDescriptor, Reflect};

/// The message that the events of a plan describe. All messages on the way to a field must be wanted, too.
pub(crate) struct Rebuild<'p> {
    plan: &'p Plan,
    /// The open messages, outermost first; of an entry, its key and value.
    open: Vec<Open>,
    /// A key was no text, in a schema that lets it be: no owned key of reflection holds it.
    pub(crate) has_odd_key: bool,
}

enum Open {
    Message(DynamicMessage),
    Entry(Option<MapKey>, Option<Value>),
}

impl<'p> Rebuild<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        let message = DynamicMessage::new(plan.descriptor()).unwrap();
        Rebuild { plan, open: vec![Open::Message(message)], has_odd_key: false }
    }

    pub(crate) fn finish(mut self) -> DynamicMessage {
        assert_eq!(self.open.len(), 1);
        match self.open.pop() {
            Some(Open::Message(message)) => message,
            _ => unreachable!(),
        }
    }

    fn field(&self, index: u32) -> FieldDescriptor {
        self.plan.field(index).unwrap().clone()
    }

    fn put(&mut self, index: u32, value: Value) -> Flow {
        let field = self.field(index);
        let is_key = matches!(self.open.last(), Some(Open::Entry(..))) && field.number() == 1;
        self.has_odd_key |= is_key && matches!(value, Value::Bytes(_));
        match self.open.last_mut().unwrap() {
            Open::Entry(key, held) => match field.number() {
                1 => *key = Some(map_key(value)),
                _ => *held = Some(value),
            },
            Open::Message(message) if field.is_list() => {
                message.get_mut(&field).unwrap().into_list().unwrap().push(value).unwrap();
            }
            Open::Message(message) => message.set(&field, value).unwrap(),
        }
        Ok(())
    }
}

impl<'a> Sink<'a> for Rebuild<'_> {
    fn i64(&mut self, field: u32, value: i64) -> Flow {
        self.put(field, Value::I64(value))
    }

    fn u64(&mut self, field: u32, value: u64) -> Flow {
        self.put(field, Value::U64(value))
    }

    fn f64(&mut self, field: u32, value: f64) -> Flow {
        self.put(field, Value::F64(value))
    }

    fn i32(&mut self, field: u32, value: i32) -> Flow {
        self.put(field, Value::I32(value))
    }

    fn u32(&mut self, field: u32, value: u32) -> Flow {
        self.put(field, Value::U32(value))
    }

    fn f32(&mut self, field: u32, value: f32) -> Flow {
        self.put(field, Value::F32(value))
    }

    fn bool(&mut self, field: u32, value: bool) -> Flow {
        self.put(field, Value::Bool(value))
    }

    fn enumeration(&mut self, field: u32, number: i32) -> Flow {
        self.put(field, Value::Enum(number))
    }

    fn str(&mut self, field: u32, value: &'a str) -> Flow {
        self.put(field, Value::String(value.to_owned()))
    }

    fn bytes(&mut self, field: u32, value: &'a [u8]) -> Flow {
        self.put(field, Value::Bytes(value.to_vec().into()))
    }

    fn begin(&mut self, field: u32, _: &'a [u8]) -> Flow {
        let field = self.field(field);
        let open = match self.open.last().unwrap() {
            _ if field.is_map() => Open::Entry(None, None),
            // An occurrence of a singular message is merged into those before it.
            Open::Message(message) if !field.is_list() && message.has(&field).unwrap() => {
                let held = message.get(&field).unwrap().as_message().unwrap();
                Open::Message((&*held as &dyn Reflect).to_dynamic().unwrap())
            }
            Open::Entry(_, Some(Value::Message(held))) => Open::Message(held.clone()),
            _ => Open::Message(DynamicMessage::new(&field.message_type().unwrap()).unwrap()),
        };
        self.open.push(open);
        Ok(())
    }

    fn end(&mut self, index: u32) -> Flow {
        match self.open.pop().unwrap() {
            Open::Message(message) => self.put(index, Value::Message(message)),
            Open::Entry(key, value) => {
                let field = self.field(index);
                let Some(Open::Message(message)) = self.open.last_mut() else { unreachable!() };
                let (key, value) = (key.unwrap(), value.unwrap());
                message.get_mut(&field).unwrap().into_map().unwrap().insert(key, value).unwrap();
                Ok(())
            }
        }
    }

    fn clear(&mut self, index: u32) -> Flow {
        // What is cleared inside of a message is cleared with it.
        if self.plan.path(index).unwrap().matches('.').count() + 1 == self.open.len() {
            let field = self.field(index);
            let Some(Open::Message(message)) = self.open.last_mut() else { unreachable!() };
            message.clear(&field).unwrap();
        }
        Ok(())
    }
}

fn map_key(value: Value) -> MapKey {
    match value {
        Value::Bool(value) => MapKey::Bool(value),
        Value::I32(value) => MapKey::I32(value),
        Value::I64(value) => MapKey::I64(value),
        Value::U32(value) => MapKey::U32(value),
        Value::U64(value) => MapKey::U64(value),
        Value::String(value) => MapKey::String(value),
        Value::Bytes(value) => MapKey::String(String::from_utf8_lossy(&value).into_owned()),
        value => panic!("{value:?} is not a key"),
    }
}

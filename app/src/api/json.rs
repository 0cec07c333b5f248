//! Reading what the server sends with little code for each type.
//!
//! serde's own readers carry, for every type of ours, how to read it from a list, from bytes and
//! from numbers too, and sentences about everything that may be wrong. The server sends objects
//! with names and enums as words, and of what cannot be read nobody is told why.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value, map};

/// The `T` that a text says.
pub fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    let value: Value = serde_json::from_str(text).ok()?;
    T::deserialize(Json(&value)).ok()
}

/// A JSON value to read from, as often as one likes.
#[derive(Clone, Copy)]
pub struct Json<'a>(pub &'a Value);

/// It is not what the contract says.
#[derive(Debug)]
pub struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unreadable")
    }
}

impl std::error::Error for Unreadable {}

impl de::Error for Unreadable {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }

    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self
    }

    fn invalid_value(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self
    }

    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Self
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }

    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }

    fn missing_field(_: &'static str) -> Self {
        Self
    }

    fn duplicate_field(_: &'static str) -> Self {
        Self
    }
}

impl<'a> Json<'a> {
    fn text<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        let text = self.0.as_str().ok_or(Unreadable)?;
        visitor.visit_str(text)
    }

    fn whole<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match (self.0.as_u64(), self.0.as_i64()) {
            (Some(number), _) => visitor.visit_u64(number),
            (None, Some(number)) => visitor.visit_i64(number),
            (None, None) => Err(Unreadable),
        }
    }

    fn list(self) -> Result<Items<'a>, Unreadable> {
        let items = self.0.as_array().ok_or(Unreadable)?;
        Ok(Items(items.iter()))
    }

    fn object(self) -> Result<Fields<'a>, Unreadable> {
        let fields = self.0.as_object().ok_or(Unreadable)?;
        Ok(Fields::of(fields))
    }
}

/// The methods of a deserializer that all do the same.
macro_rules! read_as {
    ($read:ident: $($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
            self.$read(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Json<'de> {
    type Error = Unreadable;

    read_as!(text: deserialize_str deserialize_string deserialize_identifier deserialize_char);
    read_as!(whole: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64);

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(truth) => visitor.visit_bool(*truth),
            Value::Number(number) if number.is_f64() => self.deserialize_f64(visitor),
            Value::Number(_) => self.whole(visitor),
            Value::String(text) => visitor.visit_str(text),
            Value::Array(_) => visitor.visit_seq(self.list()?),
            Value::Object(_) => visitor.visit_map(self.object()?),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_bool(self.0.as_bool().ok_or(Unreadable)?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_f64(self.0.as_f64().ok_or(Unreadable)?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        if self.0.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_seq(self.list()?)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_map(self.object()?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_map(self.object()?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_enum(word(self.0.as_str().ok_or(Unreadable)?))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i128 u128 f32 bytes byte_buf unit unit_struct tuple tuple_struct
    }
}

fn word(text: &str) -> StrDeserializer<'_, Unreadable> {
    text.into_deserializer()
}

struct Items<'a>(std::slice::Iter<'a, Value>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Unreadable;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Unreadable> {
        let next = self.0.next();
        next.map(|item| seed.deserialize(Json(item))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

struct Fields<'a> {
    rest: map::Iter<'a>,
    value: &'a Value,
}

impl<'a> Fields<'a> {
    fn of(fields: &'a Map<String, Value>) -> Self {
        Self {
            rest: fields.iter(),
            value: &Value::Null,
        }
    }
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Unreadable;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Unreadable> {
        let Some((name, value)) = self.rest.next() else {
            return Ok(None);
        };
        self.value = value;
        seed.deserialize(word(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Unreadable> {
        seed.deserialize(Json(self.value))
    }
}

mod tests {
    #![cfg(test)]

    use std::fs;
    use std::path::Path;

    use domain::event::Frame;
    use domain::order::Order;
    use serde_json::json;

    use super::*;

    /// Every event of the contract, as the domain keeps them.
    fn events() -> Vec<Value> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../domain/src/event/golden");
        let texts = fs::read_dir(folder).unwrap().map(|entry| {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            serde_json::from_str(&text).unwrap()
        });
        texts.collect()
    }

    #[test]
    fn every_event_is_read_as_serde_reads_it() {
        let events = events();
        assert!(!events.is_empty());
        for event in events {
            let read = Frame::read("", Json(&event));
            assert!(matches!(read, Frame::Log(_)), "{event}");
            assert_eq!(read, Frame::read("", &event));
        }
    }

    #[test]
    fn what_an_entity_lacks_or_has_twice_over_is_refused_or_passed_over() {
        let orders = events().into_iter().map(|event| event["payload"].clone());
        let Some(mut order) = orders
            .into_iter()
            .find(|payload| payload["lines"].is_array())
        else {
            panic!("no event carries an order");
        };
        order["later"] = json!([1.5, {"a": null}]);
        assert!(read::<Order>(&order.to_string()).is_some());
        order["number"] = json!("7");
        assert_eq!(read::<Order>(&order.to_string()), None);
        assert_eq!(read::<Order>("[]"), None);
    }
}

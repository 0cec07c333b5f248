//! Texts: names in two languages, and the limits of what people write.

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

/// The longest note, in graphemes (what a person counts as a character).
pub const NOTE_GRAPHEMES: usize = 500;
/// The longest name, in graphemes.
pub const NAME_GRAPHEMES: usize = 120;

/// A language of the screens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Language {
    /// 한국어
    #[default]
    Ko,
    /// English
    En,
}

/// A text shown to guests and staff, in one language at least; the other falls back to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LocalText {
    /// Korean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ko: Option<String>,
    /// English.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub en: Option<String>,
}

impl LocalText {
    /// A text in both languages.
    #[must_use]
    pub fn both(ko: &str, en: &str) -> Self {
        Self {
            ko: Some(ko.to_owned()),
            en: Some(en.to_owned()),
        }
    }

    /// A text in one language.
    #[must_use]
    pub fn one(language: Language, text: &str) -> Self {
        let text = Some(text.to_owned());
        match language {
            Language::Ko => Self { ko: text, en: None },
            Language::En => Self { ko: None, en: text },
        }
    }

    /// The text in `language`, or in the other.
    #[must_use]
    pub fn get(&self, language: Language) -> &str {
        let (first, second) = match language {
            Language::Ko => (&self.ko, &self.en),
            Language::En => (&self.en, &self.ko),
        };
        first.as_deref().or(second.as_deref()).unwrap_or_default()
    }
}

/// Whether `text` has at most `limit` graphemes. It stops counting at the limit.
#[must_use]
pub fn fits(text: &str, limit: usize) -> bool {
    text.graphemes(true).nth(limit).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_language_falls_back_to_the_other() {
        assert_eq!(
            LocalText::one(Language::Ko, "김치찌개").get(Language::En),
            "김치찌개"
        );
        assert_eq!(LocalText::both("콜라", "Cola").get(Language::En), "Cola");
    }

    #[test]
    fn a_family_emoji_counts_as_one_character() {
        assert!(fits("👨‍👩‍👧‍👦", 1));
        assert!(!fits("ab", 1));
    }
}

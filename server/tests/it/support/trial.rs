//! How large a trial is that takes many minutes in full.

/// `full` with `cargo xtask test --long`, which sets `JUMUN_LONG`; else `scaled`.
pub fn sized<T>(scaled: T, full: T) -> T {
    let is_long = std::env::var_os("JUMUN_LONG").is_some_and(|set| set == "1");
    if is_long { full } else { scaled }
}

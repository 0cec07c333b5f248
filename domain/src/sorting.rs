//! Putting short lists into order.

/// Puts `list` in the order of its keys; equal ones stay as they were. For lists of at most some
/// hundreds, nearly in order already: the standard library's sort takes 3 KB of the client for
/// every type it sorts.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |one, other| key(one) < key(other));
}

/// Puts `list` in the order that `precedes` says.
pub fn sort_by<T>(list: &mut [T], precedes: impl Fn(&T, &T) -> bool) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && precedes(&list[at], &list[at - 1]) {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ones_stay_as_they_were() {
        let mut list = [(3, 'a'), (1, 'b'), (3, 'c'), (2, 'd'), (1, 'e')];
        sort_by_key(&mut list, |(key, _)| *key);
        assert_eq!(list, [(1, 'b'), (1, 'e'), (2, 'd'), (3, 'a'), (3, 'c')]);
        sort_by_key(&mut [] as &mut [i32], |number| *number);
    }
}

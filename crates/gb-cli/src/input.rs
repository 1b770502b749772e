//! Many inputs, one a line.

use std::io::BufRead;

/// A longer line is refused before it fills the memory.
const MAX_LINE: u64 = 1 << 28;

/// The next line without its end; `None` at the end of the input. A line that cannot be read is a sentence.
pub fn next_line(input: &mut impl BufRead) -> Option<Result<String, String>> {
    let mut bytes = vec![];
    let mut limited = std::io::Read::take(&mut *input, MAX_LINE);
    match limited.read_until(b'\n', &mut bytes) {
        Ok(0) => return None,
        Ok(_) if bytes.len() as u64 == MAX_LINE => {
            // The rest of this line is no line of its own.
            let _ = input.skip_until(b'\n');
            return Some(Err(format!("the line is longer than {MAX_LINE} bytes")));
        }
        Ok(_) => {}
        Err(error) => return Some(Err(format!("reading the input: {error}"))),
    }
    while bytes.last().is_some_and(|b| matches!(b, b'\n' | b'\r')) {
        bytes.pop();
    }
    Some(
        String::from_utf8(bytes).map_err(|error| {
            format!("byte {} of the line is not UTF-8", error.utf8_error().valid_up_to() + 1)
        }),
    )
}

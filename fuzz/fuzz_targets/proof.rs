#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gb_fuzz::targets::proof(data));

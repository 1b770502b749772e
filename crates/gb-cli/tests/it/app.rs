//! The bench in the browser, started from the command line.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::gamebench;

/// The server; ended with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

#[test]
fn the_page_is_served_at_the_printed_address() {
    let child = Command::new(env!("CARGO_BIN_EXE_gamebench"))
        .args(["app", "--port", "0", "--no-open", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut server = Server(child);
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let told: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    let address = told["address"].as_str().expect("an address");
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    assert!(host.starts_with("127.0.0.1:"), "only this machine is answered: {host}");
    let ask = |host_header: &str| {
        let mut stream = TcpStream::connect(host).expect("the server listens");
        write!(stream, "GET / HTTP/1.1\r\nhost: {host_header}\r\nconnection: close\r\n\r\n")
            .expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    assert!(ask(host).contains("<title>Game Bench</title>"));
    assert!(ask("evil.example").starts_with("HTTP/1.1 403"));
}

#[test]
fn wrong_usage_is_told_apart() {
    assert_eq!(gamebench(&["app", "--port", "banana"], "").code, Some(2));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let ran = gamebench(&["app", "--no-open", "--port", &port], "");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("listening at 127.0.0.1"), "{}", ran.err);
}

//! `gamebench app`: the bench in the browser.

use std::io::IsTerminal;
use std::net::{IpAddr, SocketAddr};
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::Args;
use gb_web::Settings;
use serde_json::json;

use crate::errors::Failure;
use crate::limits::{amount, duration};
use crate::output;

/// Opens the bench in the browser: boards, variations, analysis, play, calculator
///
/// The page is served by this program and needs no network. Only this machine is answered, unless --host says otherwise.
#[derive(Args)]
pub struct App {
    /// The port; another one is taken if it is in use and none was asked for
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// The address to listen at, such as 0.0.0.0 for other machines as well
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// A name under which other machines may ask for this one; may be given several times
    #[arg(long, alias = "name", value_name = "NAME")]
    allow_host: Vec<String>,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Print the address as JSON
    #[arg(long)]
    json: bool,
    /// The longest time of a search
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Memory for each search, such as 500M, 2G
    #[arg(long, value_name = "BYTES", value_parser = amount)]
    memory: Option<u64>,
    /// Searches at once
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=256))]
    searches: Option<u16>,
    /// Threads of one search
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// Nothing else is known to use it.
const USUAL_PORT: u16 = 7373;

impl App {
    /// Runs the command, until it is interrupted.
    pub fn run(self) -> Result<(), Failure> {
        let address = self.host.to_string();
        // A port that somebody asked for is used or not at all.
        let ports = match self.port {
            Some(port) => vec![port],
            None => vec![USUAL_PORT, 0],
        };
        for (index, &port) in ports.iter().enumerate() {
            match gb_web::run(&address, port, self.settings(), |at| self.announce(at)) {
                Err(error) if error.kind() == std::io::ErrorKind::AddrInUse && index + 1 < ports.len() => {}
                Err(error) => return Err(Failure::Io(format!("listening at {address}:{port}"), error)),
                Ok(()) => return Ok(()),
            }
        }
        Ok(())
    }

    fn settings(&self) -> Settings {
        let usual = Settings::default();
        let mut hosts = self.allow_host.clone();
        let written = if self.host.is_ipv6() { format!("[{}]", self.host) } else { self.host.to_string() };
        hosts.push(written);
        Settings {
            hosts,
            search_time: self.time.unwrap_or(usual.search_time),
            search_memory: self.memory.unwrap_or(usual.search_memory),
            searches: self.searches.map_or(usual.searches, usize::from),
            threads: self.threads.map_or(usual.threads, usize::from),
            ..usual
        }
    }

    fn announce(&self, at: SocketAddr) {
        let shown =
            if at.ip().is_unspecified() { format!("localhost:{}", at.port()) } else { at.to_string() };
        let address = format!("http://{shown}/");
        let said = if self.json {
            output::json(&json!({ "address": address }))
        } else {
            output::line(&format!("The bench is at {address} (Ctrl-C ends it)"))
        };
        // Nobody reads, but the page is there all the same.
        drop(said);
        if !at.ip().is_loopback() {
            eprintln!("warning: other machines can reach this bench; there is no password");
        }
        if !self.no_open && std::io::stdout().is_terminal() {
            open_browser(&address);
        }
    }
}

/// Whoever has no browser reads the address.
fn open_browser(address: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let quiet = || Stdio::null();
    drop(Command::new(program).args(before).arg(address).stdout(quiet()).stderr(quiet()).spawn());
}

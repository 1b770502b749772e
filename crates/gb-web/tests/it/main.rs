//! The server as a page sees it: requests in process, over a socket, and a real browser.

mod api;
mod browser;
mod hostile;
mod load;
mod records;
mod support;
mod texts;

//! A real server on loopback that does what a script says, one step for each request, and keeps a log.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What the server does with one request.
#[derive(Clone, Debug)]
pub enum Step {
    /// An answer in full: status, headers, body.
    Answer(u16, &'static [(&'static str, &'static str)], &'static str),
    /// An answer of that many bytes.
    Long(u16, usize),
    /// An answer whose head comes that late.
    Late(Duration, u16),
    /// The connection is reset without an answer.
    Reset,
    /// The connection is closed without an answer.
    Close,
    /// Half of the head, and then the connection is closed.
    HalfHead,
    /// A whole head, half of the body, and then the connection is closed.
    HalfBody(u16),
    /// A whole head, and a body that never comes, for that long.
    Stalled(u16, Duration),
    /// Something that is not HTTP.
    Garbage,
}

impl Step {
    /// An answer that leads elsewhere.
    pub fn redirect(status: u16, location: &str) -> Self {
        Self::Answer(status, vec![("location", &*location.to_owned().leak())].leak(), "")
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The number of the connection, from 1.
    pub connection: usize,
    /// Method and path.
    pub line: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
    pub at: Instant,
    /// How many connections were open when it came, its own included.
    pub open: usize,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| &**value)
    }
}

#[derive(Debug)]
struct State {
    script: VecDeque<Step>,
    log: Vec<Seen>,
    open: usize,
}

/// The server. Its threads end with the test process.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Server {
    /// A server with a script. A request beyond it is answered with 599.
    pub fn new(script: impl Into<VecDeque<Step>>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State { script: script.into(), log: Vec::new(), open: 0 }));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let (Ok(stream), state) = (stream, Arc::clone(&shared)) else { return };
                std::thread::spawn(move || {
                    state.lock().unwrap().open += 1;
                    serve(&stream, number + 1, &state);
                    state.lock().unwrap().open -= 1;
                });
            }
        });
        Self { address, state }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn log(&self) -> Vec<Seen> {
        self.state.lock().unwrap().log.clone()
    }

    /// Connection, method with path, and body of each request, in order.
    pub fn lines(&self) -> Vec<String> {
        self.log()
            .iter()
            .map(|seen| format!("{} {} {}", seen.connection, seen.line, seen.body).trim_end().to_owned())
            .collect()
    }

    /// An address at which nobody listens.
    pub fn nowhere() -> String {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        format!("http://{}/", listener.local_addr().unwrap())
    }
}

/// Serves one connection until a step ends it.
fn serve(stream: &TcpStream, connection: usize, state: &Mutex<State>) {
    stream.set_nodelay(true).unwrap();
    let mut reader = BufReader::new(stream);
    while let Some(mut seen) = head(&mut reader) {
        seen.connection = connection;
        let step = {
            let mut state = state.lock().unwrap();
            state.script.pop_front().unwrap_or(Step::Answer(599, &[], "beyond the script"))
        };
        seen.body = body(&mut reader, &seen);
        let mut locked = state.lock().unwrap();
        seen.open = locked.open;
        locked.log.push(seen);
        drop(locked);
        let reset = matches!(step, Step::Reset);
        if carry_out(stream, &step).is_none() {
            // A goodbye in order would make a reset a mere end.
            if !reset {
                let _ = stream.shutdown(Shutdown::Both);
            }
            return;
        }
    }
}

fn head(reader: &mut impl BufRead) -> Option<Seen> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_owned();
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    let line = lines.first()?.trim_end_matches(" HTTP/1.1").to_owned();
    let headers = lines[1..].iter().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_ascii_lowercase(), value.trim().to_owned()))
    });
    Some(Seen { connection: 0, line, headers: headers.collect(), body: String::new(), at: Instant::now(), open: 0 })
}

fn body(reader: &mut impl BufRead, seen: &Seen) -> String {
    let mut body = Vec::new();
    if let Some(length) = seen.header("content-length") {
        body.resize(length.parse().unwrap(), 0);
        reader.read_exact(&mut body).unwrap();
    } else if seen.header("transfer-encoding") == Some("chunked") {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size).unwrap();
            let size = usize::from_str_radix(size.trim(), 16).unwrap();
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk).unwrap();
            if size == 0 {
                break;
            }
            body.extend_from_slice(&chunk[..size]);
        }
    }
    String::from_utf8(body).unwrap()
}

/// None if the connection is over.
fn carry_out(mut stream: &TcpStream, step: &Step) -> Option<()> {
    match *step {
        Step::Answer(status, headers, body) => {
            let headers: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let (headers, length) = (headers.concat(), body.len());
            let text = format!("HTTP/1.1 {status} So\r\n{headers}content-length: {length}\r\n\r\n{body}");
            stream.write_all(text.as_bytes()).ok()
        }
        Step::Long(status, length) => {
            let head = format!("HTTP/1.1 {status} So\r\ncontent-length: {length}\r\n\r\n");
            stream.write_all(head.as_bytes()).ok()?;
            stream.write_all(&vec![b'x'; length]).ok()
        }
        Step::Late(delay, status) => {
            std::thread::sleep(delay);
            carry_out(stream, &Step::Answer(status, &[], ""))
        }
        Step::Reset => {
            socket2::SockRef::from(stream).set_linger(Some(Duration::ZERO)).unwrap();
            None
        }
        Step::Close => None,
        Step::HalfHead => {
            stream.write_all(b"HTTP/1.1 200 So\r\ncontent-le").ok()?;
            None
        }
        Step::HalfBody(status) => {
            let text = format!("HTTP/1.1 {status} So\r\ncontent-length: 10\r\n\r\nhalf.");
            stream.write_all(text.as_bytes()).ok()?;
            None
        }
        Step::Stalled(status, delay) => {
            let text = format!("HTTP/1.1 {status} So\r\ncontent-length: 10\r\n\r\n");
            stream.write_all(text.as_bytes()).ok()?;
            std::thread::sleep(delay);
            None
        }
        Step::Garbage => {
            stream.write_all(b"220 mail.example ESMTP\r\n\r\n").ok()?;
            None
        }
    }
}

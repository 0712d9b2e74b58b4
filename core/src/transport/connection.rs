//! One TCP or TLS connection with blocking calls that end after a slice of time.

use super::cancel::CancelToken;
use super::endpoint::Endpoint;
use super::{IDLE_SLICE, Written};
use crate::exchange::HttpFault;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long one address may take to accept a connection.
const CONNECT_PATIENCE: Duration = Duration::from_secs(10);

/// A connection that has been made.
#[derive(Debug)]
pub(crate) enum Connection {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

/// What a read came to.
pub(crate) enum Read1 {
    Bytes(usize),
    Nothing,
    Ended,
    Broken(String),
}

impl Connection {
    /// Connects to `endpoint` and, with TLS, shakes hands.
    pub(crate) fn open(
        endpoint: &Endpoint,
        deadline: Instant,
        cancel: &CancelToken,
    ) -> Result<Self, HttpFault> {
        let stream = connect(endpoint, deadline, cancel)?;
        let prepared = stream.set_nodelay(true).and_then(|()| {
            stream.set_read_timeout(Some(IDLE_SLICE))?;
            stream.set_write_timeout(Some(IDLE_SLICE))
        });
        prepared.map_err(|error| HttpFault::Unreachable(error.to_string()))?;
        if endpoint.tls {
            secure(stream, endpoint, deadline, cancel)
        } else {
            Ok(Self::Plain(stream))
        }
    }

    /// Writes all of `bytes`. While the server does not read, its early answer ends the writing.
    pub(crate) fn write(
        &mut self,
        mut bytes: &[u8],
        deadline: Instant,
        cancel: &CancelToken,
    ) -> Written {
        while !bytes.is_empty() {
            let step = match self {
                Self::Plain(stream) => stream.write(bytes),
                Self::Tls(stream) => stream.write(bytes),
            };
            match step {
                Ok(count) => bytes = &bytes[count..],
                Err(error) if is_pause(&error) => {
                    if cancel.is_cancelled() {
                        return Written::Cancelled;
                    }
                    if self.has_input() {
                        return Written::Closed;
                    }
                    if Instant::now() >= deadline {
                        return Written::Timeout;
                    }
                }
                Err(_) => return Written::Closed,
            }
        }
        self.flush(deadline, cancel)
    }

    fn flush(&mut self, deadline: Instant, cancel: &CancelToken) -> Written {
        let Self::Tls(stream) = self else { return Written::Whole };
        loop {
            match stream.flush() {
                Ok(()) => return Written::Whole,
                Err(error) if is_pause(&error) && cancel.is_cancelled() => {
                    return Written::Cancelled;
                }
                Err(error) if is_pause(&error) && Instant::now() < deadline => {}
                Err(error) if is_pause(&error) => return Written::Timeout,
                Err(_) => return Written::Closed,
            }
        }
    }

    /// Reads what there is, waiting for at most a slice.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Read1 {
        let step = match self {
            Self::Plain(stream) => stream.read(buffer),
            Self::Tls(stream) => stream.read(buffer),
        };
        match step {
            Ok(0) => Read1::Ended,
            Ok(count) => Read1::Bytes(count),
            Err(error) if is_pause(&error) => Read1::Nothing,
            // TLS peers that leave out the closing alert are common; what was read until then counts.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Read1::Ended,
            Err(error) => Read1::Broken(error.to_string()),
        }
    }

    /// Acknowledges at once what was read: a server that sends an answer in small pieces, without `TCP_NODELAY`, waits for
    /// that with each piece, and the system would put it off for 40 ms.
    pub(crate) fn acknowledge(&self) {
        #[cfg(target_os = "linux")]
        {
            // Without it, things are only slower.
            let _ = rustix::net::sockopt::set_tcp_quickack(self, true);
        }
    }

    /// Whether something waits to be read, be it the end of the stream.
    pub(crate) fn has_input(&self) -> bool {
        let mut fds = [rustix::event::PollFd::new(self, rustix::event::PollFlags::IN)];
        let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
        rustix::event::poll(&mut fds, Some(&now)).is_ok_and(|ready| ready > 0)
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Plain(stream) => stream.as_fd(),
            Self::Tls(stream) => stream.sock.as_fd(),
        }
    }
}

fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Resolves and connects on a thread of its own, because neither can be interrupted.
fn connect(
    endpoint: &Endpoint,
    deadline: Instant,
    cancel: &CancelToken,
) -> Result<TcpStream, HttpFault> {
    let (sender, receiver) = channel();
    let (host, port) = (endpoint.host.clone(), endpoint.port);
    let work = move || drop(sender.send(connect_to_any(&host, port)));
    let spawned = std::thread::Builder::new().name("tooltest-connect".to_owned()).spawn(work);
    spawned.map_err(|error| HttpFault::Unreachable(error.to_string()))?;
    loop {
        match receiver.recv_timeout(IDLE_SLICE) {
            Ok(outcome) => return outcome,
            Err(RecvTimeoutError::Timeout)
                if Instant::now() < deadline && !cancel.is_cancelled() => {}
            Err(_) => return Err(HttpFault::Timeout),
        }
    }
}

fn connect_to_any(host: &str, port: u16) -> Result<TcpStream, HttpFault> {
    let addresses = (host, port).to_socket_addrs();
    let addresses = addresses.map_err(|error| HttpFault::Unreachable(error.to_string()))?;
    let mut fault = HttpFault::Unreachable("the name has no address".to_owned());
    for address in addresses {
        match TcpStream::connect_timeout(&address, CONNECT_PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
                fault = HttpFault::Refused
            }
            Err(error) => fault = HttpFault::Unreachable(error.to_string()),
        }
    }
    Err(fault)
}

fn secure(
    mut stream: TcpStream,
    endpoint: &Endpoint,
    deadline: Instant,
    cancel: &CancelToken,
) -> Result<Connection, HttpFault> {
    let tls = |reason: String| HttpFault::Tls(reason);
    let name =
        ServerName::try_from(endpoint.host.clone()).map_err(|error| tls(error.to_string()))?;
    let mut client =
        ClientConnection::new(tls_config()?, name).map_err(|error| tls(error.to_string()))?;
    while client.is_handshaking() {
        match client.complete_io(&mut stream) {
            Ok(_) => {}
            Err(error) if is_pause(&error) && cancel.is_cancelled() => {
                return Err(HttpFault::Timeout);
            }
            Err(error) if is_pause(&error) && Instant::now() < deadline => {}
            Err(error) if is_pause(&error) => {
                return Err(tls("the server did not finish the handshake in time".to_owned()));
            }
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                return Err(
                    tls("the server closed the connection during the handshake".to_owned()),
                );
            }
            Err(error) => return Err(tls(error.to_string())),
        }
    }
    Ok(Connection::Tls(Box::new(StreamOwned::new(client, stream))))
}

/// The one TLS configuration of the process: the system's certificates, HTTP/1.1.
fn tls_config() -> Result<Arc<ClientConfig>, HttpFault> {
    static CONFIG: OnceLock<Result<Arc<ClientConfig>, String>> = OnceLock::new();
    CONFIG.get_or_init(make_tls_config).clone().map_err(HttpFault::Tls)
}

fn make_tls_config() -> Result<Arc<ClientConfig>, String> {
    let mut roots = rustls::RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    let (usable, _) = roots.add_parsable_certificates(found.certs);
    if usable == 0 {
        let why: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
        return Err(format!("no root certificates were found on this system {}", why.join("; ")));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

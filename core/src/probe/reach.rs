//! Whether a port of this machine can be reached from outside of it.

use std::net::{IpAddr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

/// The address, other than loopback, at which something on this machine takes connections at `port`; `None` where nothing does
/// or the machine has no such address.
pub(super) fn reach(port: u16, wait: Duration) -> Option<String> {
    let address = SocketAddr::new(own_address()?, port);
    TcpStream::connect_timeout(&address, wait).ok()?;
    Some(address.to_string())
}

/// The address that this machine would send from. Nothing is sent: a datagram socket only looks up the way.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // An address that is reserved for documentation (RFC 5737).
    socket.connect("192.0.2.1:9").ok()?;
    let own = socket.local_addr().ok()?.ip();
    (!own.is_loopback() && !own.is_unspecified()).then_some(own)
}

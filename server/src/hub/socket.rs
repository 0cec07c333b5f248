//! Sockets that notice a reader who does not read.
//!
//! A stream cannot see its own socket: the bytes of a stuck client wait in the kernel and
//! in the HTTP layer, and a stream that ends leaves them there. So the listener hands out
//! sockets that give up when nothing moved for a while, and that tell the stream why.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Sleep;

/// Bytes the kernel may hold unsent for one socket: a ceiling on memory, and what makes
/// a closed window visible as a write that waits.
const UNSENT_LIMIT: u32 = 128 * 1024;

/// What became of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It is open, or its client closed it.
    Completed,
    /// It broke.
    Error,
    /// Its client took nothing for too long.
    Stalled,
}

/// What a stream can know about the socket under it.
#[derive(Debug, Default)]
pub struct Health(AtomicU8);

impl Health {
    /// How the socket ended, so far.
    #[must_use]
    pub fn end(&self) -> End {
        match self.0.load(Ordering::Relaxed) {
            0 => End::Completed,
            1 => End::Error,
            _ => End::Stalled,
        }
    }

    fn note<T>(&self, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result {
            let stalled = error.kind() == io::ErrorKind::TimedOut;
            self.0
                .fetch_max(if stalled { 2 } else { 1 }, Ordering::Relaxed);
        }
        result
    }
}

/// The other end of a request's connection: `ConnectInfo<Peer>`.
#[derive(Clone, Debug)]
pub struct Peer {
    /// The address the connection came from: a proxy's, where there is one.
    pub addr: SocketAddr,
    /// The state of its socket.
    pub health: Arc<Health>,
}

impl Connected<IncomingStream<'_, Sockets>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Sockets>) -> Self {
        Self {
            addr: *stream.remote_addr(),
            health: Arc::clone(&stream.io().health),
        }
    }
}

/// A TCP listener whose sockets fail when their client takes nothing for `stall`.
#[derive(Debug)]
pub struct Sockets {
    listener: TcpListener,
    stall: Duration,
}

impl Sockets {
    /// `stall`: no progress for this long ends a connection.
    #[must_use]
    pub fn new(listener: TcpListener, stall: Duration) -> Self {
        Self { listener, stall }
    }
}

impl Listener for Sockets {
    type Io = Socket;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Socket, SocketAddr) {
        let (stream, addr) = Listener::accept(&mut self.listener).await;
        (Socket::new(stream, self.stall), addr)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// An accepted connection.
#[derive(Debug)]
pub struct Socket {
    stream: TcpStream,
    stall: Duration,
    /// Runs while a write waits for the client.
    waiting: Option<Pin<Box<Sleep>>>,
    health: Arc<Health>,
}

impl Socket {
    fn new(stream: TcpStream, stall: Duration) -> Self {
        tune(&stream, stall);
        Self {
            stream,
            stall,
            waiting: None,
            health: Arc::default(),
        }
    }

    /// The result of a write, or the end of the connection when it waited too long.
    fn progress(
        &mut self,
        cx: &mut Context<'_>,
        write: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(result) = write {
            self.waiting = None;
            return Poll::Ready(self.health.note(result));
        }
        let stall = self.stall;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(stall)));
        ready!(waiting.as_mut().poll(cx));
        Poll::Ready(self.health.note(Err(io::ErrorKind::TimedOut.into())))
    }
}

/// The kernel's part: it ends a connection whose bytes stay unacknowledged, and holds few
/// of them. A system without these options still has the socket's own timer.
fn tune(stream: &TcpStream, stall: Duration) {
    let socket = socket2::SockRef::from(stream);
    let options = [
        ("TCP_NODELAY", socket.set_tcp_nodelay(true)),
        ("TCP_USER_TIMEOUT", socket.set_tcp_user_timeout(Some(stall))),
        (
            "TCP_NOTSENT_LOWAT",
            socket.set_tcp_notsent_lowat(UNSENT_LIMIT),
        ),
    ];
    for (option, result) in options {
        if let Err(error) = result {
            tracing::debug!(option, %error, "socket option refused");
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let result = ready!(Pin::new(&mut self.stream).poll_read(cx, buf));
        Poll::Ready(self.health.note(result))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.progress(cx, write)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.progress(cx, write)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt as _;

    use super::*;

    #[tokio::test]
    async fn a_client_that_takes_nothing_ends_its_own_connection_only() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let mut sockets = Sockets::new(listener, Duration::from_millis(200));
        let _stuck = TcpStream::connect(addr).await.unwrap();
        let (mut socket, _) = Listener::accept(&mut sockets).await;
        assert_eq!(socket.health.end(), End::Completed);
        let chunk = vec![0; 64 * 1024];
        let error = loop {
            if let Err(error) = socket.write_all(&chunk).await {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(socket.health.end(), End::Stalled);
    }
}

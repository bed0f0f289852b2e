//! Errors of a `hyper` connection, over a pipe in memory.
#![cfg(feature = "hyper")]

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use backoff_http::inspect::{Fault, inspect};
use backoff_http::{ErrorKind, Phase};
use http::Request;
use http_body_util::StreamBody;
use hyper::body::{Bytes, Frame};
use hyper::client::conn::http1::handshake;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};

/// A body of five bytes that does not know how long it is.
struct Five(bool);

impl futures_core::Stream for Five {
    type Item = Result<Frame<Bytes>, std::convert::Infallible>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        let is_first = std::mem::take(&mut self.0);
        std::task::Poll::Ready(is_first.then(|| Ok(Frame::data(Bytes::from("12345")))))
    }
}

fn request(length: &str) -> Request<StreamBody<Five>> {
    let request = Request::post("/").header("host", "localhost").header("content-length", length);
    request.body(StreamBody::new(Five(true))).unwrap()
}

/// What a request ends with that says it is that long, if the other side reads its head, answers and goes.
async fn answered(length: &str, answer: &'static [u8]) -> hyper::Error {
    let (near, mut far) = tokio::io::duplex(1_024);
    let (mut sender, connection) = handshake(TokioIo::new(near)).await.unwrap();
    tokio::spawn(connection);
    tokio::spawn(async move {
        far.read_u8().await.unwrap();
        far.write_all(answer).await.unwrap();
    });
    sender.send_request(request(length)).await.unwrap_err()
}

/// A connection that takes what is written, and then ends like this.
struct Ends {
    kind: io::ErrorKind,
    written: usize,
}

impl AsyncRead for Ends {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, _: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.written == 0 {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(Err(self.kind.into()))
    }
}

impl AsyncWrite for Ends {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.written += bytes.len();
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn a_connection_that_is_there_can_t_be_refused() {
    use io::ErrorKind::{AddrNotAvailable, ConnectionRefused, HostUnreachable, NetworkDown, NetworkUnreachable};
    for kind in [ConnectionRefused, AddrNotAvailable, HostUnreachable, NetworkUnreachable, NetworkDown] {
        let (mut sender, connection) = handshake(TokioIo::new(Ends { kind, written: 0 })).await.unwrap();
        tokio::spawn(connection);
        let error = sender.send_request(request("5")).await.unwrap_err();
        assert_eq!(inspect(&error), Fault { kind: ErrorKind::Transport, phase: Phase::Sent }, "{kind}");
    }
}

#[tokio::test]
async fn lost_connections_are_told_from_nonsense_and_from_what_was_not_sent() {
    let lost = Fault { kind: ErrorKind::Reset, phase: Phase::Sent };
    let incomplete = answered("5", b"").await;
    assert!(incomplete.is_incomplete_message(), "{incomplete:?}");
    assert_eq!(inspect(&incomplete), lost);

    let aborted = answered("10", b"").await;
    assert!(aborted.is_body_write_aborted(), "{aborted:?}");
    assert_eq!(inspect(&aborted), lost);

    let nonsense = answered("5", b"220 mail.example ESMTP\r\n\r\n").await;
    assert!(nonsense.is_parse(), "{nonsense:?}");
    assert_eq!(inspect(&nonsense), Fault { kind: ErrorKind::Protocol, phase: Phase::Sent });

    let (near, _far) = tokio::io::duplex(1_024);
    let (mut sender, connection) = handshake(TokioIo::new(near)).await.unwrap();
    drop(connection);
    let closed = sender.ready().await.unwrap_err();
    assert!(closed.is_closed(), "{closed:?}");
    assert_eq!(inspect(&closed), lost);
    let handed_back = sender.send_request(request("5")).await.unwrap_err();
    assert!(handed_back.is_canceled(), "{handed_back:?}");
    assert_eq!(inspect(&handed_back), Fault { kind: ErrorKind::Transport, phase: Phase::NotSent });
}

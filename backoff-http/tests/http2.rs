//! HTTP/2 and gRPC against a real server that refuses streams, goes away, and pushes back: a `hyper` client, and a `tonic` one.
#![cfg(all(feature = "tower", feature = "h2", feature = "hyper-util"))]

mod support;

use std::collections::VecDeque;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use backoff_core::{ExponentialBackoff, Reason};
use backoff_http::deadline::DeadlineHeader;
use backoff_http::grpc::UNAVAILABLE;
use backoff_http::inspect::{Fault, inspect};
use backoff_http::tower::{Kept, RetryLayer};
use backoff_http::{ErrorKind, Phase, Rules, Why};
use bytes::{Buf, BufMut, Bytes};
use h2::Reason as H2;
use http::{HeaderMap, Request, Response};
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use support::ms;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tower::ServiceExt;
use tower_layer::Layer;
use tower_service::Service;

const POLICY: ExponentialBackoff = ExponentialBackoff::new().initial(ms(20)).max_attempts(4);

/// What the server does with one stream.
#[derive(Clone, Copy)]
enum Step {
    /// It resets the stream.
    Resets(H2),
    /// It answers with a status and no body.
    Answers(u16),
    /// It ends a call of gRPC without an answer: status, and pushback if any.
    Ends(&'static str, Option<&'static str>),
    /// It answers a call of gRPC with this message.
    Says(&'static str),
}

/// A request as it came: method and path, body, time, and its `grpc-timeout`.
#[derive(Clone)]
struct Seen {
    line: String,
    body: Vec<u8>,
    at: Instant,
    timeout: Option<String>,
}

type Log = Arc<Mutex<Vec<Seen>>>;

/// Starts a server that does one step for each stream.
async fn server(script: impl Into<VecDeque<Step>>) -> (SocketAddr, Log) {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (script, log) = (Arc::new(Mutex::new(script.into())), Log::default());
    let shared = Arc::clone(&log);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (script, log) = (Arc::clone(&script), Arc::clone(&shared));
            tokio::spawn(async move {
                let mut connection = h2::server::handshake(stream).await.unwrap();
                while let Some(Ok((request, respond))) = connection.accept().await {
                    let step = script.lock().unwrap().pop_front().expect("there should be no further request");
                    tokio::spawn(serve(request, respond, step, Arc::clone(&log)));
                }
            });
        }
    });
    (address, log)
}

async fn serve(request: Request<h2::RecvStream>, mut respond: h2::server::SendResponse<Bytes>, step: Step, log: Log) {
    let at = Instant::now();
    let (head, mut stream) = request.into_parts();
    let mut body = Vec::new();
    while let Some(Ok(data)) = stream.data().await {
        stream.flow_control().release_capacity(data.len()).unwrap();
        body.extend_from_slice(&data);
    }
    let timeout = head.headers.get("grpc-timeout").map(|value| value.to_str().unwrap().to_owned());
    log.lock().unwrap().push(Seen { line: format!("{} {}", head.method, head.uri.path()), body, at, timeout });
    let response = Response::builder();
    let grpc = || Response::builder().header("content-type", "application/grpc");
    match step {
        Step::Resets(reason) => respond.send_reset(reason),
        Step::Answers(status) => {
            respond.send_response(response.status(status).body(()).unwrap(), true).unwrap();
        }
        Step::Ends(status, pushback) => {
            let mut response = grpc().header("grpc-status", status);
            if let Some(pushback) = pushback {
                response = response.header("grpc-retry-pushback-ms", pushback);
            }
            respond.send_response(response.body(()).unwrap(), true).unwrap();
        }
        Step::Says(text) => {
            let mut message = vec![0];
            message.put_u32(u32::try_from(text.len()).unwrap());
            message.extend_from_slice(text.as_bytes());
            let mut stream = respond.send_response(grpc().body(()).unwrap(), false).unwrap();
            stream.send_data(Bytes::from(message), false).unwrap();
            let mut trailers = HeaderMap::new();
            trailers.insert("grpc-status", "0".parse().unwrap());
            stream.send_trailers(trailers).unwrap();
        }
    }
}

fn lines(log: &Log) -> Vec<String> {
    let seen = log.lock().unwrap();
    seen.iter().map(|seen| format!("{} {}", seen.line, String::from_utf8_lossy(&seen.body))).collect()
}

/// A POST with a `hyper` client.
async fn post(address: SocketAddr) -> Result<Response<Kept<hyper::body::Incoming>>, backoff_http::tower::Error> {
    let client: Client<_, Kept<Full<Bytes>>> = Client::builder(TokioExecutor::new()).http2_only(true).build_http();
    let request = Request::post(format!("http://{address}/pay")).body(Full::new(Bytes::from("ten"))).unwrap();
    RetryLayer::new(POLICY).layer(client).oneshot(request).await
}

#[tokio::test]
async fn a_refused_stream_was_not_carried_out_so_a_post_is_repeated() {
    let (address, log) = server([Step::Resets(H2::REFUSED_STREAM), Step::Answers(200)]).await;
    assert_eq!(post(address).await.unwrap().status(), 200);
    assert_eq!(lines(&log), ["POST /pay ten", "POST /pay ten"]);
}

#[tokio::test]
async fn any_other_reset_may_come_too_late() {
    for reason in [H2::CANCEL, H2::INTERNAL_ERROR, H2::ENHANCE_YOUR_CALM] {
        let (address, log) = server([Step::Resets(reason)]).await;
        let error = post(address).await.unwrap_err();
        assert_eq!(error.verdict().unwrap().why(), Why::NotIdempotent, "{reason:?}");
        assert_eq!(lines(&log), ["POST /pay ten"]);
    }
}

/// What a request ends with if the server answers its head with one frame.
async fn answered_with(frame: &'static [u8]) -> h2::Error {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut preface = [0; 24];
        stream.read_exact(&mut preface).await.unwrap();
        let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
        stream.write_all(&settings).await.unwrap();
        let mut head = [0; 9];
        while stream.read_exact(&mut head).await.is_ok() {
            let [_, high, low, kind, ..] = head;
            stream.read_exact(&mut vec![0; usize::from(u16::from_be_bytes([high, low]))]).await.unwrap();
            if kind == 1 {
                stream.write_all(frame).await.unwrap();
            }
        }
    });
    let stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let (mut client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    let request = Request::post(format!("http://{address}/pay")).body(()).unwrap();
    let (response, _) = client.send_request(request, true).unwrap();
    response.await.unwrap_err()
}

#[tokio::test]
async fn a_stream_that_is_left_out_of_a_goodbye_was_not_carried_out_and_one_that_is_reset_may_be() {
    // The last stream that was carried out is 0; the error is none.
    let goodbye = answered_with(&[0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).await;
    assert_eq!((goodbye.is_go_away(), goodbye.is_remote(), goodbye.reason()), (true, true, Some(H2::NO_ERROR)));
    assert_eq!(inspect(&goodbye), Fault { kind: ErrorKind::Refused, phase: Phase::NotSent });
    // A reset of stream 1, without an error too.
    let reset = answered_with(&[0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0]).await;
    assert_eq!((reset.is_go_away(), reset.is_remote(), reset.reason()), (false, true, Some(H2::NO_ERROR)));
    assert_eq!(inspect(&reset), Fault { kind: ErrorKind::Reset, phase: Phase::Sent });
}

/// Messages that are plain text.
#[derive(Clone, Copy, Default)]
struct Text;

impl Codec for Text {
    type Encode = String;
    type Decode = String;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for Text {
    type Item = String;
    type Error = tonic::Status;

    fn encode(&mut self, item: String, buffer: &mut EncodeBuf<'_>) -> Result<(), tonic::Status> {
        buffer.put_slice(item.as_bytes());
        Ok(())
    }
}

impl Decoder for Text {
    type Item = String;
    type Error = tonic::Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<String>, tonic::Status> {
        let bytes = buffer.copy_to_bytes(buffer.remaining());
        Ok(Some(String::from_utf8(bytes.to_vec()).unwrap()))
    }
}

/// A call with a `tonic` client whose channel has the layer.
async fn greet(address: SocketAddr, policy: ExponentialBackoff) -> Result<String, tonic::Status> {
    let channel = tonic::transport::Endpoint::from_shared(format!("http://{address}")).unwrap().connect_lazy();
    let channel = channel.map_request(|request: Request<Kept<tonic::body::Body>>| request.map(tonic::body::Body::new));
    let layer = RetryLayer::new(policy).rules(Rules::new().on_grpc(UNAVAILABLE, true));
    let service = layer.deadline_header(DeadlineHeader::grpc()).layer(channel);
    let mut client = tonic::client::Grpc::new(service);
    client.ready().await.map_err(|error| tonic::Status::unknown(error.to_string()))?;
    let path = http::uri::PathAndQuery::from_static("/greeter/greet");
    let response = client.unary(tonic::Request::new("hello".to_owned()), path, Text).await?;
    Ok(response.into_inner())
}

#[tokio::test]
async fn tonic_calls_are_repeated_and_pushback_is_obeyed() {
    let steps = [Step::Ends("14", None), Step::Ends("14", Some("200")), Step::Says("hello yourself")];
    let (address, log) = server(steps).await;
    let policy = ExponentialBackoff::new().initial(ms(20)).budget(ms(10_000));
    assert_eq!(greet(address, policy).await.unwrap(), "hello yourself");
    assert_eq!(lines(&log), ["POST /greeter/greet \0\0\0\0\u{5}hello"; 3]);
    let log = log.lock().unwrap();
    assert!(log[2].at.duration_since(log[1].at) >= ms(200), "not before the pushback");
    let left: Vec<_> = log
        .iter()
        .map(|seen| {
            let timeout = seen.timeout.as_ref().unwrap().parse().unwrap();
            DeadlineHeader::grpc().read(&HeaderMap::from_iter([("grpc-timeout".parse().unwrap(), timeout)])).unwrap()
        })
        .collect();
    assert!(left[0] <= ms(10_000) && left[1] < left[0] && left[2] < left[1].saturating_sub(ms(200)), "{left:?}");
}

#[tokio::test]
async fn tonic_calls_end_where_the_server_or_the_rules_say_so() {
    for (step, code) in [
        (Step::Ends("14", Some("-1")), tonic::Code::Unavailable),
        (Step::Ends("5", None), tonic::Code::NotFound),
        (Step::Ends("13", None), tonic::Code::Internal),
    ] {
        let (address, log) = server([step]).await;
        assert_eq!(greet(address, POLICY).await.unwrap_err().code(), code);
        assert_eq!(lines(&log).len(), 1);
    }
    let (address, log) = server([Step::Ends("14", None); 4]).await;
    let status = greet(address, POLICY).await.unwrap_err();
    assert_eq!((status.code(), lines(&log).len()), (tonic::Code::Unavailable, 4));
}

#[tokio::test]
async fn a_tonic_channel_without_a_server_has_sent_nothing() {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let nowhere = listener.local_addr().unwrap();
    drop(listener);
    let channel = tonic::transport::Endpoint::from_shared(format!("http://{nowhere}")).unwrap().connect_lazy();
    let channel = channel.map_request(|request: Request<Kept<Full<Bytes>>>| request.map(tonic::body::Body::new));
    let mut service = RetryLayer::new(POLICY).layer(channel);
    poll_fn(|context| service.poll_ready(context)).await.unwrap();
    let request = Request::post(format!("http://{nowhere}/")).body(Full::new(Bytes::from("ten"))).unwrap();
    let error = service.call(request).await.unwrap_err();
    let stop = error.stop().unwrap();
    assert_eq!((stop.reason, stop.attempts), (Reason::Attempts, 4), "{error}");
    assert_eq!(error.verdict().unwrap().why(), Why::NotSent);
}

//! The `tower` layer: readiness, clones, bodies and cuts, on services in memory.
#![cfg(feature = "tower")]

mod support;

use std::collections::VecDeque;
use std::error::Error as _;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use backoff_core::guard::{CircuitBreaker, Rejected, RetryQueue};
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Reason, Stop};
use backoff_http::Why;
use backoff_http::tower::{BoxError, Error, Kept, Retry, RetryLayer};
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame};
use support::{all_ms, ms};
use tower_layer::Layer;
use tower_service::Service;

const POLICY: ExponentialBackoff = ExponentialBackoff::new().initial(ms(20)).max_attempts(4);

/// What a service in memory does with one call.
#[derive(Clone, Copy)]
enum Does {
    Answers(u16),
    Fails(std::io::ErrorKind),
    Hangs,
}

/// What all clones of a service share.
#[derive(Default)]
struct Shared {
    script: Mutex<VecDeque<Does>>,
    calls: Mutex<Vec<String>>,
    /// How often it was asked whether it is ready, and said so.
    ready: AtomicUsize,
    /// Services that are ready and were not called yet.
    permits: AtomicUsize,
    /// The most of them at once, at the moment of an answer.
    unready: AtomicUsize,
}

/// A service that must be made ready before each call, every clone for itself.
#[derive(Default)]
struct Strict {
    shared: Arc<Shared>,
    ready: bool,
}

impl Strict {
    fn new(script: impl IntoIterator<Item = Does>) -> Self {
        let shared = Shared { script: Mutex::new(script.into_iter().collect()), ..Shared::default() };
        Self { shared: Arc::new(shared), ready: false }
    }
}

impl Clone for Strict {
    /// A clone is not ready because the original is.
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), ready: false }
    }
}

impl Drop for Strict {
    fn drop(&mut self) {
        if self.ready {
            self.shared.permits.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

impl<B: hyper::body::Body<Data = Bytes> + Send + Unpin + 'static> Service<Request<Kept<B>>> for Strict
where
    B::Error: std::fmt::Debug + Send,
{
    type Response = Response<Full<Bytes>>;
    type Error = std::io::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, std::io::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), std::io::Error>> {
        if self.shared.unready.load(Ordering::SeqCst) > 0 {
            self.shared.unready.fetch_sub(1, Ordering::SeqCst);
            return Poll::Ready(Err(std::io::ErrorKind::ConnectionReset.into()));
        }
        if !self.ready {
            self.ready = true;
            self.shared.ready.fetch_add(1, Ordering::SeqCst);
            self.shared.permits.fetch_add(1, Ordering::SeqCst);
        }
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Kept<B>>) -> Self::Future {
        assert!(std::mem::take(&mut self.ready), "called before it was ready");
        self.shared.permits.fetch_sub(1, Ordering::SeqCst);
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await.unwrap();
            let trailers = body.trailers().map(|trailers| format!(" {trailers:?}")).unwrap_or_default();
            let body = String::from_utf8(body.to_bytes().to_vec()).unwrap();
            let keyed = if head.headers.contains_key("idempotency-key") { " keyed" } else { "" };
            shared.calls.lock().unwrap().push(format!("{} {body}{trailers}{keyed}", head.method));
            let does = shared.script.lock().unwrap().pop_front().expect("there should be no further call");
            match does {
                Does::Answers(status) => {
                    Ok(Response::builder().status(status).body(Full::new(Bytes::from("text"))).unwrap())
                }
                Does::Fails(kind) => Err(kind.into()),
                Does::Hangs => std::future::pending().await,
            }
        })
    }
}

fn request(method: &str, body: &'static str) -> Request<Full<Bytes>> {
    Request::builder().method(method).uri("http://localhost/").body(Full::new(Bytes::from(body))).unwrap()
}

/// Calls a service as a caller of `tower` does.
async fn call<S, B>(service: &mut S, request: Request<B>) -> Result<S::Response, S::Error>
where
    S: Service<Request<B>>,
{
    poll_fn(|context| service.poll_ready(context)).await?;
    service.call(request).await
}

async fn body<B: hyper::body::Body<Data = Bytes> + Unpin>(response: Response<Kept<B>>) -> String
where
    B::Error: std::fmt::Debug,
{
    String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

#[tokio::test]
async fn every_attempt_is_made_ready_and_none_is_left_so() {
    let time = VirtualTime::new();
    let strict = Strict::new([Does::Answers(503), Does::Answers(429), Does::Answers(200)]);
    let shared = Arc::clone(&strict.shared);
    let mut service = RetryLayer::new(POLICY).layer(strict);
    let response = time.scope(call(&mut service, request("PUT", "order"))).await.unwrap();
    assert_eq!((response.status().as_u16(), body(response).await), (200, "text".to_owned()));
    assert_eq!(*shared.calls.lock().unwrap(), ["PUT order", "PUT order", "PUT order"]);
    assert_eq!(time.sleeps(), all_ms([20, 40]));
    assert_eq!((shared.ready.load(Ordering::SeqCst), shared.permits.load(Ordering::SeqCst)), (3, 0));
}

#[tokio::test]
async fn calls_side_by_side_do_not_disturb_each_other() {
    let strict = Strict::new([Does::Answers(503); 20].into_iter().chain([Does::Answers(200); 20]));
    let shared = Arc::clone(&strict.shared);
    let mut service = RetryLayer::new(POLICY.initial(ms(1))).layer(strict);
    let mut calls = Vec::new();
    for _ in 0..20 {
        poll_fn(|context| Service::<Request<Full<Bytes>>>::poll_ready(&mut service, context)).await.unwrap();
        calls.push(tokio::spawn(service.call(request("GET", ""))));
    }
    for call in calls {
        assert!(call.await.unwrap().unwrap().status().is_success());
    }
    assert_eq!(shared.calls.lock().unwrap().len(), 40);
    assert_eq!(shared.permits.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_dropped_call_gives_back_what_it_held() {
    let strict = Strict::new([Does::Answers(503)]);
    let shared = Arc::clone(&strict.shared);
    let mut service = RetryLayer::new(POLICY.initial(Duration::from_secs(60))).layer(strict);
    let sleeping = tokio::time::timeout(ms(30), call(&mut service, request("GET", ""))).await;
    assert!(sleeping.is_err());
    assert_eq!((shared.calls.lock().unwrap().len(), shared.permits.load(Ordering::SeqCst)), (1, 0));
}

#[tokio::test]
async fn a_service_that_is_not_ready_has_sent_nothing() {
    let time = VirtualTime::new();
    let strict = Strict::new([Does::Answers(429), Does::Answers(200)]);
    let shared = Arc::clone(&strict.shared);
    let mut service: Retry<Strict> = RetryLayer::new(POLICY).layer(strict);
    poll_fn(|context| Service::<Request<Full<Bytes>>>::poll_ready(&mut service, context)).await.unwrap();
    shared.unready.store(2, Ordering::SeqCst);
    let response = time.scope(service.call(request("POST", "once"))).await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(*shared.calls.lock().unwrap(), ["POST once", "POST once"], "429, twice not ready, 200");
    assert_eq!(time.sleeps(), all_ms([20, 40, 80]));

    shared.unready.store(1, Ordering::SeqCst);
    let error = call(&mut service, request("POST", "")).await.unwrap_err();
    assert_eq!((error.to_string().as_str(), error.stop()), ("the service is not ready", None));
    assert!(error.source().unwrap().downcast_ref::<std::io::Error>().is_some());
}

#[tokio::test]
async fn the_last_answer_comes_out_with_the_reason() {
    let time = VirtualTime::new();
    let mut service = RetryLayer::new(POLICY).layer(Strict::new([Does::Answers(503); 4]));
    let response = time.scope(call(&mut service, request("GET", ""))).await.unwrap();
    let stop = *response.extensions().get::<Stop>().unwrap();
    assert_eq!((stop.reason, stop.attempts, response.status().as_u16()), (Reason::Attempts, 4, 503));
    assert_eq!(body(response).await, "text");

    let mut service = RetryLayer::new(POLICY).layer(Strict::new([Does::Answers(404)]));
    let response = call(&mut service, request("GET", "")).await.unwrap();
    assert!(response.extensions().get::<Stop>().is_none(), "a final answer is no failure");
}

#[tokio::test]
async fn a_lost_post_is_not_repeated_and_the_error_says_why() {
    let lost = Does::Fails(std::io::ErrorKind::ConnectionReset);
    let strict = Strict::new([lost, lost, Does::Answers(200)]);
    let shared = Arc::clone(&strict.shared);
    let mut service = RetryLayer::new(POLICY).layer(strict.clone());
    let error: Error = call(&mut service, request("POST", "ten")).await.unwrap_err();
    assert_eq!(error.stop().unwrap().reason, Reason::NotRetryable);
    assert_eq!(error.verdict().unwrap().why(), Why::NotIdempotent);
    assert!(error.to_string().ends_with(
        ": the failure is permanent: POST: the connection was lost; POST is not idempotent and the request may have been \
         carried out: send an idempotency key"
    ));
    let source: BoxError = error.into_source();
    assert!(source.downcast_ref::<std::io::Error>().is_some());

    let mut service = RetryLayer::new(POLICY).idempotency_keys().layer(strict);
    call(&mut service, request("POST", "ten")).await.unwrap();
    assert_eq!(*shared.calls.lock().unwrap(), ["POST ten", "POST ten keyed", "POST ten keyed"]);
}

#[tokio::test]
async fn bodies_with_trailers_are_sent_again_and_longer_ones_are_not() {
    let pieces = || {
        let mut trailers = HeaderMap::new();
        trailers.insert("sum", "6".parse().unwrap());
        let frames = [Frame::data(Bytes::from("abc")), Frame::data(Bytes::from("def")), Frame::trailers(trailers)];
        let stream = StreamBody::new(Pieces(frames.into_iter().collect()));
        Request::put("http://localhost/").body(stream).unwrap()
    };
    let strict = Strict::new([Does::Answers(503), Does::Answers(200), Does::Answers(503)]);
    let shared = Arc::clone(&strict.shared);
    let mut service = RetryLayer::new(POLICY).buffer(6).layer(strict.clone());
    assert_eq!(call(&mut service, pieces()).await.unwrap().status(), 200);
    let mut service = RetryLayer::new(POLICY).buffer(5).layer(strict);
    let response = call(&mut service, pieces()).await.unwrap();
    assert_eq!(response.extensions().get::<Stop>().unwrap().reason, Reason::NotRetryable);
    assert_eq!(*shared.calls.lock().unwrap(), [r#"PUT abcdef {"sum": "6"}"#; 3]);
}

#[tokio::test]
async fn by_default_64_kib_of_a_body_are_read_so_that_it_can_be_sent_again() {
    let put = |length| Request::put("http://localhost/").body(Full::new(Bytes::from(vec![b'x'; length]))).unwrap();
    let attempts = async |length| {
        let time = VirtualTime::new();
        let strict = Strict::new([Does::Answers(503); 4]);
        let mut service = RetryLayer::new(POLICY).layer(strict);
        let response = time.scope(call(&mut service, put(length))).await.unwrap();
        let stop = *response.extensions().get::<Stop>().unwrap();
        (stop.reason, stop.attempts)
    };
    assert_eq!(attempts(65_536).await, (Reason::Attempts, 4));
    assert_eq!(attempts(65_537).await, (Reason::NotRetryable, 1));
}

#[tokio::test]
async fn a_body_that_says_that_it_is_too_long_is_not_read_ahead() {
    let polls = async |least| {
        let polls = Arc::new(AtomicUsize::new(0));
        let ignores = tower::service_fn(async |_: Request<Kept<Announced>>| {
            Ok::<_, BoxError>(Response::new(Full::new(Bytes::new())))
        });
        let mut service = RetryLayer::new(POLICY).buffer(6).layer(ignores);
        let request = Request::put("http://localhost/").body(Announced { least, polls: Arc::clone(&polls) }).unwrap();
        assert_eq!(call(&mut service, request).await.unwrap().status(), 200);
        polls.load(Ordering::SeqCst)
    };
    assert_eq!([polls(6).await, polls(7).await], [1, 0]);
}

/// A body that counts how often it is asked, and has nothing.
struct Announced {
    least: u64,
    polls: Arc<AtomicUsize>,
}

impl hyper::body::Body for Announced {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::convert::Infallible>>> {
        self.polls.fetch_add(1, Ordering::SeqCst);
        Poll::Ready(None)
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        let mut hint = hyper::body::SizeHint::new();
        hint.set_lower(self.least);
        hint
    }
}

#[test]
fn a_layer_and_its_service_show_their_policy() {
    let layer = RetryLayer::new(POLICY);
    assert_eq!(format!("{layer:?}"), format!("RetryLayer {{ waiter: Waiter({POLICY}), .. }}"));
    let service = layer.layer("any service");
    assert_eq!(format!("{service:?}"), format!("Retry {{ inner: \"any service\", waiter: Waiter({POLICY}), .. }}"));
}

/// Frames in a row, each a little late.
struct Pieces(VecDeque<Frame<Bytes>>);

impl futures_core::Stream for Pieces {
    type Item = Result<Frame<Bytes>, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.pop_front().map(Ok))
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_is_cut_when_the_budget_is_used_up() {
    let policy = ExponentialBackoff::new().budget(Duration::from_secs(2));
    let mut service = RetryLayer::new(policy).layer(Strict::new([Does::Answers(503), Does::Hangs]));
    let start = tokio::time::Instant::now();
    let error = call(&mut service, request("GET", "")).await.unwrap_err();
    assert_eq!(start.elapsed(), Duration::from_secs(2));
    assert_eq!(error.to_string(), "gave up after 2 attempts in 2s: the budget is used up: GET: it took too long");
    assert!(error.source().unwrap().downcast_ref::<backoff_core::AttemptTimeout>().is_some());

    // A POST that was cut may have been carried out.
    let mut service = RetryLayer::new(policy.max_attempts(3)).layer(Strict::new([Does::Hangs]));
    let error = call(&mut service, request("POST", "")).await.unwrap_err();
    assert_eq!(error.stop().unwrap().reason, Reason::NotRetryable);
}

#[tokio::test]
async fn guards_are_shared_by_all_clones_and_a_rejected_request_sends_nothing() {
    static BREAKER: CircuitBreaker = CircuitBreaker::new().failures(1);
    static QUEUE: RetryQueue = RetryQueue::new();
    let time = VirtualTime::new();
    let strict = Strict::new([Does::Answers(503); 4]);
    let shared = Arc::clone(&strict.shared);
    let mut service = RetryLayer::with_waiter(POLICY.breaker(&BREAKER).retry_queue(&QUEUE)).layer(strict);
    let mut clone = service.clone();
    let response = time.scope(call(&mut service, request("GET", ""))).await.unwrap();
    assert_eq!(response.extensions().get::<Stop>().unwrap().reason, Reason::Attempts);
    let error = time.scope(call(&mut clone, request("GET", ""))).await.unwrap_err();
    assert_eq!(error.stop().map(|stop| (stop.reason, stop.attempts)), Some((Reason::CircuitOpen, 0)));
    assert!(error.to_string().starts_with("gave up after 0 attempts in 0s: the circuit is open; try again in "));
    assert!(error.verdict().is_none() && error.source().unwrap().is::<Rejected>());
    assert_eq!((shared.calls.lock().unwrap().len(), QUEUE.snapshot().waiting), (4, 0));
}

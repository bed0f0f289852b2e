//! A body of which the beginning is in memory.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf, Bytes};
use http::HeaderMap;
use http_body::{Body, Frame, SizeHint};

/// How long a failed answer may take to send the rest of itself.
const PATIENCE: Duration = Duration::from_millis(500);

/// A body of which the beginning, or all of it, is in memory. Reads like the body that it was.
///
/// A failed answer is read into memory, up to a limit, before the next attempt: so its connection is free for it, and the
/// last answer of a run can still be read by whoever gets it.
///
/// ```
/// use backoff_http::tower::Kept;
/// use http_body_util::Full;
/// use hyper::body::Bytes;
/// use hyper_util::client::legacy::{Client, connect::HttpConnector};
///
/// /// A client for requests that come through the layer with bodies in memory.
/// type Inner = Client<HttpConnector, Kept<Full<Bytes>>>;
/// # let _: Option<Inner> = None;
/// ```
#[cfg_attr(not(feature = "tower"), expect(unreachable_pub, reason = "only the layer shows it"))]
pub struct Kept<B: Body> {
    front: VecDeque<Bytes>,
    rest: Rest<B>,
}

/// What follows the part in memory.
enum Rest<B: Body> {
    Nothing,
    Trailers(HeaderMap),
    Error(B::Error),
    Body(B),
}

impl<B: Body + Unpin> Kept<B> {
    /// Nothing read yet.
    pub(crate) fn unread(body: B) -> Self {
        Self { front: VecDeque::new(), rest: Rest::Body(body) }
    }

    /// Reads up to `limit` bytes, and no longer than half a second where there is a timer. Stops where the body fails: the
    /// error is found there by the next reader.
    pub(crate) async fn read(body: B, limit: usize) -> Self {
        let mut kept = Self::unread(body);
        let reading = kept.fill(limit);
        if tokio::runtime::Handle::try_current().is_ok() {
            // Too slow or done: either way what is there is kept.
            let _ = tokio::time::timeout(PATIENCE, reading).await;
        } else {
            reading.await;
        }
        kept
    }

    async fn fill(&mut self, limit: usize) {
        let mut room = limit;
        while let Rest::Body(body) = &mut self.rest {
            if body.is_end_stream() {
                self.rest = Rest::Nothing;
                return;
            }
            let frame = std::future::poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await;
            match frame {
                None => self.rest = Rest::Nothing,
                Some(Err(error)) => self.rest = Rest::Error(error),
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(mut data) => {
                        let data = data.copy_to_bytes(data.remaining());
                        let left = room.checked_sub(data.len());
                        self.front.push_back(data);
                        match left {
                            Some(left) => room = left,
                            None => return,
                        }
                    }
                    Err(frame) => {
                        if let Ok(trailers) = frame.into_trailers() {
                            self.rest = Rest::Trailers(trailers);
                        }
                    }
                },
            }
        }
    }

    /// Another body with the same content, if all of it is in memory.
    #[cfg(feature = "tower")]
    pub(crate) fn again(&self) -> Option<Self> {
        let rest = match &self.rest {
            Rest::Nothing => Rest::Nothing,
            Rest::Trailers(trailers) => Rest::Trailers(trailers.clone()),
            Rest::Error(_) | Rest::Body(_) => return None,
        };
        Some(Self { front: self.front.clone(), rest })
    }
}

/// Nothing in it is pinned in place: the body that follows is moved in and out.
impl<B: Body + Unpin> Unpin for Kept<B> {}

impl<B: Body + Unpin> Body for Kept<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        if let Some(data) = self.front.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(data))));
        }
        match std::mem::replace(&mut self.rest, Rest::Nothing) {
            Rest::Nothing => Poll::Ready(None),
            Rest::Trailers(trailers) => Poll::Ready(Some(Ok(Frame::trailers(trailers)))),
            Rest::Error(error) => Poll::Ready(Some(Err(error))),
            Rest::Body(mut body) => {
                let frame = Pin::new(&mut body).poll_frame(context);
                self.rest = Rest::Body(body);
                frame.map_ok(|frame| frame.map_data(|mut data| data.copy_to_bytes(data.remaining())))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.front.is_empty()
            && match &self.rest {
                Rest::Nothing => true,
                Rest::Trailers(_) | Rest::Error(_) => false,
                Rest::Body(body) => body.is_end_stream(),
            }
    }

    fn size_hint(&self) -> SizeHint {
        let front: usize = self.front.iter().map(Bytes::len).sum();
        let front = u64::try_from(front).unwrap_or(u64::MAX);
        let mut hint = match &self.rest {
            Rest::Nothing | Rest::Trailers(_) => SizeHint::with_exact(0),
            Rest::Error(_) => SizeHint::new(),
            Rest::Body(body) => body.size_hint(),
        };
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper.saturating_add(front));
        }
        hint.set_lower(hint.lower().saturating_add(front));
        hint
    }
}

impl<B: Body> fmt::Debug for Kept<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = matches!(self.rest, Rest::Body(_));
        f.debug_struct("Kept").field("front", &self.front).field("rest", &rest).finish()
    }
}

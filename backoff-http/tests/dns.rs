//! A name without an address, as the pooled client of `hyper-util` tells of it.
#![cfg(feature = "hyper-util")]

use std::io;
use std::net::SocketAddr;

use backoff_http::inspect::{Fault, inspect};
use backoff_http::{ErrorKind, Phase};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::rt::TokioExecutor;

#[tokio::test]
async fn a_name_without_an_address_is_told_from_a_server_that_is_not_there() {
    let resolver =
        tower::service_fn(async |_: Name| Err::<std::vec::IntoIter<SocketAddr>, _>(io::Error::other("no such name")));
    let connector = HttpConnector::new_with_resolver(resolver);
    let client: Client<_, Full<Bytes>> = Client::builder(TokioExecutor::new()).build(connector);
    let error = client.get("http://name.example/".parse().unwrap()).await.unwrap_err();
    assert_eq!(inspect(&error), Fault { kind: ErrorKind::Dns, phase: Phase::NotSent });
}

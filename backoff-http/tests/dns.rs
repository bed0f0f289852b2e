//! A name without an address and an address that is not reached, as the pooled client of `hyper-util` tells of them.
#![cfg(feature = "hyper-util")]

use std::io;
use std::net::SocketAddr;

use backoff_http::inspect::{Fault, inspect};
use backoff_http::{ErrorKind, Phase};
use http::Uri;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;

#[tokio::test]
async fn a_name_without_an_address_is_told_from_a_server_that_is_not_there() {
    let resolver =
        tower::service_fn(async |_: Name| Err::<std::vec::IntoIter<SocketAddr>, _>(io::Error::other("no such name")));
    let connector = HttpConnector::new_with_resolver(resolver);
    let client: Client<_, Full<Bytes>> = Client::builder(TokioExecutor::new()).build(connector);
    let error = client.get("http://name.example/".parse().unwrap()).await.unwrap_err();
    assert_eq!(inspect(&error), Fault { kind: ErrorKind::Dns, phase: Phase::NotSent });
}

#[tokio::test]
async fn an_address_that_is_not_reached_is_no_connection() {
    use io::ErrorKind::{AddrNotAvailable, ConnectionRefused, HostUnreachable, NetworkDown, NetworkUnreachable};
    for kind in [ConnectionRefused, AddrNotAvailable, HostUnreachable, NetworkUnreachable, NetworkDown] {
        let connector =
            tower::service_fn(move |_: Uri| std::future::ready(Err::<TokioIo<TcpStream>, _>(io::Error::from(kind))));
        let client: Client<_, Full<Bytes>> = Client::builder(TokioExecutor::new()).build(connector);
        let error = client.get("http://name.example/".parse().unwrap()).await.unwrap_err();
        assert_eq!(inspect(&error), Fault { kind: ErrorKind::Connect, phase: Phase::NotSent }, "{kind}");
    }
}

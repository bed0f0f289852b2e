//! A server that answers a number with the same number, and can be stopped and paused.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::watch;

pub(crate) struct Server {
    // Dropped with the server, and all that it does with it.
    _runtime: Runtime,
    address: SocketAddr,
    mode: watch::Sender<&'static str>,
    served: Arc<AtomicU64>,
}

impl Server {
    pub(crate) fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let served = Arc::new(AtomicU64::new(0));
        let (mode, modes) = watch::channel("up");
        runtime.spawn(listen(listener, address, modes, Arc::clone(&served)));
        Self { _runtime: runtime, address, mode, served }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn set(&self, mode: &'static str) {
        self.mode.send(mode).unwrap();
    }

    pub(crate) fn served(&self) -> u64 {
        self.served.load(Ordering::Relaxed)
    }
}

async fn listen(
    listener: TcpListener,
    address: SocketAddr,
    mut modes: watch::Receiver<&'static str>,
    served: Arc<AtomicU64>,
) {
    let mut listener = Some(listener);
    loop {
        let mode = *modes.borrow_and_update();
        match (mode, &listener) {
            ("stopped", _) => {
                listener = None;
                modes.changed().await.unwrap();
            }
            (_, None) => match TcpListener::bind(address).await {
                Ok(bound) => listener = Some(bound),
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            },
            (_, Some(open)) => {
                tokio::select! {
                    accepted = open.accept() => {
                        if let Ok((stream, _)) = accepted {
                            tokio::spawn(answer(stream, modes.clone(), Arc::clone(&served)));
                        }
                    }
                    _ = modes.changed() => {}
                }
            }
        }
    }
}

async fn answer(mut stream: TcpStream, modes: watch::Receiver<&'static str>, served: Arc<AtomicU64>) {
    let Ok(number) = stream.read_u64().await else { return };
    let mode = *modes.borrow();
    match mode {
        "up" => {
            // Counted before: the client may have the answer before this goes on.
            served.fetch_add(1, Ordering::Relaxed);
            let _ = stream.write_u64(number).await;
        }
        // No answer: the connection stays open until the caller gives up.
        "paused" => {
            let _ = stream.read_u8().await;
        }
        _ => {}
    }
}

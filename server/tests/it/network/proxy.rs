//! A cable with a hand on it: a TCP proxy of the test's own.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// How the cable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    Open,
    /// Every connection ends, and new ones end at once.
    Cut,
    /// Nothing passes and no socket ends; what was sent arrives when the line is open again, as
    /// TCP sends again what was lost.
    Held,
    /// Nothing passes and no socket ends; what was sent is gone.
    Swallowed,
    /// Requests arrive, their answers are gone.
    AnswersSwallowed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

#[derive(Clone)]
pub struct Proxy {
    pub addr: SocketAddr,
    target: Arc<Mutex<SocketAddr>>,
    line: Arc<watch::Sender<Line>>,
    /// While there is a list, the proxy answers; an empty one ends with the next stream.
    answers: Arc<Mutex<Option<VecDeque<&'static str>>>>,
}

impl Proxy {
    pub async fn before(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = Self {
            addr: listener.local_addr().unwrap(),
            target: Arc::new(Mutex::new(target)),
            line: Arc::new(watch::channel(Line::Open).0),
            answers: Arc::default(),
        };
        let serving = proxy.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(serving.clone().carry(client));
            }
        });
        proxy
    }

    pub fn set(&self, line: Line) {
        self.line.send_replace(line);
    }

    /// New connections go there.
    pub fn aim(&self, target: SocketAddr) {
        *self.target.lock().unwrap() = target;
    }

    /// Requests for a stream get these answers instead, one each. Until one passes, every other
    /// request but that for a ticket gets a 503: the screen is not polled meanwhile.
    pub fn answer_streams(&self, answers: &[&'static str]) {
        *self.answers.lock().unwrap() = Some(answers.iter().copied().collect());
    }

    /// The answer that this request gets without the server.
    fn own_answer(&self, head: &str) -> Option<&'static str> {
        let mut script = self.answers.lock().unwrap();
        let answers = script.as_mut()?;
        if head.contains("/notifications/ticket") {
            None
        } else if head.contains("/notifications/subscribe") {
            let answer = answers.pop_front();
            if answer.is_none() {
                *script = None;
            }
            answer
        } else {
            Some(
                "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
            )
        }
    }

    async fn carry(self, mut client: TcpStream) {
        let mut line = self.line.subscribe();
        if *line.borrow_and_update() == Line::Cut {
            return;
        }
        let mut head = Vec::new();
        let scripted = self.answers.lock().unwrap().is_some();
        if scripted && line.wait_for(|line| *line != Line::Held).await.is_err() {
            return;
        }
        while scripted && !head.windows(4).any(|end| end == b"\r\n\r\n") {
            match client.read_buf(&mut head).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        }
        if let Some(answer) = self.own_answer(&String::from_utf8_lossy(&head)) {
            let _ = client.write_all(answer.as_bytes()).await;
            let _ = client.shutdown().await;
            return;
        }
        let target = *self.target.lock().unwrap();
        let Ok(mut server) = TcpStream::connect(target).await else {
            return;
        };
        if server.write_all(&head).await.is_err() {
            return;
        }
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        // When one way ends, so does the other.
        tokio::select! {
            () = pump(Way::Up, from_client, to_server, line.clone()) => {}
            () = pump(Way::Down, from_server, to_client, line) => {}
        }
    }
}

async fn pump(
    way: Way,
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut line: watch::Receiver<Line>,
) {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        let now = *line.borrow_and_update();
        if now == Line::Cut {
            return;
        }
        tokio::select! {
            changed = line.changed() => if changed.is_err() { return },
            read = from.read(&mut bytes), if now != Line::Held => {
                let Ok(count @ 1..) = read else { return };
                let passes = match now {
                    Line::Open => true,
                    Line::AnswersSwallowed => way == Way::Up,
                    Line::Swallowed | Line::Held | Line::Cut => false,
                };
                if passes && to.write_all(&bytes[..count]).await.is_err() {
                    return;
                }
            }
        }
    }
}

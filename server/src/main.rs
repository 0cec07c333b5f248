//! `jumun`, the command line.

use std::error::Error;
use std::process::ExitCode;

use clap::Parser as _;
use server::config::{Cli, Command, Config, StockCommand, StoreCommand};
use server::{RunError, cli, telemetry};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() -> ExitCode {
    telemetry::log_to_stderr();
    match carry_out(Cli::parse().command).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("jumun: {}", telemetry::with_causes(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}

async fn carry_out(command: Command) -> Result<(), Box<dyn Error>> {
    match command {
        Command::Serve(config) => Ok(serve(config).await?),
        Command::Store(StoreCommand::Add(add)) => print(cli::store_add(add).await?),
        Command::Import(import) => print(cli::import(import).await?),
        Command::Outbox(database) => print(cli::outbox(database).await?),
        Command::Stock(StockCommand::Verify(database)) => print(cli::stock_verify(database).await?),
    }
}

fn print(answer: String) -> Result<(), Box<dyn Error>> {
    println!("{answer}");
    Ok(())
}

async fn serve(config: Config) -> Result<(), RunError> {
    config.check()?;
    let addr = config.listen;
    let listener = TcpListener::bind(addr)
        .await
        .map_err(|cause| RunError::Listen { addr, cause })?;
    let bound = listener.local_addr().unwrap_or(addr);
    print!("{}", cli::welcome(bound, config.demo));
    server::run(config, listener, on_signal()).await
}

/// Cancelled by SIGTERM or Ctrl-C.
fn on_signal() -> CancellationToken {
    let shutdown = CancellationToken::new();
    let told = shutdown.clone();
    tokio::spawn(async move {
        signalled().await;
        told.cancel();
    });
    shutdown
}

#[cfg(unix)]
async fn signalled() {
    use tokio::signal::unix::{SignalKind, signal};
    let interrupted = tokio::signal::ctrl_c();
    match signal(SignalKind::terminate()) {
        Ok(mut terminated) => tokio::select! {
            _ = interrupted => {}
            _ = terminated.recv() => {}
        },
        Err(_) => drop(interrupted.await),
    }
}

#[cfg(not(unix))]
async fn signalled() {
    drop(tokio::signal::ctrl_c().await);
}

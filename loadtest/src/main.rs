//! `jumun-load`: plays a restaurant's day against a running server and says what got lost.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use loadtest::orders::Day;
use loadtest::pace::Speed;
use loadtest::replay::{self, Options};
use loadtest::who::Who;
use tokio::sync::watch;

/// Drives a running Jumun server as staff and screens do.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Plays a file of orders while a kitchen and a hall screen follow, compares both with the
    /// server and prints one line of JSON. Exit code 1: something was lost, doubled or different.
    Replay {
        /// Where the server listens.
        #[arg(long, default_value = "http://127.0.0.1:3000")]
        url: String,
        /// Code of the store; its menu must have the file's items as codes.
        #[arg(long)]
        store: String,
        /// Name of the member of staff who does everything: an owner or a manager.
        #[arg(long, default_value = "owner")]
        staff: String,
        /// Their PIN.
        #[arg(long, env = "JUMUN_PIN", hide_env_values = true)]
        pin: String,
        /// The day to play, as YYYY-MM-DD, or `all`.
        #[arg(long, default_value = "all")]
        day: Day,
        /// How many seconds of the file pass in one second; 0 or `max`: as fast as possible.
        #[arg(long, default_value = "3600")]
        speed: Speed,
        /// Who seats parties and places orders: `staff`, or `guests` by the codes of the tables.
        #[arg(long = "as", default_value = "staff")]
        who: Who,
        /// Columns `line_id,order_id,ordered_at,menu_item_id`, one row a line of an order.
        file: PathBuf,
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    let Command::Replay {
        url,
        store,
        staff,
        pin,
        day,
        speed,
        who,
        file,
    } = Arguments::parse().command;
    let options = Options {
        url,
        store,
        staff,
        pin,
        day,
        speed,
        file,
        who,
        begun: watch::Sender::new(0),
    };
    tokio::spawn(tell_progress(options.begun.subscribe()));
    match replay::run(options).await {
        Ok(report) => {
            for problem in report.problems() {
                eprintln!("{problem}");
            }
            println!("{}", report.json());
            ExitCode::from(u8::from(!report.is_clean()))
        }
        Err(error) => {
            eprintln!("jumun-load: {}", replay::with_causes(&error));
            ExitCode::FAILURE
        }
    }
}

/// A word for each thousand orders: a whole file takes minutes.
async fn tell_progress(mut begun: watch::Receiver<usize>) {
    let mut next = 1_000;
    while begun.wait_for(|begun| *begun >= next).await.is_ok() {
        eprintln!("{next} orders have begun");
        next += 1_000;
    }
}

//! `jumun-load`: plays a restaurant's day against a running server and says what got lost.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use loadtest::holds::{self, Rate};
use loadtest::orders::Day;
use loadtest::pace::Speed;
use loadtest::replay;
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
        #[command(flatten)]
        login: Login,
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
    /// Holds counted stock at constant rates, gives everything back and prints one line of JSON.
    /// Each hold is timed from when it was due. Exit code 1: a unit was not given back.
    Holds {
        #[command(flatten)]
        login: Login,
        /// Holds a second, by commas: one rate after the other.
        #[arg(long, value_delimiter = ',', default_value = "50,500")]
        rate: Vec<Rate>,
        /// How long each rate is asked for.
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=3_600))]
        seconds: u32,
        /// Lines of a hold.
        #[arg(long, default_value_t = 5, value_parser = 1..=100)]
        lines: i64,
        /// Give each hold back as soon as it is had: twice as many commands. Else holds are measured
        /// alone and given back afterwards.
        #[arg(long)]
        return_at_once: bool,
    },
}

/// Where, and who does everything.
#[derive(Args, Debug)]
struct Login {
    /// Where the server listens.
    #[arg(long, default_value = "http://127.0.0.1:3000")]
    url: String,
    /// Code of the store; its menu must have a file's items as codes.
    #[arg(long)]
    store: String,
    /// Name of the member of staff who does everything: an owner or a manager.
    #[arg(long, default_value = "owner")]
    staff: String,
    /// Their PIN.
    #[arg(long, env = "JUMUN_PIN", hide_env_values = true)]
    pin: String,
}

#[tokio::main]
async fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Replay {
            login,
            day,
            speed,
            who,
            file,
        } => {
            let options = replay::Options {
                url: login.url,
                store: login.store,
                staff: login.staff,
                pin: login.pin,
                day,
                speed,
                file,
                who,
                begun: watch::Sender::new(0),
            };
            tokio::spawn(tell_progress(options.begun.subscribe()));
            match replay::run(options).await {
                Ok(report) => told(report.problems(), &report.json(), report.is_clean()),
                Err(error) => failed(&error),
            }
        }
        Command::Holds {
            login,
            rate,
            seconds,
            lines,
            return_at_once,
        } => {
            let options = holds::Options {
                url: login.url,
                store: login.store,
                staff: login.staff,
                pin: login.pin,
                rates: rate,
                seconds,
                lines: usize::try_from(lines).unwrap_or(usize::MAX),
                at_once: return_at_once,
            };
            match holds::run(options).await {
                Ok(report) => told(report.problems(), &report.json(), report.is_clean()),
                Err(error) => failed(&error),
            }
        }
    }
}

fn told(problems: impl Iterator<Item = String>, json: &str, clean: bool) -> ExitCode {
    for problem in problems {
        eprintln!("{problem}");
    }
    println!("{json}");
    ExitCode::from(u8::from(!clean))
}

fn failed(error: &dyn Error) -> ExitCode {
    eprintln!("jumun-load: {}", replay::with_causes(error));
    ExitCode::FAILURE
}

/// A word for each thousand orders: a whole file takes minutes.
async fn tell_progress(mut begun: watch::Receiver<usize>) {
    let mut next = 1_000;
    while begun.wait_for(|begun| *begun >= next).await.is_ok() {
        eprintln!("{next} orders have begun");
        next += 1_000;
    }
}

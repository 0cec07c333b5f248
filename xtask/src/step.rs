//! Named steps with their time. A step that fails says what was tried and what to do.

use std::fmt::{self, Display};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Why a step failed, for the person at the terminal.
#[derive(Debug)]
pub struct Failure {
    /// The command or the act.
    pub tried: String,
    /// What came of it.
    pub because: String,
    /// What the person can do.
    pub advice: String,
}

/// What a step comes to.
pub type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// A failure of `tried`, with the cause and the advice.
    pub fn new(tried: impl Display, because: impl Display, advice: impl Display) -> Self {
        Self {
            tried: tried.to_string(),
            because: because.to_string(),
            advice: advice.to_string(),
        }
    }
}

impl Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "  tried:   {}", self.tried)?;
        writeln!(
            out,
            "  failed:  {}",
            self.because.trim().replace('\n', "\n           ")
        )?;
        write!(out, "  to do:   {}", self.advice)
    }
}

struct Step {
    name: String,
    took: Duration,
    passed: bool,
}

/// The steps taken so far.
#[derive(Default)]
pub struct Steps {
    taken: Vec<Step>,
}

impl Steps {
    /// Runs one step and reports it; `None` when it failed.
    pub fn run<T>(&mut self, name: &str, work: impl FnOnce() -> Outcome<T>) -> Option<T> {
        println!("▸ {name}");
        let start = Instant::now();
        let outcome = work();
        let took = start.elapsed();
        match &outcome {
            Ok(_) => println!("✓ {name} ({})", seconds(took)),
            Err(failure) => println!("✗ {name} ({})\n{failure}", seconds(took)),
        }
        self.taken.push(Step {
            name: name.to_owned(),
            took,
            passed: outcome.is_ok(),
        });
        outcome.ok()
    }

    /// Counts a step that could not be tried because another one failed.
    pub fn skip(&mut self, name: &str, needs: &str) {
        self.run::<()>(name, || {
            Err(Failure::new(
                name,
                format!("not tried: {needs} failed"),
                format!("mend {needs} first"),
            ))
        });
    }

    /// Prints the time of every step.
    pub fn print_table(&self) {
        println!("\n{:>9}  step", "time");
        for step in &self.taken {
            let mark = if step.passed { "✓" } else { "✗" };
            println!("{:>9}  {mark} {}", seconds(step.took), step.name);
        }
        let total = self.taken.iter().map(|step| step.took).sum();
        println!("{:>9}  all", seconds(total));
    }

    /// Prints how many steps passed and failed, as the last line.
    pub fn print_count(&self) {
        let failed = self.failed();
        println!("{} passed, {failed} failed", self.taken.len() - failed);
    }

    /// The exit code of the program: 0 when nothing failed.
    pub fn finish(self) -> ExitCode {
        if self.failed() == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }

    fn failed(&self) -> usize {
        self.taken.iter().filter(|step| !step.passed).count()
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_gives_nothing_and_is_counted() {
        let mut steps = Steps::default();
        assert_eq!(steps.run("good", || Ok(7)), Some(7));
        assert_eq!(
            steps.run::<()>("bad", || Err(Failure::new("a", "b", "c"))),
            None
        );
        steps.skip("later", "bad");
        assert_eq!(steps.failed(), 2);
        assert_eq!(steps.taken.len(), 3);
    }

    #[test]
    fn a_failure_says_what_was_tried_and_what_to_do() {
        let shown = Failure::new(
            "npm ci",
            "exit status: 1\nno network",
            "connect and try again",
        )
        .to_string();
        assert!(shown.contains("tried:   npm ci"));
        assert!(shown.contains("exit status: 1\n           no network"));
        assert!(shown.contains("to do:   connect and try again"));
    }
}

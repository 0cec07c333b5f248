//! Convergence of the real bridge and store with a simulated server under every fault
//! (realtime, section 7).

#[cfg(test)]
mod about;
#[cfg(test)]
mod answers;
#[cfg(test)]
mod client;
#[cfg(test)]
mod connection;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod floor;
#[cfg(test)]
mod house;
#[cfg(test)]
mod lab;
#[cfg(test)]
mod log;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod random;
#[cfg(test)]
mod rng;
#[cfg(test)]
mod scenario;
#[cfg(test)]
mod server;
#[cfg(test)]
mod setting;
#[cfg(test)]
mod traces;
#[cfg(test)]
mod traces_of_the_server;

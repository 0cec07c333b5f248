//! Convergence of the real bridge and store with a simulated server under every fault
//! (realtime, section 7).

#[cfg(test)]
mod answers;
#[cfg(test)]
mod client;
#[cfg(test)]
mod connection;
#[cfg(test)]
mod house;
#[cfg(test)]
mod lab;
#[cfg(test)]
mod random;
#[cfg(test)]
mod rng;
#[cfg(test)]
mod scenario;
#[cfg(test)]
mod server;
#[cfg(test)]
mod traces;

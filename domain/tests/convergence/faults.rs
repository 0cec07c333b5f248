//! What happens to one screen and its network.

use domain::bridge::Input;
use domain::stream::Scope;

use super::client::Client;
use super::rng::Rng;
use super::server::Server;
use super::setting::Action as A;

pub fn on_client(
    server: &mut Server,
    client: &mut Client,
    action: A,
    rng: &mut Rng,
) -> Result<(), String> {
    let connection = client.connection();
    match action {
        A::CommandAnswer => client.deliver_command(server)?,
        A::Pull => {
            for _ in 0..1 + rng.below(3) {
                connection.map_or(Ok(false), |at| server.pull(at))?;
            }
        }
        A::Heartbeat => {
            if let Some(at) = connection {
                server.heartbeat(at);
            }
        }
        A::Receive => drop(client.receive(server)?),
        A::ReceiveSome => {
            for _ in 0..5 {
                client.receive(server)?;
            }
        }
        A::Ticket => client.answer_ticket(server, true)?,
        A::TicketFails => client.answer_ticket(server, false)?,
        A::Serve => {
            let open: Vec<usize> = (0..client.pending.len())
                .filter(|at| client.pending[*at].answer.is_none())
                .collect();
            if let Some(at) = rng.pick(&open) {
                client.serve(server, *at);
            }
        }
        A::Deliver => {
            let ready: Vec<usize> = (0..client.pending.len())
                .filter(|at| client.pending[*at].answer.is_some())
                .collect();
            if let Some(at) = rng.pick(&ready) {
                client.deliver(server, *at, true)?;
            }
        }
        A::Fail if !client.pending.is_empty() => {
            let at = rng.below(client.pending.len());
            client.deliver(server, at, false)?;
        }
        A::Hang if !client.pending.is_empty() => {
            let at = rng.below(client.pending.len());
            client.pending.remove(at);
        }
        A::Drop | A::Mute => {
            if let Some(at) = connection {
                let connection = &mut server.connections[at];
                if action == A::Drop {
                    let left = rng.below(connection.wire.len() + 1);
                    connection.wire.truncate(left);
                    connection.dead = true;
                } else if !connection.dead {
                    // Silent: nothing more arrives, and no error either.
                    connection.mute();
                }
            }
        }
        A::Lose | A::Duplicate | A::Swap | A::Garble => {
            if let Some(at) = connection {
                server.connections[at].disturb(action, rng);
            }
        }
        A::Ghost => client.haunt(server)?,
        A::Navigate => {
            let more: Vec<Scope> = Scope::ALL
                .into_iter()
                .filter(|scope| !client.scopes.contains(scope))
                .collect();
            if let Some(scope) = rng.pick(&more) {
                client.use_scope(server, *scope)?;
            }
        }
        A::Resume => client.step(server, Input::Resume)?,
        A::ClockJump => {
            let by = [-3_600_000, -40_000, -3_000, 3_000, 40_000, 3_600_000];
            client.skew += by[rng.below(6)];
        }
        A::Settle => client.pump(server, true)?,
        _ => {}
    }
    Ok(())
}

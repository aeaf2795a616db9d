//! A host: vets a command line of bash, and runs it confined to a workspace. It is its own shim.
//!
//!     ZS_PREFIX=P cargo build --offline
//!     host /path/to/workspace 'make test 2>&1 | tail'
use std::env;
use std::error::Error;
use std::os::unix::process::ExitStatusExt;
use std::process::exit;

fn run(workspace: &str, text: &str) -> Result<i32, Box<dyn Error>> {
    let decision = zs::vet(text, zs::Profile::Strict);
    if !decision.allowed {
        eprintln!("blocked ({}): {}\nhint: {}", decision.code, decision.reason, decision.hint);
        return Ok(2);
    }
    let sandbox = zs::Sandbox::agent(workspace, env::vars_os())?;
    let status = sandbox.command(["bash", "-c", text], env::vars_os())?.status()?;
    Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}

fn main() {
    let words: Vec<String> = env::args().collect();
    if words.len() != 3 {
        eprintln!("usage: host WORKSPACE COMMAND-LINE");
        exit(64);
    }
    exit(run(&words[1], &words[2]).unwrap_or_else(|error| {
        eprintln!("{error}");
        125
    }));
}

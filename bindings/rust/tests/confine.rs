use std::env::{current_dir, vars_os};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::thread;

fn agent() -> zs::Sandbox {
    zs::Sandbox::agent(current_dir().unwrap(), vars_os()).unwrap()
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_command_keeps_what_it_was_given() {
    let mut plain = Command::new("sh");
    plain.args(["-c", "echo $LANG $LC_ALL; pwd"]).current_dir("/usr").env("LANG", "set").env_remove("LC_ALL");
    let mut env: Vec<(OsString, OsString)> = vars_os().collect();
    env.push(("LC_ALL".into(), "inherited".into()));
    assert_eq!(output(&mut agent().confine(&plain, env).unwrap()), "set\n/usr\n");
}

#[test]
fn an_empty_environment_stays_empty() {
    let mut confined = agent().command(["/usr/bin/env"], Vec::new()).unwrap();
    assert!(!output(&mut confined).contains("HOME="));
}

#[test]
fn nothing_starts_after_an_error() {
    let made = current_dir().unwrap().join("made-by-rust");
    let sandbox = agent();
    assert!(sandbox.command(["touch", made.to_str().unwrap(), "a\0b"], vars_os()).is_err());
    assert!(sandbox.command(["touch"], vec![("A".into(), "a\0b".into())]).is_err());
    assert!(sandbox.command(Vec::<String>::new(), vars_os()).is_err());
    assert!(!made.exists());
    let error = zs::Sandbox::agent("/no/where", vars_os()).err().unwrap();
    assert!(error.errno() == 2 && error.to_string().starts_with("zs: workspace: /no/where: "), "{error}");
    let error = zs::Sandbox::from_json("{\"version\": 1,\n\"pths\": []}", vars_os()).err().unwrap();
    assert!(error.to_string().contains("pths"), "{error}");
}

/// The command is a shell whose child holds the pipe too: the pipe ends when both have ended.
#[test]
fn kill_ends_all_that_runs() {
    let mut command = agent().command(["sh", "-c", "sleep 1000 & echo up; sleep 1000"], vars_os()).unwrap();
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    assert_eq!(line, "up\n");
    child.kill().unwrap();
    assert_eq!(lines.read_to_string(&mut line).unwrap(), 0);
    assert!(!child.wait().unwrap().success());
}

#[test]
fn threads_share_a_sandbox() {
    let sandbox = agent();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(output(&mut sandbox.command(["echo", "ok"], vars_os()).unwrap()), "ok\n"));
        }
    });
}

#[test]
fn vet_decides() {
    assert!(zs::vet("ls", zs::Profile::Verify).allowed);
    assert_eq!(zs::vet("rm -rf x", zs::Profile::Verify).code, "write");
    assert_eq!(zs::vet("cd x", zs::Profile::Strict).code, "cd");
    assert!(zs::vet("cd x", zs::Profile::Relaxed).allowed);
    assert!(!zs::vet(b"ls \0", zs::Profile::Strict).allowed);
    assert!(!zs::Decision::default().allowed);
}

//! Vets and confines the shell commands of an AI agent.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let sandbox = zs::Sandbox::agent("/home/me/project", std::env::vars_os())?;
//! if zs::vet("make test", zs::Profile::Strict).allowed {
//!     let status = sandbox.command(["bash", "-c", "make test"], std::env::vars_os())?.status()?;
//! }
//! # Ok(()) }
//! ```
//!
//! A confined command is this program, started again: an object that this crate links in enters zs's shim before Rust's
//! runtime has begun (zs_shim.h). This works in programs only. In a cdylib `command` fails.
use std::ffi::{CStr, CString, OsStr, OsString};
use std::fmt;
use std::mem::MaybeUninit;
use std::os::raw::c_char;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::ptr;

mod ffi;

/// Says why a policy was refused, or cannot be enforced on this machine. Nothing has run.
#[derive(Debug, Clone)]
pub struct Error {
    line: String,
    errno: i32,
}

impl Error {
    /// A positive errno.
    pub fn errno(&self) -> i32 {
        self.errno
    }
    fn invalid(line: &str) -> Error {
        Error { line: format!("zs: {line}"), errno: 22 }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.line)
    }
}

impl std::error::Error for Error {}

/// Calls a C function, which fills the error only on failure.
fn call(function: impl FnOnce(*mut ffi::Error) -> i32) -> Result<(), Error> {
    let mut cause = MaybeUninit::<ffi::Error>::zeroed();
    if function(cause.as_mut_ptr()) >= 0 {
        return Ok(());
    }
    let mut line = [0 as c_char; 2048];
    // SAFETY: it was filled, and zeroes are a valid one too; the line ends in NUL.
    unsafe {
        let cause = cause.assume_init();
        ffi::zs_error_format(&cause, line.as_mut_ptr(), line.len());
        Err(Error { line: CStr::from_ptr(line.as_ptr()).to_string_lossy().into_owned(), errno: cause.cause })
    }
}

/// Strings as execve(2) takes them. A NUL in a string would end it early, so it is an error.
struct Strings {
    pointers: Vec<*mut c_char>,
    _owned: Vec<CString>,
}

impl Strings {
    fn new(words: impl IntoIterator<Item = impl Into<Vec<u8>>>) -> Result<Strings, Error> {
        let owned = words.into_iter().map(text).collect::<Result<Vec<_>, _>>()?;
        let ends = std::iter::once(ptr::null_mut());
        let pointers = owned.iter().map(|word| word.as_ptr() as *mut c_char).chain(ends).collect();
        Ok(Strings { pointers, _owned: owned })
    }
    fn of_environment(env: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Strings, Error> {
        Strings::new(env.into_iter().map(|(mut name, value)| {
            name.push("=");
            name.push(value);
            name.into_vec()
        }))
    }
    fn as_ptr(&self) -> ffi::Strings {
        self.pointers.as_ptr()
    }
}

fn text(bytes: impl Into<Vec<u8>>) -> Result<CString, Error> {
    CString::new(bytes).map_err(|_| Error::invalid("there is a NUL in a word"))
}

/// SAFETY: C made the list: strings, and then NULL.
unsafe fn read_list(mut list: *const *mut c_char) -> Vec<OsString> {
    let mut words = Vec::new();
    while !(*list).is_null() {
        words.push(OsString::from_vec(CStr::from_ptr(*list).to_bytes().to_vec()));
        list = list.add(1);
    }
    words
}

/// A command, rewritten so that executing it starts it confined.
pub struct Wrapped {
    pub path: OsString,
    pub argv: Vec<OsString>,
    /// The whole environment, as "NAME=value".
    pub env: Vec<OsString>,
}

/// A policy that this machine can enforce. It never changes, and any thread may use it.
pub struct Sandbox {
    handle: *mut ffi::Sandbox,
}

// SAFETY: zs_sandbox.h: "a sandbox never changes after zs_sandbox_new() and may be shared freely".
unsafe impl Send for Sandbox {}
unsafe impl Sync for Sandbox {}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // SAFETY: this value owns it, and is being dropped.
        unsafe { ffi::zs_sandbox_free(self.handle) }
    }
}

impl Sandbox {
    /// The coding agent's preset: it may write the workspace (zs_policy_default).
    pub fn agent(
        workspace: impl AsRef<Path>,
        env: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Sandbox, Error> {
        Sandbox::preset(ffi::zs_policy_default, workspace.as_ref(), Strings::of_environment(env)?)
    }

    /// The same, but leaves the workspace unchanged (zs_policy_verify).
    pub fn verify(
        workspace: impl AsRef<Path>,
        env: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Sandbox, Error> {
        Sandbox::preset(ffi::zs_policy_verify, workspace.as_ref(), Strings::of_environment(env)?)
    }

    /// Reads a policy as strictly as `zs run --policy` does (zs_policy_from_json). "~" is HOME of env.
    pub fn from_json(policy: &str, env: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Sandbox, Error> {
        let env = Strings::of_environment(env)?;
        // SAFETY: C reads only this many bytes of the text, and only during the call.
        Sandbox::new(|made, e| unsafe {
            ffi::zs_policy_from_json(policy.as_ptr().cast(), policy.len(), env.as_ptr(), made, e)
        })
    }

    fn preset(preset: ffi::Preset, workspace: &Path, env: Strings) -> Result<Sandbox, Error> {
        let workspace = text(workspace.as_os_str().as_bytes())?;
        // SAFETY: both are copied.
        Sandbox::new(|made, e| unsafe { preset(workspace.as_ptr(), env.as_ptr(), made, e) })
    }

    fn new(build: impl FnOnce(*mut *mut ffi::Policy, *mut ffi::Error) -> i32) -> Result<Sandbox, Error> {
        let mut policy = ptr::null_mut();
        let mut handle = ptr::null_mut();
        call(|e| build(&mut policy, e))?;
        // SAFETY: the policy was made, and zs_sandbox_new() copies it.
        let made = call(|e| unsafe { ffi::zs_sandbox_new(policy, &mut handle, e) });
        unsafe { ffi::zs_policy_free(policy) };
        made.map(|()| Sandbox { handle })
    }

    /// Rewrites a command for any call that takes path, argv and environment. argv\[0\] is the program.
    pub fn wrap(
        &self,
        argv: impl IntoIterator<Item = impl AsRef<OsStr>>,
        env: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Wrapped, Error> {
        let argv = Strings::new(argv.into_iter().map(|word| word.as_ref().as_bytes().to_vec()))?;
        let env = Strings::of_environment(env)?;
        let mut wrapped = MaybeUninit::<ffi::Wrapped>::zeroed();
        call(|e| unsafe { ffi::zs_wrap(self.handle, argv.as_ptr(), env.as_ptr(), wrapped.as_mut_ptr(), e) })?;
        // SAFETY: it was filled; its lists are copied before they are freed.
        unsafe {
            let mut wrapped = wrapped.assume_init();
            let copy = Wrapped {
                path: OsString::from_vec(CStr::from_ptr(wrapped.path).to_bytes().to_vec()),
                argv: read_list(wrapped.argv),
                env: read_list(wrapped.envp),
            };
            ffi::zs_wrapped_free(&mut wrapped);
            Ok(copy)
        }
    }

    /// A command that runs confined. Set its working directory and standard streams as you like. Its environment is the
    /// part of `env` that the policy lets pass. Do not add arguments to it: its words follow the shim's own.
    /// `Child::kill` ends every process that it has started.
    pub fn command(
        &self,
        argv: impl IntoIterator<Item = impl AsRef<OsStr>>,
        env: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Command, Error> {
        let wrapped = self.wrap(argv, env)?;
        let mut command = Command::new(&wrapped.path);
        command.arg0(&wrapped.argv[0]).args(&wrapped.argv[1..]).env_clear();
        for entry in &wrapped.env {
            let bytes = entry.as_bytes();
            let equals = bytes.iter().position(|&byte| byte == b'=');
            // execve(2) accepts an entry without "=", and std does not. No getenv(3) finds such an entry.
            if let Some(at) = equals.filter(|&at| at > 0) {
                command.env(OsStr::from_bytes(&bytes[..at]), OsStr::from_bytes(&bytes[at + 1..]));
            }
        }
        Ok(command)
    }

    /// The same for a command that you have made: takes its program, arguments and working directory, and the variables
    /// that it sets and removes on top of `env`. Rust does not tell whether its environment was cleared: then give an
    /// empty `env`. Rust does not tell its standard streams either: set them on the result.
    pub fn confine(
        &self,
        command: &Command,
        env: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Command, Error> {
        let mut env: Vec<(OsString, OsString)> = env.into_iter().collect();
        for (name, value) in command.get_envs() {
            env.retain(|(other, _)| other != name);
            env.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        }
        let mut confined = self.command(std::iter::once(command.get_program()).chain(command.get_args()), env)?;
        if let Some(folder) = command.get_current_dir() {
            confined.current_dir(folder);
        }
        Ok(confined)
    }
}

/// The rules by which `vet` blocks: see zs_shellpolicy.h.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Profile {
    Strict = 0,
    Relaxed = 1,
    Verify = 2,
    Guard = 3,
}

/// The first wall's answer to a command line. The default value blocks.
#[derive(Debug, Clone, Default)]
pub struct Decision {
    pub allowed: bool,
    /// These three are empty if the text is allowed.
    pub code: String,
    pub reason: String,
    pub hint: String,
}

/// Reads bash and decides. A text that cannot be read is blocked.
pub fn vet(text: impl AsRef<[u8]>, profile: Profile) -> Decision {
    let text = text.as_ref();
    let options = ffi::VetOptions {
        profile: profile as i32,
        shell: 0,
        block_unknown: false,
        workspace: std::ptr::null(),
        folder: std::ptr::null(),
        home: std::ptr::null(),
        rules: std::ptr::null(),
        rule_count: 0,
    };
    // SAFETY: a report is never NULL, nor are its strings, which live as long as the vetter.
    unsafe {
        let own = |string| CStr::from_ptr(string).to_string_lossy().into_owned();
        let vetter = ffi::zs_vetter_new();
        let report = &*ffi::zs_vet(vetter, text.as_ptr().cast(), text.len(), &options);
        let decision = if report.verdict == ffi::ZS_ALLOW {
            Decision { allowed: true, ..Decision::default() }
        } else {
            Decision {
                allowed: false,
                code: own(ffi::zs_risk_name(report.code)),
                reason: own(report.reason),
                hint: own(report.hint),
            }
        };
        ffi::zs_vetter_free(vetter);
        decision
    }
}

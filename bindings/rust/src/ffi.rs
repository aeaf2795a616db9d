//! The functions of zs_sandbox.h, zs_shim.h and zs_shellpolicy.h that lib.rs calls.
use std::os::raw::{c_char, c_int, c_void};

/// An opaque struct of C.
macro_rules! opaque {
    ($($name:ident),*) => { $(#[repr(C)] pub struct $name { _private: [u8; 0] })* };
}
opaque!(Policy, Sandbox, Vetter);

#[repr(C)]
pub struct Error {
    pub step: *const c_char,
    pub cause: c_int,
    pub object: [c_char; 512],
    pub what: [c_char; 256],
    pub hint: [c_char; 384],
}

#[repr(C)]
pub struct Wrapped {
    pub path: *const c_char,
    pub argv: *mut *mut c_char,
    pub envp: *mut *mut c_char,
    pub storage: *mut c_void,
}

#[repr(C)]
pub struct VetOptions {
    pub profile: c_int,
    pub shell: c_int,
    pub block_unknown: bool,
    pub workspace: *const c_char,
    pub folder: *const c_char,
    pub home: *const c_char,
    pub rules: *const c_void,
    pub rule_count: u32,
}

/// The first fields of the struct: zs makes reports, and this crate only reads them.
#[repr(C)]
pub struct Report {
    pub verdict: c_int,
    pub code: c_int,
    pub reason: *const c_char,
    pub hint: *const c_char,
}

pub const ZS_ALLOW: c_int = 1;

pub type Strings = *const *mut c_char;
pub type Preset = unsafe extern "C" fn(*const c_char, Strings, *mut *mut Policy, *mut Error) -> c_int;

extern "C" {
    pub fn zs_error_format(error: *const Error, buffer: *mut c_char, size: usize) -> usize;
    pub fn zs_policy_default(workspace: *const c_char, env: Strings, policy: *mut *mut Policy, e: *mut Error) -> c_int;
    pub fn zs_policy_verify(workspace: *const c_char, env: Strings, policy: *mut *mut Policy, e: *mut Error) -> c_int;
    pub fn zs_policy_from_json(
        text: *const c_char,
        len: usize,
        env: Strings,
        policy: *mut *mut Policy,
        e: *mut Error,
    ) -> c_int;
    pub fn zs_policy_free(policy: *mut Policy);
    pub fn zs_sandbox_new(policy: *const Policy, sandbox: *mut *mut Sandbox, e: *mut Error) -> c_int;
    pub fn zs_sandbox_free(sandbox: *mut Sandbox);
    pub fn zs_wrap(
        sandbox: *const Sandbox,
        argv: Strings,
        env: Strings,
        wrapped: *mut Wrapped,
        e: *mut Error,
    ) -> c_int;
    pub fn zs_wrapped_free(wrapped: *mut Wrapped);
    pub fn zs_vetter_new() -> *mut Vetter;
    pub fn zs_vetter_free(vetter: *mut Vetter);
    pub fn zs_vet(vetter: *mut Vetter, text: *const c_char, len: usize, options: *const VetOptions) -> *const Report;
    pub fn zs_risk_name(risk: c_int) -> *const c_char;
}

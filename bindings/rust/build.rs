//! Finds zs where `./zigw build install --prefix P` put it: ZS_PREFIX=P, or by pkg-config.
use std::env;
use std::path::PathBuf;
use std::process::Command;

fn find_libraries() -> PathBuf {
    if let Some(prefix) = env::var_os("ZS_PREFIX") {
        return PathBuf::from(prefix).join("lib");
    }
    let found = Command::new("pkg-config").args(["--variable=libdir", "zs-host"]).output();
    match found {
        Ok(output) if output.status.success() => {
            PathBuf::from(String::from_utf8(output.stdout).expect("libdir is UTF-8").trim_end())
        }
        Ok(output) => panic!("set ZS_PREFIX, or PKG_CONFIG_PATH: {}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => panic!("set ZS_PREFIX to where zs is installed: pkg-config: {error}"),
    }
}

fn main() {
    for name in ["ZS_PREFIX", "PKG_CONFIG_PATH"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    let folder = find_libraries();
    for archive in ["libzs_shim_constructor.a", "libzs_sandbox.a", "libzs_shellpolicy.a"] {
        let path = folder.join(archive);
        assert!(path.exists(), "{} is not there: ./zigw build install --prefix P", path.display());
        println!("cargo:rerun-if-changed={}", path.display());
    }
    println!("cargo:rustc-link-search=native={}", folder.display());
    // Links the whole archive: its object enters the shim before main, and nothing refers to it.
    println!("cargo:rustc-link-lib=static:-bundle,+whole-archive=zs_shim_constructor");
    println!("cargo:rustc-link-lib=static:-bundle=zs_sandbox");
    println!("cargo:rustc-link-lib=static:-bundle=zs_shellpolicy");
}

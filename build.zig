//! Builds the zs program, its libraries and their tests. Run it as ./zigw build: zigw knows where the pinned
//! C libraries are.
const std = @import("std");
const builtin = @import("builtin");
const Build = std.Build;
const Compile = Build.Step.Compile;

const version = @import("build.zig.zon").version;

const warnings = [_][]const u8{
    "-std=c11",             "-Wall",           "-Wextra", "-Wshadow",
    "-Wswitch-enum",        "-Wconversion",    "-Wvla",   "-Wstrict-prototypes",
    "-Wmissing-prototypes", "-Wpointer-arith", "-Wundef", "-Wwrite-strings",
    "-Werror",
};
/// Our code is clean under `warnings`; other people's is compiled as they left it.
const third_party = [_][]const u8{ "-std=c11", "-w", "-fvisibility=hidden" };

/// A static musl binary runs on every Linux; the baseline CPU, since a release is not for the build machine.
const default_target: std.Target.Query = if (builtin.os.tag == .linux)
    .{ .cpu_arch = builtin.cpu.arch, .os_tag = .linux, .abi = .musl, .cpu_model = .baseline }
else
    .{};

const release_targets = [_][]const u8{ "x86_64-linux-musl", "aarch64-linux-musl", "x86_64-macos", "aarch64-macos" };

const Sanitize = enum { none, undefined, all };

/// The pinned sources that zigw fetched, and what is compiled of them.
const Sources = struct {
    tree_sitter: Build.LazyPath,
    tree_sitter_bash: Build.LazyPath,
    yyjson: Build.LazyPath,
    llhttp: Build.LazyPath,
    compiled: *std.StringHashMap(*Compile),

    fn init(b: *Build) ?Sources {
        const path = struct {
            fn option(owner: *Build, name: []const u8, text: []const u8) ?Build.LazyPath {
                return if (owner.option([]const u8, name, text)) |p| .{ .cwd_relative = p } else null;
            }
        }.option;
        const tree_sitter = path(b, "tree-sitter", "tree-sitter's lib folder (set by zigw)");
        const tree_sitter_bash = path(b, "tree-sitter-bash", "tree-sitter-bash's src folder (set by zigw)");
        const yyjson = path(b, "yyjson", "the folder of yyjson.c (set by zigw)");
        const llhttp = path(b, "llhttp", "llhttp's folder (set by zigw)");
        const compiled = b.allocator.create(std.StringHashMap(*Compile)) catch @panic("OOM");
        compiled.* = .init(b.allocator);
        return .{
            .compiled = compiled,
            .tree_sitter = tree_sitter orelse return null,
            .tree_sitter_bash = tree_sitter_bash orelse return null,
            .yyjson = yyjson orelse return null,
            .llhttp = llhttp orelse return null,
        };
    }
};

/// One way to compile everything: a target, an optimisation and a set of sanitizers.
const Variant = struct {
    b: *Build,
    sources: Sources,
    target: Build.ResolvedTarget,
    optimize: std.builtin.OptimizeMode,
    sanitize: Sanitize = .none,
    /// Path of the ASan runtime; Zig ships none.
    asan_runtime: ?[]const u8 = null,
    /// zs's own code reports which ways through it are taken (tests/fuzz/guided.c).
    coverage: bool = false,
    /// For hosts to link: only what a public header declares is seen from outside of a shared library.
    exports: bool = false,

    fn module(v: Variant) *Build.Module {
        const m = v.b.createModule(.{
            .target = v.target,
            .optimize = v.optimize,
            .link_libc = true,
            .pic = true, // a distribution's cc links position-independent programs
            .strip = v.optimize != .Debug and v.sanitize == .none,
            .sanitize_c = if (v.sanitize == .none) .off else .full,
        });
        for ([_][]const u8{ "shellpolicy", "sandbox", "shim", "cmd", "tests" }) |root|
            m.addIncludePath(v.b.path(root));
        m.addAfterIncludePath(v.sources.yyjson); // there is a memory.h in it as well, which is not libc's
        m.addIncludePath(v.sources.llhttp.path(v.b, "include"));
        m.addIncludePath(v.sources.tree_sitter.path(v.b, "include"));
        m.addCMacro("ZS_VERSION", "\"" ++ version ++ "\"");
        switch (v.target.result.os.tag) {
            .linux => m.addCMacro("_GNU_SOURCE", "1"),
            .macos => m.addCMacro("_DARWIN_C_SOURCE", "1"),
            else => {},
        }
        return m;
    }

    /// For our own files: of third-party code the coverage does not count.
    fn guarded(v: Variant) []const []const u8 {
        if (!v.coverage) return v.flags(&warnings);
        const guards = [_][]const u8{"-fsanitize-coverage=trace-pc-guard"};
        return v.flags(std.mem.concat(v.b.allocator, []const u8, &.{ &warnings, &guards }) catch @panic("OOM"));
    }

    fn flags(v: Variant, own: []const []const u8) []const []const u8 {
        if (v.exports)
            return std.mem.concat(v.b.allocator, []const u8, &.{ own, &.{"-fvisibility=hidden"} }) catch @panic("OOM");
        if (v.sanitize != .all) return own;
        const address = [_][]const u8{ "-fsanitize=address", "-fno-omit-frame-pointer" };
        return std.mem.concat(v.b.allocator, []const u8, &.{ own, &address }) catch @panic("OOM");
    }

    /// The C files of a folder and of the rooms below it.
    fn addFolder(v: Variant, m: *Build.Module, folder: []const u8, except: []const []const u8) void {
        m.addCSourceFiles(.{
            .root = v.b.path(folder),
            .files = cFiles(v.b, folder, except),
            .flags = v.guarded(),
        });
    }

    fn library(v: Variant, name: []const u8, linkage: std.builtin.LinkMode) *Compile {
        const lib = v.b.addLibrary(.{
            .name = name,
            .linkage = linkage,
            .root_module = v.module(),
            .version = if (linkage == .dynamic) std.SemanticVersion.parse(version) catch unreachable else null,
        });
        lib.bundle_ubsan_rt = false;
        if (linkage == .static) {
            lib.bundle_compiler_rt = false;
        } else if (v.target.result.ofmt == .elf) {
            // tree-sitter's own headers make its symbols visible.
            const symbols = "ZS_0 { global: zs_*; local: *; };\n";
            lib.setVersionScript(v.b.addWriteFiles().add("symbols.map", symbols));
            lib.linker_allow_shlib_undefined = false;
        }
        return lib;
    }

    fn shellpolicy(v: Variant, linkage: std.builtin.LinkMode) *Compile {
        const lib = v.library("zs_shellpolicy", linkage);
        const own = shellpolicyFiles(v.b, .engine);
        lib.root_module.addCSourceFiles(.{ .root = v.b.path("shellpolicy"), .files = own, .flags = v.guarded() });
        v.addParser(lib.root_module);
        lib.root_module.addCSourceFile(.{ .file = v.packedRows(), .flags = v.flags(&warnings) });
        return lib;
    }

    /// The tables of rows and their index, as C: made on this machine, whatever zs is built for.
    fn packedRows(v: Variant) Build.LazyPath {
        const b = v.b;
        const host = Variant{
            .b = b,
            .sources = v.sources,
            .target = b.resolveTargetQuery(default_target),
            .optimize = .Debug,
        };
        const make = b.addExecutable(.{ .name = "make-rows", .root_module = host.module() });
        make.root_module.addCSourceFile(.{ .file = b.path("shellpolicy/rows/index/make.c"), .flags = &warnings });
        host.addTables(make.root_module);
        return b.addRunArtifact(make).addOutputFileArg("rows_packed.c");
    }

    /// The tables of rows as they are written.
    fn addTables(v: Variant, m: *Build.Module) void {
        const files = shellpolicyFiles(v.b, .tables);
        m.addCSourceFiles(.{ .root = v.b.path("shellpolicy"), .files = files, .flags = v.flags(&warnings) });
    }

    /// tree-sitter's core, the bash grammar's tables and its scanner.
    fn addParser(v: Variant, m: *Build.Module) void {
        // Inside tree-sitter every allocation comes from the vetter's arena (shellpolicy/read/parse_arena.h).
        const arena = [_][]const u8{
            "-Dts_malloc=zs_parse_malloc",   "-Dts_calloc=zs_parse_calloc",
            "-Dts_realloc=zs_parse_realloc", "-Dts_free=zs_parse_free",
            "-include",                      v.b.pathFromRoot("shellpolicy/read/parse_arena.h"),
        };
        v.addThirdParty(m, v.sources.tree_sitter.path(v.b, "src/lib.c"), &arena);
        v.addThirdParty(m, v.sources.tree_sitter_bash.path(v.b, "parser.c"), &.{});
        v.addThirdParty(m, v.b.path("shellpolicy/grammar/scanner_ascii.c"), &arena);
    }

    /// A file of other people's, which is compiled once for a target and a mode, whatever is linked of it.
    fn addThirdParty(v: Variant, m: *Build.Module, file: Build.LazyPath, more: []const []const u8) void {
        const b = v.b;
        const target = v.target.result;
        const key = b.fmt("{s} {s} {s} {any} {t} {t}", .{
            file.getDisplayName(),    target.zigTriple(b.allocator) catch @panic("OOM"), target.cpu.model.name,
            target.cpu.features.ints, v.optimize,                                        v.sanitize,
        });
        const known = v.sources.compiled.getOrPut(key) catch @panic("OOM");
        if (!known.found_existing) {
            const own = std.mem.concat(b.allocator, []const u8, &.{ &third_party, more }) catch @panic("OOM");
            const name = std.fs.path.stem(file.getDisplayName());
            const object = b.addObject(.{ .name = name, .root_module = v.module() });
            object.root_module.addIncludePath(v.sources.tree_sitter.path(b, "src"));
            object.root_module.addIncludePath(v.sources.tree_sitter_bash);
            object.root_module.addCSourceFile(.{ .file = file, .flags = v.flags(own) });
            known.value_ptr.* = object;
        }
        m.addObject(known.value_ptr.*);
    }

    fn sandbox(v: Variant, linkage: std.builtin.LinkMode) *Compile {
        const lib = v.library("zs_sandbox", linkage);
        const m = lib.root_module;
        v.addFolder(m, "sandbox", v.otherSystems());
        v.addFolder(m, "shim", v.otherSystems());
        // Overlays and sessions are Linux's.
        if (v.target.result.os.tag == .macos)
            m.addCSourceFiles(.{
                .root = v.b.path("."),
                .files = &.{
                    "sandbox/none/not_linux.c", "shim/none/session.c", "shim/none/named_session.c", "shim/none/box.c",
                },
                .flags = v.flags(&warnings),
            });
        v.addThirdParty(m, v.sources.yyjson.path(v.b, "yyjson.c"), &.{});
        for ([_][]const u8{ "api.c", "http.c", "llhttp.c" }) |name|
            v.addThirdParty(m, v.sources.llhttp.path(v.b, v.b.fmt("src/{s}", .{name})), &.{});
        return lib;
    }

    /// Paths that begin so, below sandbox/ and shim/, are not this system's.
    fn otherSystems(v: Variant) []const []const u8 {
        return switch (v.target.result.os.tag) {
            .linux => &.{ "darwin/", "none/", "proxy/plain/", "constructor.c" },
            .macos => &.{ "linux/", "none/", "proxy/linux/", "constructor.c" },
            else => &.{ "linux/", "darwin/", "proxy/", "constructor.c" },
        };
    }

    /// For hosts with threads before main: linking this object calls the shim from a constructor. As an archive too,
    /// of which rustc takes the whole.
    fn constructor(v: Variant) [2]*Compile {
        const name = "zs_shim_constructor";
        const object = v.b.addObject(.{ .name = name, .root_module = v.module() });
        const both = [2]*Compile{ object, v.library(name, .static) };
        for (both) |one|
            one.root_module.addCSourceFile(.{ .file = v.b.path("shim/constructor.c"), .flags = v.flags(&warnings) });
        return both;
    }

    fn executable(v: Variant, name: []const u8, libraries: Libraries) *Compile {
        const exe = v.b.addExecutable(.{ .name = name, .root_module = v.module() });
        exe.pie = true;
        if (v.asan_runtime) |path| exe.root_module.addObjectFile(.{ .cwd_relative = path });
        exe.root_module.linkLibrary(libraries.shellpolicy);
        exe.root_module.linkLibrary(libraries.sandbox);
        return exe;
    }

    fn zs(v: Variant, libraries: Libraries) *Compile {
        const exe = v.executable("zs", libraries);
        v.addFolder(exe.root_module, "cmd", &.{});
        return exe;
    }

    /// zs with an allocator that counts and can fail (tests/allocations.c), or null where musl's cannot be replaced.
    fn counted(v: Variant, libraries: Libraries) ?*Compile {
        if (v.target.result.abi != .musl) return null;
        const exe = v.executable("zs-counted", libraries);
        v.addFolder(exe.root_module, "cmd", &.{});
        exe.root_module.addCSourceFile(.{ .file = v.b.path("tests/allocations.c"), .flags = v.flags(&warnings) });
        return exe;
    }

    /// zs with the proxy's parts of other systems: what an executable has already is not taken out of an archive.
    fn plainProxy(v: Variant, libraries: Libraries) *Compile {
        const exe = v.executable("zs-plain-proxy", libraries);
        // Before anything that asks the archive for them.
        const plain = v.b.path("sandbox/proxy/plain/proxy_system.c");
        exe.root_module.addCSourceFile(.{ .file = plain, .flags = v.flags(&warnings) });
        v.addFolder(exe.root_module, "cmd", &.{});
        return exe;
    }

    /// A client of the end-to-end tests that links nothing of ours, and of libc no resolver.
    fn blind(v: Variant) *Compile {
        const exe = v.b.addExecutable(.{ .name = "blind", .root_module = v.module() });
        exe.root_module.addCSourceFile(.{ .file = v.b.path("tests/e2e/blind.c"), .flags = v.flags(&warnings) });
        return exe;
    }

    fn libs(v: Variant) Libraries {
        return .{ .shellpolicy = v.shellpolicy(.static), .sandbox = v.sandbox(.static) };
    }
};

const Libraries = struct { shellpolicy: *Compile, sandbox: *Compile };

/// Every C file in a folder and below it, sorted: a file belongs to the product by standing there. Left out: paths,
/// relative to the folder, that begin with one of `except`.
fn cFiles(b: *Build, folder: []const u8, except: []const []const u8) []const []const u8 {
    var files = std.array_list.Managed([]const u8).init(b.allocator);
    var dir = b.build_root.handle.openDir(folder, .{ .iterate = true }) catch return &.{};
    defer dir.close();
    var walker = dir.walk(b.allocator) catch @panic("OOM");
    defer walker.deinit();
    next: while (walker.next() catch @panic("cannot list a source folder")) |entry| {
        if (entry.kind == .directory or !std.mem.endsWith(u8, entry.path, ".c")) continue;
        for (except) |beginning|
            if (std.mem.startsWith(u8, entry.path, beginning)) continue :next;
        files.append(b.dupe(entry.path)) catch @panic("OOM");
    }
    std.mem.sort([]const u8, files.items, {}, struct {
        fn lessThan(_: void, x: []const u8, y: []const u8) bool {
            return std.mem.lessThan(u8, x, y);
        }
    }.lessThan);
    return files.items;
}

/// In shellpolicy/, rows/rows_*.c are tables, which zs has in the form that rows/index/make.c gives them. The scanner
/// is compiled with the grammar.
fn shellpolicyFiles(b: *Build, part: enum { engine, tables }) []const []const u8 {
    var files = std.array_list.Managed([]const u8).init(b.allocator);
    for (cFiles(b, "shellpolicy", &.{ "rows/index/", "grammar/" })) |path|
        if (std.mem.startsWith(u8, path, "rows/rows_") == (part == .tables)) files.append(path) catch @panic("OOM");
    return files.items;
}

/// Folders of tests/ that hold C files: each is one test program of its module.
const test_modules = [_][]const u8{ "shellpolicy", "sandbox", "cmd" };

pub fn build(b: *Build) void {
    const target = b.standardTargetOptions(.{ .default_target = default_target });
    const optimize = b.option(std.builtin.OptimizeMode, "optimize", "of zs (default: ReleaseFast)") orelse .ReleaseFast;
    const sanitize = b.option(Sanitize, "sanitize", "of the unit tests (default: undefined)") orelse .undefined;
    const asan_runtime = b.option([]const u8, "asan-runtime", "for -Dsanitize=all: path of libasan.so");
    const sources = Sources.init(b) orelse {
        const missing = b.addFail("the pinned sources are not there: run ./zigw build instead of zig build");
        b.getInstallStep().dependOn(&missing.step);
        const steps = [_][]const u8{
            "demo",  "test", "test-all", "bench",     "fuzz",       "fuzz-vet",  "fuzz-net",   "fuzz-install", "run",
            "cross", "docs", "package",  "test-real", "test-learn", "test-rows", "test-truth", "test-fleet",   "vm",
        };
        for (steps) |name|
            b.step(name, "needs ./zigw").dependOn(&missing.step);
        return;
    };

    const release = Variant{ .b = b, .sources = sources, .target = target, .optimize = optimize };
    const checked = Variant{
        .b = b,
        .sources = sources,
        .target = if (sanitize == .all) asanTarget(b) else target,
        .optimize = .Debug,
        .sanitize = sanitize,
        .asan_runtime = if (sanitize == .all) asan_runtime orelse "-Dasan-runtime is missing" else null,
    };
    const libraries = release.libs();
    const zs = release.zs(libraries);
    const checked_libraries = checked.libs();

    addInstall(.{
        .b = b,
        .sources = sources,
        .target = hostTarget(b, target),
        .optimize = optimize,
        .exports = true,
    }, zs);
    addRun(b, zs);
    addTests(checked, checked_libraries, .{
        .zs = zs,
        .counted = release.counted(libraries),
        .blind = release.blind(),
        .plain_proxy = release.plainProxy(libraries),
    });
    addFuzz(checked, checked_libraries, release, libraries);
    addBench(release, libraries, zs);
    const programs = addCross(b, sources);
    const share = addShare(release, zs);
    b.installDirectory(.{ .source_dir = share, .install_dir = .prefix, .install_subdir = "share" });
    addPackage(b, share, programs);
    addVm(b, sources);

    const docs = script(b, "docs/generate.py");
    docs.addArtifactArg(zs);
    b.step("docs", "write docs/ from the tables of commands and settings").dependOn(&docs.step);

    const fmt = script(b, "tests/fmt_check.py");
    fmt.addArg(b.graph.zig_exe);
    b.step("fmt-check", "are the sources formatted? (needs clang-format)").dependOn(&fmt.step);
}

fn addRun(b: *Build, zs: *Compile) void {
    const run = b.addRunArtifact(zs);
    if (b.args) |args| run.addArgs(args);
    b.step("run", "run zs: ./zigw build run -- vet -c 'ls'").dependOn(&run.step);

    const demo = script(b, "tests/demo/demo.py");
    demo.addArtifactArg(zs);
    demo.addArg(b.graph.zig_exe);
    b.step("demo", "replay an agent's session through both walls").dependOn(&demo.step);

    const real = script(b, "tests/e2e/harness.py");
    real.addFileArg(b.path("tests/e2e/online_work.py"));
    real.addPrefixedArtifactArg("--zs=", zs);
    if (b.args) |args| real.addArgs(args);
    b.step("test-real", "real work with package registries, as root and as a user").dependOn(&real.step);

    const learn = script(b, "tests/e2e/harness.py");
    learn.addFileArg(b.path("tests/e2e/learn_builds.py"));
    learn.addPrefixedArtifactArg("--zs=", zs);
    learn.setEnvironmentVariable("ZS_TEST_ZIG", b.graph.zig_exe);
    if (b.args) |args| learn.addArgs(args);
    b.step("test-learn", "zs learn on the builds of twelve tools").dependOn(&learn.step);

    const fleet = script(b, "tests/fleet.py");
    fleet.addArtifactArg(zs);
    if (b.args) |args| fleet.addArgs(args);
    b.step("test-fleet", "2,000 boxes over a local cluster of Ray, of which a node dies").dependOn(&fleet.step);

    const rows = script(b, "tests/rows/run.py");
    rows.addPrefixedArtifactArg("--zs=", zs);
    if (b.args) |args| rows.addArgs(args);
    b.step("test-rows", "the table of commands against the programs of this machine").dependOn(&rows.step);

    const truth = script(b, "tests/rows/truth.py");
    truth.addPrefixedArtifactArg("--zs=", zs);
    if (b.args) |args| truth.addArgs(args);
    b.step("test-truth", "what zs says of 2,800 commands against what they do").dependOn(&truth.step);
}

/// The programs that tests run: zs, also with an allocator that fails or another proxy, and a client of a network.
const Programs = struct { zs: *Compile, counted: ?*Compile, blind: *Compile, plain_proxy: *Compile };

/// The tests read the paths in their environment.
fn addPrograms(b: *Build, run: *Build.Step.Run, programs: Programs) void {
    run.setEnvironmentVariable("ZS_TEST_ZS", b.getInstallPath(.bin, "zs"));
    run.step.dependOn(b.getInstallStep());
    addProgram(b, run, programs.blind, "ZS_TEST_BLIND");
    addProgram(b, run, programs.plain_proxy, "ZS_TEST_PLAIN_PROXY");
    if (programs.counted) |counted| addProgram(b, run, counted, "ZS_TEST_COUNTED_ZS");
}

fn addProgram(b: *Build, run: *Build.Step.Run, program: *Compile, variable: []const u8) void {
    const folder: Build.Step.InstallArtifact.Options.Dir = .{ .override = .{ .custom = "test" } };
    const install = b.addInstallArtifact(program, .{ .dest_dir = folder });
    run.step.dependOn(&install.step);
    run.setEnvironmentVariable(variable, b.getInstallPath(.{ .custom = "test" }, program.out_filename));
}

fn addTests(v: Variant, libraries: Libraries, programs: Programs) void {
    const b = v.b;
    const zs = programs.zs;
    const units = script(b, "tests/run.py");
    addPrograms(b, units, programs);
    const quick = script(b, "tests/run.py");
    const all = script(b, "tests/run.py");
    all.addArg("--all");
    const both = [_]*Build.Step.Run{ quick, all };
    for (both) |run| {
        run.addPrefixedArtifactArg("--zs=", zs);
        run.addArg(b.fmt("--zig={s}", .{b.graph.zig_exe}));
        run.addArg(b.fmt("--prefix={s}", .{b.install_path}));
        addPrograms(b, run, programs);
        if (b.args) |args| for (args) |arg| run.addArg(b.fmt("--only={s}", .{arg}));
    }
    for (test_modules) |module| {
        const exe = addUnits(v, libraries, module);
        for ([_]*Build.Step.Run{ units, quick, all }) |run| run.addPrefixedArtifactArg("--unit=", exe);
        const alone = b.addRunArtifact(exe);
        if (b.args) |args| alone.addArgs(args);
        alone.stdio = .inherit;
        addPrograms(b, alone, programs);
        const text = b.fmt("only the unit tests of {s}", .{module});
        b.step(b.fmt("test-{s}", .{module}), text).dependOn(&alone.step);
        if (std.mem.eql(u8, module, "sandbox")) addInject(b, exe, programs);
    }
    b.step("test-units", "the unit tests alone, as this user: for -Dsanitize=all").dependOn(&units.step);
    b.step("test", "units, then zs against the real kernel: all but the slow tests").dependOn(&quick.step);
    b.step("test-all", "every test, also those that take minutes").dependOn(&all.step);
}

/// The unit tests of a module.
fn addUnits(v: Variant, libraries: Libraries, module: []const u8) *Compile {
    const exe = v.executable(v.b.fmt("test-{s}", .{module}), libraries);
    if (std.mem.eql(u8, module, "sandbox")) addFailing(v, exe.root_module);
    exe.root_module.addCSourceFile(.{ .file = v.b.path("tests/check.c"), .flags = v.flags(&warnings) });
    v.addFolder(exe.root_module, v.b.fmt("tests/{s}", .{module}), &.{});
    if (std.mem.eql(u8, module, "shellpolicy")) v.addTables(exe.root_module);
    if (std.mem.eql(u8, module, "sandbox")) addPrinters(v, exe.root_module);
    if (std.mem.eql(u8, module, "cmd")) addHookReader(v, exe.root_module);
    return exe;
}

/// The generator of profiles once more, with memory that fails when a test wants it to. Each behind what it calls, and
/// all before anything else, so that nothing asks the archive for them.
fn addFailing(v: Variant, m: *Build.Module) void {
    const header = v.b.pathFromRoot("tests/sandbox/failing_memory.h");
    const memory = [_][]const u8{ "-DFAILING_MEMORY", "-include", header };
    const own = std.mem.concat(v.b.allocator, []const u8, &.{ &warnings, &memory }) catch @panic("OOM");
    const files = v.b.dupeStrings(&.{
        "base/path.c",      "seatbelt/place.c",   "seatbelt/writer.c",  "seatbelt/spelling.c", "seatbelt/base.c",
        "seatbelt/trees.c", "seatbelt/network.c", "seatbelt/profile.c",
    });
    m.addCSourceFiles(.{ .root = v.b.path("sandbox"), .files = files, .flags = v.flags(own) });
}

/// The part that prints an overlay's changes: its tests give the patch to git.
fn addPrinters(v: Variant, m: *Build.Module) void {
    const files = v.b.dupeStrings(&.{
        "run/changes.c", "run/patch.c", "base/diff.c", "base/json.c", "base/message.c",
    });
    m.addCSourceFiles(.{ .root = v.b.path("cmd"), .files = files, .flags = v.flags(&warnings) });
}

/// The part that reads the events of agents.
fn addHookReader(v: Variant, m: *Build.Module) void {
    const files = v.b.dupeStrings(&.{
        "agent/agent.c", "hook/hook_confine.c", "hook/hook_event.c", "hook/hook_shape.c",
        "base/json.c",   "base/shell_quote.c",
    });
    m.addCSourceFiles(.{ .root = v.b.path("cmd"), .files = files, .flags = v.flags(&warnings) });
}

fn addInject(b: *Build, tests: *Compile, programs: Programs) void {
    const run = b.addRunArtifact(tests);
    run.addArg("inject");
    run.stdio = .inherit;
    run.has_side_effects = true;
    run.setEnvironmentVariable("ZS_INJECT", "full");
    addPrograms(b, run, programs);
    b.step("inject", "let each system call and each allocation of the sandbox's set-up fail").dependOn(&run.step);
}

/// Three harnesses: mutants through the vetter under sanitizers, others through the readers of sandbox/net, and mutants
/// through bash in a jail, where what ran is compared with what the vetter showed (tests/fuzz/README.md).
fn addFuzz(v: Variant, libraries: Libraries, release: Variant, release_libraries: Libraries) void {
    const b = v.b;
    const step = b.step("fuzz", "vet mutated commands under sanitizers, and run them in a jail");
    const count = b.option([]const u8, "fuzz-count", "inputs of each (default: 20000 to 200000)");
    const seconds = b.option([]const u8, "fuzz-seconds", "of the differential run (default: 60 at most)");
    const seed = b.option([]const u8, "fuzz-seed", "their seed (default: 1)") orelse "1";
    const jobs = b.option([]const u8, "fuzz-jobs", "of the differential run (default: 1)") orelse "1";
    const jail = b.option(bool, "fuzz-jail", "false: pass where the kernel permits no namespaces") orelse true;

    const vet = v.executable("fuzz-vet", libraries);
    addFuzzFiles(v, vet, &.{ "mutate.c", "vet.c", "target.c", "mutator.c", "grammar.c" });
    const smoke = b.addRunArtifact(vet);
    smoke.stdio = .inherit;
    smoke.addArgs(&.{ count orelse "20000", seed });
    addCases(b, smoke);
    step.dependOn(&smoke.step);

    const net = v.executable("fuzz-net", libraries);
    addFuzzFiles(v, net, &.{ "mutate.c", "net.c", "target.c", "mutator.c", "grammar.c" });
    const bytes = b.addRunArtifact(net);
    bytes.stdio = .inherit;
    bytes.addArgs(&.{ count orelse "200000", seed });
    b.step("fuzz-net", "read mutated bytes from the network under sanitizers").dependOn(&bytes.step);
    step.dependOn(&bytes.step);

    const documents = v.executable("fuzz-documents", libraries);
    addDocuments(v, documents, "mutate.c");
    const json = b.addRunArtifact(documents);
    json.stdio = .inherit;
    json.addArgs(&.{ count orelse "100000", seed });
    b.step("fuzz-documents", "read mutated JSON of agents, settings and policies").dependOn(&json.step);
    step.dependOn(&json.step);

    addGuided(v, libraries, seed, seconds orelse "60");
    if (builtin.os.tag != .linux) return;
    const overlay = v.executable("fuzz-overlay", libraries);
    addFuzzFiles(v, overlay, &.{ "mutate.c", "overlay.c", "target.c", "mutator.c", "grammar.c" });
    const layers = b.addRunArtifact(overlay);
    layers.stdio = .inherit;
    layers.addArgs(&.{ count orelse "3000", seed });
    b.step("fuzz-overlay", "apply the changes of generated file operations").dependOn(&layers.step);
    step.dependOn(&layers.step);
    const config = v.executable("fuzz-git", libraries);
    addFuzzFiles(v, config, &.{ "git_config.c", "mutator.c", "grammar.c" });
    const git = b.addRunArtifact(config);
    git.stdio = .inherit;
    git.addArgs(&.{ count orelse "100000", seed, seconds orelse "20" });
    b.step("fuzz-git", "read generated configurations of git, and ask the real git").dependOn(&git.step);
    step.dependOn(&git.step);
    const differential = release.executable("fuzz-differential", release_libraries);
    addFuzzFiles(release, differential, &.{ "differential.c", "jobs.c", "shrink.c", "oracle.c", "oracle_parsed.c" });
    addFuzzFiles(release, differential, &.{ "jail.c", "jail_check.c", "mutator.c", "grammar.c" });
    const marker = b.addExecutable(.{ .name = "fuzz-marker", .root_module = release.module() });
    addFuzzFiles(release, marker, &.{ "marker.c", "record.c" });
    // It is loaded into the machine's bash: it needs the libc that bash has.
    const host = Variant{ .b = b, .sources = release.sources, .target = b.graph.host, .optimize = .ReleaseFast };
    const server = b.addLibrary(.{ .name = "fuzz-server", .linkage = .dynamic, .root_module = host.module() });
    addFuzzFiles(host, server, &.{ "server.c", "parser.c", "record.c" });

    const differ = b.addRunArtifact(differential);
    differ.stdio = .inherit;
    differ.addPrefixedArtifactArg("--server=", server);
    differ.addPrefixedArtifactArg("--marker=", marker);
    differ.addArgs(&.{ b.fmt("--seed={s}", .{seed}), b.fmt("--jobs={s}", .{jobs}) });
    if (!jail) differ.addArg("--jail=optional");
    // By itself, a share that a slow machine ends in time too.
    if (count == null and seconds == null) differ.addArgs(&.{ "--count=30000", "--seconds=60" });
    if (seconds) |text| differ.addArg(b.fmt("--seconds={s}", .{text}));
    if (count) |text| differ.addArg(b.fmt("--count={s}", .{text}));
    addCases(b, differ);
    differ.step.dependOn(&smoke.step);
    differ.step.dependOn(&bytes.step);
    step.dependOn(&differ.step);
    const parsers = b.addRunArtifact(differential);
    parsers.stdio = .inherit;
    parsers.addPrefixedArtifactArg("--server=", server);
    parsers.addPrefixedArtifactArg("--marker=", marker);
    parsers.addArgs(&.{ "--parse", b.fmt("--seed={s}", .{seed}), b.fmt("--jobs={s}", .{jobs}) });
    if (!jail) parsers.addArg("--jail=optional");
    parsers.addArg(b.fmt("--count={s}", .{count orelse "200000"}));
    parsers.addArg(b.fmt("--seconds={s}", .{seconds orelse "30"}));
    addCases(b, parsers);
    parsers.step.dependOn(&differ.step);
    step.dependOn(&parsers.step);

    const install = b.step("fuzz-install", "the fuzzers' programs, into zig-out/fuzz");
    const forever = b.step("fuzz-forever", "fuzz in turns, and go on from the corpora in the cache");
    const drive = b.addSystemCommand(&.{ "python3", "-B" });
    drive.addFileArg(b.path("tests/fuzz/forever.py"));
    drive.addArgs(&.{ b.getInstallPath(.prefix, "fuzz"), "--jobs", jobs });
    if (seconds) |text| drive.addArgs(&.{ "--seconds", text });
    if (b.args) |args| drive.addArgs(args);
    drive.addArg("--cases");
    addCases(b, drive);
    drive.stdio = .inherit;
    drive.step.dependOn(install);
    forever.dependOn(&drive.step);
    const covered = addCovered(v);
    for ([_]*Compile{ differential, marker, server, vet, covered[0], covered[1], covered[2], covered[3] }) |artifact| {
        const folder: Build.Step.InstallArtifact.Options.Dir = .{ .override = .{ .custom = "fuzz" } };
        install.dependOn(&b.addInstallArtifact(artifact, .{ .dest_dir = folder }).step);
    }
}

/// The targets with coverage of all of zs, for fuzz-forever.
fn addCovered(v: Variant) [4]*Compile {
    var covered = v;
    covered.coverage = true;
    covered.optimize = .ReleaseSafe;
    const own = covered.libs();
    const guided = covered.executable("fuzz-guided-vet", own);
    addFuzzFiles(covered, guided, &.{ "guided.c", "vet.c", "target.c", "mutator.c", "grammar.c" });
    const net = covered.executable("fuzz-guided-net", own);
    addFuzzFiles(covered, net, &.{ "guided.c", "net.c", "target.c", "mutator.c", "grammar.c" });
    const documents = covered.executable("fuzz-guided-documents", own);
    addDocuments(covered, documents, "guided.c");
    const overlay = covered.executable("fuzz-guided-overlay", own);
    addFuzzFiles(covered, overlay, &.{ "guided.c", "overlay.c", "target.c", "mutator.c", "grammar.c" });
    return .{ guided, net, documents, overlay };
}

/// The vetter alone, by coverage; with -Dsanitize=all under ASan.
fn addGuided(v: Variant, libraries: Libraries, seed: []const u8, seconds: []const u8) void {
    const b = v.b;
    var covered = v;
    covered.coverage = true;
    covered.optimize = .ReleaseSafe; // many inputs
    var own = libraries;
    own.shellpolicy = covered.shellpolicy(.static);
    const guided = covered.executable("fuzz-guided", own);
    addFuzzFiles(covered, guided, &.{ "guided.c", "vet.c", "target.c", "mutator.c", "grammar.c" });
    const run = b.addRunArtifact(guided);
    run.stdio = .inherit;
    run.addArgs(&.{ seconds, seed });
    addCases(b, run);
    b.step("fuzz-vet", "vet inputs that coverage led to; see -Dfuzz-seconds, -Dsanitize=all").dependOn(&run.step);
}

fn addDocuments(v: Variant, exe: *Compile, driver: []const u8) void {
    v.addFolder(exe.root_module, "cmd", &.{"main.c"});
    addFuzzFiles(v, exe, &.{ driver, "documents.c", "target.c", "mutator.c", "grammar.c" });
}

fn addFuzzFiles(v: Variant, exe: *Compile, files: []const []const u8) void {
    const m = exe.root_module;
    m.addCSourceFiles(.{ .root = v.b.path("tests/fuzz"), .files = files, .flags = v.flags(&warnings) });
}

fn addCases(b: *Build, run: *Build.Step.Run) void {
    for ([_][]const u8{ "benign", "evade", "nasty" }) |name|
        run.addFileArg(b.path(b.fmt("testdata/cases/{s}.jsonl", .{name})));
}

/// A small host of its own, which links the sandbox and not the vetter.
fn addBench(v: Variant, libraries: Libraries, zs: *Compile) void {
    const b = v.b;
    const run = script(b, "tests/bench/bench.py");
    run.addArtifactArg(zs);
    b.step("bench", "ratios against named baselines: confined, denials, agree, proxy, caches, box").dependOn(&run.step);
    if (v.target.result.os.tag != .linux) return;
    const spawn = b.addExecutable(.{ .name = "bench-spawn", .root_module = v.module() });
    spawn.root_module.addCSourceFile(.{ .file = b.path("tests/bench/spawn.c"), .flags = v.flags(&warnings) });
    spawn.root_module.linkLibrary(libraries.sandbox);
    spawn.pie = true; // as a host is
    run.addArtifactArg(spawn);
    if (b.args) |args| run.addArgs(args);
}

/// zs for each of release_targets.
fn addCross(b: *Build, sources: Sources) [release_targets.len]*Compile {
    var programs: [release_targets.len]*Compile = undefined;
    const cross = b.step("cross", "build zs for every release target into zig-out/<target>, and look at the Macs'");
    const macho = script(b, "tests/macho.py");
    macho.addFileArg(b.path("tests/macos/imports.txt"));
    cross.dependOn(&macho.step);
    for (release_targets, &programs) |name, *program| {
        const query = std.Target.Query.parse(.{ .arch_os_abi = name }) catch unreachable;
        const target = b.resolveTargetQuery(query);
        const v = Variant{ .b = b, .sources = sources, .target = target, .optimize = .ReleaseFast };
        const zs = v.zs(v.libs());
        const install = b.addInstallArtifact(zs, .{ .dest_dir = .{ .override = .{ .custom = name } } });
        cross.dependOn(&install.step);
        if (target.result.os.tag == .macos) macho.addArtifactArg(zs);
        program.* = zs;
    }
    return programs;
}

/// zs on other kernels, with the unit tests of sandbox/ as static programs.
fn addVm(b: *Build, sources: Sources) void {
    const vm = script(b, "tests/vm/vm.py");
    for ([_][2][]const u8{ .{ release_targets[0], "amd64" }, .{ release_targets[1], "arm64" } }) |one| {
        const query = std.Target.Query.parse(.{ .arch_os_abi = one[0] }) catch unreachable;
        const v = Variant{
            .b = b,
            .sources = sources,
            .target = b.resolveTargetQuery(query),
            .optimize = .ReleaseFast,
        };
        const libraries = v.libs();
        vm.addPrefixedArtifactArg(b.fmt("--{s}=", .{one[1]}), v.zs(libraries));
        vm.addPrefixedArtifactArg(b.fmt("--{s}=", .{one[1]}), addUnits(v, libraries, "sandbox"));
        vm.addPrefixedArtifactArg(b.fmt("--{s}=", .{one[1]}), v.blind());
        vm.addPrefixedArtifactArg(b.fmt("--{s}=", .{one[1]}), v.plainProxy(libraries));
    }
    if (b.args) |args| vm.addArgs(args);
    b.step("vm", "zs on other kernels, in QEMU: see tests/vm").dependOn(&vm.step);
}

/// The files below share/ of a prefix: man pages and completions, which zs tells of itself, and the licences.
fn addShare(v: Variant, zs: *Compile) Build.LazyPath {
    const b = v.b;
    const target = v.target.result;
    const here = target.os.tag == builtin.os.tag and target.cpu.arch == builtin.cpu.arch;
    const asked = if (here) zs else blk: {
        const host = Variant{
            .b = b,
            .sources = v.sources,
            .target = b.resolveTargetQuery(default_target),
            .optimize = .Debug,
        };
        break :blk host.zs(host.libs());
    };
    const files = b.addWriteFiles();
    const help = b.addRunArtifact(asked);
    help.addArgs(&.{ "help", "--json" });
    const manual = help.captureStdOut();
    const settings = b.addRunArtifact(asked);
    settings.addArgs(&.{ "policy", "schema" });

    const man = maker(b, "cmd/package/manual.py");
    man.addFileArg(manual);
    man.addFileArg(settings.captureStdOut());
    man.addFileArg(b.path("shim/zs_shim.h"));
    _ = files.addCopyDirectory(man.addOutputDirectoryArg("man"), "man", .{});

    const completions = maker(b, "cmd/package/completions.py");
    completions.addFileArg(manual);
    _ = files.addCopyDirectory(completions.addOutputDirectoryArg("completions"), "", .{});

    const sbom = maker(b, "cmd/package/sbom.py");
    sbom.addFileInput(b.path("cmd/package/pins.py"));
    if (b.graph.env_map.get("SOURCE_DATE_EPOCH")) |when| sbom.setEnvironmentVariable("SOURCE_DATE_EPOCH", when);
    sbom.addArg(version);
    sbom.addFileArg(b.path("zigw"));
    sbom.addFileArg(b.path("LICENSE"));
    const documents = sbom.addOutputDirectoryArg("documents");
    sbom.addArg(b.fmt("zig={s}", .{b.graph.zig_lib_directory.path orelse "."}));
    sbom.addPrefixedDirectoryArg("tree-sitter=", v.sources.tree_sitter);
    sbom.addPrefixedDirectoryArg("tree-sitter-bash=", v.sources.tree_sitter_bash);
    sbom.addPrefixedDirectoryArg("yyjson=", v.sources.yyjson);
    sbom.addPrefixedDirectoryArg("llhttp=", v.sources.llhttp);
    _ = files.addCopyDirectory(documents, "", .{});
    return files.getDirectory();
}

/// Packs the programs; a platform of macOS is named with the oldest version that the program runs on.
fn addPackage(b: *Build, share: Build.LazyPath, programs: [release_targets.len]*Compile) void {
    const package = script(b, "cmd/package/package.py");
    package.addArg(version);
    package.addDirectoryArg(share);
    package.addArg(b.getInstallPath(.prefix, "package"));
    for (programs) |zs| {
        const target = zs.rootModuleTarget();
        const processor = @tagName(target.cpu.arch);
        const oldest = if (target.os.tag == .macos) target.os.version_range.semver.min else null;
        const platform = if (oldest) |v| b.fmt("-macos-{d}-{d}", .{ v.major, v.minor }) else "";
        package.addPrefixedArtifactArg(b.fmt("{s}{s}=", .{ processor, platform }), zs);
    }
    b.step("package", "a .deb, a tarball, wheels, an npm package, and their checksums").dependOn(&package.step);
}

/// A script of which the output hangs on its arguments alone.
fn maker(b: *Build, path: []const u8) *Build.Step.Run {
    const run = b.addSystemCommand(&.{ "python3", "-B" });
    run.addFileArg(b.path(path));
    return run;
}

/// The ASan runtime is the host's, so its glibc is too; but the headers are Zig's, as everywhere else.
fn asanTarget(b: *Build) Build.ResolvedTarget {
    return b.resolveTargetQuery(.{
        .cpu_arch = builtin.cpu.arch,
        .os_tag = .linux,
        .abi = .gnu,
        .glibc_version = b.graph.host.result.os.version_range.linux.glibc,
    });
}

fn script(b: *Build, path: []const u8) *Build.Step.Run {
    const run = b.addSystemCommand(&.{"python3"});
    run.addFileArg(b.path(path));
    run.has_side_effects = true;
    run.stdio = .inherit;
    run.setCwd(b.path("."));
    return run;
}

/// The target of libraries that are installed for other programs: by default this machine's libc, whose headers and
/// symbol versions are not musl's.
fn hostTarget(b: *Build, target: Build.ResolvedTarget) Build.ResolvedTarget {
    const host = b.graph.host.result;
    if (builtin.os.tag != .linux or b.user_input_options.contains("target") or !host.isGnuLibC()) return target;
    return b.resolveTargetQuery(.{
        .cpu_arch = builtin.cpu.arch,
        .os_tag = .linux,
        .abi = host.abi,
        .cpu_model = .baseline,
        .glibc_version = host.os.version_range.linux.glibc,
    });
}

/// The program, and what other programs link: headers, archives, shared libraries, and how pkg-config finds them.
fn addInstall(v: Variant, zs: *Compile) void {
    const b = v.b;
    b.installArtifact(zs);
    for ([_]std.builtin.LinkMode{ .static, .dynamic }) |linkage| {
        b.installArtifact(v.shellpolicy(linkage));
        b.installArtifact(v.sandbox(linkage));
    }
    const object, const archive = v.constructor();
    b.getInstallStep().dependOn(&b.addInstallLibFile(object.getEmittedBin(), "zs_shim_constructor.o").step);
    b.installArtifact(archive);
    const headers = [_][]const u8{
        "shellpolicy/zs_shellpolicy.h", "sandbox/zs_sandbox.h", "sandbox/zs_overlay.h", "sandbox/zs_approval.h",
        "sandbox/zs_settings.h",        "sandbox/zs_denials.h", "shim/zs_shim.h",       "shim/zs_tracker.h",
        "shim/zs_box.h",                "bindings/cpp/zs.hpp",
    };
    for (headers) |header|
        b.installFile(header, b.fmt("include/{s}", .{std.fs.path.basename(header)}));
    const files = b.addWriteFiles();
    // Threads and timers: in libc itself since glibc 2.34, and in musl; other programs then find empty archives.
    const system = if (v.target.result.os.tag == .linux) " -lpthread -lrt" else "";
    inline for (packages) |package| {
        const name = package.name ++ ".pc";
        const text = "Name: " ++ package.name ++ "\nDescription: " ++ package.text ++ "\nVersion: " ++ version ++ "\n";
        const file = files.add(name, b.fmt("{s}{s}{s}{s}\n", .{
            pkg_config ++ text, package.fields, package.system orelse "", if (package.system != null) system else "",
        }));
        b.getInstallStep().dependOn(&b.addInstallFile(file, "lib/pkgconfig/" ++ name).step);
    }
}

/// system: of those that need the system's libraries, what stands before their names.
const packages = [_]struct { name: []const u8, text: []const u8, fields: []const u8, system: ?[]const u8 = null }{
    .{
        .name = "zs-shellpolicy",
        .text = "Reads bash and decides whether it may run",
        .fields = "Cflags: -I${includedir}\nLibs: -L${libdir} -lzs_shellpolicy",
    },
    .{
        .name = "zs-sandbox",
        .text = "Confines commands; the program is their launcher",
        .fields = "Cflags: -I${includedir}\nLibs: -L${libdir} -lzs_sandbox",
        .system = "\nLibs.private:",
    },
    .{
        .name = "zs",
        .text = "Two walls around the shell commands of AI agents",
        .fields = "Requires: zs-sandbox zs-shellpolicy",
    },
    .{
        .name = "zs-host",
        .text = "All of zs in archives, for a program whose main is not C's or has threads before it",
        .fields = "Cflags: -I${includedir}\n" ++
            "Libs: ${libdir}/zs_shim_constructor.o ${libdir}/libzs_sandbox.a ${libdir}/libzs_shellpolicy.a",
        .system = "",
    },
};

/// Wherever the folder is moved, it finds itself.
const pkg_config =
    \\prefix=${pcfiledir}/../..
    \\libdir=${prefix}/lib
    \\includedir=${prefix}/include
    \\
    \\
;

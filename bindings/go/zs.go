// Package zs vets and confines the shell commands of an AI agent.
//
//	sandbox, err := zs.Agent("/home/me/project", os.Environ())
//	…
//	if decision := zs.Vet(text, zs.Strict); !decision.Allowed { … }
//	cmd := exec.Command("bash", "-c", text)
//	err = sandbox.Confine(cmd)
//	…
//	err = cmd.Run()
//
// A confined command is this program, started again: an object that this package links in enters zs's shim before Go's
// runtime has a thread (zs_shim.h). This works in programs only. In a library (-buildmode=c-shared or plugin) Confine
// fails.
package zs

/*
#cgo pkg-config: zs-host
#include <stdlib.h>
#include <zs_shellpolicy.h>
#include <zs_shim.h>
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"unsafe"
)

// Error says why a policy was refused, or cannot be enforced on this machine. Errno is its kind.
type Error struct {
	Errno syscall.Errno
	line  string
}

func (e *Error) Error() string { return e.line }

// Unwrap makes errors.Is(err, syscall.EPERM) work.
func (e *Error) Unwrap() error { return e.Errno }

func newError(cause *C.struct_zs_error) error {
	var line [2048]C.char

	C.zs_error_format(cause, &line[0], C.size_t(len(line)))
	return &Error{Errno: syscall.Errno(cause.cause), line: C.GoString(&line[0])}
}

// pointers returns strings as execve(2) takes them. A NUL in a string would end it early, so it is an error.
type pointers struct{ list **C.char }

func newPointers(words []string) (pointers, error) {
	for _, word := range words {
		if strings.IndexByte(word, 0) >= 0 {
			return pointers{}, fmt.Errorf("zs: there is a NUL in %q", word)
		}
	}
	list := (**C.char)(C.calloc(C.size_t(len(words)+1), C.size_t(unsafe.Sizeof((*C.char)(nil)))))
	for i, word := range words {
		unsafe.Slice(list, len(words)+1)[i] = C.CString(word)
	}
	return pointers{list}, nil
}

func (p pointers) free() {
	for _, word := range p.strings() {
		C.free(unsafe.Pointer(word))
	}
	C.free(unsafe.Pointer(p.list))
}

// strings returns the strings before the NULL.
func (p pointers) strings() []*C.char {
	n := 0
	for ; *(**C.char)(unsafe.Add(unsafe.Pointer(p.list), uintptr(n)*unsafe.Sizeof(*p.list))) != nil; n++ {
	}
	return unsafe.Slice(p.list, n)
}

func (p pointers) goStrings() []string {
	var words []string
	for _, word := range p.strings() {
		words = append(words, C.GoString(word))
	}
	return words
}

// Sandbox is a policy that this machine can enforce. It never changes, and any goroutine may use it.
type Sandbox struct{ handle *C.struct_zs_sandbox }

func newSandbox(env []string, build func(env pointers, policy **C.struct_zs_policy, cause *C.struct_zs_error) C.int) (
	*Sandbox, error) {
	var cause C.struct_zs_error
	var policy *C.struct_zs_policy
	var handle *C.struct_zs_sandbox

	variables, err := newPointers(env)
	if err != nil {
		return nil, err
	}
	defer variables.free()
	if build(variables, &policy, &cause) < 0 {
		return nil, newError(&cause)
	}
	defer C.zs_policy_free(policy)
	if C.zs_sandbox_new(policy, &handle, &cause) < 0 {
		return nil, newError(&cause)
	}
	sandbox := &Sandbox{handle}
	runtime.SetFinalizer(sandbox, func(s *Sandbox) { C.zs_sandbox_free(s.handle) })
	return sandbox, nil
}

// Agent is the coding agent's preset: it may write the workspace (zs_policy_default).
func Agent(workspace string, env []string) (*Sandbox, error) {
	if strings.IndexByte(workspace, 0) >= 0 {
		return nil, fmt.Errorf("zs: there is a NUL in %q", workspace)
	}
	path := C.CString(workspace)
	defer C.free(unsafe.Pointer(path))
	return newSandbox(env, func(env pointers, policy **C.struct_zs_policy, cause *C.struct_zs_error) C.int {
		return C.zs_policy_default(path, env.list, policy, cause)
	})
}

// Verify is the same, but leaves the workspace unchanged (zs_policy_verify).
func Verify(workspace string, env []string) (*Sandbox, error) {
	if strings.IndexByte(workspace, 0) >= 0 {
		return nil, fmt.Errorf("zs: there is a NUL in %q", workspace)
	}
	path := C.CString(workspace)
	defer C.free(unsafe.Pointer(path))
	return newSandbox(env, func(env pointers, policy **C.struct_zs_policy, cause *C.struct_zs_error) C.int {
		return C.zs_policy_verify(path, env.list, policy, cause)
	})
}

// FromJSON reads a policy as strictly as zs run --policy does (zs_policy_from_json). "~" is HOME of env.
func FromJSON(policy string, env []string) (*Sandbox, error) {
	text := C.CString(policy)
	defer C.free(unsafe.Pointer(text))
	return newSandbox(env, func(env pointers, made **C.struct_zs_policy, cause *C.struct_zs_error) C.int {
		return C.zs_policy_from_json(text, C.size_t(len(policy)), env.list, made, cause)
	})
}

// Wrap turns a command into one that starts it confined, for any call that takes path, argv and environment.
func (s *Sandbox) Wrap(argv, env []string) (path string, wrappedArgv, wrappedEnv []string, err error) {
	var cause C.struct_zs_error
	var wrapped C.struct_zs_wrapped

	words, err := newPointers(argv)
	if err != nil {
		return "", nil, nil, err
	}
	defer words.free()
	variables, err := newPointers(env)
	if err != nil {
		return "", nil, nil, err
	}
	defer variables.free()
	r := C.zs_wrap(s.handle, words.list, variables.list, &wrapped, &cause)
	runtime.KeepAlive(s)
	if r < 0 {
		return "", nil, nil, newError(&cause)
	}
	defer C.zs_wrapped_free(&wrapped)
	return C.GoString(wrapped.path), pointers{wrapped.argv}.goStrings(), pointers{wrapped.envp}.goStrings(), nil
}

// Confine makes cmd start its command in the sandbox. Everything else in cmd stays, such as Dir, Stdin and its context.
// ExtraFiles do not reach the command, which inherits only the first three descriptors. Kill ends every process that
// the command has started. After an error cmd does not start: cmd.Err is set.
func (s *Sandbox) Confine(cmd *exec.Cmd) error {
	if err := s.confine(cmd); err != nil {
		cmd.Err = err
		return err
	}
	return nil
}

func (s *Sandbox) confine(cmd *exec.Cmd) error {
	if cmd.Err != nil {
		return cmd.Err
	}
	if cmd.Process != nil {
		return errors.New("zs: the command has been started already")
	}
	if len(cmd.ExtraFiles) != 0 {
		return errors.New("zs: a confined command gets no ExtraFiles")
	}
	if cmd.Path == "" {
		return errors.New("zs: no command")
	}
	program := cmd.Path
	// os/exec takes such a name for a file in Dir. The shim would look it up in PATH.
	if !strings.Contains(program, "/") {
		program = "./" + program
	}
	argv := []string{program}
	if len(cmd.Args) > 1 {
		argv = append(argv, cmd.Args[1:]...)
	}
	// Environ() leaves out entries that it cannot parse.
	for _, entry := range cmd.Env {
		if strings.IndexByte(entry, 0) >= 0 {
			return fmt.Errorf("zs: there is a NUL in %q", entry)
		}
	}
	path, argv, env, err := s.Wrap(argv, cmd.Environ())
	if err != nil {
		return err
	}
	cmd.Path, cmd.Args, cmd.Env = path, argv, env
	return nil
}

// Command is exec.CommandContext, confined. An error is returned by the command's Start.
func (s *Sandbox) Command(ctx context.Context, name string, arg ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, arg...)
	_ = s.Confine(cmd) // it is in cmd.Err
	return cmd
}

// Profile says what Vet blocks.
type Profile int

const (
	Strict  Profile = C.ZS_PROFILE_STRICT
	Relaxed Profile = C.ZS_PROFILE_RELAXED
	Check   Profile = C.ZS_PROFILE_VERIFY
	Guard   Profile = C.ZS_PROFILE_GUARD
)

// Decision is the first wall's answer to a command line. The zero value blocks.
type Decision struct {
	Allowed            bool
	Code, Reason, Hint string // empty when allowed
}

// Vet reads bash and decides. A text that cannot be read is blocked.
func Vet(text string, profile Profile) Decision {
	vetter := C.zs_vetter_new()
	defer C.zs_vetter_free(vetter)
	bytes := C.CString(text)
	defer C.free(unsafe.Pointer(bytes))
	options := C.struct_zs_vet_options{profile: C.enum_zs_profile(profile)}
	report := C.zs_vet(vetter, bytes, C.size_t(len(text)), &options)
	if report.verdict == C.ZS_ALLOW {
		return Decision{Allowed: true}
	}
	return Decision{
		Code:   C.GoString(C.zs_risk_name(report.code)),
		Reason: C.GoString(report.reason),
		Hint:   C.GoString(report.hint),
	}
}

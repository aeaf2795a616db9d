// A host: vets a command line of bash, and runs it confined to a workspace. It is its own shim.
//
//	PKG_CONFIG_PATH=P/lib/pkgconfig go build -o host .
//	host /path/to/workspace 'make test 2>&1 | tail'
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"zs.invalid/zs"
)

func run(workspace, text string) (int, error) {
	if decision := zs.Vet(text, zs.Strict); !decision.Allowed {
		fmt.Fprintf(os.Stderr, "blocked (%s): %s\nhint: %s\n", decision.Code, decision.Reason, decision.Hint)
		return 2, nil
	}
	sandbox, err := zs.Agent(workspace, os.Environ())
	if err != nil {
		return 125, err
	}
	cmd := exec.Command("bash", "-c", text)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := sandbox.Confine(cmd); err != nil {
		return 125, err
	}
	err = cmd.Run()
	var ended *exec.ExitError
	if !errors.As(err, &ended) {
		return 0, err
	}
	if status := ended.Sys().(syscall.WaitStatus); status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return ended.ExitCode(), nil
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: host WORKSPACE COMMAND-LINE")
		os.Exit(64)
	}
	status, err := run(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 125
	}
	os.Exit(status)
}

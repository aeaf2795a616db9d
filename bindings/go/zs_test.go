package zs

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func agent(t *testing.T) (*Sandbox, string) {
	workspace, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	sandbox, err := Agent(workspace, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	return sandbox, workspace
}

// A command that cannot be confined does not start, even if the caller checks only the error of Start.
func TestAfterAnErrorNothingStarts(t *testing.T) {
	sandbox, workspace := agent(t)
	made := filepath.Join(workspace, "made")
	rows := map[string]func(cmd *exec.Cmd){
		"NUL in a word":     func(cmd *exec.Cmd) { cmd.Args = append(cmd.Args, "a\x00b") },
		"NUL in a variable": func(cmd *exec.Cmd) { cmd.Env = []string{"A=a\x00b"} },
		"a descriptor":      func(cmd *exec.Cmd) { cmd.ExtraFiles = []*os.File{os.Stdin} },
		"no program":        func(cmd *exec.Cmd) { cmd.Path = "" },
	}
	for name, change := range rows {
		cmd := exec.Command("touch", made)
		change(cmd)
		confined := sandbox.Confine(cmd)
		started := cmd.Run()
		if _, err := os.Stat(made); confined == nil || started == nil || err == nil {
			t.Errorf("%s: Confine: %v, Run: %v, Stat: %v", name, confined, started, err)
		}
	}
	if err := sandbox.Command(context.Background(), "no-such-program").Run(); !errors.Is(err, exec.ErrNotFound) {
		t.Error(err)
	}
	if err := sandbox.Command(context.Background(), "touch", made).Run(); err != nil {
		t.Error("control: ", err)
	}
}

func TestErrorSaysWhy(t *testing.T) {
	_, err := Agent("/no/where", os.Environ())
	if !errors.Is(err, syscall.ENOENT) || !strings.HasPrefix(err.Error(), "zs: workspace: /no/where: ") {
		t.Error(err)
	}
	_, err = FromJSON("{\"version\": 1,\n\"pths\": []}", nil)
	if err == nil || !strings.Contains(err.Error(), "pths") {
		t.Error(err)
	}
}

// C reads such a name up to its NUL, which may name a folder above the intended one.
func TestWorkspaceWithNUL(t *testing.T) {
	folder := t.TempDir()
	for _, preset := range []func(string, []string) (*Sandbox, error){Agent, Verify} {
		_, err := preset(folder+"\x00/project", []string{"HOME=" + folder + "/.."})
		if err == nil || !strings.Contains(err.Error(), "NUL") {
			t.Error(err)
		}
	}
}

// The command is a shell whose child holds the pipe too: the pipe ends when both have ended.
func TestContextEndsAllThatRuns(t *testing.T) {
	sandbox, _ := agent(t)
	ctx, cancel := context.WithCancel(context.Background())
	cmd := sandbox.Command(ctx, "sh", "-c", "sleep 1000 & echo up; sleep 1000")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); line != "up\n" {
		t.Fatal(line, err)
	}
	cancel()
	if rest, _ := lines.ReadString('\n'); rest != "" {
		t.Error(rest)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("it ended well")
	}
}

func TestVetBlocksWhatItCannotJudge(t *testing.T) {
	if Vet("ls > f", Profile(99)).Allowed || Vet("ls \x00", Strict).Allowed || (Decision{}).Allowed {
		t.Error("allowed")
	}
	decision := Vet("cd x", Strict)
	if decision.Code != "cd" || decision.Hint == "" || !Vet("cd x", Relaxed).Allowed {
		t.Error(decision)
	}
}

func TestManyAtOnce(t *testing.T) {
	sandbox, workspace := agent(t)
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			cmd := exec.Command("pwd")
			cmd.Dir = workspace
			cmd.Env = append(os.Environ(), "LD_PRELOAD=/x.so")
			if err := sandbox.Confine(cmd); err != nil {
				t.Error(err)
			}
			if out, err := cmd.CombinedOutput(); err != nil || string(out) != workspace+"\n" {
				t.Errorf("%v %q", err, out)
			}
			if Vet("rm -rf x", Check).Code != "write" || !Vet("ls", Check).Allowed {
				t.Error("vet")
			}
		}()
	}
	all.Wait()
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	proxyClients = 50
	proxyTime    = time.Minute
	proxySample  = 10 * time.Second
	soloCalls    = 3000
)

// benchProxy measures what gete proxy adds to a call on this machine, and has many
// clients call at once for a minute, each of whose answers must be its own. With race, the
// proxy is built with the race detector, which fails it.
func benchProxy(race bool) error {
	tmp, err := os.MkdirTemp("", "gete-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	program := filepath.Join(tmp, "gete.exe")
	build := []string{"build", "-o", program}
	if race {
		build = append(build, "-race")
	}
	if out, err := exec.Command("go", append(build, "github.com/gete-lint/gete")...).CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build gete: %w\n%s", err, out)
	}
	var received atomic.Int64
	backend := mcp.NewServer(&mcp.Implementation{Name: "echo", Version: "1"}, nil)
	backend.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},"fixed":{"type":"string"},"more":{"type":"string"}}}`)},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			received.Add(1)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(req.Params.Arguments)}}}, nil
		})
	server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return backend }, nil))
	defer server.Close()
	cmd, url, err := startProxy(program, tmp, server.URL)
	if err != nil {
		return err
	}
	defer func() { _ = cmd.Process.Kill() }() // it was ended below, or there is an error already

	direct, err := soloMedian(server.URL)
	if err != nil {
		return err
	}
	through, err := soloMedian(url)
	if err != nil {
		return err
	}
	fmt.Printf("a call takes %.3f ms at the median, and through the proxy %.3f ms: it adds %.3f ms\n", milliseconds(direct), milliseconds(through), milliseconds(through-direct))

	received.Store(0)
	begin := time.Now()
	stop := make(chan struct{})
	go sampleMemory(cmd.Process.Pid, begin, stop)
	answered, err := crowd(url)
	close(stop)
	if err != nil {
		return err
	}
	fmt.Printf("%d clients made %d calls in %.0f s, %.0f a second; the server received %d, and every answer came to its own call\n",
		proxyClients, answered, time.Since(begin).Seconds(), float64(answered)/time.Since(begin).Seconds(), received.Load())
	if received.Load() != answered {
		return fmt.Errorf("the server received %d calls for %d answers", received.Load(), answered)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("the proxy ended with %w", err) // the race detector's exit code is 66
	}
	return nil
}

func startProxy(program, dir, target string) (*exec.Cmd, string, error) {
	for name, text := range map[string]string{
		"gete.yaml": "version: 1\nproject: example-project\nlocation: us-central1\n",
		"agents/helper/agent.yaml": `name: helper
display_name: Helper
description: Helps.
model: gemini-2.5-flash
instruction: Help.
tools:
  - mcp:
      url: https://mcp.example.com/mcp
      effect: read
      allow: [echo]
      params:
        echo:
          fixed: {value: always}
      only:
        echo: [text]
`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, "", err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, "", err
		}
	}
	cmd := exec.Command(program, "proxy", "helper", "--listen", "127.0.0.1:0", "--server", target)
	cmd.Dir = dir
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	url := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			if _, found, ok := strings.Cut(lines.Text(), "msg=listening url="); ok {
				url <- found
			} else if !strings.Contains(lines.Text(), "outcome=ok") {
				fmt.Fprintln(os.Stderr, lines.Text())
			}
		}
		close(url)
	}()
	found, ok := <-url
	if !ok {
		return nil, "", fmt.Errorf("the proxy does not listen: %w", cmd.Wait())
	}
	return cmd, found, nil
}

// echo makes a call, and checks its answer.
func echo(session *mcp.ClientSession, text string) error {
	r, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": text, "more": "x", "fixed": "x"}})
	if err != nil {
		return err
	}
	var got struct{ Text, Fixed string }
	if content, ok := r.Content[0].(*mcp.TextContent); !ok || json.Unmarshal([]byte(content.Text), &got) != nil || got.Text != text {
		return fmt.Errorf("the answer to %q is %+v", text, r.Content[0])
	}
	return nil
}

func session(url string) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	return client.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
}

// soloMedian is how long a call of a client that is alone takes.
func soloMedian(url string) (time.Duration, error) {
	s, err := session(url)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	times := make([]time.Duration, soloCalls)
	for i := range times {
		begin := time.Now()
		if err := echo(s, fmt.Sprint(i)); err != nil {
			return 0, err
		}
		times[i] = time.Since(begin)
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

// crowd has clients call at once, and counts the answers.
func crowd(url string) (int64, error) {
	var answered atomic.Int64
	var group sync.WaitGroup
	faults := make(chan error, proxyClients)
	until := time.Now().Add(proxyTime)
	for c := range proxyClients {
		group.Go(func() {
			s, err := session(url)
			if err != nil {
				faults <- err
				return
			}
			defer s.Close()
			for i := 0; time.Now().Before(until); i++ {
				if err := echo(s, fmt.Sprintf("%d of %d", i, c)); err != nil {
					faults <- err
					return
				}
				answered.Add(1)
			}
		})
	}
	group.Wait()
	close(faults)
	return answered.Load(), <-faults
}

var resident = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// sampleMemory prints a process's memory now and then, where the system tells it.
func sampleMemory(pid int, begin time.Time, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(proxySample):
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if found := resident.FindSubmatch(text); err == nil && found != nil {
			fmt.Printf("after %.0f s the proxy holds %s kB\n", time.Since(begin).Seconds(), found[1])
		}
	}
}

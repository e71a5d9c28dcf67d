// Package mfano starts mfano or connects to it from Go tests, and gives each test a world. It needs the standard library only.
package mfano

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Mfano is a mfano that answers at URL.
type Mfano struct {
	URL     string
	process *exec.Cmd
}

// Connect waits until the mfano at url is ready; with an empty url, that at PAYMENTS_BASE_URL, where CI runs it as a service.
func Connect(url string) (*Mfano, error) {
	if url == "" {
		url = os.Getenv("PAYMENTS_BASE_URL")
	}
	if url == "" {
		url = "http://localhost:8080"
	}
	m := &Mfano{URL: strings.TrimRight(url, "/")}
	until := time.Now().Add(30 * time.Second)
	for {
		err := Ask("GET", m.URL+"/_mfano/health", nil, "", nil)
		if err == nil {
			return m, nil
		}
		if time.Now().After(until) {
			return nil, fmt.Errorf("no mfano is ready at %s: %w", m.URL, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// Start connects to the mfano at PAYMENTS_BASE_URL; without one, it starts a program of its own, which needs Node: command,
// or PAYMENTS_COMMAND, or npx mfano. Call Stop when all tests are done.
func Start(command ...string) (*Mfano, error) {
	if os.Getenv("PAYMENTS_BASE_URL") != "" {
		return Connect("")
	}
	if len(command) == 0 {
		command = strings.Fields(os.Getenv("PAYMENTS_COMMAND"))
	}
	if len(command) == 0 {
		command = []string{"npx", "mfano"}
	}
	process := exec.Command(command[0], append(command[1:], "start", "--port", "0", "--data", ":memory:", "--json")...)
	process.Stderr = os.Stderr
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	// Its first line says where it answers; one that cannot start says why on stderr.
	line, _ := bufio.NewReader(out).ReadBytes('\n')
	var ready struct{ BaseURL string }
	if err := json.Unmarshal(line, &ready); err != nil || ready.BaseURL == "" {
		_ = process.Process.Kill()
		return nil, fmt.Errorf("%s ended before it was ready: %v", process, process.Wait())
	}
	return &Mfano{URL: strings.TrimRight(ready.BaseURL, "/"), process: process}, nil
}

// Stop ends the program that Start started. Another one is left running.
func (m *Mfano) Stop() {
	if m.process != nil {
		if m.process.Process.Signal(syscall.SIGTERM) != nil {
			_ = m.process.Process.Kill()
		}
		_ = m.process.Wait()
		m.process = nil
	}
}

// World is one sandbox: give the app under test its BaseURL and Credentials.
type World struct {
	t           testing.TB
	ID          string `json:"id"`
	BaseURL     string `json:"baseUrl"`
	Credentials struct {
		APIKey    string `json:"apiKey"`
		APISecret string `json:"apiSecret"`
		CompanyID string `json:"companyId"`
	} `json:"credentials"`
}

// Options of a world, as the control plane has them: scenario, seed and so on.
type Options map[string]any

// World makes a world for one test: frozen, at the same moment every day. It goes with the test; when that failed, what
// happened in the world is logged.
func (m *Mfano) World(t testing.TB, options ...Options) *World {
	t.Helper()
	body := Options{"clock": map[string]any{"mode": "frozen", "start": "2025-01-24T16:28:00"}}
	for _, more := range options {
		for name, value := range more {
			body[name] = value
		}
	}
	w := &World{t: t}
	must(t, Ask("POST", m.URL+"/_mfano/worlds", body, "", w))
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(w.Report())
		}
		must(t, Ask("DELETE", m.URL+"/_mfano/worlds/"+w.ID, nil, "", nil))
	})
	return w
}

// Control calls any operation of this world's control plane: GET {BaseURL}/_mfano/ lists them.
func (w *World) Control(method, path string, body, answer any) {
	w.t.Helper()
	must(w.t, Ask(method, w.BaseURL+"/_mfano"+path, body, "", answer))
}

// Advance moves time, such as "10s" or "2d". All that falls due is done, and its callbacks are answered.
func (w *World) Advance(by string) {
	w.t.Helper()
	w.Control("POST", "/clock/advance", map[string]string{"by": by}, nil)
}

// Now asks the world for the time: for an app that is given a function in the place of time.Now.
func (w *World) Now() time.Time {
	w.t.Helper()
	var clock struct{ Now time.Time }
	w.Control("GET", "/clock", nil, &clock)
	return clock.Now
}

// WaitFor waits for a payment, callback, request or inbox message for which a condition in CEL holds.
func (w *World) WaitFor(what, where string) map[string]any {
	w.t.Helper()
	var answer struct{ Matches []map[string]any }
	w.Control("POST", "/wait", map[string]string{"for": what, "where": where, "timeout": "5s"}, &answer)
	return answer.Matches[0]
}

// InboxURL is the address of a receiver for callbacks, for tests that have none of their own.
func (w *World) InboxURL(name string) string {
	return w.BaseURL + "/_mfano/inbox/" + name
}

// Message is a callback that an inbox took.
type Message struct{ Body map[string]any }

// Inbox lists what came to an inbox, the oldest first.
func (w *World) Inbox(name string) []Message {
	w.t.Helper()
	var inbox struct{ Messages []Message }
	w.Control("GET", "/inbox/"+name, nil, &inbox)
	return inbox.Messages
}

// Line is a payment in the app's books. Empty fields are not compared.
type Line struct {
	Reference string `json:"reference,omitempty"`
	RequestID string `json:"requestId,omitempty"`
	Kind      string `json:"kind,omitempty"`
	// Amount is in major units, such as "1000.50".
	Amount   string `json:"amount,omitempty"`
	Currency string `json:"currency,omitempty"`
	Status   string `json:"status,omitempty"`
}

// Reconcile compares the app's books with the ledger. The error names the findings.
func (w *World) Reconcile(books []Line) error {
	var verdict struct{ Findings []struct{ Code, Text string } }
	if err := Ask("POST", w.BaseURL+"/_mfano/reconcile", map[string]any{"books": books}, "", &verdict); err != nil {
		return err
	}
	if len(verdict.Findings) == 0 {
		return nil
	}
	texts := []string{"the books are not right:"}
	for _, finding := range verdict.Findings {
		texts = append(texts, finding.Code+": "+finding.Text)
	}
	return errors.New(strings.Join(texts, "\n"))
}

// Report tells what happened in the world, for people.
func (w *World) Report() string {
	text, err := fetch("GET", w.BaseURL+"/_mfano/report?format=text", nil, "")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Connections that stay open would keep a bubble of testing/synctest from ending.
var client = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

// Ask sends JSON and reads JSON. The error says why something was refused.
func Ask(method, url string, body any, token string, answer any) error {
	text, err := fetch(method, url, body, token)
	if err != nil || answer == nil {
		return err
	}
	return json.Unmarshal(text, answer)
}

func fetch(method, url string, body any, token string) ([]byte, error) {
	sent, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	request.Header.Set("content-type", "application/json")
	if token != "" {
		request.Header.Set("authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s %s answered %d: %s", method, url, response.StatusCode, text)
	}
	return text, err
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

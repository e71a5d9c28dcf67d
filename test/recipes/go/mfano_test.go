package payroll

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"
	"time"
)

// mfanoURL is where mfano answers: at PAYMENTS_BASE_URL, where CI runs it as a service, else in a container of its own.
var mfanoURL = os.Getenv("PAYMENTS_BASE_URL")

func TestMain(m *testing.M) {
	stop := func() {}
	if mfanoURL == "" {
		mfanoURL, stop = startContainer()
	}
	code := m.Run()
	stop()
	os.Exit(code)
}

// world is one sandbox: give the app under test its BaseURL and Credentials.
type world struct {
	t           *testing.T
	ID          string `json:"id"`
	BaseURL     string `json:"baseUrl"`
	Credentials struct {
		APIKey    string `json:"apiKey"`
		APISecret string `json:"apiSecret"`
		CompanyID string `json:"companyId"`
	} `json:"credentials"`
}

// newWorld makes a world for one test: frozen, and at the same moment every day. It goes with the test.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t}
	clock := map[string]any{"mode": "frozen", "start": "2025-01-24T16:28:00"}
	ask(t, "POST", mfanoURL+"/_mfano/worlds", map[string]any{"clock": clock}, "", w)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(w.report())
		}
		ask(t, "DELETE", mfanoURL+"/_mfano/worlds/"+w.ID, nil, "", nil)
	})
	return w
}

// report tells what happened in the world, for people; newWorld logs it when the test fails.
func (w *world) report() string {
	response, err := client.Get(w.BaseURL + "/_mfano/report?format=text")
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// control asks anything of this world's control plane: GET {BaseURL}/_mfano/ lists it.
func (w *world) control(method, path string, body, answer any) {
	w.t.Helper()
	ask(w.t, method, w.BaseURL+"/_mfano"+path, body, "", answer)
}

// advance moves time, such as "10s" or "48h"; all that falls due is done, and its callbacks answered.
func (w *world) advance(by string) {
	w.t.Helper()
	w.control("POST", "/clock/advance", map[string]string{"by": by}, nil)
}

// waitFor waits for a payment, callback, request or inbox message for which a condition in CEL holds.
func (w *world) waitFor(what, where string) map[string]any {
	w.t.Helper()
	var answer struct{ Matches []map[string]any }
	w.control("POST", "/wait", map[string]string{"for": what, "where": where, "timeout": "5s"}, &answer)
	return answer.Matches[0]
}

// now asks the world for the time: for an app that is given a function in the place of time.Now.
func (w *world) now() time.Time {
	w.t.Helper()
	var clock struct{ Now time.Time }
	w.control("GET", "/clock", nil, &clock)
	return clock.Now
}

// inbox is the address of a receiver for callbacks, for tests that have none of their own.
func (w *world) inbox(name string) string {
	return w.BaseURL + "/_mfano/inbox/" + name
}

// Connections that stay open would keep a bubble of testing/synctest from ending.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// ask sends JSON and reads JSON; what is refused fails the test, with the reason.
func ask(t *testing.T, method, url string, body any, token string, answer any) {
	t.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("content-type", "application/json")
	if token != "" {
		request.Header.Set("authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode >= 300 {
		t.Fatal(fmt.Sprintf("%s %s answered %d: %s", method, url, response.StatusCode, text))
	}
	if answer != nil {
		if err := json.Unmarshal(text, answer); err != nil {
			t.Fatal(err)
		}
	}
}

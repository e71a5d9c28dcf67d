package payroll

import (
	"fmt"
	"strings"
	"testing"
	"time"

	mfano "mfano.invalid/go"
)

// session is the app under test, in short: it keeps its token for as long as that lasts, by the clock that it is given.
type session struct {
	payments *mfano.World
	now      func() time.Time
	kept     string
	until    time.Time
}

func (s *session) token(t *testing.T) string {
	t.Helper()
	if s.now().Before(s.until) {
		return s.kept
	}
	var login struct {
		Data struct {
			AccessToken string `json:"access_token"`
			ExpiresIn   int    `json:"expires_in"`
		}
	}
	key := map[string]string{"apiKey": s.payments.Credentials.APIKey, "apiSecret": s.payments.Credentials.APISecret}
	ask(t, s.payments.BaseURL+"/api/v1/get-token", key, "", &login)
	s.kept = login.Data.AccessToken
	s.until = s.now().Add(time.Duration(login.Data.ExpiresIn) * time.Second)
	return s.kept
}

// paySalary logs in and pays.
func paySalary(t *testing.T, w *mfano.World, phoneNumber, callbackURL string) (requestID, status string) {
	t.Helper()
	token := (&session{payments: w, now: w.Now}).token(t)
	var payout struct {
		Data struct{ RequestID, Status string }
	}
	salary := map[string]any{
		"phoneNumber": phoneNumber, "amount": 1000, "remarks": "Salary", "occasion": "January", "callbackUrl": callbackURL,
	}
	ask(t, w.BaseURL+"/api/sandbox/v1/send-money", salary, token, &payout)
	return payout.Data.RequestID, payout.Data.Status
}

func ask(t *testing.T, url string, body any, token string, answer any) {
	t.Helper()
	if err := mfano.Ask("POST", url, body, token, answer); err != nil {
		t.Fatal(err)
	}
}

func TestASalaryArrivesAndWeAreTold(t *testing.T) {
	t.Parallel()
	w := server.World(t)
	requestID, status := paySalary(t, w, "254712345678", w.InboxURL("payroll"))
	if status != "PENDING" {
		t.Fatalf("expected PENDING, got %s", status)
	}

	w.Advance("10s")

	told := w.WaitFor("callback", fmt.Sprintf("payment.uuid == %q && callback.state == 'delivered'", requestID))
	if body := told["body"].(map[string]any); body["status"] != "SUCCESS" {
		t.Fatalf("expected to be told SUCCESS, got %v", body)
	}
}

func TestASalaryIsTakenBackTwoDaysLater(t *testing.T) {
	t.Parallel()
	w := server.World(t)
	// The number decides what happens: mfano's page on outcomes lists them.
	requestID, _ := paySalary(t, w, "254712000409", w.InboxURL("payroll"))

	w.Advance("72h")

	w.WaitFor("payment", fmt.Sprintf("payment.uuid == %q && payment.status == 'FAILED'", requestID))
	told := w.Inbox("payroll")
	if len(told) != 2 || told[0].Body["status"] != "SUCCESS" || told[1].Body["status"] != "FAILED" {
		t.Fatalf("expected to be told SUCCESS and then FAILED, got %v", told)
	}
}

func TestOurBooksAgreeWithTheLedger(t *testing.T) {
	t.Parallel()
	w := server.World(t)
	requestID, _ := paySalary(t, w, "254712345678", w.InboxURL("payroll"))
	w.Advance("10s")
	line := mfano.Line{RequestID: requestID, Kind: "send-money", Amount: "1000", Currency: "KSH", Status: "SUCCESS"}
	if err := w.Reconcile([]mfano.Line{line}); err != nil {
		t.Fatal(err)
	}
	line.Status = "FAILED"
	if err := w.Reconcile([]mfano.Line{line}); err == nil || !strings.Contains(err.Error(), "stale: ") {
		t.Fatalf("expected a finding, got %v", err)
	}
}

func TestATokenIsKeptWhileItLasts(t *testing.T) {
	t.Parallel()
	w := server.World(t)
	s := &session{payments: w, now: w.Now}
	first := s.token(t)
	w.Advance("4m")
	if s.token(t) != first {
		t.Fatal("expected the token to be kept")
	}
	w.Advance("2m")
	if s.token(t) == first {
		t.Fatal("expected another token")
	}
}

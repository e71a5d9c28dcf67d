package payroll

import (
	"fmt"
	"testing"
	"time"
)

// session is the app under test, in short: it keeps its token for as long as that lasts, by the clock that it is given.
type session struct {
	payments *world
	now      func() time.Time
	kept     string
	until    time.Time
}

func (s *session) token() string {
	s.payments.t.Helper()
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
	ask(s.payments.t, "POST", s.payments.BaseURL+"/api/v1/get-token", key, "", &login)
	s.kept = login.Data.AccessToken
	s.until = s.now().Add(time.Duration(login.Data.ExpiresIn) * time.Second)
	return s.kept
}

// paySalary logs in and pays.
func paySalary(w *world, phoneNumber, callbackURL string) (requestID, status string) {
	w.t.Helper()
	token := (&session{payments: w, now: w.now}).token()
	var payout struct {
		Data struct{ RequestID, Status string }
	}
	salary := map[string]any{
		"phoneNumber": phoneNumber, "amount": 1000, "remarks": "Salary", "occasion": "January", "callbackUrl": callbackURL,
	}
	ask(w.t, "POST", w.BaseURL+"/api/sandbox/v1/send-money", salary, token, &payout)
	return payout.Data.RequestID, payout.Data.Status
}

func TestASalaryArrivesAndWeAreTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	requestID, status := paySalary(w, "254712345678", w.inbox("payroll"))
	if status != "PENDING" {
		t.Fatalf("expected PENDING, got %s", status)
	}

	w.advance("10s")

	told := w.waitFor("callback", fmt.Sprintf("payment.uuid == %q && callback.state == 'delivered'", requestID))
	if body := told["body"].(map[string]any); body["status"] != "SUCCESS" {
		t.Fatalf("expected to be told SUCCESS, got %v", body)
	}
}

func TestASalaryIsTakenBackTwoDaysLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// The number decides what happens: the README's section "Ask for an outcome" lists them.
	requestID, _ := paySalary(w, "254712000409", w.inbox("payroll"))

	w.advance("72h")

	w.waitFor("payment", fmt.Sprintf("payment.uuid == %q && payment.status == 'FAILED'", requestID))
	var inbox struct {
		Messages []struct{ Body struct{ Status string } }
	}
	w.control("GET", "/inbox/payroll", nil, &inbox)
	if len(inbox.Messages) != 2 || inbox.Messages[0].Body.Status != "SUCCESS" || inbox.Messages[1].Body.Status != "FAILED" {
		t.Fatalf("expected to be told SUCCESS and then FAILED, got %v", inbox.Messages)
	}
}

func TestATokenIsKeptWhileItLasts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := &session{payments: w, now: w.now}
	first := s.token()
	w.advance("4m")
	if s.token() != first {
		t.Fatal("expected the token to be kept")
	}
	w.advance("2m")
	if s.token() == first {
		t.Fatal("expected another token")
	}
}

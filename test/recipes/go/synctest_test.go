//go:build go1.25

package payroll

import (
	"testing"
	"testing/synctest"
	"time"
)

// follow takes the bubble to the world's time: its timers fire on the way, in their order. A bubble begins in the year 2000.
func (w *world) follow() {
	w.t.Helper()
	time.Sleep(time.Until(w.now()))
}

// An app that uses package time as it is: in a bubble, time goes on when all of the app waits.
func TestTimersOfTheAppFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.follow()
		s := &session{payments: w, now: time.Now}
		first := s.token()
		var renewed string
		time.AfterFunc(5*time.Minute, func() { renewed = s.token() })
		w.advance("6m")
		w.follow()
		synctest.Wait()
		if renewed == "" || renewed == first {
			t.Fatal("expected another token five minutes later")
		}
	})
}

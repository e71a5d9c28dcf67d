//go:build go1.25

package payroll

import (
	"testing"
	"testing/synctest"
	"time"

	mfano "mfano.invalid/go"
)

// follow takes the bubble to the world's time: its timers fire on the way, in their order. A bubble begins in the year 2000.
func follow(t *testing.T, w *mfano.World) {
	t.Helper()
	time.Sleep(time.Until(w.Now()))
}

// An app that uses package time as it is: in a bubble, time goes on when all of the app waits.
func TestTimersOfTheAppFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := server.World(t)
		follow(t, w)
		s := &session{payments: w, now: time.Now}
		first := s.token(t)
		var renewed string
		time.AfterFunc(5*time.Minute, func() { renewed = s.token(t) })
		w.Advance("6m")
		follow(t, w)
		synctest.Wait()
		if renewed == "" || renewed == first {
			t.Fatal("expected another token five minutes later")
		}
	})
}

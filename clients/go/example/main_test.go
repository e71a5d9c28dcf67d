package payroll

import (
	"log"
	"os"
	"testing"

	mfano "mfano.invalid/go"
)

var server *mfano.Mfano

func TestMain(m *testing.M) {
	var err error
	if server, err = mfano.Start(); err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	server.Stop()
	os.Exit(code)
}

//go:build !containers

package payroll

import "log"

func startContainer() (url string, stop func()) {
	log.Fatal("Set PAYMENTS_BASE_URL to a mfano that runs, or let the tests start a container: go test -tags containers")
	return
}

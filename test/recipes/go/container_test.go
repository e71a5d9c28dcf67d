//go:build containers

package payroll

import (
	"context"
	"log"

	"github.com/docker/docker/api/types/container"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

// startContainer runs the image and waits until its health check is good.
func startContainer() (url string, stop func()) {
	ctx := context.Background()
	mfano, err := testcontainers.GenericContainer(ctx, testcontainers.GenericContainerRequest{
		Started: true,
		ContainerRequest: testcontainers.ContainerRequest{
			Image:        "mfano",
			ExposedPorts: []string{"8080/tcp"},
			Env: map[string]string{
				"MFANO_DATA": ":memory:",
				// localhost in a callback URL is then the machine that runs the tests.
				"MFANO_CALLBACK_HOST": "host.docker.internal",
			},
			HostConfigModifier: func(host *container.HostConfig) {
				host.ExtraHosts = append(host.ExtraHosts, "host.docker.internal:host-gateway")
			},
			WaitingFor: wait.ForHTTP("/_mfano/health").WithPort("8080/tcp"),
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	url, err = mfano.PortEndpoint(ctx, "8080/tcp", "http")
	if err != nil {
		log.Fatal(err)
	}
	return url, func() {
		if err := mfano.Terminate(ctx); err != nil {
			log.Print(err)
		}
	}
}

// Package container runs mfano's image, for Testcontainers. It is a module of its own, so that the client needs no other.
package container

import (
	"context"

	"github.com/docker/docker/api/types/container"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
	mfano "mfano.invalid/go"
)

// host is the name by which a container reaches the machine that runs the tests.
const host = "host.docker.internal"

// Container is a mfano in a container. Nothing is kept when it is terminated.
type Container struct {
	testcontainers.Container
	*mfano.Mfano
}

// Run starts the image and waits until its health check is good. localhost in a callback URL means the machine that runs
// the tests.
func Run(ctx context.Context, image string, options ...testcontainers.ContainerCustomizer) (*Container, error) {
	request := testcontainers.GenericContainerRequest{
		Started: true,
		ContainerRequest: testcontainers.ContainerRequest{
			Image:        image,
			ExposedPorts: []string{"8080/tcp"},
			Env:          map[string]string{"MFANO_DATA": ":memory:", "MFANO_CALLBACK_HOST": host},
			HostConfigModifier: func(config *container.HostConfig) {
				config.ExtraHosts = append(config.ExtraHosts, host+":host-gateway")
			},
			WaitingFor: wait.ForHTTP("/_mfano/health").WithPort("8080/tcp"),
		},
	}
	for _, option := range options {
		if err := option.Customize(&request); err != nil {
			return nil, err
		}
	}
	started, err := testcontainers.GenericContainer(ctx, request)
	if err != nil {
		return nil, err
	}
	url, err := started.PortEndpoint(ctx, "8080/tcp", "http")
	if err != nil {
		return nil, err
	}
	connected, err := mfano.Connect(url)
	if err != nil {
		return nil, err
	}
	return &Container{Container: started, Mfano: connected}, nil
}

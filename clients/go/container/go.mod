module mfano.invalid/go/container

go 1.22

require (
	github.com/docker/docker v27.1.1+incompatible
	github.com/testcontainers/testcontainers-go v0.34.0
	mfano.invalid/go v0.0.0
)

replace mfano.invalid/go => ../

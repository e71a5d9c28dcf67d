"""mfano in a container, for Testcontainers: `pip install "mfano[container]"`."""

from testcontainers.core.container import DockerContainer

from . import Mfano

PORT = 8080
# The name by which a container reaches the machine that runs the tests.
HOST = "host.docker.internal"


class MfanoContainer(DockerContainer):
    """Nothing is kept when it stops. `localhost` in a callback URL means the machine that runs the tests."""

    def __init__(self, image="mfano", **options):
        super().__init__(image, **options)
        self.with_exposed_ports(PORT)
        self.with_env("MFANO_DATA", ":memory:")
        self.with_env("MFANO_CALLBACK_HOST", HOST)
        self.with_kwargs(extra_hosts={HOST: "host-gateway"})

    def connect(self):
        """Waits until it is ready."""
        return Mfano.connect(f"http://{self.get_container_host_ip()}:{self.get_exposed_port(PORT)}")

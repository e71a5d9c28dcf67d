package mfano;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** mfano's image, for Testcontainers. Nothing is kept when it stops. */
public final class MfanoContainer extends GenericContainer<MfanoContainer> {
  private static final int PORT = 8080;
  /** The name by which a container reaches the machine that runs the tests, which localhost in a callback URL means. */
  private static final String HOST = "host.docker.internal";

  public MfanoContainer(String image) {
    super(DockerImageName.parse(image));
    withExposedPorts(PORT);
    withEnv("MFANO_DATA", ":memory:");
    withEnv("MFANO_CALLBACK_HOST", HOST);
    withExtraHost(HOST, "host-gateway");
    waitingFor(Wait.forHttp("/_mfano/health"));
  }

  /** Connects to the container, which must be started. */
  public Mfano connect() {
    return Mfano.connect("http://" + getHost() + ":" + getMappedPort(PORT));
  }
}

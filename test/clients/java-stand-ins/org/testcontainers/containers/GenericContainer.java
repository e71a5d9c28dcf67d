package org.testcontainers.containers;

import org.testcontainers.containers.wait.strategy.WaitStrategy;
import org.testcontainers.utility.DockerImageName;

public class GenericContainer<Self extends GenericContainer<Self>> {
  public GenericContainer(DockerImageName image) {}

  @SuppressWarnings("unchecked")
  private Self self() {
    return (Self) this;
  }

  public Self withExposedPorts(Integer... ports) {
    return self();
  }

  public Self withEnv(String name, String value) {
    return self();
  }

  public Self withExtraHost(String host, String address) {
    return self();
  }

  public Self waitingFor(WaitStrategy strategy) {
    return self();
  }

  public void start() {
    throw new UnsupportedOperationException("There is no container engine here: set PAYMENTS_BASE_URL.");
  }

  public void stop() {}

  public String getHost() {
    return "";
  }

  public Integer getMappedPort(int port) {
    return port;
  }
}

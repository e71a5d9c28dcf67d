package org.testcontainers.containers.wait.strategy;

public final class Wait {
  public static WaitStrategy forHttp(String path) {
    return new WaitStrategy() {};
  }
}

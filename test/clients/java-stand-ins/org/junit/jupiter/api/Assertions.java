package org.junit.jupiter.api;

public final class Assertions {
  public static void assertEquals(Object expected, Object actual) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }

  public static void assertTrue(boolean condition, String message) {
    if (!condition) throw new AssertionError(message);
  }
}

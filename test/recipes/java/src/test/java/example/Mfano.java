package example;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** mfano from a Java test suite: the JDK's HTTP client, and Testcontainers where a container is to be started. */
final class Mfano implements AutoCloseable {
  private static final HttpClient http = HttpClient.newHttpClient();
  private static final int PORT = 8080;

  private final String url;
  private final GenericContainer<?> container;

  private Mfano(String url, GenericContainer<?> container) {
    this.url = url;
    this.container = container;
  }

  /** The mfano at PAYMENTS_BASE_URL, where CI runs it as a service; else a container of its own. */
  static Mfano start() {
    String there = System.getenv("PAYMENTS_BASE_URL");
    if (there != null) return new Mfano(there, null);
    GenericContainer<?> container =
        new GenericContainer<>(DockerImageName.parse("mfano"))
            .withExposedPorts(PORT)
            .withEnv("MFANO_DATA", ":memory:")
            // localhost in a callback URL is then the machine that runs the tests.
            .withEnv("MFANO_CALLBACK_HOST", "host.docker.internal")
            .withExtraHost("host.docker.internal", "host-gateway")
            .waitingFor(Wait.forHttp("/_mfano/health"));
    container.start();
    return new Mfano("http://" + container.getHost() + ":" + container.getMappedPort(PORT), container);
  }

  /** A world for one test: frozen, and at the same moment every day. */
  World world() {
    return new World(
        ask(
            "POST",
            url + "/_mfano/worlds",
            """
            { "clock": { "mode": "frozen", "start": "2025-01-24T16:28:00" } }"""));
  }

  /** Runs a test in a world of its own; when it fails, what happened there is printed. */
  void inWorld(Consumer<World> test) {
    try (World world = world()) {
      try {
        test.accept(world);
      } catch (Throwable error) {
        System.err.println(world.report());
        throw error;
      }
    }
  }

  @Override
  public void close() {
    if (container != null) container.stop();
  }

  /** One sandbox: give the app under test its baseUrl and credentials. */
  final class World implements AutoCloseable {
    final String id;
    final String baseUrl;
    final String apiKey;
    final String apiSecret;

    private World(String made) {
      id = value(made, "id");
      baseUrl = value(made, "baseUrl");
      apiKey = value(made, "apiKey");
      apiSecret = value(made, "apiSecret");
    }

    /** Anything of this world's control plane: GET {baseUrl}/_mfano/ lists it. */
    String control(String method, String path, String body) {
      return ask(method, baseUrl + "/_mfano" + path, body);
    }

    /** Moves time, such as "10s" or "2d"; all that falls due is done, and its callbacks answered. */
    void advance(String by) {
      control("POST", "/clock/advance", "{ \"by\": \"" + by + "\" }");
    }

    /** Waits for a "payment", "callback", "request" or "inbox" message for which a condition in CEL holds. */
    String waitFor(String what, String where) {
      return control(
          "POST", "/wait", "{ \"for\": \"" + what + "\", \"where\": \"" + where + "\", \"timeout\": \"5s\" }");
    }

    /** The address of a receiver for callbacks, for tests that have none of their own. */
    String inbox(String name) {
      return baseUrl + "/_mfano/inbox/" + name;
    }

    /** What happened here, for people: the newest payments, each explained, and what was refused. */
    String report() {
      return control("GET", "/report?format=text", null);
    }

    @Override
    public void close() {
      ask("DELETE", url + "/_mfano/worlds/" + id, null);
    }
  }

  /** The text of an answer; what is refused is an exception that says why. */
  static String ask(String method, String url, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofSeconds(30))
            .header("content-type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) request.headers(headers);
    try {
      var answer = http.send(request.build(), BodyHandlers.ofString());
      if (answer.statusCode() < 300) return answer.body();
      throw new IllegalStateException(method + " " + url + " answered " + answer.statusCode() + ": " + answer.body());
    } catch (IOException error) {
      throw new IllegalStateException(method + " " + url + " got no answer", error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(error);
    }
  }

  /** The first text field of that name: enough for these tests. A suite that has a JSON library reads with that. */
  static String value(String json, String field) {
    Matcher matcher = Pattern.compile("\"" + field + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
    if (matcher.find()) return matcher.group(1);
    throw new IllegalStateException("There is no " + field + " in " + json);
  }
}

package mfano;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A mfano that answers at its {@link #url}. The plain JDK, and no other library. */
public final class Mfano implements AutoCloseable {
  private static final HttpClient http = HttpClient.newHttpClient();
  private static final long READY_WITHIN_MS = 30_000;

  public final String url;
  private final Process process;

  private Mfano(String url, Process process) {
    this.url = url.replaceAll("/+$", "");
    this.process = process;
  }

  /** The mfano at PAYMENTS_BASE_URL, where CI runs it as a service; without one, at {@code http://localhost:8080}. */
  public static Mfano connect() {
    String there = System.getenv("PAYMENTS_BASE_URL");
    return connect(there == null ? "http://localhost:8080" : there);
  }

  /** Waits until the mfano at this address is ready. */
  public static Mfano connect(String url) {
    Mfano mfano = new Mfano(url, null);
    long until = System.currentTimeMillis() + READY_WITHIN_MS;
    while (true) {
      try {
        ask("GET", mfano.url + "/_mfano/health", null);
        return mfano;
      } catch (MfanoException error) {
        if (System.currentTimeMillis() > until) throw new MfanoException("no mfano is ready at " + mfano.url, error);
        pause();
      }
    }
  }

  /**
   * The mfano at PAYMENTS_BASE_URL; without one, a program of its own, which needs Node: the command, else
   * PAYMENTS_COMMAND, else {@code npx mfano}.
   */
  public static Mfano start(String... command) {
    if (System.getenv("PAYMENTS_BASE_URL") != null) return connect();
    String told = System.getenv().getOrDefault("PAYMENTS_COMMAND", "npx mfano");
    List<String> words = new ArrayList<>(List.of(command.length > 0 ? command : told.split(" ")));
    words.addAll(List.of("start", "--port", "0", "--data", ":memory:", "--json"));
    try {
      Process process = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      // Its first line says where it answers; one that cannot start says why on stderr.
      String line = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
      if (line == null || !line.contains("\"baseUrl\"")) {
        process.destroy();
        throw new MfanoException(String.join(" ", words) + " ended before it was ready", null);
      }
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
      return new Mfano(value(line, "baseUrl"), process);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** A world for one test: frozen, at the same moment every day. */
  public World world() {
    return world("{}");
  }

  /** A world with options, as JSON: {@code {"scenario":"slow-rails","seed":7}}. */
  public World world(String options) {
    String more = options.strip().replaceAll("^\\{\\s*|\\s*}$", "");
    String clock = "\"clock\":{\"mode\":\"frozen\",\"start\":\"2025-01-24T16:28:00\"}";
    return new World(this, ask("POST", url + "/_mfano/worlds", "{" + clock + (more.isEmpty() ? "" : "," + more) + "}"));
  }

  /** Runs a test in a world of its own; when it fails, what happened there is printed. */
  public void inWorld(Consumer<World> test) {
    try (World world = world()) {
      try {
        test.accept(world);
      } catch (Throwable error) {
        System.err.println(world.report());
        throw error;
      }
    }
  }

  /** Ends the program that {@link #start} started. Another one is left running. */
  @Override
  public void close() {
    if (process == null) return;
    process.destroy();
    process.onExit().join();
  }

  /** The text of an answer; what is refused is an exception that says why. */
  public static String ask(String method, String url, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofSeconds(30))
            .header("content-type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) request.headers(headers);
    try {
      var answer = http.send(request.build(), BodyHandlers.ofString());
      if (answer.statusCode() < 300) return answer.body();
      throw new MfanoException(method + " " + url + " answered " + answer.statusCode() + ": " + answer.body(), null);
    } catch (IOException error) {
      throw new MfanoException(method + " " + url + " got no answer", error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new MfanoException(method + " " + url + " was interrupted", error);
    }
  }

  /** The first text field of that name: enough for a test. A suite that has a JSON library reads with that. */
  public static String value(String json, String field) {
    Matcher matcher = Pattern.compile("\"" + field + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
    if (matcher.find()) return matcher.group(1);
    throw new MfanoException("There is no " + field + " in " + json, null);
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new MfanoException("interrupted", error);
    }
  }
}

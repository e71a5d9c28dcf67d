package mfano;

/** One sandbox: give the app under test its baseUrl and credentials. */
public final class World implements AutoCloseable {
  public final String id;
  public final String baseUrl;
  public final String apiKey;
  public final String apiSecret;
  private final Mfano mfano;

  World(Mfano mfano, String made) {
    this.mfano = mfano;
    id = Mfano.value(made, "id");
    baseUrl = Mfano.value(made, "baseUrl");
    apiKey = Mfano.value(made, "apiKey");
    apiSecret = Mfano.value(made, "apiSecret");
  }

  /** Any operation of this world's control plane: GET {baseUrl}/_mfano/ lists them. Bodies and answers are JSON. */
  public String control(String method, String path, String body) {
    return Mfano.ask(method, baseUrl + "/_mfano" + path, body);
  }

  /** Moves time, such as "10s" or "2d". All that falls due is done, and its callbacks are answered. */
  public void advance(String by) {
    control("POST", "/clock/advance", "{ \"by\": \"" + by + "\" }");
  }

  /** A clock for the app under test that shows this world's time. */
  public WorldClock clock() {
    return new WorldClock(this);
  }

  /** Waits for a "payment", "callback", "request" or "inbox" message for which a condition in CEL holds. */
  public String waitFor(String what, String where) {
    return control("POST", "/wait", "{ \"for\": \"" + what + "\", \"where\": \"" + where + "\", \"timeout\": \"5s\" }");
  }

  /** The address of a receiver for callbacks, for tests that have none of their own. */
  public String inboxUrl(String name) {
    return baseUrl + "/_mfano/inbox/" + name;
  }

  /** The messages of an inbox, the oldest first, as JSON. */
  public String inbox(String name) {
    return control("GET", "/inbox/" + name, null);
  }

  /**
   * Compares the app's books with the ledger. Throws with the findings.
   *
   * @param books a JSON array: a line for each payment with {@code reference}, {@code amount}, {@code status} and so on
   */
  public String reconcile(String books) {
    String verdict = control("POST", "/reconcile", "{ \"books\": " + books + " }");
    if (verdict.replaceAll("\\s", "").contains("\"findings\":[]")) return verdict;
    throw new MfanoException("The books are not right: " + verdict, null);
  }

  /** A report for people: the newest payments, each explained, and what was refused. */
  public String report() {
    return control("GET", "/report?format=text", null);
  }

  @Override
  public void close() {
    Mfano.ask("DELETE", mfano.url + "/_mfano/worlds/" + id, null);
  }
}

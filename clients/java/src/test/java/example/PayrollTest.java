package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mfano.Mfano;
import mfano.MfanoException;
import mfano.World;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PayrollTest {
  private static Mfano mfano;

  @BeforeAll
  static void startMfano() {
    mfano = Mfano.start();
  }

  @AfterAll
  static void stopMfano() {
    mfano.close();
  }

  @Test
  void aSalaryArrivesAndWeAreTold() {
    mfano.inWorld(
        world -> {
          String payout = paySalary(world, "254712345678", world.inboxUrl("payroll"));
          assertEquals("PENDING", Mfano.value(payout, "status"));

          world.advance("10s");

          String uuid = Mfano.value(payout, "requestId");
          String told = world.waitFor("callback", "payment.uuid == '" + uuid + "' && callback.state == 'delivered'");
          assertTrue(told.contains("\"status\":\"SUCCESS\""), told);
        });
  }

  @Test
  void aSalaryIsTakenBackTwoDaysLater() {
    mfano.inWorld(
        world -> {
          // The number decides what happens: mfano's page on outcomes lists them.
          String payout = paySalary(world, "254712000409", world.inboxUrl("payroll"));

          world.advance("3d");

          String uuid = Mfano.value(payout, "requestId");
          world.waitFor("payment", "payment.uuid == '" + uuid + "' && payment.status == 'FAILED'");
          String inbox = world.inbox("payroll");
          assertTrue(inbox.indexOf("SUCCESS") < inbox.indexOf("FAILED"), inbox);
        });
  }

  @Test
  void ourBooksAgreeWithTheLedger() {
    mfano.inWorld(
        world -> {
          String payout = paySalary(world, "254712345678", world.inboxUrl("payroll"));
          world.advance("10s");
          String line = "[{ \"requestId\": \"" + Mfano.value(payout, "requestId") + "\", \"status\": \"%s\" }]";
          world.reconcile(line.formatted("SUCCESS"));
          try {
            world.reconcile(line.formatted("FAILED"));
          } catch (MfanoException error) {
            assertTrue(error.getMessage().contains("stale"), error.getMessage());
            return;
          }
          throw new AssertionError("expected a finding");
        });
  }

  @Test
  void aTokenIsKeptWhileItLasts() {
    mfano.inWorld(
        world -> {
          Session session = new Session(world, world.clock());
          String first = session.token();
          world.advance("4m");
          assertEquals(first, session.token());
          world.advance("2m");
          assertTrue(!first.equals(session.token()), "the token was not renewed");
        });
  }

  /** The app under test, in short: it keeps its token for as long as that lasts, by the clock that it is given. */
  private static final class Session {
    private static final Pattern EXPIRES_IN = Pattern.compile("\"expires_in\"\\s*:\\s*(\\d+)");
    private final World payments;
    private final Clock clock;
    private String token;
    private Instant until = Instant.MIN;

    Session(World payments, Clock clock) {
      this.payments = payments;
      this.clock = clock;
    }

    String token() {
      Instant now = clock.instant();
      if (now.isBefore(until)) return token;
      String keys = "{ \"apiKey\": \"" + payments.apiKey + "\", \"apiSecret\": \"" + payments.apiSecret + "\" }";
      String login = Mfano.ask("POST", payments.baseUrl + "/api/v1/get-token", keys);
      Matcher seconds = EXPIRES_IN.matcher(login);
      if (!seconds.find()) throw new IllegalStateException("There is no expires_in in " + login);
      until = now.plusSeconds(Long.parseLong(seconds.group(1)));
      token = Mfano.value(login, "access_token");
      return token;
    }
  }

  /** It logs in and pays. */
  private String paySalary(World world, String phoneNumber, String callbackUrl) {
    String token = new Session(world, world.clock()).token();
    String payout =
        """
        {
          "phoneNumber": "%s", "amount": 1000, "remarks": "Salary", "occasion": "January", "callbackUrl": "%s"
        }"""
            .formatted(phoneNumber, callbackUrl);
    return Mfano.ask(
        "POST", world.baseUrl + "/api/sandbox/v1/send-money", payout, "authorization", "Bearer " + token);
  }
}

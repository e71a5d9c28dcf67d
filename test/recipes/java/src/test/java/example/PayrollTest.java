package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
          String payout = paySalary(world, "254712345678", world.inbox("payroll"));
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
          // The number decides what happens: the README's section "Ask for an outcome" lists them.
          String payout = paySalary(world, "254712000409", world.inbox("payroll"));

          world.advance("3d");

          String uuid = Mfano.value(payout, "requestId");
          world.waitFor("payment", "payment.uuid == '" + uuid + "' && payment.status == 'FAILED'");
          String inbox = world.control("GET", "/inbox/payroll", null);
          assertTrue(inbox.indexOf("SUCCESS") < inbox.indexOf("FAILED"), inbox);
        });
  }

  /** The app under test, in short: it logs in and pays. */
  private String paySalary(Mfano.World world, String phoneNumber, String callbackUrl) {
    String login = "{ \"apiKey\": \"" + world.apiKey + "\", \"apiSecret\": \"" + world.apiSecret + "\" }";
    String token = Mfano.value(Mfano.ask("POST", world.baseUrl + "/api/v1/get-token", login), "access_token");
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

using Xunit;

namespace Payroll.Tests;

public sealed class PayrollTests(Mfano mfano) : IClassFixture<Mfano>
{
    [Fact]
    public async Task ASalaryArrivesAndWeAreTold()
    {
        await using var world = await mfano.WorldAsync();
        var (requestId, status) = await PaySalary(world, "254712345678", world.Inbox("payroll"));
        Assert.Equal("PENDING", status);

        await world.AdvanceAsync("10s");

        var told = await world.WaitForAsync("callback", $"payment.uuid == '{requestId}' && callback.state == 'delivered'");
        Assert.Equal("SUCCESS", told["body"]!["status"]!.GetValue<string>());
    }

    [Fact]
    public async Task ASalaryIsTakenBackTwoDaysLater()
    {
        await using var world = await mfano.WorldAsync();
        // The number decides what happens: the README's section "Ask for an outcome" lists them.
        var (requestId, _) = await PaySalary(world, "254712000409", world.Inbox("payroll"));

        await world.AdvanceAsync("3d");

        await world.WaitForAsync("payment", $"payment.uuid == '{requestId}' && payment.status == 'FAILED'");
        var inbox = await world.ControlAsync(HttpMethod.Get, "/inbox/payroll");
        var told = inbox["messages"]!.AsArray().Select(message => message!["body"]!["status"]!.GetValue<string>());
        Assert.Equal(["SUCCESS", "FAILED"], told);
    }

    /// <summary>The app under test, in short: it logs in and pays.</summary>
    private static async Task<(string RequestId, string Status)> PaySalary(World world, string phoneNumber, string callbackUrl)
    {
        var login = new { apiKey = world.ApiKey, apiSecret = world.ApiSecret };
        var tokens = await Mfano.AskAsync(HttpMethod.Post, $"{world.BaseUrl}/api/v1/get-token", login);
        var salary = new { phoneNumber, amount = 1000, remarks = "Salary", occasion = "January", callbackUrl };
        var payout = await Mfano.AskAsync(
            HttpMethod.Post,
            $"{world.BaseUrl}/api/sandbox/v1/send-money",
            salary,
            tokens["data"]!["access_token"]!.GetValue<string>());
        var data = payout["data"]!;
        return (data["requestId"]!.GetValue<string>(), data["status"]!.GetValue<string>());
    }
}

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

    [Fact]
    public async Task ATokenIsKeptWhileItLasts()
    {
        await using var world = await mfano.WorldAsync();
        var time = await new WorldTimeProvider(world).ReadAsync();
        var session = new Session(world, time);
        var first = await session.TokenAsync();

        await world.AdvanceAsync("4m");
        await time.ReadAsync();
        Assert.Equal(first, await session.TokenAsync());

        await world.AdvanceAsync("2m");
        await time.ReadAsync();
        Assert.NotEqual(first, await session.TokenAsync());
    }

    /// <summary>The app under test, in short: it keeps its token for as long as that lasts, by the time that it is given.</summary>
    private sealed class Session(World payments, TimeProvider time)
    {
        private string _token = "";
        private DateTimeOffset _until = DateTimeOffset.MinValue;

        public async Task<string> TokenAsync()
        {
            if (time.GetUtcNow() < _until) return _token;
            var keys = new { apiKey = payments.ApiKey, apiSecret = payments.ApiSecret };
            var login = (await Mfano.AskAsync(HttpMethod.Post, $"{payments.BaseUrl}/api/v1/get-token", keys))["data"]!;
            _until = time.GetUtcNow().AddSeconds(login["expires_in"]!.GetValue<int>());
            return _token = login["access_token"]!.GetValue<string>();
        }
    }

    /// <summary>It logs in and pays.</summary>
    private static async Task<(string RequestId, string Status)> PaySalary(World world, string phoneNumber, string callbackUrl)
    {
        var time = await new WorldTimeProvider(world).ReadAsync();
        var salary = new { phoneNumber, amount = 1000, remarks = "Salary", occasion = "January", callbackUrl };
        var payout = await Mfano.AskAsync(
            HttpMethod.Post,
            $"{world.BaseUrl}/api/sandbox/v1/send-money",
            salary,
            await new Session(world, time).TokenAsync());
        var data = payout["data"]!;
        return (data["requestId"]!.GetValue<string>(), data["status"]!.GetValue<string>());
    }
}

using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using DotNet.Testcontainers.Builders;
using DotNet.Testcontainers.Containers;
using Xunit;

namespace Payroll.Tests;

/// <summary>A mfano for all tests of a class: at PAYMENTS_BASE_URL, where CI runs it as a service, else in a container.</summary>
public sealed class Mfano : IAsyncLifetime
{
    private const int Port = 8080;
    private IContainer? _container;

    public string Url { get; private set; } = "";

    public async Task InitializeAsync()
    {
        var there = Environment.GetEnvironmentVariable("PAYMENTS_BASE_URL");
        if (there is not null)
        {
            Url = there;
            return;
        }
        _container = new ContainerBuilder()
            .WithImage("mfano")
            .WithPortBinding(Port, true)
            .WithEnvironment("MFANO_DATA", ":memory:")
            // localhost in a callback URL is then the machine that runs the tests.
            .WithEnvironment("MFANO_CALLBACK_HOST", "host.docker.internal")
            .WithExtraHost("host.docker.internal", "host-gateway")
            .WithWaitStrategy(Wait.ForUnixContainer().UntilHttpRequestIsSucceeded(
                request => request.ForPath("/_mfano/health").ForPort(Port)))
            .Build();
        await _container.StartAsync();
        Url = $"http://{_container.Hostname}:{_container.GetMappedPublicPort(Port)}";
    }

    public async Task DisposeAsync()
    {
        if (_container is not null) await _container.DisposeAsync();
    }

    /// <summary>A world for one test: frozen, and at the same moment every day.</summary>
    public async Task<World> WorldAsync()
    {
        var clock = new { mode = "frozen", start = "2025-01-24T16:28:00" };
        return new World(Url, await AskAsync(HttpMethod.Post, $"{Url}/_mfano/worlds", new { clock }));
    }

    /// <summary>The JSON of an answer; what is refused is an exception that says why.</summary>
    public static async Task<JsonNode> AskAsync(HttpMethod method, string url, object? body = null, string? token = null)
    {
        using var client = new HttpClient();
        using var request = new HttpRequestMessage(method, url);
        if (body is not null) request.Content = JsonContent.Create(body);
        if (token is not null) request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
        using var answer = await client.SendAsync(request);
        var text = await answer.Content.ReadAsStringAsync();
        if (!answer.IsSuccessStatusCode)
            throw new InvalidOperationException($"{method} {url} answered {(int)answer.StatusCode}: {text}");
        return JsonNode.Parse(text)!;
    }
}

/// <summary>One sandbox: give the app under test its BaseUrl and its credentials.</summary>
public sealed class World(string url, JsonNode made) : IAsyncDisposable
{
    public string Id { get; } = made["id"]!.GetValue<string>();
    public string BaseUrl { get; } = made["baseUrl"]!.GetValue<string>();
    public string ApiKey { get; } = made["credentials"]!["apiKey"]!.GetValue<string>();
    public string ApiSecret { get; } = made["credentials"]!["apiSecret"]!.GetValue<string>();

    /// <summary>Anything of this world's control plane: GET {BaseUrl}/_mfano/ lists it.</summary>
    public Task<JsonNode> ControlAsync(HttpMethod method, string path, object? body = null) =>
        Mfano.AskAsync(method, $"{BaseUrl}/_mfano{path}", body);

    /// <summary>Moves time, such as "10s" or "2d"; all that falls due is done, and its callbacks answered.</summary>
    public Task AdvanceAsync(string by) => ControlAsync(HttpMethod.Post, "/clock/advance", new { by });

    /// <summary>The newest "payment", "callback", "request" or "inbox" message for which a condition in CEL holds.</summary>
    public async Task<JsonNode> WaitForAsync(string what, string where)
    {
        var body = new Dictionary<string, string> { ["for"] = what, ["where"] = where, ["timeout"] = "5s" };
        return (await ControlAsync(HttpMethod.Post, "/wait", body))["matches"]![0]!;
    }

    /// <summary>The address of a receiver for callbacks, for tests that have none of their own.</summary>
    public string Inbox(string name) => $"{BaseUrl}/_mfano/inbox/{name}";

    public async ValueTask DisposeAsync() => await Mfano.AskAsync(HttpMethod.Delete, $"{url}/_mfano/worlds/{Id}");
}

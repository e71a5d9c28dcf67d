using System.Globalization;

namespace Payroll.Tests;

/// <summary>
/// A world's time, for an app that takes a <see cref="TimeProvider"/>. That is synchronous, so it keeps what the world said
/// last: read it again whenever time was moved. Timers stay those of the machine.
/// </summary>
public sealed class WorldTimeProvider(World world) : TimeProvider
{
    private DateTimeOffset _now;

    /// <summary>Asks the world for the time.</summary>
    public async Task<WorldTimeProvider> ReadAsync()
    {
        var clock = await world.ControlAsync(HttpMethod.Get, "/clock");
        _now = DateTimeOffset.Parse(clock["now"]!.GetValue<string>(), CultureInfo.InvariantCulture);
        return this;
    }

    public override DateTimeOffset GetUtcNow() => _now;
}

package example;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Asks a world for the time: for an app that takes a {@link Clock}. */
final class WorldClock extends Clock {
  private final Mfano.World world;
  private final ZoneId zone;

  WorldClock(Mfano.World world) {
    this(world, ZoneOffset.UTC);
  }

  private WorldClock(Mfano.World world, ZoneId zone) {
    this.world = world;
    this.zone = zone;
  }

  @Override
  public Instant instant() {
    return Instant.parse(Mfano.value(world.control("GET", "/clock", null), "now"));
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId other) {
    return new WorldClock(world, other);
  }
}

package mfano;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Asks a world for the time: for an app that takes a {@link Clock}. */
public final class WorldClock extends Clock {
  private final World world;
  private final ZoneId zone;

  WorldClock(World world) {
    this(world, ZoneOffset.UTC);
  }

  private WorldClock(World world, ZoneId zone) {
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

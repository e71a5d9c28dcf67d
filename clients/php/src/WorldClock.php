<?php

declare(strict_types=1);

namespace Mfano;

/** Asks the world for the time. A clock of PSR-20 by its method; where an app asks for the interface, wrap it. */
final class WorldClock
{
    public function __construct(private readonly World $world)
    {
    }

    public function now(): \DateTimeImmutable
    {
        return new \DateTimeImmutable($this->world->control('GET', '/clock')['now']);
    }
}

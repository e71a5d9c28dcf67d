<?php

declare(strict_types=1);

/** What mfano refused. The message names the field, what was expected, what came, and what to do. */
final class MfanoError extends RuntimeException
{
}

/** mfano from a PHP test suite. Only what comes with PHP; it answers at `$url`, where CI runs it as a service. */
final class Mfano
{
    public readonly string $url;

    public function __construct(?string $url = null)
    {
        $this->url = rtrim($url ?? (getenv('PAYMENTS_BASE_URL') ?: 'http://localhost:8080'), '/');
    }

    /** A world for one test: frozen, and at the same moment every day. `['scenario' => 'slow-rails']` and so on. */
    public function world(array $options = []): World
    {
        $clock = ['mode' => 'frozen', 'start' => '2025-01-24T16:28:00'];
        return new World($this, self::ask('POST', "$this->url/_mfano/worlds", ['clock' => $clock, ...$options]));
    }

    /** Runs a test in a world of its own; when it fails, what happened there is printed. */
    public function inWorld(callable $test, array $options = []): void
    {
        $world = $this->world($options);
        try {
            $test($world);
        } catch (Throwable $error) {
            fwrite(STDERR, $world->report());
            throw $error;
        } finally {
            $world->close();
        }
    }

    /** The JSON of an answer; what is refused is an MfanoError. */
    public static function ask(string $method, string $url, ?array $body = null, array $headers = []): array
    {
        return json_decode(self::fetch($method, $url, $body, $headers), true, flags: JSON_THROW_ON_ERROR);
    }

    /** The text of an answer; what is refused is an MfanoError. */
    public static function fetch(string $method, string $url, ?array $body = null, array $headers = []): string
    {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => ['content-type: application/json', ...$headers],
            'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
            'ignore_errors' => true,
            'timeout' => 30,
        ]]);
        $text = @file_get_contents($url, false, $context);
        if ($text === false) {
            throw new MfanoError("$method $url got no answer: " . (error_get_last()['message'] ?? 'nobody is there'));
        }
        $status = (int) explode(' ', $http_response_header[0])[1];
        if ($status >= 300) {
            throw new MfanoError("$method $url answered $status: $text");
        }
        return $text;
    }
}

/** One sandbox: give the app under test its `baseUrl` and `credentials`. */
final class World
{
    public readonly string $id;
    public readonly string $baseUrl;
    /** @var array{apiKey: string, apiSecret: string, companyId: string} */
    public readonly array $credentials;

    public function __construct(private readonly Mfano $mfano, array $made)
    {
        ['id' => $this->id, 'baseUrl' => $this->baseUrl, 'credentials' => $this->credentials] = $made;
    }

    /** Anything of this world's control plane: GET {baseUrl}/_mfano/ lists it. */
    public function control(string $method, string $path, ?array $body = null): array
    {
        return Mfano::ask($method, "$this->baseUrl/_mfano$path", $body);
    }

    /** Moves time, such as "10s" or "2d"; all that falls due is done, and its callbacks answered. */
    public function advance(string $by): array
    {
        return $this->control('POST', '/clock/advance', ['by' => $by]);
    }

    /** The newest "payment", "callback", "request" or "inbox" message for which a condition in CEL holds. */
    public function waitFor(string $what, string $where, string $timeout = '5s'): array
    {
        return $this->control('POST', '/wait', ['for' => $what, 'where' => $where, 'timeout' => $timeout])['matches'][0];
    }

    /** A clock for the app under test that shows this world's time. */
    public function clock(): WorldClock
    {
        return new WorldClock($this);
    }

    /** The address of a receiver for callbacks, for tests that have none of their own. */
    public function inbox(string $name): string
    {
        return "$this->baseUrl/_mfano/inbox/$name";
    }

    /** What happened here, for people: the newest payments, each explained, and what was refused. */
    public function report(): string
    {
        return Mfano::fetch('GET', "$this->baseUrl/_mfano/report?format=text");
    }

    public function close(): void
    {
        Mfano::ask('DELETE', "{$this->mfano->url}/_mfano/worlds/$this->id");
    }
}

/** Asks the world for the time. It is a clock of PSR-20: with `psr/clock`, add `implements Psr\Clock\ClockInterface`. */
final class WorldClock
{
    public function __construct(private readonly World $world)
    {
    }

    public function now(): DateTimeImmutable
    {
        return new DateTimeImmutable($this->world->control('GET', '/clock')['now']);
    }
}

<?php

declare(strict_types=1);

namespace Mfano;

/** A mfano that answers at `$url`. Only what comes with PHP. */
final class Mfano
{
    public readonly string $url;

    /** @param resource|null $process */
    private function __construct(string $url, private mixed $process = null)
    {
        $this->url = rtrim($url, '/');
    }

    /** The mfano at `$url`, else at PAYMENTS_BASE_URL, where CI runs it as a service. Waits until it is ready. */
    public static function connect(?string $url = null, int $seconds = 30): self
    {
        $mfano = new self($url ?? (getenv('PAYMENTS_BASE_URL') ?: 'http://localhost:8080'));
        $until = microtime(true) + $seconds;
        while (true) {
            try {
                Http::ask('GET', "$mfano->url/_mfano/health");
                return $mfano;
            } catch (MfanoError $error) {
                if (microtime(true) > $until) {
                    throw new MfanoError("no mfano is ready at $mfano->url", previous: $error);
                }
                usleep(100_000);
            }
        }
    }

    /**
     * The mfano at PAYMENTS_BASE_URL; without one, a program of its own, which needs Node.
     *
     * @param list<string>|null $command what starts it; PAYMENTS_COMMAND, or `npx mfano`
     */
    public static function start(?array $command = null): self
    {
        if (getenv('PAYMENTS_BASE_URL')) {
            return self::connect();
        }
        $command ??= explode(' ', getenv('PAYMENTS_COMMAND') ?: 'npx mfano');
        $words = [...$command, 'start', '--port', '0', '--data', ':memory:', '--json'];
        $process = proc_open($words, [1 => ['pipe', 'w'], 2 => STDERR], $pipes);
        // Its first line says where it answers; one that cannot start says why on stderr.
        $ready = $process === false ? null : json_decode((string) fgets($pipes[1]), true);
        if (!isset($ready['baseUrl'])) {
            throw new MfanoError(implode(' ', $words) . ' ended before it was ready');
        }
        return new self($ready['baseUrl'], $process);
    }

    /** A world for one test: frozen, at the same moment every day. `['scenario' => 'slow-rails']` and so on. */
    public function world(array $options = []): World
    {
        $clock = ['mode' => 'frozen', 'start' => '2025-01-24T16:28:00'];
        return new World($this, Http::ask('POST', "$this->url/_mfano/worlds", ['clock' => $clock, ...$options]));
    }

    /** Runs a test in a world of its own; when it fails, what happened there is printed. */
    public function inWorld(callable $test, array $options = []): void
    {
        $world = $this->world($options);
        try {
            $test($world);
        } catch (\Throwable $error) {
            fwrite(STDERR, $world->report());
            throw $error;
        } finally {
            $world->close();
        }
    }

    /** Ends the program that `start` started. Another one is left running. */
    public function stop(): void
    {
        if ($this->process !== null) {
            proc_terminate($this->process);
            proc_close($this->process);
            $this->process = null;
        }
    }
}

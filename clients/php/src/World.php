<?php

declare(strict_types=1);

namespace Mfano;

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

    /** Any operation of this world's control plane: GET {baseUrl}/_mfano/ lists them. */
    public function control(string $method, string $path, ?array $body = null): array
    {
        return Http::ask($method, "$this->baseUrl/_mfano$path", $body);
    }

    /** Moves time, such as "10s" or "2d". All that falls due is done, and its callbacks are answered. */
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
    public function inboxUrl(string $name): string
    {
        return "$this->baseUrl/_mfano/inbox/$name";
    }

    /** The messages of an inbox, the oldest first. Each has a `body`. */
    public function inbox(string $name): array
    {
        return $this->control('GET', "/inbox/$name")['messages'];
    }

    /**
     * Compares the app's books with the ledger. Throws an MfanoError with the findings.
     *
     * @param list<array<string, mixed>> $books a line for each payment, with `reference`, `amount`, `status` and so on
     */
    public function reconcile(array $books): array
    {
        $verdict = $this->control('POST', '/reconcile', ['books' => $books]);
        if ($verdict['findings'] !== []) {
            $texts = array_map(fn (array $finding) => "{$finding['code']}: {$finding['text']}", $verdict['findings']);
            throw new MfanoError(implode("\n", ['The books are not right:', ...$texts]));
        }
        return $verdict;
    }

    /** A report for people: the newest payments, each explained, and what was refused. */
    public function report(): string
    {
        return Http::fetch('GET', "$this->baseUrl/_mfano/report?format=text");
    }

    public function close(): void
    {
        Http::ask('DELETE', "{$this->mfano->url}/_mfano/worlds/$this->id");
    }
}

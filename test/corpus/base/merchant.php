<?php
/**
 * What the merchants in PHP share: a book in one JSON file behind a lock, a client of the service, and the routes. Each
 * request is a process of its own, as on a web server. `MENDED=1` starts the mended edition. As long as a case does not
 * say otherwise, a merchant is careful: it writes a payment down before it asks, takes silence for "nobody knows", looks
 * payments up by reference, and believes only the service's record.
 */

define('MENDED', getenv('MENDED') === '1');
const API = '/api/sandbox/v1';
const WAYS = [
    'stk' => ['/stk/new', '/stk/single', '/stk/all'],
    'send-money' => ['/send-money', '/send-money/single', '/send-money/all'],
];
const DAY = 86400;
const NOT_NOW = [401, 402, 403, 423, 429];
const ENDED = ['SUCCESS', 'FAILED', 'REFUSED', 'CANCELLED'];
/** `strays`: payments that nobody here asked for, by their ids. */
const EMPTY_BOOK = ['lines' => [], 'strays' => [], 'listedAt' => -DAY, 'now' => 0, 'token' => ''];

/** Reads the book and changes it by what `$work` does to it, with nobody in between. Gives what `$work` gives. */
function change(callable $work): mixed
{
    $file = getenv('DATA') . '/book.json';
    $lock = fopen("$file.lock", 'c');
    flock($lock, LOCK_EX);
    $book = json_decode(@file_get_contents($file) ?: 'null', true) ?? EMPTY_BOOK;
    $given = $work($book);
    // Whole or not at all, wherever a crash comes.
    file_put_contents("$file.new", json_encode($book));
    rename("$file.new", $file);
    fclose($lock);
    return $given;
}

function book(): array
{
    return change(fn (array &$book) => $book);
}

function line(string $reference): ?array
{
    return book()['lines'][$reference] ?? null;
}

/** Sets fields of a line, and nothing else of it. */
function set(string $reference, array $values): void
{
    change(function (array &$book) use ($reference, $values) {
        if (isset($book['lines'][$reference])) $book['lines'][$reference] = [...$book['lines'][$reference], ...$values];
    });
}

/** A new line of the books, due; false where there is one of that reference. */
function add(string $reference, string $kind, array $body, array $more = []): bool
{
    return change(function (array &$book) use ($reference, $kind, $body, $more) {
        if (isset($book['lines'][$reference])) return false;
        $wanted = ['phone' => $body['phone'], 'amount' => $body['amount']];
        $new = ['reference' => $reference, 'kind' => $kind, 'state' => 'due', 'id' => null, 'askedAt' => 0];
        $book['lines'][$reference] = [...$new, ...$wanted, ...$more];
        return true;
    });
}

/** One request: status and answer; null where nobody answers. */
function once(string $method, string $path, ?array $body = null): ?array
{
    $headers = ['content-type: application/json', 'connection: close'];
    $token = book()['token'];
    if ($token !== '') $headers[] = "authorization: Bearer $token";
    $http = ['method' => $method, 'header' => $headers, 'ignore_errors' => true, 'timeout' => 15];
    if ($body !== null) $http['content'] = json_encode($body);
    $text = @file_get_contents(getenv('PAYMENTS_BASE_URL') . $path, false, stream_context_create(['http' => $http]));
    if ($text === false || !isset($http_response_header[0])) return null;
    $answer = json_decode($text, true);
    return $answer === null ? null : [(int) explode(' ', $http_response_header[0])[1], $answer];
}

function login(): bool
{
    change(fn (array &$book) => $book['token'] = '');
    $keys = ['apiKey' => getenv('PAYMENTS_KEY'), 'apiSecret' => getenv('PAYMENTS_SECRET')];
    [$status, $answer] = once('POST', '/api/v1/get-token', $keys) ?? [0, []];
    if ($status === 200) change(fn (array &$book) => $book['token'] = $answer['data']['access_token']);
    return $status === 200;
}

/** With a new token where the last one is no good. */
function call(string $method, string $path, ?array $body = null): ?array
{
    for ($tries = 1; ; $tries++) {
        if (book()['token'] === '' && !login()) return [401, []];
        $answer = once($method, $path, $body);
        if ($answer === null || $answer[0] !== 401 || $tries === 2) return $answer;
        change(fn (array &$book) => $book['token'] = '');
    }
}

function bodyOf(array $line): array
{
    ['reference' => $reference, 'phone' => $phone, 'amount' => $amount] = $line;
    $url = 'http://127.0.0.1:' . getenv('PORT') . "/told/$reference";
    $all = ['phoneNumber' => $phone, 'amount' => $amount, 'referenceId' => $reference, 'callbackUrl' => $url];
    $order = $line['order'] ?? $reference;
    return $line['kind'] === 'stk'
        ? [...$all, 'accountReference' => $order, 'description' => $reference, 'currencyCode' => 'KSH']
        : [...$all, 'remarks' => $reference, 'occasion' => $order];
}

/** Sends the request for a payment: status and answer; null where there is none. */
function request(array $line): ?array
{
    return call('POST', API . WAYS[$line['kind']][0], bodyOf($line));
}

/** The service's record; 'absent', or null where nobody can tell. */
function record(array $line): array|string|null
{
    $wanted = ['requestId' => $line['id'] ?? $line['reference'], 'companyId' => getenv('PAYMENTS_COMPANY')];
    [$status, $answer] = call('GET', API . WAYS[$line['kind']][1] . '?' . http_build_query($wanted)) ?? [0, []];
    return $status === 200 ? $answer['data'] : ($status === 404 ? 'absent' : null);
}

/** Books what the service's record says; 'found', 'absent' or null. */
function look(string $reference): ?string
{
    $found = record(line($reference));
    if (!is_array($found)) return $found;
    set($reference, ['state' => $found['status'], 'id' => $found['uuid']]);
    return 'found';
}

/** Asks for a payment that is written down. */
function ask(string $reference): void
{
    set($reference, ['state' => 'asked', 'askedAt' => book()['now']]);
    take($reference, request(line($reference)));
}

/** Books the answer to the request for a payment. */
function take(string $reference, ?array $answer): void
{
    if ($answer === null || $answer[0] >= 500) return;
    if ($answer[0] < 300) {
        set($reference, ['id' => $answer[1]['data']['requestId']]);
        if (line($reference)['state'] === 'asked') set($reference, ['state' => 'PENDING']);
    } elseif (in_array($answer[0], NOT_NOW)) set($reference, ['state' => 'due']);
    elseif (look($reference) === 'absent') set($reference, ['state' => 'REFUSED']);
}

/** Asks for what is due, and looks at the rest; a case says at what of it. */
function round_of_work(?callable $watched = null): void
{
    ['lines' => $lines, 'now' => $now] = book();
    foreach ($lines as $reference => $line) {
        if ($line['state'] === 'due') ask($reference);
        elseif ($line['state'] === 'asked') {
            if (look($reference) === 'absent' && $now - $line['askedAt'] >= 600) ask($reference);
        } elseif ($line['state'] !== 'REFUSED' && ($watched === null || $watched($line))) look($reference);
    }
}

/** Once a day the service's lists are read: it may have made a second payment of a request. */
function read_lists(): void
{
    ['lines' => $lines, 'now' => $now, 'listedAt' => $listedAt] = book();
    if ($now - $listedAt < DAY) return;
    foreach (WAYS as $kind => [, , $all]) {
        $ours = array_filter($lines, fn (array $line) => $line['kind'] === $kind);
        if ($ours === []) continue;
        $query = http_build_query(['companyId' => getenv('PAYMENTS_COMPANY')]);
        [$status, $answer] = call('GET', API . "$all?$query") ?? [0, []];
        if ($status !== 200) return;
        foreach ($answer['data'] as $found) {
            if (in_array($found['uuid'], array_column($ours, 'id'))) continue;
            foreach ($ours as $line) {
                // Of a line without an id it may be the first.
                if ($line['id'] === null || !in_array($line['reference'], $found, true)) continue;
                $amount = (float) $found['amount'];
                $stray = [...$line, 'id' => $found['uuid'], 'amount' => $amount, 'shown' => $amount, 'state' => $found['status']];
                change(fn (array &$book) => $book['strays'][$found['uuid']] = $stray);
            }
        }
    }
    change(fn (array &$book) => $book['listedAt'] = $now);
}

/** What becomes of a callback: it is a reason to look. */
function hear(string $reference): void
{
    if (line($reference)) look($reference);
}

function shown(array $line): array
{
    $status = ['asked' => 'PENDING', 'due' => 'PENDING', 'CANCELLED' => 'FAILED'][$line['state']] ?? $line['state'];
    $names = ['reference' => $line['reference'], 'requestId' => $line['id'], 'kind' => $line['kind']];
    return [...$names, 'amount' => $line['shown'] ?? $line['amount'], 'currency' => 'KES', 'status' => $status];
}

function written(): array
{
    $asked = fn (array $line) => $line['state'] !== 'due' || $line['id'] !== null;
    return array_values(array_filter(book()['lines'], $asked));
}

/** Works on money one after another. */
function in_turn(callable $work): void
{
    $file = fopen(getenv('DATA') . '/turn', 'c');
    flock($file, LOCK_EX);
    $work();
    fclose($file);
}

/** Answers one request. `acts`: what is done at a path, in turn. `told`: a callback. `tick`: the periodic work. */
function serve(array $acts, ?callable $told = null, ?callable $tick = null, ?callable $books = null): void
{
    $path = explode('/', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
    $body = json_decode(file_get_contents('php://input') ?: '{}', true);
    $place = $path[1];
    header('content-type: application/json');
    $answer = [];
    $strays = fn () => array_map('shown', array_values(book()['strays']));
    if ($place === 'books') $answer = [...($books ? $books() : array_map('shown', written())), ...$strays()];
    elseif ($place === 'told') ($told ?? 'hear')($path[2], $body);
    elseif ($place === 'tick') {
        change(fn (array &$book) => $book['now'] = strtotime($body['now']));
        in_turn($tick ?? fn () => round_of_work());
        in_turn(fn () => read_lists());
    } elseif ($place === 'reset') change(fn (array &$book) => $book = EMPTY_BOOK);
    elseif (isset($acts[$place])) in_turn(fn () => $acts[$place]($body));
    echo json_encode($answer);
}

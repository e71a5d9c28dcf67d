<?php
/** A shop whose client library tries again by itself when the service answers with an error. */
require __DIR__ . '/../../base/merchant.php';

function with_retries(array $line): ?array
{
    $answer = request($line);
    for ($tries = 1; $tries < 3 && ($answer === null || $answer[0] >= 500); $tries++) $answer = request($line);
    return $answer;
}

function order(array $order): void
{
    $reference = $order['order'];
    if (!add($reference, 'stk', $order)) return;
    // Mended: what an error answered is looked for before it is asked for again.
    if (MENDED) {
        ask($reference);
        return;
    }
    set($reference, ['state' => 'asked', 'askedAt' => book()['now']]);
    take($reference, with_retries(line($reference)));
}

serve(['orders' => 'order']);

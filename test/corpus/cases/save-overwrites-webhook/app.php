<?php
/** A shop that holds the order in memory while it asks for the payment, and then saves all of it. */
require __DIR__ . '/../../base/merchant.php';

function checkout(array $cart): void
{
    $reference = $cart['order'];
    if (!add($reference, 'stk', $cart)) return;
    // Mended: fields are set one by one, and an order that ended meanwhile keeps its end.
    if (MENDED) {
        ask($reference);
        return;
    }
    set($reference, ['state' => 'asked', 'askedAt' => book()['now']]);
    $order = line($reference);
    $answer = request($order);
    if ($answer === null || $answer[0] >= 300) take($reference, $answer);
    else set($reference, [...$order, 'state' => 'PENDING', 'id' => $answer[1]['data']['requestId']]);
}

/** An event is consumed once it was delivered. */
function told(string $reference): void
{
    change(fn (array &$book) => $book['consumed'][$reference] = true);
    hear($reference);
}

// Only what no webhook came for is polled.
$polled = fn ($line) => MENDED || !isset(book()['consumed'][$line['reference']]);
serve(['orders' => 'checkout'], 'told', fn () => round_of_work($polled));

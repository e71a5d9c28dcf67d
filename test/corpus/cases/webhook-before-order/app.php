<?php
/** A shop that creates its order when the payment was accepted: a webhook that comes before finds none, and gets its 200. */
require __DIR__ . '/../../base/merchant.php';

function checkout(array $cart): void
{
    $reference = $cart['order'];
    if (line($reference)) return;
    if (MENDED) {
        // Mended: the order is stored before the payment is asked for.
        if (add($reference, 'stk', $cart)) ask($reference);
        return;
    }
    $draft = ['reference' => $reference, 'kind' => 'stk', ...$cart, 'id' => null];
    $answer = request($draft);
    add($reference, 'stk', $cart);
    set($reference, ['state' => 'asked', 'askedAt' => book()['now']]);
    take($reference, $answer);
}

// What is pending waits for its webhook.
serve(['orders' => 'checkout'], tick: fn () => round_of_work(fn ($line) => MENDED));

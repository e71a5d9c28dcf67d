<?php
/** A shop that creates its order when the payment was accepted: a webhook that comes before finds none, and gets its 200. */
require __DIR__ . '/../../base/merchant.php';

function checkout(array $cart): void
{
    $reference = $cart['order'];
    if (line($reference)) return;
    if (MENDED) {
        // Mended: the order is stored before the payment is asked for.
        add($reference, 'stk', $cart);
        ask($reference);
        return;
    }
    $answer = request(['reference' => $reference, 'kind' => 'stk', ...$cart]);
    add($reference, 'stk', $cart);
    set($reference, ['state' => 'asked', 'askedAt' => book()['now']]);
    take($reference, $answer);
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

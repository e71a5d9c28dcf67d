<?php
/** A checkout page: to open it makes a payment under way payable again, and the buyer pays once more. */
require __DIR__ . '/../../base/merchant.php';

function show(array $wanted): void
{
    $tries = count(array_filter(book()['lines'], fn ($line) => $line['order'] === $wanted['order']));
    $last = line("{$wanted['order']}-$tries");
    // Mended: a payment under way stays under way, and its page says so.
    $payable = MENDED ? $last === null : $last === null || $last['state'] === 'PENDING';
    $reference = "{$wanted['order']}-" . ($tries + 1);
    if ($payable && add($reference, 'stk', $wanted, ['order' => $wanted['order']])) ask($reference);
}

serve(['orders' => 'show']);

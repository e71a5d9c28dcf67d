<?php
/** A refill of a prepaid account: the callback says how much is credited. */
require __DIR__ . '/../../base/merchant.php';

function refill(array $wanted): void
{
    if (add($wanted['order'], 'stk', $wanted)) ask($wanted['order']);
}

function told(string $reference, array $event): void
{
    hear($reference);
    // Mended: the value is that of the stored intent.
    if (!MENDED && line($reference) && isset($event['amount'])) set($reference, ['amount' => (float) $event['amount']]);
}

serve(['orders' => 'refill'], 'told');

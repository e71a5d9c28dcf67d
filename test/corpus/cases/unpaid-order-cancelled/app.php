<?php
/** A shop that holds stock for a while: an order that is not paid by then is cancelled, and nobody asks the service. */
require __DIR__ . '/../../base/merchant.php';

const HOLD_STOCK_SECONDS = 900;

function order(array $order): void
{
    if (add($order['order'], 'stk', $order)) ask($order['order']);
}

function told(string $reference): void
{
    if (MENDED || line($reference)['state'] !== 'CANCELLED') hear($reference);
}

function cancel_unpaid(): void
{
    // Mended: the service is asked before an order is cancelled, and what is under way stays open.
    if (!MENDED)
        foreach (book()['lines'] as $reference => $line)
            if ($line['state'] === 'PENDING' && book()['now'] - $line['askedAt'] > HOLD_STOCK_SECONDS) set($reference, ['state' => 'CANCELLED']);
    round_of_work(fn ($line) => MENDED || $line['state'] === 'SUCCESS' || $line['state'] === 'FAILED');
}

serve(['orders' => 'order'], 'told', 'cancel_unpaid');

<?php
/** A shop that looks at a charge when its buyer comes back: what is not successful then is cancelled. */
require __DIR__ . '/../../base/merchant.php';

function order(array $order): void
{
    if (add($order['order'], 'stk', $order)) ask($order['order']);
}

function come_back(): void
{
    round_of_work(fn ($line) => MENDED || $line['state'] === 'SUCCESS');
    // Mended: a pending charge is a pending order.
    if (MENDED) return;
    foreach (book()['lines'] as $reference => $line) {
        if ($line['state'] !== 'PENDING') continue;
        $charge = record($line);
        if (is_array($charge)) set($reference, ['state' => $charge['status'] === 'SUCCESS' ? 'SUCCESS' : 'CANCELLED']);
    }
}

// Webhooks came later to this plugin.
serve(['orders' => 'order'], MENDED ? 'hear' : fn () => null, 'come_back');

<?php
/** Dues of a club: a webhook about a payment counts as a payment, whatever its status. */
require __DIR__ . '/../../base/merchant.php';

function dues(array $due): void
{
    if (add($due['order'], 'stk', $due)) ask($due['order']);
}

function told(string $reference, array $event): void
{
    if (!line($reference)) return;
    // Mended: only a completed payment counts.
    if (MENDED) hear($reference);
    elseif (isset($event['amount'])) set($reference, ['state' => 'SUCCESS', 'id' => $event['requestId']]);
}

serve(['orders' => 'dues'], 'told', fn () => round_of_work(fn ($line) => MENDED || $line['state'] === 'PENDING'));

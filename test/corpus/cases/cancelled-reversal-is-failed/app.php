<?php
/** A payment library: what was reversed once is failed, also when the reversal is cancelled and the money is there. */
require __DIR__ . '/../../base/merchant.php';

function pay(array $wanted): void
{
    if (add($wanted['name'], 'send-money', $wanted)) ask($wanted['name']);
}

// Mended: a payment that failed is looked at again, since it may yet turn out to be paid.
$open = fn ($line) => MENDED || $line['state'] !== 'FAILED';
$told = function (string $reference) use ($open) {
    if (line($reference) && $open(line($reference))) hear($reference);
};

serve(['pay' => 'pay'], $told, fn () => round_of_work($open));

<?php
/** An amount on its way through cents: a float that is cut off is a cent less. */
require __DIR__ . '/../../base/merchant.php';

function pay(array $wanted): void
{
    // 8.20 * 100 is 819.99…. Mended: it is rounded.
    $cents = MENDED ? (int) round($wanted['amount'] * 100) : (int) ($wanted['amount'] * 100);
    $sent = [...$wanted, 'amount' => $cents / 100];
    if (add($wanted['name'], 'send-money', $sent, ['shown' => $wanted['amount']])) ask($wanted['name']);
}

serve(['pay' => 'pay']);

<?php
/** An invoice in a currency that is sent in whole units: the gateway multiplies by a hundred all the same. */
require __DIR__ . '/../../base/merchant.php';

function invoice(array $invoice): void
{
    // Mended: the factor is that of the currency, and this one is sent as it is.
    $factor = MENDED ? 1 : 100;
    $sent = [...$invoice, 'amount' => $invoice['amount'] * $factor];
    if (add($invoice['order'], 'stk', $sent, ['shown' => $invoice['amount']])) ask($invoice['order']);
}

serve(['orders' => 'invoice']);

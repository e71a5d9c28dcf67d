<?php
/** Credits of a subscriber: two deliveries of one webhook both find the order unpaid, and both credit it. */
require __DIR__ . '/../../base/merchant.php';

function order(array $order): void
{
    if (add($order['order'], 'stk', $order)) ask($order['order']);
}

function credit(string $reference): void
{
    change(function (array &$book) use ($reference) {
        // Mended: with the row locked it is looked once more whether it is credited already.
        if (MENDED && isset($book['lines'][$reference]['credits'])) return;
        $book['lines'][$reference]['credits'] = 1 + ($book['lines'][$reference]['credits'] ?? 0);
    });
}

function told(string $reference): void
{
    $order = line($reference);
    if (!$order || isset($order['credits'])) return;
    $payment = record($order);
    if (!is_array($payment)) return;
    // The receipt is mailed first.
    usleep(150_000);
    if ($payment['status'] === 'SUCCESS') credit($reference);
    set($reference, ['state' => $payment['status'], 'id' => $payment['uuid']]);
}

function books(): array
{
    $credits = fn (array $line) => array_fill(0, $line['state'] === 'SUCCESS' ? max(1, $line['credits'] ?? 1) : 1, shown($line));
    return array_merge([], ...array_map($credits, written()));
}

serve(['orders' => 'order'], 'told', fn () => round_of_work(), 'books');

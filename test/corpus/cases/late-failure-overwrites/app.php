<?php
/** Courses for sale: a success is verified; news of a failure overwrite what is known, also when they are old. */
require __DIR__ . '/../../base/merchant.php';

function enrol(array $wanted): void
{
    if (add($wanted['order'], 'stk', $wanted)) ask($wanted['order']);
}

function told(string $reference, array $event): void
{
    if (!line($reference)) return;
    // Mended: whatever the order in which news come, the record is the newest.
    if (MENDED || $event['status'] !== 'FAILED') hear($reference);
    else set($reference, ['state' => 'FAILED']);
}

serve(['orders' => 'enrol'], 'told', fn () => round_of_work(fn ($line) => MENDED || $line['state'] === 'PENDING'));

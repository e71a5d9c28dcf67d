<?php

declare(strict_types=1);

require __DIR__ . '/Mfano.php';

/** The app under test, in short: it logs in and pays. */
function paySalary(World $payments, string $phoneNumber, string $callbackUrl): array
{
    ['apiKey' => $key, 'apiSecret' => $secret] = $payments->credentials;
    $login = Mfano::ask('POST', "$payments->baseUrl/api/v1/get-token", ['apiKey' => $key, 'apiSecret' => $secret]);
    $salary = [
        'phoneNumber' => $phoneNumber,
        'amount' => 1000,
        'remarks' => 'Salary',
        'occasion' => 'January',
        'callbackUrl' => $callbackUrl,
    ];
    $headers = ["authorization: Bearer {$login['data']['access_token']}"];
    return Mfano::ask('POST', "$payments->baseUrl/api/sandbox/v1/send-money", $salary, $headers)['data'];
}

function expect(mixed $expected, mixed $got): void
{
    if ($expected !== $got) {
        throw new Exception('expected ' . json_encode($expected) . ', got ' . json_encode($got));
    }
}

$tests = [
    'a salary arrives, and we are told' => function (World $world): void {
        $payout = paySalary($world, '254712345678', $world->inbox('payroll'));
        expect('PENDING', $payout['status']);

        $world->advance('10s');

        $where = "payment.uuid == '{$payout['requestId']}' && callback.state == 'delivered'";
        expect('SUCCESS', $world->waitFor('callback', $where)['body']['status']);
    },
    'a salary is taken back two days later' => function (World $world): void {
        // The number decides what happens: the README's section "Ask for an outcome" lists them.
        $payout = paySalary($world, '254712000409', $world->inbox('payroll'));

        $world->advance('3d');

        $world->waitFor('payment', "payment.uuid == '{$payout['requestId']}' && payment.status == 'FAILED'");
        $messages = $world->control('GET', '/inbox/payroll')['messages'];
        expect(['SUCCESS', 'FAILED'], array_map(fn (array $message) => $message['body']['status'], $messages));
    },
];

$mfano = new Mfano();
foreach ($tests as $name => $test) {
    $mfano->inWorld($test);
    echo "ok $name\n";
}

<?php

declare(strict_types=1);

require __DIR__ . '/Mfano.php';

/** The app under test, in short: it keeps its token for as long as that lasts, by the clock that it is given. */
final class Session
{
    private string $token = '';
    private int $until = 0;

    public function __construct(private readonly World $payments, private readonly WorldClock $clock)
    {
    }

    public function token(): string
    {
        $now = $this->clock->now()->getTimestamp();
        if ($now >= $this->until) {
            ['apiKey' => $key, 'apiSecret' => $secret] = $this->payments->credentials;
            $url = "{$this->payments->baseUrl}/api/v1/get-token";
            $login = Mfano::ask('POST', $url, ['apiKey' => $key, 'apiSecret' => $secret])['data'];
            $this->token = $login['access_token'];
            $this->until = $now + $login['expires_in'];
        }
        return $this->token;
    }
}

/** It logs in and pays. */
function paySalary(World $payments, string $phoneNumber, string $callbackUrl): array
{
    $salary = [
        'phoneNumber' => $phoneNumber,
        'amount' => 1000,
        'remarks' => 'Salary',
        'occasion' => 'January',
        'callbackUrl' => $callbackUrl,
    ];
    $token = (new Session($payments, $payments->clock()))->token();
    $headers = ["authorization: Bearer $token"];
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
    'a token is kept while it lasts' => function (World $world): void {
        $session = new Session($world, $world->clock());
        $first = $session->token();
        $world->advance('4m');
        expect(true, $session->token() === $first);
        $world->advance('2m');
        expect(false, $session->token() === $first);
    },
];

$mfano = new Mfano();
foreach ($tests as $name => $test) {
    $mfano->inWorld($test);
    echo "ok $name\n";
}

<?php

declare(strict_types=1);

use Mfano\{Http, Mfano, MfanoError, World, WorldClock};

// As Composer's autoloader does.
spl_autoload_register(function (string $class): void {
    require __DIR__ . '/../src/' . substr($class, strlen('Mfano\\')) . '.php';
});

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
            $login = Http::ask('POST', $url, ['apiKey' => $key, 'apiSecret' => $secret])['data'];
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
    return Http::ask('POST', "$payments->baseUrl/api/sandbox/v1/send-money", $salary, $headers)['data'];
}

function expect(mixed $expected, mixed $got): void
{
    if ($expected !== $got) {
        throw new Exception('expected ' . json_encode($expected) . ', got ' . json_encode($got));
    }
}

$tests = [
    'a salary arrives, and we are told' => function (World $world): void {
        $payout = paySalary($world, '254712345678', $world->inboxUrl('payroll'));
        expect('PENDING', $payout['status']);

        $world->advance('10s');

        $where = "payment.uuid == '{$payout['requestId']}' && callback.state == 'delivered'";
        expect('SUCCESS', $world->waitFor('callback', $where)['body']['status']);
    },
    'a salary is taken back two days later' => function (World $world): void {
        // The number decides what happens: mfano's page on outcomes lists them.
        $payout = paySalary($world, '254712000409', $world->inboxUrl('payroll'));

        $world->advance('3d');

        $world->waitFor('payment', "payment.uuid == '{$payout['requestId']}' && payment.status == 'FAILED'");
        $told = array_map(fn (array $message) => $message['body']['status'], $world->inbox('payroll'));
        expect(['SUCCESS', 'FAILED'], $told);
    },
    'our books agree with the ledger' => function (World $world): void {
        $payout = paySalary($world, '254712345678', $world->inboxUrl('payroll'));
        $world->advance('10s');
        $line = ['requestId' => $payout['requestId'], 'kind' => 'send-money', 'amount' => 1000, 'currency' => 'KSH'];
        $world->reconcile([[...$line, 'status' => 'SUCCESS']]);
        try {
            $world->reconcile([[...$line, 'status' => 'FAILED']]);
            throw new Exception('expected a finding');
        } catch (MfanoError $error) {
            expect(true, str_contains($error->getMessage(), 'stale: '));
        }
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

$mfano = Mfano::start();
try {
    foreach ($tests as $name => $test) {
        $mfano->inWorld($test);
        echo "ok $name\n";
    }
} finally {
    $mfano->stop();
}

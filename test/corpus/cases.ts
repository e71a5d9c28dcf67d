/**
 * Payment bugs that others had, each as a small merchant in `cases/NAME`: where it was told in public, what went wrong
 * there, and what a judge has to say of it. Facts are carried over, and no code.
 */
export interface Case {
  /** Its folder. */
  name: string
  /** What the merchant is written in; the original's language where the machine may have it. */
  stack: 'Node' | 'Python' | 'PHP'
  /** The original's, where it is another one. */
  original?: string
  /** The public issue or pull request. */
  link: `https://github.com/${string}/${string}/${'issues' | 'pull'}/${number}`
  /** What went wrong there, in a few words. */
  bug: string
  /** Any of these codes tells it. */
  shows: readonly string[]
}

const paidTwice = ['paid_twice', 'asked_again_after_unknown_answer', 'asked_again_under_way'] as const
const chargedTwice = ['charged_too_much', ...paidTwice] as const

export const cases: readonly Case[] = [
  {
    name: 'fresh-payment-on-retry',
    stack: 'Node',
    link: 'https://github.com/akash-network/console/pull/3449',
    bug: 'Each retry of a slow charge was a payment of its own',
    shows: chargedTwice,
  },
  {
    name: 'timeout-credited-back',
    stack: 'Node',
    original: 'Go',
    link: 'https://github.com/sammy007/open-ethereum-pool/issues/216',
    bug: 'A payout that timed out was credited back, and paid again',
    shows: paidTwice,
  },
  {
    name: 'webhook-credits-again',
    stack: 'Node',
    link: 'https://github.com/anomalyco/opencode/issues/28402',
    bug: 'Each delivery of a webhook added credits',
    shows: ['booked_twice'],
  },
  {
    name: 'unsigned-webhook',
    stack: 'Node',
    link: 'https://github.com/NEARBuilders/nearmerch.com/issues/189',
    bug: 'Anybody could post a status to the webhook',
    shows: ['believed_paid'],
  },
  {
    name: 'webhook-and-cron',
    stack: 'Node',
    link: 'https://github.com/opencollective/opencollective-api/pull/4641',
    bug: 'Webhook and hourly job both recorded one payout',
    shows: ['booked_twice'],
  },
  {
    name: 'double-click-refund',
    stack: 'Node',
    original: 'Ruby',
    link: 'https://github.com/openfoodfoundation/openfoodnetwork/issues/6330',
    bug: 'A double click sent a refund twice',
    shows: [...paidTwice, 'booked_twice'],
  },
  {
    name: 'charged-then-database-down',
    stack: 'Node',
    link: 'https://github.com/codecombat/codecombat/issues/1906',
    bug: 'The charge went through, and saving it did not',
    shows: ['paid_unknown', 'pending_unknown', 'charged_too_much'],
  },
  {
    name: 'webhook-queued-in-memory',
    stack: 'Node',
    original: 'Ruby',
    link: 'https://github.com/getlago/lago-api/pull/2972',
    bug: 'Acknowledged webhooks were lost with the job queue',
    shows: ['stale'],
  },
  {
    name: 'polling-stops',
    stack: 'Node',
    link: 'https://github.com/DFXswiss/app/pull/1223',
    bug: 'An answer that decided nothing ended the polling',
    shows: ['stale'],
  },
  {
    name: 'browser-says-paid',
    stack: 'Node',
    link: 'https://github.com/gatewaycash/gateway/issues/13',
    bug: 'The buyer’s browser reported the payment',
    shows: ['believed_paid'],
  },
  {
    name: 'accepted-is-charged',
    stack: 'Node',
    original: 'Rust',
    link: 'https://github.com/juspay/hyperswitch/issues/1522',
    bug: 'A payment still being settled was shown as succeeded',
    shows: ['believed_paid', 'taken_back'],
  },
  {
    name: 'whole-batch-again',
    stack: 'Node',
    link: 'https://github.com/Emmy123222/Stellar-MicroPay/issues/745',
    bug: 'A batch that failed in part was restarted as a whole',
    shows: paidTwice,
  },
  {
    name: 'status-not-in-the-enum',
    stack: 'Node',
    link: 'https://github.com/blocknative/sdk/issues/220',
    bug: 'A status that the list lacked could not be read',
    shows: ['stale'],
  },
  {
    name: 'interrupted-payment-uncheckable',
    stack: 'Python',
    link: 'https://github.com/lnbits/lnbits/issues/558',
    bug: 'A payment that was interrupted stayed pending for good',
    shows: ['stale', 'never_asked', 'never_made'],
  },
  {
    name: 'ambiguous-answer-is-failure',
    stack: 'Python',
    original: 'Kotlin',
    link: 'https://github.com/dashpay/dash-wallet/pull/1560',
    bug: 'A lost answer was taken for a failed payment',
    shows: ['stale', 'given_up'],
  },
  {
    name: 'returned-transfer-stays-paid',
    stack: 'Python',
    original: 'Ruby',
    link: 'https://github.com/hackclub/hcb/issues/14705',
    bug: 'A returned transfer kept its status',
    shows: ['taken_back'],
  },
  {
    name: 'token-renewed-request-dropped',
    stack: 'Python',
    link: 'https://github.com/singer-io/tap-xero/pull/12',
    bug: 'The token was refreshed, and the request not repeated',
    shows: ['never_made', 'never_asked'],
  },
  {
    name: 'cents-cut-off',
    stack: 'Python',
    link: 'https://github.com/odoo/odoo/pull/6990',
    bug: '582.42 × 100 was cut to 58241, so amounts never agreed',
    shows: ['stale'],
  },
  {
    name: 'webhook-before-order',
    stack: 'PHP',
    link: 'https://github.com/duncanmcclean/statamic-cargo/issues/190',
    bug: 'The webhook came before the order was saved',
    shows: ['stale'],
  },
  {
    name: 'save-overwrites-webhook',
    stack: 'PHP',
    link: 'https://github.com/duncanmcclean/statamic-cargo/pull/195',
    bug: 'A late save wrote the old status over the webhook’s',
    shows: ['stale'],
  },
  {
    name: 'webhook-status-not-read',
    stack: 'PHP',
    link: 'https://github.com/RoboJackets/apiary/issues/1580',
    bug: 'A webhook counted as paid, whatever its status',
    shows: ['believed_paid'],
  },
  {
    name: 'hundredfold',
    stack: 'PHP',
    link: 'https://github.com/Paymenter/Paymenter/issues/1258',
    bug: 'Whole currency units were multiplied by a hundred',
    shows: ['wrong_amount'],
  },
  {
    name: 'one-cent-less',
    stack: 'PHP',
    link: 'https://github.com/Automattic/woocommerce-payments/pull/91',
    bug: '8.20 × 100 was cut to 819 cents',
    shows: ['wrong_amount'],
  },
  {
    name: 'client-retries-500',
    stack: 'PHP',
    link: 'https://github.com/mollie/mollie-api-php/issues/642',
    bug: 'The client retried a 500 by which a payment was made',
    shows: chargedTwice,
  },
  {
    name: 'unpaid-order-cancelled',
    stack: 'PHP',
    link: 'https://github.com/woocommerce/woocommerce-gateway-stripe/pull/5759',
    bug: 'An order was cancelled as unpaid, and nobody asked',
    shows: ['stale', 'given_up'],
  },
  {
    name: 'cancelled-reversal-is-failed',
    stack: 'PHP',
    link: 'https://github.com/Payum/Payum/issues/609',
    bug: 'A cancelled reversal was booked as failed',
    shows: ['stale'],
  },
  {
    name: 'parallel-webhooks',
    stack: 'Node',
    original: 'PHP',
    link: 'https://github.com/mollie/laravel-cashier-mollie/pull/321',
    bug: 'Two deliveries at once were both credited',
    shows: ['booked_twice'],
  },
  {
    name: 'amount-from-callback',
    stack: 'PHP',
    link: 'https://github.com/magnussolution/magnusbilling/pull/736',
    bug: 'The callback said how much to credit',
    shows: ['wrong_amount'],
  },
  {
    name: 'pending-is-cancelled',
    stack: 'PHP',
    link: 'https://github.com/omise/omise-magento/pull/105',
    bug: 'A pending charge cancelled the order',
    shows: ['stale', 'given_up'],
  },
  {
    name: 'late-failure-overwrites',
    stack: 'PHP',
    link: 'https://github.com/themeum/tutor/pull/2360',
    bug: 'An old failure overwrote a later success',
    shows: ['stale'],
  },
  {
    name: 'page-reload-charges-again',
    stack: 'PHP',
    link: 'https://github.com/own-pay/OwnPay/issues/183',
    bug: 'Reloading the page made a payment under way payable again',
    shows: chargedTwice,
  },
  {
    name: 'failed-attempt-forgotten',
    stack: 'Node',
    original: 'PHP',
    link: 'https://github.com/Automattic/woocommerce-payments/pull/11899',
    bug: 'A failed order did not keep its payment’s id',
    shows: ['paid_unknown'],
  },
  {
    name: 'idempotency-key-trusted',
    stack: 'Node',
    original: 'Java',
    link: 'https://github.com/paypal/PayPal-Java-SDK/issues/379',
    bug: 'A request id was trusted, and made two payouts',
    shows: paidTwice,
  },
  {
    name: 'underpaid-invoice-is-paid',
    stack: 'Node',
    original: 'Python',
    link: 'https://github.com/alyf-de/banking/issues/85',
    bug: 'A smaller bank transfer paid the whole invoice',
    shows: ['wrong_amount'],
  },
  {
    name: 'masked-phone-not-valid',
    stack: 'Python',
    link: 'https://github.com/Byte-Barn/mpesakit/issues/103',
    bug: 'A callback with a hashed phone number was not valid',
    shows: ['stale'],
  },
  {
    name: 'amount-left-out',
    stack: 'Node',
    original: 'PHP',
    link: 'https://github.com/profullstack/coinpayportal/pull/205',
    bug: 'A webhook without an amount was booked as 0',
    shows: ['wrong_amount'],
  },
  {
    name: 'gateway-page-is-refusal',
    stack: 'Python',
    link: 'https://github.com/paypal/PayPal-Python-SDK/issues/151',
    bug: 'An HTML error page was a declined payout, which was paid',
    shows: ['stale', 'given_up'],
  },
  {
    name: 'signature-of-parsed-json',
    stack: 'Node',
    link: 'https://github.com/circlefin/arc-escrow/pull/34',
    bug: 'A signature was checked over JSON that was written anew',
    shows: ['stale'],
  },
  {
    name: 'id-read-by-pattern',
    stack: 'Node',
    original: 'Shell',
    link: 'https://github.com/base/skills/pull/98',
    bug: 'A pattern found no id in JSON with blanks',
    shows: ['stale', 'given_up'],
  },
]

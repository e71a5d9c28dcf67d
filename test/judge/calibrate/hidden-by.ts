/** What is not told by what is free to ask, although everything is as by default, and why. */
export const untoldByDefault: [assumption: string, why: string][] = [
  ['subscription-required', 'the account may have a subscription; --allow lasting would tell'],
  ['fee-fields', 'no record shows a fee; whether one was charged, only the statement of the wallet says'],
  ['timestamp-zone', 'the account has no record of the last hours; --allow payment would tell'],
  // Without a sub-account it is told.
  ['parent-flag', 'the account has sub-accounts, so that it is a parent either way'],
]

/** What is told by default and no longer under one other alternative: its own, or that of another assumption. */
export const hiddenBy: Readonly<Record<string, readonly string[]>> = {
  // An allocation from a sub-account is refused for its direction, whoever asks.
  'allocation-direction: as-named': ['allocation-callers'],
  // This form has no code, unless checkout has another.
  'error-body: field-list': ['missing-code'],
  'malformed-ids: 404': ['reference-lookup'],
  // A transfer would tell: the numbers of the past fit both.
  'net-balance: collections-minus-payouts': ['net-balance'],
  'subscription-required: yes': [
    'allocation-direction',
    'list-scope',
    'sub-account-callers',
    'allocation-callers',
    'breakdown-totals',
    'net-balance',
  ],
  // A payment would tell: nobody knows from a list what it leaves out.
  'tanzania-in-lists: left-out': ['tanzania-in-lists'],
  'unsupported-media-type: accept': ['missing-media-type', 'json-suffix-types'],
}

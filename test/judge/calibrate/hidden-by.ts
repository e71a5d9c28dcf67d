/** What is not told by what is free to ask, although everything is as by default, and why. */
export const untoldByDefault: [assumption: string, why: string][] = [
  ['subscription-required', 'the account may have a subscription; --allow lasting would tell'],
  ['fee-fields', 'no record shows a fee; whether one was charged, only the statement of the wallet says'],
  ['timestamp-zone', 'the account has no record of the last hours; --allow payment would tell'],
  // Without a sub-account it is told.
  ['parent-flag', 'the account has sub-accounts, so that it is a parent either way'],
]

/** What is told by default and no longer under one other alternative. */
export const hiddenBy: Readonly<Record<string, readonly string[]>> = {}

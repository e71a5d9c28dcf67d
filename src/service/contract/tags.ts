/** Descriptions of the contract's tags. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Tokens: 'Access tokens, with which everything else is called.',
  'Sub-accounts': 'Organisations below the caller: made, activated, subscribed and listed.',
  Allocations: 'Money from an organisation to one of its sub-accounts.',
  'De-allocations': 'Money from a sub-account back to its organisation.',
  Checkout: 'Hosted pages on which a customer pays.',
  'Mobile money payouts': "Payouts to a subscriber's wallet.",
  Tanzania: 'Payouts and collections by the paths of Tanzania.',
  'Till payouts': 'Payouts to a till number of a business.',
  'Paybill payouts': 'Payouts to an account of a paybill number.',
  'Bank payouts': 'Payouts to bank accounts, and whose account one is.',
  'Mobile collections': 'Collections that a subscriber approves on the phone.',
  'Bank collections': 'Payments that came in through a bank.',
  Wallet: 'The wallets of the caller, and what is in them.',
}

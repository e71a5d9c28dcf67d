const tokens = ['getToken', 'refreshToken'] as const
export const payouts = ['createSendMoney', 'createTillPayment', 'createPaybillPayment', 'createBankPayout'] as const
export const referenced = [...payouts, 'createStkCollection'] as const
export const allocating = ['createAllocation', 'createDeallocation'] as const
export const withKey = [
  'createSubAccount',
  ...allocating,
  'createCheckoutSession',
  ...referenced,
  'verifyBankAccount',
] as const
export const withBody = [...tokens, ...withKey] as const
export const checkoutReads = ['createCheckoutSession', 'getCheckoutSession'] as const
export const tanzanianReads = ['getTanzaniaPayout', 'getTanzaniaCollection'] as const
export const recordReads = [
  'getSendMoney',
  'getTillPayment',
  'getPaybillPayment',
  'getBankPayout',
  'getStkCollection',
  ...tanzanianReads,
] as const
export const statusReads = [
  'getSendMoneyStatus',
  'getTillPaymentStatus',
  'getPaybillPaymentStatus',
  'getStkCollectionStatus',
] as const
export const companyReads = [
  'getSendMoney',
  'listSendMoney',
  'getSendMoneyStatus',
  'getTillPayment',
  'listTillPayments',
  'getTillPaymentStatus',
] as const
export const recordLists = [
  'listSendMoney',
  'listTillPayments',
  'listPaybillPayments',
  'listBankPayouts',
  'listStkCollections',
] as const
export const allocationLists = [
  'listAllocations',
  'listAllocationsOfParent',
  'listReceivedAllocations',
  'listDeallocations',
  'listDeallocationsOfParent',
  'listReceivedDeallocations',
] as const
export const paymentLists = [...recordLists, 'listBankCollections', ...allocationLists] as const
export const touchedLists = [...paymentLists, 'listSubAccounts', 'getWalletBreakdown'] as const
export const records = [...recordReads, ...recordLists] as const
const bankCollections = ['listBankCollections', 'getBankCollection'] as const
export const parental = [
  'createSubAccount',
  'listSubAccounts',
  'subscribeSubAccounts',
  'activateSubAccounts',
  'deactivateSubAccounts',
  'getWalletBreakdown',
] as const
export const stamped = [
  ...records,
  ...bankCollections,
  'createSubAccount',
  'listSubAccounts',
  'subscribeSubAccounts',
] as const

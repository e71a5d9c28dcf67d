/** The fields and constraints that the specification shows, written out by hand. */

const organisationSummary = 'id uuid name phoneNumber email uniqueReference createdAt updatedAt'
const subAccount =
  'uuid name phoneNumber email uniqueReference environment collectionCallbackUrl parent createdAt updatedAt'
const shortCodeRequest = 'businessNumber accountNumber amount remarks occasion callbackUrl referenceId'
const shortCodeRecord =
  'id amount uuid organisation accountNumber businessNumber remarks occasion originatorConversationId conversationId callbackUrl status responseCode responseDescription receiverName transactionReceipt createdAt updatedAt'

/** Of records and requests, by the names that the contract gives them. */
const fieldsOfRecords = {
  OrganisationSummary: organisationSummary,
  TokenRequest: 'apiKey apiSecret',
  TokenAnswer: 'status data',
  TokenData: 'access_token refresh_token expires_in refresh_expires_in',
  SubAccountRequest: 'name email phone user',
  SubAccountUser: 'userType firstName lastName username password roles email',
  SubAccountCreated: `${subAccount} parentOrganisation`,
  SubAccountRecord: subAccount,
  ParentOrganisation: 'uuid name parent',
  AllocationRequest: 'fromOrganisationId toOrganisationId amount',
  AllocationResult: 'status requestId amount',
  CheckoutRequest:
    'amount currency description successUrl cancelUrl paymentMethods externalReference customerEmail customerPhone paymentReference callbackUrl',
  CheckoutAccepted: 'id checkoutUrl checkoutRef status',
  SendMoneyRequest:
    'phoneNumber amount currencyCode remarks occasion narration firstName lastName serviceCode customerName callbackUrl referenceId',
  SendMoneyAccepted: 'requestId amount phoneNumber status',
  // "Consumers must match payout callbacks by requestId."
  SendMoneyStatus: 'requestId',
  MobileMoneyPayoutRecord:
    'id uuid amount organisation phoneNumber remarks occasion originatorConversationId conversationId callbackUrl status responseCode receiverName transactionReceipt createdAt updatedAt',
  TillRequest: shortCodeRequest,
  PaybillRequest: shortCodeRequest,
  ShortCodeAccepted: 'requestId accountNumber businessNumber amount status',
  ShortCodeStatus: 'accountNumber businessNumber requestId amount status',
  TillPaymentRecord: shortCodeRecord,
  PaybillPaymentRecord: shortCodeRecord,
  BankPayoutRequest: 'bankCode beneficiaryName creditAccountNumber amount narration callbackUrl referenceId',
  BankPayoutAccepted: 'requestId creditAccountNumber beneficiaryName amount status',
  BankPayoutCallback: 'requestId',
  BankPayoutRecord:
    'uuid organisation channel amount service_amount transaction_fee transaction_amount bankCode beneficiaryName creditAccount currency direction narration transactionReference receiverPhoneNumber requestId status statusCode statusDesc originalRequestID endToEndID callbackUrl errorCode errorDesc createdAt updatedAt',
  StkCollectionRecord:
    'id uuid merchantRequestId checkoutRequestId phoneNumber description organisation amount status accountReference responseCode responseDescription customerMessage callbackUrl createdAt updatedAt',
  BankCollectionRecord:
    'id uuid customerid transactionref paymentmode transactiondate accountnumber amount description organisation createdAt updatedAt',
  CollectingOrganisation: 'uuid name phoneNumber environment collectionCallbackUrl parentOrganisation parent',
}

const created = [
  ...'createSubAccount createAllocation createDeallocation createSendMoney createTillPayment'.split(' '),
  ...'createPaybillPayment createBankPayout'.split(' '),
]
const readOne = [
  ...'getSendMoney getTanzaniaPayout getTillPayment getTillPaymentStatus getStkCollection'.split(' '),
  'getTanzaniaCollection',
]
/** `data` is an array, in `getBankPayout` of one. */
const readSeveral = [
  ...'listSubAccounts listSendMoney listPaybillPayments getBankPayout listBankPayouts'.split(' '),
  'listBankCollections',
]

/** Marked (R), which the specification shows of parameters alone. */
const parameters = [
  ...[...readOne, 'getBankPayout'].map((one) => `${one} query requestId`),
  ...['getSendMoney', 'listSendMoney', 'getTillPayment', 'getTillPaymentStatus'].map((one) => `${one} query companyId`),
  'getTanzaniaPayout header Device-Id',
  'getTanzaniaCollection header Device-Id',
]

export const specifiedFields: readonly string[] = [
  ...Object.entries(fieldsOfRecords).flatMap(([record, names]) => names.split(' ').map((name) => `${record}.${name}`)),
  ...[...created, ...readOne, ...readSeveral].flatMap((one) => [`${one} answer.status`, `${one} answer.message`]),
  ...readSeveral.map((one) => `${one} answer.data`),
  ...parameters,
]

const fieldsByConstraint = {
  'required true': [
    ...parameters,
    // In words: "required when", "required here".
    ...['KSH.remarks', 'KSH.occasion', 'UGX.narration', 'UGX.customerName'].map((at) => `SendMoneyRequest ${at}`),
    ...['narration', 'firstName', 'lastName', 'serviceCode'].map((name) => `SendMoneyRequest TZS.${name}`),
    'PaybillRequest.accountNumber',
  ],
  'format "uuid"': [
    ...parameters.filter((one) => one.includes(' query ')),
    'AllocationRequest.fromOrganisationId',
    'AllocationRequest.toOrganisationId',
    ...['AllocationResult', 'SendMoneyAccepted', 'ShortCodeAccepted', 'BankPayoutAccepted'].map(
      (one) => `${one}.requestId`,
    ),
    ...['ShortCodeStatus', 'SendMoneyStatus', 'BankPayoutCallback'].map((one) => `${one}.requestId`),
    'CheckoutAccepted.id',
    ...['OrganisationSummary', 'SubAccountCreated', 'SubAccountRecord', 'MobileMoneyPayoutRecord'].map(
      (one) => `${one}.uuid`,
    ),
    ...['TillPaymentRecord', 'PaybillPaymentRecord', 'StkCollectionRecord', 'BankPayoutRecord'].map(
      (one) => `${one}.uuid`,
    ),
    'BankCollectionRecord.uuid',
  ],
  'format "uri"': ['CheckoutAccepted.checkoutUrl'],
  // A credential that is never logged.
  'format "password"': ['SubAccountUser.password'],
  'const 201': created.map((one) => `${one} answer.status`),
  'const 200': ['listSubAccounts answer.status'],
  'const "PENDING"': ['SendMoneyAccepted', 'ShortCodeAccepted', 'BankPayoutAccepted', 'CheckoutAccepted'].map(
    (one) => `${one}.status`,
  ),
  'const "SUCCESS"': ['AllocationResult.status'],
  'const false': ['SubAccountCreated.parent', 'SubAccountRecord.parent'],
  'enum ["KSH","TZS","UGX",null]': ['SendMoneyRequest.currencyCode'],
  'enum ["KSH",null]': ['SendMoneyRequest KSH.currencyCode'],
  'const "TZS"': ['SendMoneyRequest TZS.currencyCode'],
  'const "UGX"': ['SendMoneyRequest UGX.currencyCode'],
  'minimum 1000': ['SendMoneyRequest TZS.amount'],
  'pattern "^\\\\d{4}-\\\\d\\\\d-\\\\d\\\\d$"': ['BankCollectionRecord.transactiondate'],
  'minItems 1': ['getBankPayout answer.data'],
  'maxItems 1': ['getBankPayout answer.data'],
  // "Value seen": no rule that other values do not come.
  'x-usual "PESALINK"': ['BankPayoutRecord.channel', 'BankCollectionRecord.paymentmode'],
  'x-usual "KES"': ['BankPayoutRecord.currency'],
}

export const specifiedConstraints: readonly string[] = Object.entries(fieldsByConstraint).flatMap(
  ([constraint, fields]) => fields.map((field) => `${field} ${constraint}`),
)

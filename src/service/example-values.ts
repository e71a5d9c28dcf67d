/** What example requests and answers have in common. A test sends every request to the real thing. */
export const EXAMPLE_REFERENCE = 'INV-2041'
export const EXAMPLE_UUID = '7d0c1c8e-3a54-4c0e-9f5b-2f1d1f4f8a10'
/** The organisation that every world starts with. */
export const EXAMPLE_COMPANY = '00000000-0000-4000-8000-000000000001'

/** Callbacks of examples go to the world's own inbox, so that they can be tried as they are. */
export function exampleCallbackUrl(baseUrl: string): string {
  return `${baseUrl}/_mfano/inbox/docs`
}

/** Values that a reader recognises, by the name of the field, or by the names of its object and itself. */
export const exampleValues: Readonly<Record<string, unknown>> = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9…',
  accountName: 'Provider Ltd',
  accountNumber: 'ACC-88',
  accountnumber: '990001000001',
  accountReference: 'ORDER12345',
  amount: 1000,
  bankCode: '0068',
  beneficiaryAccount: '990001000001',
  beneficiaryBank: 'Example Bank',
  beneficiaryBranch: 'EXAMPLE BRANCH',
  beneficiaryName: 'Jane Wanjiku Mwangi',
  businessNumber: '400200',
  callbackUrl: 'https://merchant.example/callback',
  checkoutRef: 'CHK-20260316-000123',
  checkoutRequestId: 'ws_CO_191220191020363925',
  checkoutSessionId: EXAMPLE_UUID,
  checkoutUrl: 'https://…/session/chk_01JXYZABCDEFG123456',
  companyId: EXAMPLE_COMPANY,
  conversationId: 'AG_20230420_2010759fd5662ef6d054',
  creditAccount: '0123456789',
  creditAccountNumber: '0123456789',
  currency: 'KES',
  customerid: '69183',
  customerMessage: 'Success. Request accepted for processing',
  description: 'Order 12345',
  'Device-Id': 'example-device',
  email: 'merchant@merchant.example',
  id: 1,
  merchantDisplayName: 'Example Merchant Ltd',
  merchantRequestId: '29115-34620561-1',
  name: 'Example Merchant Ltd',
  narration: 'Invoice 2041',
  occasion: 'January',
  'organisation.phoneNumber': '254700000000',
  'organisation.uuid': EXAMPLE_COMPANY,
  organisationUuid: EXAMPLE_COMPANY,
  originatorConversationId: EXAMPLE_UUID,
  'parentOrganisation.uuid': EXAMPLE_COMPANY,
  parentOrganisationId: EXAMPLE_COMPANY,
  paybillNumber: '9990001',
  'paybillDetails.accountNumber': '1000001',
  'pesalinkDetails.accountNumber': '990001000001',
  'pesalinkDetails.remarks': '1000001',
  'bankDetails.beneficiaryName': 'Provider Ltd',
  'bankDetails.remarks': '1000001',
  phoneNumber: '254745362174',
  receiverAccount: '0123456789',
  receiverName: 'JANE WANJIKU MWANGI',
  receiverPhoneNumber: '254700000000',
  refresh_token: 'eyJhbGciOiJIUzI1NiJ9…',
  remarks: 'Office water',
  requestedAmount: 10,
  responseDescription: 'Success. Request accepted for processing',
  statusCode: '00',
  swiftCode: 'EXMPKENA',
  transactiondate: '2025-01-24',
  transactionref: 'SQ98L42422B',
  transactionReference: EXAMPLE_UUID,
  uniqueReference: '1000001',
  uuid: EXAMPLE_UUID,
}

import { type JsonSchema, resolved } from '../http/json-schema.ts'
import type { Currency } from '../model/money.ts'
import { float, localPhone } from '../model/wire.ts'

/** Example requests and answers for the contract. A test sends every request here to the real thing. */

const REFERENCE = 'INV-2041'
const UUID = '7d0c1c8e-3a54-4c0e-9f5b-2f1d1f4f8a10'
/** The organisation that every world starts with. */
export const COMPANY = '00000000-0000-4000-8000-000000000001'
/** Another one, where an example needs two. */
export const OTHER_COMPANY = UUID

/** Request bodies by operation. Callbacks go to the world's own inbox, so that an example can be tried as it is. */
export function exampleRequest(operationId: string, baseUrl: string): object | undefined {
  const callbackUrl = `${baseUrl}/_mfano/inbox/docs`
  const toShortCode = {
    amount: 1500,
    remarks: 'Office water',
    occasion: 'January',
    callbackUrl,
    referenceId: REFERENCE,
  }
  const allocation = { fromOrganisationId: COMPANY, toOrganisationId: OTHER_COMPANY, amount: 10000 }
  const examples: Record<string, object> = {
    getToken: { apiKey: 'mfano-key', apiSecret: 'mfano-secret' },
    refreshToken: { refreshToken: '<refresh_token of an earlier answer>' },
    createSubAccount: {
      name: 'Example Merchant Westlands',
      email: 'westlands@merchant.example',
      phone: '254700000100',
      user: {
        userType: 'API_USER',
        firstName: 'Jane',
        lastName: 'Mwangi',
        username: 'jane.mwangi',
        password: 'a-long-first-password',
        roles: ['ADMIN'],
        email: 'jane.mwangi@merchant.example',
      },
    },
    createAllocation: allocation,
    createDeallocation: { ...allocation, fromOrganisationId: OTHER_COMPANY, toOrganisationId: COMPANY },
    createCheckoutSession: {
      amount: 1500,
      currency: 'KES',
      description: 'Payment for order #12345',
      successUrl: 'https://merchant.example/checkout/success',
      cancelUrl: 'https://merchant.example/checkout/cancel',
      paymentMethods: ['CARD', 'MPESA_STK'],
      externalReference: 'ORDER-12345',
      customerEmail: 'customer@merchant.example',
      customerPhone: '+254700000200',
      paymentReference: 'ORDER-12345',
      callbackUrl,
    },
    createSendMoney: {
      phoneNumber: '254745362174',
      amount: 1000,
      currencyCode: 'KSH',
      remarks: 'January wages',
      occasion: 'Wages',
      callbackUrl,
      referenceId: REFERENCE,
    },
    createTillPayment: { businessNumber: '512345', ...toShortCode },
    createPaybillPayment: { businessNumber: '400200', accountNumber: 'ACC-88', ...toShortCode },
    createBankPayout: {
      bankCode: '0068',
      beneficiaryName: 'Jane Wanjiku Mwangi',
      creditAccountNumber: '0123456789',
      amount: 2500,
      narration: 'Invoice 2041',
      callbackUrl,
      referenceId: REFERENCE,
    },
    verifyBankAccount: { bankCode: '0068', accountNumber: '0123456789', callbackUrl },
    createStkCollection: {
      phoneNumber: '254745362174',
      amount: 10,
      description: 'Order 12345',
      accountReference: 'ORDER12345',
      callbackUrl,
      currencyCode: 'KSH',
      referenceId: REFERENCE,
    },
  }
  return examples[operationId]
}

/** What a mobile payment in another currency than Kenya's has to have besides, or in another form. */
export function ofCurrency(currency: Currency): object {
  const names = { firstName: 'Jane', lastName: 'Mwangi', customerName: 'Jane Mwangi', narration: 'January wages' }
  switch (currency) {
    case 'TZS':
      return { ...names, phoneNumber: '255754362174', serviceCode: 'TZ-TIGO-B2C', channel: 'TZ-TIGO-C2B' }
    case 'UGX':
      return { ...names, phoneNumber: '256772362174' }
    default:
      return {}
  }
}

/** Values that a reader recognises, by the name of the field, or by the names of its object and itself. */
const byName: Record<string, unknown> = {
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
  checkoutSessionId: UUID,
  checkoutUrl: 'https://…/session/chk_01JXYZABCDEFG123456',
  companyId: COMPANY,
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
  'organisation.uuid': COMPANY,
  organisationUuid: COMPANY,
  originatorConversationId: UUID,
  'parentOrganisation.uuid': COMPANY,
  parentOrganisationId: COMPANY,
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
  transactionReference: UUID,
  uniqueReference: '1000001',
  uuid: UUID,
}

/** What an example is made from besides its schema. */
export interface ExampleSource {
  components: Record<string, JsonSchema>
  /** The request that is answered: the example repeats its values. */
  request?: object | undefined
}

/** A value that a schema allows: what a reader would expect under that name, or the simplest there is. */
export function exampleOf(schema: JsonSchema, source: ExampleSource, name = '', within = ''): unknown {
  const it = resolved(schema, source.components)
  if (it.const !== undefined) return asPrinted(it, it.const)
  if (it.enum !== undefined) return it.enum[0]
  if (it.properties !== undefined) {
    const fields = Object.entries(it.properties)
    return Object.fromEntries(fields.map(([key, field]) => [key, exampleOf(field, source, key, name)]))
  }
  if (it.items !== undefined) return [exampleOf(it.items, source, name, within)]
  if (it.anyOf !== undefined || Array.isArray(it.type)) return null
  if (it.type === 'boolean') return true
  const asked = (source.request as Record<string, unknown> | undefined)?.[name]
  const known = asked ?? byName[`${within}.${name}`] ?? byName[name]
  if (it.type === 'number' || it.type === 'integer') return asPrinted(it, typeof known === 'number' ? known : 0)
  if (it.pattern?.startsWith('^\\d{4}-\\d\\d-\\d\\dT')) return '2025-01-24T16:28:00.319643'
  if (known === undefined || typeof known === 'object')
    return it.format === 'uuid' || name === 'requestId' ? UUID : 'text'
  if (name === 'id') return UUID
  return it.description?.includes('07…') ? localPhone(String(known)) : String(known)
}

/** Amounts that carry one decimal on the wire carry it in examples, too; the field's own words say which do. */
function asPrinted({ type, description = '' }: JsonSchema, value: unknown): unknown {
  if (type !== 'number' || typeof value !== 'number' || !/one decimal|0\.0/.test(description)) return value
  return float(Math.round(value * 100))
}

/**
 * The service as a client sees it: made from the contract that mfano validates with, by test/support/print-client.ts.
 * Every operation and field says how it is known: specified, published or assumed; see the fidelity table of the README.
 */
import { type CallOptions, type Envelope, type ServiceAnswer, ServiceCaller } from './service-client.ts'

/** What a payment moves money for. */
export type PaymentKind =
  | 'send-money'
  | 'till'
  | 'paybill'
  | 'bank-payout'
  | 'account-verification'
  | 'stk'
  | 'bank-collection'
  | 'checkout'
  | 'allocation'
  | 'de-allocation'

/** What a wallet is kept in, as requests may write it. */
export type Currency = 'KSH' | 'KES' | 'TZS' | 'UGX'

/** As a withdrawn page of the Tanzania reads lists codes: assumption tz-error-body. Basis: published. */
export type ErrorEnvelope = Envelope<number, string, null>

/** As the checkout page shows it. Basis: published. */
export interface ErrorFieldList {
  /** What went wrong. Basis: published. */
  message: string
  /** For every wrong field, what is wrong with it. Basis: published. */
  errors: Record<string, string[]>
}

/** As the table of the errors page lists it. Basis: published. */
export interface ErrorFlat {
  /** One of the published codes; a scenario may use its own. Basis: published. */
  errorCode: string
  /** The message of the code. Basis: published. */
  message: string
  /** What was wrong, what was expected and what came. Basis: published. */
  details?: string
  /** The HTTP status as text. Basis: published. */
  statusCode: string
}

/** As the sample of the errors page shows it. Basis: published. */
export interface ErrorNested {
  /** The error. Basis: published. */
  error: {
    /** One of the published codes; a scenario may use its own. Basis: published. */
    code: string
    /** The message of the code. Basis: published. */
    message: string
    /** What was wrong, what was expected and what came. Basis: published. */
    details?: string
  }
}

/** Basis: published. */
export interface AllocationRecord {
  /** SUCCESS; a cancelled one shows CANCELLED or SUCCESS: assumption cancelled-allocation-status. Basis: published. */
  status: 'SUCCESS' | 'CANCELLED'
  /** The allocationId. Basis: specified. */
  requestId: string
  /** Major units; whole amounts carry one decimal (published). Basis: specified. */
  amount: number
}

/** Basis: specified. */
export interface AllocationRequest {
  /** Whose wallet is debited: the caller or one of its sub-accounts. Basis: specified. */
  fromOrganisationId: string
  /** Whose wallet is credited: the caller or one of its sub-accounts. Basis: specified. */
  toOrganisationId: string
  /** Kenyan shillings. Major units, at most two decimals. Basis: specified. */
  amount: number
}

/** Basis: specified. */
export interface AllocationResult {
  /** The money has moved. Basis: specified. */
  status: 'SUCCESS'
  /** The allocationId. Basis: specified. */
  requestId: string
  /** Major units; whole amounts carry one decimal (published). Basis: specified. */
  amount: number
}

/** Basis: specified. */
export interface BankCollectionRecord {
  /** Counted per kind of record. Basis: specified. */
  id: number
  /** What the single read calls requestId. Basis: specified. */
  uuid: string
  /** Five digits in the published sample. Basis: specified. */
  customerid: string
  /** Eleven letters and digits in the published sample. Basis: specified. */
  transactionref: string
  /** PESALINK is the only value seen. Basis: specified. */
  paymentmode: 'PESALINK'
  /** A date. Basis: specified. */
  transactiondate: string
  /** The account that was paid into. Basis: specified. */
  accountnumber: string
  /** Numeric text. Basis: specified. */
  amount: string
  /** The payer's narration. Basis: specified. */
  description: string
  organisation: CollectingOrganisation
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  createdAt: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  updatedAt: string
}

/** Basis: specified. */
export interface BankPayoutAccepted {
  /** The uuid of the record. Basis: specified. */
  requestId: string
  /** As sent. Basis: specified. */
  creditAccountNumber: string
  /** As sent. Basis: specified. */
  beneficiaryName: string
  /** Major units; whole amounts are printed as integers (published). Basis: specified. */
  amount: number
  /** Always PENDING here. Basis: specified. */
  status: 'PENDING'
}

/** Basis: published. */
export interface BankPayoutCallback {
  /** The credited account. Basis: published. */
  accountNumber: string
  /** The bank code, or empty: assumption bank-callback-business-number. Basis: published. */
  businessNumber: string
  /** The uuid of the record. Basis: specified. */
  requestId: string
  /** Major units; whole amounts are printed as integers (published). Basis: specified. */
  amount: number
  /** PENDING, SUCCESS or FAILED. Basis: specified. */
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
}

/** Basis: specified. */
export interface BankPayoutRecord {
  /** The requestId of the creation. Basis: specified. */
  uuid: string
  organisation: OrganisationSummary
  /** PESALINK is the only value seen. Basis: specified. */
  channel: 'PESALINK'
  /** Major units; whole amounts carry one decimal (published). Basis: specified. */
  amount: number
  /** The service's share; 0.0 while pending (published). Basis: specified. */
  service_amount: number
  /** The fee; 0.0 while pending (published). Basis: specified. */
  transaction_fee: number
  /** The amount with its fee; 0.0 while pending (published). Basis: specified. */
  transaction_amount: number
  /** As sent. Basis: specified. */
  bankCode: string
  /** As sent. Basis: specified. */
  beneficiaryName: string
  /** The creditAccountNumber of the request. Basis: specified. */
  creditAccount: string
  /** KES is the only value seen. Basis: specified. */
  currency: 'KES'
  /** Meaning not shown; 0 in every sample. Basis: specified. */
  direction: number
  /** As sent. Basis: specified. */
  narration: string
  /** A uuid (published). Basis: specified. */
  transactionReference: string
  /** No request field feeds it: the caller's own number (assumed). Basis: specified. */
  receiverPhoneNumber: string
  /** Null although uuid was handed out as requestId (published). Basis: specified. */
  requestId: string | null
  /** PENDING, SUCCESS or FAILED. Basis: specified. */
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  /** Null until the end. Basis: specified. */
  statusCode: string | null
  /** Null until the end. Basis: specified. */
  statusDesc: string | null
  /** Null in every sample. Basis: specified. */
  originalRequestID: string | null
  /** Null until the end. Basis: specified. */
  endToEndID: string | null
  /** As sent. Basis: specified. */
  callbackUrl: string
  /** Set by a failure. Basis: specified. */
  errorCode: string | null
  /** Set by a failure. Basis: specified. */
  errorDesc: string | null
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  createdAt: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  updatedAt: string
}

/** Basis: specified. */
export interface BankPayoutRequest {
  /** 00 and the bank's code: assumption bank-code-format. Basis: specified. */
  bankCode: string
  /** Must match the account; a mismatch is the most common cause of rejection. Basis: specified. */
  beneficiaryName: string
  /** The account that receives the money. Basis: specified. */
  creditAccountNumber: string
  /** Kenyan shillings. Major units, at most two decimals. Basis: specified. */
  amount: number
  /** Free text. Basis: specified. */
  narration: string
  /** Told the final outcome. Basis: specified. */
  callbackUrl: string
  /** The caller's own reference; a read finds the payment by it too. Basis: specified. */
  referenceId?: string | null
}

/** Basis: specified. */
export interface CheckoutAccepted {
  /** The session. Basis: specified. */
  id: string
  /** Where to send the customer. Basis: specified. */
  checkoutUrl: string
  /** CHK-, date, counter (published). Basis: specified. */
  checkoutRef: string
  /** Always PENDING here. Basis: specified. */
  status: 'PENDING'
}

/** Basis: assumed. */
export interface CheckoutCallback {
  /** The session. Basis: assumed. */
  id: string
  /** As in the creation. Basis: assumed. */
  checkoutRef: string
  /** As sent, or null; left out when the assumption checkout-callback is short. Basis: assumed. */
  externalReference?: string | null
  /** As sent, or null; left out when short. Basis: assumed. */
  paymentReference?: string | null
  /** Confirm a payment by the callback; only SUCCEEDED is paid. Basis: published. */
  status: 'PENDING' | 'REQUIRES_CUSTOMER_ACTION' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'EXPIRED'
  /** Major units; left out when short. Basis: assumed. */
  amount?: number
  /** As sent; left out when short. Basis: assumed. */
  currency?: string
}

/** Basis: specified. */
export interface CheckoutRequest {
  /** What the customer pays. Major units, at most two decimals. Basis: specified. */
  amount: number
  /** KES is the only value seen. Basis: specified. */
  currency: 'KES'
  /** Free text. Basis: specified. */
  description: string
  /** Where a paid customer returns. Basis: specified. */
  successUrl: string
  /** Where a cancelling customer returns. Basis: specified. */
  cancelUrl: string
  /** CARD and MPESA_STK are the values seen. Basis: specified. */
  paymentMethods: ('CARD' | 'MPESA_STK')[]
  /** The merchant's own reference, unique per order or invoice. Basis: specified. */
  externalReference?: string | null
  /** An e-mail address. Basis: specified. */
  customerEmail?: string | null
  /** International form with a plus (published). Basis: specified. */
  customerPhone?: string | null
  /** Shown with the payment. Basis: specified. */
  paymentReference?: string | null
  /** Told the final result. Basis: specified. */
  callbackUrl?: string | null
}

/** Basis: published. */
export interface CheckoutSession {
  /** The session. Basis: published. */
  id: string
  /** Major units; whole amounts are printed as integers. Basis: published. */
  amount: number
  /** As sent. Basis: published. */
  currency: string
  /** As sent. Basis: published. */
  description: string
  /** As sent; null when it was not (assumed). Basis: published. */
  customerEmail: string | null
  /** The customerPhone of the request; null when it was not sent (assumed). Basis: published. */
  customerMsisdn: string | null
  /** The externalReference of the request; null when it was not sent (assumed). Basis: published. */
  externalRef: string | null
  /** As sent. Basis: published. */
  paymentMethods: ('CARD' | 'MPESA_STK')[]
  /** The organisation's name. Basis: published. */
  merchantDisplayName: string
  /** Null: organisations have no logo here (assumed). Basis: published. */
  merchantLogoUrl: string | null
  /** Confirm a payment by the callback; only SUCCEEDED is paid. Basis: published. */
  status: 'PENDING' | 'REQUIRES_CUSTOMER_ACTION' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'EXPIRED'
}

/** Basis: specified. */
export interface CollectingOrganisation {
  /** The organisation. Basis: specified. */
  uuid: string
  /** Its name. Basis: specified. */
  name: string
  /** Its phone number. Basis: specified. */
  phoneNumber: string
  /** `sandbox` in the published sample. Basis: specified. */
  environment: string | null
  /** Told of collections. Basis: specified. */
  collectionCallbackUrl: string | null
  /** Null for a parent. Basis: specified. */
  parentOrganisation: ParentOrganisation | null
  /** It has sub-accounts (assumption parent-flag); false in the published sample. Basis: specified. */
  parent: boolean
}

/** Basis: specified. */
export interface MobileMoneyPayoutRecord {
  /** Counted per kind of record. Basis: specified. */
  id: number
  /** Major units; whole amounts carry one decimal (published). Basis: specified. */
  amount: number
  /** The requestId of the creation. Basis: specified. */
  uuid: string
  organisation: OrganisationSummary
  /** As sent. Basis: specified. */
  phoneNumber: string
  /** Remarks, or the narration of a TZS or UGX payout (assumed). Basis: specified. */
  remarks: string
  /** As sent, or null. Basis: specified. */
  occasion: string | null
  /** The operator's correlation id; uuid form published. Basis: specified. */
  originatorConversationId: string
  /** May be empty. Basis: specified. */
  conversationId: string
  /** As sent. Basis: specified. */
  callbackUrl: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  createdAt: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  updatedAt: string
  /** PENDING, SUCCESS or FAILED; PAYMENT_ACCEPTED on Tanzania reads when assumed so. Basis: specified. */
  status: 'PENDING' | 'SUCCESS' | 'FAILED' | 'PAYMENT_ACCEPTED'
  /** 0 in every sample. Basis: specified. */
  responseCode: number
  /** Null until known. Basis: specified. */
  receiverName: string | null
  /** Null until paid. Basis: specified. */
  transactionReceipt: string | null
}

/** Basis: specified. */
export interface OrganisationSummary {
  /** Counted per kind of record. Basis: specified. */
  id: number
  /** The organisation. Basis: specified. */
  uuid: string
  /** Its name. Basis: specified. */
  name: string
  /** Its phone number, 10 to 13 digits in samples. Basis: specified. */
  phoneNumber: string
  /** Its e-mail address. Basis: specified. */
  email: string
  /** Seven digits; a fresh sub-account shows ten. Basis: specified. */
  uniqueReference: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  createdAt: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  updatedAt: string
}

/** Basis: specified. */
export interface ParentOrganisation {
  /** The organisation. Basis: specified. */
  uuid: string
  /** Its name. Basis: specified. */
  name: string
  /** It has sub-accounts (assumption parent-flag). Basis: specified. */
  parent: boolean
}

/** Basis: specified. */
export interface PaybillPaymentRecord {
  /** Counted per kind of record. Basis: specified. */
  id: number
  /** Major units; whole amounts carry one decimal (published). Basis: specified. */
  amount: number
  /** The requestId of the creation. Basis: specified. */
  uuid: string
  organisation: OrganisationSummary
  /** As sent; empty where a till payment had none (assumed). Basis: specified. */
  accountNumber: string
  /** As sent. Basis: specified. */
  businessNumber: string
  /** As sent. Basis: specified. */
  remarks: string
  /** As sent. Basis: specified. */
  occasion: string
  /** The operator's correlation id; uuid form published. Basis: specified. */
  originatorConversationId: string
  /** The operator's own id; AG_ form published. Basis: specified. */
  conversationId: string
  /** As sent. Basis: specified. */
  callbackUrl: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  createdAt: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  updatedAt: string
  /** PENDING, SUCCESS or FAILED. Basis: specified. */
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  /** 0 in every sample. Basis: specified. */
  responseCode: number
  /** Null until known. Basis: specified. */
  receiverName: string | null
  /** Null only of a payment that failed, where the assumption failed-description says so. Basis: specified. */
  responseDescription: string | null
  /** Null until paid. Basis: specified. */
  transactionReceipt: string | null
}

/** Basis: specified. */
export interface PaybillRequest {
  /** The paybill that receives the money. Basis: specified. */
  businessNumber: string
  /** The account under the paybill. Basis: specified. */
  accountNumber: string
  /** Kenyan shillings. Major units, at most two decimals. Basis: specified. */
  amount: number
  /** Free text. Basis: specified. */
  remarks: string
  /** Free text. Basis: specified. */
  occasion: string
  /** Told the final outcome. Basis: specified. */
  callbackUrl: string
  /** The caller's own reference; a read finds the payment by it too. Basis: specified. */
  referenceId?: string | null
}

/** Basis: assumed. */
export interface RefreshRequest {
  /** From an earlier answer. Basis: assumed. */
  refreshToken: string
}

/** Basis: specified. */
export interface SendMoneyAccepted {
  /** The uuid of the record. Basis: specified. */
  requestId: string
  /** Major units; whole amounts carry one decimal (published). Basis: specified. */
  amount: number
  /** As sent. Basis: specified. */
  phoneNumber: string
  /** Always PENDING here. Basis: specified. */
  status: 'PENDING'
}

/** All fields of SendMoneyRequest. Basis: specified. */
interface SendMoneyRequestFields {
  /** The receiver: international form, no plus. Basis: specified. */
  phoneNumber: string
  /** What the receiver gets. TZS: at least 1000. Major units, at most two decimals. Basis: specified. */
  amount: number
  /** KSH unless given (published). Basis: specified. Default: 'KSH'. */
  currencyCode?: 'KSH' | 'TZS' | 'UGX' | null
  /** Required when KSH. Basis: specified. */
  remarks?: string | null
  /** Required when KSH. Basis: specified. */
  occasion?: string | null
  /** Required when TZS or UGX. Basis: specified. */
  narration?: string | null
  /** Required when TZS. Basis: specified. */
  firstName?: string | null
  /** Required when TZS. Basis: specified. */
  lastName?: string | null
  /** Required when TZS: TZ-TIGO-B2C, TZ-AIRTEL-B2C, TZ-HALOTEL-B2C (published). Basis: specified. */
  serviceCode?: string | null
  /** Required when UGX: first and last name together. Basis: specified. */
  customerName?: string | null
  /** Told the final outcome. Required when KSH or TZS (published). Basis: specified. */
  callbackUrl?: string | null
  /** The caller's own reference; a read finds the payment by it too. Basis: specified. */
  referenceId?: string | null
}

/** Basis: specified. */
export type SendMoneyRequest = SendMoneyRequestFields &
  (
    | ({ currencyCode?: 'KSH' } & Required<Pick<SendMoneyRequestFields, 'remarks' | 'occasion' | 'callbackUrl'>>)
    | ({ currencyCode: 'TZS' } & Required<
        Pick<SendMoneyRequestFields, 'narration' | 'firstName' | 'lastName' | 'serviceCode' | 'callbackUrl'>
      >)
    | ({ currencyCode: 'UGX' } & Required<Pick<SendMoneyRequestFields, 'narration' | 'customerName'>>)
  )

/** Basis: published. */
export interface SendMoneyStatus {
  /** The uuid of the record. Basis: specified. */
  requestId: string
  /** As sent. Basis: published. */
  phoneNumber: string
  /** PENDING, SUCCESS or FAILED. Basis: specified. */
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  /** Major units; whole amounts carry one decimal (published). Basis: specified. */
  amount: number
}

/** Basis: specified. */
export interface ShortCodeAccepted {
  /** The uuid of the record. Basis: specified. */
  requestId: string
  /** As sent; empty where a till payment had none (assumed). Basis: specified. */
  accountNumber: string
  /** As sent. Basis: specified. */
  businessNumber: string
  /** Major units; whole amounts carry one decimal (published). Basis: specified. */
  amount: number
  /** Always PENDING here. Basis: specified. */
  status: 'PENDING'
}

/** Basis: specified. */
export interface ShortCodeStatus {
  /** As sent; empty where a till payment had none (assumed). Basis: specified. */
  accountNumber: string
  /** As sent. Basis: specified. */
  businessNumber: string
  /** The uuid of the record. Basis: specified. */
  requestId: string
  /** Major units; whole amounts carry one decimal (published). Basis: specified. */
  amount: number
  /** PENDING, SUCCESS or FAILED. Basis: specified. */
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
}

/** Basis: published. */
export interface StkAccepted {
  /** The uuid of the record. Basis: published. */
  requestId: string
  /** Kenyan numbers in local form: 07… Basis: published. */
  phoneNumber: string
  /** With one decimal. Basis: published. */
  requestedAmount: number
}

/** Basis: published. */
export interface StkCallback {
  /** The uuid of the record. Basis: specified. */
  requestId: string
  /** PENDING, SUCCESS or FAILED. Basis: specified. */
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  /** Major units; whole amounts are printed as integers (published). Basis: specified. */
  amount: number
  /** In international form. Basis: published. */
  phoneNumber: string
}

/** Basis: specified. */
export interface StkCollectionRecord {
  /** Counted per kind of record. Basis: specified. */
  id: number
  /** The requestId of the creation. Basis: specified. */
  uuid: string
  /** The operator's correlation id. Basis: specified. */
  merchantRequestId: string
  /** The operator's correlation id. Basis: specified. */
  checkoutRequestId: string
  /** Kenyan numbers in local form: 07… Basis: published. */
  phoneNumber: string
  /** As sent. Basis: specified. */
  description: string
  organisation: OrganisationSummary
  /** Major units; whole amounts are printed as integers (published). Basis: specified. */
  amount: number
  /** PENDING, SUCCESS or FAILED; PAYMENT_ACCEPTED on Tanzania reads when assumed so. Basis: specified. */
  status: 'PENDING' | 'SUCCESS' | 'FAILED' | 'PAYMENT_ACCEPTED'
  /** As sent; empty when there was none: assumption absent-account. Basis: specified. */
  accountReference: string
  /** 0 in every sample. Basis: specified. */
  responseCode: number
  /** Of the request, not of the outcome. Basis: specified. */
  responseDescription: string
  /** Of the request, not of the outcome. Basis: specified. */
  customerMessage: string
  /** As sent. Basis: specified. */
  callbackUrl: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  createdAt: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  updatedAt: string
}

/** All fields of StkRequest. Basis: published. */
interface StkRequestFields {
  /** Where the prompt goes: international form, no plus. Basis: published. */
  phoneNumber: string
  /** Whole major units. Basis: published. */
  amount: number
  /** Documented as at most 13 characters. Basis: published. */
  description: string
  /** Required when KSH; documented as at most 12 letters and digits. Shown in the PIN prompt. Basis: published. */
  accountReference?: string | null
  /** Told the final outcome. Basis: published. */
  callbackUrl: string
  /** KSH unless given. Basis: published. Default: 'KSH'. */
  currencyCode?: 'KSH' | 'TZS' | 'UGX' | null
  /** Required when TZS: TZ-TIGO-C2B or TZ-AIRTEL-C2B. Basis: published. */
  channel?: string | null
  /** Required when UGX. Basis: published. */
  narration?: string | null
  /** Required when UGX. Basis: published. */
  customerName?: string | null
  /** The caller's own reference; a read finds the payment by it too. Basis: published. */
  referenceId?: string | null
}

/** Basis: published. */
export type StkRequest = StkRequestFields &
  (
    | ({ currencyCode?: 'KSH' } & Required<Pick<StkRequestFields, 'accountReference'>>)
    | ({ currencyCode: 'TZS' } & Required<Pick<StkRequestFields, 'channel'>>)
    | ({ currencyCode: 'UGX' } & Required<Pick<StkRequestFields, 'narration' | 'customerName'>>)
  )

/** Basis: published. */
export interface StkStatus {
  /** The uuid of the record. Basis: specified. */
  requestId: string
  /** PENDING, SUCCESS or FAILED. Basis: specified. */
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  /** Major units; whole amounts are printed as integers (published). Basis: specified. */
  amount: number
  /** Kenyan numbers in local form: 07… Basis: published. */
  phoneNumber: string
}

/** Basis: specified. */
export interface SubAccountCreated {
  /** The sub-account. Basis: specified. */
  uuid: string
  /** Its name. Basis: specified. */
  name: string
  /** The phone of its creation. Basis: specified. */
  phoneNumber: string
  /** Its e-mail address. Basis: specified. */
  email: string
  /** The parent's seven digits and three more (published). Basis: specified. */
  uniqueReference: string
  /** Null in samples. Basis: specified. */
  environment: string | null
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  createdAt: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  updatedAt: string
  /** Told of bank collections. Basis: specified. */
  collectionCallbackUrl: string | null
  parentOrganisation: ParentOrganisation
  /** False for a sub-account. Basis: specified. */
  parent: false
}

/** Basis: specified. */
export interface SubAccountRecord {
  /** The sub-account. Basis: specified. */
  uuid: string
  /** Its name. Basis: specified. */
  name: string
  /** The phone of its creation. Basis: specified. */
  phoneNumber: string
  /** Its e-mail address. Basis: specified. */
  email: string
  /** The parent's seven digits and three more (published). Basis: specified. */
  uniqueReference: string
  /** Null in samples. Basis: specified. */
  environment: string | null
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  createdAt: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  updatedAt: string
  /** Told of bank collections. Basis: specified. */
  collectionCallbackUrl: string | null
  /** False for a sub-account. Basis: specified. */
  parent: false
}

/** Basis: specified. */
export interface SubAccountRequest {
  /** The name of the sub-account. Basis: specified. */
  name: string
  /** Its e-mail address. Basis: specified. */
  email: string
  /** Its phone number; comes back as phoneNumber. Samples have 11 to 13 digits. Basis: specified. */
  phone: string
  user: SubAccountUser
}

/** The first API user. Basis: specified. */
export interface SubAccountUser {
  /** API_USER is the only value seen. Basis: specified. */
  userType: 'API_USER'
  /** Of the user. Basis: specified. */
  firstName: string
  /** Of the user. Basis: specified. */
  lastName: string
  /** Unique in the service (assumed). Basis: specified. */
  username: string
  /** The user's first credential. Kept as a salted hash, never logged, never answered. Basis: specified. */
  password: string
  /** ADMIN is the only value seen. Basis: specified. */
  roles: 'ADMIN'[]
  /** The user's e-mail address. Basis: specified. */
  email: string
}

/** Basis: published. */
export interface Subscription {
  /** The subscription. Basis: published. */
  uuid: string
  /** Whether sub-accounts are turned on. Basis: published. */
  active: boolean
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  createdAt: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  updatedAt: string
}

/** Basis: specified. */
export interface TillPaymentRecord {
  /** Counted per kind of record. Basis: specified. */
  id: number
  /** Major units; whole amounts carry one decimal (published). Basis: specified. */
  amount: number
  /** The requestId of the creation. Basis: specified. */
  uuid: string
  organisation: OrganisationSummary
  /** As sent; empty where a till payment had none (assumed). Basis: specified. */
  accountNumber: string
  /** As sent. Basis: specified. */
  businessNumber: string
  /** As sent. Basis: specified. */
  remarks: string
  /** As sent. Basis: specified. */
  occasion: string
  /** The operator's correlation id; uuid form published. Basis: specified. */
  originatorConversationId: string
  /** The operator's own id; AG_ form published. Basis: specified. */
  conversationId: string
  /** As sent. Basis: specified. */
  callbackUrl: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  createdAt: string
  /**
   * Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published). Basis: specified.
   */
  updatedAt: string
  /** PENDING, SUCCESS or FAILED. Basis: specified. */
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  /** 0 in every sample. Basis: specified. */
  responseCode: number
  /** Null until known. Basis: specified. */
  receiverName: string | null
  /** Null until paid. Basis: specified. */
  transactionReceipt: string | null
  /** Null only of a payment that failed, where the assumption failed-description says so. Basis: specified. */
  responseDescription: string | null
}

/** Basis: specified. */
export interface TillRequest {
  /** The till that receives the money. Basis: specified. */
  businessNumber: string
  /** Not required for tills. At most 13 characters (published). Basis: specified. */
  accountNumber?: string | null
  /** Kenyan shillings. Major units, at most two decimals. Basis: specified. */
  amount: number
  /** At most 100 characters (published). Basis: specified. */
  remarks: string
  /** At most 100 characters (published). Basis: specified. */
  occasion: string
  /** Told the final outcome. Basis: specified. */
  callbackUrl: string
  /** The caller's own reference; a read finds the payment by it too. Basis: specified. */
  referenceId?: string | null
}

/** Basis: specified. */
export interface TokenAnswer {
  /** Status code and reason as text (published: `200 OK`). Basis: specified. */
  status: '200 OK'
  data: TokenData
}

/** Basis: specified. */
export interface TokenData {
  /** Bearer token, a JWT (published). Basis: specified. */
  access_token: string
  /** No published call uses it. Basis: specified. */
  refresh_token: string
  /** Seconds. Basis: specified. */
  expires_in: 300
  /** Seconds. Basis: specified. */
  refresh_expires_in: 1800
}

/** Basis: specified. */
export interface TokenRequest {
  /** The API key. Basis: specified. */
  apiKey: string
  /** Its secret. Basis: specified. */
  apiSecret: string
}

/** Basis: published. */
export interface VerificationAccepted {
  /** The uuid of the record. Basis: specified. */
  requestId: string
  /** The accountNumber of the request. Basis: published. */
  creditAccountNumber: string
  /** Always PENDING here. Basis: specified. */
  status: 'PENDING'
  /** Always 0.0. Basis: published. */
  amount: 0
}

/** Basis: published. */
export interface VerificationCallback {
  /** As sent. Basis: published. */
  accountNumber: string
  /** The uuid of the record. Basis: specified. */
  requestId: string
  /** 00 goes with success; another is assumed to tell failure. Basis: published. */
  statusCode: string
  /** The holder of the account; empty when there is none (assumed). Basis: published. */
  receiverName: string
  /** The account that was found. Basis: published. */
  receiverAccount: string
  /** As sent. Basis: published. */
  bankCode: string
  /** Success; Failed is assumed. Basis: published. */
  status: 'Success' | 'Failed' | 'FAILED'
}

/** Basis: published. */
export interface VerifyAccountRequest {
  /** 00 and the bank's code: assumption bank-code-format. Basis: published. */
  bankCode: string
  /** The account to look up. Basis: published. */
  accountNumber: string
  /** Told the holder's name. Basis: published. */
  callbackUrl: string
}

/** Basis: published. */
export interface WalletBreakdownEntry {
  /** Collections and payouts: assumption breakdown-totals. KES, with at least one decimal. Basis: published. */
  totalTransactions: number
  /** Successful STK collections. KES, with at least one decimal. Basis: published. */
  totalStkCollection: number
  /** Successful paybill payouts. KES, with at least one decimal. Basis: published. */
  totalPaybill: number
  /** Assumption net-balance. KES, with at least one decimal. Basis: published. */
  netBalance: number
  /** Collections by paybill; no operation makes any. KES, with at least one decimal. Basis: published. */
  totalPaybillCollection: number
  /** Collections: assumption breakdown-totals. KES, with at least one decimal. Basis: published. */
  totalCollections: number
  /** Successful till payouts. KES, with at least one decimal. Basis: published. */
  totalTill: number
  /** The sub-account. Basis: published. */
  organisationUuid: string
  /** Successful mobile money payouts. KES, with at least one decimal. Basis: published. */
  totalSendMoney: number
}

/** Basis: published. */
export interface WalletDetails {
  /** By PesaLink. Basis: published. */
  pesalinkDetails: {
    /** A fixed five-digit prefix and the caller's uniqueReference. Basis: published. */
    accountNumber: string
    /** Whose account it is. Basis: published. */
    accountName: string
    /** At which bank. Basis: published. */
    beneficiaryBank: string
    /** The caller's uniqueReference, by which incoming money is matched to the wallet. Basis: published. */
    remarks: string
  }
  /** By bank transfer. Basis: published. */
  bankDetails: {
    /** Whose account it is. Basis: published. */
    beneficiaryName: string
    /** At which bank. Basis: published. */
    beneficiaryBank: string
    /** At which branch. Basis: published. */
    beneficiaryBranch: string
    /** Of the bank. Basis: published. */
    swiftCode: string
    /** A fixed five-digit prefix and the caller's uniqueReference. Basis: published. */
    beneficiaryAccount: string
    /** The caller's uniqueReference, by which incoming money is matched to the wallet. Basis: published. */
    remarks: string
  }
  /** By paybill. Basis: published. */
  paybillDetails: {
    /** The paybill to pay to. Basis: published. */
    paybillNumber: string
    /** The caller's uniqueReference, by which incoming money is matched to the wallet. Basis: published. */
    accountNumber: string
  }
}

/**
 * A method for every operation of the service. They resolve with what was answered, typed, and reject with a
 * `ServiceError` when the service refuses; `request` sends whatever else a test wants to try.
 */
export class ServiceClient extends ServiceCaller {
  /**
   * Exchange an API key and secret for an access token: `POST /api/v1/get-token`.
   * The same calls in a world of the same id and seed give the same token. It is valid in no other world. It stays valid after a reset, and in a world of that id and seed at another mfano, until it expires in simulated time.
   * Basis: specified (specification, Token; published token). May be refused with 400, 401, 405, 413, 415, 429, 500, 503, 504.
   */
  getToken(given: TokenRequest, options?: CallOptions): Promise<ServiceAnswer<TokenAnswer>> {
    return this.call('POST', '/api/v1/get-token', { body: given }, options)
  }

  /**
   * Exchange a refresh token for a new pair: `POST /api/v1/refresh-token`.
   * No source shows this call: it exists only while the assumption refresh-token is on.
   * Answers only while the assumption refresh-token is on.
   * Basis: assumed (assumption refresh-token). May be refused with 400, 401, 405, 413, 415, 429, 500, 503, 504.
   */
  refreshToken(given: RefreshRequest, options?: CallOptions): Promise<ServiceAnswer<TokenAnswer>> {
    return this.call('POST', '/api/v1/refresh-token', { body: given }, options)
  }

  /**
   * Create a sub-account with its first API user: `POST /api/sandbox/v1/multiaccount/new/organisation`.
   * Basis: specified (specification, Sub-accounts; published virtual/new-sub-account). May be refused with 400, 401, 402, 403, 404, 405, 413, 415, 423, 429, 500, 503, 504.
   */
  createSubAccount(
    given: SubAccountRequest,
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<201, 'Created Successfully', SubAccountCreated>>> {
    return this.call('POST', '/api/sandbox/v1/multiaccount/new/organisation', { body: given }, options)
  }

  /**
   * List the parent's sub-accounts: `GET /api/sandbox/v1/multiaccount/organisation/all`.
   * Basis: specified (specification, Sub-accounts; published virtual/all-parent-sub-accounts). May be refused with 401, 403, 405, 429, 500, 503, 504.
   */
  listSubAccounts(options?: CallOptions): Promise<ServiceAnswer<Envelope<200, 'SUCCESS', SubAccountRecord[]>>> {
    return this.call('GET', '/api/sandbox/v1/multiaccount/organisation/all', {}, options)
  }

  /**
   * Turn the sub-account feature on: `POST /api/sandbox/v1/multiaccount/subscribe`.
   * Basis: published (published virtual/subscription). May be refused with 400, 401, 403, 405, 429, 500, 503, 504.
   */
  subscribeSubAccounts(
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<201, 'Created Successfully', Subscription>>> {
    return this.call('POST', '/api/sandbox/v1/multiaccount/subscribe', {}, options)
  }

  /**
   * Take the subscription up again: `PUT /api/sandbox/v1/multiaccount/activate`.
   * Basis: published (published virtual/activate). May be refused with 401, 403, 404, 405, 429, 500, 503, 504.
   */
  activateSubAccounts(
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'Updated Successfully', 'subscribed Successfully'>>> {
    return this.call('PUT', '/api/sandbox/v1/multiaccount/activate', {}, options)
  }

  /**
   * Suspend the subscription: `PUT /api/sandbox/v1/multiaccount/de-activate`.
   * Ties between parent and sub-accounts stay.
   * Basis: published (published virtual/deactivate). May be refused with 401, 403, 404, 405, 429, 500, 503, 504.
   */
  deactivateSubAccounts(
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'Updated Successfully', 'un-subscribed Successfully'>>> {
    return this.call('PUT', '/api/sandbox/v1/multiaccount/de-activate', {}, options)
  }

  /**
   * Read totals of the parent's sub-accounts: `GET /api/sandbox/v1/multiaccount/wallet/total/breakdown`.
   * Basis: published (published virtual/sub-accounts-wallets-breakdown). May be refused with 401, 403, 405, 429, 500, 503, 504.
   */
  getWalletBreakdown(options?: CallOptions): Promise<ServiceAnswer<WalletBreakdownEntry[]>> {
    return this.call('GET', '/api/sandbox/v1/multiaccount/wallet/total/breakdown', {}, options)
  }

  /**
   * Move funds to a sub-account: `POST /api/sandbox/v1/allocations/new`.
   * Both wallets change at once.
   * Basis: specified (specification, Sub-accounts; published virtual/new-allocations). May be refused with 400, 401, 402, 403, 404, 405, 413, 415, 423, 429, 500, 503, 504.
   */
  createAllocation(
    given: AllocationRequest,
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<201, 'Created Successfully', AllocationResult>>> {
    return this.call('POST', '/api/sandbox/v1/allocations/new', { body: given }, options)
  }

  /**
   * Move funds back from a sub-account: `POST /api/sandbox/v1/de-allocations/new`.
   * Both wallets change at once.
   * Basis: specified (specification, Sub-accounts; published virtual/new-deallocation). May be refused with 400, 401, 402, 403, 404, 405, 413, 415, 423, 429, 500, 503, 504.
   */
  createDeallocation(
    given: AllocationRequest,
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<201, 'Created Successfully', AllocationResult>>> {
    return this.call('POST', '/api/sandbox/v1/de-allocations/new', { body: given }, options)
  }

  /**
   * Cancel one allocation: `GET /api/sandbox/v1/allocations/single/cancel`.
   * A GET that moves money: what was allocated goes back, if the receiver still has it.
   * Basis: published (published virtual/admin-cancel-sub-accounts-allocation). May be refused with 400, 401, 402, 403, 404, 405, 429, 500, 503, 504.
   */
  cancelAllocation(
    given: {
      /** The requestId of the allocation. Basis: published. */
      allocationId: string
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'SUCCESS', 'Allocation cancelled successfully'>>> {
    return this.call('GET', '/api/sandbox/v1/allocations/single/cancel', { query: given }, options)
  }

  /**
   * List the allocations that the caller made: `GET /api/sandbox/v1/allocations/allocations/org/all`.
   * Basis: published (published virtual/all-sub-accounts-allocation). May be refused with 401, 403, 405, 429, 500, 503, 504.
   */
  listAllocations(options?: CallOptions): Promise<ServiceAnswer<Envelope<200, 'SUCCESS', AllocationRecord[]>>> {
    return this.call('GET', '/api/sandbox/v1/allocations/allocations/org/all', {}, options)
  }

  /**
   * List all allocations of a parent and its sub-accounts: `GET /api/sandbox/v1/allocations/org/all/admins`.
   * Basis: published (published virtual/admin-sub-accounts-allocation). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  listAllocationsOfParent(
    given: {
      /** The parent whose allocations are listed. Basis: published. */
      parentOrganisationId: string
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'SUCCESS', AllocationRecord[]>>> {
    return this.call('GET', '/api/sandbox/v1/allocations/org/all/admins', { query: given }, options)
  }

  /**
   * List the allocations that were made to the caller: `GET /api/sandbox/v1/allocations/sub/org/all`.
   * Answers only while the assumption unlisted-operations is on.
   * Basis: published (published virtual/sub-accounts-allocations (unlisted)). May be refused with 401, 403, 405, 429, 500, 503, 504.
   */
  listReceivedAllocations(options?: CallOptions): Promise<ServiceAnswer<Envelope<200, 'SUCCESS', AllocationRecord[]>>> {
    return this.call('GET', '/api/sandbox/v1/allocations/sub/org/all', {}, options)
  }

  /**
   * List the de-allocations that the caller made: `GET /api/sandbox/v1/de-allocations/org/all`.
   * Basis: published (published virtual/all-sub-accounts-deallocation). May be refused with 401, 403, 405, 429, 500, 503, 504.
   */
  listDeallocations(options?: CallOptions): Promise<ServiceAnswer<Envelope<200, 'SUCCESS', AllocationRecord[]>>> {
    return this.call('GET', '/api/sandbox/v1/de-allocations/org/all', {}, options)
  }

  /**
   * List all de-allocations of a parent and its sub-accounts: `GET /api/sandbox/v1/de-allocations/org/all/admins`.
   * Basis: published (published virtual/admin-sub-accounts-deallocation). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  listDeallocationsOfParent(
    given: {
      /** The parent whose allocations are listed. Basis: published. */
      parentOrganisationId: string
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'SUCCESS', AllocationRecord[]>>> {
    return this.call('GET', '/api/sandbox/v1/de-allocations/org/all/admins', { query: given }, options)
  }

  /**
   * List the de-allocations that were made to the caller: `GET /api/sandbox/v1/de-allocations/sub/org/all`.
   * Answers only while the assumption unlisted-operations is on.
   * Basis: published (published virtual/sub-accounts-deallocations (unlisted)). May be refused with 401, 403, 405, 429, 500, 503, 504.
   */
  listReceivedDeallocations(
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'SUCCESS', AllocationRecord[]>>> {
    return this.call('GET', '/api/sandbox/v1/de-allocations/sub/org/all', {}, options)
  }

  /**
   * Create a hosted checkout session: `POST /api/sandbox/v1/checkout-sessions`.
   * Send the customer to checkoutUrl; confirm the payment by the callback, not by the redirect.
   * Basis: specified (specification, Checkout; published checkout/post). May be refused with 400, 401, 402, 403, 404, 405, 413, 415, 423, 429, 500, 503, 504.
   * The callback's body is a {@link CheckoutCallback}.
   */
  createCheckoutSession(given: CheckoutRequest, options?: CallOptions): Promise<ServiceAnswer<CheckoutAccepted>> {
    return this.call('POST', '/api/sandbox/v1/checkout-sessions', { body: given }, options)
  }

  /**
   * Read one checkout session: `GET /api/sandbox/v1/checkout-sessions/{checkoutSessionId}`.
   * Basis: published (published checkout/get_single). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  getCheckoutSession(
    given: {
      /** The id from creation. Basis: published. */
      checkoutSessionId: string
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<CheckoutSession>> {
    return this.call('GET', '/api/sandbox/v1/checkout-sessions/{checkoutSessionId}', { path: given }, options)
  }

  /**
   * Send money to a mobile wallet: `POST /api/sandbox/v1/send-money`.
   * Accepted as PENDING; the final outcome is sent to callbackUrl.
   * Basis: specified (specification, Mobile money payouts; published b2c/post). May be refused with 400, 401, 402, 403, 404, 405, 413, 415, 423, 429, 500, 503, 504.
   * The callback's body is a {@link SendMoneyStatus}.
   */
  createSendMoney(
    given: SendMoneyRequest,
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<201, 'Success', SendMoneyAccepted>>> {
    return this.call('POST', '/api/sandbox/v1/send-money', { body: given }, options)
  }

  /**
   * Read one payout: `GET /api/sandbox/v1/send-money/single`.
   * Basis: specified (specification, Mobile money payouts; published b2c/get_single). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  getSendMoney(
    given: {
      /**
       * The id returned at creation; the caller's own referenceId is accepted too (assumption reference-lookup). Basis: specified.
       */
      requestId: unknown | unknown
      /** The caller's company, or one of its sub-accounts. Basis: specified. */
      companyId: string
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'Success', MobileMoneyPayoutRecord>>> {
    return this.call('GET', '/api/sandbox/v1/send-money/single', { query: given }, options)
  }

  /**
   * List the payouts of a company: `GET /api/sandbox/v1/send-money/all`.
   * Basis: specified (specification, Mobile money payouts; published b2c/get_all). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  listSendMoney(
    given: {
      /** The caller's company, or one of its sub-accounts. Basis: specified. */
      companyId: string
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'Success', MobileMoneyPayoutRecord[]>>> {
    return this.call('GET', '/api/sandbox/v1/send-money/all', { query: given }, options)
  }

  /**
   * Read the status of a payout: `GET /api/sandbox/v1/send-money/status`.
   * Basis: published (published b2c/get_status). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  getSendMoneyStatus(
    given: {
      /**
       * The id returned at creation; the caller's own referenceId is accepted too (assumption reference-lookup). Basis: specified.
       */
      requestId: unknown | unknown
      /** Marked required, and absent from the published sample: checked when sent. Basis: published. */
      companyId?: string
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'Success', SendMoneyStatus>>> {
    return this.call('GET', '/api/sandbox/v1/send-money/status', { query: given }, options)
  }

  /**
   * Read one Tanzania payout: `GET /api/v1/tz/spending/single`.
   * A payout made by POST send-money with currencyCode TZS.
   * Basis: specified (specification, Mobile money payouts; published b2c/get_single_tz). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  getTanzaniaPayout(
    given: {
      /**
       * The id returned at creation; the caller's own referenceId is accepted too (assumption reference-lookup). Basis: specified.
       */
      requestId: unknown | unknown
    },
    options: CallOptions & { deviceId: string },
  ): Promise<ServiceAnswer<Envelope<200, 'SUCCESS', MobileMoneyPayoutRecord>>> {
    return this.call(
      'GET',
      '/api/v1/tz/spending/single',
      { query: given, headers: { 'Device-Id': options.deviceId } },
      options,
    )
  }

  /**
   * Pay a till: `POST /api/sandbox/v1/till`.
   * Accepted as PENDING; the final outcome is sent to callbackUrl.
   * Basis: specified (specification, Till payouts; published till/post). May be refused with 400, 401, 402, 403, 404, 405, 413, 415, 423, 429, 500, 503, 504.
   * The callback's body is a {@link ShortCodeStatus}.
   */
  createTillPayment(
    given: TillRequest,
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<201, 'Success', ShortCodeAccepted>>> {
    return this.call('POST', '/api/sandbox/v1/till', { body: given }, options)
  }

  /**
   * Read one till payment: `GET /api/sandbox/v1/till/single`.
   * Basis: specified (specification, Till payouts; published till/get_single). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  getTillPayment(
    given: {
      /**
       * The id returned at creation; the caller's own referenceId is accepted too (assumption reference-lookup). Basis: specified.
       */
      requestId: unknown | unknown
      /** The caller's company, or one of its sub-accounts. Basis: specified. */
      companyId: string
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'Success', TillPaymentRecord>>> {
    return this.call('GET', '/api/sandbox/v1/till/single', { query: given }, options)
  }

  /**
   * Read the status of a till payment: `GET /api/sandbox/v1/till/status`.
   * Answers 200, or 201 as its published sample does, by the assumption status-read-code.
   * Basis: specified (specification, Till payouts; published till/get_status). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  getTillPaymentStatus(
    given: {
      /**
       * The id returned at creation; the caller's own referenceId is accepted too (assumption reference-lookup). Basis: specified.
       */
      requestId: unknown | unknown
      /** The caller's company, or one of its sub-accounts. Basis: specified. */
      companyId: string
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200 | 201, 'Success', ShortCodeStatus>>> {
    return this.call('GET', '/api/sandbox/v1/till/status', { query: given }, options)
  }

  /**
   * List till payments: `GET /api/sandbox/v1/till/all`.
   * Basis: published (published till/get_all). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  listTillPayments(
    given: {
      /** Marked required, and absent from the published sample: checked when sent. Basis: published. */
      companyId?: string
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'Success', TillPaymentRecord[]>>> {
    return this.call('GET', '/api/sandbox/v1/till/all', { query: given }, options)
  }

  /**
   * Pay a paybill: `POST /api/sandbox/v1/paybill`.
   * Utilities, suppliers, statutory payments. Accepted as PENDING; the final outcome is sent to callbackUrl.
   * Basis: specified (specification, Paybill payouts; published paybill/post). May be refused with 400, 401, 402, 403, 404, 405, 413, 415, 423, 429, 500, 503, 504.
   * The callback's body is a {@link ShortCodeStatus}.
   */
  createPaybillPayment(
    given: PaybillRequest,
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<201, 'Success', ShortCodeAccepted>>> {
    return this.call('POST', '/api/sandbox/v1/paybill', { body: given }, options)
  }

  /**
   * List paybill payments: `GET /api/sandbox/v1/paybill/all`.
   * Basis: specified (specification, Paybill payouts; published paybill/get_all). May be refused with 401, 403, 405, 429, 500, 503, 504.
   */
  listPaybillPayments(options?: CallOptions): Promise<ServiceAnswer<Envelope<200, 'Success', PaybillPaymentRecord[]>>> {
    return this.call('GET', '/api/sandbox/v1/paybill/all', {}, options)
  }

  /**
   * Read one paybill payment: `GET /api/sandbox/v1/paybill/single`.
   * Basis: published (published paybill/get_single). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  getPaybillPayment(
    given: {
      /**
       * The id returned at creation; the caller's own referenceId is accepted too (assumption reference-lookup). Basis: specified.
       */
      requestId: unknown | unknown
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'Success', PaybillPaymentRecord>>> {
    return this.call('GET', '/api/sandbox/v1/paybill/single', { query: given }, options)
  }

  /**
   * Read the status of a paybill payment: `GET /api/sandbox/v1/paybill/status`.
   * Basis: published (published paybill/get_status). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  getPaybillPaymentStatus(
    given: {
      /**
       * The id returned at creation; the caller's own referenceId is accepted too (assumption reference-lookup). Basis: specified.
       */
      requestId: unknown | unknown
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'Success', ShortCodeStatus>>> {
    return this.call('GET', '/api/sandbox/v1/paybill/status', { query: given }, options)
  }

  /**
   * Pay out to a Kenyan bank account: `POST /api/sandbox/v1/bank/payout/new`.
   * Accepted as PENDING; the final outcome is sent to callbackUrl.
   * Basis: specified (specification, Bank payouts; published bank_payouts/pesalink/post). May be refused with 400, 401, 402, 403, 404, 405, 413, 415, 423, 429, 500, 503, 504.
   * The callback's body is a {@link BankPayoutCallback}.
   */
  createBankPayout(
    given: BankPayoutRequest,
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<201, 'Success', BankPayoutAccepted>>> {
    return this.call('POST', '/api/sandbox/v1/bank/payout/new', { body: given }, options)
  }

  /**
   * Read one bank payout: `GET /api/sandbox/v1/bank/payout/single`.
   * The data is an array with this one record.
   * Basis: specified (specification, Bank payouts; published bank_payouts/pesalink/get-single). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  getBankPayout(
    given: {
      /**
       * The id returned at creation; the caller's own referenceId is accepted too (assumption reference-lookup). Basis: specified.
       */
      requestId: unknown | unknown
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'SUCCESS', [BankPayoutRecord]>>> {
    return this.call('GET', '/api/sandbox/v1/bank/payout/single', { query: given }, options)
  }

  /**
   * List bank payouts: `GET /api/sandbox/v1/bank/payout/all`.
   * Basis: specified (specification, Bank payouts; published bank_payouts/pesalink/get-all). May be refused with 401, 403, 405, 429, 500, 503, 504.
   */
  listBankPayouts(options?: CallOptions): Promise<ServiceAnswer<Envelope<200, 'SUCCESS', BankPayoutRecord[]>>> {
    return this.call('GET', '/api/sandbox/v1/bank/payout/all', {}, options)
  }

  /**
   * Look up the holder of a bank account: `POST /api/sandbox/v1/bank/payout/verify-account`.
   * The holder's name is sent to callbackUrl.
   * Answers only while the assumption unlisted-operations is on.
   * Basis: published (published bank_payouts/pesalink/verify-account (unlisted)). May be refused with 400, 401, 402, 403, 404, 405, 413, 415, 423, 429, 500, 503, 504.
   * The callback's body is a {@link VerificationCallback}.
   */
  verifyBankAccount(
    given: VerifyAccountRequest,
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<201, 'SUCCESS', VerificationAccepted>>> {
    return this.call('POST', '/api/sandbox/v1/bank/payout/verify-account', { body: given }, options)
  }

  /**
   * Ask a payer to pay by phone prompt: `POST /api/sandbox/v1/stk/new`.
   * The prompt goes to phoneNumber; the final outcome is sent to callbackUrl.
   * Basis: published (published stk/post). May be refused with 400, 401, 402, 403, 404, 405, 413, 415, 423, 429, 500, 503, 504.
   * The callback's body is a {@link StkCallback}.
   */
  createStkCollection(
    given: StkRequest,
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<201, 'Stk request has been accepted for request', StkAccepted>>> {
    return this.call('POST', '/api/sandbox/v1/stk/new', { body: given }, options)
  }

  /**
   * Read one mobile collection: `GET /api/sandbox/v1/stk/single`.
   * Basis: specified (specification, Collections; published stk/single). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  getStkCollection(
    given: {
      /**
       * The id returned at creation; the caller's own referenceId is accepted too (assumption reference-lookup). Basis: specified.
       */
      requestId: unknown | unknown
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'Success', StkCollectionRecord>>> {
    return this.call('GET', '/api/sandbox/v1/stk/single', { query: given }, options)
  }

  /**
   * Read the status of a mobile collection: `GET /api/sandbox/v1/stk/status`.
   * Basis: published (published stk/status). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  getStkCollectionStatus(
    given: {
      /**
       * The id returned at creation; the caller's own referenceId is accepted too (assumption reference-lookup). Basis: specified.
       */
      requestId: unknown | unknown
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'Success', StkStatus>>> {
    return this.call('GET', '/api/sandbox/v1/stk/status', { query: given }, options)
  }

  /**
   * List mobile collections: `GET /api/sandbox/v1/stk/all`.
   * Basis: published (published stk/all). May be refused with 401, 403, 405, 429, 500, 503, 504.
   */
  listStkCollections(options?: CallOptions): Promise<ServiceAnswer<Envelope<200, 'Success', StkCollectionRecord[]>>> {
    return this.call('GET', '/api/sandbox/v1/stk/all', {}, options)
  }

  /**
   * Read one Tanzania collection: `GET /api/v1/tz/collections/single`.
   * A collection made by POST stk/new with currencyCode TZS.
   * Basis: specified (specification, Collections; published stk/get_single_tz). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  getTanzaniaCollection(
    given: {
      /**
       * The id returned at creation; the caller's own referenceId is accepted too (assumption reference-lookup). Basis: specified.
       */
      requestId: unknown | unknown
    },
    options: CallOptions & { deviceId: string },
  ): Promise<ServiceAnswer<Envelope<200, 'SUCCESS', StkCollectionRecord>>> {
    return this.call(
      'GET',
      '/api/v1/tz/collections/single',
      { query: given, headers: { 'Device-Id': options.deviceId } },
      options,
    )
  }

  /**
   * List the payments into the organisation's bank account: `GET /api/sandbox/v1/bank/collection/all`.
   * Basis: specified (specification, Collections; published bank_collections/get-all). May be refused with 401, 403, 405, 429, 500, 503, 504.
   */
  listBankCollections(options?: CallOptions): Promise<ServiceAnswer<Envelope<200, 'OK', BankCollectionRecord[]>>> {
    return this.call('GET', '/api/sandbox/v1/bank/collection/all', {}, options)
  }

  /**
   * Read one bank collection: `GET /api/sandbox/v1/bank/collection/single`.
   * Basis: published (published bank_collections/get-single). May be refused with 400, 401, 403, 404, 405, 429, 500, 503, 504.
   */
  getBankCollection(
    given: {
      /** The collection's uuid. Basis: published. */
      requestId: string
    },
    options?: CallOptions,
  ): Promise<ServiceAnswer<Envelope<200, 'OK', BankCollectionRecord>>> {
    return this.call('GET', '/api/sandbox/v1/bank/collection/single', { query: given }, options)
  }

  /**
   * Read how to fund the caller's wallet: `POST /api/sandbox/v1/org/wallet-details`.
   * Answers only while the assumption unlisted-operations is on.
   * Basis: published (published wallet/wallet_load_details (unlisted)). May be refused with 401, 403, 405, 429, 500, 503, 504.
   */
  getWalletDetails(options?: CallOptions): Promise<ServiceAnswer<Envelope<200, 'SUCCESS', WalletDetails>>> {
    return this.call('POST', '/api/sandbox/v1/org/wallet-details', {}, options)
  }
}

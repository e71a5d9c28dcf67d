/** Reasons for refusals of this service only, with codes and basis. */
import type { Source } from '../../core/model/basis.ts'
import type { RefusalReason } from '../../core/model/refusal-reasons.ts'
import type { AssumptionId } from '../assumed/assumptions.ts'
import type { Conventional } from '../assumed/conventions.ts'

export const serviceReasons = {
  tokenForeign: {
    stage: 'token',
    when: 'the token is none that this service issued',
    code: 'AUTH_INVALID_TOKEN',
    ground: 'published',
    source: 'errors',
  },
  tokenOfOtherType: {
    stage: 'token',
    when: 'the refresh token came as a bearer token',
    code: 'AUTH_INVALID_TOKEN',
    ground: 'convention: the refresh token as a bearer token',
  },
  tokenExpired: {
    stage: 'age',
    when: 'the token has expired',
    code: 'AUTH_INVALID_TOKEN',
    ground: 'published',
    source: 'errors',
  },
  tokenReplaced: {
    stage: 'age',
    when: 'a newer token was issued',
    code: 'AUTH_INVALID_TOKEN',
    ground: 'old-tokens',
  },
  tokenHolderGone: {
    stage: 'age',
    when: 'the organisation of the token is not in this world',
    code: 'AUTH_INVALID_TOKEN',
    ground: 'own',
  },
  referenceForId: {
    stage: 'fields',
    when: 'a reference came where only an id is looked up',
    code: 'REQ_INVALID_FIELD',
    ground: 'reference-lookup',
  },
  fieldUnknown: {
    stage: 'fields',
    when: 'a field came that no source names',
    code: 'REQ_INVALID_FIELD',
    ground: 'unknown-fields',
  },
  phoneForm: {
    stage: 'fields',
    when: 'a phone number cannot be one of the country',
    code: 'REQ_INVALID_FIELD',
    ground: 'phone-format',
  },
  credentialsWrong: {
    stage: 'caller',
    when: 'key and secret are no pair that this service issued',
    code: 'AUTH_INVALID_TOKEN',
    ground: 'bad-credentials',
  },
  callerIsSubAccount: {
    stage: 'caller',
    when: 'a sub-account calls an operation of a parent',
    code: 'AUTH_FORBIDDEN',
    ground: 'convention: a sub-account that calls an operation of a parent',
  },
  subscriptionNeeded: {
    stage: 'caller',
    when: 'sub-accounts are used without an active subscription',
    code: 'AUTH_FORBIDDEN',
    ground: 'subscription-required',
  },
  organisationUnknown: {
    stage: 'resource',
    when: 'no organisation has the id',
    code: 'RESOURCE_NOT_FOUND',
    ground: 'published',
    source: 'errors',
  },
  organisationForeign: {
    stage: 'resource',
    when: "an organisation is none of the caller's",
    code: 'AUTH_FORBIDDEN',
    ground: "convention: another's organisation",
  },
  paymentUnknown: {
    stage: 'resource',
    when: 'no payment of the caller has the id or reference',
    code: 'RESOURCE_NOT_FOUND',
    ground: 'published',
    source: 'errors',
  },
  nameMismatch: {
    stage: 'rules',
    when: 'the name is not that of the account holder, and the bank is asked at once',
    code: 'REQ_INVALID_FIELD',
    ground: 'name-mismatch',
  },
  emailTaken: {
    stage: 'resource',
    when: 'another organisation of the parent has the e-mail address of a new sub-account',
    code: 'REQ_INVALID_FIELD',
    ground: 'taken-emails',
  },
  cancelledAlready: {
    stage: 'resource',
    when: 'an allocation is cancelled a second time',
    code: 'REQ_BAD_REQUEST',
    ground: 'convention: a second cancel of an allocation',
  },
  subscribedAlready: {
    stage: 'resource',
    when: 'sub-accounts are turned on a second time',
    code: 'REQ_BAD_REQUEST',
    ground: 'second-subscribe',
  },
  allocationDirection: {
    stage: 'resource',
    when: 'an allocation takes from a sub-account, or a de-allocation from a parent',
    code: 'REQ_INVALID_FIELD',
    ground: 'allocation-direction',
  },
  parentNotNamed: {
    stage: 'resource',
    when: 'a sub-account is named where a parent is asked for',
    code: 'REQ_INVALID_FIELD',
    ground: 'published',
    source: 'errors',
  },
} as const satisfies Record<string, RefusalReason & { ground: Source | AssumptionId | Conventional | 'own' }>

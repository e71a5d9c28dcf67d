/**
 * Behaviour that no source shows and that cannot hurt an app, with the reason for each. Where plausible services lead
 * an app to other money, another state or a failing call, it is an assumption instead.
 */
interface Convention {
  value: string
  meaning: string
}

export type Conventional = `convention: ${keyof typeof conventions}`

const NOT_TOLD = 'A client that reads it cannot tell the difference'

export const conventions = {
  'a second token': {
    value: 'another one, with its whole life before it',
    meaning: 'Identity servers answer so; one that was answered again would have to say less than 300 seconds',
  },
  'what a token holds': {
    value: 'sub, typ, number, iat, exp and us, signed by HS256',
    meaning: 'A JWT is published, and no claim of it; nobody but the service has to check it',
  },
  'the refresh token as a bearer token': {
    value: '401 AUTH_INVALID_TOKEN',
    meaning: 'It is no access token; its only use would be a call of its own (refresh-token)',
  },
  'the name and password of a user': {
    value: 'get no token',
    meaning: 'No call is shown that takes them; a sub-account is given a key pair by the operator',
  },
  'the word Bearer': { value: 'in any case', meaning: 'Schemes have no case (RFC 9110)' },
  'the spelling of a path': {
    value: 'other letters or two slashes are another path, and 404; percent-encoded letters are the same',
    meaning: 'Paths have a case, and percent-encoding does not change them (RFC 3986)',
  },
  HEAD: { value: 'status and headers of the GET, and nothing is done', meaning: 'So HTTP has it (RFC 9110)' },
  OPTIONS: { value: 'as any other method that the path does not have', meaning: 'No page shows it' },
  'pages in browsers': {
    value: 'are answered without CORS headers, so that the browser keeps the answer',
    meaning: 'Secrets belong on servers, and no source shows such headers',
  },
  'the order of checks': {
    value: 'path, token, headers, body, fields, key, caller, resource, reference, rules, funds',
    meaning: 'The caller comes before the fields, and the limits of a rail before the wallet',
  },
  'a body without a Content-Type': {
    value: 'as one of another type: unsupported-media-type',
    meaning: 'The reference marks the header required on every POST',
  },
  'types that end in +json': { value: 'are taken for JSON', meaning: 'Their bodies are JSON (RFC 6839)' },
  'the bytes of a body': {
    value: 'read as UTF-8 whatever its type says; wrong bytes become U+FFFD, and a byte order mark is skipped',
    meaning: 'JSON between systems is UTF-8, and readers may skip a mark (RFC 8259)',
  },
  'a body that is too large': {
    value: '413 REQ_BAD_REQUEST',
    meaning: 'The status that HTTP has for it; the published table lists none',
  },
  'the Accept header': { value: 'is not looked at', meaning: 'Every answer is JSON' },
  'a parameter that a query has twice': {
    value: 'the first counts',
    meaning: 'No parameter is a list; frameworks that read one text take the first',
  },
  'parameters that no source names': {
    value: 'are ignored, and the journal names them',
    meaning: 'Links and proxies add some, so that servers rarely refuse them',
  },
  'fields that are missing beside wrong ones': {
    value: 'REQ_INVALID_FIELD; REQ_MISSING_FIELD where nothing else is wrong',
    meaning: 'Both codes are published, and one answer has one code',
  },
  'required fields that no source marks': {
    value: 'apiKey, apiSecret; all of an allocation; name, email, phone, user, username, password of a sub-account',
    meaning: 'Without one there is nobody to ask for, nothing to move, or nothing to create',
  },
  'limits that no source shows': {
    value: '1,000 characters of text, 30 to 200 of names and numbers, 20 roles, 999,999,999,999.99 of money',
    meaning: 'More is a mistake; a service stores its fields in columns, which end somewhere',
  },
  'e-mail addresses, and phones to which no money goes': {
    value: 'an @ and a domain; customerPhone a plus and 7 to 15 digits; phone of a sub-account 9 to 15 digits',
    meaning: 'The samples have these forms, and numbers have at most 15 digits (E.164)',
  },
  'a list of paymentMethods': {
    value: 'CARD and MPESA_STK alone, at least one of them, and none twice',
    meaning: 'The only values seen; a list that says nothing, or the same again, is a mistake',
  },
  'the currency of a checkout session': { value: 'KES alone', meaning: 'The only value seen (specified)' },
  'the password of a user': {
    value: 'any that is not blank',
    meaning: 'The sample has ten characters; no rule is shown',
  },
  'userType and roles of a user': { value: 'API_USER and ADMIN alone', meaning: 'The only values that a source shows' },
  'a user name that is taken': {
    value: '400 REQ_INVALID_FIELD, wherever the first user is',
    meaning: 'It is a name to log in with, so that it tells one user from all others',
  },
  'an id that is no uuid': {
    value: '400 REQ_INVALID_FIELD',
    meaning: 'The errors page has it for a wrong form, and a withdrawn page for such a requestId',
  },
  'a blank parameter of the query': {
    value: '400 REQ_INVALID_FIELD',
    meaning: 'A parameter that is required and says nothing is a mistake wherever it is read',
  },
  'a key that a body has twice': { value: 'the last counts', meaning: 'As most readers of JSON have it (RFC 8259, 4)' },
  'capitals in a uuid': {
    value: 'the same id',
    meaning: 'RFC 9562 has readers accept both cases; answers have small letters',
  },
  'a body with Content-Encoding': {
    value: 'as one of another type: unsupported-media-type; 400 where that is accept',
    meaning: 'Servers read no compressed request unless that is switched on; no page speaks of one',
  },
  'headers that are too large': { value: '431 without a body', meaning: 'They are refused before there is a request' },
  'serviceCode or channel, and the network of the phone': {
    value: 'are not compared',
    meaning: 'Numbers move between networks and keep their prefix, so that it does not tell the network',
  },
  'the text of an account number': {
    value: 'any',
    meaning: 'A bank or a paybill gives its own; the length for a till is published',
  },
  'wallets of an organisation': {
    value: 'one for each currency',
    meaning: 'One wallet is specified; money of three currencies in one would need rates, which no source has',
  },
  'collected money': { value: 'can be spent at once', meaning: 'No source speaks of a time until it is settled' },
  'two prompts at once on one phone': {
    value: 'both can be paid',
    meaning: 'What a network does with the second is a rule of a scenario: history tells of the first',
  },
  'how like a beneficiary name has to be': {
    value: '0.8, in the rule of the default scenario',
    meaning: 'Banks do not say how they compare; the rule is to be replaced by one of your own',
  },
  'an allocation to oneself': {
    value: '400 REQ_INVALID_FIELD',
    meaning: 'It would leave the wallet as it was, so that it is a mistake',
  },
  'the currency of an allocation': {
    value: 'KES; currency is a field that no source names',
    meaning: 'No source shows another one in an allocation',
  },
  'the receiver of an allocation who cancels it': {
    value: '404 RESOURCE_NOT_FOUND',
    meaning: 'The page that shows a cancel is written for a parent or an admin',
  },
  'a de-allocation that is cancelled': {
    value: '404 RESOURCE_NOT_FOUND',
    meaning: 'The cancel of an allocation is published, and none of a de-allocation',
  },
  'a second cancel of an allocation': {
    value: '400 REQ_BAD_REQUEST, and no money moves',
    meaning: 'Nothing is left to give back',
  },
  'sums of the wallet breakdown': {
    value: 'of its own lines, and nothing else',
    meaning: 'Bank collections, sessions and bank payouts have no line there',
  },
  "another's organisation": {
    value: '403 AUTH_FORBIDDEN',
    meaning: 'The errors page has it for who may not; the id alone says nothing of another',
  },
  "another's payment": {
    value: '404 RESOURCE_NOT_FOUND',
    meaning: 'Nobody is to learn what ids there are',
  },
  'a sub-account that calls an operation of a parent': {
    value: '403 AUTH_FORBIDDEN',
    meaning: 'The parent keeps control (published)',
  },
  'an activation where there was no subscription': {
    value: '404 RESOURCE_NOT_FOUND',
    meaning: 'Only the answer of one that takes a subscription up again is published',
  },
  'organisations that say parent: true': {
    value: 'those that have a sub-account',
    meaning: 'So the published records show both true and false of organisations without a parent',
  },
  'what is added to successUrl and cancelUrl': {
    value: 'nothing',
    meaning: 'No page shows a parameter, and a merchant must not rely on the redirect',
  },
  'a payment that failed on the page': {
    value: 'ends the session: FAILED, and told',
    meaning: 'The six published states have no way back from FAILED; who tries again needs a session of its own',
  },
  'where a payer goes who has not paid': {
    value: 'to cancelUrl, from FAILED and EXPIRED',
    meaning: 'Only two addresses are given, and successUrl is for who has paid',
  },
  'phones that the page asks': {
    value: 'of any country',
    meaning: "The sample's own customerPhone begins with +237, where M-Pesa is not",
  },
  'cents by M-Pesa': {
    value: 'are taken on the page',
    meaning:
      'STK takes whole amounts (published); of a session that is not said, and refusing would only show to the payer',
  },
  'headers of a callback': {
    value: 'content-type application/json without a charset, and a user-agent',
    meaning: 'No source shows one; a receiver reads JSON whatever stands beside it',
  },
  'the trace context of a callback': {
    value: 'traceparent and tracestate of the request that led to it',
    meaning: 'Traces find both in one (W3C Trace Context), and a request without one gets none',
  },
  'businessNumber in the callback of a bank payout': {
    value: 'the bank code',
    meaning: 'The keys are those of a paybill callback; accountNumber is the credited account',
  },
  'the order of fields': { value: 'as the sources show it', meaning: 'JSON has none, and readers go by names' },
  'filters of a list': { value: 'none', meaning: 'No page shows one' },
  'updatedAt while PENDING': {
    value: 'moves each minute in STK and paybill records, and stands in the others',
    meaning: 'The samples of STK and paybill show one days after createdAt; the others show none',
  },
  'an account number or reference that was not sent': {
    value: '""',
    meaning: 'Both are text in the tables, for a till as for a collection in TZS or UGX',
  },
  'occasion in the record of a payout': {
    value: 'as sent; null where none was',
    meaning: 'The published KSH record shows null, although a request in KSH must send one',
  },
  'direction of a bank payout': { value: '0', meaning: 'As in every sample; its meaning is not shown' },
  'the narration of a payout in TZS or UGX': {
    value: 'stands in remarks',
    meaning: 'The record has remarks and no narration, and remarks are text',
  },
  'customerid of a bank collection': {
    value: 'five digits, drawn for each',
    meaning: 'The sample has five digits; nothing that was sent feeds it',
  },
  'a payment that was taken back': {
    value: 'keeps its receipt and the name of its receiver',
    meaning: 'It was paid once, and both belong to that',
  },
  'what the Tanzanian reads find': {
    value: 'payments in TZS alone; the others find all',
    meaning: 'They are for Tanzanian payments; the others are specified without a country',
  },
  'companyId of a single read': {
    value: 'that of the organisation whose payment it is',
    meaning: "A parent reads a sub-account's record by the sub-account's id, and not by its own",
  },
  'callbackUrl in the record of who sent none': { value: '""', meaning: 'It is text in the tables (specified)' },
  'receiverPhoneNumber of a bank payout': {
    value: 'the phone of the organisation that pays',
    meaning: 'No field of the request feeds it, and text is specified',
  },
  'phoneNumber of a Tanzanian or Ugandan collection': {
    value: 'in international form',
    meaning: 'Only the Kenyan change from 2547… to 07… is published',
  },
  'merchantRequestId and checkoutRequestId abroad': {
    value: 'of the form that the Kenyan samples have',
    meaning: 'Texts to hand on to support; no other form is shown',
  },
  'id in records': { value: 'counts over all organisations, by kind', meaning: 'Samples have small integers' },
  'the counter of checkoutRef': {
    value: 'goes on over midnight',
    meaning: 'One sample shows it; whether it begins anew each day, only two days of sessions would tell',
  },
  'amounts of ten millions and more': {
    value: '20000000.0, never 2.0E7',
    meaning: `${NOT_TOLD}: both are the same number in JSON`,
  },
  'cents in the text of a bank collection': {
    value: '"77.5", without a zero at the end',
    meaning: 'The one sample is whole: "10000"',
  },
} as const satisfies Record<string, Convention>

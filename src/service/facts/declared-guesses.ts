/**
 * Behaviour that no source shows and that has no alternative, with the reason for each. Behaviour that plausible
 * services differ in is an assumption instead.
 */
interface Guess {
  value: string
  meaning: string
}

const NOT_TOLD = 'A client that reads it cannot tell the difference'

export const guesses: Readonly<Record<string, Guess>> = {
  // Tokens
  'a second token': {
    value: 'another one, with its whole life before it',
    meaning: 'Identity servers answer so; one that was answered again would have to say less than 300 seconds',
  },
  // Requests
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
    value: '400 REQ_BAD_REQUEST, as it is no JSON',
    meaning: 'Servers read no compressed request unless that is switched on; no page speaks of one',
  },
  'headers that are too large': { value: '431 without a body', meaning: 'They are refused before there is a request' },
  'serviceCode or channel, and the network of the phone': {
    value: 'are not compared',
    meaning: 'Numbers move between networks and keep their prefix, so that it does not tell the network',
  },
  'the text of an account number': {
    value: 'any',
    meaning: 'A bank or a paybill gives its own; the length for a till is published (text-limits)',
  },
  // Money
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
  'environment of a sub-account': {
    value: 'null in its own record, "sandbox" in its bank collections',
    meaning: 'Each as its own published sample has it (virtual/new-sub-account, bank_collections/get-single)',
  },
  // The hosted page
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
  // Reads
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
}

/** Schema of a scenario file. The same zod schema validates files and helps editors. */
import * as z from 'zod'
import { MOST_AT_ONCE } from '../../model/callback.ts'
import { durationSchema } from '../../model/delays.ts'
import { cardOutcomes } from '../../model/directory.ts'
import type { Libraries, Service } from '../../model/kind.ts'
import { passesLuhn } from '../../model/mask.ts'
import { madeOnce } from '../../model/must.ts'
import { checked, described, describeValue, optional, quote } from '../../model/problems.ts'
import { parseDuration, parseInstant, parseWorldInstant } from '../../model/time.ts'
import { faults } from '../../response-faults.ts'
import { parameters, parameterUse } from './parameters.ts'
import { callbackFaultsOf } from './planned-faults.ts'
import { railsOf } from './rails.ts'
import { rulesOf } from './rules.ts'
import { dateText, digits, money, shortText } from './schema-parts.ts'

const amount = z.number().min(0)
const walletsOf = ({ countries }: Service) =>
  z
    .strictObject(Object.fromEntries(countries.currencies.map((currency) => [currency, money().optional()])))
    .describe('opening balance of the default organisation, in shillings (major units), by currency')

const startTime = () =>
  checked(z.string(), (text, tell) => {
    if (parseInstant(text) === undefined)
      tell(
        `${quote(text)} is not a time. Write it like 2025-01-24T16:28:00, in the scenario's time zone unless it ends in a zone such as +03:00.`,
      )
    else if (parseWorldInstant(text) === undefined)
      tell(`${quote(text)} is out of range. Expected a time from 1970 to 2254.`)
  })

const clock = () =>
  checked(
    z.strictObject({
      mode: optional(
        z.enum(['realtime', 'scaled', 'frozen']),
        'realtime, scaled (rate times as fast) or frozen (moves only when advanced)',
      ),
      rate: optional(z.number().gt(0).max(1_000_000), 'scaled only: world seconds per real second', 60),
      start: optional(
        startTime(),
        "the start in simulated time, in the scenario's time zone unless it names one; real time when left out",
        '2025-01-24T16:28:00',
      ),
    }),
    ({ mode, rate }, tell) => {
      if (rate !== undefined && mode !== undefined && mode !== 'scaled')
        tell(`A ${mode} clock has no rate. Write mode: scaled, or remove rate.`, ['rate'])
    },
  ).meta({
    description: 'the clock of a world that starts with this scenario',
    examples: [{ mode: 'frozen', start: '2025-01-24T16:28:00' }],
  })

const directory = () =>
  z
    .strictObject({
      unregistered: optional(
        z.array(digits(1, 15)).max(100),
        'endings of unregistered phone numbers, tills and paybills, in quotes',
        ['000404'],
      ),
      withoutMoney: optional(z.array(digits(1, 15)).max(100), 'endings of phone numbers without money, in quotes', [
        '000402',
      ]),
      subscribers: z
        .array(
          z.strictObject({
            phone: described(
              digits(9, 15),
              'a phone number in international form without a plus, in quotes',
              '254712345678',
            ),
            name: described(shortText(120), 'the name that the network has', 'JANE WANJIKU MWANGI'),
            network: optional(shortText(40), "the network; by the number's prefix when left out", 'MPESA'),
            balance: optional(amount, "the subscriber's money, in shillings; plenty when left out"),
            pin: optional(
              digits(4, 4),
              'the four digits that approve a prompt on the handset, in quotes; 1234 when left out',
            ),
          }),
        )
        .optional()
        .describe('holders of phone numbers; anybody else is invented from the seed'),
      bankAccounts: z
        .array(
          z.strictObject({
            bankCode: described(digits(2, 8), "00 and the bank's code, in quotes", '0068'),
            account: described(shortText(40), 'the account number, in quotes', '0123456789'),
            holder: described(shortText(120), 'the name that the bank has', 'JANE WANJIKU MWANGI'),
          }),
        )
        .optional()
        .describe('bank accounts whose holder is known; any other account accepts every name'),
      businesses: z
        .array(
          z.strictObject({
            number: described(shortText(20), 'a till or paybill number, in quotes', '400200'),
            name: shortText(120).describe('the business that owns it'),
          }),
        )
        .optional()
        .describe('tills and paybills; any other number is invented from the seed'),
      cards: z
        .array(
          z.strictObject({
            number: checked(digits(13, 19), (number, tell) => {
              if (!passesLuhn(number))
                tell(`Found ${describeValue(number)}. Its last digit does not fit the others, so it is no card number.`)
            }).meta({ description: 'the digits of the card, in quotes', examples: ['4000000000000002'] }),
            outcome: z
              .enum(cardOutcomes)
              .describe("the bank's answer to a payment; challenge: 3-D Secure asks the holder first"),
          }),
        )
        .optional()
        .describe('cards for tests; any other card is approved'),
    })
    .describe('people, accounts and businesses that the rails know; lists of the extended scenario come after these')

const LONGEST_TIMEOUT_US = 600_000_000
const timeout = () =>
  checked(durationSchema, (text, tell) => {
    const timeoutUs = parseDuration(text) ?? 0
    if (timeoutUs < 500 || timeoutUs > LONGEST_TIMEOUT_US)
      tell(`Found ${quote(text)}. Expected real time from 1ms to 10m.`)
  })

const retry = () =>
  z
    .strictObject({
      attempts: optional(z.int().min(1).max(100), 'attempts in all, the first included'),
      backoff: optional(
        z.array(durationSchema).min(1).max(100),
        'simulated time before the second, third … attempt; the last repeats',
        ['10s', '1m', '5m', '30m'],
      ),
    })
    .describe('how often and when a callback is tried again')

const callbacksOf = ({ kinds }: Service) =>
  z
    .strictObject({
      retry: retry().optional(),
      timeout: optional(timeout(), 'the timeout of a receiver in real time, such as 10s'),
      loseAnswers: optional(
        z.int().min(0).max(100),
        'how many attempts reach the receiver but lose their answer, so that each is repeated',
      ),
      concurrency: optional(
        z.int().min(1).max(MOST_AT_ONCE),
        `attempts at the same time to one receiver; ${MOST_AT_ONCE} when left out`,
      ),
      rate: optional(
        z.strictObject({
          max: described(z.int().min(1).max(1_000_000), 'callbacks that leave', 20),
          per: described(durationSchema, 'the length of simulated time', '1s'),
        }),
        'how many callbacks are sent in a duration of simulated time; delayed callbacks and retries do not count',
        { max: 20, per: '1s' },
      ),
      signatureTime: optional(
        z.enum(['real', 'world']),
        'the time in webhook-timestamp: real for libraries that check it, or world; real when left out',
      ),
      faults: callbackFaultsOf(kinds).optional(),
    })
    .describe('delivery and faults of callbacks')

export const DRAWN = 'drawn'
export const OTHERS = 'others'

const assumptionsOf = ({ assumptions }: Service) => {
  const each = Object.entries(assumptions).map(([id, { question, alternatives, note }]) => {
    const one = z.enum([...alternatives]).optional()
    return [id, one.describe(`${question} ${note}`)]
  })
  const others = optional(z.enum([DRAWN]), "draws all that are not named by the world's seed")
  return described(
    z.strictObject({ ...Object.fromEntries(each), [OTHERS]: others }),
    'an alternative for each assumption; GET /_mfano/fidelity lists them',
    { 'error-body': 'flat', [OTHERS]: DRAWN },
  )
}

export function withAssumption(libraries: Libraries, source: string, id: string, alternative: string): string {
  const document = libraries.yaml().parseDocument(source)
  document.setIn(['assumptions', id], alternative)
  return document.toString({ lineWidth: 0 })
}

const measuredOf = ({ assumptions }: Service) =>
  z
    .strictObject(
      Object.fromEntries(
        Object.entries(assumptions).map(([id, { question, alternatives }]) => [
          id,
          z
            .strictObject({
              is: z.enum([...alternatives]).describe('the alternative that the service showed'),
              on: z
                .string()
                .regex(/^\d{4}-\d{2}-\d{2}$/)
                .describe('the real day on which it did'),
            })
            .optional()
            .describe(`the answer to: ${question}`),
        ]),
      ),
    )
    .describe('answers of the real service, written by `mfano calibrate`; these choices are measured, not assumed')

/** Building it is slow. */
export const scenarioSchema = madeOnce((service: Service) => {
  const { countries } = service
  return z
    .strictObject({
      $schema: optional(z.string(), 'where editors find this schema; mfano does not read it'),
      name: described(
        z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
        'a name in lower-case letters, digits and hyphens, such as bank-name-mismatch',
        'bank-name-mismatch',
      ),
      description: shortText().describe('one sentence that says what this world is like'),
      extends: optional(
        shortText(200),
        'the scenario that this one changes: a shipped name, a relative path, or none; default when left out',
        'default',
        './base.yaml',
        'none',
      ),
      parameters: parameters.optional(),
      seed: optional(z.int().min(0).max(0xffff_ffff), 'the seed of everything that is random, 0 to 4294967295'),
      timezone: optional(
        z.enum(countries.zones.map(({ name }) => name)),
        'the time zone of conditions, rails, clock.start and times without a zone; that of the assumption timestamp-zone when left out',
        countries.home.zone.name,
      ),
      holidays: optional(
        z.array(z.union([z.enum(countries.codes), dateText()])).max(1000),
        `the days on which rails with hours are closed besides weekends: dates, or countries (${countries.codes.join(', ')}) with their public holidays; those of the payment's country when left out`,
        [countries.home.code, '2025-06-02'],
      ),
      clock: clock().optional(),
      wallets: walletsOf(service).optional(),
      directory: directory().optional(),
      rules: optional(
        z.array(rulesOf(service)),
        'the rules; the first rule that matches decides; those of the extended scenario come after these',
      ),
      callbacks: callbacksOf(service).optional(),
      faults: faults(service).optional(),
      rails: railsOf(service).optional(),
      assumptions: assumptionsOf(service).optional(),
      measured: measuredOf(service).optional(),
    })
    .meta({ title: 'mfano scenario', description: 'a mapping with a name, a description and rules' })
})

export type ScenarioFile = z.infer<ReturnType<typeof scenarioSchema>>

type JsonSchema = z.core.JSONSchema.BaseSchema

export function scenarioJsonSchema(service: Service): Record<string, unknown> {
  const schema = z.toJSONSchema(scenarioSchema(service), {
    io: 'input',
    override: ({ jsonSchema }) => orParameter(jsonSchema),
  })
  return { ...schema, $defs: { parameter: parameterUse } }
}

const NOTES = ['description', 'examples', 'title', 'default'] as const

/** Lets `${name}` replace any value or part of a text, so that editors do not mark it. */
function orParameter(schema: JsonSchema): void {
  const takesAnyText = schema.type === 'string' && schema.pattern === undefined && schema.enum === undefined
  if (schema.type === undefined || schema.type === 'object' || schema.type === 'array' || takesAnyText) return
  const notes = Object.fromEntries(NOTES.filter((note) => note in schema).map((note) => [note, schema[note]]))
  const value = Object.fromEntries(Object.entries(schema).filter(([key]) => !(key in notes)))
  for (const key of Object.keys(schema)) delete schema[key]
  Object.assign(schema, notes, { anyOf: [value, { $ref: '#/$defs/parameter' }] })
}

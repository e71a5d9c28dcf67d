import * as z from 'zod'
import { inSteps } from '../../core/host.ts'
import { DAY_US, parseInZone } from '../../core/model/calendar.ts'
import { didYouMean } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { type InstantUs, isoInstant } from '../../core/model/time.ts'
import { paymentsService } from '../../service/service.ts'
import { controlOperation } from './declared-operation.ts'
import { paymentCounts, paymentCountsShape } from './events.ts'
import { parametersField, scenarioField, seedField, startingInstant, wholeNumber } from './fields.ts'
import { populate } from './make-past.ts'
import { serverLevel, worldSummary, worldSummaryShape } from './worlds.ts'

const PAYMENTS_MAX = 1_000_000
const MONTHS_MAX = 36

const pastWanted = z.strictObject({
  world: z.string().optional().describe("The id of the world that is made; the profile's name when left out."),
  profile: z.string().optional().describe('The kind of business. Default: the first of `profile.list`.'),
  months: wholeNumber(1, MONTHS_MAX).default(6).describe('How many months its past has. Default: 6.'),
  payments: wholeNumber(1, PAYMENTS_MAX).default(2000).describe('How many payments it has. Default: 2000.'),
  seed: seedField.describe('The seed of its chance. Default: 1.'),
  until: startingInstant
    .optional()
    .describe('When the past ends, in the zone of its scenario. Default: last midnight, UTC; the world goes on now.'),
  scenario: scenarioField.describe('The scenario from then on: a shipped name, or a scenario as an object or text.'),
  parameters: parametersField,
})

export const populateOperations = [
  controlOperation('profile.list', 'GET /profiles', {
    summary: 'List businesses whose past can be simulated',
    answer: () => z.object({ profiles: z.array(z.object({ name: z.string(), description: z.string() })) }),
    async run() {
      const profiles = await paymentsService.profiles()
      return { profiles: profiles.map(({ name, description }) => ({ name, description })) }
    },
  }),
  controlOperation('world.populate', 'POST /populate', {
    summary: 'Create a world with months of past payments',
    body: pastWanted,
    answer: () =>
      worldSummaryShape().extend({
        profile: z.string(),
        from: z.string(),
        until: z.string(),
        payments: paymentCountsShape(),
      }),
    status: 201,
    errors: ['WORLD_EXISTS', 'SERVER_LEVEL', 'INVALID_SCENARIO', 'SCENARIO_NOT_FOUND', 'NOT_SUPPORTED'],
    screen: {
      facts: ['id=world:word', 'payments.total=payments', 'from', 'until', 'baseUrl=base URL'],
      parts: { 'payments.byKind': ['Payments', ['kind', 'status:word', 'count=payments']] },
      examples: [
        '',
        'duka --profile shop --payments 20000 --months 12',
        '--profile savings-group --until 2025-12-31T00:00:00 --seed 7 --snapshot year-end',
      ],
    },
    async run({ env, signal, body: given }) {
      serverLevel(env)
      const { worlds, server, populating } = env
      const profile = await profileNamed(given.profile)
      const world = given.world ?? profile.name
      if (server !== worlds)
        throw new Refusal(
          'NOT_SUPPORTED',
          `this host makes no past; populate a world in a process of mfano, and PUT its file to /_mfano/worlds/${world}/file`,
        )
      const { parameters, payments, seed = 1 } = given
      const scenario = typeof given.scenario === 'object' ? JSON.stringify(given.scenario) : given.scenario
      const later = worlds.chosenScenario(scenario, parameters)
      const saidUs = given.until === undefined ? undefined : parseInZone(given.until, later.zone)
      const untilUs = saidUs ?? Math.floor(worlds.host.wallUs() / DAY_US) * DAY_US
      if (populating.has(world))
        throw new Refusal('WORLD_EXISTS', `the past of a world "${world}" is being made already; choose another id`)
      const fromUs = monthsBefore(untilUs, given.months)
      const request = { world, profile, fromUs, untilUs, payments, seed, later, goesOnUs: saidUs }
      populating.add(world)
      try {
        const { core, host } = await populate(worlds, request, signal)
        const counts = await inSteps(host, core.store.payments.countingByStatus())
        return {
          ...(await worldSummary(env, world)),
          profile: profile.name,
          from: isoInstant(fromUs),
          until: isoInstant(untilUs),
          payments: paymentCounts(counts),
        }
      } finally {
        populating.delete(world)
      }
    },
  }),
] as const

function monthsBefore(atUs: InstantUs, months: number): InstantUs {
  const date = new Date(atUs / 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime() * 1000
}

async function profileNamed(name: string | undefined) {
  const profiles = await paymentsService.profiles()
  const found = name === undefined ? profiles[0] : profiles.find((one) => one.name === name)
  if (found) return found
  const known = profiles.map((one) => one.name)
  const given = JSON.stringify(name?.slice(0, 80))
  throw new Refusal(
    'REQ_INVALID_FIELD',
    `profile: must be one of ${known.join(', ')}, got ${given}.${didYouMean(name ?? '', known)}`,
    { fields: [{ field: 'profile', message: `profile must be one of ${known.join(', ')}` }] },
  )
}

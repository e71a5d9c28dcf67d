import * as z from 'zod'
import type { Core } from '../../core/core.ts'
import { inSteps } from '../../core/host.ts'
import { DAY_US, parseInZone } from '../../core/model/calendar.ts'
import { Chance } from '../../core/model/chance.ts'
import { LANE } from '../../core/model/due.ts'
import { moneyIn } from '../../core/model/kind.ts'
import { must } from '../../core/model/must.ts'
import { didYouMean } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { textOf } from '../../core/model/text.ts'
import { type InstantUs, isoInstant } from '../../core/model/time.ts'
import { type Command, perform, takeDue } from '../../core/perform.ts'
import type { Scenario } from '../../core/scenario.ts'
import type { World } from '../../core/world.ts'
import type { Worlds } from '../../core/worlds.ts'
import { brokenOff } from '../../http/read-body.ts'
import type { Act, Profile } from '../../service/parts.ts'
import { paymentsService } from '../../service/service.ts'
import { serverLevel } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { paymentCounts, paymentCountsShape } from './events.ts'
import { parametersField, scenarioField, seedField, startingInstant, wholeNumber } from './fields.ts'
import { openCollectionCommand } from './payments.ts'
import { worldSummary, worldSummaryShape } from './worlds.ts'

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
      const { scenario, parameters, payments, seed = 1 } = given
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

/** Acts and steps per commit, so that other worlds' requests are served in between. */
const BATCH = 500

interface PopulateRequest {
  world: string
  profile: Profile
  fromUs: InstantUs
  untilUs: InstantUs
  /** By default the present, once the past is made. */
  goesOnUs: InstantUs | undefined
  payments: number
  seed: number
  /** In force from then on. */
  later: Scenario
}

/**
 * Payments go through scenario, ledger and lifecycle as usual, but nobody gets callbacks, and the journal has no
 * requests, because there were none. Afterwards the clock runs as in a new world. Made aside, so that nobody sees an
 * incomplete world, and none is left when the process dies or the caller leaves.
 * @param signal aborted when the caller leaves
 */
export async function populate(worlds: Worlds, request: PopulateRequest, signal: AbortSignal): Promise<World> {
  const { fromUs, untilUs, payments, seed, profile, later } = request
  // A request that cannot be met is refused before anything is made.
  worlds.requireNew(request.world)
  try {
    const steps = profile.past({ fromUs, untilUs, payments, chance: new Chance(seed) })
    const past = await inSteps(worlds.host, steps, signal)
    const clock = { mode: 'frozen', startUs: fromUs } as const
    return await worlds.createPopulated({ id: request.world, scenario: past.scenario, seed, clock }, async (world) => {
      await run(world, past.acts, untilUs, signal)
      const { mode, rate } = later.clock
      await world.perform({ command: 'set-scenario', scenario: later.withSeed(seed) })
      await world.perform({ command: 'set-clock', mode, rate, nowUs: request.goesOnUs ?? worlds.host.wallUs() })
    })
  } catch (error) {
    throw signal.aborted ? brokenOff() : error
  }
}

async function run({ core, commit }: World, acts: readonly Act[], untilUs: InstantUs, signal: AbortSignal) {
  let done = 0
  for (let isOver = false; !isOver; ) {
    signal.throwIfAborted()
    await commit.submit(() => {
      for (let left = BATCH; left > 0 && !isOver; ) {
        const act = acts[done]
        const dueUs = core.store.agenda.earliest(LANE.steps)
        if (dueUs <= (act?.atUs ?? untilUs)) {
          core.clock.pause(Math.max(dueUs, core.clock.now()))
          left -= takeDue(core, dueUs, left)
          continue
        }
        left--
        isOver = !act
        if (!act) continue
        done++
        core.clock.pause(act.atUs)
        const outcome = commit.attempt(() => perform(core, opening(core, act)))
        // A refusal, such as one of the scenario, is no failure: it happens to businesses, too.
        if (!outcome.ok && !(outcome.error instanceof Refusal)) throw outcome.error
      }
    })
  }
  core.clock.resume(untilUs)
}

function opening(core: Core, act: Act): Command<'open-payment'> {
  const organisation = core.store.organisations.byId(1)
  if ('way' in act) {
    const collection = must(paymentsService.collections.find(({ way }) => way === act.way))
    return openCollectionCommand(core, collection, organisation, collection.given.parse(act.given))
  }
  const { kind, request } = act
  const referenceId = textOf(request['referenceId'] ?? request['externalReference'])
  const money = moneyIn(paymentsService.kinds.of(kind), request)
  return { command: 'open-payment', organisationId: organisation.id, kind, ...money, request, referenceId }
}

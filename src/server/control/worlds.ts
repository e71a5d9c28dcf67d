import * as z from 'zod'
import { errorOf } from '../../core/model/must.ts'
import { DEFAULT_ORGANISATION } from '../../core/model/payment.ts'
import { hintOf } from '../../core/model/problems.ts'
import { clockModes, isoInstant } from '../../core/model/time.ts'
import { DEFAULT_WORLD, freeName, requireName, type WorldRequest } from '../../core/new-world.ts'
import { worldFileBegins } from '../../core/world-image.ts'
import { readBytes } from '../../http/read-body.ts'
import { type AnswerOf, type Reader, shape, view } from '../../inspect/view.ts'
import { type ControlBindings, file, serverLevel } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import {
  nameField,
  parametersField,
  rateField,
  scenarioField,
  searched,
  seedField,
  startingInstant,
  worldClockShape,
} from './fields.ts'

export const credentialsShape = shape('Credentials', () =>
  z.object({ apiKey: z.string(), apiSecret: z.string(), companyId: z.string() }),
)

type Described = Awaited<ReturnType<ControlBindings['server']['describe']>>

const summary = view('WorldSummary', (read: Reader<Described, { env: ControlBindings; id: string }>) => ({
  id: read(z.string(), (_, { id }) => id),
  baseUrl: read(z.string(), (_, { env, id }) => baseUrlOf(env, id)),
  scenario: z.string(),
  seed: z.number(),
  clock: read(worldClockShape(), ({ clock: { mode, rate }, nowUs }) => {
    return { mode, rate: mode === 'frozen' ? 0 : rate, now: isoInstant(nowUs) }
  }),
  beganAt: read(z.string().describe('When it began, in simulated time.'), ({ beganUs }) => isoInstant(beganUs)),
  payments: z.number(),
  callbacksPaused: z.boolean().describe('It came from a file, and sends no callback before you resume them.'),
}))

export const worldSummaryShape = summary.schema

const madeWorldShape = shape('MadeWorld', () => worldSummaryShape().extend({ credentials: credentialsShape() }))

const madeWorldScreen = {
  facts: [
    'id=world:word',
    'baseUrl=base URL',
    'credentials.apiKey=apiKey',
    'credentials.apiSecret=apiSecret',
    'credentials.companyId=companyId',
    'scenario',
    'seed',
    'clock.now=clock',
    'clock.mode=mode',
  ],
} as const

/** Characters of a name below a world's address: of that world's, and before the number. */
const PARENT_MAX = 24

const BELOW_MAX = 56
const FILE_MAX_BYTES = 1024 ** 3

const newWorld = z
  .strictObject({
    id: nameField,
    from: z.string().min(1).optional().describe('A world or a snapshot to fork: an id, a name, or `world/name`.'),
    scenario: scenarioField.describe('A shipped name, or a scenario as an object or text.'),
    parameters: parametersField,
    record: z.boolean().optional().describe('Notes all that comes from outside, for a capsule.'),
    seed: seedField.describe(
      'Ids, odds and delays follow from it. Default: ids from the world, the rest by the scenario.',
    ),
    assumptions: z
      .literal('drawn', 'must be drawn; a scenario chooses alternatives')
      .optional()
      .describe('The seed decides what the scenario does not.'),
    clock: z
      .strictObject({
        mode: z.enum(clockModes).optional().describe('`frozen` moves only when told; `scaled` goes by `rate`.'),
        rate: rateField,
        start: startingInstant
          .optional()
          .describe('When it begins, in the time zone of the scenario unless it has its own.'),
      })
      .optional()
      .describe('How its time begins and goes; by default as the scenario says.'),
  })
  .superRefine(({ from, seed, assumptions, clock }, { addIssue }) => {
    if (from === undefined) return
    const refuse = (value: unknown, path: string[], why: string) => {
      if (value !== undefined)
        addIssue({ code: 'custom', path, message: `must be left out beside from: a fork ${why}` })
    }
    refuse(seed, ['seed'], 'keeps the seed, and with it the outcomes, of what it goes on from')
    refuse(assumptions, ['assumptions'], 'goes on in the world that it is made from')
    refuse(clock?.start, ['clock', 'start'], 'goes on at the time of what it goes on from; advance its clock then')
  })

/**
 * Strict, because a caller that sends a scenario or a seed with a reset means another operation and would lose the
 * world.
 */
const nothing = z.strictObject({})

export const worldOperations = [
  controlOperation('world.list', 'GET /worlds', {
    summary: 'List worlds of this server',
    description: 'Each has its scenario and clock. Below the address of a world, those that were made there.',
    agent: { tool: 'list_worlds' },
    query: z.strictObject({ search: searched('Part of the name of a world or of its scenario, in any case.') }),
    answer: () => z.object({ worlds: z.array(listedWorldShape()) }),
    list: {
      rows: 'worlds',
      columns: [
        'id=world:word',
        'baseUrl=base url',
        'scenario',
        'seed',
        'clock.mode=clock',
        'clock.now',
        'payments',
        'problem',
      ],
    },
    screen: { examples: ['', "--json | jq -r '.worlds[].id'"] },
    async run({ env, query: { search: texts = [''] } }) {
      const { serverLevel: isAll, server, id: parent } = env
      const ids = isAll ? await server.ids() : await server.below(parent)
      const worlds = await Promise.all(ids.map((id) => listed(env, id)))
      const isFound = ({ id, scenario }: ListedWorld) =>
        texts.some((text) => `${id} ${scenario}`.toLowerCase().includes(text.toLowerCase()))
      return { worlds: worlds.filter(isFound) }
    },
  }),
  controlOperation('world.create', 'POST /worlds', {
    summary: 'Create or fork a world',
    description:
      '`from` forks one. The answer has its base URL and credentials. Below a world, `id` begins a free name. The new one has its scenario, and goes with it.',
    agent: { tool: 'make_world' },
    body: newWorld,
    answer: madeWorldShape,
    status: 201,
    errors: [
      'INVALID_SCENARIO',
      'WORLD_EXISTS',
      'SOURCE_NOT_FOUND',
      'SCENARIO_NOT_FOUND',
      'AMBIGUOUS_NAME',
      'WORLD_TOO_LARGE',
      'NOT_SUPPORTED',
      'SNAPSHOTS_FULL',
    ],
    screen: { ...madeWorldScreen, words: ['id'] },
    async run({ env, body }) {
      const { server, serverLevel: isAtRoot } = env
      const { from, clock, ...given } = body
      const request: WorldRequest = {
        ...given,
        clock: clock && { mode: clock.mode, rate: clock.rate, startUs: clock.start },
      }
      const make = (one: WorldRequest) => (from === undefined ? server.create(one) : server.fork({ ...one, from }))
      const { id } = isAtRoot
        ? await make(request)
        : await makeBelow(env, request, { make, isFork: from !== undefined })
      return presentMade(env, id)
    },
  }),
  controlOperation('world.delete', 'DELETE /worlds/:id', {
    summary: 'Delete a world and everything in it',
    description: 'Worlds that were made below its address go with it. Below a world, only those can go.',
    params: { id: 'A world.' },
    answer: () => z.object({ removed: z.string() }),
    errors: ['SERVER_LEVEL', 'INVALID_FIELD', 'WORLD_NEEDED'],
    screen: { says: ({ removed }) => `World ${removed} is deleted.`, examples: ['shop'] },
    async run({ env, params }) {
      const { serverLevel: isAtRoot, server, id: parent, keepsBelow } = env
      const { id } = params
      if (!isAtRoot) {
        if (!(await server.below(parent)).includes(id)) serverLevel(env)
        if (keepsBelow) return { removed: id }
      }
      await removeWithBelow(env, id)
      return { removed: id }
    },
  }),
  controlOperation('world.download', 'GET /worlds/:id/file', {
    summary: 'Download a world as a file',
    params: { id: 'A world.' },
    answers: { 'application/vnd.mfano.world': 'The world, as one file.' },
    errors: ['SERVER_LEVEL', 'INVALID_FIELD', 'WORLD_TOO_LARGE', 'NOT_SUPPORTED'],
    screen: { examples: ['default', 'shop /tmp/shop.mfano --replace'] },
    async run({ c, env, params: { id } }) {
      serverLevel(env)
      return file(c, id, await env.server.file(id))
    },
  }),
  controlOperation('world.upload', 'PUT /worlds/:id/file', {
    summary: 'Create or replace a world from a file',
    description: 'Its callbacks are paused until you resume them.',
    params: { id: 'A world.' },
    bodies: { 'application/vnd.mfano.world': 'The world, as one file.' },
    answer: madeWorldShape,
    status: [200, 201],
    errors: ['SERVER_LEVEL', 'BAD_WORLD_FILE', 'WORLD_EXISTS', 'NOT_SUPPORTED'],
    screen: {
      ...madeWorldScreen,
      says: ({ id, callbacksPaused }) =>
        callbacksPaused ? hintOf('Its callbacks are paused. Send them: {}', 'callback.resume', { world: id }) : '',
    },
    async run({ c, env, params: { id } }) {
      serverLevel(env)
      const { server } = env
      if (!(await server.has(id))) c.status(201)
      await server.putFile(id, await readBytes(c.req.raw, FILE_MAX_BYTES, worldFileBegins))
      return await presentMade(env, id)
    },
  }),
  controlOperation('world.reset', 'POST /reset', {
    summary: 'Empty this world and keep its scenario',
    body: nothing,
    answer: worldSummaryShape,
    screen: {
      says: ({ id, clock }) => `World ${id} is empty. Its clock shows ${clock.now}.`,
      examples: ['--world shop'],
    },
    async run({ env }) {
      const { id } = env.worlds.reset(env.id)
      return await worldSummary(env, id)
    },
  }),
] as const

/** So that a suite with a world for each test runs in a world that was made for it, beside other runs of itself. */
async function makeBelow(
  env: ControlBindings,
  request: WorldRequest,
  { make, isFork }: { make(request: WorldRequest): Promise<{ id: string }> | { id: string }; isFork: boolean },
): Promise<{ id: string }> {
  const { server, worlds, world, id: parent } = env
  if (request.id !== undefined) requireName('id', request.id)
  const taken = new Set(await server.ids())
  const prefix = `${parent.slice(0, PARENT_MAX)}-${request.id ?? ''}`.slice(0, BELOW_MAX).replace(/-*$/, '-')
  const { name: id } = freeName(prefix, 0, (name) => taken.has(name))
  const made = await make({ ...request, id, ...(!isFork && scenarioBelow(env, request)) })
  await server.putBelow(parent, made.id)
  if (worlds.has(made.id)) worlds.get(made.id).presentation.follow(world.presentation)
  return made
}

/** A scenario of its own keeps what it chooses, and follows the other world in everything else. */
function scenarioBelow(env: ControlBindings, request: WorldRequest): Pick<WorldRequest, 'scenario' | 'parameters'> {
  const { world, worlds } = env
  const { scenario: upper } = world.core
  if (request.scenario === undefined) {
    const { source, parameters } = upper.sendable()
    return { scenario: source, parameters: { ...parameters, ...request.parameters } }
  }
  let own = worlds.chosenScenario(request.scenario, request.parameters)
  for (const [assumption, value] of Object.entries(upper.assumptions))
    if (upper.chosenBy[assumption] === 'scenario' && own.chosenBy[assumption] !== 'scenario')
      own = worlds.library.assuming(own, assumption, value)
  const { source, parameters } = own.sendable()
  return { scenario: source, parameters }
}

async function removeWithBelow(env: ControlBindings, id: string): Promise<void> {
  const { server } = env
  await server.remove(id)
  for (const one of await server.below(id)) await removeWithBelow(env, one)
}

async function presentMade(env: ControlBindings, id: string) {
  const { apiKey, apiSecret, uuid: companyId } = DEFAULT_ORGANISATION
  return { ...(await worldSummary(env, id)), credentials: { apiKey, apiSecret, companyId } }
}

export async function worldSummary(env: ControlBindings, id: string) {
  return summary(await env.server.describe(id), { env, id })
}

/** A world that cannot be read has `problem` instead of the other fields. */
const listedWorldShape = shape(null, () =>
  worldSummaryShape().partial().required({ id: true, baseUrl: true }).extend({ problem: z.string().optional() }),
)

type ListedWorld = AnswerOf<typeof listedWorldShape>

/** An unreadable world, for example of a newer mfano, must not hide the others. */
async function listed(env: ControlBindings, id: string): Promise<ListedWorld> {
  try {
    return await worldSummary(env, id)
  } catch (error) {
    return { id, baseUrl: baseUrlOf(env, id), problem: errorOf(error).message }
  }
}

function baseUrlOf(env: ControlBindings, id: string): string {
  return id === DEFAULT_WORLD ? env.origin : `${env.origin}/w/${id}`
}

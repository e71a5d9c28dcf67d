/** Routes: floats of rails. */
import { Hono } from 'hono'
import * as z from 'zod'
import { didYouMean } from '../../core/model/did-you-mean.ts'
import { toMajor, toMinor } from '../../core/model/money.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { remaining } from '../../core/rail-outcomes.ts'
import type { World } from '../../core/world.ts'
import { amount } from '../../service/fields.ts'
import { about } from './about.ts'
import { asks, type ControlEnv, json, takes } from './control-context.ts'
import { asCsv, csv, plainList } from './csv-answer.ts'

const topUp = z.strictObject({
  /** As the scenario names it; may be left out where there is only one. */
  name: z.string().optional(),
  amount: amount('assumed', 'What the float gets.'),
})

/** What is left of the floats of the scenario's rails, and top-ups of them. */
export function floatRoutes() {
  return new Hono<ControlEnv>()
    .get(
      '/_mfano/floats',
      about('What the floats of rails have left, and what waits for them', { answers: asCsv }),
      csv('floats'),
      asks(plainList),
      (c) => json(c, { floats: floats(c.env.world) }),
    )

    .post(
      '/_mfano/floats/fund',
      about('Put money into the float of a rail', { errors: ['404 NOT_FOUND'] }),
      takes(topUp),
      async (c) => {
        const given = c.req.valid('json')
        const { world } = c.env
        const { name, currency } = floatOf(world, given.name)
        await world.perform({ command: 'fund-float', name, currency, amountMinor: toMinor(given.amount) as number })
        return json(c, floats(world).find((float) => float.name === name) as Float, 201)
      },
    )
}

type Float = ReturnType<typeof floats>[number]

function floats({ core }: World) {
  return core.scenario.rails.float.map((float) => ({
    name: float.name,
    on: float.on,
    currency: float.currency,
    amount: toMajor(float.amountMinor),
    remaining: toMajor(remaining(core, float)),
    waiting: waiting(core.store.floatQueue.totals(float.name, float.currency)),
  }))
}

/** Payouts that are held until there is enough. */
function waiting({ payments, amountMinor }: { payments: number; amountMinor: number }) {
  return { payments, amount: toMajor(amountMinor) }
}

function floatOf({ core }: World, name: string | undefined) {
  const all = core.scenario.rails.float
  const found = name === undefined && all.length === 1 ? all[0] : all.find((float) => float.name === name)
  if (found) return found
  const known = all.map((float) => float.name)
  const list =
    known.length > 0 ? `there are ${known.join(', ')}.${didYouMean(name ?? '', known)}` : 'the scenario has none.'
  throw new Refusal('NOT_FOUND', `name: there is no float ${JSON.stringify(name ?? '')}; ${list}`, {
    status: 404,
    message: 'Not found',
  })
}

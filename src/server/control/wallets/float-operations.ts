/** Operations on the floats of rails. */

import * as z from 'zod'
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { toMajor, toMinor } from '../../../core/model/money.ts'
import { must } from '../../../core/model/must.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { remaining } from '../../../core/rail-outcomes.ts'
import type { World } from '../../../core/world.ts'
import { amount } from '../../../service/fields.ts'
import { type AnswerOf, controlOperation, type JsonShown } from '../declared-operation.ts'
import { floatStateShape } from './wallet-answers.ts'

const topUp = z.strictObject({
  name: z.string().optional().describe('As the scenario names it; may be left out where there is only one.'),
  amount: amount('assumed', 'What the float gets.'),
})

const listFloats = controlOperation('float.list', {
  method: 'GET',
  path: '/floats',
  summary: 'List floats of rails with waiting payments',
  answer: () => z.object({ floats: z.array(floatStateShape()) }),
  list: {
    name: 'floats',
    columns: ['name', 'on', 'currency', 'amount', 'remaining', 'waiting.payments', 'waiting.amount'],
    rows: ({ floats }) => floats,
  },
  run: (c) => ({ floats: floats(c.env.world) }),
})

const fundFloat = controlOperation('float.fund', {
  method: 'POST',
  path: '/floats/fund',
  summary: 'Add money to the float of a rail',
  body: topUp,
  answer: floatStateShape,
  status: 201,
  errors: ['NOT_FOUND'],
  async run(c, { body: given }) {
    const { world } = c.env
    const { name, currency } = floatOf(world, given.name)
    await world.perform({ command: 'fund-float', name, currency, amountMinor: must(toMinor(given.amount)) })
    return must(floats(world).find((float) => float.name === name))
  },
})

type Float = JsonShown<AnswerOf<typeof floatStateShape>>

function floats({ core }: World): Float[] {
  return core.scenario.rails.float.map((float) => ({
    name: float.name,
    on: float.on,
    currency: float.currency,
    amount: toMajor(float.amountMinor),
    remaining: toMajor(remaining(core, float)),
    waiting: waiting(core.store.floatQueue.totals(float.name, float.currency)),
  }))
}

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
  throw new Refusal('NOT_FOUND', `name: there is no float ${JSON.stringify(name ?? '')}; ${list}`)
}

export const floatOperations = [listFloats, fundFloat] as const

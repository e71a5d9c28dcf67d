import type { Hono } from 'hono'
import { z } from 'zod'
import { legalEvents } from '../lifecycle/lifecycle.ts'
import { type JsonObject, paymentKinds } from '../model/payment.ts'
import { Refusal } from '../model/refusal.ts'
import { explainTrace } from '../scenarios/trace.ts'
import type { World } from '../world/world.ts'
import { type ControlEnv, input, json, organisationOf, query } from './kit.ts'
import { callbackDetail, paymentSummary, planOf, record, timeline, transfersOf } from './present.ts'

const list = z.strictObject({
  kind: z.enum(paymentKinds, `must be one of ${paymentKinds.join(', ')}`).optional(),
  status: z.string().optional(),
  organisationId: z.string().optional(),
  referenceId: z.string().optional(),
  /** Part of a uuid or of a request's text, or a whole reference. */
  search: z.string().min(1).max(200).optional(),
  limit: z.coerce
    .number()
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1000, 'must be at most 1000')
    .default(100),
  /** `next` of the page before. */
  before: z.coerce.number().int('must be a whole number').optional(),
})

const resolution = z.strictObject({ status: z.string().min(1), with: z.record(z.string(), z.json()).optional() })

/** What became of payments, and why; and making them end. */
export function paymentRoutes(app: Hono<ControlEnv>): void {
  app.get('/_mfano/payments', (c) => {
    const { kind, status, organisationId, referenceId, search, limit, before } = query(c, list)
    const { core } = c.env.world
    const filter = {
      ...(kind && { kinds: [kind] }),
      ...(status && { status }),
      ...(organisationId && { organisationIds: [organisationOf(c.env.world, organisationId).id] }),
      ...(referenceId && { referenceId }),
      ...(search && { search }),
    }
    const page = core.store.payments.page(filter, {
      limit,
      newestFirst: true,
      ...(before !== undefined && { afterSeq: before }),
    })
    return json(c, {
      total: core.store.payments.count(filter),
      next: page.length === limit ? (page.at(-1)?.seq ?? null) : null,
      payments: page.map((payment) => paymentSummary(core, payment)),
    })
  })

  app.get('/_mfano/payments/:uuid', (c) => json(c, detail(c.env.world, c.req.param('uuid'))))

  app.post('/_mfano/payments/:uuid/resolve', async (c) => {
    const { status, with: extra } = await input(c, resolution)
    const uuid = c.req.param('uuid').toLowerCase()
    await c.env.world.perform({ command: 'resolve-payment', uuid, status, ...(extra && { with: extra as JsonObject }) })
    return json(c, detail(c.env.world, uuid))
  })
}

function detail(world: World, uuid: string) {
  const { core } = world
  const payment = core.store.payments.byUuid(uuid.toLowerCase())
  if (!payment) {
    throw new Refusal('NOT_FOUND', `no payment has the uuid "${uuid.slice(0, 80)}"; GET /_mfano/payments lists them`, {
      status: 404,
      message: 'Not found',
    })
  }
  return {
    ...paymentSummary(core, payment),
    record: record(core, payment),
    request: payment.request,
    plan: planOf(payment),
    trace: explainTrace(core.scenario, payment.kind, payment.plan.trace),
    timeline: timeline(core, payment),
    possible: legalEvents(payment.kind, payment.status),
    transfers: transfersOf(core, payment),
    callbacks: core.store.callbacks.ofPayment(payment.seq).map((callback) => callbackDetail(core, callback)),
  }
}

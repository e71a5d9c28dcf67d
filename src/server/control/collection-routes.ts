/** Customers who pay in: what no call of the service starts, so that its look-ups have something to show. */
import { Hono } from 'hono'
import * as z from 'zod'
import type { Command } from '../../core/commands.ts'
import type { Core } from '../../core/core.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { validate } from '../../http/validate.ts'
import { paymentSummary } from '../../inspect/present.ts'
import type { ServedService } from '../../service/parts.ts'
import { about } from './about.ts'
import { type ControlEnv, json, organisationOf, takes } from './control-context.ts'

/** `POST /_mfano/collections/{way}`, for every way in which customers of the service pay by themselves. */
export function collectionRoutes(service: ServedService) {
  return new Hono<ControlEnv>().post(
    '/_mfano/collections/:way',
    about('A customer pays in', {
      path: { way: 'How: stk, tz or bank.' },
      errors: ['404 NOT_FOUND', '403 PAYMENT_LIMIT_EXCEEDED'],
      otherErrors: 'What a rule of the scenario refuses with.',
      takes: z.union(service.collections.map(({ given }) => given)),
    }),
    takes(z.looseObject({})),
    async (c) => {
      const { world } = c.env
      const way = c.req.param('way')
      const collection = service.collections.find((one) => one.way === way)
      if (!collection)
        throw new Refusal(
          'NOT_FOUND',
          `no customer pays by ${JSON.stringify(way)}; possible: ${service.collections.map((one) => one.way).join(', ')}`,
          { status: 404, message: 'Not found' },
        )
      const given = validate(collection.given, c.req.valid('json'))
      const organisation = organisationOf(world, given['organisationId'] as string | undefined)
      const { payment } = await world.perform(collectionCommand(world.core, collection, organisation, given))
      return json(c, paymentSummary(world.core, payment), 201)
    },
  )
}

/** What a customer's payment asks of a world. */
export function collectionCommand(
  core: Core,
  collection: ServedService['collections'][number],
  organisation: Organisation,
  given: unknown,
): Command<'open-payment'> {
  return {
    command: 'open-payment',
    by: 'operator',
    kind: collection.kind,
    organisationId: organisation.id,
    ...collection.asked(core, given, organisation),
  }
}

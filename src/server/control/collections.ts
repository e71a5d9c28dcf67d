/** Customers who pay in: what no call of the service starts, so that its look-ups have something to show. */
import { Hono } from 'hono'
import type { HttpService } from '../../http/service.ts'
import { type ControlEnv, json, organisationOf, takes } from './kit.ts'
import { paymentSummary } from './present.ts'

/** A route for every way in which customers of the service pay by themselves. */
export function collectionRoutes({ collections }: HttpService) {
  const routes = new Hono<ControlEnv>()
  for (const { way, kind, given: schema, asked } of collections)
    routes.post(`/_mfano/collections/${way}`, takes(schema), async (c) => {
      const { world } = c.env
      const given = c.req.valid('json')
      const organisation = organisationOf(world, given.organisationId)
      const { payment } = await world.perform({
        command: 'open-payment',
        by: 'operator',
        kind,
        organisationId: organisation.id,
        ...asked(world.core, given, organisation),
      })
      return json(c, paymentSummary(world.core, payment), 201)
    })
  return routes
}

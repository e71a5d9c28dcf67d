import type { Hono } from 'hono'
import { controlOperations } from '../control-operations.ts'
import { controlBase, tellZone } from './control-base.ts'
import type { ControlEnv } from './control-context.ts'
import { asRequest } from './placed.ts'
import { addRoutes } from './route.ts'

export function controlApp(): Hono<ControlEnv> {
  const app = controlBase(asRequest(controlOperations))
  app.use(tellZone)
  addRoutes(app, controlOperations)
  return app
}

/** The control plane, put together from its operations. */
import type { Hono } from 'hono'
import type { ServedService } from '../../service/parts.ts'
import { controlOperations } from '../control-operations.ts'
import { controlBase, tellZone } from './control-base.ts'
import type { ControlEnv } from './control-context.ts'
import { asRequest } from './placed.ts'
import { addRoutes } from './route.ts'

/** The operator's door: everything under `{base_url}/_mfano`. */
export function controlApp(service: ServedService): Hono<ControlEnv> {
  const app = controlBase(asRequest(controlOperations))
  app.use(tellZone)
  addRoutes(app, controlOperations, service)
  return app
}

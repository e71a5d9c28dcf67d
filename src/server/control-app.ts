/** The control plane, put together from its operations. */
import type { Hono } from 'hono'
import type { ServedService } from '../service/parts.ts'
import { controlBase, tellZone } from './control/control-base.ts'
import type { ControlEnv } from './control/control-context.ts'
import { addRoutes } from './control/route.ts'
import { controlOperations } from './control-operations.ts'

export type { ControlEnv } from './control/control-context.ts'

/** The operator's door: everything under `{base_url}/_mfano`. */
export function controlApp(service: ServedService): Hono<ControlEnv> {
  const app = controlBase()
  app.use(tellZone)
  addRoutes(app, controlOperations, service)
  return app
}

import type { Hono } from 'hono'
import { readBody } from '../api/body.ts'
import { Refusal } from '../model/refusal.ts'
import { type ControlEnv, json } from './kit.ts'
import { inboxMessage } from './present.ts'

const NAME = /^[\w.-]{1,64}$/
/** Headers that the machinery adds say nothing about the callback. */
const DULL = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept',
  'accept-encoding',
  'authorization',
  'cookie',
])

/** A ready-made receiver for callbacks: it takes whatever is posted to it, and shows it. */
export function inboxRoutes(app: Hono<ControlEnv>): void {
  app.get('/_mfano/inbox', (c) => json(c, { inboxes: c.env.world.core.store.inbox.names() }))

  app.post('/_mfano/inbox/:name', async (c) => {
    const name = checked(c.req.param('name'))
    const body = await readBody(c.req.raw)
    const headers = Object.fromEntries([...c.req.raw.headers].filter(([header]) => !DULL.has(header)))
    const message = await c.env.world.perform({ command: 'receive-in-inbox', name, headers, body })
    return json(c, { received: message.id })
  })

  app.get('/_mfano/inbox/:name', (c) =>
    json(c, {
      messages: c.env.world.core.store.inbox.list(checked(c.req.param('name'))).map(inboxMessage),
    }),
  )

  app.delete('/_mfano/inbox/:name', async (c) => {
    const name = checked(c.req.param('name'))
    await c.env.world.commit.submit(() => c.env.world.core.store.inbox.clear(name))
    return json(c, { cleared: name })
  })
}

function checked(name: string): string {
  if (NAME.test(name)) return name
  throw new Refusal(
    'INVALID_FIELD',
    `name: must be 1 to 64 letters, digits, dots, hyphens or underscores, got "${name.slice(0, 80)}"`,
    { message: 'Invalid field' },
  )
}

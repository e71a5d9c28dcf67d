/** The route as one would write it who keeps nothing: the same server, framework, schema and answer. */
import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { sendMoneyRequest } from '../../src/service/kinds/send-money.ts'

const app = new Hono()
app.post('/api/sandbox/v1/send-money', async (c) => {
  const request = sendMoneyRequest.safeParse(await c.req.json())
  if (!request.success) return c.json({ status: 400, message: 'Bad request', data: request.error.issues }, 400)
  const { amount, phoneNumber } = request.data
  return c.json(
    { status: 201, message: 'Success', data: { requestId: randomUUID(), amount, phoneNumber, status: 'PENDING' } },
    201,
  )
})
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(JSON.stringify({ port })))

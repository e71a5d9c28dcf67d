import { ServiceCaller } from '../../../client/service-client.ts'
import { world, worldUrl } from '../api/client.ts'

/** Cached while the page is open, because each new pair stays valid. */
const keys = new Map<string, Promise<{ apiKey: string; apiSecret: string }>>()

function keysOf(uuid: string): Promise<{ apiKey: string; apiSecret: string }> {
  const known = keys.get(uuid)
  if (known) return known
  const made = world('POST', '/organisations/:uuid/credentials', { path: { uuid }, body: {} })
  keys.set(uuid, made)
  made.catch(() => keys.delete(uuid))
  return made
}

export async function merchantOf(uuid: string) {
  const pair = await keysOf(uuid)
  const caller = new ServiceCaller(worldUrl)
  await caller.login(pair)
  return async (operation: string, body: object, outcome: string) => {
    const sent = { body, ...(outcome !== '' && { headers: { 'mfano-outcome': encodeURI(outcome) } }) }
    const [method = '', path = ''] = operation.split(' ')
    let answer = await caller.request(method, path, sent)
    if (answer.status === 401) {
      await caller.login(pair)
      answer = await caller.request(method, path, sent)
    }
    const { status, requestId } = answer
    return { status, body: answer.body, requestId, payment: await paymentOf(requestId) }
  }
}

async function paymentOf(requestId: string | undefined): Promise<string | null> {
  if (requestId === undefined) return null
  const { requests } = await world('GET', '/requests', { query: { requestId } })
  return requests[0]?.payment ?? null
}

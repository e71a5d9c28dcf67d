/** Operation that reports whether mfano is ready. */
import { isoInstant } from '../../../core/model/time.ts'
import { controlOperation } from '../declared-operation.ts'
import { readHealthAnswer } from './server-answers.ts'

const readHealth = controlOperation('health.show', {
  method: 'GET',
  path: '/health',
  summary: 'Check whether mfano is ready',
  answer: readHealthAnswer,
  status: [200, 503],
  async run(c) {
    const { world, server, version, adminToken } = c.env
    // A read proves that the world's database answers; a cheap one, because containers ask every few seconds.
    const schemaVersion = world.core.store.meta.get<number>('schema_version')
    const failing = await world.health()
    if (failing.length > 0) c.status(503)
    return {
      status: failing.length === 0 ? 'ok' : 'degraded',
      // Anybody may ask; where there is a token, paths and the like are for those who have it: in the log.
      failing: failing.map(({ part, sinceUs, why }) => ({
        part,
        since: new Date(sinceUs / 1000).toISOString(),
        why: adminToken === undefined ? why : 'the log of mfano says why',
      })),
      version,
      world: world.id,
      worlds: await server.count,
      scenario: world.core.scenario.name,
      now: isoInstant(world.core.clock.now()),
      guarded: adminToken !== undefined,
      schemaVersion,
      inbox: world.core.store.inbox.kept,
    }
  },
})

export const healthOperations = [readHealth] as const

import * as z from 'zod'
import { Refusal } from '../../core/model/refusal.ts'
import { isoInstant } from '../../core/model/time.ts'
import { shape } from '../../inspect/view.ts'
import { serverLevel } from './control-context.ts'
import { controlOperation, internalOperation } from './declared-operation.ts'
import { inForm, openApiForms } from './openapi-30.ts'
import { pathsOf } from './route.ts'

const readHealthAnswer = shape('ReadHealthAnswer', () =>
  z.object({
    status: z.string(),
    failing: z.array(
      z.object({ part: z.enum(['callbacks', 'commits', 'descriptors', 'time']), since: z.string(), why: z.string() }),
    ),
    version: z.string(),
    world: z.string(),
    worlds: z.number(),
    scenario: z.string(),
    now: z.string(),
    guarded: z.boolean(),
    schemaVersion: z.number().optional(),
    inbox: z
      .object({
        inboxes: z.number(),
        messages: z.number(),
        bytes: z.number(),
        bytesMax: z.number(),
        givenWay: z.number(),
      })
      .describe('Size of its inboxes in all, and how many messages were removed because there was too much.'),
  }),
)

export const readHealth = controlOperation('health.show', 'GET /health', {
  summary: 'Check whether mfano is ready',
  answer: readHealthAnswer,
  status: [200, 503],
  async run({ c, env, world }) {
    const { server, version, adminToken } = env
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

const answering = <Verb extends string, M extends 'GET' | 'POST' | 'DELETE'>(verb: Verb, method: M) =>
  internalOperation(`agent.${verb}`, `${method} /mcp`, {
    run({ c, env: { answerAgent, serverLevel, origin } }) {
      if (answerAgent && serverLevel) return answerAgent(c.req.raw)
      const details = answerAgent
        ? `agents are answered at ${origin}/_mfano/mcp; their tools name the world`
        : 'this mfano was started by a test and offers agents nothing; "mfano start" does'
      throw new Refusal('NOT_FOUND', details)
    },
  })

export const serverOperations = [
  controlOperation('operation.list', 'GET /', {
    summary: 'List the operations of the control plane',
    answer: () =>
      z.object({
        world: z.string(),
        docs: z.string(),
        contract: z.string(),
        controlContract: z.string().describe('Address of the contract of the control plane.'),
        operations: z.array(z.string()),
      }),
    answers: { 'text/html': 'The dashboard, for a browser.' },
    run: ({ env: { id, baseUrl }, operations }) => ({
      world: id,
      docs: `${baseUrl}/docs`,
      contract: `${baseUrl}/openapi.json`,
      controlContract: `${baseUrl}/_mfano/openapi.json`,
      operations: operations.flatMap((one) => pathsOf(one).map((path) => `${one.method} ${path}`)),
    }),
  }),
  controlOperation('contract.show', 'GET /openapi.json', {
    summary: 'Get the OpenAPI contract of the control plane',
    query: z.strictObject({
      as: z.enum(openApiForms).default('3.1').describe('The version of OpenAPI. 3.0 is for tools that read no other.'),
    }),
    answer: () => z.record(z.string(), z.unknown()),
    async run({ env: { baseUrl, version }, operations, query }) {
      // Loaded when it is asked for, so that a start need not wait for it.
      const { controlContract } = await import('./control-contract.ts')
      return { ...inForm(controlContract(operations, { baseUrl, version }), query.as) }
    },
  }),
  readHealth,
  controlOperation('authority.show', 'GET /ca.pem', {
    summary: 'Get the certificate of the authority for HTTPS',
    description: 'Needs no admin token: it is no secret.',
    answers: { 'application/x-x509-ca-cert': 'One certificate, as PEM.' },
    errors: ['NO_TLS'],
    run({ c, env: { authority } }) {
      if (authority === undefined)
        throw new Refusal(
          'NO_TLS',
          'this mfano has no authority of its own: it was started without --tls (MFANO_TLS), or its platform speaks TLS for it',
        )
      // Under this type phones offer to install it.
      return c.body(authority, 200, {
        'content-type': 'application/x-x509-ca-cert',
        'content-disposition': 'attachment; filename="mfano-ca.pem"',
      })
    },
  }),
  controlOperation('merchant.schema', 'GET /merchant.schema.json', {
    summary: 'Get the JSON Schema of merchant files',
    answers: { 'application/schema+json': 'JSON Schema.' },
    errors: ['NOT_SUPPORTED'],
    async run({ c, env }) {
      // From the documentation, because the judges' reader, which it is printed of, is above the server.
      const found = await env.docs?.find('merchant.schema.json')
      if (!found)
        throw new Refusal('NOT_SUPPORTED', 'this host has no files; it is scenarios/merchant.schema.json of mfano')
      return c.body(found.bytes, 200, { 'content-type': 'application/schema+json' })
    },
  }),
  controlOperation('metrics.show', 'GET /metrics', {
    summary: 'Read metrics of this process for Prometheus',
    answers: { 'text/plain': 'Requests, steps, callbacks, commits, worlds and the process, in the text format.' },
    errors: ['SERVER_LEVEL', 'NOT_SUPPORTED'],
    async run({ c, env }) {
      serverLevel(env, 'metrics are those of the whole process: GET', 'metrics')
      const { metrics } = env
      if (!metrics)
        throw new Refusal('NOT_SUPPORTED', 'this host counts nothing: its platform has figures of its own', {
          message: 'Not supported',
        })
      const { contentType, text } = await metrics()
      return c.body(text, 200, { 'content-type': contentType })
    },
  }),
  answering('listen', 'GET'),
  answering('tell', 'POST'),
  answering('leave', 'DELETE'),
] as const

/** Drafts a merchant file from a running app. */
import { basename } from 'node:path'
import { stringify } from 'yaml'
import { isLoopback } from '../core/model/attempt.ts'
import { errorOf } from '../core/model/must.ts'
import { type AppRoute, recordedRoutes, routesOf } from './draft/app-routes.ts'
import { listeningCommand } from './draft/listening-command.ts'
import { Unusable } from './subject.ts'
import { maskedBy, readTrafficFile, secretsIn } from './traffic/traffic-file.ts'

export interface MerchantDraft {
  name: string
  command: string
  /** Undefined if the app has no such path. */
  ready: string
  books: string
  tick: string | undefined
  reset: string | undefined
  acts: readonly AppRoute[]
  /** Routes that could not become acts, such as `POST /payouts/{id}/cancel`. */
  leftOut: readonly string[]
  /** Address of the app's OpenAPI document. */
  contract: string | undefined
}

const READY = /^\/(?:health\w*|ready\w*|livez?|status|ping)$/i
const BOOKS = /(?:books|ledger)$/i
const PAYMENTS = /(?:payments|payouts|salaries|transactions|transfers|orders)$/i
const TICK = /(?:tick|cron|run-jobs|jobs\/run)$/i
const RESET = /reset$/i
/** Routes that the service calls, not a person. */
const CALLED_BACK = /callback|webhook|hook|notif/i

/**
 * `folder`: where the merchant file will be. `har`: traffic of the app, whose requests become the acts. Throws
 * `Unusable` if nothing answers, or the traffic cannot be read.
 */
export async function draftMerchant(url: string, folder: string, har?: string): Promise<MerchantDraft> {
  const recorded = har === undefined ? undefined : readTrafficFile(har)
  const baseUrl = url.replace(/\/+$/, '')
  const { contract, routes: declared } = await routesOf(baseUrl).catch((error: Error) => {
    const { message } = error.cause === undefined ? error : errorOf(error.cause)
    throw new Unusable(`Nobody answers at ${baseUrl}: ${message}`, {
      code: 'APP_UNREACHABLE',
      hint: 'Start your app, and name its address: mfano gauntlet --init http://localhost:3000',
    })
  })
  const secrets = recorded && secretsIn(recorded)
  const sent =
    secrets &&
    recordedRoutes(
      recorded.map((one) => maskedBy(secrets, one)),
      new URL(baseUrl).host,
    )
  const routes = sent ? [...sent, ...declared.filter(({ method }) => method === 'get')] : declared
  const found = (method: string, pattern: RegExp) =>
    routes.find((route) => route.method === method && pattern.test(route.path) && !/[{:]/.test(route.path))?.path
  const tick = found('post', TICK)
  const reset = found('post', RESET)
  const writing = routes.filter(({ method, path }) => method !== 'get' && ![tick, reset].includes(path))
  const acts = writing.filter(
    ({ method, path }) =>
      method !== 'delete' && !/[{:]|\/(?:\d+|[\da-f-]{36})(?:\/|$)/.test(path) && !CALLED_BACK.test(path),
  )
  return {
    name: basename(folder),
    command: startCommand(baseUrl, folder) ?? 'npm start',
    ready: found('get', READY) ?? '/',
    books: found('get', BOOKS) ?? found('get', PAYMENTS) ?? '/books',
    tick,
    reset,
    acts,
    leftOut: writing
      .filter((route) => !acts.includes(route))
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`),
    contract,
  }
}

/** A program elsewhere was not started on this machine. */
function startCommand(baseUrl: string, folder: string): string | undefined {
  const { hostname, port, protocol } = new URL(baseUrl)
  if (!isLoopback(hostname)) return undefined
  return listeningCommand(Number(port || (protocol === 'https:' ? 443 : 80)), folder)
}

/** Comments mark what a person should check. `schema` is the address of the JSON Schema. */
export function draftText(draft: MerchantDraft, schema: string): string {
  const { name, command, ready, books, tick, reset, acts, leftOut } = draft
  const requests =
    acts.length > 0 ? acts : [{ method: 'post', path: '/pay', body: { amount: 1000, reference: 'pay-{n}' } }]
  const file = {
    name,
    app: {
      command,
      env: {
        PORT: '{port}',
        DATA: '{dir}',
        PAYMENTS_BASE_URL: '{baseUrl}',
        PAYMENTS_KEY: '{apiKey}',
        PAYMENTS_SECRET: '{apiSecret}',
        PAYMENTS_COMPANY: '{companyId}',
      },
      ready: { get: ready },
    },
    acts: Object.fromEntries(requests.map((route) => [actName(route, requests), requestTo(route)])),
    ...(tick !== undefined && { tick: { post: tick, body: { now: '{now}' } } }),
    ...(reset !== undefined && { reset: { post: reset } }),
    books: { get: books },
  }
  const notes = [
    `# yaml-language-server: $schema=${schema}`,
    '# Drafted by mfano gauntlet --init. Check the command, the names of the variables in env, and the bodies of the acts.',
    ...(acts.length === 0 ? ['# No route was found that people use: write acts of your own in the place of pay.'] : []),
    ...(tick === undefined ? ['# Without tick or clock: follow, the periodic work of the app is not judged.'] : []),
    ...(leftOut.length > 0 ? ['# Left out, because they need an id or are called by the service:'] : []),
    ...leftOut.map((route) => `#   ${route}`),
  ]
  return `${notes.join('\n')}\n${stringify(file, { lineWidth: 0 })}`
}

function requestTo({ method, path, body }: AppRoute): object {
  return { [method]: path, ...(body !== undefined && { body }) }
}

/** The last part of the path, with the method if that name is taken. */
function actName(route: AppRoute, all: readonly AppRoute[]): string {
  const word = ({ path }: AppRoute) => path.split('/').filter(Boolean).at(-1)?.replaceAll(/\W+/g, '-') || 'act'
  const alike = all.filter((other) => word(other) === word(route))
  if (alike.length === 1) return word(route)
  return `${route.method}${route.path.replaceAll(/\W+/g, '-')}`
}

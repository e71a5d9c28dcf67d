import type { ServiceOperation } from '../../core/model/kind.ts'
import { isRecord } from '../../core/model/must.ts'
import { paymentsService } from '../../service/service.ts'
import { type HarRecord, operationOf } from '../traffic/read-traffic.ts'
import { numberIn, parsed } from '../values/differences.ts'

/** Specified life of an access token. */
const TOKEN_LIFE_MS = 300_000
const LOGIN = 'getToken'
const LOGINS = [LOGIN, 'refreshToken']

export interface AskedRequest {
  recorded: HarRecord
  operation: ServiceOperation | undefined
}

/** Accepted keys and values that were asked for are known of all exchanges together. */
export class SortedTraffic {
  readonly asked: AskedRequest[]
  /** For each exchange that is not asked again, the reason. */
  readonly leftOut: readonly string[]
  /** Statuses in which a payment is over. */
  readonly ends = new Set([...paymentsService.kinds].flatMap(({ ends }) => ends))
  readonly #goodPairs: ReadonlySet<string>
  readonly #sent: ReadonlySet<string>

  constructor(all: readonly HarRecord[]) {
    const own = all.filter(({ path }) => !path.includes('/_mfano'))
    const sorted = own.map((recorded) => ({ recorded, operation: operationOf(recorded) }))
    const hosts = new Set(sorted.flatMap(({ recorded, operation }) => (operation ? recorded.host : [])))
    const whys = sorted.map(({ recorded }) => whyLeftOut(recorded, hosts))
    this.leftOut = whys.filter((why) => why !== undefined)
    this.asked = sorted.filter((_, at) => whys[at] === undefined)
    const logins = this.asked.filter(({ operation, recorded }) => operation?.id === LOGIN && recorded.status < 300)
    this.#goodPairs = new Set(logins.map(({ recorded }) => pairOf(parsed(recorded.body))))
    this.#sent = new Set(this.asked.flatMap(({ recorded }) => leavesOf(parsed(recorded.body), '')))
  }

  isLogin(operation: string | undefined): boolean {
    return operation !== undefined && LOGINS.includes(operation)
  }

  /** Whether the recorded service ever accepted this key and secret. */
  isGoodPair(apiKey: unknown, apiSecret: unknown): boolean {
    return this.#goodPairs.has(pairOf({ apiKey, apiSecret }))
  }

  isOld(ageMs: number): boolean {
    return ageMs >= TOKEN_LIFE_MS
  }

  /** Whether a request contained this value, so that an answer may merely repeat it. */
  isEcho(name: string, value: string): boolean {
    return this.#sent.has(`${name} ${value}`)
  }
}

/** `hosts`: those that were asked for an operation of the service. */
function whyLeftOut({ host, status, method, headers }: HarRecord, hosts: ReadonlySet<string>): string | undefined {
  if (!hosts.has(host)) return 'it went to another host than the service'
  if (status === 0) return 'no answer was recorded: it was aborted'
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
  return isPreflight ? 'a browser asked whether it may send another request' : undefined
}

function pairOf(body: unknown): string {
  const { apiKey, apiSecret }: Record<string, unknown> = isRecord(body) ? body : {}
  return JSON.stringify([apiKey, apiSecret])
}

/** One text such as `amount 1000` for each leaf value of a body. */
function leavesOf(value: unknown, name: string): string[] {
  const number = numberIn(value)
  if (number !== undefined) return [`${name} ${number}`]
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [`${name} ${value}`]
  return Object.entries(value).flatMap(([inner, one]) => leavesOf(one, Array.isArray(value) ? name : inner))
}

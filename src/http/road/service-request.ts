/** A request to the service as the stages of its road ask about it. */
import { getQueryParam } from 'hono/utils/url'
import type { Connection, Env, TakenFor } from '../http-service.ts'

export class ServiceRequest {
  readonly raw: Request
  readonly env: Env
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly takenFor: TakenFor | undefined

  constructor(raw: Request, env: Env, path: string, params: Readonly<Record<string, string>>, takenFor?: TakenFor) {
    this.raw = raw
    this.env = env
    this.path = path
    this.params = params
    this.takenFor = takenFor
  }

  get method(): string {
    return this.raw.method
  }

  get query(): Readonly<Record<string, string>> {
    return this.env.path.includes('?') ? (getQueryParam(this.raw.url) as Record<string, string>) : NOTHING
  }

  header(name: string): string | undefined {
    const { connection }: { connection: Connection } = this.env
    return connection.header ? connection.header(name) : (this.raw.headers.get(name) ?? undefined)
  }
}

const NOTHING: Readonly<Record<string, string>> = Object.freeze({})

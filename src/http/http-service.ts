/**
 * The port of a service for the HTTP road, besides what the core needs. Passed in, so that nothing here imports one.
 */
import type * as z from 'zod'
import type { Assumptions } from '../core/model/assumption.ts'
import type { JournalEntry } from '../core/model/journal.ts'
import type { Service } from '../core/model/kind.ts'
import type { Organisation, TraceContext } from '../core/model/payment.ts'
import type { Refusal } from '../core/model/refusal.ts'
import type { InstantUs } from '../core/model/time.ts'
import type { World } from '../core/world.ts'
import type { Contract, ContractExamples, ContractOptions, Fact } from './contract.ts'
import type { Operation } from './operation.ts'

export interface Credential {
  issuedAtUs: InstantUs
  /** Throws a `Refusal` when the token is no longer valid. */
  holder(): Organisation
}

export interface HttpService extends Service {
  readonly operations: readonly Operation[]
  readonly keptHeaders: readonly string[]
  readToken(world: World, token: string): Credential
  issueToken(world: World, organisation: Organisation, atUs: InstantUs): string
  errorBody(refusal: Refusal, operation: Operation | undefined, assumptions: Assumptions): object
  read<T>(schema: z.ZodType<T>, sent: unknown, assumptions: Assumptions): T
  refuseUnknown(fields: readonly string[], assumptions: Assumptions): void
  readonly facts: readonly Fact[]
  contract(options: ContractOptions): Contract
  examples(baseUrl: string): Promise<ContractExamples>
}

export interface AnswerPart {
  status: number
  headers: Record<string, string>
  length: number
  bytes: Uint8Array
}

export type Sever = (how: 'reset' | 'close', part?: AnswerPart) => Promise<Response>

export interface RequestEvent
  extends Pick<JournalEntry, 'requestId' | 'operation' | 'method' | 'path' | 'status' | 'rule'> {
  world: string
  trace?: TraceContext | undefined
  error?: unknown
}

export interface TakenFor {
  path: string
  endsInSlash: boolean
}

export interface Connection {
  /** Hosts that cannot cut a connection answer 502 instead. */
  sever?: Sever
  header?(name: string): string | undefined
  headerNames?(): string[]
}

export interface Env {
  world: World
  baseUrl: string
  path: string
  connection: Connection
  takenFor?: TakenFor
  observe(event: RequestEvent): void
}

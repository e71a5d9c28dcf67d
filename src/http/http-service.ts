/** What the road of a request asks of the service that it serves, besides what the core asks; handed in, never imported. */
import type * as z from 'zod'
import type { Assumptions } from '../model/assumption.ts'
import type { Fact } from '../model/fact.ts'
import type { Organisation } from '../model/payment.ts'
import type { Refusal } from '../model/refusal.ts'
import type { Service } from '../model/simulated-service.ts'
import type { InstantUs } from '../model/time.ts'
import type { World } from '../world/world.ts'
import type { Contract, ContractExamples, ContractOptions } from './contract.ts'
import type { Operation } from './operation.ts'

/** A token that the service issued. */
export interface Credential {
  issuedAtUs: InstantUs
  /** Whose it is; throws a `Refusal` when it is no longer good. */
  holder(): Organisation
}

/** A token that nobody asked for over HTTP. */
export interface IssuedToken extends Credential {
  /** Its text, as a caller would have been given it. */
  sign(): Promise<string>
}

export interface HttpService extends Service {
  /** In the order of the contract. */
  readonly operations: readonly Operation[]
  /** Headers that the journal keeps, in lower case and in this order. */
  readonly keptHeaders: readonly string[]
  /** Reads a bearer token; throws a `Refusal` for a text that the service did not issue. */
  readToken(world: World, token: string): Credential | Promise<Credential>
  /** Issues a token as if it had been asked for at an instant; to be called inside a commit. */
  issueToken(world: World, organisation: Organisation, atUs: InstantUs): IssuedToken
  /** The body of an error; `operation`: where it happened, if at one. */
  errorBody(refusal: Refusal, operation: Operation | undefined, assumptions: Assumptions): object
  /** Checks a part of a request as these assumptions have it; throws the refusal that names all that is wrong. */
  read<T>(schema: z.ZodType<T>, sent: unknown, assumptions: Assumptions): T
  /** Refuses fields or parameters that no schema names, where these assumptions say so. */
  refuseUnknown(fields: readonly string[], parameters: readonly string[], assumptions: Assumptions): void
  /** What is known of it besides operations and their fields. */
  readonly facts: readonly Fact[]
  contract(options: ContractOptions): Contract
  /** What a world really answered, for a contract that people read; as it would be at this base URL. */
  examples(baseUrl: string): Promise<ContractExamples>
}

/** The declaration of a control operation. Its route, checks, contract, clients and lists are derived from it. */
import type * as z from 'zod'
import type { Hint } from '../../core/model/problems.ts'
import type { KnownRefusal } from '../../core/model/refusal.ts'
import type { World } from '../../core/world.ts'
import type { JsonShown, KeysOf, Surplus } from '../../inspect/view.ts'
import type { ControlBindings, ControlContext } from './control-context.ts'

export type ControlMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type SchemaFor<S extends z.ZodType> = S | (() => S)

export type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<`/${More}`>
    : Rest
  : never

type Names<Path extends string> = [NamesIn<Path>] extends [never]
  ? { params?: undefined }
  : { params: { readonly [Name in NamesIn<Path>]: string } }

export interface OperationInput<Path extends string = string, Query = unknown, Body = unknown> {
  c: ControlContext
  env: ControlBindings
  /** Aborted when the caller leaves. */
  signal: AbortSignal
  /** Reading it throws a `Refusal` if the world cannot be opened. */
  readonly world: World
  params: { readonly [Name in NamesIn<Path>]: string }
  query: Query
  body: Body
  operations: readonly AnyOperation[]
}

interface OperationWords {
  summary: string
  description?: string
  /** Leaves out refusals that every operation may answer, and those of any field. */
  errors?: readonly KnownRefusal[]
  /** Why the operation may answer errors that cannot be listed. */
  otherErrors?: string
  /** The usual status first. Default: 200. A handler chooses another one with `c.status`. */
  status?: number | readonly number[]
  /** Reads a body that is not plain JSON. `body` checks the result. */
  read?(c: ControlContext): Promise<unknown>
  bodies?: Readonly<Record<string, string>>
  /** The contract's request schema, if it says more than `body`. */
  takes?: SchemaFor<z.ZodType>
  answers?: Readonly<Record<string, string>>
  agent?: AgentTool
  /** For mfano's own programs: without contract, command and tool. */
  internal?: true
}

interface AgentTool {
  tool: string
  /** Default: GET reads; others add data and remove none. */
  effect?: 'reads' | 'destroys'
  openWorld?: true
}

export interface List<Row = object, Field extends string = string, Answer = never> {
  /** The field of the answer that has them. CSV has a column for each of their fields. */
  rows: Field
  /** Names files with the rows. Default: the field. */
  name?: string
  columns: Columns<Row>
  /** For people, where they are not shown all, or in another order. */
  picks?(answer: Answer): readonly Row[]
  none?: string | Hint
}

/** How people see a value. A `word` is never cut, a `text` is. The currency of `money` stands beside it, or in the row. */
export type Form = 'word' | 'text' | 'number' | 'money' | 'time' | 'ms' | 'state' | 'status' | 'size'

/** Fields by their paths: `url`; `url=to` under another title; `id:word` in another form than `formOf` has for its name. */
export type Columns<Row> = readonly (FieldPath<Row> | `${FieldPath<Row>}${'=' | ':'}${string}`)[]

export interface Screen<Answer> {
  /** Fields that are typed as words, behind those of the path. `for=SUBJECT`: under another name. */
  words?: readonly string[]
  columns?: Columns<Answer>
  facts?: Columns<Answer>
  /** Below the facts, by path: a title, and the columns of a list. Without columns it is printed as JSON. */
  parts?: Readonly<Record<string, readonly [title: string, columns?: readonly string[]]>>
  says?(answer: Answer): string | Hint
  verdict?: readonly [field: keyof Answer & string, well: string, otherwise: string]
  examples?: readonly string[]
}

type FieldPath<Row> = Row extends unknown
  ? {
      [Name in keyof Row & string]:
        | Name
        | (NonNullable<Row[Name]> extends readonly unknown[]
            ? never
            : NonNullable<Row[Name]> extends object
              ? `${Name}.${KeysOf<NonNullable<Row[Name]>> & string}`
              : never)
    }[keyof Row & string]
  : never

/** A noun and a verb, such as `payment.resolve`. Commands, tools and clients share it. */
export type OperationId = `${string}.${string}`

export interface DeclaredOperation<
  Id extends OperationId = OperationId,
  M extends ControlMethod = ControlMethod,
  Path extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends OperationWords {
  id: Id
  method: M
  path: Path
  params?: Readonly<Record<string, string>> | undefined
  query?: SchemaFor<Query>
  body?: SchemaFor<Body>
  /** A function, because the schema is needed only for the contract. */
  answer?: () => Answer
  list?: List
  screen?: Screen<never>
  run(given: OperationInput<Path, z.output<Query>, z.output<Body>>): unknown
}

// biome-ignore lint/suspicious/noExplicitAny: whatever its types are.
export type AnyOperation = DeclaredOperation<OperationId, ControlMethod, string, any, any, any>

/**
 * `route`: as HTTP writes it, below `/_mfano`. Does not compile if an answer lacks a field of its schema or has an
 * extra one.
 */
export function controlOperation<
  const Id extends OperationId,
  const M extends ControlMethod,
  const Path extends string,
  Answer extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
  Field extends keyof JsonShown<z.output<Answer>> & string = never,
  Result extends JsonShown<z.output<Answer>> | Response = JsonShown<z.output<Answer>> | Response,
>(
  id: Id,
  route: `${M} ${Path}`,
  declared: OperationWords &
    Names<Path> & {
      query?: SchemaFor<Query>
      body?: SchemaFor<Body>
      answer?: () => Answer
      list?: List<RowOf<JsonShown<z.output<Answer>>, Field>, Field, JsonShown<z.output<Answer>>>
      screen?: Screen<JsonShown<z.output<Answer>>>
      run(given: OperationInput<Path, z.output<Query>, z.output<Body>>): Result | Promise<Result>
    } & NoSurplus<Surplus<Exclude<Result, Response>, z.output<Answer>>>,
): DeclaredOperation<Id, M, Path, Query, Body, Answer> {
  const [method, path] = route.split(' ')
  return { id, method, path, ...declared } as unknown as DeclaredOperation<Id, M, Path, Query, Body, Answer>
}

/** For mfano's own programs: it is in no contract, command or tool, so it needs no words, and its answer no schema. */
export function internalOperation<
  const Id extends OperationId,
  const M extends ControlMethod,
  const Path extends string,
  Result,
  Body extends z.ZodType = z.ZodUndefined,
>(
  id: Id,
  route: `${M} ${Path}`,
  declared: {
    body?: Body
    status?: number
    run(given: OperationInput<Path, unknown, z.output<Body>>): Result | Promise<Result>
  },
): DeclaredOperation<Id, M, Path, z.ZodObject<Record<never, never>>, Body, z.ZodType<Exclude<Result, Response>>> {
  return { ...controlOperation(id, route, { summary: '', ...declared } as never), internal: true } as never
}

type RowOf<Answer, Field> = Field extends keyof Answer
  ? Answer[Field] extends readonly (infer Row)[]
    ? Row
    : never
  : never

type NoSurplus<Names> = [Names] extends [never] ? unknown : { 'its answer has no such field': Names }

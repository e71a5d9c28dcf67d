/** A control operation, declared once: its route, checks, contract, clients and lists are made of the declaration. */
import type * as z from 'zod'
import type { KnownRefusal } from '../../core/model/refusal.ts'
import type { ServedService } from '../../service/parts.ts'
import type { ControlContext } from './control-context.ts'

export type ControlMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A schema, or one that depends on what is simulated. */
export type SchemaFor<S extends z.ZodType> = S | ((service: ServedService) => S)

/** The names in a path: `id` of `/payments/:id`. */
export type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<`/${More}`>
    : Rest
  : never

/** What is said of each name in a path. */
type Names<Path extends string> = [NamesIn<Path>] extends [never]
  ? { params?: undefined }
  : { params: { readonly [Name in NamesIn<Path>]: string } }

/** What an operation is handed of its request, checked. */
export interface Given<Path extends string = string, Query = unknown, Body = unknown> {
  params: { readonly [Name in NamesIn<Path>]: string }
  query: Query
  body: Body
  /** All operations there are, for those that list them. */
  operations: readonly AnyOperation[]
}

/** What is said of every operation, whatever its types. */
interface Said {
  summary: string
  description?: string
  /** Refusals that it may answer besides those that any may. */
  errors?: readonly KnownRefusal[]
  /** Why it may answer errors that nobody can list. */
  otherErrors?: string
  /** Statuses of its answer, the usual one first; 200 unless told. `c.status` chooses another one of them. */
  status?: number | readonly number[]
  /** Reads the body where it is not plain JSON; what it gives is checked by `body`. */
  read?(c: ControlContext): Promise<unknown>
  /** Media types that it takes besides JSON, with what is in them. */
  bodies?: Readonly<Record<string, string>>
  /** What it takes, where `body` alone says less. */
  takes?: SchemaFor<z.ZodType>
  /** Media types that it answers besides JSON, with what is in them. */
  answers?: Readonly<Record<string, string>>
}

/** A list: what its rows are as a table. */
export interface List<Answer = never, Row = object> {
  /** Names the file. */
  name: string
  /** Fields of a row, by their paths. What a table cannot show is left out. */
  columns: readonly CsvColumn<Row>[]
  rows(answer: Answer): readonly Row[]
  /** The parameter that `next` is given to. */
  page?: 'before' | 'from'
}

/** The path to a field of a row: `party.id`. */
export type CsvColumn<Row> = Row extends unknown
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

/** What every door calls an operation, as noun and verb: `payment.resolve`. */
export type OperationId = `${string}.${string}`

/** An operation as a value, with the types of what goes in and comes out. */
export interface DeclaredOperation<
  Id extends OperationId = OperationId,
  M extends ControlMethod = ControlMethod,
  Path extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends Said {
  id: Id
  method: M
  /** Below `/_mfano`: `/payments/:id`. */
  path: Path
  /** What each name in its path stands for. */
  params?: Readonly<Record<string, string>> | undefined
  query?: SchemaFor<Query>
  body?: SchemaFor<Body>
  /** Made when somebody asks for the contract. */
  answer?: () => Answer
  list?: List
  run(c: ControlContext, given: Given<Path, z.output<Query>, z.output<Body>>): unknown
}

// biome-ignore lint/suspicious/noExplicitAny: whatever its types are.
export type AnyOperation = DeclaredOperation<OperationId, ControlMethod, string, any, any, any>

/** What a presenter gives for a schema: the same fields, that nobody will change. */
export type JsonShown<T> = T extends readonly (infer Item)[]
  ? readonly JsonShown<Item>[]
  : T extends object
    ? string extends keyof T
      ? object
      : { readonly [Name in keyof T]: JsonShown<T[Name]> }
    : T

/** What the schema of an answer says: `AnswerOf<typeof wallet>`. */
export type AnswerOf<Schema extends () => z.ZodType> = z.output<ReturnType<Schema>>

/** Declares an operation. An answer that lacks a field of its schema, or has one more, does not compile. */
export function controlOperation<
  const Id extends OperationId,
  const M extends ControlMethod,
  const Path extends string,
  Answer extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
  Row extends object = object,
  Result extends JsonShown<z.output<Answer>> | Response = JsonShown<z.output<Answer>> | Response,
>(
  id: Id,
  declared: Said &
    Names<Path> & {
      method: M
      path: Path
      query?: SchemaFor<Query>
      body?: SchemaFor<Body>
      answer?: () => Answer
      list?: List<JsonShown<z.output<Answer>>, Row>
      run(c: ControlContext, given: Given<Path, z.output<Query>, z.output<Body>>): Result | Promise<Result>
    } & NoSurplus<Surplus<Exclude<Result, Response>, z.output<Answer>>>,
): DeclaredOperation<Id, M, Path, Query, Body, Answer> {
  return { id, ...declared } as unknown as DeclaredOperation<Id, M, Path, Query, Body, Answer>
}

type NoSurplus<Names> = [Names] extends [never] ? unknown : { 'its answer has no such field': Names }

/** Names of fields that are given and that an answer does not have. */
type Surplus<Is, Wanted> = unknown extends Wanted ? never : SurplusIn<NonNullable<Is>, NonNullable<Wanted>>
type SurplusIn<Is, Wanted> = Is extends readonly (infer Item)[]
  ? Surplus<Item, Wanted extends readonly (infer Other)[] ? Other : never>
  : Is extends object
    ? {
        [Name in keyof Is]-?: string extends KeysOf<Wanted>
          ? never
          : Name extends KeysOf<Wanted>
            ? Surplus<Is[Name], At<Wanted, Name>>
            : Name
      }[keyof Is]
    : never

type KeysOf<T> = T extends unknown ? keyof T : never
type At<T, Name> = T extends unknown ? (Name extends keyof T ? T[Name] : never) : never

/** Parts of answers. A field is one line: its schema with its words, and how it is read. */
import * as z from 'zod'
import { toMajor } from '../core/model/money.ts'
import { type InstantUs, isoInstant } from '../core/model/time.ts'

type SchemaName = string | { id: string; description: string } | null

/** The schema is built on first use, to keep the start fast. */
export function shape<S extends z.ZodType>(named: SchemaName, make: () => S): () => S {
  let made: S | undefined
  return () => {
    made ??= named === null ? make() : make().meta(typeof named === 'string' ? { id: named } : named)
    return made
  }
}

export type AnswerOf<Schema extends () => z.ZodType> = z.output<ReturnType<Schema>>

/** Readonly at every level, so that presenters can return what they hold. */
export type JsonShown<T> = T extends readonly (infer Item)[]
  ? readonly JsonShown<Item>[]
  : T extends object
    ? string extends keyof T
      ? object
      : { readonly [Name in keyof T]: JsonShown<T[Name]> }
    : T

export type Line<S extends z.ZodType = z.ZodType, Subject = never, Context = never> = readonly [
  schema: S,
  read: (subject: Subject, context: Context) => unknown,
]
type Lines<Subject = never, Context = never> = Readonly<Record<string, z.ZodType | Line<z.ZodType, Subject, Context>>>

export function instantOf<const Name extends string>(name: Name): Line<z.ZodString, Record<Name, InstantUs>, unknown> {
  return [z.string(), (subject) => isoInstant(subject[name])]
}

export function instantOrNull<const Name extends string>(
  name: Name,
): Line<z.ZodNullable<z.ZodString>, Record<Name, InstantUs | null>, unknown> {
  return [z.string().nullable(), ({ [name]: atUs }) => (atUs === null ? null : isoInstant(atUs))]
}

export function majorOf<const Name extends string>(name: Name): Line<z.ZodNumber, Record<Name, number>, unknown> {
  return [z.number(), (subject) => toMajor(subject[name])]
}

export type Reader<Subject, Context = void> = <S extends z.ZodType, Value extends JsonShown<z.output<S>>>(
  schema: S,
  read: (subject: Subject, context: Context) => Value,
  ...refused: Refused<Surplus<Value, z.output<S>>>
) => Line<S, Subject, Context>

type ShapeOf<Fields extends Lines> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends Line<infer S> ? S : Fields[Name] & z.ZodType
}

export interface View<Subject, Context, Fields extends Lines> {
  (subject: Subject, context: Context): z.output<z.ZodObject<ShapeOf<Fields>>>
  schema(): z.ZodObject<ShapeOf<Fields>>
  /** For a view that shows more of the same subject. `inner`: the context that these fields read. */
  fields<Outer>(inner: (outer: Outer) => Context): {
    [Name in keyof Fields]: Fields[Name] extends Line<infer S> ? Line<S, Subject, Outer> : Fields[Name]
  }
}

type AnyLine = readonly [schema: z.ZodType, read: (subject: unknown, context: unknown) => unknown]

export function view<Subject, Context, Fields extends Lines<Subject, Context>>(
  named: SchemaName,
  make: (read: Reader<Subject, Context>) => Fields,
  ...refused: Refused<Unread<Fields, Subject>>
): View<Subject, Context, Fields>
export function view(named: SchemaName, make: (read: never) => Readonly<Record<string, z.ZodType | AnyLine>>): unknown {
  let made: [string, z.ZodType | AnyLine][] | undefined
  const read = (...line: AnyLine) => line
  const lines = () => {
    made ??= Object.entries(make(read as never))
    return made
  }
  const object = () => z.object(Object.fromEntries(lines().map(([name, one]) => [name, isLine(one) ? one[0] : one])))
  const present = (subject: Record<string, unknown>, context: unknown) => {
    const answer: Record<string, unknown> = {}
    for (const [name, one] of lines()) {
      const value = isLine(one) ? one[1](subject, context) : subject[name]
      if (value !== undefined) answer[name] = value
    }
    return answer
  }
  const fields = (inner: (outer: unknown) => unknown) =>
    Object.fromEntries(
      lines().map(([name, one]) => [
        name,
        isLine(one) ? [one[0], (subject: unknown, outer: unknown) => one[1](subject, inner(outer))] : one,
      ]),
    )
  return Object.assign(present, { fields, schema: shape(named, object) })
}

function isLine(one: z.ZodType | AnyLine): one is AnyLine {
  return Array.isArray(one)
}

/** Does not compile where there are names. */
type Refused<Names> = [Names] extends [never] ? [] : [{ 'no such field': Names }]

/** Names of fields without a line that the subject does not have, or has otherwise. */
type Unread<Fields extends Lines, Subject> = {
  [Name in keyof Fields]: Fields[Name] extends z.ZodType
    ? Name extends keyof Subject
      ? Subject[Name] extends JsonShown<z.output<Fields[Name]>>
        ? never
        : Name
      : undefined extends z.output<Fields[Name]>
        ? never
        : Name
    : never
}[keyof Fields]

/** Names of fields that a result has and its schema lacks, because TypeScript itself allows extra fields. */
export type Surplus<Is, Wanted> = unknown extends Wanted ? never : SurplusIn<NonNullable<Is>, NonNullable<Wanted>>
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

export type KeysOf<T> = T extends unknown ? keyof T : never
type At<T, Name> = T extends unknown ? (Name extends keyof T ? T[Name] : never) : never

import { z } from 'zod'
import { type Foreseen, foresee, type Supposed } from '../../engine/foresee.ts'
import { describe } from '../../http/response-fault.ts'
import { didYouMean } from '../../model/did-you-mean.ts'
import { moneyIn } from '../../model/kind.ts'
import { toMajor } from '../../model/money.ts'
import type { JsonObject, PaymentKind } from '../../model/payment.ts'
import { Refusal } from '../../model/refusal.ts'
import { openingOf, type Service, type ServiceOperation } from '../../model/service.ts'
import { parseDuration, parseWorldInstant, WORLD_INSTANT } from '../../model/time.ts'
import { watches } from '../../scenarios/decide/match-fault.ts'
import { explainFaults, explainTrace } from '../../scenarios/decide/trace.ts'
import { vocabularyOf } from '../../scenarios/language/expressions.ts'
import { isOff, requestOf, targetOf } from '../../scenarios/language/response-faults.ts'
import { turnOn } from '../../scenarios/lint/warnings.ts'
import type { World } from '../../world/world.ts'
import { organisationOf } from './kit.ts'
import { planOf } from './present.ts'

/** The same request is supposed to have come this often at the most. */
const LARGEST_NTH = 1000
const count = z.int('must be a whole number').min(0, 'must be at least 0').optional()

/** A request that nobody has sent, and what is supposed about the world; what is left out is as it is. */
export const questionOf = ({ kinds }: Service) =>
  z.strictObject({
    kind: z.enum(kinds.names, `must be one of ${kinds.names.join(', ')}`).optional(),
    /** In place of a kind: any operation, by id or by method and path. Only faults are asked about it. */
    operation: z.string().optional(),
    request: z.record(z.string(), z.json()),
    organisationId: z.string().optional(),
    /** It is the n-th of the same requests, each right behind the one before. */
    nth: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(LARGEST_NTH, `must be at most ${LARGEST_NTH}`)
      .optional(),
    /** World time. */
    at: z
      .string()
      .refine((text) => parseWorldInstant(text) !== undefined, `must be ${WORLD_INSTANT}`)
      .optional(),
    /** What the wallet can spend, in major units. */
    wallet: z.number().min(0, 'must be at least 0').optional(),
    /** Earlier payments of the kind with the party that the request names. */
    history: z
      .strictObject({
        succeeded: count,
        failed: count,
        pending: count,
        paidToday: z.number().min(0, 'must be at least 0').optional(),
      })
      .optional(),
    /** Instead of what the organisation is. */
    organisation: z
      .strictObject({ uuid: z.string().optional(), name: z.string().optional(), parent: z.boolean().optional() })
      .optional(),
    tokenAge: z
      .string()
      .refine((text) => parseDuration(text) !== undefined, 'must be a length of time such as 2m')
      .optional(),
  })
export type Question = z.infer<ReturnType<typeof questionOf>>

/** What was asked about, and what would come of it. */
export interface Asked extends Foreseen {
  kind: PaymentKind | null
  /** Where such a request arrives; null for what a customer begins. */
  operation: ServiceOperation | null
  organisationId: number
}

/** What the scenario in force would make of it: faults, rules and rails. Nothing is made and nothing counted. */
export function ask(world: World, asked: Question): Asked {
  const { service } = world.core
  const operation = operationOf(service, asked)
  const kind = asked.kind ?? operation?.opens ?? null
  const request = asked.request as JsonObject
  const organisationId = organisationOf(world, asked.organisationId).id
  const exists = operation !== null && !isOff(operation, world.core.scenario.assumptions)
  const supposed: Supposed = {
    payment:
      kind === null
        ? null
        : {
            kind,
            organisationId,
            ...moneyIn(service.kinds.of(kind), request),
            request,
          },
    arrives: exists ? { operation: placeOf(operation), request, tokenless: operation.auth === 'none' } : null,
    organisationId,
    nth: asked.nth ?? 1,
    atUs: asked.at === undefined ? undefined : parseWorldInstant(asked.at),
    wallet: asked.wallet,
    history: asked.history,
    organisation: given(asked.organisation ?? {}),
    tokenAgeUs: asked.tokenAge === undefined ? undefined : parseDuration(asked.tokenAge),
  }
  return { ...foresee(world.core, supposed), kind, operation, organisationId }
}

function placeOf({ id, method, path }: ServiceOperation) {
  return { id, method, path }
}

function operationOf(service: Service, { kind, operation: name }: Question): ServiceOperation | null {
  const { kinds, operations } = service
  if ((kind === undefined) === (name === undefined))
    throw invalid(
      `kind: is required (${kinds.names.join(', ')}), or operation in its place; got ${kind === undefined ? 'neither' : 'both'}`,
    )
  if (name === undefined) return (kind !== undefined && openingOf(service, kind)) || null
  const found = operations.find((one) => one.id === name || targetOf(one) === name)
  if (found) return found
  const known = operations.flatMap((one) => [one.id, targetOf(one)])
  throw invalid(`operation: ${JSON.stringify(name)} is not one.${didYouMean(name, known)}`)
}

function invalid(details: string): Refusal {
  return new Refusal('INVALID_FIELD', details, { message: 'Invalid field' })
}

/** What would happen to this request, and why. */
export function explain(world: World, asked: Question) {
  const found = ask(world, asked)
  const { kind, operation, decision } = found
  const trace = decision?.refuse?.trace ?? decision?.plan?.trace ?? ''
  const { scenario } = world.core
  const off = operation && isOff(operation, scenario.assumptions)
  return {
    /** Why no such request comes to anything here, when none does. */
    off: off ? `${turnOn(operation)} Until then, such a request is answered 404.` : null,
    /** Null when a fault turns the request away before any rule is asked. */
    rule: decision?.refuse?.rule ?? decision?.plan?.rule ?? null,
    refuse: decision?.refuse && {
      status: decision.refuse.status,
      code: decision.refuse.code,
      message: decision.refuse.message ?? null,
      details: decision.refuse.details ?? null,
    },
    plan: decision?.plan && planOf({ plan: decision.plan }),
    /** Why it comes to nothing although a rule accepts it: the wallet does not hold enough. */
    short: found.short && {
      available: toMajor(found.short.availableMinor),
      needed: toMajor(found.short.neededMinor),
    },
    trace: kind && decision ? explainTrace(scenario, kind, trace) : [],
    /** What goes wrong with the answer to the request, and with the callbacks of its payment. */
    faults: { answer: answerFault(world, found), callback: callbackFault(world, found) },
    /** Fields of the request that no condition can read. */
    unread: Object.keys(asked.request).filter(
      (field) => !fieldsOf(world.core.service, kind, operation).includes(field),
    ),
  }
}

export type Explanation = ReturnType<typeof explain>

/** Which fault the request itself meets; null where no request arrives. */
function answerFault({ core: { scenario } }: World, { operation, match }: Asked) {
  if (!operation || !match) return null
  const watching = scenario.faults.filter(({ on }) => watches({ on: new Set(on) }, operation))
  const { fault } = match
  return {
    operation: targetOf(operation),
    met: fault?.by ?? null,
    does: fault ? describe(fault, true) : null,
    executed: fault?.executed ?? true,
    trace: explainFaults(watching, match.trace, 'a fault before it was met'),
  }
}

/** Which fault the callbacks of the payment meet; null where nobody is told. */
function callbackFault({ core: { scenario, service } }: World, { kind, decision }: Asked) {
  if (!kind || !decision?.plan || !service.kinds.of(kind).callback) return null
  const { callback, rule } = decision.plan
  const asked = decision.callbackTrace !== undefined
  const faults = scenario.callbackFaults.filter(({ on }) => on.includes(kind))
  return {
    met: asked ? (callback?.by ?? null) : null,
    trace: explainFaults(
      faults,
      decision.callbackTrace ?? '',
      asked ? 'a fault before it was met' : `the rule "${rule}" says itself what becomes of the callback`,
    ),
  }
}

/** What a request of it can have, as far as conditions can ask. */
export function fieldsOf({ kinds }: Service, kind: PaymentKind | null, operation: ServiceOperation | null): string[] {
  const ofKind = kind ? Object.keys(vocabularyOf(kinds.of(kind), kinds).get('request')?.fields ?? {}) : []
  return [...new Set([...ofKind, ...(operation ? Object.keys(requestOf(operation).fields) : [])])]
}

/** Without what is left out. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

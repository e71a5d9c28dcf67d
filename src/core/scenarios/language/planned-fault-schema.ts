/** Schema of faults in a rule: in the answer to an executed request, and in its callback. */
import * as z from 'zod'
import { type CallbackFaultName, callbackFaults } from '../../model/callback-fault.ts'
import { type ErrorAnswerFile, errorAnswerShape } from '../../model/error-answer.ts'
import type { Kinds } from '../../model/kind.ts'
import { kindOrAny, shortText } from './schema-parts.ts'
import { faultSelectorOf, turnTakers } from './selector-schema.ts'

const answer = () =>
  z.union([z.enum(['reset', 'lost']), z.strictObject(errorAnswerShape)]).meta({
    description:
      'the answer to a request that is executed: an error such as { status: 500 }, reset or lost; reset: the connection is reset before a byte is sent; lost: the connection closes before a byte arrives; Workers answer 502 instead of both',
    examples: [{ status: 500 }, 'reset', 'lost'],
  })

const poll = () =>
  z
    .strictObject({
      poll: z
        .int()
        .min(1)
        .max(1000)
        .meta({ description: 'the read that ends it, from 1', examples: [3] }),
    })
    .meta({
      description:
        'the read that ends the payment: single, status, or GET of a checkout session; it is PENDING until then',
      examples: [{ poll: 3 }],
    })

type CallbackShape = { [Name in CallbackFaultName]: z.ZodOptional<(typeof callbackFaults)[Name]['schema']> }
const mayBeNamed = Object.entries(callbackFaults).map(([name, { schema }]) => [name, schema.optional()])
const callbackShape: CallbackShape = Object.fromEntries(mayBeNamed)

const callback = () =>
  z.strictObject(callbackShape).meta({
    description: 'the fault of the callbacks of this payment',
    examples: [{ drop: true }, { duplicate: 2 }, { delay: '10m' }],
  })

export const plannedFaultShape = () => ({
  answer: answer().optional(),
  twice: z.literal(true).optional().meta({
    description: 'the one request is executed as two payments, each with its own id, money and callback',
  }),
  until: poll().optional(),
  callback: callback().optional(),
})

const callbackFault = (kind: ReturnType<typeof kindOrAny>, example: string) =>
  z
    .strictObject({
      ...faultSelectorOf(turnTakers),
      on: z.union([kind, z.array(kind).min(1)]).meta({
        description: 'the kind of payment, a list of kinds, or any',
        examples: [example, 'any'],
      }),
      when: shortText(4000)
        .optional()
        .meta({
          description: 'a condition in CEL, as in a rule',
          examples: ['request.amount > 10000'],
        }),
      then: z.strictObject(callbackShape).meta({
        description: 'the fault of the callback',
        examples: [{ drop: true }, { duplicate: 2 }],
      }),
    })
    .meta({ description: 'a fault of callbacks' })

export const callbackFaultsOf = (kinds: Kinds) =>
  z
    .array(callbackFault(kindOrAny(kinds), kinds.names[0] ?? ''))
    .max(1000)
    .meta({
      description: 'faults of callbacks; the first match applies, unless the rule has its own',
    })

export type CallbackFaultRuleFile = z.infer<ReturnType<typeof callbackFault>>
export type CallbackFaultFile = z.infer<ReturnType<typeof callback>>
export interface PlannedFaultsFile {
  answer?: 'reset' | 'lost' | ErrorAnswerFile | undefined
  twice?: true | undefined
  until?: z.infer<ReturnType<typeof poll>> | undefined
  callback?: CallbackFaultFile | undefined
}

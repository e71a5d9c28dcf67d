/** Parts of the service: kinds of payment with the fields that a rule can set, errors, and events of a world. */
import * as z from 'zod'
import { refusalCatalogue, stages } from '../../../src/core/model/refusal.ts'
import { domainEventShape } from '../../../src/server/control/events.ts'
import { allReasons } from '../../../src/service/contract/facts.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { asSentence, code, tableOf } from './entry.ts'

const fieldTypes = { text: 'text', integer: 'whole number', amount: 'amount', any: 'any' } as const

/** For each kind: its ends, and what `with` may set. */
export function kindFields(): string {
  return [...paymentsService.kinds]
    .map(({ name, phrase, ends, fields, direction }) => {
      const texts = Object.keys(fields).filter((field) => fields[field] === 'text')
      const first = texts.find((field) => /desc|reason|message/i.test(field)) ?? texts[0] ?? ''
      const failure = ends.find((end) => end !== ends[0]) ?? ends[0]
      const lines = [
        `## ${name}`,
        asSentence(phrase),
        `- Direction: ${directions[direction]}\n- Ends: ${ends.map(code).join(', ')}`,
      ]
      if (first === '') return [...lines, 'A rule can set no fields.'].join('\n\n')
      return [
        ...lines,
        tableOf(
          ['field of `with`', 'type'],
          Object.entries(fields).map(([field, type]) => [code(field), fieldTypes[type]]),
        ),
        `\`\`\`yaml\nrules:\n  - name: the ${name} is not accepted\n    on: ${name}\n    then: { after: ${ends.length === 1 ? '0s' : '4s'}, end: ${failure}, with: { ${first}: Not accepted } }\n\`\`\``,
      ].join('\n\n')
    })
    .join('\n\n')
}

const directions = {
  out: 'from your wallet to somebody',
  in: 'from a customer to your wallet',
  between: 'between your own wallets',
  none: 'no money moves',
} as const

/** The published codes, and when each is answered, in the order of the checks. */
export function serviceErrors(): string {
  const reasons = allReasons(paymentsService.operations)
  return Object.entries(refusalCatalogue)
    .map(([name, { status, message }]) => {
      const those = reasons.filter((one) => one.code === name)
      return [
        `## ${name}`,
        `\`${status}\`: ${message}.`,
        ...(those.length === 0
          ? ['Only a scenario answers it.']
          : [those.map((one) => `- ${asSentence(one.when)}`).join('\n')]),
      ].join('\n\n')
    })
    .join('\n\n')
}

export function checkOrder(): string {
  return Object.values(stages)
    .map(({ about }, i) => `${i + 1}. ${asSentence(about)}`)
    .join('\n')
}

interface FieldSchema {
  type?: string
  const?: string
  enum?: string[]
  description?: string
  anyOf?: FieldSchema[]
  properties?: Record<string, FieldSchema>
  $ref?: string
}

/** The events of a world, each with its fields. */
export function worldEvents(): string {
  const { $defs = {}, ...document } = z.toJSONSchema(domainEventShape(), { io: 'output' }) as FieldSchema & {
    $defs?: Record<string, FieldSchema>
  }
  const resolved = (schema: FieldSchema): FieldSchema =>
    schema.$ref === undefined ? schema : ($defs[schema.$ref.replace('#/$defs/', '')] ?? schema)
  return (resolved(document).anyOf ?? [])
    .map(resolved)
    .map(({ properties = {}, description = '' }) => {
      const fields = Object.entries(properties).filter(([field]) => field !== 'type')
      const lines = fields.flatMap(([field, schema]) => [
        `- ${code(field)}: ${fieldText(schema)}`,
        ...Object.entries(resolved(filled(schema)).properties ?? {}).map(
          ([inner, one]) => `  - ${code(inner)}: ${fieldText(one)}`,
        ),
      ])
      return `## ${properties['type']?.const}\n\n${description}\n\n${lines.join('\n')}`
    })
    .join('\n\n')
}

/** Without null. */
function filled(schema: FieldSchema): FieldSchema {
  return schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
}

function fieldText({ type, enum: choices, description, anyOf, $ref }: FieldSchema): string {
  const types = anyOf?.map((one) => one.type ?? 'object').join(' or ')
  const what = choices ? choices.map(code).join(', ') : (types ?? type ?? ($ref ? 'object' : 'any'))
  return description === undefined ? what : `${what}. ${asSentence(description)}`
}

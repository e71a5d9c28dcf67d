/** Prints the page on conditions from the vocabulary that checks them. */
import type { plainOfRules } from '../../../src/core/expressions.ts'
import type { FieldType, Kind, Service } from '../../../src/core/model/kind.ts'
import { must } from '../../../src/core/model/must.ts'
import { pastMethods } from '../../../src/core/scenarios/decisions/payment-facts.ts'
import { things, type Variable, vocabularyOf } from '../../../src/core/vocabulary.ts'

const typeWords: Readonly<Record<FieldType, string>> = {
  string: 'text',
  double: 'number',
  bool: 'true or false',
  'list<string>': 'list of texts',
  'google.protobuf.Timestamp': 'moment',
  dyn: 'anything',
}

const plainMeanings: Readonly<Record<keyof typeof plainOfRules, string>> = {
  now: 'The time of the request, in UTC, such as now < timestamp("2025-02-01T00:00:00Z").',
  nth: 'The number of this payment among its kind, from 1. In a fault, of this request among its operation.',
  headers:
    'The headers of the request, such as headers["x-tenant"] == "a". An absent one is "". Secrets cannot be read.',
}

export const ownFunctions: readonly { example: string; meaning: string }[] = [
  {
    example: 'between("22:00", "06:00")',
    meaning: "True between two times of day in the scenario's time zone. The second may be on the next day.",
  },
  {
    example: 'similarity(request.beneficiaryName, account.holder) < 0.8',
    meaning: 'How alike two names are, from 0 to 1. Order, case and accents do not count.',
  },
  { example: 'request.remarks.matches("^INV-[0-9]+$")', meaning: 'True if the text contains the pattern (RE2).' },
  { example: 'has(request.remarks)', meaning: 'True if the field was sent. An absent text is "", an absent number 0.' },
]

export function conditionsText({ kinds }: Service): string {
  const all = [...kinds]
  return [
    'Write a condition in `when:`, in [CEL](https://cel.dev). Rules, callback faults and response faults have one.',
    '```yaml\nwhen: request.amount > 1000 && time.weekday == "FRI"\n```',
    list([
      'Texts are in quotes. `&&`, `||`, `!`, `in` and `? :` work as in C.',
      '`1000` and `1000.0` are the same number.',
      'For every n-th payment, write `nth % 3 == 0`, or `nth: { every: 3 }` beside `when`.',
    ]),
    '### request',
    'The fields of the request that creates the payment. In a response fault, `request` has the fields of path, query and body.',
    ...all.flatMap((kind) => [`**${kind.name}**`, list(fieldsOf(requestVariable(kind)))]),
    '### Other names',
    ...Object.entries(things).flatMap(([name, thing]) => [
      `**\`${name}\`**: ${thing.about} ${knownFor(forKinds(all, thing.known))}`,
      list(fieldsOf({ name, fields: thing.fields, ...(thing.words && { words: thing.words }) })),
    ]),
    list(Object.entries(plainMeanings).map(([name, meaning]) => `\`${name}\`: ${meaning}`)),
    '### history',
    'Earlier payments of the same kind. The current payment and refused requests do not count.',
    list([
      'A day starts at midnight in the scenario’s time zone.',
      'A duration is a text such as `"24h"`.',
      'Each function considers the last thousand payments of the party.',
    ]),
    knownFor(forKinds(all, ({ party }) => party !== null)),
    list(Object.values(pastMethods).map(({ example, meaning }) => `\`history.${example}\`: ${meaning}`)),
    '### Functions',
    list(ownFunctions.map(({ example, meaning }) => `\`${example}\`: ${meaning}`)),
    'CEL also has `startsWith`, `endsWith`, `contains` and `size` for texts, `in` for lists, and `double`, `int` and `string` to convert.',
    '### Parameters',
    'A scenario that extends another can give its parameters other defaults. `--set name=value` wins over both.',
    '```yaml\nname: early-cut-off\ndescription: Banks close at three.\nextends: payday-before-holiday\nparameters: { cutOff: { default: "15:00" } }\n```',
  ].join('\n\n')
}

function knownFor(kinds: string): string {
  return `For ${kinds}.`
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}

function requestVariable(kind: Kind): Variable {
  return must(vocabularyOf(kind).get('request'))
}

/** Such as `amount`: number. */
function fieldsOf({ fields, words = {} }: Pick<Variable, 'name' | 'fields' | 'words'>): string[] {
  return Object.entries(fields).map(([field, type]) => {
    const known = words[field]?.map((word) => JSON.stringify(word)).join(', ')
    return `\`${field}\`: ${known === undefined ? typeWords[type] : `one of ${known}`}`
  })
}

function forKinds(all: readonly Kind[], known: (kind: Kind) => boolean = () => true): string {
  const names = all.filter(known).map(({ name }) => name)
  return names.length === all.length ? 'every kind' : names.join(', ')
}

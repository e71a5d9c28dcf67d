/** Prints the page on conditions from the vocabulary that checks them. */
import { ownFunctions, plainMeanings } from '../../../core/expressions.ts'
import type { FieldType } from '../../../core/model/field-types.ts'
import type { Kind } from '../../../core/model/kind.ts'
import { must } from '../../../core/model/must.ts'
import type { Service } from '../../../core/model/simulated-service.ts'
import { hasHistory, pastMethods } from '../../../core/payment-history.ts'
import { things, type Variable, vocabularyOf } from '../../../core/vocabulary.ts'

const typeWords: Readonly<Record<FieldType, string>> = {
  string: 'text',
  double: 'number',
  bool: 'true or false',
  'list<string>': 'list of texts',
  'google.protobuf.Timestamp': 'moment',
  dyn: 'anything',
}

export function conditionsPage(service: Service): string {
  return `# What conditions can ask\n\n${conditionsText(service)}\n`
}

/** The headings start at level two, so that the text fits into another page. */
export function conditionsText({ kinds }: Service): string {
  const all = [...kinds]
  return [
    'A rule, a fault of callbacks and a fault of answers have a condition in `when:`, in [CEL](https://cel.dev): `request.amount > 1000 && time.weekday == "FRI"`. It is checked when the scenario is loaded. Numbers compare whatever their form; a text stands in quotes; `&&`, `||`, `!`, `in`, `? :` work as in C.',
    '## request',
    'The fields of the request that asks for the payment. Conditions of a fault of answers see path, query and body in one.',
    table(
      ['kind', 'fields'],
      all.map((kind) => [kind.name, fieldsOf(requestVariable(kind))]),
    ),
    '## What is known besides',
    table(
      ['name', 'fields', 'for', 'what it is'],
      Object.entries(things).map(([name, thing]) => [
        `\`${name}\``,
        fieldsOf({ name, fields: thing.fields, ...(thing.words && { words: thing.words }) }),
        forKinds(all, thing.known),
        thing.about,
      ]),
    ),
    table(
      ['value', 'what it is'],
      Object.entries(plainMeanings).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    '## history',
    `Earlier payments of the same kind, for ${forKinds(all, hasHistory)}. The asking one does not count, nor does what was refused. A day begins at midnight of the scenario's time zone; a length of time is written out, such as "24h".`,
    table(
      ['asked', 'for', 'gives'],
      Object.values(pastMethods).map(({ example, meaning, direction }) => [
        `\`history.${example}\``,
        forKinds(all, (kind) => hasHistory(kind) && (direction ?? kind.direction) === kind.direction),
        meaning,
      ]),
    ),
    '## Functions',
    table(
      ['for example', 'what it says'],
      ownFunctions.map(({ example, meaning }) => [`\`${example}\``, meaning]),
    ),
    'Of CEL: `startsWith`, `endsWith`, `contains` and `size` of texts, `exists`, `all` and `filter` of lists, `double`, `int` and `string` to convert.',
    '## Parameters in conditions',
    'A scenario that extends another sets its parameters by declaring them again with another default; the value holds in the rules of the other, too. `--set limit=500` and `PUT /_mfano/scenario?set.limit=500` come before both.',
    '```yaml\nname: early-cut-off\ndescription: Banks close at three.\nextends: payday-before-holiday\nparameters: { cutOff: { default: "15:00" } }\n```',
  ].join('\n\n')
}

function requestVariable(kind: Kind): Variable {
  return must(vocabularyOf(kind).get('request'))
}

/** Such as `amount` number, `weekday` one of "SUN", "MON". */
function fieldsOf({ fields, words = {} }: Pick<Variable, 'name' | 'fields' | 'words'>): string {
  return Object.entries(fields)
    .map(([field, type]) => {
      const known = words[field]?.map((word) => JSON.stringify(word)).join(', ')
      return `\`${field}\` ${known === undefined ? typeWords[type] : `one of ${known}`}`
    })
    .join('; ')
}

function forKinds(all: readonly Kind[], known: (kind: Kind) => boolean = () => true): string {
  const names = all.filter(known).map(({ name }) => name)
  return names.length === all.length ? 'every kind' : names.join(', ')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

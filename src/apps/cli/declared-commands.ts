/** Turns control operations into commands, from their declarations. A few are shown, or typed, in a way of their own. */

import { readFileSync } from 'node:fs'
import { type ControlId, type OperationAnswer, requestOf } from '../../client/control.ts'
import { wholeCsv } from '../../client/whole-csv.ts'
import { asJson } from '../../core/model/json.ts'
import { isRecord, must } from '../../core/model/must.ts'
import { type Hint, hintSentence } from '../../core/model/problems.ts'
import { whyUnreadable } from '../../hosts/node/file-access.ts'
import type { JsonSchema } from '../../http/json-schema.ts'
import type { AnyOperation, OperationDescription, OperationField } from '../../server/operation-fields.ts'
import {
  type Arguments,
  CLEAN,
  type CliCommand,
  type CommandGroup,
  commandOf,
  csvFlag,
  type Flag,
  PROBLEMS,
  UsageError,
} from './command.ts'
import { toldOperations } from './operations.gen.ts'
import type { Output } from './output.ts'
import { type AnswerPrinter, printed, type Server, serverFlags, serverOf } from './server.ts'
import { columnsOf, detailsOf, table } from './table.ts'
import { oneOf } from './typed-values.ts'
import { inZoneOf, size } from './words.ts'
import { saveTo } from './world-files.ts'

const LIMIT_MAX = 1000
const paging = ['limit', 'before', 'from', 'order']
const replaceFlag: Flag = { name: 'replace', help: 'Overwrite the file.' }

export interface Asking<Answer> {
  server: Server
  given: Arguments
  output: Output
  parameters: Readonly<Record<string, unknown>>
  send(more?: Record<string, unknown>): Promise<Answer>
}

/** Parts of a command that its declaration cannot express. */
export interface ByHand<Answer> extends Partial<Omit<AnswerPrinter<Answer>, 'show'>>, Partial<Omit<CliCommand, 'run'>> {
  ask?(asking: Asking<Answer>): Promise<Answer | undefined>
  show?: AnswerPrinter<Answer>['show']
}

type ByVerb<Noun extends string> = {
  [Id in ControlId as Id extends `${Noun}.${infer Verb}` ? Verb : never]?: ByHand<OperationAnswer<Id>>
}

export function nounGroup<Noun extends string>(
  noun: Noun,
  byHand: ByVerb<Noun> = {},
  own: readonly CliCommand[] = [],
): CommandGroup {
  const ofVerbs = new Map<string, ByHand<unknown>>(Object.entries(byHand))
  const declared = toldOperations.flatMap((one) => {
    const [first, verb = ''] = commandOf(one.id)
    return first !== noun || own.some(({ name }) => name === verb) ? [] : [commandFor(one, ofVerbs.get(verb))]
  })
  const commands = [...own, ...declared]
  const names = commands.map(({ name }) => name)
  return { commands, otherwise: must(['list', 'show', ...names].find((verb) => names.includes(verb))) }
}

export function declaredCommands(name: string): CliCommand | CommandGroup {
  const declared = toldOperations.find(({ id }) => commandOf(id).join(' ') === name)
  return declared ? commandFor(declared) : nounGroup(name)
}

export function operationCommand<Id extends ControlId, Answer = OperationAnswer<Id>>(
  id: Id,
  byHand: ByHand<Answer>,
): CliCommand {
  return commandFor(must(toldOperations.find((one) => one.id === id)), byHand)
}

function commandFor<Answer>(declared: OperationDescription, byHand: ByHand<Answer> = {}): CliCommand {
  const { id, list, screen, summary, description } = declared
  // `--csv` and `--world` say these.
  const taken = declared.fields.filter(({ name, in: place }) =>
    list && name === 'format' ? false : name !== 'world' || place !== 'query',
  )
  const inOrder = ['url', ...(screen?.words ?? [])].flatMap((typed) => {
    const [name, label] = typed.split('=')
    return taken.flatMap((one) => (one.name === name ? [{ ...one, label }] : []))
  })
  const typedAsWords: readonly TypedField[] = [...taken.filter((one) => one.in === 'path'), ...inOrder]
  const words = [...typedAsWords.map(wordOf), ...(declared.isFile ? ['[FILE]'] : [])].join(' ')
  const path = commandOf(id)
  const {
    flags = [],
    fields = typedAsWords.map(({ name }) => name),
    ask,
    show,
    verdict = verdictOf(screen),
    ...rest
  } = byHand
  const examples = screen?.examples ?? [
    [words, ...taken.filter((one) => one.required && one.in !== 'path').map(asFlag)].join(' '),
  ]
  const byName = new Set([...flags.map(({ name, field = name }) => field), ...fields].flatMap((one) => one.split('|')))
  const command: CliCommand = {
    name: must(path.at(-1)),
    summary: `${summary}.`,
    about: [description ?? [], typedAsWords.map((one) => `${wordOf(one)}: ${one.description}`)].flat().join('\n'),
    words,
    fields,
    names: typedAsWords.map(({ schema }) => textChoices(schema) ?? []),
    examples: examples.map((line) => ['mfano', ...path, line].join(' ').trim()),
    flags: [
      ...flags,
      ...taken.flatMap((field) => (byName.has(field.name) ? [] : [flagOf(field, declared)])),
      ...(declared.isFile ? [replaceFlag] : []),
      ...serverFlags,
      ...(list ? [csvFlag] : []),
    ],
    ...(screen?.verdict && { exits: { 0: screen.verdict[1], 1: screen.verdict[2] } }),
    ...rest,
    run: async (given, output) => {
      const server = placeOf(declared, serverOf(given))
      const parameters = await typedParameters(command, taken, flags, given, server)
      if (list && given.has('csv')) return printCsv(declared, parameters, given, output, server)
      const open = (more: Record<string, unknown> = {}) => {
        const request = requestOf(declared, { ...parameters, ...more })
        return server.control.open<Response>(declared.method, declared.path, request)
      }
      if (declared.isFile) {
        const named = given.words[typedAsWords.length] ?? `${given.words[0] ?? path[0]}.mfano`
        const say = ({ file, bytes }: { file: string; bytes: number }) => `Wrote ${file} (${size(bytes)}).\n`
        return printed(await saveTo(named, given, open), { show: say }, given, output)
      }
      const send = async (more?: Record<string, unknown>) => answerIn<Answer>(await open(more), server, given)
      const answer = await (ask?.({ server, given, output, parameters, send }) ?? send())
      if (answer === undefined) return CLEAN
      if (answer instanceof Response) return copy(answer, output)
      const printAnswer: AnswerPrinter<Answer>['show'] = async (...asked) =>
        `${show ? await show(...asked) : ''}${await screenOf(declared, answer, given, output, show !== undefined)}`
      return printed(answer, { show: printAnswer, verdict }, given, output)
    },
  }
  return command
}

function verdictOf(screen: OperationDescription['screen']): AnswerPrinter<unknown>['verdict'] {
  const [field] = screen?.verdict ?? []
  return field === undefined ? undefined : (answer) => (isRecord(answer) && answer[field] === true ? CLEAN : PROBLEMS)
}

function placeOf({ isOfServer, isPatient }: OperationDescription, server: Server): Server {
  const place = isOfServer ? server.root : server
  return isPatient ? place.within('for-ever') : place
}

async function answerIn<Answer>(response: Response, server: Server, given: Arguments): Promise<Answer> {
  if (!/\bjson\b/.test(response.headers.get('content-type') ?? '')) return response as Answer
  const answer: Answer = JSON.parse(await response.text())
  // The times of another world are shown in its zone.
  if (isRecord(answer) && 'clock' in answer && typeof answer['id'] === 'string' && !given.has('json'))
    await server.of(answer['id']).control('GET', '/clock')
  return answer
}

async function printCsv(
  declared: OperationDescription,
  parameters: Record<string, unknown>,
  given: Arguments,
  output: Output,
  { control }: Server,
): Promise<number> {
  if (given.has('json')) throw new UsageError('--json and --csv contradict each other. Remove one of them.')
  const { path, query } = requestOf(declared, parameters)
  output.out(await wholeCsv(control, { list: declared.path, ...(path && { path }), ...(query && { query }) }))
  return CLEAN
}

/** Also copies streams that do not end. */
async function copy({ body }: Response, output: Output): Promise<number> {
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) output.out(decoder.decode(chunk, { stream: true }))
  return CLEAN
}

async function screenOf(
  { id, list, screen }: OperationDescription,
  answer: unknown,
  given: Arguments,
  output: Output,
  isShown: boolean,
): Promise<string> {
  if (!isRecord(answer)) return ''
  const shown = answer as never
  const told = screen?.says && (await declarationOf(id)).screen?.says?.(shown)
  const says = told ? await sentence(told, given) : ''
  if (screen?.facts || screen?.parts || isShown)
    return `${detailsOf(screen ?? {}, answer, output)}${says && `\n${says}`}`
  if (list) {
    const found = list.picks ? (await declarationOf(id)).list?.picks?.(shown) : answer[list.rows]
    const rows: readonly object[] = Array.isArray(found) ? found : []
    if (rows.length === 0) return nothing(list, given)
    return `${table(rows, columnsOf(list.columns, rows), output)}${more(rows.length, answer, given)}${says}`
  }
  if (screen?.columns) return `${table([answer], columnsOf(screen.columns, [answer]), output)}${says}`
  return says || `${JSON.stringify(answer, null, 2)}\n`
}

/** Loaded for its functions alone, which takes longer than to ask. */
async function declarationOf(id: string): Promise<AnyOperation> {
  const { operations } = await import('../../server/operation-fields.ts')
  return must(operations.get(id))
}

async function sentence(said: string | Hint, given: Arguments): Promise<string> {
  return `${typeof said === 'string' ? said : hintSentence(said, await given.commandFor(said))}\n`
}

async function nothing({ name, none }: NonNullable<OperationDescription['list']>, given: Arguments): Promise<string> {
  const isFiltered = given.names.some((flag) => !['url', 'world', ...paging].includes(flag))
  if (isFiltered) return `No ${name} match. Remove a filter.\n`
  return sentence(none ?? `No ${name} yet.`, given)
}

function more(
  shown: number,
  { total, next }: { total?: number | null; next?: number | null },
  given: Arguments,
): string {
  const all = total ?? (next == null ? shown : LIMIT_MAX)
  if (all <= shown) return ''
  const limit = Math.min(LIMIT_MAX, all)
  const raise = limit > Number(given.get('limit') ?? shown) ? ` Show more: --limit ${limit}` : ''
  return total == null ? `The first ${shown}.${raise}\n` : `${shown} of ${total}.${raise}\n`
}

type TypedField = OperationField & { label?: string | undefined }

function wordOf({ name, required, label = name.toUpperCase() }: TypedField): string {
  return required ? label : `[${label}]`
}

function flagOf(field: OperationField, { method }: OperationDescription): Flag {
  const { name, description, required, schema } = field
  const types = schemaTypes(schema)
  const choices = isKind(field) ? undefined : textChoices(schema)
  const isSwitch = types.join() === 'boolean' || choices?.join() === 'true,false'
  const value = isTime(field, method)
    ? 'time'
    : isKind(field) || (choices && choices.length > 4)
      ? name
      : valueName(schema)
  return {
    name: flagName(name),
    field: name,
    value,
    help: `${description || `The ${name}.`}${required ? ' Required.' : ''}`,
    expected: isNumber(types) ? 'a number' : value,
    ...(isSwitch && { alone: 'true', example: '', choices: ['true', 'false'] }),
    ...(isNumber(types) && { holds: (text: string) => Number.isFinite(Number(plainNumber(text) || Number.NaN)) }),
    ...(types.includes('array') && { many: true }),
    ...(choices && { choices }),
    ...(isKind(field) && { names: 'kinds' as const }),
  }
}

function textChoices({ enum: choices }: JsonSchema): readonly string[] | undefined {
  return choices?.every((one) => typeof one === 'string') ? choices : undefined
}

function isKind({ name, schema }: OperationField): boolean {
  return name === 'kind' && schema.enum !== undefined
}

/** In every list, `since` and `until` are times of the world. */
function isTime({ name }: OperationField, method: string): boolean {
  return method === 'GET' && (name === 'since' || name === 'until')
}

function asFlag({ name, schema }: OperationField): string {
  const value = schema.enum?.[0] ?? (/^(?:number|integer)$/.test(String(schema.type)) ? 1 : name.toUpperCase())
  return `--${flagName(name)} ${value}`
}

function flagName(field: string): string {
  return field.replace(/(?<=.)(?:Id|Url)$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

async function typedParameters(
  { words = '', fields = [], flags }: CliCommand,
  taken: readonly OperationField[],
  own: readonly Flag[],
  given: Arguments,
  { control }: Server,
): Promise<Record<string, unknown>> {
  const parameters: Record<string, unknown> = {}
  for (const field of taken) {
    const at = fields.indexOf(field.name)
    const flag = flags.find((one) => one.field === field.name && !own.includes(one))
    const typed = at < 0 ? (flag ? given.all(flag.name) : []) : given.words.slice(at, at + 1)
    const [first] = typed
    if (first === undefined) continue
    const label = flag ? `--${flag.name}` : (words.split(' ')[at] ?? '').replaceAll(/[[\]]/g, '')
    const choices = textChoices(field.schema)
    if (choices && !flag) oneOf(label, first, choices)
    if (isKind(field)) oneOf(label, first, (await import('../../service/service.ts')).paymentsService.kinds.names)
    parameters[field.name] = flag?.value === 'time' ? await inZoneOf(control, first) : typedField(field, typed, label)
  }
  return parameters
}

function valueName(schema: JsonSchema): string {
  const types = schemaTypes(schema)
  if (schema.enum) return schema.enum.join('|')
  if (types.length === 0) return 'text|@file'
  return types.map((type) => NAMES[type] ?? type).join('|')
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'number',
  object: 'json',
  array: 'values',
  boolean: 'true|false',
}

function schemaTypes({ type = [], anyOf = [], oneOf = [], enum: known = [], const: only }: JsonSchema): string[] {
  const said = typeof type === 'string' ? [type] : type
  const literal = [...known, ...(only === undefined ? [] : [only])].map(typeOf)
  return [...new Set([...said, ...[...anyOf, ...oneOf].flatMap(schemaTypes), ...(said.length > 0 ? [] : literal)])]
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

function typedField({ schema }: OperationField, typed: readonly string[], label: string): unknown {
  const types = schemaTypes(schema)
  const values = typed.map((text) => readValue(types, text, label))
  const listed =
    types.includes('array') && (typed.length > 1 || (!types.includes('string') && !Array.isArray(values[0])))
  if (!listed) return values.at(-1)
  return typed.map((text) => readValue(schemaTypes(schema.items ?? {}), text, label))
}

function readValue(types: readonly string[], typed: string, label: string): unknown {
  if (types.join() === 'string') return typed
  const text = typed.startsWith('@') ? textIn(typed.slice(1)) : typed
  const value = asJson(isNumber(types) ? plainNumber(text) : text)
  const type = typeOf(value)
  const fits = types.length === 0 || types.includes(type) || (type === 'number' && types.includes('integer'))
  if (fits) return value
  if (types.includes('string') || types.includes('array')) return text
  throw new UsageError(`${label}: expected ${valueName({ type: [...types] })}, got ${JSON.stringify(text)}.`)
}

/** `2,500.50` and `2_500.50` are 2500.5. */
function plainNumber(text: string): string {
  return text.replaceAll(/(?<=\d)[,_](?=\d)/g, '')
}

function isNumber(types: readonly string[]): boolean {
  return types.length > 0 && types.every((type) => type === 'number' || type === 'integer')
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${whyUnreadable(error)}.`)
  }
}

/** The parts of documentation that are generated from the code: commands, settings, conditions, the control plane. */
import {
  type CliCommand,
  type CommandEntry,
  csvFlag,
  type Flag,
  jsonFlag,
  urlFlag,
  worldFlag,
} from '../../src/apps/cli/command.ts'
import { settingFlags } from '../../src/apps/cli/start/read-settings.ts'
import { startCommand } from '../../src/apps/cli/start/start-command.ts'
import { entries } from '../../src/apps/cli/tree.ts'
import { callbackFaults } from '../../src/core/model/callback-fault.ts'
import { errorAnswerShape, fieldsOfFault, responseFaultNames, responseFaults } from '../../src/core/model/faults.ts'
import { shippedScenarios } from '../../src/hosts/node/package.ts'
import { scenarioLibrary } from '../../src/hosts/node/scenarios.ts'
import { findingRecords } from '../../src/inspect/finding.ts'
import type { FindingRecord } from '../../src/inspect/reconcile/money-findings.ts'
import { appFindings } from '../../src/judge/app/app-findings.ts'
import { controlContract } from '../../src/server/control/control-contract.ts'
import { controlOperations } from '../../src/server/control-operations.ts'
import { paymentsService } from '../../src/service/service.ts'
import { catalogueOf } from './reference/catalogue.ts'
import { conditionsText } from './reference/conditions.ts'
import { meaningOf } from './reference/entry.ts'
import { kitMethods } from './reference/kits.ts'
import { scenarioKeys } from './reference/scenario-keys.ts'
import { checkOrder, kindFields, serviceErrors, worldEvents } from './reference/service-parts.ts'

/** A page's text with its made parts made anew: what stands between `<!-- made: NAME -->` and `<!-- end -->`. */
export async function withMadeParts(text: string): Promise<string> {
  let made = text
  for (const [whole, name = ''] of text.matchAll(/<!-- made: ([\w-]+) -->\n[\s\S]*?<!-- end -->/g)) {
    const part = parts[name]
    if (!part) throw new Error(`nothing makes the part "${name}"`)
    made = made.replace(whole, () => `<!-- made: ${name} -->\n\n${'PLACE'}\n\n<!-- end -->`)
    const content = await part()
    made = made.replace('PLACE', () => content)
  }
  return made
}

const parts: Readonly<Record<string, () => string | Promise<string>>> = {
  'scenario-keys': scenarioKeys,
  'kind-fields': kindFields,
  events: worldEvents,
  kits: kitMethods,
  errors: serviceErrors,
  'check-order': checkOrder,
  operations,
  catalogue,
  commands,
  settings,
  conditions: () => conditionsText(paymentsService),
  findings,
  'app-findings': ownFindings,
  'callback-faults': callbackFaultRows,
  'response-faults': responseFaultRows,
}

/** A line for each operation of the control plane. */
function operations(): string {
  const address = { baseUrl: 'http://localhost:8080', version: '' }
  const { paths } = controlContract(controlOperations, address)
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId, summary }]) =>
        `| \`${operationId}\` | \`${method.toUpperCase()} ${path.replace('/_mfano', '') || '/'}\` | ${cell(summary)} |`,
    ),
  )
  return ['| operation | below `/_mfano` | summary |', '| --- | --- | --- |', ...rows].join('\n')
}

/** Every shipped scenario. */
function catalogue(): string {
  const library = scenarioLibrary()
  const scenarios = shippedScenarios().map((name) => library.shipped(name))
  return catalogueOf(scenarios, 'default', paymentsService).trimEnd()
}

async function commands(): Promise<string> {
  const groups = Map.groupBy(entries, ({ group }) => group)
  const told = await Promise.all(
    Array.from(groups, async ([group, those]) => [`## ${group}`, ...(await Promise.all(those.map(entryText)))]),
  )
  return told.flat().join('\n\n')
}

async function entryText({ name, summary, load }: CommandEntry): Promise<string> {
  const heading = `### ${name}\n\n${summary}`
  const found = await load()
  if (!('commands' in found)) return `${heading}\n\n${commandText(name, found)}`
  const inside = found.commands.map(
    (one) => `#### ${name} ${one.name}\n\n${one.summary}\n\n${commandText(`${name} ${one.name}`, one)}`,
  )
  return [heading, ...inside].join('\n\n')
}

/** The flags of every command that asks a server are told once, at the head of the page. */
const common = [urlFlag, worldFlag, jsonFlag, csvFlag]

function commandText(path: string, { words, flags, examples, about, exits, usage }: CliCommand): string {
  const own = path === 'start' ? [] : flags.filter((flag) => !common.includes(flag))
  const told = own.map(({ name, value, alone, help, byDefault }) => {
    const usual = byDefault === undefined ? '' : ` Default: ${byDefault}.`
    return `- \`--${name}${value === undefined || alone !== undefined ? '' : ` ${value}`}\`: ${plain(help)}${plain(usual)}`
  })
  return [
    `\`${usage ?? ['mfano', path, words].filter(Boolean).join(' ')}\``,
    ...(about === undefined ? [] : [about]),
    ...(path === 'start' ? ['Its flags are on the page [Settings](settings.md).'] : []),
    ...(told.length > 0 ? [told.join('\n')] : []),
    ...(examples.length > 0 ? [['```text', ...examples, '```'].join('\n')] : []),
    ...(exits ? [exitTable(exits)] : []),
  ].join('\n\n')
}

function exitTable(exits: NonNullable<CliCommand['exits']>): string {
  const rows = Object.entries(exits).map(([code, meaning]) => `| ${code} | ${meaning} |`)
  return ['| exit code | meaning |', '| --- | --- |', ...rows].join('\n')
}

function plain(text: string): string {
  return text.replaceAll('<', '&lt;')
}

function settings(): string {
  const flags: readonly Flag[] = startCommand.flags
  const rows = settingFlags.map(({ name, env, help }) => {
    const usual = flags.find((flag) => flag.name === name)?.byDefault
    return `| \`--${name}\` | \`${env}\` | ${usual === undefined ? 'none' : `\`${cell(usual)}\``} | ${cell(help)} |`
  })
  return ['| flag | environment | default | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function findings(): string {
  return Object.entries<FindingRecord<never>>(findingRecords)
    .map(([name, record]) => findingText(name, record))
    .join('\n\n')
}

function ownFindings(): string {
  return Object.entries(appFindings)
    .map(([name, { example, ...record }]) => {
      return `${findingText(name, { ...record, level: 'error' })}\n\n\`\`\`text\n${name}: ${example}\n\`\`\``
    })
    .join('\n\n')
}

function findingText(
  name: string,
  { level, meaning, cause, todo }: Pick<FindingRecord<never>, 'level' | 'meaning' | 'cause' | 'todo'>,
): string {
  const lines = [`- Level: ${level === 'error' ? 'error' : 'advice'}`, `- Typical cause: ${cause}`, `- Fix: ${todo}`]
  return [`### ${name}`, meaning, lines.join('\n')].join('\n\n')
}

function callbackFaultRows(): string {
  return Object.entries(callbackFaults)
    .map(([name, { schema, refusable }]) => {
      const may = refusable ? 'A correct receiver may accept or refuse it.' : 'A correct receiver accepts it.'
      return `- \`${name}\`: ${meaningOf(schema.description ?? '').sentences.join(' ')} ${may}`
    })
    .join('\n')
}

function responseFaultRows(): string {
  return responseFaultNames
    .map((name) => {
      const { schema, appSees } = responseFaults[name]
      const names = fieldsOfFault(name).map((field) => `\`${field}\``)
      const { sentences } = meaningOf(schema.description ?? errorAnswerShape.status.description ?? '')
      return `- ${names.join(', ')}: ${sentences.join(' ')} Your app sees ${appSees}.`
    })
    .join('\n')
}

/** Text that stands in a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll(/\s+/g, ' ')
}

/** The catalogue of shipped scenarios as Markdown, from the files alone. */
import { parse } from 'yaml'
import { shellWord } from '../../../src/apps/cli/words.ts'
import type { Kind, Service } from '../../../src/core/model/kind.ts'
import { keysIn } from '../../../src/core/model/must.ts'
import type { FaultSummary, RuleSummary } from '../../../src/core/model/rule-summaries.ts'
import type { Scenario } from '../../../src/core/scenario.ts'
import { riskOfScenario, riskTitles } from '../../../src/judge/subject/risks.ts'

const WIDTH = 120
const FOLDED_FROM = 12

const groups = {
  ordinary: ['An ordinary day', 'The world that mfano starts with, and that the others change.'],
  paying: ['Paying out', 'Send money, tills, paybills, banks, and what moves between wallets.'],
  collecting: ['Getting paid', 'Phone prompts, checkout pages and what arrives in the bank.'],
  told: ['Being told', 'Callbacks that come twice, late, early, wrongly or not at all.'],
  anywhere: ['Wherever you call', 'Tokens, errors, references, and rails that everything shares.'],
} as const
type Group = keyof typeof groups

interface Effective {
  wallets?: object
  clock?: object
  assumptions?: Record<string, string>
  callbacks?: { retry?: object; faults?: object[] }
  directory?: Record<string, object[]>
  rails?: Record<string, RailEntry[]>
  rules?: { name: string; then: { callback?: object } }[]
}
interface RailEntry {
  name?: string
  on: string | string[]
  [setting: string]: unknown
}

export function catalogueOf(scenarios: readonly Scenario[], base: string, service: Service): string {
  const common = effective(scenarios.find(({ name }) => name === base))
  const listed = scenarios.map((scenario) => {
    if (scenario.name === base) return { scenario, changes: changesOf(common), group: 'ordinary' as const }
    const own = effective(scenario)
    return { scenario, changes: changesOf(own, common), group: groupOf(scenario, own, common, service) }
  })
  const inGroup = (group: Group) => listed.filter((one) => one.group === group)
  const names = keysIn(groups)
  return `${[
    ...names.map((group) => contents(group, inGroup(group))),
    ...names.flatMap((group) => [
      `## ${groups[group][0]}`,
      ...inGroup(group).map(({ scenario, changes }) => entry(scenario, changes)),
    ]),
  ].join('\n\n')}\n`
}

function effective(scenario: Scenario | undefined): Effective {
  return scenario ? parse(scenario.effective()) : {}
}

function contents(group: Group, listed: readonly { scenario: Scenario }[]): string {
  const rows = listed.map(({ scenario: { name, description } }) => `| [${name}](#${name}) | ${cell(description)} |`)
  const [title, sentence] = groups[group]
  return `**${title}.** ${sentence}\n\n| | |\n| --- | --- |\n${rows.join('\n')}`
}

function entry(scenario: Scenario, changes: readonly string[]): string {
  const { name, description, parameters, source, zone } = scenario
  const [knob] = parameters
  const set = knob === undefined ? '' : ` --set ${knob.name}=${shellWord(String(knob.default))}`
  const lines = [...linesOf(scenario), ...changes]
  const list = lines.map((line) => `- ${line}`).join('\n')
  const folded = `<details><summary>${lines.length} rules and settings</summary>\n\n${list}\n\n</details>`
  return [
    `### ${name}`,
    `*${oneLine(description)}*`,
    ...header(source),
    `Time zone: ${zone.name}`,
    parameters.length > 0 && knobs(parameters),
    lines.length > FOLDED_FROM ? folded : list,
    `\`npm start -- --scenario ${name}${set}\``,
  ]
    .filter(Boolean)
    .join('\n\n')
}

function knobs(parameters: Scenario['parameters']): string {
  const rows = parameters.map(
    ({ name, default: usual, description = '' }) => `| \`${name}\` | \`${usual}\` | ${cell(description)} |`,
  )
  return `| parameter | default | |\n| --- | --- | --- |\n${rows.join('\n')}`
}

function header(source: string): string[] {
  const lines = source.split('\n').filter((line) => !line.startsWith('# yaml-language-server'))
  const end = lines.findIndex((line) => !line.startsWith('#'))
  const paragraphs: string[][] = [[]]
  for (const line of lines.slice(0, end).map((one) => one.replace(/^# ?/, ''))) {
    const [last = []] = paragraphs.slice(-1)
    const indented = line.startsWith('  ')
    const begins =
      /^(?:A naive |What to do: |Risk: )/.test(line) || (last[0]?.startsWith('  ') ?? indented) !== indented
    if (line === '') paragraphs.push([])
    else if (begins && last.length > 0) paragraphs.push([line])
    else last.push(line)
  }
  return paragraphs
    .filter((paragraph) => paragraph.length > 0)
    .map((paragraph) =>
      paragraph[0]?.startsWith('  ') ? `\`\`\`text\n${paragraph.join('\n')}\n\`\`\`` : wrap(told(paragraph.join(' '))),
    )
}

/** With what to do, and the risk by its title. */
function told(paragraph: string): string {
  const risk = riskOfScenario(`# ${paragraph}`)
  return risk === undefined
    ? paragraph.replace(/^What to do: /, '**What to do:** ')
    : `**Risk:** ${riskTitles[risk].toLowerCase()}.`
}

function linesOf({ rules, faults, callbackFaults }: Scenario): string[] {
  const own = (one: RuleSummary | FaultSummary) => !one.inherited
  return [...rules.filter(own), ...faults.filter(own), ...callbackFaults.filter(own)].map((one) => {
    const conditions = [
      one.on.map((target) => (target === '*' ? 'every operation' : target)).join(', '),
      one.when !== undefined && `when \`${oneLine(one.when)}\``,
      one.nth,
      one.chance !== undefined && `with odds of ${one.chance}`,
    ]
    return `**${one.name}** (${conditions.filter(Boolean).join(', ')}): ${one.then}`
  })
}

function changesOf(own: Effective, base: Effective = {}): string[] {
  const section = (name: string, mine: object = {}, theirs: object = {}) => {
    const known = Object.entries(theirs).map((one) => JSON.stringify(one))
    const changed = Object.entries(mine).filter(
      ([key, value]) => key !== 'faults' && !known.includes(JSON.stringify([key, value])),
    )
    return changed.length === 0 ? [] : [`**${name}**: ${words(Object.fromEntries(changed))}`]
  }
  const directory = Object.entries(own.directory ?? {}).flatMap(([list, entries]) => {
    const known = (base.directory?.[list] ?? []).map((one) => JSON.stringify(one))
    const added = entries.filter((one) => !known.includes(JSON.stringify(one)))
    return added.map((one) => `**directory**, ${list}: ${words(one)}`)
  })
  const rails = Object.entries(own.rails ?? {}).flatMap(([list, entries]) =>
    entries.map(
      ({ name, on, ...rest }) => `**${name ?? list}** (${list} of ${[on].flat().join(', ')}): ${words(rest)}`,
    ),
  )
  return [
    ...rails,
    ...section('callbacks', own.callbacks, base.callbacks),
    ...section('wallets', own.wallets, base.wallets),
    ...section('clock', own.clock, base.clock),
    ...section('assumptions', own.assumptions, base.assumptions),
    ...directory,
  ]
}

/** Chosen by what the scenario affects: callbacks first, then the direction of money if there is only one. */
function groupOf(scenario: Scenario, own: Effective, base: Effective, service: Service): Group {
  const assumed = Object.entries(service.assumptions).filter(([id]) => own.assumptions?.[id] !== base.assumptions?.[id])
  const rules = scenario.rules.filter(({ inherited }) => !inherited)
  const telling = own.rules?.some(({ name, then }) => then.callback && rules.some((rule) => rule.name === name))
  const touched = [
    ...rules.flatMap(({ on }) => on),
    ...scenario.faults.flatMap(({ on }) => on.map((target) => pathOf(service, target))),
    ...Object.values(own.rails ?? {}).flatMap((entries) => entries.flatMap(({ on }) => on)),
    ...assumed.flatMap(([, { touches }]) => [touches.operations ?? []].flat().map((one) => pathOf(service, one))),
    ...(assumed.some(([, { touches }]) => touches.callbacks) ? ['callback'] : []),
    ...(JSON.stringify(own.wallets) === JSON.stringify(base.wallets) ? [] : ['payouts']),
  ]
  const touches = (pattern: RegExp) => touched.some((one) => pattern.test(one))
  if (telling || touches(/callback/) || JSON.stringify(own.callbacks) !== JSON.stringify(base.callbacks)) return 'told'
  const named = (word: string, wanted: (kind: Kind) => boolean) =>
    touches(new RegExp([word, ...service.kinds.filter(wanted).map(({ name }) => name)].join('|')))
  const out = named('payout', ({ direction }) => direction === 'out' || direction === 'between')
  const back = named('collection', ({ direction }) => direction === 'in')
  return out === back ? 'anywhere' : out ? 'paying' : 'collecting'
}

function pathOf({ operations }: Service, target: string): string {
  return operations.find(({ id }) => id === target)?.path ?? target
}

function words(value: unknown): string {
  if (Array.isArray(value)) return value.map(words).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([key, one]) => `${key} ${typeof one === 'object' ? `(${words(one)})` : one}`)
    .join(', ')
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

function cell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|')
}

function wrap(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length === 0 || longer.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines.join('\n')
}

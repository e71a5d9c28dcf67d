import { must } from '../../core/model/must.ts'
import { counted } from '../../core/model/text.ts'
import { findingRecords } from '../../inspect/finding.ts'
import {
  type AboutMoney,
  type MarkedCell,
  moneyAtRisk,
  moneyOf,
  pointLines,
  type ReportDocument,
  type ReportPoint,
  type ReportRun,
  type ReportSection,
  type ReportStory,
} from '../../inspect/report-document.ts'
import { secondsUsed } from '../app/app-part.ts'
import type { AppFinding, Step } from './outcome.ts'
import { inTurn } from './risks.ts'

const WORST = 3

/** How judges mark what came of a run, or of a risk. */
export const verdictMarks = {
  clean: { mood: 'good', word: 'ok' },
  green: { mood: 'good', word: 'ok' },
  findings: { mood: 'bad', word: 'FOUND' },
  breaks: { mood: 'bad', word: 'BREAKS' },
  flaky: { mood: 'open', word: 'flaky' },
  killed: { mood: 'good', word: 'killed' },
  survived: { mood: 'bad', word: 'SURVIVED' },
  unjudged: { mood: 'open', word: 'unjudged' },
  skipped: { mood: 'none', word: 'skipped' },
  left: { mood: 'none', word: 'no time' },
  passed: { mood: 'good', word: 'passed' },
  'passed-so-far': { mood: 'open', word: 'passed so far' },
  failed: { mood: 'bad', word: 'FAILED' },
  'not-applicable': { mood: 'none', word: 'not applicable' },
  'not-reached': { mood: 'open', word: 'not reached' },
} as const satisfies Record<string, MarkedCell>

interface Judged<Data>
  extends Pick<ReportDocument<Data>, 'by' | 'title' | 'lead' | 'sections' | 'stories' | 'scorecard' | 'data'> {
  runs: NonNullable<ReportDocument['runs']>
  open?: string | undefined
  bad: string | undefined
  good: string
  interrupted?: boolean
  findings?: readonly AboutMoney[]
}

export function judgedDocument<Data>(of: Judged<Data>): ReportDocument<Data> {
  const { open, bad, good, interrupted = false, findings = [], stories = [], ...told } = of
  const atRisk = moneyAtRisk(findings)
  const unjudged = told.runs.filter(({ mood }) => mood === 'open')
  return {
    ...{ ...told, stories: stories.slice(0, WORST), ...(atRisk && { atRisk }) },
    verdict: verdictOf(of, interrupted || unjudged.length > 0),
    lead: [...of.lead, ...(interrupted ? ['It was interrupted: this is what was found so far.'] : [])],
    sections: [
      ...of.sections,
      texts(
        'Not judged',
        unjudged.map(({ name, why = '' }) => `${name}: ${why}`),
      ),
    ],
  }
}

/** Where the time of the apps and of this process went. */
export function processorTime(): string {
  const { user, system } = process.cpuUsage()
  return `Processor time: ${secondsUsed().toFixed(1)} s for the app, ${((user + system) / 1e6).toFixed(1)} s for mfano.`
}

function verdictOf({ open, bad, good }: Judged<unknown>, isOpen: boolean): ReportDocument['verdict'] {
  if (open !== undefined) return { mood: 'open', text: open }
  if (bad !== undefined) return { mood: 'bad', text: bad }
  return isOpen ? { mood: 'open', text: 'Not judged to the end.' } : { mood: 'good', text: good }
}

export function texts(title: string, lines: readonly string[]): ReportSection {
  return { title, points: lines.map((text) => ({ text })) }
}

export function saidSection(said: string): ReportSection {
  return texts('The last that was said', said === '' ? [] : said.split('\n'))
}

export interface ToldFinding extends AppFinding {
  scenario: string
  story?: readonly string[]
  ordinary?: true
  advice?: string
  replay?: string | undefined
}

export interface FindingLists {
  findings: readonly ToldFinding[]
  unstable: readonly ToldFinding[]
  unconfirmed: readonly ToldFinding[]
  tooSoon?: readonly ToldFinding[]
  allowUnstable: boolean
  isLog?: true
}

const EXAMPLES = 3
const codes: readonly string[] = Object.keys(findingRecords)

export function findingParts({ findings, unstable, unconfirmed, allowUnstable, isLog }: FindingLists) {
  const groups = [...Map.groupBy(findings, ({ code }) => code)].sort(([a], [b]) => codes.indexOf(a) - codes.indexOf(b))
  const alike = groups.map(([, those]) => those)
  const isCut = findings.length > groups.length
  const doubtful = [...unconfirmed, ...(allowUnstable ? [] : unstable)]
  const seen = [...findings, ...doubtful]
  const kinds = new Set(seen.map(({ code }) => code)).size
  const problems = `${counted(seen.length, 'problem')}${seen.length > kinds ? ` of ${counted(kinds, 'kind')}` : ''}`
  const confirmed = doubtful.length === 0 ? '' : `${findings.length > 0 ? `; ${doubtful.length}` : ','} not confirmed`
  const sections: ReportSection[] = [
    { title: 'Not confirmed: seen, but not each time', points: unstable.map(pointOf), isOpen: true },
    {
      title: 'Findings',
      points: alike.map(groupPoint),
      ...(isCut && { note: 'The first finding of each code. --json prints all.' }),
      isOpen: true,
      ...(isLog && { isLog }),
    },
    { title: 'Not confirmed: no time was left to repeat it', points: unconfirmed.map(pointOf), isOpen: true },
  ]
  return {
    bad: seen.length === 0 ? undefined : `${problems}${confirmed}.`,
    good: `No findings${unstable.length > 0 ? ', except unstable ones (allowed)' : ''}`,
    findings: [...findings, ...unconfirmed],
    stories: worstOf(alike.length > 0 ? alike : [[...unstable, ...unconfirmed]]),
    sections,
    runs: [...findings, ...doubtful].map(findingRun),
  }
}

function findingRun(finding: ToldFinding): ReportRun {
  const { code, scenario, text: why } = finding
  return { mood: 'bad', word: 'found', name: `${code} under ${scenario}`, why, failures: failuresOf([finding]) }
}

/** No findings, and files. `also`: files that are about no finding. */
export function sectionsAfter(
  { findings, unconfirmed, tooSoon = [] }: Pick<FindingLists, 'findings' | 'unconfirmed' | 'tooSoon'>,
  also: readonly string[] = [],
): ReportSection[] {
  return [
    { title: 'Corrected by the app a moment later (no finding)', points: tooSoon.map(pointOf) },
    texts('Written', [...also, ...writtenFiles([...findings, ...unconfirmed])]),
  ]
}

export function writtenFiles(findings: readonly ToldFinding[]): string[] {
  return findings.flatMap(({ schedule, scenarioFile, capsule }) =>
    [schedule ?? [], scenarioFile ?? [], capsule ?? []].flat(),
  )
}

export function failuresOf(findings: readonly ToldFinding[]): NonNullable<ReportRun['failures']> {
  return byScenario(findings).map(([first, rest]) => {
    const text = [...pointLines(detailsOf(first)), ...restOf(first, rest).map((one) => one.text)].join('\n')
    return { type: first.code, message: first.text, text }
  })
}

export function pointOf(finding: ToldFinding): ReportPoint {
  return { text: titleOf(finding), more: [detailsOf(finding)] }
}

function titleOf(finding: ToldFinding): string {
  return `${finding.code}${finding.story ? ':' : ''} ${situationOf(finding)}`
}

function situationOf({ scenario, story }: ToldFinding): string {
  return story?.join('; ') ?? `under ${scenario}`
}

/** The gravest code first, then most money; another scenario of the same code only where there is room. */
function worstOf(groups: readonly (readonly ToldFinding[])[]): ReportStory[] {
  const sorted = groups.map((alike) =>
    [...Map.groupBy(alike, ({ scenario }) => scenario).values()]
      .map((those) => must(those[0]))
      .sort((a, b) => (b.amount ?? 0) - (a.amount ?? 0)),
  )
  return inTurn(sorted).map((one) => ({
    ...detailsOf(one),
    ...(one.sequence && { exact: stepLines(one.sequence) }),
    title: titleOf(one),
    money: moneyOf(one),
  }))
}

/** A line for each step: between whom, and then what. */
export function stepLines(steps: readonly Step[]): string[] {
  const width = Math.max(...steps.map(({ where }) => where.length))
  return steps.map(({ where, text }) => `${where.padEnd(width)}  ${text}`)
}

function byScenario(findings: readonly ToldFinding[]): [first: ToldFinding, rest: number][] {
  const alike = Map.groupBy(findings, ({ code, scenario }) => `${code} ${scenario}`)
  return Array.from(alike.values(), (those) => [must(those[0]), those.length - 1])
}

function groupPoint(alike: readonly ToldFinding[]): ReportPoint {
  const scenarios = byScenario(alike)
  const [first] = must(scenarios[0])
  // A finding of the ordinary day is not told once more for another.
  const told = first.ordinary ? 1 : EXAMPLES
  const also = scenarios.slice(told).map(([{ scenario }, rest]) => `${scenario} (${rest + 1})`)
  const where = scenarios.length === 1 ? first.scenario : `${scenarios.length} scenarios`
  return {
    text: `${first.code}: ${counted(alike.length, 'finding')} under ${where}`,
    more: [
      ...scenarios.slice(0, told).map(([one, rest]) => ({
        text: situationOf(one),
        more: [detailsOf(one), ...restOf(one, rest)],
      })),
      ...(also.length === 0 ? [] : [{ text: `also under ${also.join(', ')}` }]),
    ],
  }
}

function restOf({ scenario }: ToldFinding, rest: number): ReportPoint[] {
  return rest === 0 ? [] : [{ text: `and ${rest} more like it under ${scenario}` }]
}

function detailsOf({ text, requests, errors, advice = '', replay }: ToldFinding): ReportPoint {
  const more = [
    ...(errors === undefined ? [] : [{ text: 'The app wrote to its standard error:', exact: errors.split('\n') }]),
    ...(advice === '' ? [] : [{ text: `What to do: ${advice}` }]),
  ]
  return { text, exact: requests, more, ...(replay !== undefined && { command: replay }) }
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Document, isMap, isSeq } from 'yaml'
import { must } from '../../core/model/must.ts'
import { counted } from '../../core/model/text.ts'
import { makeFolder } from '../../hosts/node/file-access.ts'
import type { ReportDocument, ReportRun } from '../../inspect/report-document.ts'
import { placeName, withoutClashes } from '../explore/choice.ts'
import { toldLists, writeFindings } from '../explore/explore-document.ts'
import { scenarioOf } from '../explore/scenario-of.ts'
import { nameOfChoices, storyOf } from '../explore/tell.ts'
import { findingParts, judgedDocument, sectionsAfter, texts, writtenFiles } from '../subject/report.ts'
import type { Inferred, Sure } from './infer.ts'
import type { IncidentFiles } from './read-incident.ts'
import type { Reproduced } from './reproduce.ts'
import { isUnanswered, type Seen } from './seen-payments.ts'

const marks = { certain: 'good', likely: 'none', possible: 'open' } as const satisfies Record<Sure, ReportRun['mood']>

export type IncidentReport = ReturnType<typeof incidentDocument>['data']

interface Incident {
  files: IncidentFiles
  seen: Seen
  reproduced: Reproduced
  /** The scenario of the incident. */
  written: string | undefined
}

export function incidentDocument(merchant: string, { files, seen, reproduced, written }: Incident) {
  const { inferred, shown, runs, interrupted } = reproduced
  const lists = toldLists(reproduced)
  const parts = findingParts({ ...lists, allowUnstable: false })
  const left = untold(files, seen, reproduced)
  const ordinary = reproduced.findings.some(({ choices }) => choices.length === 0)
  const open =
    parts.bad !== undefined
      ? undefined
      : reproduced.unjudged !== undefined
        ? `Could not be told: ${reproduced.unjudged}`
        : runs === 0
          ? 'Could not be told: nothing in the files differs from an ordinary day.'
          : undefined
  const data = {
    verdict: parts.bad !== undefined ? 'reproduced' : open !== undefined ? 'untold' : 'not-reproduced',
    ...lists,
    inferred: inferred.map(({ choice, sure, entry, why, isReached }) => ({
      ...{ choice, sure, why, reached: isReached },
      ...(entry && { entry: entry.number, at: new Date(entry.atMs).toISOString() }),
    })),
    untold: left,
    runs,
    written: written === undefined ? [] : [written, ...writtenFiles([...lists.findings, ...lists.unconfirmed])],
    interrupted,
  }
  const made = seen.payments.filter(({ nth }) => nth > 0).length
  return judgedDocument({
    ...{ by: 'mfano reproduce', title: merchant, data, interrupted },
    ...parts,
    ...(open !== undefined && { open }),
    bad: parts.bad && `Reproduced${ordinary ? ' on an ordinary day, nothing having gone wrong' : ''}: ${parts.bad}`,
    good: `Not reproduced: the books are right under all that was inferred.`,
    lead: [
      `${counted(files.entries.length, 'entry', 'entries')}: ${counted(seen.asked.length, 'request')} to the service, ${counted(made, 'payment')}. ${counted(inferred.length, 'choice')} inferred, ${counted(runs, 'run')}.`,
      ...(shown?.size ? [`Books and list of the incident differ: ${[...shown].join(', ')}.`] : []),
    ],
    sections: [
      ...parts.sections,
      {
        title: 'Inferred',
        columns: ['entry', 'at', 'what happened', 'from', 'how sure', 'in the runs'],
        rows: [...Map.groupBy(inferred, (one) => `${one.sure} ${commentOf(one)}`).values()].map((alike) => {
          const one = must(alike[0])
          return [
            one.entry?.number ?? null,
            one.entry ? timeOf(one.entry.atMs) : null,
            `${storyOf([one.choice]).join()}${alike.length > 1 ? `, or ${alike.length - 1} other` : ''}`,
            one.why,
            { mood: marks[one.sure], word: one.sure },
            parts.bad === undefined && !alike.some(({ isReached }) => isReached) ? 'not reached' : null,
          ]
        }),
      },
      texts('Not told by the files', left),
      ...sectionsAfter(lists, written === undefined ? [] : [written]),
    ],
    runs: [
      {
        mood: open === undefined ? 'good' : 'open',
        word: 'run',
        name: merchant,
        why: open ?? counted(runs, 'run'),
      },
      ...parts.runs,
    ],
  }) satisfies ReportDocument
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19)
}

function untold({ unreadable, listed, booked }: IncidentFiles, seen: Seen, { kinds }: Reproduced): string[] {
  const unkept = seen.asked.filter(
    ({ entry }) => entry.status > 0 && (entry.unrecorded.has('body') || entry.unrecorded.has('answer')),
  ).length
  const perhaps = seen.payments.filter(({ made }) => made === 'perhaps').length
  const hosts = new Set(seen.asked.flatMap(({ sent }) => URL.parse(String(sent['callbackUrl']))?.hostname ?? []))
  const absent = [...new Set(seen.payments.map(({ kind }) => kind))].filter((kind) => !kinds.includes(kind))
  const refused = seen.payments.filter(({ asked, made }) => made === 'no' && !isUnanswered(asked)).length
  const lines: [number, (n: number) => string][] = [
    [unreadable, (n) => `${counted(n, 'entry', 'entries')} could not be read.`],
    [seen.foreign, (n) => `${counted(n, 'entry', 'entries')} neither asked the service nor told the app of a payment.`],
    [unkept, (n) => `${counted(n, 'entry', 'entries')} without a body.`],
    [seen.hasCallbacks ? 0 : 1, () => 'No callback is in the traffic: how the app was told is a guess.'],
    [listed ? 0 : 1, () => "Without the provider's list (--payments), entries alone tell what was executed."],
    [booked ? 0 : 1, () => 'Without the books (--books), crashes of the app do not show.'],
    [
      hosts.size > 1 ? hosts.size : 0,
      (n) => `Callbacks go to ${n} hosts: several apps in one file are not told apart.`,
    ],
    [perhaps, (n) => `${counted(n, 'request')} without an answer: nothing tells whether it was executed.`],
    [refused, (n) => `${counted(n, 'request')} for a payment refused for a reason of its own.`],
    [seen.unasked.length, (n) => `${counted(n, 'line')} of the list without a request in the traffic.`],
    [seen.strange.length, (n) => `${counted(n, 'callback')} about no payment of the traffic.`],
    ...(kinds.length === 0 ? [] : absent).map((kind): [number, () => string] => [
      1,
      () => `The acts of the merchant file ask for no ${kind}, and the traffic does.`,
    ]),
  ]
  return lines.flatMap(([n, words]) => (n === 0 ? [] : [words(n)]))
}

export function writeIncident(folder: string, reproduced: Reproduced): string {
  makeFolder(folder)
  const scenario = join(folder, 'incident.yaml')
  writeFileSync(scenario, scenarioText(reproduced.inferred, reproduced.kinds))
  writeFindings(folder, reproduced)
  return scenario
}

function scenarioText(inferred: readonly Inferred[], kinds: readonly string[]): string {
  const known = inferred.filter(({ sure }) => sure !== 'possible')
  const choices = withoutClashes(known.map(({ choice }) => choice))
  const document = new Document({
    ...scenarioOf(choices, kinds, 'incident'),
    description: 'Inferred from the traffic of an incident.',
  })
  const told = new Set<Inferred>()
  for (const list of ['rules', 'faults']) {
    const rules = document.get(list)
    for (const rule of isSeq(rules) ? rules.items : []) {
      if (!isMap(rule)) continue
      const about = known.filter(({ choice }) => String(rule.get('name')).startsWith(`${placeName(choice)}:`))
      for (const one of about) told.add(one)
      if (about.length > 0) rule.commentBefore = about.map(commentOf).join('\n')
    }
  }
  const others = known.filter((one) => !told.has(one))
  if (others.length > 0)
    document.commentBefore = others
      .map((one) => ` No rule says ${nameOfChoices([one.choice])}.${commentOf(one)}`)
      .join('\n')
  return document.toString()
}

function commentOf({ entry, why }: Inferred): string {
  return entry ? ` Entry ${entry.number}, ${timeOf(entry.atMs)}: ${why}` : ` ${why}`
}

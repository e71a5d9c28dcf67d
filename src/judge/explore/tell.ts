/** Tells a schedule and its run: choices in words, a sequence diagram, and a document with both. */
import { markdownText } from '../../core/model/markup.ts'
import { type Choice, recordOf } from './choice.ts'
import type { ExploreFinding } from './explorer.ts'
import type { Happened } from './happened.ts'

/** What was chosen, a line each. */
export function storyOf(choices: readonly Choice[]): string[] {
  return choices.length === 0
    ? ['on an ordinary day, nothing having gone wrong']
    : choices.map((one) => recordOf(one).story(one))
}

/** A Mermaid sequence of the run, up to the last round that changed something. Rounds without anything are left out. */
export function sequenceOf(happened: readonly Happened[]): string {
  const last = happened.findLastIndex(
    ({ what }) => what !== 'time' && what !== 'tick' && what !== 'request' && what !== 'answer',
  )
  const next = happened.findIndex(({ what }, i) => what === 'time' && i > last + 1)
  const told = next < 0 ? happened : happened.slice(0, next)
  return [
    'sequenceDiagram',
    '  actor People',
    '  participant App',
    '  participant Service',
    ...told.flatMap((one, i) => (isIdle(told, i) ? [] : line(one))),
    ...(next < 0 ? [] : ['  Note over People,Service: days go by, and nothing new happens']),
  ].join('\n')
}

/** Ticks and times with nothing between them and the next of their sort. */
function isIdle(happened: readonly Happened[], i: number): boolean {
  const what = happened[i]?.what
  if (what !== 'time' && what !== 'tick') return false
  const next = happened[i + 1]?.what
  return next === undefined || next === 'time' || (what === 'time' && next === 'tick' && isIdle(happened, i + 1))
}

function line(one: Happened): string[] {
  switch (one.what) {
    case 'act':
      return [`  People->>App: ${one.name} ${one.n}`]
    case 'tick':
      return ['  Note over App: its own work']
    case 'time':
      return [`  Note over People,Service: ${one.now}`]
    case 'request':
      return [`  App->>Service: ${one.operation} ${one.nth}`]
    case 'answer':
      return one.fate === 'lost' || one.fate === 'reset'
        ? [`  Service--xApp: the answer is lost (${one.operation} ${one.nth})`]
        : [`  Service-->>App: ${one.status}${one.fate ? ', held back' : ''} (${one.operation} ${one.nth})`]
    case 'payment':
      return [`  Note over Service: ${one.kind} ${one.nth} is ${one.status}`]
    case 'callback':
      return [`  Service->>App: callback ${one.kind} ${one.nth} ${one.status} → ${one.taken}`]
    case 'stranger':
      return [`  actor Stranger`, `  Stranger->>App: callback made up of ${one.kind} ${one.nth} → ${one.taken}`]
    case 'service-restart':
      return ['  Note over Service: dies, and is started again']
    case 'crash':
      return [`  Note over App: dies (${one.at})`]
    case 'restart':
      return ['  Note over App: is started again']
  }
}

/** A page about a finding. */
export function pageOf({ code, text, requests, choices, ran }: ExploreFinding, merchant: string): string {
  return `# ${markdownText(code)} in ${markdownText(merchant)}

${markdownText(text)}

${storyOf(choices)
  .map((one) => `- ${markdownText(one)}`)
  .join('\n')}

\`\`\`mermaid
${sequenceOf(ran.happened)}
\`\`\`

${requests.map((one) => `    ${one}`).join('\n')}
`
}

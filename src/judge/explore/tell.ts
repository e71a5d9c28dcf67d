/** Tells a schedule and its run: choices in words, a sequence diagram, and a document with both. */
import { markdownText } from '../../core/model/markup.ts'
import type { Choice } from './choice.ts'
import type { ExploreFinding } from './explorer.ts'
import type { Happened } from './happened.ts'

const endWords = {
  failed: 'fails after two seconds',
  'failed-late': 'fails after 25 minutes',
  slow: 'succeeds, after 25 minutes',
  never: 'never ends',
  'failed-then-paid': 'fails, and three hours later turns out to be paid after all',
  'paid-then-failed': 'succeeds, and is taken back 44 hours later',
}
const answerWords = {
  lost: 'the payment is made, and the connection closes before a byte of its answer arrives',
  reset: 'the payment is made, and the connection is reset before its answer',
  500: 'the payment is made, and answered 500 all the same',
  503: 'the payment is made, and answered 503 all the same',
  held: 'the answer comes after what follows from the payment, its callback included',
}
const tellWords = {
  lost: 'its callback never comes',
  late: 'its callback comes 40 minutes late',
  twice: 'its callback comes twice',
  'at-once': 'its callback comes twice at the same moment',
  early: 'its callback comes before the answer to the request',
  overtaken: 'its first callback comes after the next one',
  forged: 'it fails, and somebody else posts a callback that says SUCCESS',
  altered: 'its callback is changed on its way, and its signature does not fit',
  odd: 'it fails, and its callback has a status that nobody announced',
  'stranger-amount': 'before its callback somebody else posts one that says SUCCESS and a larger amount',
  'stranger-other': 'before its callback somebody else posts the same as SUCCESS about another payment',
  'stranger-unknown': 'before its callback somebody else posts the same as SUCCESS about a payment that does not exist',
}
const refusalWords = {
  503: 'is answered 503, and nothing is done',
  outage: 'and the five that follow are answered 503, and nothing is done',
  429: 'is answered 429, and nothing is done',
  reset: 'meets a connection that is reset, and nothing is done',
  empty: 'gets no answer, and nothing is done',
  revoked: 'is answered 401: all tokens were revoked',
}
const crashWords = {
  seen: (on: string, nth: number) => `the app dies while request ${nth} to ${on} is on its way, before it is worked on`,
  executed: (on: string, nth: number) => `the app dies after request ${nth} to ${on} was executed, before its answer`,
  answered: (on: string, nth: number) => `the app dies after it was answered request ${nth} to ${on}`,
  called: (on: string, nth: number) => `the app dies as the callback about ${on} ${nth} is sent`,
  acknowledged: (on: string, nth: number) => `the app dies right after it acknowledged the callback about ${on} ${nth}`,
}

/** One choice as a sentence without its full stop. */
function choiceText(one: Choice): string {
  switch (one.do) {
    case 'end':
      return `${one.kind} ${one.nth} ${endWords[one.as]}`
    case 'answer':
      return `${one.kind} ${one.nth}: ${answerWords[one.as]}`
    case 'tell':
      return `${one.kind} ${one.nth}: ${tellWords[one.as]}`
    case 'refuse':
      return `request ${one.nth} to ${one.operation} ${refusalWords[one.as]}`
    case 'crash':
      return `${crashWords[one.at](one.on, one.nth)}; it is started again`
    case 'restart':
      return `before step ${one.step} the app dies at rest, and is started again`
    case 'act':
      return `before step ${one.step} somebody does ${one.act} once more`
    case 'pass':
      return `before step ${one.step} ${one.by} go by`
    case 'restart-service':
      return `before step ${one.step} the service dies at rest, and is started again`
    case 'beside':
      return one.act === undefined
        ? `at step ${one.step} the app's own work is done at the same time`
        : `at step ${one.step} somebody does ${one.act} at the same time`
    case 'answers':
      return `answers wait until the app has nothing else to do, and then come ${one.as.replace('-', ' ')}`
    case 'tell-pending':
      return 'callbacks are also sent about payments that are PENDING'
  }
}

/** What was chosen, a line each. */
export function storyOf(choices: readonly Choice[]): string[] {
  return choices.length === 0 ? ['on an ordinary day, nothing having gone wrong'] : choices.map(choiceText)
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
  const { what } = happened[i] as Happened
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

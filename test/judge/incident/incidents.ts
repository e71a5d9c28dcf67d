/** Incidents: an app run under choices, and all that passed between it and the service as the files that people have. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Post, Send } from '../../../src/core/host.ts'
import { Chance } from '../../../src/core/model/chance.ts'
import { must } from '../../../src/core/model/must.ts'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import { HASTY } from '../../../src/judge/explore/app-rest.ts'
import { type Choice, moreActs } from '../../../src/judge/explore/choice.ts'
import { type Ran, runOnStage } from '../../../src/judge/explore/run-app.ts'
import { Stage } from '../../../src/judge/explore/stage.ts'
import { readFetched } from '../../../src/judge/fetch-books.ts'
import { BEGINNING, openServer, type PassingRequest } from '../../../src/judge/subject/own-worlds.ts'
import { folder } from '../../apps/cli/support.ts'

/** One exchange as a recording proxy beside the app has it. */
interface Passed {
  atMs: number
  tookMs: number
  method: string
  url: string
  body: string
  status: number
  mediaType: string
  answer: string
}

export interface Incident {
  ran: Ran
  passed: Passed[]
  list: object[]
  books: unknown
}

/** Runs apps, each in a world of its own, and keeps what passes. Closed with the test. */
export async function recorder(file: string) {
  const merchant = readMerchantFile(file)
  const { signal } = new AbortController()
  const server = await openServer(4)
  onTestFinished(() => server.close())
  const patience = { readyWithinMs: 60_000, restWithinMs: 20_000 }
  const options = { ...patience, merchant, signal, server }
  const booksOf = async (app: Stage['app']) => {
    const request = must(merchant.books)
    const { body, type } = await app.ask(request, {}, signal)
    return readFetched(request.path, body, type)
  }
  return {
    merchant,
    async run(choices: readonly Choice[], base?: Ran): Promise<Incident> {
      const stage = await Stage.open(options, { seed: 7, clock: { mode: 'frozen', start: BEGINNING } })
      try {
        const passing = watch(stage)
        const more = moreActs(choices)
        const ran = await runOnStage(stage, {
          ...{
            ...options,
            choices,
            pace: HASTY,
            isKept: true,
            kinds: [...new Set(base?.payments.map(({ kind }) => kind))],
          },
          asked: base?.asked?.map((one) => ({ ...one, times: one.times * (1 + more) })),
        })
        const books = stage.app.isStopped ? undefined : await booksOf(stage.app)
        await stage.app.stop()
        const { requests } = await stage.control('GET', '/requests', { query: { limit: 1000 } })
        const left = requests.toReversed()
        // An answer that broke off has no header: those to one address are in their order.
        const sentBy = ({ id, method, url }: Watched) => {
          const found = left.findIndex((one) =>
            id ? one.requestId === id : one.method === method && url.endsWith(one.path),
          )
          return textOf(left.splice(found, found < 0 ? 0 : 1)[0]?.request.body)
        }
        const { payments } = await stage.control('GET', '/payments', { query: { limit: 1000 } })
        return {
          ran,
          passed: passing.map((one) => ({ ...one, body: one.body || sentBy(one) })),
          list: payments.toReversed().map(({ uuid, referenceId, kind, status, amount, createdAt, updatedAt }) => ({
            ...{ requestId: uuid, reference: referenceId, kind, status, amount, createdAt, updatedAt },
          })),
          books,
        }
      } finally {
        await stage.remove()
      }
    },
  }
}

function textOf(body: unknown): string {
  return body === undefined || body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body)
}

interface Watched extends Passed {
  id?: string
}

/** Each later thing a millisecond later, because the world stands still while an app works. */
function watch(stage: Stage): Watched[] {
  const { lane } = stage
  const passed: Watched[] = []
  let turn = 0
  const nowMs = () => stage.world.core.clock.now() / 1000 + turn++
  const [request, callback] = [lane.request.bind(lane), lane.callback.bind(lane)]
  lane.request = async (passing: PassingRequest) => {
    const one: Watched = {
      ...{ atMs: nowMs(), tookMs: 0, method: passing.method, url: `https://api.pay.test${passing.path}` },
      ...{ body: '', status: 0, mediaType: '', answer: '' },
    }
    passed.push(one)
    const crashes = () => lane.happened.filter(({ what }) => what === 'crash').length
    const before = crashes()
    const response = await request(passing)
    one.tookMs = nowMs() - one.atMs
    one.id = response.headers.get('mfano-request-id') ?? ''
    const fate = stage.world.core.store.journal.byRequestId(one.id)
    // An app that died has no answer, and one whose answer was lost neither.
    if (crashes() > before || !fate || fate.status === 0 || /connection/.test(fate.notes?.fault ?? '')) return response
    one.status = response.status
    one.mediaType = response.headers.get('content-type') ?? ''
    one.answer = await response.clone().text()
    return response
  }
  lane.callback = async (post: Post, send: Send) =>
    callback(post, async (sent) => {
      const one: Passed = {
        ...{ atMs: nowMs(), tookMs: 0, method: 'POST', url: sent.url, body: sent.body },
        ...{ status: 0, mediaType: '', answer: '' },
      }
      passed.push(one)
      const result = await send(sent)
      one.tookMs = nowMs() - one.atMs
      if ('status' in result) one.status = result.status
      return result
    })
  return passed
}

/** Gaps that files have; each is drawn by a seed. */
export interface Gaps {
  lines?: boolean
  foreign?: boolean
  cutBodies?: boolean
  noCallbacks?: boolean
  /** Callbacks by another clock, in milliseconds. */
  skewMs?: number
  noList?: boolean
  noBooks?: boolean
}

export function drawnGaps(seed: number): Gaps {
  const draw = new Chance(seed).of('gaps', 0)
  return {
    lines: draw.unit() < 0.3,
    foreign: draw.unit() < 0.5,
    cutBodies: draw.unit() < 0.3,
    noCallbacks: draw.unit() < 0.15,
    skewMs: draw.unit() < 0.2 ? 90_000 : 0,
  }
}

/** Details of the incident, as somebody's production has them: found nowhere else. */
function disguised(incident: Incident, seed: number): { text(of: string): string; details: string[] } {
  const draw = new Chance(seed).of('details', 0)
  const whole = JSON.stringify([incident.passed, incident.list, incident.books])
  const digits = (n: number) => Array.from({ length: n }, () => draw.below(10)).join('')
  const made = new Map<string, string>()
  const add = (found: Iterable<string>, make: (one: string) => string) => {
    for (const one of found) if (!made.has(one)) made.set(one, make(one))
  }
  const all = (pattern: RegExp) => [...whole.matchAll(pattern)].map(([, one = '']) => one)
  add(all(/\b(2547\d{8})\b/g), () => `2547${digits(8)}`)
  add(all(/\b([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b/g), () => uuid(draw))
  add(all(/(?:referenceId|externalReference|reference)\\?":\\?"([^"\\]{3,})\\?"/g), () => `INV-${digits(9)}`)
  add(['Jane Wanjiku'], () => 'Achieng Otieno')
  add(['mfano-key'], () => `live-${digits(12)}`)
  const longest = [...made].sort(([a], [b]) => b.length - a.length)
  const any = new RegExp(longest.map(([one]) => one.replaceAll(/[^\w-]/g, '.')).join('|'), 'g')
  const text = (of: string) => of.replaceAll(any, (one) => made.get(one) ?? one)
  return { text, details: longest.map(([, detail]) => detail) }
}

function uuid(draw: { below(n: number): number }): string {
  const hex = (n: number) => Array.from({ length: n }, () => draw.below(16).toString(16)).join('')
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
}

/** Writes the files, and gives the words of the command line that name them. */
export function written(incident: Incident, gaps: Gaps = {}, seed = 1): { words: string[]; details: string[] } {
  const draw = new Chance(seed).of('files', 0)
  const { text, details } = disguised(incident, seed)
  const isCallback = ({ url }: Passed) => !url.startsWith('https://api.pay.test')
  const foreign = {
    method: 'GET',
    url: 'https://cdn.shop.test/logo.png',
    body: '',
    status: 200,
    mediaType: 'image/png',
    answer: '',
  }
  const passed = incident.passed
    .filter((one) => !(gaps.noCallbacks && isCallback(one)))
    .map((one) => ({ ...one, atMs: one.atMs + (isCallback(one) ? (gaps.skewMs ?? 0) : 0) }))
    .flatMap((one, i) => (gaps.foreign && i % 3 === 0 ? [{ ...foreign, atMs: one.atMs, tookMs: 5 }, one] : [one]))
    .map((one) => {
      const isCut = gaps.cutBodies && one.method === 'GET' && draw.unit() < 0.2
      return isCut ? { ...one, answer: one.answer.slice(0, one.answer.length / 2) } : one
    })
  const at = folder()
  const put = (name: string, of: string) => {
    writeFileSync(join(at, name), text(of))
    return join(at, name)
  }
  const har = { log: { version: '1.2', creator: { name: 'x', version: '1' }, entries: passed.map(harEntry) } }
  const traffic = gaps.lines
    ? put('incident.jsonl', passed.map((one) => JSON.stringify(lineOf(one))).join('\n'))
    : put('incident.har', JSON.stringify(har))
  const list = incident.list.map((row) =>
    Object.values(row)
      .map((value) => value ?? '')
      .join(','),
  )
  const header = Object.keys(incident.list[0] ?? { status: '', reference: '' }).join(',')
  return {
    details,
    words: [
      traffic,
      ...(gaps.noList ? [] : ['--payments', put('list.csv', [header, ...list].join('\n'))]),
      ...(gaps.noBooks ? [] : ['--books', put('books.json', textOf(incident.books) || '[]')]),
    ],
  }
}

function harEntry({ atMs, tookMs, method, url, body, status, mediaType, answer }: Passed) {
  return {
    startedDateTime: new Date(atMs).toISOString(),
    time: tookMs,
    request: {
      method,
      url,
      headers: [],
      ...(body !== '' && { postData: { mimeType: 'application/json', text: body } }),
    },
    response: { status, headers: [], content: { size: answer.length, mimeType: mediaType, text: answer } },
  }
}

function lineOf({ atMs, tookMs, method, url, body, status, answer }: Passed) {
  return {
    '@timestamp': new Date(atMs).toISOString(),
    http: {
      request: { method, body: { content: body } },
      response: { status_code: status, body: { content: answer } },
    },
    url: { full: url },
    duration: tookMs,
  }
}

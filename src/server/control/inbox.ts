import * as z from 'zod'
import { pause } from '../../core/host.ts'
import { receivedHeaders } from '../../core/model/callback.ts'
import {
  answerText,
  INBOX_NAME,
  type InboxBehaviour,
  inboxAnswer,
  LONGEST_DELAY_MS,
  LONGEST_HANG_MS,
  PLAIN,
  readAnswers,
  type StoredInboxBehaviour,
} from '../../core/model/inbox.ts'
import { must } from '../../core/model/must.ts'
import { didYouMean } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { formatDuration, parseDuration } from '../../core/model/time.ts'
import type { CommandResult } from '../../core/perform.ts'
import { judgeSignature, signatureTimeUs } from '../../core/sign.ts'
import type { World } from '../../core/world.ts'
import { readBody } from '../../http/read-body.ts'
import { inboxMessage } from '../../inspect/present.ts'
import { type Reader, view } from '../../inspect/view.ts'
import { type ControlContext, invalidField } from './control-context.ts'
import { controlOperation, internalOperation } from './declared-operation.ts'
import { listLimit, pageBefore, searched } from './fields.ts'

const ASKED = ['answer', 'delay']
const DELAY = 'must be a duration of at most 60s, such as 300ms or 3s'

const delay = z
  .string()
  .refine((text) => (parseDuration(text) ?? Number.POSITIVE_INFINITY) <= LONGEST_DELAY_MS * 1000, DELAY)
  .transform((text) => must(parseDuration(text)) / 1000)

const answers = z
  .union(
    [z.string(), z.array(z.union([z.string(), z.number()])).min(1)],
    'must be a text such as "500,500,200", or a list of such answers',
  )
  .transform((given, context) => {
    const read = readAnswers(given)
    if ('answers' in read) return read.answers
    context.addIssue({ code: 'custom', message: read.problem })
    return z.NEVER
  })

const behaviour = z.strictObject({
  answers: answers.optional().describe('Statuses in order, such as 500,500,200. The last one repeats.'),
  delay: delay.optional().describe('Real time before each answer.'),
})

const behaviourShown = view('InboxBehaviour', (read: Reader<StoredInboxBehaviour>) => ({
  answers: read(z.array(z.string()), ({ settings }) => settings.answers),
  delay: read(z.string(), ({ settings }) => formatDuration(settings.delayMs * 1000)),
  taken: z.number().describe('Messages that it answered, and how it answers the next.'),
  next: read(z.string(), ({ settings, taken }) => inboxAnswer(settings, taken).token),
}))

const askedBehaviour = view(null, (read: Reader<StoredInboxBehaviour>) => ({
  query: read(z.string(), ({ asked }) => asked),
  ...behaviourShown.fields(() => {}),
}))

const inboxShown = view('Inbox', (read: Reader<string, World>) => ({
  name: read(z.string(), (name) => name),
  behaviour: read(behaviourShown.schema(), (name, { core }) => {
    const own = core.store.inbox.behaviours(name).find(({ asked }) => asked === '')
    return behaviourShown(own ?? { asked: '', settings: PLAIN, taken: 0 })
  }),
  asked: read(
    z.array(askedBehaviour.schema()).describe('Behaviour that addresses asked for by their query.'),
    (name, { core }) =>
      core.store.inbox
        .behaviours(name)
        .filter(({ asked }) => asked !== '')
        .map((one) => askedBehaviour(one)),
  ),
  messages: read(z.array(inboxMessage.schema()), (name, { core }) =>
    core.store.inbox.list(name).map((message) => inboxMessage(message)),
  ),
}))

const ofInbox = { name: 'An inbox: 1 to 64 letters, digits, dots, hyphens or underscores.' }

const messages = z.strictObject({
  search: searched('Part of a body or its headers, in any case. A phone number may have any spelling.'),
  limit: listLimit,
  before: pageBefore,
})

const settingInbox = <Id extends `inbox.${string}`, M extends 'PUT' | 'PATCH'>(id: Id, method: M, summary: string) =>
  controlOperation(id, `${method} /inbox/:name`, {
    summary,
    description: 'Each answer is a status, hang, close or reset. Add @3s to delay it.',
    params: ofInbox,
    body: behaviour,
    answer: inboxShown.schema,
    screen: {
      words: ['answers'],
      says: ({ name, behaviour: { answers, delay } }) =>
        `Inbox ${name} answers ${answers.join(', ')}${delay === '0s' ? '' : `, each after ${delay}`}.`,
      examples: ['hello 500,500,200', 'hello hang,200 --delay 300ms'],
    },
    async run({ world, params, body }) {
      const name = checked(params.name)
      const { answers, delay: delayMs } = body
      const settings = { ...(answers && { answers }), ...(delayMs !== undefined && { delayMs }) }
      await world.perform({ command: 'set-inbox-behaviour', name, settings, replace: method === 'PUT' })
      return inboxShown(name, world)
    },
  })

export const inboxOperations = [
  controlOperation('inbox.list', 'GET /inbox', {
    summary: 'List inboxes',
    answer: () => z.object({ inboxes: z.array(z.object({ name: z.string(), messages: z.number() })) }),
    list: {
      rows: 'inboxes',
      none: 'No callbacks received yet. Give a payment a callbackUrl that ends in /_mfano/inbox/hello',
      columns: ['name=inbox:word', 'messages'],
    },
    run: ({ world }) => ({ inboxes: world.core.store.inbox.names() }),
  }),
  internalOperation('inbox.receive', 'POST /inbox/:name', {
    async run({ c, world, params }) {
      const name = checked(params.name)
      const asked = askedBy(c)
      const body = await readBody(c.req.raw)
      const headers = receivedHeaders(c.req.raw.headers)
      const signature = judgeSignature(world.callbackSecrets, headers, body, signatureTimeUs(world.core, world.host))
      const received = { name, headers, body, signature, ...(asked && { asked }) }
      return answerInbox(c, await world.perform({ command: 'receive-in-inbox', ...received }))
    },
  }),
  controlOperation('inbox.show', 'GET /inbox/:name', {
    summary: 'Show an inbox and how it answers',
    params: ofInbox,
    answer: inboxShown.schema,
    screen: {
      facts: ['name=inbox:word', 'behaviour.answers=answers'],
      parts: { messages: ['Messages', ['id=message', 'at', 'answered', 'signature', 'text=callback']] },
      examples: ['hello', 'hello --json'],
    },
    run: ({ world, params }) => inboxShown(checked(params.name), world),
  }),
  controlOperation('inbox.messages', 'GET /inbox/:name/messages', {
    summary: 'List messages of an inbox, newest first',
    params: ofInbox,
    query: messages,
    answer: () => z.object({ messages: z.array(inboxMessage.schema()), next: z.number().nullable() }),
    list: { rows: 'messages', columns: ['id', 'at', 'answered', 'signature', 'text'] },
    run({ world, params, query }) {
      const name = checked(params.name)
      const { search: texts, limit, before } = query
      const page = world.core.store.inbox.page({ name, texts, limit, before, newestFirst: true })
      return {
        messages: page.map((message) => inboxMessage(message)),
        next: page.length === limit ? (page.at(-1)?.id ?? null) : null,
      }
    },
  }),
  settingInbox('inbox.answer', 'PUT', 'Set how an inbox answers'),
  settingInbox('inbox.change', 'PATCH', 'Change part of how an inbox answers'),
  controlOperation('inbox.clear', 'DELETE /inbox/:name', {
    summary: 'Delete an inbox with its messages',
    params: ofInbox,
    answer: () => z.object({ cleared: z.string() }),
    screen: { says: ({ cleared }) => `Inbox ${cleared} is empty.`, examples: ['hello'] },
    async run({ world, params }) {
      const name = checked(params.name)
      await world.perform({ command: 'clear-inbox', name })
      return { cleared: name }
    },
  }),
] as const

function askedBy(c: ControlContext): { query: string; settings: InboxBehaviour } | undefined {
  const query = c.req.query()
  for (const name of Object.keys(query)) {
    const meant = ASKED.includes(name) ? '' : didYouMean(name, ASKED)
    // Others are the merchant's own affair.
    if (meant !== '') throw invalidField(`?${name}: is nothing that an inbox can be asked for.${meant}`)
  }
  const { answer, delay: late } = query
  if (answer === undefined && late === undefined) return undefined
  const read = readAnswers(answer ?? '200')
  if ('problem' in read) throw invalidField(`?answer: ${read.problem}`)
  const parsed = delay.safeParse(late ?? '0s')
  if (!parsed.success) throw invalidField(`?delay: ${DELAY}, got "${late?.slice(0, 60)}"`)
  const asked = ASKED.flatMap((name) => (query[name] === undefined ? [] : [`${name}=${query[name]}`]))
  return { query: asked.join('&'), settings: { ...PLAIN, answers: read.answers, delayMs: parsed.data } }
}

function checked(name: string): string {
  if (INBOX_NAME.test(name)) return name
  throw invalidField(`name: must be 1 to 64 letters, digits, dots, hyphens or underscores, got "${name.slice(0, 80)}"`)
}

// Sends an inbox's answer: delayed, never, or as a broken connection.

const BODILESS = new Set([204, 205, 304])

async function answerInbox(c: ControlContext, decided: CommandResult<'receive-in-inbox'>): Promise<Response> {
  const { message, answer } = decided
  const { act, delayMs } = answer
  const { world, sever } = c.env
  const ends = [c.req.raw.signal, world.closing]
  await pause(world.host, act === 'hang' ? LONGEST_HANG_MS : delayMs, ends)
  if (typeof act === 'string') {
    if (sever) return sever(act === 'reset' ? 'reset' : 'close')
    throw new Refusal('BAD_GATEWAY', `the inbox was to ${act}, and this host cannot sever connections`)
  }
  return new Response(BODILESS.has(act) ? null : answerText(message.id), {
    status: act,
    headers: { 'content-type': 'application/json' },
  })
}

/** The commands `mfano handset …`: what a customer sees and answers on a simulated phone. */
import type { OperationAnswer } from '../../client/control.ts'
import { type Arguments, CommandFailed, type Flag } from './command.ts'
import { nounGroup } from './declared-commands.ts'
import type { Output } from './output.ts'
import { type Server, serverCommand } from './server.ts'
import { type TableColumn, table } from './table.ts'
import { amountText, hint, section, time } from './words.ts'

type Phone = OperationAnswer<'handset.show'>
type Prompt = Phone['prompts'][number]

const columns: readonly TableColumn<{ phone: string; prompt: Prompt }>[] = [
  { title: 'PHONE', of: ({ phone }) => phone },
  { title: 'PAYMENT', of: ({ prompt }) => prompt.id },
  { title: 'AMOUNT', of: ({ prompt }) => amountText(prompt.amount, prompt.currency), right: true },
  { title: 'MERCHANT', of: ({ prompt }) => prompt.merchant, least: 12, spare: 1 },
  { title: 'EXPIRES', of: ({ prompt }) => time(prompt.expiresAt), spare: 2 },
]

const list = serverCommand({
  name: 'list',
  summary: 'List STK prompts that wait for an answer.',
  about: 'A prompt waits for you if the rule says `prompt`. Otherwise the scenario answers it.',
  examples: ['mfano handset list', 'mfano handset list --json'],
  ask: async ({ control }) => {
    const { phones } = await control('GET', '/handset', { query: { limit: 1000 } })
    const asked = phones.filter(({ prompts }) => prompts > 0)
    return Promise.all(asked.map(({ phone }) => control('GET', '/handset/:phone', { path: { phone } })))
  },
  show: (phones, output, given) => {
    const rows = phones.flatMap(({ phone, prompts }) => prompts.map((prompt) => ({ phone, prompt })))
    return rows.length === 0
      ? `No prompts are waiting. Simulate one: ${hint('payment collect stk 254712345678 150', given)}\n`
      : table(rows, columns, output)
  },
})

/** Finds the only prompt of the phone, unless a payment is named. */
async function answerPrompt({ control }: Server, given: Arguments, answer: 'approve' | 'cancel'): Promise<Phone> {
  const [phone = '', named] = given.words
  const pin = given.get('pin')
  const prompts = named === undefined ? (await control('GET', '/handset/:phone', { path: { phone } })).prompts : []
  if (named === undefined && prompts.length !== 1)
    throw new CommandFailed(
      prompts.length === 0 ? `No prompt is waiting on ${phone}.` : `${prompts.length} prompts are waiting on ${phone}.`,
      prompts.length === 0
        ? 'List all prompts: mfano handset list'
        : `Name one: ${prompts.map(({ id }) => id).join(', ')}`,
      { code: prompts.length === 0 ? 'NO_SUCH_PROMPT' : 'SEVERAL_PROMPTS' },
    )
  const body = { answer, ...(pin !== undefined && { pin }) }
  return control('POST', '/handset/:phone/:prompt', { path: { phone, prompt: named ?? prompts[0]?.id ?? '' }, body })
}

const pinFlag: Flag = {
  name: 'pin',
  value: 'digits',
  help: 'Enter this PIN. Default: the right one.',
  expected: 'four digits',
  holds: (text) => /^\d{4}$/.test(text),
}

const words = 'PHONE [PAYMENT]'
const about = 'Without PAYMENT it answers the only prompt of the phone. Advance a frozen clock to see the result.'

const approve = serverCommand({
  name: 'approve',
  words,
  summary: 'Approve an STK prompt, as the customer would.',
  about,
  flags: [pinFlag],
  examples: ['mfano handset approve 254712345678', 'mfano handset approve 254712345678 --pin 0000'],
  ask: (server, given) => answerPrompt(server, given, 'approve'),
  show: inFull,
})

const decline = serverCommand({
  name: 'decline',
  words,
  summary: 'Decline an STK prompt, as the customer would.',
  about,
  examples: ['mfano handset decline 254712345678'],
  ask: (server, given) => answerPrompt(server, given, 'cancel'),
  show: inFull,
})

export const handsetGroup = nounGroup('handset', { show: { show: inFull }, answer: { show: inFull } }, [
  list,
  approve,
  decline,
])

function inFull({ phone, name, network, balance, currency, prompts, messages }: Phone, output: Output): string {
  const holds = balance === null ? '' : `, ${amountText(balance, currency)}`
  const waiting = prompts.map((prompt) => ({ phone, prompt }))
  return [
    `${output.paint('bold', phone)}  ${name}, ${network}${holds}\n`,
    prompts.length === 0
      ? 'No prompts are waiting.\n'
      : section('Prompts', table(waiting, columns, output), output.paint),
    section('Messages', messages.map(({ at, from, text }) => `${time(at)}  ${from}: ${text}\n`).join(''), output.paint),
  ].join('')
}

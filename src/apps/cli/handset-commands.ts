import type { OperationAnswer } from '../../client/control.ts'
import { type Arguments, CommandFailed, type Flag } from './command.ts'
import { nounGroup, shownAs } from './declared-commands.ts'
import { type Server, serverCommand } from './server.ts'

type Phone = OperationAnswer<'handset.show'>

async function answerPrompt({ control }: Server, given: Arguments, answer: 'approve' | 'cancel'): Promise<Phone> {
  const [phone = '', named] = given.words
  const pin = given.get('pin')
  const prompts = named === undefined ? (await control('GET', '/handset/:phone', { path: { phone } })).prompts : []
  if (named === undefined && prompts.length !== 1)
    throw new CommandFailed(
      prompts.length === 0 ? `No prompt is waiting on ${phone}.` : `${prompts.length} prompts are waiting on ${phone}.`,
      prompts.length === 0
        ? 'List all phones: mfano handset list'
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

const answering = (name: string, summary: string, answer: 'approve' | 'cancel', flags: readonly Flag[] = []) =>
  serverCommand({
    name,
    words: 'PHONE [PAYMENT]',
    summary,
    about: 'Without PAYMENT it answers the only prompt of the phone. Advance a frozen clock to see the result.',
    flags,
    examples: [`mfano handset ${name} 254712345678`],
    ask: (server, given) => answerPrompt(server, given, answer),
    show: async (phone, output, given) => noPrompts(phone) + (await shownAs('handset.show')(phone, output, given)),
  })

export const handsetGroup = nounGroup('handset', { show: { show: noPrompts }, answer: { show: noPrompts } }, [
  answering('approve', 'Approve an STK prompt, as the customer would.', 'approve', [pinFlag]),
  answering('decline', 'Decline an STK prompt, as the customer would.', 'cancel'),
])

function noPrompts({ prompts }: Phone): string {
  return prompts.length === 0 ? 'No prompts are waiting.\n' : ''
}

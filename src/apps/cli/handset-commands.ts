import type { OperationAnswer } from '../../client/control.ts'
import { type Arguments, CommandFailed, type Flag } from './command.ts'
import { nounGroup, operationCommand } from './declared-commands.ts'
import type { Server } from './server.ts'

type Phone = OperationAnswer<'handset.show'>

async function promptOf({ control }: Server, { words: [phone = '', named] }: Arguments): Promise<string | undefined> {
  if (named !== undefined) return named
  const { prompts } = await control('GET', '/handset/:phone', { path: { phone } })
  if (prompts.length !== 1)
    throw new CommandFailed(
      prompts.length === 0 ? `No prompt is waiting on ${phone}.` : `${prompts.length} prompts are waiting on ${phone}.`,
      prompts.length === 0
        ? 'List all phones: mfano handset list'
        : `Name one: ${prompts.map(({ id }) => id).join(', ')}`,
      { code: prompts.length === 0 ? 'NO_SUCH_PROMPT' : 'SEVERAL_PROMPTS' },
    )
  return prompts[0]?.id
}

const pinFlag: Flag = {
  name: 'pin',
  value: 'digits',
  help: 'Enter this PIN. Default: the right one.',
  expected: 'four digits',
  holds: (text) => /^\d{4}$/.test(text),
}

const answering = (name: string, summary: string, answer: 'approve' | 'cancel', flags: readonly Flag[] = []) =>
  operationCommand('handset.answer', {
    name,
    words: 'PHONE [PAYMENT]',
    fields: ['phone', 'prompt', 'answer', 'pin'],
    summary,
    about: 'Without PAYMENT it answers the only prompt of the phone. Advance a frozen clock to see the result.',
    flags,
    examples: [`mfano handset ${name} 254712345678`],
    ask: async ({ server, given, send }) =>
      send({ prompt: await promptOf(server, given), answer, pin: given.get('pin') }),
    show: noPrompts,
  })

export const handsetGroup = nounGroup('handset', { show: { show: noPrompts }, answer: { show: noPrompts } }, [
  answering('approve', 'Approve an STK prompt, as the customer would.', 'approve', [pinFlag]),
  answering('decline', 'Decline an STK prompt, as the customer would.', 'cancel'),
])

function noPrompts({ prompts }: Phone): string {
  return prompts.length === 0 ? 'No prompts are waiting.\n' : ''
}

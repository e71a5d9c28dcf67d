/** The commands `mfano requests …`. */
import type { RequestEntry } from '../../client/control.ts'
import type { Columns } from '../../server/operation-fields.ts'
import { CommandFailed } from './command.ts'
import { nounGroup } from './declared-commands.ts'
import { serverCommand } from './server.ts'
import { detailsOf } from './table.ts'

const facts: Columns<RequestEntry> = {
  requestId: ['word', 'id'],
  at: 'time',
  method: 'word',
  path: 'text',
  operation: 'word',
  organisationId: 'word',
  status: ['status', 'answer'],
  rule: 'text',
  fault: 'text',
  unreadFields: ['text', 'ignored fields'],
  warnings: 'text',
  assumed: ['text', 'taken by assumption'],
}

const show = serverCommand({
  name: 'show',
  words: 'REQUEST-ID',
  summary: 'Show one request and its answer.',
  about: 'Each answer carries the id in its header Mfano-Request-Id. Secrets are masked.',
  examples: [`mfano requests show "$(mfano requests list --json | jq -r '.requests[0].requestId')"`],
  ask: async ({ control }, { words: [id = ''] }) => {
    const { requests } = await control('GET', '/requests', { query: { requestId: id } })
    const [found] = requests
    if (found) return found
    throw new CommandFailed(`No request has the id ${JSON.stringify(id)}.`, 'List the ids: mfano requests list', {
      code: 'NOT_FOUND',
    })
  },
  show: (entry, output) =>
    detailsOf({ facts, parts: { 'request.body': ['Request'], response: ['Answer'] } }, entry, output),
})

export const requestsGroup = nounGroup('requests', {}, [show])

/** The commands `mfano requests …`. */
import { CommandFailed } from './command.ts'
import { nounGroup } from './declared-commands.ts'
import { serverCommand } from './server.ts'
import { factLines, indented, section, time } from './words.ts'

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
  show: (entry, { paint }) =>
    [
      factLines(
        [
          ['id', entry.requestId],
          ['at', time(entry.at)],
          ['request', `${entry.method} ${entry.path}`],
          ['operation', entry.operation],
          ['organisation', entry.organisationId],
          ['answer', entry.status],
          ['rule', entry.rule],
          ['fault', entry.fault],
          ['ignored fields', entry.unreadFields.join(', ')],
          ['warnings', entry.warnings.join('; ')],
          ['taken by assumption', entry.assumed.join(', ')],
        ],
        paint,
      ),
      section('Request', entry.request.body === null ? '' : indented(entry.request.body), paint),
      section('Answer', entry.response === null ? '' : indented(entry.response), paint),
    ].join(''),
})

export const requestsGroup = nounGroup('requests', {}, [show])

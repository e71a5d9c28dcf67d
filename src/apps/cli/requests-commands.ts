/** The commands `mfano requests …`. */
import { CommandFailed, type CommandGroup } from './command.ts'
import { serverCommand, serverOf } from './server.ts'
import { csvQuery, limitFlag, queryOf, stretchFlags, stretchOf, table } from './table.ts'
import { factLines, hint, httpStatus, indented, section, time } from './words.ts'

const filters = ['status', 'method', 'where', 'since', 'until', 'unread']

const list = serverCommand({
  name: 'list',
  summary: 'List requests to the service, newest first.',
  flags: [
    { name: 'status', value: 'number', help: 'Only answers with this status.', expected: 'a status such as 403' },
    { name: 'method', value: 'method', help: 'Only this method.', expected: 'GET, POST or PUT' },
    {
      name: 'where',
      value: 'cel',
      help: 'Only requests for which this CEL condition is true.',
      expected: 'a condition such as request.status >= 400',
    },
    ...stretchFlags,
    { name: 'unread', help: 'Only requests with ignored fields.' },
    limitFlag,
  ],
  examples: ['mfano requests list --limit 10', `mfano requests list --where 'request.status >= 400' --json`],
  csv: async (given, { control }) => {
    const { query } = csvQuery(given, filters)
    return { list: '/requests', query: { ...query, ...(await stretchOf(control, given)) } }
  },
  ask: async ({ control }, given) => {
    const query = { ...queryOf(given, [...filters, 'limit']), ...(await stretchOf(control, given)) }
    return control('GET', '/requests', { query })
  },
  show: ({ requests }, output, given) =>
    requests.length === 0
      ? filters.some((flag) => given.has(flag))
        ? `No requests match. List all: ${hint('requests list', given)}\n`
        : `No requests yet. The API reference is at ${serverOf(given).baseUrl}/docs\n`
      : table(
          requests,
          [
            { title: 'AT', of: ({ at }) => time(at) },
            { title: 'STATUS', of: ({ status }) => status, paint: (text, _, paint) => httpStatus(text, paint) },
            { title: 'METHOD', of: ({ method }) => method },
            { title: 'PATH', of: ({ path }) => path, least: 20 },
            { title: 'REQUEST ID', of: ({ requestId }) => requestId, spare: 2 },
            { title: 'RULE', of: ({ rule }) => rule, least: 16, spare: 3 },
            {
              title: 'IGNORED FIELDS',
              of: ({ unreadFields }) => (unreadFields.length === 0 ? null : unreadFields.join(', ')),
              least: 13,
              spare: 4,
            },
          ],
          output,
        ),
})

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

const unread = serverCommand({
  name: 'unread',
  summary: 'List request fields that the service ignored.',
  about: 'These fields are mistyped, or the service does not have them.',
  examples: ['mfano requests unread'],
  ask: ({ control }) => control('GET', '/requests/unread'),
  show: ({ fields }, output) =>
    fields.length === 0
      ? 'The service read every field that was sent.\n'
      : table(
          fields,
          [
            { title: 'OPERATION', of: ({ operation }) => operation },
            { title: 'FIELD', of: ({ field }) => field },
            { title: 'TIMES', of: ({ times }) => times, right: true },
            { title: 'LATEST', of: ({ latest }) => latest.requestId, spare: 1 },
            { title: 'HINT', of: ({ hint }) => hint, least: 20 },
          ],
          output,
        ),
})

const clear = serverCommand({
  name: 'clear',
  summary: 'Delete all recorded requests.',
  examples: ['mfano requests clear --world shop'],
  ask: ({ control }) => control('DELETE', '/requests'),
  show: () => 'All recorded requests are deleted.\n',
})

export const requestsGroup: CommandGroup = { commands: [list, show, unread, clear], otherwise: 'list' }

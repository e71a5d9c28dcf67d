/** `mfano events`: streams events as they happen. */
import { eventsOf } from '../../client/control-answers.ts'
import { must } from '../../core/model/must.ts'
import { CLEAN, type CliCommand, urlFlag, worldFlag } from './command.ts'
import { eventLine } from './event-lines.ts'
import { queryOf } from './lists.ts'
import { serverOf } from './server.ts'

export const eventsCommand: CliCommand = {
  name: 'events',
  summary: 'Stream events as they happen.',
  about: 'Each event is one line. Stop it with Ctrl-C.',
  flags: [
    {
      name: 'types',
      value: 'words',
      help: 'Only payment, callback, request, inbox, clock, scenario or wallet. Separate with commas.',
      expected: 'types such as payment,callback',
    },
    {
      name: 'where',
      value: 'cel',
      help: 'Only events for which this CEL condition is true.',
      expected: 'a condition such as payment.status == "FAILED"',
    },
    {
      name: 'recent',
      value: 'number',
      help: 'Start with this many past events.',
      expected: 'a whole number up to 2000',
    },
    urlFlag,
    worldFlag,
    { name: 'json', help: 'Print one JSON document per line.' },
  ],
  examples: [
    'mfano events',
    'mfano events --types callback --recent 20',
    `mfano events --where 'payment.status == "FAILED"' --json`,
  ],
  run: async (given, output) => {
    const { control } = serverOf(given).within('for-ever')
    const response = await control.open('GET', '/events', { query: queryOf(given, ['types', 'where', 'recent']) })
    for await (const event of eventsOf(must(response.body)))
      output.out(given.has('json') ? `${JSON.stringify(event)}\n` : eventLine(event, output))
    output.error('The world was closed.')
    return CLEAN
  },
}

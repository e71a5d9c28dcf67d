/** `mfano events`: streams events as they happen. */
import { eventsOf } from '../../client/control-answers.ts'
import { must } from '../../core/model/must.ts'
import { CLEAN, type CliCommand, urlFlag, worldFlag } from './command.ts'
import { eventLine } from './event-lines.ts'
import { queryOf } from './lists.ts'
import { serverOf } from './server.ts'
import { zoneLine } from './shown-zone.ts'

export const eventsCommand: CliCommand = {
  name: 'events',
  summary: 'Tells what happens in a world while it happens, a line each, until Ctrl-C.',
  flags: [
    {
      name: 'types',
      value: 'words',
      help: 'Only of these types: payment, callback, request, inbox, clock, scenario, wallet, with commas in between.',
      expected: 'types such as payment,callback',
    },
    {
      name: 'where',
      value: 'cel',
      help: 'Only those for which this holds, in CEL.',
      expected: 'a condition such as payment.status == "FAILED"',
    },
    {
      name: 'recent',
      value: 'number',
      help: 'Begin with so many that have happened already.',
      expected: 'a whole number up to 2000',
    },
    urlFlag,
    worldFlag,
    { name: 'json', help: 'Print one JSON document a line, for programs.' },
  ],
  examples: [
    'mfano events',
    'mfano events --types callback --recent 20',
    `mfano events --where 'payment.status == "FAILED"' --json`,
  ],
  run: async (given, output) => {
    const { control } = serverOf(given).within('for-ever')
    const response = await control.open('GET', '/events', { query: queryOf(given, ['types', 'where', 'recent']) })
    if (!given.has('json')) output.out(zoneLine(output))
    for await (const event of eventsOf(must(response.body)))
      output.out(given.has('json') ? `${JSON.stringify(event)}\n` : eventLine(event, output))
    output.error('The world was closed, and with it the stream.')
    return CLEAN
  },
}

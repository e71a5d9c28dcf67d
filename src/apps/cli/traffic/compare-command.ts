/** `mfano compare`: recorded traffic with the real service against mfano. */
import { compareTraffic } from '../../../judge/compare-traffic.ts'
import type { CliCommand } from '../command.ts'
import { judging } from '../judging.ts'
import { reportFlags, scenarioFlag } from '../suite-flags.ts'

export const compareCommand: CliCommand = {
  name: 'compare',
  words: 'TRAFFIC.har',
  names: ['files'],
  summary:
    'Asks mfano what the real service was asked in a HAR file, tells by operation what differs, and finds the assumptions that make differences go. Exit code 0: nothing differs; 1: something does; 2: nothing could be compared.',
  flags: [scenarioFlag, ...reportFlags],
  examples: ['mfano compare traffic.har', 'mfano compare traffic.har --json | jq -r .patch'],
  run: (given, output) =>
    judging(given, output, ({ signal }) =>
      compareTraffic({ file: given.words[0] ?? '', scenario: given.get('scenario') ?? 'default', signal }),
    ),
}

import { compareTraffic } from '../../../judge/compare-traffic.ts'
import type { CliCommand } from '../command.ts'
import { judging } from '../judging.ts'
import { reportFlags, scenarioFlag } from '../typed-values.ts'

export const compareCommand: CliCommand = {
  name: 'compare',
  words: 'TRAFFIC.har',
  names: ['files'],
  summary: "Compare recorded traffic with mfano's answers.",
  about:
    'It sends the requests of a HAR file to mfano and lists differences by operation. Run mfano calibrate --from to see which assumptions the traffic decides.',
  exits: { 0: 'no differences', 1: 'differences', 2: 'nothing could be compared' },
  flags: [scenarioFlag, ...reportFlags],
  examples: ['mfano compare traffic.har', 'mfano compare traffic.har --scenario measured.yaml --json'],
  run: (given, output) =>
    judging(
      given,
      output,
      ({ signal }) =>
        compareTraffic({ file: given.words[0] ?? '', scenario: given.get('scenario') ?? 'default', signal }),
      'comparing',
    ),
}

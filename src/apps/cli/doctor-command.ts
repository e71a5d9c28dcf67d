/**
 * `mfano doctor`: checks whether callbacks would reach an address. The server does the checks, because it is the one
 * that sends callbacks.
 */
import type { Examination } from '../../client/control.ts'
import { oneLine } from '../../core/model/text.ts'
import { CLEAN, PROBLEMS } from './command.ts'
import { operationCommand } from './declared-commands.ts'
import type { Output } from './output.ts'

export const doctorCommand = operationCommand('callback.examine', {
  about: 'It tries name, connection, TLS and answer in turn. For the first that fails it prints the cause and the fix.',
  exits: { 0: 'callbacks would arrive', 1: 'they would not' },
  show: examined,
  verdict: ({ ok }) => (ok ? CLEAN : PROBLEMS),
})

function examined({ url, sentTo, ok, stages, untried, diagnosis, sample }: Examination, { paint }: Output): string {
  const width = Math.max(...stages.map(({ stage }) => stage.length))
  const lines = stages.map((stage) => {
    const mark = stage.ok ? paint('green', 'ok    ') : paint('red', 'failed')
    return `  ${mark}  ${stage.stage.padEnd(width)}  ${oneLine(stage.text)} (${stage.tookMs} ms)`
  })
  const moved = sentTo === null ? '' : `, which is ${oneLine(sentTo)} from where mfano runs`
  const last =
    sample === null && ok
      ? ['', 'No callback was sent. Add --send send-money to see how your app answers a sample.']
      : untried.length === 0
        ? []
        : [`  not tried: ${untried.join(', ')}`]
  const told = diagnosis ? ['', oneLine(`Why: ${diagnosis.why}.`), oneLine(`Do:  ${diagnosis.todo}`)] : []
  return `${[`${oneLine(url)}${moved}`, ...lines, ...last, ...told].join('\n')}\n`
}

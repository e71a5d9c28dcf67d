import { extname } from 'node:path'
import { runDocument } from '../../inspect/report-lists.ts'
import {
  type Arguments,
  CLEAN,
  formatFlags,
  formatOf,
  PROBLEMS,
  type TopCommand,
  urlFlag,
  worldFlag,
} from './command.ts'
import { documentText } from './judges/judging.ts'
import { serverOf } from './server.ts'
import { writeNamed } from './write-file.ts'

const formats = ['text', 'json', 'html', 'markdown', 'junit'] as const
type Format = (typeof formats)[number]
const byEnding: Readonly<Record<string, Format>> = {
  '.html': 'html',
  '.htm': 'html',
  '.md': 'markdown',
  '.xml': 'junit',
  '.json': 'json',
}

export const reportCommand: TopCommand = {
  about: 'It covers one test run, or everything since the world began.',
  flags: [
    {
      name: 'run',
      value: 'run',
      help: 'Only this run: its name, its number, or last.',
      expected: 'a run',
    },
    ...formatFlags(formats, 'Output format. Default: text, or by the ending of --out.'),
    { name: 'out', value: 'file', help: 'Write it to a file.', names: 'files' },
    { name: 'check', help: 'Exit with 1 if the verdict is failed.' },
    urlFlag,
    worldFlag,
  ],
  examples: [
    'mfano report',
    'mfano report --run payday --out payday.html',
    'mfano report --format junit --out mfano.xml --check',
  ],
  run: async (given, output) => {
    const { control } = serverOf(given)
    const format = wanted(given)
    const query = { run: given.get('run'), format }
    const told = format === 'text' || given.has('check')
    const answer =
      told || format === 'json' ? await control('GET', '/report', { query: { run: query.run } }) : undefined
    const text =
      format === 'text' && answer
        ? documentText(runDocument(answer), output)
        : format === 'json'
          ? `${JSON.stringify(answer, null, 2)}\n`
          : await control.text('GET', '/report', { query })
    const file = given.get('out')
    if (file === undefined) output.out(text)
    else {
      writeNamed(file, text)
      if (!given.has('json')) output.out(`Wrote ${file}.\n`)
    }
    return given.has('check') && answer?.verdict === 'failed' ? PROBLEMS : CLEAN
  },
}

function wanted(given: Arguments): Format {
  const ofFile = byEnding[extname(given.get('out') ?? '').toLowerCase()]
  return given.has('format') || given.has('json') ? formatOf<Format>(given) : (ofFile ?? 'text')
}

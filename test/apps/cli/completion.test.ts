import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { splitLine } from '../../../src/apps/cli/completion-candidates.ts'
import { entries } from '../../../src/apps/cli/tree.ts'
import { needs } from '../../support/needs.ts'
import { entry } from '../../support/program-entry.ts'
import { answer, folder } from './support.ts'

/** What is offered for the words behind `mfano`, of which the last is under the cursor; without what it is about. */
async function offered(...typed: string[]): Promise<string[]> {
  const { out } = await answer(['__complete', 'words', ...typed])
  return out.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']))
}

describe('offers', () => {
  it.for<[typed: string[], offers: string[]]>([
    [['clo'], ['clock']],
    [
      ['wallet', ''],
      ['list', 'fund', 'help'],
    ],
    [
      ['clock', 'set', ''],
      ['realtime', 'scaled', 'frozen'],
    ],
    [['clock', 'set', 'frozen', ''], []],
    [['help', 'wal'], ['wallet']],
    [['help', 'wallet', 'f'], ['fund']],
    [['payment', 'list', '--ki'], ['--kind']],
    [
      ['payment', 'list', '--kind', 'bank-'],
      ['bank-payout', 'bank-collection'],
    ],
    [['payment', 'list', '--kind=bank-p'], ['--kind=bank-payout']],
    [
      ['payment', 'resolve', 'x', 'S'],
      ['SUCCESS', 'SUCCEEDED'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['--sc'], ['--scenario']],
    [
      ['start', '--log', ''],
      ['pretty', 'json', 'off'],
    ],
    [
      ['scenario', 'show', 'tzs'],
      ['tzs-minimum', ':files'],
    ],
    [['scenario', 'use', 'tzs-minimum', ''], []],
    [['nonsense', ''], []],
    [['clock', 'nonsense', '--u'], []],
  ])('%j', async ([typed, offers]) => {
    expect(await offered(...typed)).toEqual(offers)
  })

  it('no flag twice, unless it may be repeated', async () => {
    expect(await offered('payment', 'list', '--json', '--j')).toEqual([])
    expect(await offered('scenario', 'lint', '--set', 'a=b', '--se')).toEqual(['--set'])
  })

  it('only words that no shell could take for more', async () => {
    for (const { name, load } of entries) {
      const loaded = await load()
      const paths = 'commands' in loaded ? loaded.commands.map((command) => [name, command.name]) : [[name]]
      for (const path of paths)
        for (const word of await offered(...path, '')) expect(word).toMatch(/^(?::files|[\w.:-]+)$/)
    }
  })
})

it.for<[line: string, words: string[]]>([
  ['mfano ', ['mfano', '']],
  ['mfano  clock adv', ['mfano', 'clock', 'adv']],
  [`mfano x --request '{"a": 1}' `, ['mfano', 'x', '--request', '{"a": 1}', '']],
  ['mfano "a \\"b" c\\ d', ['mfano', 'a "b', 'c d']],
  ["mfano 'open quote", ['mfano', 'open quote']],
  ["mfano ''", ['mfano', '']],
])('takes %j apart as a shell does', ([line, words]) => {
  expect(splitLine(line)).toEqual(words)
})

/** A shell that takes it for more than a name makes the file `ran`. */
const FILE = 'x$(touch ran);b c'

const shells = {
  bash: { start: 'bash --norc --noprofile -i', prepare: '' },
  zsh: { start: 'zsh -f -i', prepare: 'autoload -Uz compinit; compinit -u -D; ' },
  fish: { start: 'fish --no-config -i', prepare: '' },
}

it.for(Object.entries(shells))('completes in %s, on a terminal', async ([shell, { start, prepare }], context) => {
  needs(shell, context)
  needs('script', context)
  const cwd = folder({ [`script.${shell}`]: (await answer(['completion', shell])).out, [FILE]: '' })
  const mfano = join(cwd, 'mfano')
  const asksUs = `[ "$1" = __complete ] && exec '${process.execPath}' '${entry}' "$@"`
  writeFileSync(mfano, `#!/bin/sh\n${asksUs}\nprintf '%s\\n' "$@" >> words\n`)
  chmodSync(mfano, 0o755)
  const env = { ...process.env, PATH: `${cwd}:${process.env['PATH']}`, TERM: 'xterm', HOME: cwd }
  const lines = [
    `${prepare}source script.${shell}`,
    'mfano clo\tset fro\t',
    'mfano payment list --ki\tti\t',
    'mfano scenario lint x\t',
  ]
  const terminal = spawn('script', ['--quiet', '--command', start, '/dev/null'], {
    cwd,
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  terminal.stdin.end([...lines, 'exit', ''].join('\r'))
  await once(terminal, 'close', { signal: context.signal })
  expect(readFileSync(join(cwd, 'words'), 'utf8').trim().split('\n')).toEqual([
    ...['clock', 'set', 'frozen'],
    ...['payment', 'list', '--kind', 'till'],
    ...['scenario', 'lint', FILE],
  ])
  expect(readdirSync(cwd)).not.toContain('ran')
})

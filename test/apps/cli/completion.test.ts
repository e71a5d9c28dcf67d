import { execFile } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { splitLine } from '../../../src/apps/cli/completion/candidates.ts'
import { useBench } from '../../support/harness.ts'
import { needs } from '../../support/needs.ts'
import { entry } from '../../support/program-entry.ts'
import { answer, folder } from './support.ts'

const bench = useBench()
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

  it('what the asked server knows', async () => {
    const world = await bench.world({ id: 'shop' })
    const { uuid } = await world.control('POST', '/collections/bank', { amount: 100 })
    const at = ['--url', bench.simulator.baseUrl]
    expect(await offered('world', 'reset', ...at, 's')).toEqual(['shop'])
    expect(await offered('explain', ...at, '--world', 'shop', '')).toEqual([uuid])
    expect(await offered('wallet', 'fund', ...at, '--world', 'shop', '--organisation', '0000')).toEqual([
      world.companyId,
    ])
    const { out } = await answer(['__complete', 'words', 'payment', 'show', ...at, '--world', 'shop', ''])
    expect(out).toBe(`${uuid}\tbank-collection SUCCESS KES 100.00\n`)
  })

  it('nothing where no server answers', async () => {
    expect(await offered('explain', '--url', 'http://127.0.0.1:1', '')).toEqual([])
    expect(await offered('explain', '--url', 'nonsense', '')).toEqual([])
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

/** A folder with our command as `mfano`, the script of a shell, and a file. */
async function shellFolder(shell: string): Promise<string> {
  const directory = folder({ [`script.${shell}`]: (await answer(['completion', shell])).out, 'own-month.yaml': '' })
  const mfano = join(directory, 'mfano')
  writeFileSync(mfano, `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`)
  chmodSync(mfano, 0o755)
  return directory
}

/** Runs a script in a shell that finds our command, and gives its lines. */
function inShell(cwd: string, shell: string[], script: string): Promise<string[]> {
  const [program = '', ...flags] = shell
  const env = { ...process.env, PATH: `${cwd}:${process.env['PATH']}` }
  return new Promise((resolve, reject) =>
    execFile(program, [...flags, script], { cwd, env }, (error, out, errors) =>
      error || errors ? reject(error ?? new Error(errors)) : resolve(out.trimEnd().split('\n').filter(Boolean)),
    ),
  )
}

describe('bash', () => {
  /** What bash puts in for a line with the cursor at its end; it takes words apart at `=` and `:` itself. */
  async function completed(line: string, ...words: string[]): Promise<string[]> {
    const quoted = words.map((word) => `'${word}'`).join(' ')
    const script = `source script.bash
complete -p mfano >/dev/null || exit 1
COMP_LINE='${line}' COMP_POINT=${line.length} COMP_WORDS=(${quoted}) COMP_CWORD=${words.length - 1} COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
_mfano 2>/dev/null
printf '%s\\n' "\${COMPREPLY[@]}"`
    return inShell(await shellFolder('bash'), ['bash', '--noprofile', '--norc', '-c'], script)
  }

  it('completes commands, flags and values', async () => {
    expect(await completed('mfano clo', 'mfano', 'clo')).toEqual(['clock'])
    expect(await completed('mfano payment list --ki', 'mfano', 'payment', 'list', '--ki')).toEqual(['--kind'])
    expect(await completed('mfano payment list --kind=ti', 'mfano', 'payment', 'list', '--kind', '=', 'ti')).toEqual([
      'till',
    ])
  })

  it('asks the server of the line, and offers files', async () => {
    await bench.world({ id: 'shop' })
    const { baseUrl } = bench.simulator
    const parts = baseUrl.split(/(:)/)
    expect(
      await completed(`mfano world reset --url ${baseUrl} s`, 'mfano', 'world', 'reset', '--url', ...parts, 's'),
    ).toEqual(['shop'])
    expect(await completed('mfano scenario lint own-', 'mfano', 'scenario', 'lint', 'own-')).toEqual(['own-month.yaml'])
  })
})

describe('zsh', () => {
  it('completes commands with what they are about', async (context) => {
    needs('zsh', context)
    // Outside an interactive shell, its own functions are stood in for by those that print what they are given.
    const script = `compdef() { : }; _describe() { print -rl -- "\${(@P)4}" }; _files() { print -r -- files }
source script.zsh
words=(mfano clo) CURRENT=2; _mfano
words=(mfano scenario show tzs) CURRENT=4; _mfano`
    expect(await inShell(await shellFolder('zsh'), ['zsh', '-f', '-c'], script)).toEqual([
      'clock:Reads simulated time, and moves it.',
      'tzs-minimum:shipped',
      'files',
    ])
  })
})

describe('fish', () => {
  it('completes commands with what they are about', async (context) => {
    needs('fish', context)
    const script = 'source script.fish; complete -C "mfano clo"'
    expect(await inShell(await shellFolder('fish'), ['fish', '--no-config', '-c'], script)).toEqual([
      'clock\tReads simulated time, and moves it.',
    ])
  })
})

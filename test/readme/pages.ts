/** Runs every command that a page shows as it stands there: one simulator on another port for each page, and one shell. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type TestContext } from 'vitest'
import { readSettings } from '../../src/apps/cli/start/read-settings.ts'
import { silentLog } from '../../src/hosts/node/log.ts'
import { startSimulator } from '../../src/hosts/node/simulator.ts'
import { readDocument } from '../support/examples.ts'
import { needs } from '../support/needs.ts'
import { blocksOf, commandsOf, printedAs } from './blocks.ts'

export const root = join(import.meta.dirname, '../..')
export const folder = join(root, 'src/docs')
const isPage = (name: string) => name.endsWith('.md')
const pages = [
  'README.md',
  ...readdirSync(folder)
    .filter(isPage)
    .map((name) => `src/docs/${name}`),
].map((path) => ({
  path,
  text: readDocument(root, path),
}))
export const all = pages.map(({ text }) => text).join('\n')

/** Commands that need what a test has not: a fresh clone, or a container engine. Each says who runs it instead. */
export const elsewhere: Record<string, string> = {
  'npm ci && npm test': '.ci/run',
  'docker build -t mfano .': 'needs a container engine',
  'docker run --rm -p 127.0.0.1:8080:8080 --add-host host.docker.internal:host-gateway mfano':
    'needs a container engine',
}
/** Each goes on until it is stopped, so readme.test.ts starts it alone. */
export const starts = [
  ...new Set(
    pages
      .flatMap(({ text }) => blocksOf(text, 'sh').flatMap(commandsOf))
      .filter((one) => /\bnpm start(?: -- (?:--|start\b)|$)/.test(one)),
  ),
]

const isRunHere = (command: string) => !(command in elsewhere) && !starts.includes(command)

/** One shell for a page, because `TOKEN` is set in one block and used in the next. Gone when `signal` says so. */
async function runAll(lines: string[], address: string, signal: AbortSignal) {
  const program = `'${process.execPath}' bin/mfano.js`
  const here = (line: string) => line.replaceAll('localhost:8080', address).replace(/^npm start --/, program)
  const script = [
    `mfano() { ${program} "$@"; }`,
    `export MFANO_URL=http://${address}`,
    ...lines.map((line) => `${here(line)}\necho "\u0001$?\u0002"`),
  ].join('\n')
  const output = await new Promise<string>((resolve, reject) =>
    execFile('bash', ['-c', script], { cwd: root, signal }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    ),
  )
  const parts = output.split('\u0002\n')
  return lines.map((command, i) => {
    const [text = '', code = ''] = (parts[i] ?? '').split('\u0001')
    return { command, output: text.replaceAll(address, 'localhost:8080'), code }
  })
}

export function startedSimulator() {
  const { settings } = readSettings(['--port', '0', '--data', ':memory:', '--log', 'off'], {})
  if (!settings) throw new Error('the settings are wrong')
  return startSimulator(settings, silentLog)
}

/** What readers of other pages have done: a token, and the first payment. */
const firstPayment = blocksOf(pages[0]?.text ?? '', 'sh')
  .flatMap(commandsOf)
  .filter((command) => /get-token|\/send-money/.test(command))

/** Those that show a command which is run here. */
export const shown = pages.filter(({ text }) => blocksOf(text, 'sh').flatMap(commandsOf).some(isRunHere))

/** A block of text or JSON right behind commands is what they print. */
export async function runPage({ text }: { text: string }, context: TestContext): Promise<void> {
  needs('curl', context)
  const simulator = await startedSimulator()
  try {
    const parts = blocksOf(text, 'sh').map((block) => ({ ...block, lines: commandsOf(block).filter(isRunHere) }))
    const own = parts.flatMap(({ lines }) => lines)
    const before = own.some((command) => command.includes('get-token')) ? [] : firstPayment
    const results = await runAll([...before, ...own], `127.0.0.1:${simulator.port}`, context.signal)
    results.splice(0, before.length)
    for (const { lines, printed } of parts) {
      const done = results.splice(0, lines.length)
      for (const { command, output, code } of done) {
        expect(code, command).toBe('0')
        if (!printed?.text.includes('"error"')) expect(output, command).not.toMatch(/^\{"(?:error|errorCode|message)"/)
      }
      if (printed === undefined || lines.length === 0) continue
      const { actual, pattern } = printedAs(printed, done.map(({ output }) => output).join('\n'))
      expect(actual, lines.join('\n')).toMatch(pattern)
    }
  } finally {
    await simulator.close()
  }
}

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'
import { MfanoError } from '../../client/errors.ts'
import { must } from '../../core/model/must.ts'
import { packageVersion } from '../../hosts/node/package.ts'
import type { Tool } from '../mcp/tools.ts'
import { CLEAN, type TopCommand, urlFlag } from './command.ts'
import { serverOf } from './server.ts'

const run = promisify(execFile)
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024

/** A command as a tool. It runs the user's programs or sends with the user's keys, so local agents alone have it, not those over HTTP. */
function commandTool<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: Shape,
  wordsOf: (given: z.output<z.ZodObject<Shape, z.core.$strict>>) => readonly string[],
): Tool {
  const input = z.strictObject(shape)
  return {
    ...{ name, description, input, effect: 'destroys', openWorld: true },
    run: async (given, { signal }) => runMfano([name, ...wordsOf(input.parse(given)), '--json'], signal),
  }
}

function flagsOf(given: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(given).flatMap(([name, value]) => (value ? [`--${name}=${value}`] : []))
}

function path(file: string | undefined): string | undefined {
  return file && resolve(file)
}

const file = z.string().describe('the merchant file, merchant.yaml')

const gauntlet = commandTool(
  'gauntlet',
  'Runs the app of a merchant file under every scenario that can affect it, and compares its books with the ledger. Takes about a minute.',
  { file, scenarios: z.array(z.string()).optional().describe('only these') },
  ({ file, scenarios = [] }) => [merchantFile(file), ...scenarios.map((name) => `--scenario=${name}`)],
)

const reproduce = commandTool(
  'reproduce',
  'Infers from the traffic of an incident what happened to an app: lost answers, callbacks twice or never, reversals, refusals. Runs the app under that, and says reproduced, not reproduced or could not be told. Takes up to three minutes.',
  {
    file,
    traffic: z.string().describe('the traffic between the app and the service: a HAR file, or JSON lines'),
    payments: z.string().optional().describe("a file with the provider's list of payments, JSON or CSV"),
    books: z.string().optional().describe("a file with the app's books after the incident, JSON or CSV"),
    out: z.string().optional().describe('a folder for the scenario, and for a schedule and a page of each finding'),
  },
  ({ traffic, file, payments, books, out }) => [
    resolve(traffic),
    ...flagsOf({ app: merchantFile(file), payments: path(payments), books: path(books), out: path(out) }),
  ],
)

const prove = commandTool(
  'prove',
  'Proves that a change of an app mends a finding. Runs the same schedules in a temporary checkout of the commit before, and in the files as they are now. Says proved, refused or not judged, with the reason. Takes one to five minutes.',
  {
    file: file.describe('the merchant file, merchant.yaml, in a git repository'),
    from: z.string().optional().describe('the commit before; default: HEAD if files differ from it, else HEAD~1'),
    incident: z.string().optional().describe('a folder with schedules, such as reproduce --out writes'),
    finding: z.string().optional().describe('only this finding, such as paid_twice'),
  },
  ({ file, from, incident, finding }) => [merchantFile(file), ...flagsOf({ from, incident: path(incident), finding })],
)

function merchantFile(file: string): string {
  if (/\.(?:ya?ml|json)$/.test(file)) return resolve(file)
  throw new MfanoError({
    code: 'NO_MERCHANT_FILE',
    message: `file: expected a merchant file, such as merchant.yaml, got ${file}.`,
  })
}

const calibrate = commandTool(
  'calibrate',
  'Asks the real service at PAYMENTS_BASE_URL, with the sandbox account whose keys are in PAYMENTS_KEY, PAYMENTS_SECRET and PAYMENTS_COMPANY, which alternative of each assumption holds. Sends only reads, and requests that are certain to be refused. One a second, about three minutes. plan: print the requests and send nothing.',
  {
    plan: z.boolean().optional().describe('send nothing'),
    assumptions: z.array(z.string()).optional().describe('only these'),
    out: z.string().optional().describe('the scenario to write, such as measured.yaml; a file that is not there yet'),
  },
  ({ plan, assumptions = [], out }) => {
    if (out !== undefined && existsSync(out))
      throw new MfanoError({ code: 'FILE_EXISTS', message: `out: expected a file that is not there yet, got ${out}.` })
    const named = assumptions.map((id) => `--assumption=${id}`)
    return [...flagsOf({ 'base-url': serviceAddress(), out: path(out) }), ...named, ...(plan ? ['--plan'] : [])]
  },
)

/** From the environment alone: an agent that could name the address could have the keys sent anywhere. */
function serviceAddress(): string {
  const { PAYMENTS_BASE_URL: address } = process.env
  if (address) return address
  throw new MfanoError({
    ...{ code: 'NO_ADDRESS', message: 'The environment of mfano mcp has no PAYMENTS_BASE_URL.' },
    hint: 'Set it to the address of the real service, beside its keys.',
  })
}

/** Findings make the command exit with an error, but its output is still the answer. No word of an agent becomes a flag. */
function runMfano(words: readonly string[], signal: AbortSignal): Promise<string> {
  return run(process.execPath, [must(process.argv[1]), ...words], { signal, maxBuffer: OUTPUT_MAX_BYTES }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr, message }) => stdout || stderr || message,
  )
}

export const mcpCommand: TopCommand = {
  about:
    'It speaks the Model Context Protocol on standard input and output. The server also offers it at /_mfano/mcp, without gauntlet, reproduce, prove and calibrate.',
  flags: [urlFlag],
  examples: ['mfano mcp', 'mfano mcp --url http://localhost:8080'],
  run: async (given) => {
    // The protocol has both streams for itself: nothing else is printed.
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
    const { mcpServer } = await import('../mcp/mcp-server.ts')
    const { origin } = serverOf(given)
    const adminToken = process.env['MFANO_ADMIN_TOKEN'] || undefined
    const backend = { baseUrl: origin, version: packageVersion(), adminToken }
    const serving = serveStdio(() => mcpServer(backend, [gauntlet, reproduce, prove, calibrate]))
    await once(process.stdin, 'end')
    await serving.close()
    return CLEAN
  },
}

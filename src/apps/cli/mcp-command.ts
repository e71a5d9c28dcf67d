/** `mfano mcp`: serves tools to an agent over standard input and output. */
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
import { CLEAN, type CliCommand, urlFlag } from './command.ts'
import { serverOf } from './server.ts'

const run = promisify(execFile)
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024

const gauntletInput = z.strictObject({
  file: z.string().describe('the merchant file, merchant.yaml'),
  scenarios: z.array(z.string()).optional().describe('only these'),
})

/** Runs the user's programs, so it is offered to local agents only, not over HTTP. */
const gauntlet: Tool = {
  name: 'gauntlet',
  description:
    'Runs the app of a merchant file under every scenario that can affect it, and compares its books with the ledger. Takes about a minute.',
  input: gauntletInput,
  effect: 'destroys',
  openWorld: true,
  run: async (input, { signal }) => {
    const { file, scenarios = [] } = gauntletInput.parse(input)
    const named = scenarios.map((name) => `--scenario=${name}`)
    return told(['gauntlet', merchantFile(file), '--json', ...named], signal)
  },
}

const incidentInput = z.strictObject({
  traffic: z.string().describe('the traffic between the app and the service: a HAR file, or JSON lines'),
  file: z.string().describe('the merchant file of the app, merchant.yaml'),
  payments: z.string().optional().describe("a file with the provider's list of payments, JSON or CSV"),
  books: z.string().optional().describe("a file with the app's books after the incident, JSON or CSV"),
  out: z.string().optional().describe('a folder for the scenario, and for a schedule and a page of each finding'),
})

/** Runs the user's programs. */
const incident: Tool = {
  name: 'reproduce',
  description:
    'Infers from the traffic of an incident what happened to an app: lost answers, callbacks twice or never, reversals, refusals. Runs the app under that, and says reproduced, not reproduced or could not be told. Takes up to three minutes.',
  input: incidentInput,
  effect: 'destroys',
  openWorld: true,
  run: async (input, { signal }) => {
    const { traffic, file, payments, books, out } = incidentInput.parse(input)
    const flags = Object.entries({ payments, books, out }).flatMap(([name, value]) =>
      value ? [`--${name}=${resolve(value)}`] : [],
    )
    return told(['reproduce', resolve(traffic), `--app=${merchantFile(file)}`, '--json', ...flags], signal)
  },
}

const proofInput = z.strictObject({
  file: z.string().describe('the merchant file, merchant.yaml, in a git repository'),
  from: z.string().optional().describe('the commit before; default: HEAD if files differ from it, else HEAD~1'),
  incident: z.string().optional().describe('a folder with schedules, such as reproduce --out writes'),
  finding: z.string().optional().describe('only this finding, such as paid_twice'),
})

/** Runs the user's programs, as they are now and as they were. */
const proof: Tool = {
  name: 'prove',
  description:
    'Proves that a change of an app mends a finding. Runs the same schedules in a temporary checkout of the commit before, and in the files as they are now. Says proved, refused or not judged, with the reason. Takes one to five minutes.',
  input: proofInput,
  effect: 'destroys',
  openWorld: true,
  run: async (input, { signal }) => {
    const { file, from, incident, finding } = proofInput.parse(input)
    const given = { from, incident: incident && resolve(incident), finding }
    const flags = Object.entries(given).flatMap(([name, value]) => (value ? [`--${name}=${value}`] : []))
    return told(['prove', merchantFile(file), '--json', ...flags], signal)
  },
}

/** Anything else would be a command to run. */
function merchantFile(file: string): string {
  if (/\.(?:ya?ml|json)$/.test(file)) return resolve(file)
  throw new MfanoError({
    code: 'NO_MERCHANT_FILE',
    message: `file: expected a merchant file, such as merchant.yaml, got ${file}.`,
  })
}

const calibrateInput = z.strictObject({
  plan: z.boolean().optional().describe('send nothing'),
  assumptions: z.array(z.string()).optional().describe('only these'),
  out: z.string().optional().describe('the scenario to write, such as measured.yaml; a file that is not there yet'),
})

/** Sends requests to the real service with the user's keys, so it is offered to local agents only. */
const calibrate: Tool = {
  name: 'calibrate',
  description:
    'Asks the real service at PAYMENTS_BASE_URL, with the sandbox account whose keys are in PAYMENTS_KEY, PAYMENTS_SECRET and PAYMENTS_COMPANY, which alternative of each assumption holds. Sends only reads, and requests that are certain to be refused. One a second, about three minutes. plan: print the requests and send nothing.',
  input: calibrateInput,
  effect: 'destroys',
  openWorld: true,
  run: async (input, { signal }) => {
    const { plan, assumptions = [], out } = calibrateInput.parse(input)
    const named = assumptions.map((id) => `--assumption=${id}`)
    const words = [`--base-url=${serviceAddress()}`, '--json', ...named, ...(plan ? ['--plan'] : [])]
    if (out !== undefined && existsSync(out))
      throw new MfanoError({ code: 'FILE_EXISTS', message: `out: expected a file that is not there yet, got ${out}.` })
    return told(['calibrate', ...words, ...(out === undefined ? [] : [`--out=${resolve(out)}`])], signal)
  },
}

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
function told(words: readonly string[], signal: AbortSignal): Promise<string> {
  return run(process.execPath, [must(process.argv[1]), ...words], { signal, maxBuffer: OUTPUT_MAX_BYTES }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr, message }) => stdout || stderr || message,
  )
}

export const mcpCommand: CliCommand = {
  name: 'mcp',
  summary: 'Serve mfano to an agent over MCP.',
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
    const serving = serveStdio(() => mcpServer(backend, [gauntlet, incident, proof, calibrate]))
    await once(process.stdin, 'end')
    await serving.close()
    return CLEAN
  },
}

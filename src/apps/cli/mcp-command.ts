/** `mfano mcp`: serves tools to an agent over standard input and output. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import * as z from 'zod'
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
  readOnly: true,
  run: async (input, { signal }) => {
    const { file, scenarios = [] } = gauntletInput.parse(input)
    return told(['gauntlet', file, '--json', ...scenarios.flatMap((name) => ['--scenario', name])], signal)
  },
}

const calibrateInput = z.strictObject({
  baseUrl: z.string().describe('of the service, such as https://api.provider.example'),
  plan: z.boolean().optional().describe('send nothing'),
  assumptions: z.array(z.string()).optional().describe('only these'),
  out: z.string().optional().describe('the scenario to write, such as measured.yaml'),
})

/** Sends requests to the real service with the user's keys, so it is offered to local agents only. */
const calibrate: Tool = {
  name: 'calibrate',
  description:
    'Asks the real service, at the sandbox account whose keys are in PAYMENTS_KEY, PAYMENTS_SECRET and PAYMENTS_COMPANY, which alternative of each assumption holds. Sends only reads, and requests that are certain to be refused. One a second, about three minutes. plan: print the requests and send nothing.',
  input: calibrateInput,
  readOnly: true,
  run: async (input, { signal }) => {
    const { baseUrl, plan, assumptions = [], out } = calibrateInput.parse(input)
    const named = assumptions.flatMap((id) => ['--assumption', id])
    const words = ['--base-url', baseUrl, '--json', ...named, ...(plan ? ['--plan'] : [])]
    return told(['calibrate', ...words, ...(out === undefined ? [] : ['--out', out])], signal)
  },
}

/** Findings make the command exit with an error, but its output is still the answer. */
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
    'It speaks the Model Context Protocol on standard input and output. The server also offers it at /_mfano/mcp, without gauntlet and calibrate.',
  flags: [urlFlag],
  examples: ['mfano mcp', 'mfano mcp --url http://localhost:8080'],
  run: async (given) => {
    // The protocol has both streams for itself: nothing else is printed.
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
    const { mcpServer } = await import('../mcp/mcp-server.ts')
    const { origin } = serverOf(given)
    const adminToken = process.env['MFANO_ADMIN_TOKEN'] || undefined
    const backend = { baseUrl: origin, version: packageVersion(), adminToken }
    const serving = serveStdio(() => mcpServer(backend, [gauntlet, calibrate]))
    await once(process.stdin, 'end')
    await serving.close()
    return CLEAN
  },
}

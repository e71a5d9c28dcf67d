/** The notice that a simulator is ready, for people and for machines. */
import type { Drawn } from '../../../core/scenario.ts'
import { drawnText } from '../words.ts'

/** What a started simulator says about itself. */
export interface Ready {
  version: string
  baseUrl: string
  port: number
  scenario: { name: string; description: string }
  /** What the seed of a wary scenario decided; null where it has none. */
  wary: { seed: number; drawn: readonly Drawn[] } | null
  credentials: { apiKey: string; apiSecret: string; companyId: string }
  /** The control plane asks for MFANO_ADMIN_TOKEN. */
  guarded: boolean
}

/** One line of JSON: everything that the notice says. */
export function readyLine({ version, baseUrl, port, scenario, wary, credentials, guarded }: Ready): string {
  const line = {
    event: 'ready',
    version,
    baseUrl,
    port,
    scenario: scenario.name,
    ...(wary && { wary }),
    credentials,
    docs: `${baseUrl}/docs`,
    contract: `${baseUrl}/openapi.json`,
    dashboard: `${baseUrl}/_mfano/`,
    control: `${baseUrl}/_mfano/`,
    firstPayment: firstPayment(baseUrl, credentials),
    readCallback: readInbox(baseUrl, guarded),
  }
  return `${JSON.stringify(line)}\n`
}

/** The addresses, the key, and a first payment to paste into a shell. */
export function readyNotice({ version, baseUrl, scenario, wary, credentials, guarded }: Ready): string {
  return `
  mfano ${version} is ready

  base URL     ${baseUrl}
  apiKey       ${credentials.apiKey}
  apiSecret    ${credentials.apiSecret}
  companyId    ${credentials.companyId}
  scenario     ${scenario.name}: ${scenario.description.trim().replaceAll(/\s+/g, ' ')}${wary ? `\n  wary         ${drawnText(wary)}` : ''}

  docs         ${baseUrl}/docs
  contract     ${baseUrl}/openapi.json
  dashboard    ${baseUrl}/_mfano/${guarded ? ' (asks for MFANO_ADMIN_TOKEN)' : ''}
  log          with this machine's time, ${Intl.DateTimeFormat().resolvedOptions().timeZone}

Send money to a phone:

${firstPayment(baseUrl, credentials)}

A few seconds later, read the callback that tells how it ended:

${readInbox(baseUrl, guarded)}

`
}

/** Shell commands that get a token and send money. */
export function firstPayment(baseUrl: string, { apiKey, apiSecret }: Ready['credentials']): string {
  const payment = {
    phoneNumber: '254712345678',
    amount: 150,
    currencyCode: 'KSH',
    remarks: 'Lunch',
    occasion: 'Hello',
    callbackUrl: `${baseUrl}/_mfano/inbox/hello`,
    referenceId: 'hello-1',
  }
  // sed rather than jq, which few machines have.
  return `TOKEN=$(curl -s ${quoted(`${baseUrl}/api/v1/get-token`)} -H 'Content-Type: application/json' \\
  -d ${quoted(JSON.stringify({ apiKey, apiSecret }))} | sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')
curl -s ${quoted(`${baseUrl}/api/sandbox/v1/send-money`)} -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d ${quoted(JSON.stringify(payment))}`
}

/** A shell command that reads the callbacks that arrived. */
export function readInbox(baseUrl: string, guarded: boolean): string {
  const token = guarded ? ' -H "Authorization: Bearer $MFANO_ADMIN_TOKEN"' : ''
  return `curl -s ${quoted(`${baseUrl}/_mfano/inbox/hello`)}${token}`
}

/** One word for a POSIX shell, whatever is in it. */
function quoted(text: string): string {
  return /^[\w:/.@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

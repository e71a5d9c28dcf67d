/** The notice that a simulator is ready, for people and for machines. */
import { shellWord } from '../words.ts'

/** What a started simulator says about itself. */
export interface Ready {
  version: string
  baseUrl: string
  port: number
  scenario: { name: string; description: string }
  credentials: { apiKey: string; apiSecret: string; companyId: string }
  /** The control plane asks for MFANO_ADMIN_TOKEN. */
  guarded: boolean
}

/** One line of JSON: everything that the notice says. */
export function readyLine({ version, baseUrl, port, scenario, credentials, guarded }: Ready): string {
  const line = {
    event: 'ready',
    version,
    baseUrl,
    port,
    scenario: scenario.name,
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
export function readyNotice({ version, baseUrl, scenario, credentials, guarded }: Ready): string {
  return `
  mfano ${version} is ready

  base URL     ${baseUrl}
  apiKey       ${credentials.apiKey}
  apiSecret    ${credentials.apiSecret}
  companyId    ${credentials.companyId}
  scenario     ${scenario.name}: ${scenario.description.trim().replaceAll(/\s+/g, ' ')}

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
  return `TOKEN=$(curl -s ${shellWord(`${baseUrl}/api/v1/get-token`)} -H 'Content-Type: application/json' \\
  -d ${shellWord(JSON.stringify({ apiKey, apiSecret }))} | sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')
curl -s ${shellWord(`${baseUrl}/api/sandbox/v1/send-money`)} -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d ${shellWord(JSON.stringify(payment))}`
}

/** A shell command that reads the callbacks that arrived. */
export function readInbox(baseUrl: string, guarded: boolean): string {
  const token = guarded ? ' -H "Authorization: Bearer $MFANO_ADMIN_TOKEN"' : ''
  return `curl -s ${shellWord(`${baseUrl}/_mfano/inbox/hello`)}${token}`
}

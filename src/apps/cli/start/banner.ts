/** Prints that a simulator is ready, for people or for programs. */
import { shellWord } from '../words.ts'

export interface Ready {
  version: string
  baseUrl: string
  port: number
  scenario: { name: string; description: string }
  credentials: { apiKey: string; apiSecret: string; companyId: string }
  guarded: boolean
  /** Present if mfano also serves HTTPS. `file` is the certificate to trust, if it is stored. */
  authority?: { file: string | undefined }
  /** Given by a setting. */
  seed?: number | undefined
  data: string
  warnings: readonly string[]
}

/** Uses HTTP if the authority's certificate is not stored, because curl could not verify HTTPS. */
function curlOf({ baseUrl, authority }: Ready): { curl: string; base: string } {
  if (!authority) return { curl: 'curl -s', base: baseUrl }
  if (authority.file === undefined) return { curl: 'curl -s', base: baseUrl.replace(/^https:/, 'http:') }
  return { curl: `curl -s --cacert ${shellWord(authority.file)}`, base: baseUrl }
}

export function readyLine(ready: Ready): string {
  const { version, baseUrl, port, scenario, credentials, guarded, authority, data, warnings } = ready
  const line = {
    event: 'ready',
    version,
    baseUrl,
    port,
    scenario: scenario.name,
    data,
    credentials,
    docs: `${baseUrl}/docs`,
    contract: `${baseUrl}/openapi.json`,
    dashboard: `${baseUrl}/_mfano/`,
    control: `${baseUrl}/_mfano/`,
    ...(authority && { authority: authority.file ?? `${baseUrl}/_mfano/ca.pem` }),
    ...(warnings.length > 0 && { warnings }),
    firstPayment: firstPayment(baseUrl, credentials, curlOf(ready)),
    readCallback: readInbox(baseUrl, guarded, curlOf(ready)),
  }
  return `${JSON.stringify(line)}\n`
}

export function readyNotice(ready: Ready): string {
  const { version, baseUrl, scenario, credentials, guarded, authority, seed, data, warnings } = ready
  const trusted =
    authority &&
    `\n  trust        ${authority.file ?? `${curlOf(ready).base}/_mfano/ca.pem`} (how: ${baseUrl}/docs/https)`
  return `
  mfano ${version} is ready

  base URL     ${baseUrl}${trusted ?? ''}
  apiKey       ${credentials.apiKey}
  apiSecret    ${credentials.apiSecret}
  companyId    ${credentials.companyId}
  scenario     ${scenario.name}: ${scenario.description.trim().replaceAll(/\s+/g, ' ')}
  ids          ${seed === undefined ? 'new in every new default world and after a reset; --seed 1 repeats them' : `of seed ${seed}`}
  data         ${data === ':memory:' ? 'kept in memory, and gone when mfano stops' : data}

  docs         ${baseUrl}/docs
  contract     ${baseUrl}/openapi.json
  dashboard    ${baseUrl}/_mfano/${guarded ? ' (asks for MFANO_ADMIN_TOKEN)' : ''}
  log          with this machine's time, ${Intl.DateTimeFormat().resolvedOptions().timeZone}
${warnings.map((warning) => `\n  Warning: ${warning}\n`).join('')}
Send money to a phone:

${firstPayment(baseUrl, credentials, curlOf(ready))}

A few seconds later, read the callback that tells how it ended:

${readInbox(baseUrl, guarded, curlOf(ready))}

`
}

export function firstPayment(
  baseUrl: string,
  { apiKey, apiSecret }: Ready['credentials'],
  { curl, base } = { curl: 'curl -s', base: baseUrl },
): string {
  const payment = {
    phoneNumber: '254712345678',
    amount: 150,
    currencyCode: 'KSH',
    remarks: 'Lunch',
    occasion: 'Hello',
    callbackUrl: `${base}/_mfano/inbox/hello`,
    referenceId: 'hello-1',
  }
  // sed rather than jq, which few machines have.
  return `TOKEN=$(${curl} ${shellWord(`${base}/api/v1/get-token`)} -H 'Content-Type: application/json' \\
  -d ${shellWord(JSON.stringify({ apiKey, apiSecret }))} | sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')
${curl} ${shellWord(`${base}/api/sandbox/v1/send-money`)} -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d ${shellWord(JSON.stringify(payment))}`
}

export function readInbox(
  baseUrl: string,
  guarded: boolean,
  { curl, base } = { curl: 'curl -s', base: baseUrl },
): string {
  const token = guarded ? ' -H "Authorization: Bearer $MFANO_ADMIN_TOKEN"' : ''
  return `${curl} ${shellWord(`${base}/_mfano/inbox/hello`)}${token}`
}

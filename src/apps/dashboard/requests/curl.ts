/** A request of the journal as a curl command. */
export interface CurlRequest {
  method: string
  path: string
  request: { headers: Readonly<Record<string, string>>; body: unknown }
}

/** Headers that curl sets itself, or that belong to one connection. */
const OWN = /^(?:host|connection|content-length|accept-encoding|user-agent|transfer-encoding|sec-.*)$/

/** The journal masks secrets, so the token comes from `$TOKEN`. */
export function asCurl(baseUrl: string, { method, path, request }: CurlRequest): string {
  const headers = Object.entries(request.headers)
    .filter(([name]) => !OWN.test(name.toLowerCase()))
    .map(([name, value]) =>
      name.toLowerCase() === 'authorization' ? '"Authorization: Bearer $TOKEN"' : quoted(`${name}: ${value}`),
    )
    .map((header) => `-H ${header}`)
  const body =
    request.body === null || request.body === undefined
      ? []
      : [`-d ${quoted(typeof request.body === 'string' ? request.body : JSON.stringify(request.body))}`]
  return [`curl -X ${method} ${quoted(baseUrl + path)}`, ...headers, ...body].join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

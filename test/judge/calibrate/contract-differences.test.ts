/** Recorded answers against mfano's contract, from HAR files as browsers, sanitizers and proxies write them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answer, folder } from '../../apps/cli/support.ts'

const SERVICE = 'https://api.provider.example/api/sandbox/v1'

/** An exchange as Chrome writes it. `body`: of the answer. */
function entry(path: string, { method = 'GET', status = 200, headers = [], body = '', url = SERVICE + path }) {
  const content = { mimeType: 'application/json', ...(body !== '' && { size: body.length, text: body }) }
  return { startedDateTime: '2025-01-24T16:28:00Z', request: { method, url, headers }, response: { status, content } }
}

const list = (data: unknown) => JSON.stringify({ status: 200, message: 'Success', data })

async function read(...entries: object[]) {
  const file = join(folder(), 'traffic.har')
  writeFileSync(file, `\uFEFF${JSON.stringify({ log: { entries } })}`)
  return answer(['calibrate', '--from', file])
}

it('tells each difference once, with its count and what the contract has', async () => {
  const odd = entry('/till/all', { body: list({}) })
  const { code, out } = await read(odd, odd, entry('/paybill/all', { status: 206 }), entry('/paybil/all', {}))
  expect(code).toBe(1)
  expect(out).toContain("3 differences from mfano's contract.")
  expect(out).toContain('listTillPayments data type: {}, and the contract has array (2 times)\n')
  expect(out).toMatch(/^ *listPaybillPayments status: 206, and the contract has 200, 401, /m)
  expect(out).toContain('GET /api/sandbox/v1/paybil/all status: 200, and the contract has no such operation\n')
})

it('takes nothing for a difference that a file does not hold, or that is not about the service', async () => {
  const asked = [{ name: 'Access-Control-Request-Method', value: 'GET' }]
  const { code, out } = await read(
    entry('/till/all', { body: list([]) }),
    entry('/till/all', {}),
    entry('/till/all', { status: 0 }),
    entry('/till/all', { status: 502, body: '<html>' }),
    entry('/no/such/page', { status: 404 }),
    entry('', { method: 'OPTIONS', url: `${SERVICE}/till/all`, headers: asked as never }),
    entry('', { url: 'https://shop.example/api/orders', body: '{}' }),
  )
  expect({ code, differs: out.includes('contract') }).toEqual({ code: 0, differs: false })
})

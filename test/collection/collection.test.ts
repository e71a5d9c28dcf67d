import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { defaultsOf } from '../../src/model/assumption.ts'
import { paymentsService } from '../../src/service/service.ts'
import { answer, folder } from '../commands/support.ts'
import { bruToJsonV2 } from './bruno-lang.ts'

const server = 'http://127.0.0.1:18080'
const { assumptions } = paymentsService
const contract = paymentsService.contract({ baseUrl: '', version: '', assumptions: defaultsOf(assumptions) })
const paths = Object.keys(contract.paths).map((path) => path.replace(/\{\w+\}/, ''))

/** Every variable of a text, by its name. */
function variables(text: string): string[] {
  return Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name)
}

it('has every operation for Postman, and no variable that nothing has set by then', async () => {
  const out = folder()
  expect(await answer(['collection', 'postman', '--out', out, '--url', server])).toMatchObject({ code: 0 })
  const collection = JSON.parse(readFileSync(join(out, 'mfano.postman_collection.json'), 'utf8'))
  expect(collection.variable).toEqual([{ key: 'server', value: server }])
  const requests = collection.item.flatMap(({ item }: { item: object[] }) => item)
  for (const path of paths) expect(JSON.stringify(requests)).toContain(`{{baseUrl}}${path}`)
  const known = new Set(['server'])
  for (const { name, request, event } of requests) {
    for (const variable of variables(JSON.stringify(request))) expect([name, ...known]).toContain(variable)
    if (request.auth?.type !== 'noauth') expect([...known]).toContain('token')
    for (const [, variable = ''] of event[0].script.exec.join('\n').matchAll(/set\('(\w+)'/g)) known.add(variable)
  }
  expect(JSON.stringify(requests)).not.toMatch(/undefined|\{baseUrl\}[^}]/)
})

it('says the same to Bruno, in files that it reads', async () => {
  const out = folder()
  const made = JSON.parse((await answer(['collection', 'bruno', '--out', out, '--url', server, '--json'])).out)
  const names = readdirSync(out).filter((name) => name.endsWith('.bru'))
  expect(made.files).toHaveLength(names.length + 2)
  const requests = names.map((name) => bruToJsonV2(readFileSync(join(out, name), 'utf8')))
  expect(requests.map(({ meta }) => Number(meta.seq))).toEqual(names.map((_, i) => i + 1))
  for (const path of paths)
    expect(
      requests.some(({ http }) => http.url.startsWith(`{{baseUrl}}${path}`)),
      path,
    ).toBe(true)
  for (const { http, body, assertions } of requests) {
    if (http.body === 'json') JSON.parse(body?.json ?? '')
    expect(assertions).toMatchObject([{ name: 'res.status', value: expect.stringMatching(/^eq 20[01]$/) }])
  }
  expect(readFileSync(join(out, 'environments/local.bru'), 'utf8')).toContain(`server: ${server}`)
})

it('refuses another form by name', async () => {
  expect(await answer(['collection', 'insomnia'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('postman or bruno'),
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { defaultsOf } from '../../../src/core/model/assumption.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { answer, folder } from '../../apps/cli/support.ts'

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

it('refuses another form by name', async () => {
  expect(await answer(['collection', 'insomnia'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Expected postman'),
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { defaultsOf } from '../../../src/core/model/assumption.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

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
  expect(await answer(['collection', 'arazo'])).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/Expected postman, openapi, arazzo, skill; got "arazo"\..*arazzo/),
  })
})

it('writes a skill with the head that agents look for, as it is served', async () => {
  const out = folder()
  const { baseUrl } = await bench.world()
  expect(await answer(['collection', 'skill', '--out', out, '--url', baseUrl])).toMatchObject({ code: 0 })
  const written = readFileSync(join(out, 'SKILL.md'), 'utf8')
  expect(await (await fetch(`${baseUrl}/SKILL.md`)).text()).toBe(written)
  const [, head = '', text = ''] = written.split(/^---$/m)
  expect(parse(head)).toEqual({ name: 'mfano', description: expect.stringMatching(/^.{50,1024}$/) })
  expect(text).not.toContain('localhost:8080')
  const addresses = Array.from(text.matchAll(/http:\/\/[^\s)|`;,]+/g), ([address]) => address.replace(/\.$/, ''))
  const pages = addresses.filter((address) => /\/(?:docs|llms)/.test(address))
  expect(pages.length).toBeGreaterThan(4)
  for (const address of pages) expect([address, (await fetch(address)).status]).toEqual([address, 200])
})

it('has a skill whose commands are known', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../src/docs/skill.md'), 'utf8')
  const commands = [...page.matchAll(/`mfano ([a-z]+(?: [a-z]+)?)/g)].map(([, words = '']) => words)
  expect(commands.length).toBeGreaterThan(8)
  for (const words of commands.filter((one) => !one.startsWith('help')))
    expect([words, await answer([...words.split(' '), '--help'])]).toMatchObject([words, { code: 0 }])
})

/** Parameters that exist under some choices: read, checked, and in the contract with them alone. */
import { expect, it } from 'vitest'
import { paymentsService } from '../../src/service/service.ts'
import { assuming } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'

const bench = useBench()
const API = '/api/sandbox/v1'
const lists = ['/till/all', '/paybill/all', '/bank/collection/all', '/de-allocations/org/all']

it.each(['constructor', '__proto__', 'toString'])(
  'refuses a field named %s as any other that nobody reads',
  async (name) => {
    const world = await bench.world(assuming({ 'unknown-fields': 'refuse', 'error-body': 'field-list' }))
    const { status, text } = await world.post(`${API}/till`, `{"${name}":1}`)
    expect([status, JSON.parse(text).errors[name]]).toEqual([400, expect.anything()])
  },
)

it('reads the page of a list where lists have pages, and nowhere else', async () => {
  const [without, world] = [await bench.world(), await bench.world(assuming({ 'list-pages': 'twenty' }))]
  for (const path of lists) {
    expect([path, (await without.get(`${API}${path}?page=first`)).status]).toEqual([path, 200])
    expect([path, (await world.get(`${API}${path}?page=0`)).status]).toEqual([path, 200])
    expect([path, (await world.get(`${API}${path}?page=first`)).status]).toEqual([path, 400])
  }
  const { requests } = await without.control('GET', '/requests?limit=1')
  expect(requests[0].unreadFields).toEqual(['?page'])
  const named = (inForce: (typeof world.inside.core.scenario)['assumptions']) => {
    const { paths } = paymentsService.contract({ baseUrl: 'http://localhost', version: '1', assumptions: inForce })
    return paths[`${API}/paybill/all`]?.['get']?.parameters?.map((one) => one.name) ?? []
  }
  expect(named(without.inside.core.scenario.assumptions)).not.toContain('page')
  expect(named(world.inside.core.scenario.assumptions)).toContain('page')
})

/** Fields and parameters that are there under some choices: read, checked, and in the contract with them alone. */
import { expect, it } from 'vitest'
import { paymentsService } from '../../src/service/service.ts'
import { assuming } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'

const bench = useBench()
const API = '/api/sandbox/v1'
const strict = { 'unknown-fields': 'refuse', 'unknown-parameters': 'refuse' }
const lists = ['/till/all', '/paybill/all', '/bank/collection/all', '/de-allocations/org/all']

it.each([
  ['list-pages', 'twenty', 'page=0', 'page=first'],
  ['list-filters', 'status', 'status=SUCCESS', 'pages=1'],
])('%s: its parameter is known with it, and not without', async (id, alternative, known, wrong) => {
  const [without, world] = [
    await bench.world(assuming(strict)),
    await bench.world(assuming({ ...strict, [id]: alternative })),
  ]
  for (const path of lists) {
    expect([path, (await without.get(`${API}${path}?${known}`)).status]).toEqual([path, 400])
    expect([path, (await world.get(`${API}${path}?${known}`)).status]).toEqual([path, 200])
    expect([path, (await world.get(`${API}${path}?${wrong}`)).status]).toEqual([path, 400])
  }
  const name = known.split('=')[0] as string
  const named = (inForce: (typeof world.inside.core.scenario)['assumptions']) => {
    const { paths } = paymentsService.contract({ baseUrl: 'http://localhost', version: '1', assumptions: inForce })
    return paths[`${API}/paybill/all`]?.['get']?.parameters?.map((one) => one.name) ?? []
  }
  expect(named(without.inside.core.scenario.assumptions)).not.toContain(name)
  expect(named(world.inside.core.scenario.assumptions)).toContain(name)
})

it('takes the currency of an allocation where it has one, and no other word', async () => {
  const world = await bench.world(
    assuming({ ...strict, 'allocation-to-oneself': 'accept', 'allocation-currency': 'currency-field' }),
  )
  const { companyId: id } = world
  const body = { fromOrganisationId: id, toOrganisationId: id, amount: 5 }
  expect((await world.post(`${API}/allocations/new`, { ...body, currency: 'TZS' })).status).toBe(201)
  const refused = await world.post(`${API}/allocations/new`, { ...body, currency: 'EUR' })
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'REQ_INVALID_FIELD' } } })
  expect(refused.body.error.details).toMatch(/currency: must be one of .*, got "EUR"/)
  const { requests } = await world.control('GET', '/requests?operation=createAllocation')
  expect(requests.map(({ unreadFields }: { unreadFields: string[] }) => unreadFields)).toEqual([[], []])
})

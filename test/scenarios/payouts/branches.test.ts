/** A branch is a sub-account: it pays from a wallet of its own, which the head office fills. */
import { describe, expect, it } from 'vitest'
import { paid } from '../payroll/book.ts'
import type { Department, Tariff } from '../payroll/department.ts'
import { grace, jane, type Office, peter, type Story, usePayroll } from './support.ts'

const { open, hire } = usePayroll()

/** A head office, and its branch in Mombasa with an empty wallet. */
async function withBranch(story: Story): Promise<{ office: Office; branch: Department }> {
  const office = await open(story)
  const { world, time } = office
  const user = { userType: 'API_USER', firstName: 'Fatuma', lastName: 'Omar', username: 'fomar', roles: ['ADMIN'] }
  const created = await world.post('/api/sandbox/v1/multiaccount/new/organisation', {
    name: 'Mombasa',
    email: 'mombasa@example.com',
    phone: '254700000077',
    user: { ...user, password: 'a-long-password', email: 'fomar@example.com' },
  })
  const credentials = await world.control('POST', `/organisations/${created.body.data.uuid}/credentials`, {})
  const { baseUrl } = world
  const branch = await hire({ name: 'mombasa', baseUrl, credentials, time, openingBalance: 0 })
  return { office, branch }
}

describe('sub-account-starved', () => {
  /** The branch needs 50,000 shillings for two salaries. */
  const payday = async (tariff: Tariff) => {
    const { office, branch } = await withBranch({ scenario: 'sub-account-starved', tariff })
    const orders = [branch.owe(jane, 26_000), branch.owe(peter, 24_000)]
    await office.payroll.topUp(branch, 50_000)
    return { office, branch, orders, left: () => office.world.available('KES', branch.companyId) }
  }

  it('is refused to one that does not know the tariff, and a person is told', async () => {
    const { office, branch, left } = await payday({})
    expect(await left()).toBe(0)
    expect([...office.payroll.todo]).toEqual([`Top up ${branch.companyId}: Payment limit exceeded`])
  })

  it('makes a careful one top up in parts, and look', async () => {
    const { office, branch, orders, left } = await payday({ largestAllocation: 20_000 })
    expect(await left()).toBe(50_000)
    await branch.shift()
    expect(orders.map(paid)).toEqual([26_000, 24_000])
    expect(branch.book.balance).toBe(await left())
    await office.expectTrueBook()
  })
})

describe('allocation-race', () => {
  /** The morning job and the one that watches balances both see that the branch has nothing. */
  it('is no race where one job waits for the other', async () => {
    const { office, branch } = await withBranch({ scenario: 'allocation-race', parameters: { delay: '50ms' } })
    await Promise.all([office.payroll.topUp(branch, 100_000), office.payroll.topUp(branch, 100_000)])
    const salary = office.payroll.owe(grace, 850_000, 'Salaries of the head office')
    await office.payroll.shift()
    const atBranch = await office.world.available('KES', branch.companyId)
    expect(atBranch).toBe(100_000)
    expect(paid(salary)).toBe(850_000)
    await office.expectTrueBook()
  })
})

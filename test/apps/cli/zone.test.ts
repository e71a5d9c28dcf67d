import { describe, expect, it } from 'vitest'
import { plainTime, typedTime, UTC, type Zone, zonedText } from '../../../src/core/model/calendar.ts'
import { parseInstant } from '../../../src/core/model/time.ts'
import { countries } from '../../../src/service/countries/countries.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { answer, asking, folder } from './support.ts'

// People see times in the scenario's zone, each with the zone's short name; programs get ISO 8601 with an offset.

const bench = useBench()
const { said, json, at } = asking(bench)

/** Times as people see them. */
const TIME = /\b\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d \S{3}/g
/** Those of programs; the ones in quotes are a message's own. */
const ISO = /(?<!["\w])\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?(?!")/g
const INSTANT = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)"/g

const scenarioIn = ({ name }: Zone) => `name: here\ndescription: Elsewhere.\nextends: default\ntimezone: ${name}\n`

/** A world of that zone in which something of everything happened. */
async function livedIn(zone: Zone): Promise<{ world: TestWorld; uuid: string; requestId: string }> {
  const world = await bench.world({ scenario: scenarioIn(zone) })
  await world.control('POST', '/runs', { name: 'payday' })
  const inbox = `${world.baseUrl}/_mfano/inbox/hello`
  await bench.pay(world, { referenceId: 'salary-1', callbackUrl: inbox })
  const uuid = await bench.pay(world, { referenceId: 'salary-2', phoneNumber: '254711000404' })
  bench.receiver.answer = 503
  await world.advance('5s')
  await world.control('POST', '/snapshots', { name: 'before' })
  const [{ requestId }] = (await world.control('GET', '/requests')).requests
  return { world, uuid, requestId }
}

describe.each([...countries.zones.filter(({ name }) => /Nairobi|Kampala/.test(name)), UTC])('in $name', (zone) => {
  const shortName = zone === UTC ? 'UTC' : 'EAT'

  it('every table shows the instants that programs get, as the clocks of the zone show them', async () => {
    const { world, uuid, requestId } = await livedIn(zone)
    for (const typed of [
      'clock',
      'payment list',
      `payment show ${uuid}`,
      'callback list',
      'callback show 1',
      'requests list',
      `requests show ${requestId}`,
      'run list',
      'inbox show hello',
      'snapshot list',
      `explain ${uuid}`,
    ]) {
      const shown = await said(world, typed)
      const instants = [...JSON.stringify(await json(world, typed)).matchAll(INSTANT)].map(([, one = '']) => one)
      const known = instants.flatMap((one) => {
        const atUs = parseInstant(one) as number
        return [plainTime(atUs, zone)]
      })
      const times = shown.match(TIME) ?? []
      expect(times.length, typed).toBeGreaterThan(0)
      expect(known, typed).toEqual(expect.arrayContaining(times))
      expect(shown.match(ISO), typed).toBe(null)
    }
  })

  it('what moves time, tells of it, or makes worlds shows it so, too', async () => {
    const { world } = await livedIn(zone)
    for (const typed of [
      'clock advance 1m --list',
      'clock settle --within 1d',
      'report',
      'snapshot save later',
      'snapshot restore before',
      'world reset',
    ]) {
      const shown = await said(world, typed)
      expect(shown.match(TIME), typed).not.toEqual(null)
      for (const time of shown.match(TIME) ?? []) expect(time.slice(-3), `${typed}: ${time}`).toBe(shortName)
      expect(shown.match(ISO), typed).toBe(null)
    }
  })

  it('a world that is made from another one is shown in its own zone', async () => {
    const directory = folder({ 'here.yaml': scenarioIn(zone) })
    const made = `made-${zone.name.replace(/\W/g, '-').toLowerCase()}`
    const typed = ['world', 'create', made, '--scenario', `${directory}/here.yaml`, '--clock', 'frozen']
    const { out, errors } = await answer([...typed, '--start', '2025-01-24T19:28', '--url', bench.simulator.baseUrl])
    expect(errors).toBe('')
    expect(out).toContain(`24 Jan 2025, 19:28:00 ${shortName}\n`)
  })

  it('a time that a table shows is taken, and so is one that was typed without a zone', async () => {
    const { world } = await livedIn(zone)
    const [shown = ''] = (await said(world, 'requests list')).match(TIME) ?? []
    const all = (await json(world, 'requests list')).requests.length
    expect((await json(world, `requests list --since '${shown}'`)).requests).toHaveLength(all)
    expect((await json(world, `requests list --since ${typedTime(shown).slice(0, 19)}`)).requests).toHaveLength(all)
    // Within the second of the table, and a minute before.
    const beforeUs = (parseInstant(typedTime(shown)) as number) - 60_000_000
    const before = zonedText(beforeUs, zone).slice(0, 16)
    expect((await json(world, `requests list --until ${before}`)).requests).toHaveLength(0)
    expect((await json(world, `requests list --since ${before}`)).requests).toHaveLength(all)
    const { now } = await json(world, 'clock')
    expect(await json(world, `clock advance ${now}`)).toMatchObject({ now })
    const { nextDue } = await json(world, 'clock')
    const due = zonedText(parseInstant(nextDue) as number, zone)
    expect(await json(world, `clock advance ${due}`)).toMatchObject({ now: nextDue })
    const later = plainTime((parseInstant(nextDue) as number) + 60_000_000, zone)
    expect(await said(world, `clock advance '${later}'`)).toContain(later)
  })
})

it('an offset is taken from a query, whether its plus sign was encoded or not', async () => {
  const world = await bench.world()
  await bench.pay(world)
  for (const since of ['2025-01-24T19:28:00+03:00', '2025-01-24T19:28:00%2B03:00', '2025-01-24T16:28:00.000000Z'])
    expect((await world.control('GET', `/requests?since=${since}`)).requests.length).toBeGreaterThan(0)
})

it('a program is told the zone beside the instants', async () => {
  const world = await bench.world({ scenario: scenarioIn({ name: 'Africa/Nairobi', offsetUs: 0 }) })
  const { headers } = await world.raw('GET', '/_mfano/payments')
  expect(headers.get('mfano-timezone')).toBe('Africa/Nairobi 180')
  expect(at(world)).toContain(bench.simulator.baseUrl)
})

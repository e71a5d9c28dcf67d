/** What passes between one app and its world, as a schedule has it: which answer is whose where things happen at once. */

import { createServer } from 'node:http'
import { expect, it, onTestFinished, vi } from 'vitest'
import { controlOf } from '../../../src/client/control.ts'
import { ServiceCaller } from '../../../src/client/service-client.ts'
import { silentLog } from '../../../src/hosts/node/log.ts'
import { settingsOf } from '../../../src/hosts/node/settings.ts'
import { startSimulator } from '../../../src/hosts/node/simulator.ts'
import type { Choice } from '../../../src/judge/explore/choice.ts'
import { appCrashes } from '../../../src/judge/explore/choices/crashes.ts'
import type { CrashMoment } from '../../../src/judge/explore/happened.ts'
import { ScheduleLane } from '../../../src/judge/explore/lane.ts'
import { Crossing } from '../../../src/judge/subject/own-worlds.ts'
import { payoutTo } from '../../support/bodies.ts'
import { listening } from '../../support/listening.ts'

/** On a machine that may be busy. */
const LONG_MS = 30_000

/** A world behind a gate, and what an app says to it. */
async function gated(...choices: Choice[]) {
  const crossing = new Crossing()
  const settings = settingsOf({ port: '0', data: ':memory:', log: 'off' })
  const simulator = await startSimulator(settings, silentLog, { gate: crossing })
  onTestFinished(() => simulator.close())
  const port = await listening(createServer((_, response) => response.end()))
  const { id, baseUrl, credentials } = await controlOf(simulator.baseUrl)('POST', '/worlds', { body: {} })
  const lane = new ScheduleLane()
  lane.follow(simulator.worlds.get(id))
  lane.begin(choices)
  crossing.open(lane, id, port)
  const service = new ServiceCaller(baseUrl)
  await service.login(credentials)
  const salary = payoutTo(`http://127.0.0.1:${port}`, { phoneNumber: '254712000101', amount: 1000 })
  const pay = async (referenceId: string) => {
    const paid = await service.request('POST', '/api/sandbox/v1/send-money', { body: { ...salary, referenceId } })
    return { referenceId, uuid: paid.data.requestId as string | undefined }
  }
  const read = async (uuid: string | undefined) => {
    const query = `requestId=${uuid}&companyId=${credentials.companyId}`
    return (await service.request('GET', `/api/sandbox/v1/send-money/single?${query}`)).body as {
      data: { status: string }
    }
  }
  return { lane, pay, read, control: controlOf(baseUrl) }
}

it.each([1, 2])('holds the answer about payment %i of two that are asked for at once, and no other', async (nth) => {
  const { lane, pay } = await gated({ do: 'answer', kind: 'send-money', nth, as: 'held' })
  const asked = [pay('first'), pay('second')]
  const free = await Promise.race(asked)
  expect(lane.payments.byUuid.get(free.uuid ?? '')).toEqual({ kind: 'send-money', nth: 3 - nth })
  await vi.waitUntil(() => lane.holds, LONG_MS)
  expect(lane.letAllGo()).toBe(true)
  const held = (await Promise.all(asked)).find(({ uuid }) => uuid !== free.uuid)
  expect(lane.payments.byUuid.get(held?.uuid ?? '')).toEqual({ kind: 'send-money', nth })
  const fates = lane.happened.flatMap((one) => (one.what === 'answer' && one.fate ? [one.fate] : []))
  expect(fates).toEqual(['held'])
})

it('answers one read as it was before its payment had ended, and the next as it is', async () => {
  const { pay, read, control } = await gated({ do: 'spoil', operation: 'getSendMoney', nth: 2, as: 'stale' })
  const { uuid } = await pay('first')
  await control('POST', '/clock/advance', { body: { by: '1m' } })
  const seen = [await read(uuid), await read(uuid), await read(uuid)].map(({ data: { status } }) => status)
  expect(seen).toEqual(['SUCCESS', 'PENDING', 'SUCCESS'])
})

it('holds the answer to a request that makes no payment', async () => {
  const { lane, pay, read } = await gated({ do: 'spoil', operation: 'getSendMoney', nth: 1, as: 'held' })
  const { uuid } = await pay('first')
  const asked = read(uuid)
  await vi.waitUntil(() => lane.holds, LONG_MS)
  expect(lane.letAllGo()).toBe(true)
  expect((await asked).data.status).toBe('PENDING')
})

it.each(Object.entries(appCrashes))('ends the app where it is to die: %s', async (at, { of }) => {
  const on = of === 'request' ? 'createSendMoney' : 'send-money'
  const { lane, pay, control } = await gated({ do: 'crash', at: at as CrashMoment, on, nth: 1 })
  let crashes = 0
  lane.crash = () => crashes++
  await pay('first').catch(() => undefined)
  await control('POST', '/clock/advance', { body: { by: '1m' } })
  await vi.waitUntil(() => lane.open === 0, LONG_MS)
  lane.dies()
  const crashed = lane.happened.flatMap((one) => (one.what === 'crash' ? one.at : []))
  expect({ crashed, crashes }).toEqual({ crashed: [`${at} ${on} 1`], crashes: 1 })
})

/** A red run of an app, repeated from its capsule, and with a live app in its place. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type ControlBody, controlOf } from '../../../src/client/control.ts'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import { runMerchant } from '../../../src/judge/subject/run-merchant.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { plainWith } from '../../judge/editions.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()
const merchants = join(import.meta.dirname, '../../merchants')
vi.setConfig({ testTimeout: 240_000 })

/** A folder that capsules go to while a test runs. */
function capsuleFolder(): string {
  const capsules = folder()
  vi.stubEnv('MFANO_CAPSULES', capsules)
  onTestFinished(() => void vi.unstubAllEnvs())
  return capsules
}

it('repeats what a gauntlet found in a merchant in Python, and tells it from a careful one', async () => {
  const mistaken = plainWith(
    ['line.update(state="PENDING", requestId', 'line.update(state="SUCCESS", requestId'],
    ['elif line["state"] != "REFUSED":', 'elif line["state"] == "PENDING":'],
  )
  const capsules = capsuleFolder()
  const found = await answer(['gauntlet', mistaken, '--scenario', 'late-reversal', '--json'])
  const [name = ''] = readdirSync(capsules)
  const file = join(capsules, name)
  expect(JSON.parse(found.out).findings[0]).toMatchObject({ code: 'taken_back', capsule: file })

  const replayed = await answer(['replay', file, '--json'])
  expect(JSON.parse(replayed.out)).toMatchObject({
    identical: true,
    why: expect.stringMatching(/paid and then reversed/),
  })
  const same = await answer(['replay', file, '--json', '--against', mistaken])
  expect(same.code).toBe(1)
  expect(JSON.parse(same.out)).toEqual({
    identical: true,
    findings: [
      { code: 'taken_back', text: expect.stringContaining('E1-1') },
      { code: 'taken_back', text: expect.stringContaining('E2-1') },
    ],
  })
  const told = await answer(['replay', file, '--against', mistaken])
  expect(told.out).toMatch(
    /^The app does all that it did: \d+ events\.\nThe bug is still there: 2 findings\.\n {2}taken_back: /,
  )
  const careful = await answer(['replay', file, '--json', '--against', join(merchants, 'plain/merchant.yaml')])
  expect(careful.code).toBe(0)
  expect(JSON.parse(careful.out)).toEqual({
    identical: false,
    otherwise: {
      event: expect.any(Number),
      text: expect.stringMatching(/^GET .*send-money\/single.* is sent now, and was not$/),
    },
    findings: [],
  })
})

it('leads a merchant in TypeScript through the same run again', async () => {
  capsuleFolder()
  const world = await bench.world({ record: true })
  const control = controlOf(world.baseUrl)
  const merchant = readMerchantFile(join(merchants, 'typescript/merchant.yaml'))
  const { baseUrl, credentials } = world
  const { signal } = new AbortController()
  const around = { baseUrl, credentials, control, signal }
  const patience = { readyWithinMs: 60_000, restWithinMs: 120_000 }
  expect(await runMerchant(merchant, around, patience)).toMatchObject({ findings: [] })
  const response = await control.open('GET', '/capsule')
  const file = join(folder(), 'run.capsule')
  writeFileSync(file, new Uint8Array(await response.arrayBuffer()))
  expect(JSON.parse((await answer(['replay', file, '--json'])).out)).toMatchObject({ differences: [] })
  const { out } = await answer(['replay', file, '--json', '--against', join(merchants, 'typescript/merchant.yaml')])
  expect(JSON.parse(out)).toEqual({ identical: true, findings: [] })
})

it('leads an app through a world that went on from another one', async () => {
  capsuleFolder()
  const first = await bench.world()
  await bench.pay(first, { referenceId: 'before' })
  const root = controlOf(bench.simulator.baseUrl)
  const body = { from: first.id, record: true } as ControlBody<'POST', '/worlds'>
  const { baseUrl, credentials, id } = await root('POST', '/worlds', { body })
  const control = controlOf(baseUrl)
  const merchant = readMerchantFile(join(merchants, 'plain/merchant.yaml'))
  const { signal } = new AbortController()
  await control('PATCH', '/clock', { body: { mode: 'frozen' } })
  await runMerchant(
    merchant,
    { baseUrl, credentials, control, signal },
    { readyWithinMs: 60_000, restWithinMs: 120_000 },
  )
  const response = await control.open('GET', '/capsule')
  const file = join(folder(), `${id}.capsule`)
  writeFileSync(file, new Uint8Array(await response.arrayBuffer()))
  const { out, errors } = await answer(['replay', file, '--json', '--against', join(merchants, 'plain/merchant.yaml')])
  expect(errors).toBe('')
  expect(JSON.parse(out)).toEqual({
    identical: true,
    // Of the other world, and in no books of this app.
    findings: [{ code: 'paid_unknown', text: expect.stringContaining('(before)') }],
  })
})

it('says that nothing was asked of an app', async () => {
  const world = await bench.world({ record: true })
  await world.token()
  const response = await controlOf(world.baseUrl).open('GET', '/capsule')
  const file = join(folder(), 'run.capsule')
  writeFileSync(file, new Uint8Array(await response.arrayBuffer()))
  const { code, errors } = await answer(['replay', file, '--against', join(merchants, 'plain/merchant.yaml')])
  expect(errors).toMatch(/nothing that was asked of an app/)
  expect(code).toBe(2)
})

/** A red run of an app, repeated from its capsule, and with a live app in its place. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type ControlBody, controlOf } from '../../../src/client/control.ts'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import { PATIENT } from '../../../src/judge/explore/app-rest.ts'
import { runOnStage } from '../../../src/judge/explore/run-app.ts'
import { Stage } from '../../../src/judge/explore/stage.ts'
import { inNewWorld, type JudgeServer, type OwnWorld, withOwnServer } from '../../../src/judge/subject/own-worlds.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { plainWith } from '../../judge/editions.ts'
import { useBench } from '../../support/harness.ts'
import { payoutTo } from '../../support/payout.ts'

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

/** Runs a merchant in a world, and gives the file of its capsule. */
async function recorded(name: string, world: OwnWorld, server: JudgeServer) {
  const merchant = readMerchantFile(join(merchants, name, 'merchant.yaml'))
  const { signal } = new AbortController()
  const given = { merchant, signal, readyWithinMs: 60_000, restWithinMs: 120_000 }
  const stage = await Stage.open({ ...given, server }, world)
  const { findings } = await runOnStage(stage, { ...given, choices: [], pace: PATIENT, isRecorded: true })
  await stage.close()
  const response = await world.control.open('GET', '/capsule')
  const file = join(folder(), 'run.capsule')
  writeFileSync(file, new Uint8Array(await response.arrayBuffer()))
  return { file, findings }
}

const FROZEN: ControlBody<'POST', '/worlds'> = { record: true, clock: { mode: 'frozen' } }

it('leads a merchant in TypeScript through the same run again', async () => {
  capsuleFolder()
  const { file, findings } = await withOwnServer({ worlds: 1 }, (server) =>
    inNewWorld(server, FROZEN, (world) => recorded('typescript', world, server)),
  )
  expect(findings).toEqual([])
  expect(JSON.parse((await answer(['replay', file, '--json'])).out)).toMatchObject({ differences: [] })
  const { out } = await answer(['replay', file, '--json', '--against', join(merchants, 'typescript/merchant.yaml')])
  expect(JSON.parse(out)).toEqual({ identical: true, findings: [] })
})

/** A payout that no app knows of. */
async function payIn({ baseUrl, credentials }: OwnWorld): Promise<void> {
  const post = async (path: string, body: object, authorization = '') => {
    const headers = { 'content-type': 'application/json', authorization }
    const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as { data: { access_token: string } }
  }
  const { data } = await post('/api/v1/get-token', credentials)
  const paid = payoutTo(`${baseUrl}/_mfano/inbox/before`, { referenceId: 'before' })
  await post('/api/sandbox/v1/send-money', paid, `Bearer ${data.access_token}`)
}

it('leads an app through a world that went on from another one', async () => {
  capsuleFolder()
  const { file } = await withOwnServer({ worlds: 2 }, (server) =>
    inNewWorld(server, { clock: { mode: 'frozen' } }, async (first) => {
      await payIn(first)
      await first.control('POST', '/clock/advance', { body: { by: '1m' } })
      return inNewWorld(server, { from: first.id, record: true }, (world) => recorded('plain', world, server))
    }),
  )
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

/** Deployments in workerd for benches: one for all test files of a process that want it alike. */

import { TestRunner } from 'vitest'
import { using } from '../../src/core/host.ts'
import { DEFAULT_ORGANISATION } from '../../src/core/model/payment.ts'
import { readMeta } from '../../src/core/new-world.ts'
import { storedScenario } from '../../src/core/scenario-library.ts'
import { Meta } from '../../src/core/store/counter-table.ts'
import { makeCore } from '../../src/core/world.ts'
import { unpackWorld } from '../../src/core/world-image.ts'
import { scenarioLibrary } from '../../src/hosts/node/scenarios.ts'
import type { Settings } from '../../src/hosts/node/settings.ts'
import type { RunningSimulator } from '../../src/hosts/node/simulator.ts'
import { openSqliteCopy } from '../../src/hosts/node/sqlite.ts'
import { paymentsService } from '../../src/service/service.ts'
import { atOnce } from './at-once.ts'
import { unfoundCallbacks } from './callbacks-of-payments.ts'
import { callbacksAgainstContract, type Judged } from './contract-check.ts'
import type { Insides } from './harness.ts'
import { OF_ITS_PROCESS } from './needs.ts'
import { startWorkerd } from './workers.ts'

/** What a bench needs, in the place of a simulator in this process. */
export interface WorkersBed {
  simulator: RunningSimulator
  insides: Insides
  /** What went wrong inside, one line each; emptied by whoever looks. */
  errors: string[]
  close(): Promise<void>
}

const library = scenarioLibrary()
const beds = new Map<string, Promise<WorkersBed>>()

/** Ends all. */
export async function closeBeds(): Promise<void> {
  for (const bed of beds.values()) await (await bed).close()
  beds.clear()
}

/** The deployment with such settings, which is started when it is first asked for. */
export function workersBed(settings: Settings): Promise<WorkersBed> {
  const { adminToken, baseUrl, callbackHost, record, scenario } = settings
  const variables = {
    ...(adminToken !== undefined && { MFANO_ADMIN_TOKEN: adminToken }),
    ...(baseUrl !== undefined && { MFANO_BASE_URL: baseUrl }),
    ...(callbackHost !== undefined && { MFANO_CALLBACK_HOST: callbackHost }),
    ...(record !== undefined && { MFANO_RECORD: String(record) }),
    ...(scenario !== 'default' && { MFANO_SCENARIO: scenario }),
  }
  const key = JSON.stringify(variables)
  const bed = beds.get(key) ?? start(variables)
  beds.set(key, bed)
  return bed
}

async function start(variables: Record<string, string>): Promise<WorkersBed> {
  const served = await startWorkerd({ variables })
  const { apiKey, apiSecret, uuid: companyId } = DEFAULT_ORGANISATION
  const at = `http://127.0.0.1:${served.port}`
  const simulator = {
    port: served.port,
    baseUrl: variables['MFANO_BASE_URL'] ?? at,
    credentials: { apiKey, apiSecret, companyId },
    fetch,
    get worlds(): never {
      TestRunner.getCurrentTest()?.context.skip(OF_ITS_PROCESS.worlds)
      throw new Error(OF_ITS_PROCESS.worlds)
    },
    close: async () => {},
  } as unknown as RunningSimulator
  return { simulator, insides: insidesAt(at, variables['MFANO_ADMIN_TOKEN']), errors: served.said, close: served.kill }
}

/** Looks by requests. Books and callbacks are checked in copies of the worlds, which the host of a Node process opens. */
function insidesAt(at: string, adminToken: string | undefined): Insides {
  const headers: Record<string, string> = adminToken === undefined ? {} : { 'mfano-admin-token': adminToken }
  const ask = (method: string, path: string) => fetch(at + path, { method, headers })
  const json = async (path: string) => (await ask('GET', path)).json()
  const below = (id: string) => (id === 'default' ? '' : `/w/${id}`)
  const usual = library.shipped('default').assumptions
  return {
    judged: async (id, fresh) => {
      if (!fresh) return judged(usual)
      const { assumptions } = await json(`${below(id)}/_mfano/fidelity`)
      const inForce = assumptions.map((one: { id: string; inForce: string }) => [one.id, one.inForce])
      return judged(Object.fromEntries(inForce) as typeof usual)
    },
    decidedBy: async (id, requestId) => {
      const { requests } = await json(`${below(id)}/_mfano/requests?limit=100`)
      const found = requests.find((one: { requestId: string }) => one.requestId === requestId)
      return found?.fault ? 'fault' : found?.rule ? 'rule' : 'service'
    },
    sweep: async () => {
      const found: string[] = []
      const { worlds } = await json('/_mfano/worlds')
      for (const { id } of worlds as { id: string }[]) {
        const file = new Uint8Array(await (await ask('GET', `/_mfano/worlds/${id}/file`)).arrayBuffer())
        found.push(...(await amissIn(file)).map((what) => `${id}: ${what}`))
      }
      // Behind all looks, because worlds go with the one below whose address they were made.
      for (const { id } of worlds.slice(1)) await ask('DELETE', `/_mfano/worlds/${id}`)
      await ask('POST', '/_mfano/reset')
      const { snapshots } = await json('/_mfano/snapshots')
      for (const { world, name } of snapshots) await ask('DELETE', `/_mfano/snapshots/${name}?world=${world}`)
      return found
    },
  }
}

function judged(assumptions: Judged['core']['scenario']['assumptions']): Judged {
  return { core: { service: paymentsService, scenario: { assumptions } } }
}

/** What is wrong with the books and the callbacks of a world that came as a file. */
async function amissIn(file: Uint8Array): Promise<string[]> {
  const { image } = await unpackWorld(file)
  return using(openSqliteCopy(image), (sql) => {
    const stored = readMeta(new Meta(sql), 'scenario')
    if (!stored) return ['its file holds no scenario']
    const { core } = makeCore({
      service: paymentsService,
      sql,
      host: { wallUs: () => 0, defer: () => {} },
      observer: { error: () => {} },
      emit: () => {},
      loadScenario: () => storedScenario(library, stored),
    })
    return [
      ...atOnce(core.store.ledger.auditing()).map((imbalance) => JSON.stringify(imbalance)),
      ...callbacksAgainstContract({ core }),
      ...unfoundCallbacks(sql),
    ]
  })
}

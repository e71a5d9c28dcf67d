/** Runs blind trials in a thread without a test runner, which would make each line of them slower. */
import { parentPort, workerData } from 'node:worker_threads'
import { silentLog } from '../../../src/hosts/node/log.ts'
import { settingsOf } from '../../../src/hosts/node/settings.ts'
import { startSimulator } from '../../../src/hosts/node/simulator.ts'
import type { TrialAccounts, TrialJob, TrialResult } from './many-trials.ts'
import { type HiddenAccount, keyOfPast, trialOf } from './trials.ts'

const simulator = await startSimulator(settingsOf({ port: '0', data: ':memory:', log: 'off' }), silentLog, {
  ownProcess: true,
})
const accounts = new Map<string, HiddenAccount>()
for (const { key, file, ...account } of workerData as TrialAccounts) {
  const put = await simulator.fetch(`${simulator.baseUrl}/_mfano/worlds/${account.id}/file`, {
    method: 'PUT',
    body: file as BodyInit,
  })
  if (!put.ok) throw new Error(await put.text())
  await simulator.fetch(`${simulator.baseUrl}/w/${account.id}/_mfano/callbacks/resume`, { method: 'POST' })
  accounts.set(key, { ...account, baseUrl: `${simulator.baseUrl}/w/${account.id}` })
}

async function run({ hidden, withSubAccount, twice }: TrialJob): Promise<TrialResult> {
  const account = accounts.get(keyOfPast(hidden, withSubAccount)) as HiddenAccount
  const { report, amiss } = await trialOf(simulator, account, hidden, twice)
  return { requests: report.requests, amiss }
}

parentPort?.on('message', async (jobs: TrialJob[] | 'end') => {
  if (jobs === 'end') {
    await simulator.close()
    return parentPort?.close()
  }
  const results: TrialResult[] = []
  for (const job of jobs) results.push(await run(job))
  parentPort?.postMessage(results)
})

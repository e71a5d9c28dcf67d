/**
 * Prints the files and functions of `src` that one warm payment runs through: `npm run road`, or `--json` for a test.
 * V8 counts the calls in this process, which runs sources, whatever has been built.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { readSettings } from '../../src/apps/cli/start/read-settings.ts'
import { silentLog } from '../../src/hosts/node/log.ts'
import { startSimulator } from '../../src/hosts/node/simulator.ts'
import { startCounting, takeCoverage } from '../support/count-calls.ts'

/** By step: names of the functions that ran, by their file below `src`. */
export type Road = Record<'post' | 'advance', Record<string, string[]>>

const SOURCES = pathToFileURL(`${import.meta.dirname}/../../src/`).href
/** Payments before the first one counted: prepared statements, compiled conditions and connections are there then. */
const WARM = 10
/** Payments counted. A function belongs to the road if each of them calls it, so a timer that happens to fire does not. */
const COUNTED = 3

/** Functions called since the last call, as `file\tname:offset`. */
function takeCalled(): Set<string> {
  const called = takeCoverage()
    .filter(({ url }) => url.startsWith(SOURCES))
    .flatMap(({ url, functions }) =>
      functions.flatMap(({ functionName, ranges: [{ count, startOffset } = { count: 0, startOffset: 0 }] }) =>
        count > 0 ? [`${url.slice(SOURCES.length)}\t${functionName}:${startOffset}`] : [],
      ),
    )
  return new Set(called)
}

async function walk(): Promise<Road> {
  const { settings, error } = readSettings(['--port', '0', '--data', ':memory:', '--log', 'off'], {})
  if (!settings) throw new Error(error)
  const simulator = await startSimulator(settings, silentLog, { ownProcess: true })
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end('noted')))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`

  const send = async (url: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
  const clock = { mode: 'frozen', start: '2025-01-24T16:28:00Z' }
  const world = await send(`${simulator.baseUrl}/_mfano/worlds`, { id: 'road', clock })
  const login = await send(`${world.baseUrl}/api/v1/get-token`, world.credentials)
  const pay = (i: number) => {
    const body = {
      phoneNumber: '254712345678',
      amount: 100,
      referenceId: `road-${i}`,
      callbackUrl,
      remarks: 'Salary',
      occasion: 'May',
    }
    return send(`${world.baseUrl}/api/sandbox/v1/send-money`, body, login.data.access_token)
  }
  const advance = async () => {
    const { steps, callbacks } = await send(`${world.baseUrl}/_mfano/clock/advance`, { by: '5s' })
    if (steps === 0 || callbacks.delivered !== 1)
      throw new Error(`No callback: ${JSON.stringify({ steps, callbacks })}`)
  }

  // What follows an answer, such as closing its transaction, belongs to the step that asked.
  const calledBy = async (act: () => Promise<unknown>) => {
    takeCalled()
    await act()
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    return takeCalled()
  }
  const found: Record<keyof Road, Set<string>[]> = { post: [], advance: [] }
  for (let i = 0; i < WARM; i++) await pay(i).then(advance)
  startCounting()
  for (let i = WARM; i < WARM + COUNTED; i++) {
    found.post.push(await calledBy(() => pay(i)))
    found.advance.push(await calledBy(advance))
  }
  receiver.close()
  await simulator.close()
  return { post: inAll(found.post), advance: inAll(found.advance) }
}

function inAll([first = new Set(), ...others]: Set<string>[]): Record<string, string[]> {
  const called = [...first].filter((one) => others.every((other) => other.has(one))).sort()
  const byFile = Object.groupBy(called, (one) => one.split('\t')[0] as string)
  return Object.fromEntries(
    Object.entries(byFile).map(([file, all = []]) => [
      file,
      all.map((one) => /\t(.*):/.exec(one)?.[1] || '(anonymous)'),
    ]),
  )
}

const road = await walk()
if (process.argv.includes('--json')) console.log(JSON.stringify(road))
else {
  for (const [step, files] of Object.entries(road)) {
    const functions = Object.values(files).flat().length
    console.log(`${step}: ${Object.keys(files).length} files, ${functions} functions`)
    const rooms = Map.groupBy(Object.entries(files), ([file]) => file.split('/')[0])
    for (const [room, inRoom] of rooms) {
      console.log(`  ${room}: ${inRoom.length} files, ${inRoom.flatMap(([, names]) => names).length} functions`)
      for (const [file, names] of inRoom) console.log(`    ${file}: ${names.join(', ')}`)
    }
  }
  console.log(`together: ${new Set(Object.values(road).flatMap(Object.keys)).size} files`)
}

/** Drives an app through one world: performs its acts in order and advances time until nothing happens any more. */
import type { Control } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'
import { realPause, wallNowMs } from '../../hosts/node/wall.ts'
import { capsulesAreKept } from '../keep-capsule.ts'
import type { AppProcess } from './app-process.ts'
import { BankBills, READS_TRANSFERS } from './bank-bills.ts'
import { lookAt } from './following.ts'
import { type AppRequest, hasOwnWork, type Merchant, type Placeholder } from './merchant-file.ts'
import { NeverQuiet, Restless } from './restless.ts'

const LOOKS = 3
const LOOK_EVERY_MS = 15
const BLIND_LOOKS = 20
/**
 * Real milliseconds to wait for an act while the app sleeps. After that, the app is assumed to wait for simulated time;
 * a shorter sleep can be a real timer.
 */
const ACT_PATIENCE_MS = 5_000
const MOVES_MAX = 250
/** Steps of time that reveal whether the app's periodic work still changes something. */
const TICK_STEPS = ['1m', '10m', '30m', '2h', '12h', '1d', '3d']
/** The first round performs all acts in a row; later rounds let each act finish first, so both orders are tried. */
const ROUNDS = 2
const LISTED = 1000

export interface Drive {
  merchant: Merchant
  app: AppProcess
  control: Control
  signal: AbortSignal
  patienceMs: number
  acts: string[]
  /** Paid as the app comes to rest. */
  bills?: BankBills
}

export async function drive(given: Drive): Promise<void> {
  const { control } = given
  const run = { ...given, bills: new BankBills({ control, isRead: () => readsTransfers(control) }) }
  for (let n = 1; n <= ROUNDS; n++) {
    for (const { request } of run.merchant.acts) {
      await act(run, request, n)
      run.bills.owe(request, String(n))
      if (n > 1) await followDue(run)
    }
    await settleApp(run)
  }
}

async function readsTransfers(control: Control): Promise<boolean> {
  const { requests } = await control('GET', '/requests', { query: { operation: READS_TRANSFERS, limit: 1 } })
  return requests.length > 0
}

/** Returns without the answer if the app waits for simulated time, because waiting would deadlock. */
async function act(run: Drive, request: AppRequest, n: number): Promise<void> {
  const { app, signal, patienceMs } = run
  const values = { n: String(n), now: await now(run) }
  await noteAct(run.control, request, values)
  let answered = false
  const answer = app
    .ask(request, values, AbortSignal.any([signal, AbortSignal.timeout(2 * patienceMs)]))
    // The caller's own result does not matter here: the books tell what the app did.
    .then(
      ({ status }) => void run.acts.push(`${request.path} ${status}`),
      () => {},
    )
    .finally(() => {
      answered = true
    })
  await Promise.race([answer, rest(run, { forMs: ACT_PATIENCE_MS, enough: () => answered })])
  await rest(run)
}

interface Rest {
  wanted?: number
  forMs?: number
  enough?(): boolean
}

export async function rest({ app, control, merchant, signal, patienceMs }: Drive, how: Rest = {}): Promise<void> {
  const { forMs = 0, enough = () => false } = how
  const restless = new Restless(app, patienceMs)
  let stillSinceMs = wallNowMs()
  let looks = 0
  let last: number | undefined
  while (!enough()) {
    signal.throwIfAborted()
    app.check()
    const said = merchant.follows ? await lookAt(control) : undefined
    const { open, begun } = await control('GET', '/requests/open')
    const asleep = said ? said.asleep && said.requests <= open : app.activity?.asleep
    if (open > 0 || begun !== (last ?? begun) || asleep === false) {
      looks = 0
      stillSinceMs = wallNowMs()
    } else looks++
    last = begun
    const wanted = how.wanted ?? (asleep === undefined ? BLIND_LOOKS : LOOKS)
    if (looks >= wanted && wallNowMs() - stillSinceMs >= forMs) return
    restless.look({ asleep, open, begun })
    await realPause(LOOK_EVERY_MS)
  }
}

async function followDue(run: Drive): Promise<void> {
  for (let moves = 0; await moveToDue(run); moves++) tooMany(moves)
}

/** Also advances further while the app's own periodic work changes anything. */
export async function settleApp(run: Drive): Promise<void> {
  let moves = 0
  let step = 0
  let before: string | undefined
  while (step < (hasOwnWork(run.merchant) ? TICK_STEPS.length : 1)) {
    if (await moveToDue(run)) {
      step = 0
      before = undefined
    } else {
      before ??= await state(run)
      await move(run, { by: must(TICK_STEPS[step]) })
      const isPaid = await run.bills?.pay()
      const after = await state(run)
      step = after === before && !isPaid ? step + 1 : 0
      before = after
    }
    tooMany(moves++)
  }
}

function tooMany(moves: number): void {
  if (moves >= MOVES_MAX)
    throw new NeverQuiet(`Time was moved ${MOVES_MAX} times, and each time there was something new: it never ends.`)
}

/** Advances to the next due event, sends its callbacks and runs the app's tick. Returns false if nothing is due. */
async function moveToDue(run: Drive): Promise<boolean> {
  const { nextDue, now } = await run.control('GET', '/clock')
  if (nextDue === null) return false
  await move(run, { to: must([nextDue, now].sort()[1]) })
  return true
}

async function move(run: Drive, body: { by: string } | { to: string }): Promise<void> {
  const { callbacks } = await run.control('POST', '/clock/advance', { body })
  // An app that was told nothing still rests: one look makes sure that time has not let go an answer that it waits for.
  await rest(run, callbacks.delivered + callbacks.failed === 0 ? { wanted: 1 } : {})
  if (run.merchant.tick) await act(run, run.merchant.tick, 1)
}

async function now({ control }: Drive): Promise<string> {
  return (await control('GET', '/clock')).now
}

/** Everything that can change, as text: the app's books, and the status of each payment. */
async function state({ app, control, merchant, signal, patienceMs }: Drive): Promise<string> {
  const [books, { payments }] = await Promise.all([
    app.ask(merchant.books, {}, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])).catch(() => undefined),
    control('GET', '/payments', { query: { limit: LISTED } }),
  ])
  return JSON.stringify([books?.body.toString(), payments.map(({ uuid, status }) => [uuid, status])])
}

// Records the judge's requests to the app in the world's recording, so that they can be replayed.

/** The request has its placeholders unfilled; `values` holds this act's values. */
export interface NotedAct {
  act: string
  request: AppRequest
  values: Partial<Record<Placeholder, string>>
}

/** Call it before sending the request. Does nothing if no capsules are kept. */
async function noteAct(control: Control, request: AppRequest, values: NotedAct['values']): Promise<void> {
  if (!capsulesAreKept()) return
  const body: NotedAct = { act: `${request.method} ${request.path}`, request, values }
  await control('POST', '/capsule/notes', { body: { ...body } })
}

/** Drives an app through one world: its acts in order, and time until nothing happens any more. */
import type { Control } from '../../client/control.ts'
import { realPause, wallNowMs } from '../../hosts/node/wall.ts'
import type { AppProcess } from './app-process.ts'
import { lookAt } from './following.ts'
import { type AppRequest, hasOwnWork, type Merchant } from './merchant-file.ts'
import { noteAct } from './note-act.ts'
import { NeverQuiet, Restless } from './restless.ts'

/** An app is at rest when nothing moved at so many looks, so many real milliseconds apart. */
const LOOKS = 3
const LOOK_EVERY_MS = 15
/** Where the system does not say whether a process sleeps, it takes more looks. */
const BLIND_LOOKS = 20
/** An act that is not answered while the app sleeps waits for time to go on; who sleeps shorter waits for a timer. */
const ACT_PATIENCE_MS = 5_000
/** What an app may ask the service for before it comes to rest. */
const REQUESTS_MAX = 2_000
/** How often time may be moved until nothing happens any more. */
const MOVES_MAX = 250
/** Moves of time to see whether the app's own work, in its tick, still changes something. */
const TICK_STEPS = ['1m', '10m', '30m', '2h', '12h', '1d', '3d']
/** So many times the acts are done: first in a row, then each with what follows from it. */
const ROUNDS = 2
const LISTED = 1000

/** What a run needs. */
export interface Drive {
  merchant: Merchant
  app: AppProcess
  /** Of the world. */
  control: Control
  signal: AbortSignal
  /** The longest that an app may work without a rest, in milliseconds. */
  patienceMs: number
  /** How the app answered what was asked of it, in order. */
  acts: string[]
}

/** Does every act, lets everything happen that follows, and leaves the app at rest. */
export async function drive(run: Drive): Promise<void> {
  for (let n = 1; n <= ROUNDS; n++) {
    for (const { request } of run.merchant.acts) {
      await act(run, request, n)
      if (n > 1) await followDue(run)
    }
    await settleApp(run)
  }
}

/** Sends an act; goes on without its answer when the app waits for something that only time brings. */
async function act(run: Drive, request: AppRequest, n: number): Promise<void> {
  const { app, signal, patienceMs } = run
  const values = { n: String(n), now: await now(run) }
  await noteAct(run.control, request, values)
  let answered = false
  const answer = app
    .ask(request, values, AbortSignal.any([signal, AbortSignal.timeout(2 * patienceMs)]))
    // What the app makes of its caller is no matter here: the books tell what it did.
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
  /** So many looks in a row have to find it at rest. */
  wanted?: number
  /** It has to rest so long, in real milliseconds. */
  forMs?: number
  /** Nobody waits for it any more. */
  enough?(): boolean
}

/** Waits until the app sleeps and asks for nothing. */
export async function rest({ app, control, merchant, signal, patienceMs }: Drive, how: Rest = {}): Promise<void> {
  const { forMs = 0, enough = () => false } = how
  const restless = new Restless(app, patienceMs)
  let stillSinceMs = wallNowMs()
  let looks = 0
  let first: number | undefined
  let last: number | undefined
  while (!enough()) {
    signal.throwIfAborted()
    app.check()
    const said = merchant.follows ? await lookAt(control) : undefined
    const { open, begun } = await control('GET', '/requests/open')
    const asleep = said ? said.asleep && said.requests <= open : app.activity?.asleep
    first ??= begun
    if (open > 0 || begun !== (last ?? begun) || asleep === false) {
      looks = 0
      stillSinceMs = wallNowMs()
    } else looks++
    last = begun
    const wanted = how.wanted ?? (asleep === undefined ? BLIND_LOOKS : LOOKS)
    if (looks >= wanted && wallNowMs() - stillSinceMs >= forMs) return
    if (begun - first > REQUESTS_MAX)
      throw new NeverQuiet(`The app asked the service ${begun - first} times without ever coming to rest.`)
    restless.look(asleep, open)
    await realPause(LOOK_EVERY_MS)
  }
}

/** Lets happen what is due, until nothing is. */
async function followDue(run: Drive): Promise<void> {
  for (let moves = 0; await moveToDue(run); moves++) tooMany(moves)
}

/** Lets happen what is due, and then time goes on as long as the app's own work changes anything. */
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
      await move(run, { by: TICK_STEPS[step] as string })
      const after = await state(run)
      step = after === before ? step + 1 : 0
      before = after
    }
    tooMany(moves++)
  }
}

function tooMany(moves: number): void {
  if (moves >= MOVES_MAX)
    throw new NeverQuiet(`Time was moved ${MOVES_MAX} times, and each time there was something new: it never ends.`)
}

/** Moves time to what is due next, callbacks and all, and lets the app do its work; false where nothing is due. */
async function moveToDue(run: Drive): Promise<boolean> {
  const { nextDue, now } = await run.control('GET', '/clock')
  if (nextDue === null) return false
  await move(run, { to: [nextDue, now].sort()[1] as string })
  return true
}

/** Moves time; the app comes to rest, does its periodic work, and comes to rest again. */
async function move(run: Drive, body: { by: string } | { to: string }): Promise<void> {
  const { callbacks } = await run.control('POST', '/clock/advance', { body })
  // An app that was told nothing still rests: one look makes sure that time has not let go an answer that it waits for.
  await rest(run, callbacks.delivered + callbacks.failed === 0 ? { wanted: 1 } : {})
  if (run.merchant.tick) await act(run, run.merchant.tick, 1)
}

async function now({ control }: Drive): Promise<string> {
  return (await control('GET', '/clock')).now
}

/** All that can change: what the app believes, and what is so. */
async function state({ app, control, merchant, signal, patienceMs }: Drive): Promise<string> {
  const [books, { payments }] = await Promise.all([
    app.ask(merchant.books, {}, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])).catch(() => undefined),
    control('GET', '/payments', { query: { limit: LISTED } }),
  ])
  return JSON.stringify([books?.text, payments.map(({ uuid, status }) => [uuid, status])])
}

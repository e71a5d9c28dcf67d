import { must } from '../../core/model/must.ts'
import { afterRealMs, everyRealMs, nextTurn, wallNowMs } from '../../hosts/node/wall.ts'
import type { AppActivity } from './app-activity.ts'
import type { FakeTime } from './fake-time.ts'
import { asOwnWork } from './own-work.ts'
import type { GrantMessage, LineMessage, WorldLine } from './world-line.ts'

interface ParticipationOptions {
  line: WorldLine
  name: string
  lease: string
  patienceMs: number
  activity: Pick<AppActivity, 'happened' | 'requests' | 'asks' | 'idle' | 'rest'>
  begin(nowMs: number): FakeTime
  /** Sends a request, and comes back when it is answered. Without it, this process goes to no instant by itself. */
  tellAtOnce?(path: string, body: object): void
  /** Told once when the world cannot be reached any more, and once when it can be again. */
  tell(sentence: string): void
}

interface Granted {
  number: number
  nowMs: number
  beforeMs: number
  rate: number
  receivedMs: number
}

const WHAT_TO_DO =
  'Set MFANO_URL to the base URL of a world, let nothing between them hold streams back, or run with MFANO_CLOCK=off'
const AGAIN_MS = 200
/** In a world whose time goes by itself, this process's time is set so often, in real milliseconds. */
const TICK_MS = 10
/** A world that does not take note of it notices by the connection. */
const LEAVES_WITHIN_MS = 2_000
/** So many timers are run before the world is asked whether it goes on: somebody may have given up waiting. */
const TIMERS_ALONE = 1_000

export class Participation {
  readonly #options: ParticipationOptions
  #time: FakeTime | undefined
  #id = ''
  #latest: Granted | undefined
  #stale = false
  #working = false
  #looking = false
  #said = -1
  #stopTicking = () => {}
  #stopExpecting = () => {}
  /** A request was made since the grant came: what comes of it may be due any time. */
  #asked = false
  #isAhead = false
  #over = false
  #lost = false

  constructor(options: ParticipationOptions) {
    this.#options = options
    options.activity.asks = () => this.#asks()
  }

  async join(): Promise<void> {
    const { line, name, lease, begin } = this.#options
    const joined = await line.send('POST', '/participants', { name, lease })
    const nowMs = Date.parse(String(joined['now']))
    if (!Number.isFinite(nowMs)) throw new Error(`the answer names no time, so it is not mfano's`)
    if (!this.#time) {
      this.#time = begin(nowMs)
      this.#time.changed = () => {
        this.#stale = true
        if (!this.#working) void this.#work()
      }
    } else if (nowMs < this.#time.nowMs) this.#time.jump(nowMs)
    this.#id = String(joined['id'])
    this.#latest = undefined
    await line.listen(
      `/participants/${this.#id}/grants`,
      (heard) => this.#hear(heard),
      (garbage) => (garbage === undefined ? this.#rejoin() : this.#giveUp(`it sent ${JSON.stringify(garbage)}`)),
    )
    line.hold(this.#time.holds)
    this.#expectGrant()
  }

  async leave(): Promise<void> {
    this.#over = true
    this.#stopTicking()
    this.#stopExpecting()
    await this.#options.line.send('DELETE', `/participants/${this.#id}`, undefined, LEAVES_WITHIN_MS).catch(() => {})
    this.#options.line.close()
  }

  /** A world grants its instant at once, so that silence means that something else answers, or holds streams back. */
  #expectGrant(): void {
    const { patienceMs, tell } = this.#options
    this.#stopExpecting = asOwnWork(() =>
      afterRealMs(patienceMs, () =>
        tell(`no grant came within ${patienceMs / 1000} s, so the time of this program stands. ${WHAT_TO_DO}`),
      ),
    )
  }

  #giveUp(why: string): void {
    this.#over = true
    this.#stopTicking()
    this.#stopExpecting()
    this.#options.line.close()
    this.#options.tell(`the clock's address is not mfano's: ${why}. The time of this program stands. ${WHAT_TO_DO}`)
  }

  /** The world was reset or replaced, or its server is gone: it is joined again as soon as it is there. */
  #rejoin(): void {
    if (this.#over) return
    this.#stopTicking()
    this.#stopExpecting()
    asOwnWork(() =>
      afterRealMs(this.#lost ? AGAIN_MS : 0, () => {
        this.join().then(
          () => {
            if (this.#lost) this.#options.tell('the world is back, and time goes on with it')
            this.#lost = false
          },
          ({ message }) => {
            if (!this.#lost) this.#options.tell(`the world cannot be reached (${message}); time stands until it can be`)
            this.#lost = true
            this.#rejoin()
          },
        )
      }),
    )
  }

  #hear(heard: LineMessage): void {
    if (heard.event === 'look') void this.#look()
    else this.#granted(heard.data)
  }

  #granted({ grant, now, rate, before }: GrantMessage): void {
    this.#stopExpecting()
    const beforeMs = before === null ? 0 : Date.parse(before)
    this.#latest = { number: grant, nowMs: Date.parse(now), beforeMs, rate, receivedMs: wallNowMs() }
    this.#stopTicking()
    this.#stale = true
    if (!this.#working) void this.#work()
  }

  async #work(): Promise<void> {
    this.#working = true
    while (this.#stale && this.#latest && !this.#over) await this.#workAt(this.#latest)
    this.#working = false
    this.#options.line.hold(this.#time?.holds ?? false)
  }

  async #workAt(granted: Granted): Promise<void> {
    const { line, activity, patienceMs } = this.#options
    const time = must(this.#time)
    const outdated = () => this.#over || this.#latest !== granted
    this.#stale = false
    if (granted.rate > 0) this.#tick(granted)
    let stepped = false
    let timers = 0
    this.#asked = false
    for (;;) {
      while (!outdated() && time.step(this.#nowOf(granted))) {
        stepped = true
        await asOwnWork(nextTurn)
      }
      if (granted.rate === 0 && !(await activity.rest(patienceMs, outdated))) return this.#again()
      if (outdated()) return this.#again()
      if (time.yielding) {
        await asOwnWork(nextTurn)
        continue
      }
      const next = time.nextMs(activity.requests > 0)
      if (granted.rate === 0 && next !== undefined && next <= granted.nowMs) continue
      const mayGoOn = this.#options.tellAtOnce !== undefined && !this.#asked && activity.requests === 0
      const isAlone = mayGoOn && next !== undefined && next < granted.beforeMs
      if (isAlone && timers < TIMERS_ALONE) {
        timers++
        granted.nowMs = next
        this.#isAhead = true
        continue
      }
      this.#isAhead = false
      this.#stale = false
      const active = stepped || activity.happened !== this.#said
      this.#said = activity.happened
      const body = {
        grant: granted.number,
        next: next === undefined ? null : new Date(next).toISOString(),
        requests: activity.requests,
        active,
        timers,
      }
      line.send('POST', `/participants/${this.#id}/rest`, body).catch(() => {})
      return
    }
  }

  /** Tells the world first how far this process went by itself, so that it answers at that instant. */
  #asks(): void {
    this.#asked = true
    if (!this.#isAhead) return
    this.#isAhead = false
    const now = new Date(must(this.#time).nowMs).toISOString()
    this.#options.tellAtOnce?.(`/participants/${this.#id}/reached`, { now })
  }

  #again(): void {
    this.#stale = true
  }

  /** In a world whose time goes by itself, so does that of this process. */
  #tick(granted: Granted): void {
    const time = must(this.#time)
    this.#stopTicking()
    let stepping = false
    this.#stopTicking = asOwnWork(() =>
      everyRealMs(TICK_MS, async () => {
        if (stepping || this.#latest !== granted) return
        stepping = true
        while (this.#latest === granted && time.step(this.#nowOf(granted))) await asOwnWork(nextTurn)
        stepping = false
        this.#options.line.hold(time.holds)
      }),
    )
  }

  #nowOf({ nowMs, rate, receivedMs }: Granted): number {
    return rate === 0 ? nowMs : nowMs + Math.floor((wallNowMs() - receivedMs) * rate)
  }

  async #look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    const { line, activity } = this.#options
    const idle = await activity.idle(() => this.#over)
    this.#looking = false
    await line.send('POST', `/participants/${this.#id}/idle`, { idle, requests: activity.requests }).catch(() => {})
  }
}

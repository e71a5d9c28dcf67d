/** An app in a world of its own: made anew for a schedule, or as new where the app knows how to forget. */
import { type Control, type ControlBody, controlOf } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'
import type { World } from '../../core/world.ts'
import type { RunningSimulator } from '../../hosts/node/simulator.ts'
import { AppFailed, AppProcess } from '../app/app-process.ts'
import { hasJoined, NOT_JOINED } from '../app/following.ts'
import type { Merchant } from '../app/merchant-file.ts'
import type { Crossing } from './crossing.ts'
import { ScheduleLane } from './lane.ts'

/** Every world begins then, so that a run is the same every day. */
const BEGINNING = '2025-01-24T16:28:00'

/** Where it stands, and what stands on it. */
export interface StageOptions {
  merchant: Merchant
  seed: number
  /** The longest that an app may take until it is ready, and until it has forgotten, in real milliseconds. */
  readyWithinMs: number
  signal: AbortSignal
  simulator: RunningSimulator
  crossing: Crossing
  /** All that comes to its world is noted, for a capsule. */
  record: boolean
}

/** Remove it when done. */
export class SearchStage {
  readonly app: AppProcess
  /** The world's control plane. */
  readonly control: Control
  readonly #options: StageOptions
  readonly #server: Control
  readonly #id: string
  readonly #apiKey: string
  #lane: ScheduleLane

  private constructor(options: StageOptions, made: Made, lane: ScheduleLane, app: AppProcess) {
    this.app = app
    this.control = controlOf(made.baseUrl, { fetch: options.simulator.fetch })
    this.#options = options
    this.#server = serverOf(options)
    this.#id = made.id
    this.#apiKey = made.credentials.apiKey
    this.#lane = lane
  }

  /** Throws `AppFailed` where the app does not start. */
  static async open(options: StageOptions): Promise<SearchStage> {
    const { merchant, readyWithinMs: withinMs, signal, simulator, crossing } = options
    signal.throwIfAborted()
    const made = await makeWorld(options)
    const lane = new ScheduleLane()
    lane.follow(simulator.worlds.get(made.id))
    crossing.serve(made.id, lane)
    try {
      const app = await AppProcess.start(merchant, made, { withinMs, signal })
      crossing.listen(app.ports, lane)
      const stage = new SearchStage(options, made, lane, app)
      await stage.#joined().catch(async (error) => {
        await app.stop()
        throw error
      })
      return stage
    } catch (error) {
      crossing.close(lane)
      await removeWorld(options, made.id)
      throw error
    }
  }

  /** The lane between app and world; another after a renewal. */
  get lane(): ScheduleLane {
    return this.#lane
  }

  get world(): World {
    return this.#options.simulator.worlds.get(this.#id)
  }

  /** Ends the service, and starts it again on its own data. */
  async restartService(): Promise<void> {
    this.#lane.happened.push({ what: 'service-restart' })
    const path = { id: this.#id }
    const stored = await this.#server.open('GET', '/worlds/:id/file', { path })
    await this.#server('PUT', '/worlds/:id/file', { path, body: must(stored.body) })
    await this.control('POST', '/callbacks/resume')
    this.#lane.follow(this.world)
    await this.#joined()
  }

  /** An app that follows the clock takes part in its world once more, where that is another one. */
  async #joined(): Promise<void> {
    const { merchant, signal } = this.#options
    if (merchant.follows && !(await hasJoined(this.control, signal, merchant.processes.length)))
      throw AppFailed.saying('not_ready', NOT_JOINED, this.app.said)
  }

  /** Puts another world in the place of the first, and has the app forget all; false where that did not work out. */
  async renew(): Promise<boolean> {
    const { merchant, readyWithinMs, signal, crossing } = this.#options
    if (!merchant.reset) return false
    await removeWorld(this.#options, this.#id)
    const { credentials } = await makeWorld(this.#options, this.#id)
    crossing.close(this.#lane)
    this.#lane = new ScheduleLane()
    this.#lane.follow(this.world)
    crossing.serve(this.#id, this.#lane)
    crossing.listen(this.app.ports, this.#lane)
    await this.#joined()
    const isReset = await this.app.reset(merchant.reset, { withinMs: readyWithinMs, signal })
    return isReset && credentials.apiKey === this.#apiKey
  }

  async remove(): Promise<void> {
    await this.app.stop()
    this.#options.crossing.close(this.#lane)
    await removeWorld(this.#options, this.#id)
  }
}

type Made = Awaited<ReturnType<typeof makeWorld>>

function serverOf({ simulator: { baseUrl, fetch } }: StageOptions): Control {
  return controlOf(baseUrl, { fetch })
}

function makeWorld(options: StageOptions, id?: string) {
  const { seed, record } = options
  const body: ControlBody<'POST', '/worlds'> = {
    id,
    seed,
    record: record || undefined,
    clock: { mode: 'frozen', start: BEGINNING },
  }
  return serverOf(options)('POST', '/worlds', { body })
}

async function removeWorld(options: StageOptions, id: string): Promise<void> {
  await serverOf(options)('DELETE', '/worlds/:id', { path: { id } }).catch(() => {})
}

import type { Control, ControlBody } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'
import type { World } from '../../core/world.ts'
import { AppFailed, AppProcess } from '../app/app-process.ts'
import { hasJoined, NOT_JOINED } from '../app/following.ts'
import type { Merchant } from '../app/merchant-file.ts'
import { type JudgeServer, makeWorld, type OwnWorld, removeWorld } from '../subject/own-worlds.ts'
import { ScheduleLane } from './lane.ts'

export interface StageOptions {
  merchant: Merchant
  /** The longest that an app may take until it is ready, and until it has forgotten, in real milliseconds. */
  readyWithinMs: number
  signal: AbortSignal
  server: JudgeServer
}

/** Close it when done. */
export class Stage {
  readonly app: AppProcess
  readonly control: Control
  readonly #options: StageOptions
  readonly #made: OwnWorld
  lane: ScheduleLane

  private constructor(options: StageOptions, made: OwnWorld, lane: ScheduleLane, app: AppProcess) {
    this.app = app
    this.#options = options
    this.#made = made
    this.control = made.control
    this.lane = lane
  }

  /** Starts the app in a new world. Throws `AppFailed` where it does not start. */
  static async open(options: StageOptions, body: ControlBody<'POST', '/worlds'>): Promise<Stage> {
    const { merchant, readyWithinMs: withinMs, signal, server } = options
    signal.throwIfAborted()
    const made = await makeWorld(server, body)
    const lane = laneIn(server, made.id)
    try {
      const app = await AppProcess.start(merchant, made, { withinMs, signal })
      server.crossing.open(lane, ...app.ports)
      const stage = new Stage(options, made, lane, app)
      await stage.#joined().catch(async (error) => {
        await app.stop()
        throw error
      })
      return stage
    } catch (error) {
      server.crossing.close(lane)
      await removeWorld(server, made.id)
      throw error
    }
  }

  get world(): World {
    return this.#options.server.simulator.worlds.get(this.#made.id)
  }

  /** Whether the app runs and rests, so that it can be used again. */
  get isUsable(): boolean {
    return !this.app.isStopped && this.lane.open === 0 && this.lane.sends === 0
  }

  async restartService(): Promise<void> {
    const { server } = this.#options
    this.lane.happened.push({ what: 'service-restart' })
    const path = { id: this.#made.id }
    const stored = await server.control.open('GET', '/worlds/:id/file', { path })
    await server.control('PUT', '/worlds/:id/file', { path, body: must(stored.body) })
    await this.control('POST', '/callbacks/resume')
    this.lane.follow(this.world)
    await this.#joined()
  }

  /** An app that follows the clock takes part in its world once more, where that is another one. */
  async #joined(): Promise<void> {
    const { merchant, signal } = this.#options
    if (merchant.follows && !(await hasJoined(this.control, signal, merchant.processes.length)))
      throw new AppFailed('not_ready', NOT_JOINED, this.app.said)
  }

  /** Puts another world in the place of the first, and has the app forget all; false where that did not work out. */
  async renew(body: ControlBody<'POST', '/worlds'>): Promise<boolean> {
    const { merchant, readyWithinMs, signal, server } = this.#options
    const { id, credentials } = this.#made
    if (!merchant.reset) return false
    await removeWorld(server, id)
    const made = await makeWorld(server, { ...body, id })
    server.crossing.close(this.lane)
    this.lane = laneIn(server, id)
    server.crossing.open(this.lane, ...this.app.ports)
    await this.#joined()
    const isReset = await this.app.reset(merchant.reset, { withinMs: readyWithinMs, signal })
    return isReset && made.credentials.apiKey === credentials.apiKey
  }

  async remove(): Promise<void> {
    await this.app.stop()
    this.#options.server.crossing.close(this.lane)
    await removeWorld(this.#options.server, this.#made.id)
  }
}

function laneIn(server: JudgeServer, world: string): ScheduleLane {
  const lane = new ScheduleLane()
  lane.follow(server.simulator.worlds.get(world))
  server.crossing.open(lane, world)
  return lane
}

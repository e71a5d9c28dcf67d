import { detachedHost } from '../core/host.ts'
import { type Zone, zonedText } from '../core/model/calendar.ts'
import { errorOf, keysIn, must } from '../core/model/must.ts'
import { Refusal } from '../core/model/refusal.ts'
import { counted } from '../core/model/text.ts'
import { isoInstant } from '../core/model/time.ts'
import { type Command, isCommand, perform, takeDue } from '../core/perform.ts'
import type { RecordedCommand, RecordedRequest } from '../core/recording.ts'
import type { StoredScenario } from '../core/scenario.ts'
import { type ScenarioLibrary, storedScenario } from '../core/scenario-library.ts'
import type { Sql } from '../core/sql.ts'
import { World } from '../core/world.ts'
import type { Exchange } from '../http/exchange.ts'
import { findFaultAgain, replayAnswer, replayReceive, serviceApp } from '../http/serve.ts'
import { paymentsService } from '../service/service.ts'
import { BadCapsule, type Capsule, capsuleOutcome, type NumberedEntry } from './capsule.ts'

export interface ReplayOptions {
  library: ScenarioLibrary
  database(image?: Uint8Array): Sql
}

export interface RepeatedCapsule {
  event: number
  at: string
  what: string
}

export class Replay {
  readonly world: World
  readonly capsule: Capsule
  readonly #options: ReplayOptions
  readonly #app: ReturnType<typeof serviceApp>
  readonly #exchanges = new Map<number, Exchange>()
  #arriving: { request: RecordedRequest; exchange?: Exchange } | undefined
  #done = 0

  private constructor(capsule: Capsule, options: ReplayOptions, world: World) {
    this.capsule = capsule
    this.#options = options
    this.world = world
    const take = async (exchange: Exchange) => {
      const arriving = must(this.#arriving)
      arriving.exchange = replayReceive(exchange, arriving.request)
      return new Response(null)
    }
    this.#app = serviceApp(paymentsService, take)
  }

  static begin(capsule: Capsule, options: ReplayOptions): Replay {
    const { identity, origin, recording } = capsule
    const image = recording.image === undefined ? undefined : fromBase64(recording.image)
    const { beganUs, scenario } = recording
    const world = new World({
      id: identity.world,
      service: paymentsService,
      sql: options.database(image),
      host: detachedHost(beganUs),
      observer: { happened: () => {}, error: () => {} },
      loadScenario: () => storedScenario(options.library, scenario),
      still: true,
      ...(!image && { origin: { ...origin, clock: { ...origin.clock, startUs: beganUs } } }),
    })
    return new Replay(capsule, options, world)
  }

  get events(): { all: number; done: number } {
    return { all: this.capsule.entries.length, done: this.#done }
  }

  async next(): Promise<RepeatedCapsule | undefined> {
    const entry = this.capsule.entries[this.#done]
    if (!entry) return undefined
    this.#done++
    this.world.core.clock.pause(entry.atUs)
    const what = await this.#repeat(entry).catch((error) => {
      throw new BadCapsule(`its event ${this.#done} cannot be repeated (${errorOf(error).message})`)
    })
    return { event: this.#done, at: isoInstant(entry.atUs), what }
  }

  async #repeat(entry: NumberedEntry): Promise<string> {
    const { core, commit } = this.world
    if ('command' in entry) return this.#perform(entry.command)
    if ('steps' in entry) {
      const taken = commit.now(() => takeDue(core, entry.steps.byUs, entry.steps.limit))
      return `${taken} due step${taken === 1 ? '' : 's'}`
    }
    return this.#serve(entry)
  }

  commandOf({ command, ...input }: RecordedCommand): Command {
    if (!isCommand(command)) throw new Error(`there is no command ${JSON.stringify(command)}`)
    const scenario =
      command === 'set-scenario' && storedScenario(this.#options.library, input['scenario'] as StoredScenario)
    return { command, ...input, ...(scenario && { scenario }) } as Command
  }

  #perform(recordedCommand: RecordedCommand): string {
    const told = this.commandOf(recordedCommand)
    const { zone } = this.world.core.scenario
    try {
      this.world.commit.now(() => perform(this.world.core, told as never))
      return describe(told, zone)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return `${describe(told, zone)}: refused (${error.code})`
    }
  }

  async #serve({ n, stage, request }: Extract<NumberedEntry, { stage: string }>): Promise<string> {
    const exchange = typeof request === 'number' ? this.#exchanges.get(request) : await this.#arrive(request)
    if (!exchange) throw new Error(`The capsule names request ${request}, which never came`)
    const { method, env } = exchange
    const name = `${method} ${env.path}`
    if (stage === 'fault') {
      this.#exchanges.set(n, exchange)
      findFaultAgain(exchange)
      return `${name} arrives`
    }
    if (typeof request === 'number') this.#exchanges.delete(request)
    return `${name} → ${replayAnswer(exchange).status}`
  }

  async #arrive(request: RecordedRequest): Promise<Exchange> {
    const arriving: { request: RecordedRequest; exchange?: Exchange } = { request }
    this.#arriving = arriving
    const { method, path, baseUrl, headers, body } = request
    const sent = new Request(new URL(baseUrl + path), {
      method,
      headers,
      ...(body !== null && method !== 'GET' && method !== 'HEAD' && { body }),
    })
    const severed = async () => new Response(null, { status: 502 })
    const response = await this.#app.fetch(sent, {
      world: this.world,
      baseUrl,
      path,
      observe: () => {},
      connection: request.severable ? { sever: severed } : {},
    })
    if (arriving.exchange) return arriving.exchange
    throw new Error(`The capsule has a request that cannot be repeated: ${await response.text()}`)
  }

  async differences(): Promise<string[]> {
    const found = await capsuleOutcome(this.world)
    return keysIn(this.capsule.outcome).flatMap((table) => {
      const wanted = this.capsule.outcome[table]
      const got = found[table] ?? []
      const longer = wanted.length > got.length ? wanted : got
      const at = longer.findIndex((_, i) => wanted[i] !== got[i])
      return at < 0
        ? []
        : [`${table}: row ${at + 1} differs (${counted(wanted.length, 'row')} recorded, ${got.length} now)`]
    })
  }

  close(): void {
    this.world.close()
  }
}

function describe(command: Command, zone: Zone): string {
  if (command.command === 'record-attempt') {
    const { attempt } = command
    return `callback ${attempt.callbackId}, attempt ${attempt.number}: ${attempt.status ?? attempt.error}`
  }
  if (command.command === 'set-clock')
    return `the clock is set${command.nowUs === undefined ? '' : ` to ${zonedText(command.nowUs, zone)}`}`
  if (command.command === 'set-scenario') return `the scenario ${command.scenario.name} comes into force`
  const { command: name, ...input }: { command: string } & Record<string, unknown> = { ...command }
  const about = input['uuid'] ?? input['kind'] ?? input['name'] ?? input['callbackId']
  return about === undefined ? name : `${name} ${String(about)}`
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

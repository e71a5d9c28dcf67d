/** Builds the core of a world; a new one gets its organisation and money. */

import type { Core } from '../core.ts'
import { Clock } from '../engine/clock.ts'
import { GroupCommit } from '../engine/group-commit.ts'
import { Ledger } from '../engine/ledger.ts'
import { countRefused, fund } from '../engine/payments.ts'
import { Usage } from '../engine/usage.ts'
import type { Host } from '../host.ts'
import { Chance } from '../model/chance.ts'
import type { Service } from '../model/kind.ts'
import { DEFAULT_ORGANISATION } from '../model/payment.ts'
import { Refusal } from '../model/refusal.ts'
import { portable, Recorder } from '../recording.ts'
import { type Scenario, type StoredScenario, seeded, toStored } from '../scenario.ts'
import type { Sql } from '../sql.ts'
import { Store } from '../store/store.ts'
import {
  type Origin,
  readClock,
  readOrigin,
  readRecording,
  readStoredScenario,
  type WorldRecording,
} from '../world-meta.ts'

export interface Making {
  service: Service
  sql: Sql
  host: Pick<Host, 'wallUs' | 'defer'>
  observer: Core['observer']
  emit: Core['emit']
  loadScenario(stored: () => StoredScenario): Scenario
  origin?: Origin
  /** Set when the caller knows it already, because it is long to read. */
  began?: Origin | undefined
}

export function makeCore(making: Making): { core: Core; commit: GroupCommit; origin: Origin } {
  const { service, sql, host, observer } = making
  const store = new Store(sql)
  const ledger = new Ledger(store.ledger, store.undo)
  const commit = new GroupCommit(store, ledger, host.defer, (error) => noteFailure(core, error))
  const stored = making.began ?? readOrigin(store.meta)
  const origin = stored ?? making.origin
  if (!origin) throw new Error('The database holds no world that began.')
  const { mode, rate, startUs } = origin.clock
  const clockState = readClock(store.meta)
  const core: Core = {
    service,
    store,
    ledger,
    clock: clockState ? new Clock(clockState, host.wallUs) : Clock.starting(mode, rate, startUs, host.wallUs),
    chance: new Chance(origin.seed),
    ids: new Chance(origin.idSeed ?? origin.seed),
    usage: new Usage(store, service),
    scenario: seeded(
      making.loadScenario(() => scenarioOf(store)),
      origin.seed,
    ),
    observer,
    emit: making.emit,
    afterCommit: (work) => commit.afterCommit(work),
  }
  // Not assigned as it is made: V8 puts such a function among old objects, and with it the whole world, until a major
  // collection.
  const numberOf = (uuid: string) => core.ids.numberOf('payment', uuid)
  store.payments.numberOf = numberOf
  // Everything at one instant, even if the clock runs.
  if (!stored) commit.now(() => core.clock.hold(core.clock.now(), () => begin(core, origin)))
  if (readRecording(store.meta)) core.recorder = new Recorder(store.recorded, core.clock)
  return { core, commit, origin }
}

/** The command was rolled back, but counts of rules must stay: a rule for the third payment has to see refused ones. */
function noteFailure(core: Core, error: unknown): void {
  if (!(error instanceof Refusal)) return
  countRefused(core, error)
  if (core.trace) core.trace.refusal = error
}

function scenarioOf({ meta }: Store): StoredScenario {
  const stored = readStoredScenario(meta)
  if (!stored) throw new Error('The database holds no scenario.')
  return stored
}

function begin(core: Core, origin: Origin): void {
  const { store, clock, scenario } = core
  const atUs = clock.now()
  store.meta.set('origin', origin)
  store.meta.set('scenario', toStored(scenario))
  store.meta.set('clock', clock.state())
  if (origin.recorded)
    store.meta.set('recording', { beganUs: atUs, scenario: portable(scenario) } satisfies WorldRecording)
  const { uuid, name, phoneNumber, email, uniqueReference, apiKey, secretSha256 } = DEFAULT_ORGANISATION
  const id = store.counters.next('organisation')
  store.organisations.insert({
    id,
    uuid,
    name,
    phoneNumber,
    email,
    uniqueReference,
    collectionCallbackUrl: null,
    parentId: null,
    createdAtUs: atUs,
    updatedAtUs: atUs,
  })
  store.organisations.addCredential(id, apiKey, secretSha256, atUs)
  for (const [currency, amountMinor] of Object.entries(scenario.wallets)) {
    if (amountMinor > 0) fund(core, id, currency, amountMinor)
  }
}

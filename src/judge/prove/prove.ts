/** Runs the same schedules in the commit before and in the tree now: red there, green here, and nothing near it newly red. */
import { must } from '../../core/model/must.ts'
import { counted } from '../../core/model/text.ts'
import type { RequestWithoutPayment } from '../../inspect/finding.ts'
import { paymentsService } from '../../service/service.ts'
import { hasOwnWork, type Merchant, readMerchantFile } from '../app/merchant-file.ts'
import { traceOf } from '../explore/behaviours.ts'
import { type Choice, choiceSort, type KnownSchedule, placeOf } from '../explore/choice.ts'
import { AGAIN, Engine } from '../explore/engine.ts'
import type { Ran } from '../explore/run-app.ts'
import { choicesMade } from '../explore/schedules.ts'
import { type RunnerOptions, type SubjectRuns, type TimedRun, withRuns } from '../explore/subject-runs.ts'
import { nameOfChoices, storyOf } from '../explore/tell.ts'
import { unlessAborted } from '../subject/own-worlds.ts'

/** With so many neighbours that are newly red there is enough to do. */
const RED_ENOUGH = 3
const FIRST = 1
/** Stands for the code of a finding where a run has no verdict. */
const UNJUDGED = 'unjudged'

export interface ProveOptions extends Omit<RunnerOptions, 'merchant'> {
  /** Schedules of an incident; undefined: those of findings in the commit before. */
  incident: readonly KnownSchedule[] | undefined
  finding: string | undefined
  withinMs: number
  ended(schedule: ProvedSchedule): void
}

/** Reasons why nothing is proved: `bad` refuses the mend, `open` leaves it unjudged. */
export const reasonRecords = {
  still_there: { mood: 'bad', todo: 'Mend its cause: mfano gauntlet merchant.yaml tells what to change.' },
  turned: { mood: 'bad', todo: 'Mend what is wrong now, too.' },
  act_gone: { mood: 'bad', todo: 'Have the app do what it did before, and keep its acts in the merchant file.' },
  neighbour_red: { mood: 'bad', todo: 'Mend what is newly wrong, and prove it again.' },
  not_reached: { mood: 'open', todo: 'Name a finding that the app of now can still meet, with --finding.' },
  not_red: { mood: 'open', todo: 'Name the commit that has the mistake, with --from.' },
  unstable: { mood: 'open', todo: 'Find out what else it depends on: a timer, the real time, the order of threads.' },
  unjudged: { mood: 'open', todo: 'Have the app start and answer there. The reason has its last words.' },
} as const satisfies Record<string, { mood: 'bad' | 'open'; todo: string }>

export interface Reason {
  code: keyof typeof reasonRecords
  text: string
}

/** `unstable`: not each time. `not-run`: nothing more was to be learnt. */
export interface ProvedSchedule extends KnownSchedule {
  name: string
  story: string[]
  before: 'red' | 'unstable' | 'green' | 'unjudged'
  now: 'green' | 'red' | 'not-reached' | 'unjudged' | 'not-run'
  text: string
}

export interface Proof {
  merchant: string
  reasons: Reason[]
  schedules: ProvedSchedule[]
  /** Single choices and the ordinary day, in the tree now. `known`: red, as it was before. */
  neighbours: { tried: number; known: string[]; red: string[] }
  searched: { tried: number; of: number } | null
  interrupted: boolean
}

interface Red {
  schedule: ProvedSchedule
  ran: Ran
}

export async function prove(files: { before: string; now: string }, options: ProveOptions): Promise<Proof> {
  const [older, newer] = [readMerchantFile(files.before), readMerchantFile(files.now)]
  // Schedules count steps: the same acts in the same order make the same day.
  const acts = older.acts.flatMap(({ name }) => newer.acts.filter((one) => one.name === name))
  return withRuns({ ...options, merchant: older }, (before) =>
    withRuns({ ...options, merchant: { ...newer, acts } }, async (now) => {
      const run = new ProofRun(before, now, options)
      await unlessAborted(options.signal, () => run.all(goneFromFile(newer, older)))
      return run.proof(newer.name)
    }),
  )
}

class ProofRun {
  readonly #before: SubjectRuns
  readonly #now: SubjectRuns
  readonly #options: ProveOptions
  readonly #engine: Engine
  readonly #proof: Omit<Proof, 'merchant' | 'interrupted'>

  constructor(before: SubjectRuns, now: SubjectRuns, options: ProveOptions) {
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.withinMs)])
    this.#before = before
    this.#now = now
    this.#options = options
    this.#engine = new Engine({ runs: before, signal, capsules: undefined })
    const neighbours: Proof['neighbours'] = { tried: 0, known: [], red: [] }
    this.#proof = { reasons: [], schedules: [], neighbours, searched: null }
  }

  proof(merchant: string): Proof {
    return { merchant, ...this.#proof, interrupted: this.#options.signal.aborted }
  }

  /** `gone`: parts of the merchant file that it no longer has. */
  async all(gone: readonly string[]): Promise<void> {
    const { incident } = this.#options
    if (gone.length > 0)
      return this.#refuse(
        'act_gone',
        `The merchant file has no ${gone.join(', ')} now, as it had in the commit before.`,
      )
    const ordinary = await this.#engine.run([], { patience: 'first' })
    if (!ordinary) return
    if (ordinary.unjudged !== undefined)
      return this.#refuse('unjudged', `The commit before cannot be judged: ${ordinary.unjudged}`)
    const { singles } = await this.#before.learn(ordinary, incident === undefined)
    const red = incident ? await this.#ofIncident(incident) : await this.#found(ordinary, singles)
    if (red.length > 0) await this.#seeNow(red, ordinary)
  }

  async #seeNow(red: readonly Red[], ordinaryBefore: TimedRun): Promise<void> {
    const ordinary = await this.#now.run([], { patience: 'first' })
    const gone = ordinary.isLost ? [] : goneFromDay(ordinary, ordinaryBefore)
    for (const text of gone) this.#refuse('act_gone', text)
    if (gone.length > 0) return
    if (ordinary.unjudged !== undefined)
      return this.#refuse('unjudged', `The tree now cannot be judged: ${ordinary.unjudged}`)
    const { singles } = await this.#now.learn(ordinary, true)
    for (const one of red) await this.#mended(one)
    if (this.#proof.reasons.length > 0) return
    const near = [...Map.groupBy(singles.filter(nearTo(red)), (one) => `${choiceSort(one)} ${placeOf(one)}`).values()]
    await this.#neighbours([ordinary, ...(await Promise.all(near.map(([one]) => this.#now.run([must(one)], {}))))])
  }

  #refuse(code: Reason['code'], text: string): void {
    this.#proof.reasons.push({ code, text })
  }

  async #ofIncident(incident: readonly KnownSchedule[]): Promise<Red[]> {
    const { finding } = this.#options
    const red: Red[] = []
    for (const { code, choices } of incident.filter((one) => finding === undefined || one.code === finding)) {
      const again = await repeated(this.#before, choices)
      const [ran] = again
      const schedule = this.#describe(code, choices, again)
      const under = schedule.story.join('; ')
      if (schedule.before === 'red') red.push({ schedule, ran: must(ran) })
      else if (schedule.before === 'unjudged')
        this.#refuse('unjudged', `The commit before cannot be judged, ${under}: ${ran?.unjudged}`)
      else if (schedule.before === 'green')
        this.#refuse(
          'not_red',
          `The commit before does not show ${code}${insteadOf(again.flatMap(codesOf))}, ${under}.`,
        )
      else this.#refuse('unstable', `The commit before shows ${code} in some runs only, ${under}.`)
    }
    if (this.#proof.schedules.length === 0) this.#refuse('not_red', `No schedule of the incident leads to ${finding}.`)
    return red
  }

  async #found(ordinary: TimedRun, singles: readonly Choice[]): Promise<Red[]> {
    const { finding, signal } = this.#options
    const engine = this.#engine
    const wanted = () => engine.findings.filter(({ code }) => finding === undefined || code === finding)
    const searched = { tried: 0, of: singles.length }
    this.#proof.searched = searched
    await engine.judge(ordinary, finding)
    // A mistake of the ordinary day comes in every other run, so no single choice is needed to show it.
    const waiting = engine.findings.length === 0 ? [...singles] : []
    const next = () => waiting.splice(0, 1).map((one) => [one])[0]
    await engine.inTurn(next, async (ran) => {
      await engine.judge(ran, finding)
      searched.tried++
      return finding === undefined || wanted().length === 0
    })
    signal.throwIfAborted()
    const found = wanted()
    const others = insteadOf(engine.findings.map(({ code }) => code))
    const rest = engine.isEnough ? ` Its time was over after ${searched.tried} of ${searched.of} choices: --within` : ''
    if (found.length === 0)
      this.#refuse(
        'not_red',
        `The commit before shows no ${finding ?? 'finding'}${others} on the ordinary day, nor by one choice.${rest}`,
      )
    return found.map(({ code, choices, ran }) => ({ schedule: this.#describe(code, choices, [ran]), ran }))
  }

  #describe(code: string, choices: readonly Choice[], again: readonly Ran[]): ProvedSchedule {
    const shown = again.flatMap(({ findings }) => findings.filter((one) => one.code === code).slice(0, 1))
    const isUnjudged = again.some((ran) => codesOf(ran).includes(UNJUDGED))
    const schedule: ProvedSchedule = {
      ...{ code, choices: [...choices], name: nameOfChoices(choices), story: storyOf(choices) },
      before: isUnjudged ? 'unjudged' : shown.length === again.length ? 'red' : shown.length > 0 ? 'unstable' : 'green',
      ...{ now: 'not-run', text: shown[0]?.text ?? '' },
    }
    this.#proof.schedules.push(schedule)
    return schedule
  }

  async #mended({ schedule, ran: before }: Red): Promise<void> {
    const { code, choices, story } = schedule
    const again = await repeated(this.#now, choices)
    const under = story.join('; ')
    const findings = again.flatMap((ran) => ran.findings)
    const shown = findings.find((one) => one.code === code) ?? findings[0]
    const unjudged = again.find((ran) => codesOf(ran).includes(UNJUDGED))?.unjudged
    const missed = madeIn(before).filter((one) => !again.every((ran) => madeIn(ran).includes(one)))
    if (shown) {
      schedule.now = 'red'
      const isSame = again.every((ran) => traceOf(ran) === traceOf(before))
      const same = isSame ? ' It asks for the same, in the same order, as before.' : ''
      if (shown.code === code) this.#refuse('still_there', `${code} is still there, ${under}: ${shown.text}${same}`)
      else this.#refuse('turned', `${code} is ${shown.code} now, ${under}: ${shown.text}${same}`)
    } else if (unjudged !== undefined) {
      schedule.now = 'unjudged'
      this.#refuse('unjudged', `The tree now cannot be judged, ${under}: ${unjudged}`)
    } else if (missed.length > 0) {
      schedule.now = 'not-reached'
      this.#refuse('not_reached', `The tree now does not reach it, ${storyOf(missed).join('; ')}: nothing met that.`)
    } else if (before.payments.length > 0 && again.some(({ payments }) => payments.length === 0)) {
      schedule.now = 'not-reached'
      this.#refuse('act_gone', `The app asks for no payment any more, ${under}.`)
    } else schedule.now = 'green'
    this.#options.ended(schedule)
  }

  async #neighbours(tried: readonly TimedRun[]): Promise<void> {
    const { neighbours } = this.#proof
    neighbours.tried = tried.length
    const known = new Set<string>()
    for (const { choices, ...ran } of tried) {
      const sort = choices.map(choiceSort).join()
      const doubtful = codesOf(ran).filter((code) => !known.has(`${code} ${sort}`))
      if (doubtful.length === 0 || neighbours.red.length >= RED_ENOUGH) continue
      const again = await repeated(this.#now, choices)
      const shown = [...new Set(again.flatMap(codesOf))]
      const older = shown.length === 0 ? [] : await repeated(this.#before, choices)
      for (const code of shown) {
        const under = `${code}: ${storyOf(choices).join('; ')}`
        known.add(`${code} ${sort}`)
        if (older.some((one) => codesOf(one).includes(code))) neighbours.known.push(under)
        else {
          neighbours.red.push(under)
          const [first] = again.flatMap(({ findings }) => findings.filter((one) => one.code === code))
          this.#refuse('neighbour_red', `It was not red before: ${under}${first ? `: ${first.text}` : ''}`)
        }
      }
    }
  }
}

/** So many runs, and as much time for the app, as a finding gets before it counts. */
function repeated(runs: SubjectRuns, choices: readonly Choice[]): Promise<TimedRun[]> {
  return Promise.all(Array.from({ length: AGAIN }, () => runs.run(choices, { patience: 'patient' })))
}

function codesOf({ findings, unjudged }: Pick<Ran, 'findings' | 'unjudged'>): string[] {
  const codes = [...new Set(findings.map(({ code }) => code))]
  return codes.length === 0 && unjudged !== undefined ? [UNJUDGED] : codes
}

function insteadOf(codes: readonly string[]): string {
  return codes.length === 0 ? '' : ` (but ${[...new Set(codes)].join(', ')})`
}

function madeIn(ran: Ran): Choice[] {
  return choicesMade(ran).filter((one) => one.do !== 'scenario' || ran.left?.hasFired !== false)
}

function goneFromFile(now: Merchant, before: Merchant): string[] {
  const acts = before.acts.filter(({ name }) => !now.acts.some((one) => one.name === name)).map(({ name }) => name)
  return [
    ...acts.map((name) => `acts.${name}`),
    ...(before.books && !now.books ? ['books'] : []),
    ...(hasOwnWork(before) && !hasOwnWork(now) ? ['tick'] : []),
  ]
}

function goneFromDay(now: Ran, before: Ran): string[] {
  const kinds = new Set(now.payments.map(({ kind }) => kind))
  const gone = new Set(before.payments.map(({ kind }) => kind).filter((kind) => !kinds.has(kind)))
  const times = (one: RequestWithoutPayment) => now.asked?.find((other) => sortOf(other) === sortOf(one))?.times ?? 0
  // A day that was red may have asked for too much.
  const asked = before.findings.length > 0 ? [] : (before.asked ?? [])
  const fewer = asked.filter((one) => kinds.has(one.kind) && times(one) < one.times)
  const failed = ({ acts = [] }: Ran) => acts.filter((one) => / [45]\d\d$/.test(one))
  const errors = new Set(failed(now).filter((one) => !failed(before).includes(one)))
  return [
    ...Array.from(gone, (kind) => `On the ordinary day there is no ${kind} any more.`),
    ...fewer.map((one) => {
      const to = one.party === undefined ? '' : ` (${one.party})`
      const what = `${one.kind} of ${one.currency} ${one.amount}${to}`
      return `On the ordinary day the app asks ${counted(times(one), 'time')} for ${what}, and before ${one.times}.`
    }),
    ...Array.from(errors, (one) => `On the ordinary day, newly an error: ${one}.`),
  ]
}

function sortOf({ kind, party, amount, currency }: RequestWithoutPayment): string {
  return [kind, party, amount, currency].join(' ')
}

function nearTo(red: readonly Red[]): (one: Choice) => boolean {
  const chosen = red.flatMap(({ schedule }) => schedule.choices)
  const about = red.flatMap(({ ran }) => {
    const met = ran.findings.flatMap(({ requestId = '' }) => ran.about.get(requestId) ?? [])
    return met.length > 0 ? met : ran.payments
  })
  const kinds = new Set([...about.map(({ kind }) => kind), ...chosen.map(placeOf)])
  const opening = paymentsService.operations.filter(({ id, opens }) => (opens && kinds.has(opens)) || kinds.has(id))
  const places = new Set([...kinds, ...opening.map(({ id }) => id)])
  const nths = [FIRST, ...about.map(({ nth }) => nth)]
  const names = new Set(chosen.map((one) => one.do))
  return (one) => {
    const place = placeOf(one)
    return place === '' ? names.has(one.do) : places.has(place) && (!('nth' in one) || nths.includes(one.nth))
  }
}

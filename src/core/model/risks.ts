/** Risks between an app and the service, in the order in which judges try them. To add a risk, add a record; faults, choices and scenarios name theirs. */
import * as z from 'zod'
import { keysIn } from './must.ts'

export interface RiskRecord {
  title: string
  meaning: string
}

export const risks = {
  'lost-answers': {
    title: 'Lost answers',
    meaning: 'A request is executed, and its answer is lost, cut off or an error.',
  },
  repeats: { title: 'Repetitions', meaning: 'A callback, a request or a payment comes twice.' },
  order: { title: 'Order', meaning: 'Callbacks, answers and acts overtake each other, or come at the same moment.' },
  crashes: { title: 'Crashes', meaning: 'The app or the service dies, and is started again on its own data.' },
  lateness: { title: 'Lateness', meaning: 'An end, an answer or a callback comes late or never.' },
  reversals: { title: 'Reversals', meaning: 'A payment that had ended turns out otherwise.' },
  refusals: { title: 'Refusals', meaning: 'A payment fails, or a request is refused and nothing is done.' },
  forgeries: { title: 'Forgeries', meaning: 'Somebody else posts a callback, or changes one on its way.' },
  surprises: { title: 'Surprises', meaning: 'A status, a field, an amount or a payment that nobody announced.' },
} satisfies Record<string, RiskRecord>

export type RiskName = keyof typeof risks
export const riskNames = keysIn(risks)
const riskName = z.enum(riskNames)

/** As the head of a scenario file has it: `# Risk: lost-answers`. */
export function riskOfScenario(source: string): RiskName | undefined {
  return riskName.safeParse(/^# Risk: (\S+)$/m.exec(source)?.[1]).data
}

export interface FaultTry {
  risk: RiskName
  words: string
  then: object
  /** Only of a request that is not executed: whoever executes one does not answer so. */
  isRefusal?: true
}

export type FaultTries = Readonly<Record<string, FaultTry>>

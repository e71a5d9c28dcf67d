/** Risks between an app and the service, in the order in which judges try them. To add a risk, add its title. */
import * as z from 'zod'
import { keysIn } from '../../core/model/must.ts'

export const riskTitles = {
  'lost-answers': 'Lost answers',
  repeats: 'Repetitions',
  order: 'Order',
  crashes: 'Crashes',
  lateness: 'Lateness',
  reversals: 'Reversals',
  refusals: 'Refusals',
  forgeries: 'Forgeries',
  surprises: 'Surprises',
}

export type RiskName = keyof typeof riskTitles
export const riskNames = keysIn(riskTitles)
const riskName = z.enum(riskNames)

/** As the head of a scenario file has it: `# Risk: lost-answers`. */
export function riskOfScenario(source: string): RiskName | undefined {
  return riskName.safeParse(/^# Risk: (\S+)$/m.exec(source)?.[1]).data
}

/** The lines of a scenario's head behind `What to do:`, as one. */
export function adviceOf(source: string): string {
  const [, said = ''] = /^# What to do: (.*(?:\n#(?! Risk: ) ?\S.*)*)/m.exec(source) ?? []
  return said.replaceAll(/\s*\n# ?/g, ' ').trim()
}

/** The first of each list, then the second of each, and so on: so something of each risk, and of each sort, is tried early. */
export function inTurn<One>(lists: readonly (readonly One[])[]): One[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat()
}

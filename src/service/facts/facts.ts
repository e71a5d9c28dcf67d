/** All facts about the service besides fields, for the contract and the fidelity report. */
import { type Fact, factOf } from '../../core/model/fact.ts'
import { refusalCatalogue, refusalCodes } from '../../core/model/refusal.ts'
import { commonReasons, type RefusalReason, refusalAnswer, stages } from '../../core/model/refusal-reasons.ts'
import { conventions } from '../assumed/conventions.ts'
import { serviceReasons } from '../requests/service-reasons.ts'
import { defaults } from './defaults.ts'
import { answerHeaders, callbackHeaderFacts } from './headers.ts'

export function reasonsInOrder(): RefusalReason[] {
  const all: RefusalReason[] = Object.values({ ...commonReasons, ...serviceReasons })
  const order = Object.keys(stages)
  return all.sort((a, b) => order.indexOf(a.stage) - order.indexOf(b.stage))
}

export const facts: readonly Fact[] = [
  ...Object.entries(stages).map(([name, { about, ground }], i) =>
    factOf({ ground }, { about: 'order', name, value: String(i + 1), meaning: `checked: ${about}` }),
  ),
  ...reasonsInOrder().map((reason) => {
    const { status, code } = refusalAnswer(reason)
    return factOf(reason, { about: 'refusal', name: reason.when, value: `${status} ${code}`, meaning: reason.stage })
  }),
  ...refusalCodes.map((code) => {
    const { status, message } = refusalCatalogue[code]
    const source = code === 'RATE_LIMITED' ? 'stk/get_single_tz, withdrawn' : 'errors'
    return factOf(
      { ground: 'published', source },
      { about: 'code', name: code, value: String(status), meaning: message },
    )
  }),
  ...Object.entries(answerHeaders).map(([name, known]) => factOf(known, { about: 'answer header', name, ...known })),
  ...Object.entries(callbackHeaderFacts).map(([name, known]) =>
    factOf(known, { about: 'callback header', name, ...known }),
  ),
  ...Object.entries(defaults).map(([name, known]) => factOf(known, { about: 'default', name, ...known })),
  ...Object.entries(conventions).map(([name, known]) =>
    factOf({ ground: `convention: ${name}` }, { about: 'convention', name, ...known }),
  ),
]

/** Durations, counts and sizes that a merchant may meet and no field shows, each with its basis. */
import type { Source } from '../../core/model/basis.ts'
import { MOST_AT_ONCE } from '../../core/model/callback-policy.ts'
import { PROMPT_LASTS_US } from '../../core/model/phone-prompt.ts'
import { formatDuration } from '../../core/model/time.ts'
import { PAID_BEFORE_EXPIRY_US } from '../../core/rail-outcomes.ts'
import { bareSettings } from '../../core/scenario-settings.ts'
import { BODY_LIMITS, MOST_ENTRIES, NESTING_MAX } from '../../http/limits.ts'
import { type AssumptionId, assumptions } from '../assumed/assumptions.ts'
import type { Conventional } from '../assumed/conventions.ts'
import { LAST_PAGE, PAGE_SIZE } from '../declared/answers.ts'
import { PASS_EVERY_US } from '../declared/record-parts.ts'
import { LONGEST_TEXT } from '../fields.ts'
import { TZS_MINIMUM } from '../kinds/send-money/contract.ts'

interface DefaultFact {
  value: string
  meaning: string
  ground: Source | AssumptionId | Conventional | 'scenario' | 'own'
  source?: string
  /** Names of the constants that hold it; a test finds constants that no fact names. */
  constants?: readonly string[]
}

const LIMITS = 'convention: limits that no source shows'

const { attempts, backoffUs, timeoutMs } = bareSettings.callbacks

export const defaults: Readonly<Record<string, DefaultFact>> = {
  'life of an access token': {
    value: `${assumptions['token-life'].alternatives[0]}s`,
    meaning: 'Counted from when it was issued',
    ground: 'token-life',
    source: 'Limits',
  },
  'life of a refresh token': {
    value: `${6 * Number(assumptions['token-life'].alternatives[0])}s`,
    meaning: 'Counted from when it was issued',
    ground: 'token-life',
    source: 'Limits',
  },
  'smallest payout in TZS': {
    value: String(TZS_MINIMUM),
    meaning: 'A rule of the default scenario refuses less; a scenario may decide otherwise',
    ground: 'specified',
    source: 'Limits',
    constants: ['TZS_MINIMUM'],
  },
  'time until a payment ends': {
    value: 'as the rule says that decides it',
    meaning: 'Within seconds in the default scenario',
    ground: 'scenario',
  },
  'pay before expiry': {
    value: formatDuration(PAID_BEFORE_EXPIRY_US),
    meaning: 'A session that a rule lets expire, and that is paid before, is settled after this long',
    ground: 'scenario',
    constants: ['PAID_BEFORE_EXPIRY_US'],
  },
  'life of a prompt on a handset': {
    value: formatDuration(PROMPT_LASTS_US),
    meaning: 'Where a rule waits for the handset and does not say how long: then.prompt',
    ground: 'scenario',
    constants: ['PROMPT_LASTS_US'],
  },
  'life of a prompt on a checkout page': {
    value: assumptions['prompt-life'].alternatives[0],
    meaning: 'How long a customer takes whom nobody plays',
    ground: 'prompt-life',
  },
  'life of a checkout session': {
    value: assumptions['session-life'].alternatives[0],
    meaning: 'Then it is EXPIRED',
    ground: 'session-life',
  },
  'pass over pending records': {
    value: `every ${formatDuration(PASS_EVERY_US)}`,
    meaning: 'What moves updatedAt of payments that are still PENDING',
    ground: 'convention: updatedAt while PENDING',
    constants: ['PASS_EVERY_US'],
  },
  'attempts of a callback': {
    value: String(attempts),
    meaning: 'The first included: callbacks.retry',
    ground: 'callback-retries',
  },
  'waits between attempts of a callback': {
    value: backoffUs.map(formatDuration).join(', '),
    meaning: 'Simulated time; the last repeats: callbacks.retry',
    ground: 'callback-retries',
    constants: ['HOUR_US'],
  },
  'time-out of a callback': {
    value: `${timeoutMs / 1000}s`,
    meaning: 'Real time that a receiver has to answer: callbacks.timeout',
    ground: 'callback-timeout',
  },
  'callbacks under way to one receiver': {
    value: String(MOST_AT_ONCE),
    meaning: 'At most; more wait: callbacks.concurrency',
    ground: 'scenario',
    constants: ['MOST_AT_ONCE'],
  },
  'records on a page of a list': {
    value: `all, or ${PAGE_SIZE}`,
    meaning: `Pages beyond ${LAST_PAGE} are empty`,
    ground: 'list-pages',
    constants: ['PAGE_SIZE', 'LAST_PAGE'],
  },
  'size of a body': {
    value: `${BODY_LIMITS[assumptions['body-limit'].alternatives[0]]} bytes`,
    meaning: 'More is 413',
    ground: 'body-limit',
    constants: ['BODY_MAX', 'BODY_LIMITS', 'SMALLEST_LIMIT'],
  },
  'depth of a body': {
    value: `${NESTING_MAX} levels`,
    meaning: 'More is 400',
    ground: LIMITS,
    constants: ['NESTING_MAX'],
  },
  'entries of a list or object': {
    value: String(MOST_ENTRIES),
    meaning: 'More is 400',
    ground: LIMITS,
    constants: ['MOST_ENTRIES'],
  },
  'length of a text': {
    value: `${LONGEST_TEXT} characters`,
    meaning: 'Where its field says nothing else',
    ground: LIMITS,
    constants: ['LONGEST_TEXT'],
  },
  'requests in a while': {
    value: 'as many as come',
    meaning: 'Rate limits are not shown: a fault of a scenario may set one',
    ground: 'scenario',
  },
}

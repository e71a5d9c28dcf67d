/** Nothing about the service is known without saying how: refusals, headers, defaults and the order of checks. */
import { expect, it } from 'vitest'
import type { Fact } from '../../src/core/model/fact.ts'
import { refusalCodes } from '../../src/core/model/refusal.ts'
import { assumptions } from '../../src/service/assumed/assumptions.ts'
import { conventions } from '../../src/service/assumed/conventions.ts'
import { defaults } from '../../src/service/facts/defaults.ts'
import { facts } from '../../src/service/facts/facts.ts'
import { files, textOf } from './source.ts'

/** Asks the real service, and decides nothing about ours. */
const asking = 'service/assumed/probes/'

/** What a merchant meets is decided here; what only an operator meets is not the service's. */
const ofService = files.filter(
  (file) =>
    /^(?:service|http|inspect\/questions|core)\/(?!scenarios\/(?:language|lint)\/|store\/|clock\/)/.test(file) &&
    !file.startsWith(asking),
)

/** Where codes are declared, or told from each other. */
const declaring =
  /^(?:core\/model\/refusal\.ts|core\/model\/refusal-reasons\.ts|service\/requests\/service-reasons\.ts)$/
/** Files that tell codes apart: an assumption, a scenario or the form of an error chooses among them. */
const telling = /^(?:core\/model\/error-answer|service\/(?:assumed\/assumptions|error-body|facts\/facts))\.ts$/

const named = new RegExp(`'(?:${refusalCodes.join('|')})'`)

/** Lines that name a code of a refusal without a reason, as `file: line`. */
function unreasoned(texts: Iterable<readonly [string, string]>): string[] {
  return Array.from(texts).flatMap(([file, text]) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => named.test(line) && !/^(?:\*|\/\/|\/\*)/.test(line))
      .map((line) => `${file}: ${line}`),
  )
}

it('refuses for reasons that are listed, and for no others', () => {
  const held = ofService.filter((file) => !declaring.test(file) && !telling.test(file))
  expect(unreasoned(held.map((file) => [file, textOf(file)]))).toEqual([])
  const planted = unreasoned([['service/planted.ts', "throw new Refusal('AUTH_FORBIDDEN', 'no')"]])
  expect(planted).toEqual(["service/planted.ts: throw new Refusal('AUTH_FORBIDDEN', 'no')"])
})

/** Numbers that bound our own work and that no merchant can tell: each with what it is. */
const inner: Readonly<Record<string, string>> = {
  SECOND_US: 'a unit',
  MILLISECOND_US: 'a unit',
  STALE_S: 'what a callback fault means by an old timestamp',
  TOLERANCE_S: 'what our receivers take for fresh',
  QUOTED: 'characters of an answer that a diagnosis quotes',
  MOST_TURNS: 'turns of a loop that ends before',
  BATCH_MAX: 'commands in one commit',
  NEWEST: 'payments that a handset looks at',
  MESSAGES: 'messages that a handset shows',
  MOST_TOTALS: 'sums that are kept',
  HEADER_MAX: 'characters of a header in the journal',
  REFUSED_MAX: 'characters of the body of a refused request in the journal',
  KEPT_MAX: 'characters of the body of any request or answer in the journal',
  SLOWEST_BODY_MS: 'how slow a fault may make an answer',
  TICK_MS: 'how often a slow answer goes on',
  ITEMS_PER_CHUNK: 'records in one piece of a long list',
  MOST_TOLD: 'problems that one refusal names before it counts the rest',
  MOST_UNREAD: 'names that the journal keeps',
  AT_ONCE_MAX: 'records that are answered in one piece',
  PLENTY: 'of what nobody counts',
  MOST_PASSES: 'turns of a loop that ends before',
  REMEMBERED_MAX: 'tokens that are kept',
  RESPONSE_KEPT: 'characters of an answer to a callback in its record',
  HANDED_OVER_MAX: 'characters of a callback that goes to an inbox without a socket between',
  LONGEST_TIMEOUT_MS: 'the longest that a scenario may set',
  LONGEST_DIGITS: 'how long a number can be and still be exact',
  PLACES: 'attempts under way in a whole world',
  LOOKED_AT: 'rows of a queue that are looked at',
  READ_AT_LEAST: 'rows of a queue that are read at once',
  LETTERS_MIN: 'letters of a word of a path that says what is meant',
}

const NUMBER =
  /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: \w+)? = [\d_.]+(?:\s*\*.*)?$|^(?:export )?const ([A-Z][A-Z0-9_]*_(?:US|MS|S))(?:: \w+)? = /

/** Constants that hold a number and are neither a listed default nor our own affair. */
function undeclared(texts: Iterable<readonly [string, string]>): string[] {
  const declared = new Set(Object.values(defaults).flatMap(({ constants = [] }) => constants))
  return Array.from(texts).flatMap(([file, text]) =>
    text.split('\n').flatMap((line) => {
      const [, plain, timed] = NUMBER.exec(line) ?? []
      const name = plain ?? timed
      return name === undefined || declared.has(name) || Object.hasOwn(inner, name) ? [] : [`${file}: ${name}`]
    }),
  )
}

it('has no default that is on no list', () => {
  const told =
    /^(?:(?:service|http|callbacks|engine|ledger|lifecycle)\/|world\/deliver|scenarios\/language\/scenario-settings|model\/callback-policy)/
  // What merchants do is invented, and says nothing of the service.
  const merchants = 'service/profiles/'
  const meeting = files.filter((file) => told.test(file) && !file.startsWith(merchants) && !file.startsWith(asking))
  expect(undeclared(meeting.map((file) => [file, textOf(file)]))).toEqual([])
  expect(undeclared([['service/planted.ts', 'const GRACE_S = 30']])).toEqual(['service/planted.ts: GRACE_S'])
})

const groundless = (listed: readonly Fact[]) =>
  listed
    .filter(
      ({ basis, assumption, convention, byScenario, source }) =>
        (basis === 'assumed' &&
          !byScenario &&
          !Object.hasOwn(assumptions, assumption ?? '') &&
          !Object.hasOwn(conventions, convention ?? '')) ||
        ((basis === 'specified' || basis === 'published') && !source),
    )
    .map(({ about, name }) => `${about} ${name}`)

it('rests every fact on a source with its place, on an assumption or convention that there is, or on a scenario', () => {
  expect(facts.length).toBeGreaterThan(80)
  expect(groundless(facts)).toEqual([])
  const one = { ...(facts[0] as Fact), convention: null }
  expect(groundless([{ ...one, name: 'planted', basis: 'assumed', assumption: 'none such' }])).toEqual([
    'order planted',
  ])
  expect(groundless([{ ...one, name: 'planted', basis: 'published', source: null }])).toEqual(['order planted'])
})

/** What is free to ask and cannot be told all the same: because of what an account has not, or of what other alternatives hide. */
import type { CalibrationReport } from '../../../src/judge/calibrate.ts'
import type { AssumptionId, Chosen } from '../../../src/service/assumptions/assumptions.ts'

interface Hiding {
  hides: readonly AssumptionId[]
  /** All of these have to be in force, each in one of its alternatives. */
  where: { readonly [Id in AssumptionId]?: readonly Chosen[Id][] }
  /** Whether the account has to have a sub-account, or none. */
  withSubAccount?: boolean
}

const noSubscription = { 'subscription-required': ['yes'] } as const

const ofListedSubAccounts = ['company-id', 'sub-account-environment'] as const

const hidings: readonly Hiding[] = [
  // The account may have a subscription; to end it would tell.
  { hides: ['subscription-required'], where: { 'subscription-required': ['no'] } },
  // Whether a fee was charged, only the statement of the wallet says.
  { hides: ['fee-fields'], where: {} },
  // A record of the last hours would tell; one of two hours ago lies in the future only where the zone is ahead.
  { hides: ['timestamp-zone'], where: { 'timestamp-zone': ['utc'] } },
  { hides: ['timestamp-zone'], where: { 'timestamp-form': ['Z'] } },
  { hides: ['list-scope', 'net-balance', ...ofListedSubAccounts], where: {}, withSubAccount: false },
  // Nothing of sub-accounts can be read.
  { hides: ['net-balance', 'allocation-callers', ...ofListedSubAccounts], where: noSubscription, withSubAccount: true },
  { hides: ['allocation-direction'], where: noSubscription },
  { hides: ['list-scope'], where: { ...noSubscription, 'list-scope': ['own'] }, withSubAccount: true },
  // An allocation from a sub-account is refused for its direction, whoever asks.
  { hides: ['allocation-callers'], where: { 'allocation-direction': ['as-named'] }, withSubAccount: true },
  // A transfer would tell: the numbers of the past fit both.
  { hides: ['net-balance'], where: { 'net-balance': ['collections-minus-payouts'] }, withSubAccount: true },
  // A payment would tell: nobody knows from a list what it leaves out.
  { hides: ['tanzania-in-lists'], where: { 'tanzania-in-lists': ['left-out'] } },
]

/** What is not told and not listed, and what is told although it is listed. */
export function unlistedIn(
  { answers }: CalibrationReport,
  hidden: Readonly<Record<string, string>>,
  withSubAccount: boolean,
): string[] {
  const listed = new Set<string>(
    hidings
      .filter((one) => one.withSubAccount === undefined || one.withSubAccount === withSubAccount)
      .filter(({ where }) => Object.entries(where).every(([id, ones]) => (ones as string[]).includes(hidden[id] ?? '')))
      .flatMap(({ hides }) => hides),
  )
  return answers.flatMap(({ assumption, verdict, why }) => {
    if (verdict === 'untold' && !listed.has(assumption)) return `${assumption}: not told, and not listed: ${why}`
    return verdict === 'holds' && listed.has(assumption) ? `${assumption}: told, and listed as what is not` : []
  })
}

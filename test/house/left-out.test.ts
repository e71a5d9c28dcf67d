/** Whoever leaves a part of a record out is told so by the compiler: `npm run lint` checks this file. */
import { expect, expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import type { CliCommand } from '../../src/apps/cli/command.ts'
import type { Assumption } from '../../src/core/model/assumption.ts'
import type { CallbackFaultRecord } from '../../src/core/model/callback-fault.ts'
import type { controlRefusals } from '../../src/core/model/control-refusals.ts'
import { Refusal } from '../../src/core/model/refusal.ts'
import type { RefusalReason } from '../../src/core/model/refusal-reasons.ts'
import type { ResponseFaultRecord } from '../../src/core/model/response-fault-records.ts'
import type { FaultTry, RiskRecord } from '../../src/core/model/risks.ts'
import type { Operation } from '../../src/http/operation.ts'
import type { FindingRecord } from '../../src/inspect/reconcile/findings/finding-record.ts'
import type { CallbackHabitRecord } from '../../src/inspect/reconcile/findings/habit-findings.ts'
import type { ProblemRecord } from '../../src/inspect/report/run-verdict.ts'
import type { AppFindingRecord } from '../../src/judge/app/app-findings.ts'
import type { FateRecord } from '../../src/judge/explore/choices/answer-fates.ts'
import type { CrashRecord } from '../../src/judge/explore/choices/app-crashes.ts'
import { type ChoiceRecord, choiceRecord } from '../../src/judge/explore/choices/choice-record.ts'
import type { CustomerRecord } from '../../src/judge/explore/choices/customers.ts'
import type { EndRecord } from '../../src/judge/explore/choices/ends.ts'
import type { RefusedRequestRecord } from '../../src/judge/explore/choices/request-refusals.ts'
import type { SpoiltAnswerRecord } from '../../src/judge/explore/choices/spoilt-answers.ts'
import type { TellingRecord } from '../../src/judge/explore/choices/tellings.ts'
import type { FieldMutation, MessageMutation } from '../../src/judge/mutants/mutation-records.ts'
import { controlOperation } from '../../src/server/control/declared-operation.ts'
import type { AssumptionId } from '../../src/service/assumed/assumptions.ts'
import type { AllProbes } from '../../src/service/assumed/probes/some-probes.ts'
import type { ServedCountry } from '../../src/service/countries/served-country.ts'

/** Parts without which a record does not compile. */
type Needed<Of> = Of extends unknown
  ? { [Part in keyof Of]-?: object extends Pick<Of, Part> ? never : Part }[keyof Of]
  : never

it('asks for each part of a record', () => {
  expectTypeOf<Needed<CallbackFaultRecord>>().toEqualTypeOf<'schema' | 'tell' | 'refusable' | 'met' | 'tries'>()
  expectTypeOf<Needed<ResponseFaultRecord>>().toEqualTypeOf<
    'fields' | 'read' | 'print' | 'meet' | 'covers' | 'appSees' | 'tries'
  >()
  expectTypeOf<Needed<FindingRecord<unknown>>>().toEqualTypeOf<
    'level' | 'meaning' | 'todo' | 'sentence' | 'cause' | 'example'
  >()
  expectTypeOf<Needed<CallbackHabitRecord>>().toEqualTypeOf<Needed<FindingRecord<unknown>> | 'notice'>()
  expectTypeOf<Needed<AppFindingRecord>>().toEqualTypeOf<'level' | 'meaning' | 'todo' | 'cause' | 'example'>()
  expectTypeOf<Needed<ProblemRecord>>().toEqualTypeOf<'level' | 'count' | 'words'>()
  expectTypeOf<Needed<ChoiceRecord>>().toEqualTypeOf<
    'fields' | 'slot' | 'sort' | 'risk' | 'story' | 'met' | 'about' | 'offers' | 'effects'
  >()
  expectTypeOf<Needed<EndRecord>>().toEqualTypeOf<'words' | 'risk' | 'ending'>()
  expectTypeOf<Needed<FateRecord>>().toEqualTypeOf<'words' | 'sort' | 'answer' | 'isHeld'>()
  expectTypeOf<Needed<TellingRecord>>().toEqualTypeOf<'words' | 'risk' | 'callback' | 'stranger'>()
  expectTypeOf<Needed<RefusedRequestRecord>>().toEqualTypeOf<'words' | 'risk' | 'fault'>()
  expectTypeOf<Needed<SpoiltAnswerRecord>>().toEqualTypeOf<'words' | 'risk' | 'of' | 'fault' | 'isHeld' | 'rewrites'>()
  expectTypeOf<Needed<CustomerRecord>>().toEqualTypeOf<'words' | 'pays'>()
  expectTypeOf<Needed<FaultTry>>().toEqualTypeOf<'words' | 'risk' | 'then'>()
  expectTypeOf<Needed<RiskRecord>>().toEqualTypeOf<'title' | 'meaning'>()
  expectTypeOf<Needed<CrashRecord>>().toEqualTypeOf<'words' | 'of'>()
  expectTypeOf<Needed<FieldMutation>>().toEqualTypeOf<'isOf' | 'propose' | 'unnoticed'>()
  expectTypeOf<Needed<MessageMutation>>().toEqualTypeOf<'name' | 'propose' | 'unnoticed'>()
  expectTypeOf<Needed<RefusalReason>>().toEqualTypeOf<'stage' | 'when' | 'code' | 'ground'>()
  expectTypeOf<Needed<(typeof controlRefusals)['NOT_FOUND']>>().toEqualTypeOf<'status' | 'message'>()
  expectTypeOf<Needed<Assumption>>().toEqualTypeOf<'question' | 'alternatives' | 'note' | 'area' | 'touches'>()
  expectTypeOf<keyof AllProbes>().toEqualTypeOf<AssumptionId>()
  expectTypeOf<Needed<CliCommand>>().toEqualTypeOf<'name' | 'summary' | 'flags' | 'examples' | 'run'>()
  expectTypeOf<'code' | 'zone' | 'currency' | 'phone' | 'networks' | 'example'>().toExtend<Needed<ServedCountry>>()
  expectTypeOf<'summary' | 'basis' | 'source' | 'auth' | 'answer' | 'handle'>().toExtend<Needed<Operation>>()
})

it('takes no choice that applies to nothing or does nothing', () => {
  const about = {
    slot: () => '',
    sort: () => '',
    risk: () => 'order' as const,
    story: () => 'x',
    met: () => true,
    about: () => undefined,
  }
  const offers = { forDay: () => [{}] }
  // @ts-expect-error it does nothing
  expect(choiceRecord({ fields: {}, ...about, offers, effects: {} })).toBeDefined()
  // @ts-expect-error it can be chosen nowhere
  expect(choiceRecord({ fields: {}, ...about, offers: {}, effects: { order: () => 'oldest-first' } })).toBeDefined()
  const words = 'the answer is lost in translation'
  // @ts-expect-error it says nothing of what becomes of the answer
  const fate: FateRecord = { words, sort: 'missing' }
  // @ts-expect-error it has neither a callback nor a stranger
  const telling: TellingRecord = { words, risk: 'order' }
  expect([fate, telling]).toHaveLength(2)
})

it('takes no refusal with another status than that of its code, nor a code that nobody knows', () => {
  // @ts-expect-error the status is that of the code
  expect(new Refusal('INSUFFICIENT_FUNDS', 'amount: too much', { status: 400 }).status).toBe(402)
  // @ts-expect-error there is no such code
  expect(new Refusal('NO_SUCH_CODE', 'x').code).toBe('NO_SUCH_CODE')
  const declared = { method: 'GET', path: '/x', summary: 'x', run: () => new Response() } as const
  // @ts-expect-error a status is not declared, and cannot be a wrong one
  expect(controlOperation('wallet.fund', { ...declared, errors: ['400 INSUFFICIENT_FUNDS'] }).path).toBe('/x')
})

it('takes no control operation without a summary, and no answer that its schema does not have', () => {
  const run = () => ({ left: 1 })
  // @ts-expect-error a summary is asked for
  expect(controlOperation('wallet.fund', { method: 'GET', path: '/x', run: () => new Response() }).path).toBe('/x')
  const named = { method: 'GET', path: '/x/:id', summary: 'x', run: () => new Response() } as const
  // @ts-expect-error the name in the path is not told of
  expect(controlOperation('wallet.fund', named).path).toBe('/x/:id')
  const answer = () => ({}) as z.ZodObject<{ right: z.ZodNumber }>
  // @ts-expect-error its answer has no such field
  expect(controlOperation('wallet.fund', { method: 'GET', path: '/x', summary: 'x', answer, run }).path).toBe('/x')
})

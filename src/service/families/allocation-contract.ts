/** Requests and answers of allocations and de-allocations. */
import * as z from 'zod'
import { listQuery } from '../declared/answers.ts'
import { closedObject, openObject } from '../declared/lazy-objects.ts'
import {
  amount,
  answered,
  envelope,
  known,
  published,
  publishedEnvelope,
  recordUuid,
  UNMARKED,
  uuid,
} from '../fields.ts'
import { ruled } from '../requests/request-rules.ts'

export const allocationRequest = ruled(
  openObject(() => ({
    fromOrganisationId: uuid('specified', 'Whose wallet is debited: the caller or one of its sub-accounts.', {
      required: UNMARKED,
    }),
    toOrganisationId: uuid('specified', 'Whose wallet is credited: the caller or one of its sub-accounts.', {
      required: UNMARKED,
    }),
    amount: amount('specified', 'Kenyan shillings.', { required: UNMARKED }),
  })).meta({ id: 'AllocationRequest', 'x-basis': 'specified' }),
  () => [
    {
      field: 'toOrganisationId',
      differsFrom: 'fromOrganisationId',
      expected: 'must be another organisation than fromOrganisationId',
      ground: 'convention: an allocation to oneself',
    },
  ],
)

export type AllocationRequest = z.infer<typeof allocationRequest>

export const allocationAnswer = envelope(
  201,
  'Created Successfully',
  closedObject(() => ({
    status: known('specified', 'The money has moved.', z.literal('SUCCESS'), { const: 'specified' }),
    requestId: recordUuid('specified', 'The allocationId.'),
    amount: answered.floatAmount,
  })).meta({ id: 'AllocationResult', 'x-basis': 'specified' }),
)

export const allocationListAnswer = publishedEnvelope(
  200,
  'SUCCESS',
  z.array(
    closedObject(() => ({
      status: known(
        'published',
        'SUCCESS; a cancelled one shows CANCELLED or SUCCESS: assumption cancelled-allocation-status.',
        z.enum(['SUCCESS', 'CANCELLED']),
        { enum: 'cancelled-allocation-status' },
      ),
      requestId: recordUuid('published', 'The allocationId.'),
      amount: published.floatAmount,
    })).meta({ id: 'AllocationRecord', 'x-basis': 'published' }),
  ),
)

export const cancelAnswer = publishedEnvelope(
  200,
  'SUCCESS',
  known('published', 'A plain text.', z.literal('Allocation cancelled successfully'), { const: 'published' }),
)

export const cancelQuery = openObject(() => ({
  allocationId: uuid('published', 'The requestId of the allocation.', { required: 'published' }),
}))
export const adminQuery = listQuery({
  parentOrganisationId: uuid('published', 'The parent whose allocations are listed.', { required: 'published' }),
})

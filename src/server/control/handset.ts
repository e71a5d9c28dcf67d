/** Operations on simulated phones. */

import { accepts } from 'hono/accepts'
import * as z from 'zod'
import { phonesInUse } from '../../core/handset.ts'
import { promptAnswers } from '../../core/model/phone-prompt.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { phoneView } from '../../inspect/phone-view.ts'
import { paymentsService } from '../../service/service.ts'
import { controlOperation } from './declared-operation.ts'
import { listLimit } from './fields.ts'

const list = z.strictObject({
  limit: listLimit,
})
const reply = z.strictObject({
  answer: z.enum(promptAnswers).describe('What the holder of the phone does.'),
  pin: z
    .string()
    .regex(/^\d{4}$/, 'must be four digits')
    .optional()
    .describe("With `approve`: another than the holder's is a wrong PIN; without it, the right one is typed."),
})

const listPhones = controlOperation('handset.list', {
  method: 'GET',
  path: '/handset',
  summary: 'List phones that have prompts or messages',
  query: list,
  answer: () =>
    z.object({
      phones: z.array(phoneView.schema().extend({ prompts: z.number(), messages: z.number() })),
    }),
  run(c, { query }) {
    const { core } = c.env.world
    const { limit } = query
    return {
      phones: phonesInUse(core, limit).map((phone) => {
        const { messages, prompts, ...holder } = phoneView(phone, core)
        return { ...holder, prompts: prompts.length, messages: messages.length }
      }),
    }
  },
})

const readPhone = controlOperation('handset.show', {
  method: 'GET',
  path: '/handset/:phone',
  summary: 'Show one phone with prompts and messages',
  params: { phone: 'A phone number, such as 254712345678.' },
  answer: phoneView.schema,
  answers: { 'text/html': 'A browser is led to the phone on the screen.' },
  errors: ['INVALID_FIELD'],
  run(c, { params }) {
    const phone = phoneOf(params.phone)
    if (accepts(c, formats) === 'text/html') return c.redirect(`${c.env.baseUrl}/_mfano/handset/${phone}/`, 302)
    return phoneView(phone, c.env.world.core)
  },
})

const answerPrompt = controlOperation('handset.answer', {
  method: 'POST',
  path: '/handset/:phone/:prompt',
  summary: 'Answer a prompt on a phone',
  params: { phone: 'A phone number, such as 254712345678.', prompt: 'The uuid of the payment that asks.' },
  body: reply,
  answer: phoneView.schema,
  errors: ['NOT_FOUND', 'PROMPT_GONE', 'NO_SUCH_PROMPT', 'ILLEGAL_TRANSITION', 'RESOURCE_NOT_FOUND'],
  async run(c, { params, body }) {
    const phone = phoneOf(params.phone)
    const { answer, pin } = body
    if (pin !== undefined && answer !== 'approve')
      throw new Refusal('INVALID_FIELD', `pin: only "approve" takes one, and the answer is "${answer}"`)
    const uuid = params.prompt.toLowerCase()
    await c.env.world.perform({ command: 'answer-prompt', uuid, phone, answer, pin })
    return phoneView(phone, c.env.world.core)
  },
})

const formats = { header: 'Accept' as const, supports: ['application/json', 'text/html'], default: 'application/json' }

function phoneOf(written: string): string {
  const phone = paymentsService.countries.typedPhone(written)
  if (phone !== undefined) return phone
  throw new Refusal(
    'INVALID_FIELD',
    `phone: must be a phone number such as 254712345678, got "${written.slice(0, 80)}"`,
  )
}

export const handsetOperations = [listPhones, readPhone, answerPrompt] as const

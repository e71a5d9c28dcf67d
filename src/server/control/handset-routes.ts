/** Routes: simulated phones. */
import { Hono } from 'hono'
import { accepts } from 'hono/accepts'
import * as z from 'zod'
import { phonesInUse } from '../../core/handset.ts'
import { promptAnswers } from '../../core/model/prompt.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { type PhoneView, phoneView } from '../../inspect/phone-view.ts'
import { about } from './about.ts'
import { asks, type ControlContext, type ControlEnv, json, takes } from './control-context.ts'

const list = z.strictObject({
  /** At most so many. */
  limit: z.coerce
    .number()
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1000, 'must be at most 1000')
    .default(100),
})
const reply = z.strictObject({
  /** What the holder of the phone does. */
  answer: z.enum(promptAnswers),
  /** With `approve`: another than the holder's is a wrong PIN; without it, the right one is typed. */
  pin: z
    .string()
    .regex(/^\d{4}$/, 'must be four digits')
    .optional(),
})

/** Phones: the prompts on them, answers to these, messages and balances. A browser gets the phone itself. */
export function handsetRoutes() {
  return new Hono<ControlEnv>()
    .get('/_mfano/handset', about('Phones that have prompts or messages'), asks(list), (c) => {
      const { core } = c.env.world
      const { limit } = c.req.valid('query')
      return json(c, {
        phones: phonesInUse(core, limit).map((phone) => {
          const { messages, prompts, ...holder } = phoneView(core, phone)
          return { ...holder, prompts: prompts.length, messages: messages.length }
        }),
      })
    })

    .get(
      '/_mfano/handset/:phone',
      about('One phone: its holder, balance, prompts and messages', {
        path: { phone: 'A phone number, such as 254712345678.' },
        errors: ['400 INVALID_FIELD'],
        answers: { 'text/html': 'A browser is led to the phone on the screen.' },
      }),
      (c) => {
        const phone = phoneOf(c, c.req.param('phone'))
        if (accepts(c, formats) === 'text/html') return c.redirect(`${c.env.baseUrl}/_mfano/handset/${phone}/`, 302)
        return show(c, phone)
      },
    )

    .post(
      '/_mfano/handset/:phone/:prompt',
      about('Answer a prompt on a phone', {
        path: { phone: 'A phone number, such as 254712345678.', prompt: 'The uuid of the payment that asks.' },
        errors: [
          '404 NOT_FOUND',
          '409 NO_SUCH_PROMPT',
          '404 NO_SUCH_PROMPT',
          '409 ILLEGAL_TRANSITION',
          '404 RESOURCE_NOT_FOUND',
        ],
      }),
      takes(reply),
      async (c) => {
        const phone = phoneOf(c, c.req.param('phone'))
        const { answer, pin } = c.req.valid('json')
        if (pin !== undefined && answer !== 'approve')
          throw new Refusal('INVALID_FIELD', `pin: only "approve" takes one, and the answer is "${answer}"`, {
            message: 'Invalid field',
          })
        const uuid = c.req.param('prompt').toLowerCase()
        await c.env.world.perform({ command: 'answer-prompt', uuid, phone, answer, pin })
        return show(c, phone)
      },
    )
}

const formats = { header: 'Accept' as const, supports: ['application/json', 'text/html'], default: 'application/json' }

function show(c: ControlContext, phone: string) {
  return json<PhoneView>(c, phoneView(c.env.world.core, phone))
}

function phoneOf({ env: { service } }: ControlContext, written: string): string {
  const phone = service.countries.internationalPhone(written)
  if (/^\d{9,15}$/.test(phone)) return phone
  throw new Refusal(
    'INVALID_FIELD',
    `phone: must be a phone number such as 254712345678, got "${written.slice(0, 80)}"`,
    {
      message: 'Invalid field',
    },
  )
}

/** Routes of the handset pages. */

import type { Hono } from 'hono'
import { promptsOn } from '../../core/handset.ts'
import { localTime } from '../../core/model/calendar.ts'
import { must } from '../../core/model/must.ts'
import { type PromptAnswer, promptAnswers } from '../../core/model/prompt.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { readBody } from '../../http/read-body.ts'
import { phoneView } from '../../inspect/phone-view.ts'
import { paymentsService } from '../../service/service.ts'
import { handsetPage } from './handset-page.ts'
import { holdFor, LOOKED_AT } from './hold-prompts.ts'
import { builtScript, isForeign, type PagesContext, type PagesEnv, sendPage, styleOf } from './page.ts'
import { mayEnter } from './serve-dashboard.ts'
import { handsetStyle } from './style.ts'

export function handsetRoutes(app: Hono<PagesEnv>): void {
  const style = styleOf(handsetStyle)

  app.get('/_mfano/handset/:phone/', async (c) => ((await mayEnter(c)) ? show(c) : c.redirect('../../login', 303)))

  app.post('/_mfano/handset/:phone/', async (c) => {
    if (!(await mayEnter(c))) return c.redirect('../../login', 303)
    if (isForeign(c)) return show(c, 'That came from a page of another site, so nothing was done.', 403)
    const form = new URLSearchParams(await readBody(c.req.raw))
    const answer = promptAnswers.find((one) => one === form.get('answer'))
    const pin = (form.get('pin') ?? '').trim()
    if (!answer) return show(c, 'Choose one of the buttons.', 400)
    if (answer === 'approve' && !/^\d{4}$/.test(pin)) return show(c, 'Enter the four digits of the PIN.', 422)
    return reply(c, { uuid: form.get('prompt') ?? '', answer, ...(answer === 'approve' && { pin }) })
  })

  async function reply(c: PagesContext, given: { uuid: string; answer: PromptAnswer; pin?: string }) {
    try {
      await c.env.world.perform({ command: 'answer-prompt', phone: must(c.req.param('phone')), ...given })
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'NO_SUCH_PROMPT')) throw error
      return show(c, 'That prompt is gone: it was answered, or its time is over.', 409)
    }
    // Relative, because the browser may use any name of this host.
    return c.body(null, 303, { location: './' })
  }

  async function show(c: PagesContext, notice?: string, status: 200 | 400 | 403 | 409 | 422 = 200) {
    const script = await builtScript(c.env.assets, 'handset-script')
    const phone = paymentsService.countries.typedPhone(must(c.req.param('phone')))
    if (phone === undefined) return c.text('This is no phone number; 254712345678 would be one\n', 404)
    const { core } = c.env.world
    if (c.req.raw.method !== 'HEAD')
      await Promise.all(promptsOn(core, phone).map((payment) => holdFor(c.env.world, payment, LOOKED_AT)))
    const { directory } = core.scenario
    const { zone } = core.service.countries.ofPhone(phone)
    const view = phoneView(core, phone)
    const { hour, minute } = localTime(core.clock.now(), zone.offsetUs)
    return sendPage(c, {
      title: `${view.name || phone} · mfano`,
      style,
      script,
      status,
      formAction: "'self'",
      typed: view.prompts.length > 0 && 'PIN',
      // Not while somebody types a PIN.
      refresh: view.prompts.length === 0 ? '5' : undefined,
      refreshWithoutScript: true,
      body: handsetPage({
        ...view,
        notice,
        pin: directory.subscriber(phone).pin,
        time: `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`,
        nowUs: core.clock.now(),
        zone,
        rate: core.clock.mode === 'frozen' ? 0 : core.clock.rate,
      }),
    })
  }
}

/** Script of the checkout page: card fields, countdown, waiting prompts, single submit, and live state. */
import { prepareCardFields, prepareNotice, preparePhoneField } from './card-fields.ts'
import { countDown } from './countdown.ts'
import { prepareWait } from './wait-for-hand.ts'

const ENDED = ['SUCCEEDED', 'FAILED', 'EXPIRED', 'NOT_FOUND']
let sent = false

prepareCardFields()
preparePhoneField()
prepareNotice()
document.querySelector<HTMLElement>('[aria-invalid]')?.focus()
document.addEventListener('submit', (event) => {
  if (sent) return event.preventDefault()
  sent = true
  event.submitter?.setAttribute('aria-busy', 'true')
})
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})
countDown()
prepareWait()
const shown = document.querySelector<HTMLElement>('[data-status]')?.dataset.status
if (shown !== undefined && !ENDED.includes(shown)) follow(shown)

function follow(status: string): void {
  const events = new EventSource(`${location.pathname.replace(/\/$/, '')}/events`)
  events.addEventListener('status', (event) => {
    if (JSON.parse(event.data).status === status || sent) return
    events.close()
    location.replace(location.pathname)
  })
  addEventListener('pagehide', () => events.close())
}

import { countDown } from './countdown.ts'

const ENDED = ['SUCCEEDED', 'FAILED', 'EXPIRED', 'NOT_FOUND']
let sent = false

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

/**
 * Delays a prompt while somebody is at the page: the simulated payer would answer before a person has found the phone.
 * Tests move no pointer, so they are not delayed.
 */
function prepareWait(): void {
  if (!document.querySelector('[data-waits]')) return
  const seen = new AbortController()
  const { signal } = seen
  const wait = () => {
    seen.abort()
    void askToWait()
  }
  // Browsers report a pointer that rests where the page appears: only a second position is a movement.
  let place = ''
  const moved = ({ screenX, screenY }: PointerEvent) => {
    const here = `${screenX},${screenY}`
    if (place !== '' && place !== here) wait()
    place = here
  }
  document.addEventListener('pointermove', moved, { signal })
  for (const sign of ['pointerdown', 'keydown']) document.addEventListener(sign, wait, { signal })
}

async function askToWait(): Promise<void> {
  const answer = await fetch(location.pathname, { method: 'POST', body: new URLSearchParams({ action: 'wait' }) })
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('.countdown')
  if (!fresh) return
  document.querySelector('.countdown')?.replaceWith(document.adoptNode(fresh))
  countDown()
}

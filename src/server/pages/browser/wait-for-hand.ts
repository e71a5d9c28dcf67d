/**
 * Delays a prompt while somebody is at the page: the simulated payer would answer before a person has found the phone.
 * Tests move no pointer, so they are not delayed.
 */
import { countDown } from './countdown.ts'

export function prepareWait(): void {
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

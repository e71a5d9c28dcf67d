/**
 * Script of the handset: PIN pad, countdown, live prompts and messages. A prompt that stays is not redrawn, so that
 * typed digits stay.
 */
import { countDown } from './countdown.ts'

/** Real milliseconds. A prompt waits for one minute of looking. */
const LOOK_AGAIN_MS = 20_000
const TIME = '[data-testid=time]'
let busy = false
let again = false
let lookedAtMs = performance.now()

prepare()
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  const digit = target.closest<HTMLElement>('[data-digit]')?.dataset.digit
  const pin = target.closest('form')?.elements.namedItem('pin')
  if (digit === undefined || !(pin instanceof HTMLInputElement)) return
  pin.value = digit === '' ? pin.value.slice(0, -1) : (pin.value + digit).slice(0, 4)
})
const events = new EventSource('../../events?types=payment,clock')
for (const type of ['payment', 'clock', 'gap', 'open']) events.addEventListener(type, () => void refresh())
addEventListener('pagehide', () => events.close())
requestAnimationFrame(stay)

function prepare(): void {
  for (const pad of document.querySelectorAll<HTMLElement>('.pad')) pad.hidden = false
  countDown()
}

/** Shows the server that somebody looks, by loading the page. Stops on a hidden page, because frames stop there. */
function stay(nowMs: number): void {
  const looked = document.querySelector('[data-testid=held]') !== null && nowMs - lookedAtMs > LOOK_AGAIN_MS
  if (looked) void refresh()
  requestAnimationFrame(stay)
}

function promptsOf(page: Document): string {
  return Array.from(page.querySelectorAll<HTMLElement>('[data-prompt]'), ({ dataset }) => dataset.prompt).join()
}

async function refresh(): Promise<void> {
  if (busy) {
    again = true
    return
  }
  busy = true
  lookedAtMs = performance.now()
  const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (answer?.ok) takeOver(new DOMParser().parseFromString(await answer.text(), 'text/html'))
  busy = false
  if (!again) return
  again = false
  await refresh()
}

function takeOver(fresh: Document): void {
  const changed = promptsOf(fresh) !== promptsOf(document)
  for (const id of ['balance', 'messages', ...(changed ? ['prompts'] : [])]) {
    const now = fresh.getElementById(id)
    if (now) document.getElementById(id)?.replaceWith(document.adoptNode(now))
  }
  const time = document.querySelector(TIME)
  if (time) time.textContent = fresh.querySelector(TIME)?.textContent ?? ''
  if (changed) prepare()
}

/** The script of the phone's page. */
import { countdownScript } from './countdown-script.ts'

/**
 * What the handset does better with a script: a PIN pad, a countdown, and prompts and messages that come by themselves.
 * A prompt that stays is left alone, with what has been typed into it.
 */
export const handsetScript = `(() => {
  'use strict'
  ${countdownScript}
  const ids = (root) => [...root.querySelectorAll('[data-prompt]')].map((one) => one.dataset.prompt).join()
  const prepare = () => {
    for (const pad of document.querySelectorAll('.pad')) pad.hidden = false
    countdown()
  }
  document.addEventListener('click', (event) => {
    const digit = event.target.closest('[data-digit]')
    if (!digit) return
    const pin = digit.closest('form').elements.pin
    pin.value = digit.dataset.digit === '' ? pin.value.slice(0, -1) : (pin.value + digit.dataset.digit).slice(0, 4)
  })
  let busy = false, again = false
  const refresh = async () => {
    if (busy) { again = true; return }
    busy = true
    const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } }).catch(() => undefined)
    if (answer && answer.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const changed = ids(fresh) !== ids(document)
      for (const id of ['balance', 'messages', ...(changed ? ['prompts'] : [])])
        document.getElementById(id).replaceWith(document.adoptNode(fresh.getElementById(id)))
      const time = '[data-testid=time]'
      document.querySelector(time).textContent = fresh.querySelector(time).textContent
      if (changed) prepare()
    }
    busy = false
    if (again) { again = false; refresh() }
  }
  prepare()
  const events = new EventSource('../../events?types=payment,clock')
  for (const type of ['payment', 'clock', 'gap', 'open']) events.addEventListener(type, refresh)
  addEventListener('pagehide', () => events.close())
})()
`

/** The script of the checkout page. */
import { countdownScript } from './countdown-script.ts'

/**
 * What the hosted page does better with a script: it groups digits, checks a field when it is left, counts down, sends
 * a form once and follows the session. The server checks all of it again. Timers are frames: the page's own clock.
 */
export const checkoutScript = `(() => {
  'use strict'
  const byId = (id) => document.getElementById(id)
  const number = byId('card-number'), expiry = byId('card-expiry'), cvc = byId('card-cvc')
  const digitsOf = (field) => field.value.replace(/\\D/g, '')
  const isAmex = () => /^3[47]/.test(digitsOf(number))

  const say = (field, problem) => {
    const line = byId(field.id + '-problem')
    line.textContent = problem
    line.hidden = problem === ''
    if (problem === '') { field.removeAttribute('aria-invalid'); field.removeAttribute('aria-describedby') }
    else { field.setAttribute('aria-invalid', 'true'); field.setAttribute('aria-describedby', line.id) }
  }
  const luhn = (digits) => [...digits].reverse().reduce((sum, digit, i) => {
    const value = Number(digit) * (i % 2 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0) % 10 === 0

  /** Writes a field anew and keeps the cursor behind the same digit. */
  const rewrite = (field, format) => {
    const before = field.value.slice(0, field.selectionStart).replace(/\\D/g, '').length
    const atEnd = field.selectionStart === field.value.length
    field.value = format(digitsOf(field))
    let at = 0
    for (let seen = 0; at < field.value.length && seen < before; at++) if (/\\d/.test(field.value[at])) seen++
    if (atEnd) at = field.value.length
    field.setSelectionRange(at, at)
  }
  if (number) {
    number.addEventListener('input', () => {
      rewrite(number, (digits) => isAmex()
        ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10, 15)].filter(Boolean).join(' ')
        : (digits.slice(0, 19).match(/\\d{1,4}/g) || []).join(' '))
      if (number.getAttribute('aria-invalid')) check(number)
    })
    expiry.addEventListener('input', (event) => {
      const erasing = (event.inputType || '').startsWith('delete')
      rewrite(expiry, (digits) => {
        const padded = /^[2-9]/.test(digits) ? '0' + digits : digits
        return padded.length > 2 || (padded.length === 2 && !erasing)
          ? padded.slice(0, 2) + ' / ' + (padded.length === 6 ? padded.slice(4, 6) : padded.slice(2, 4))
          : padded
      })
    })
    cvc.addEventListener('input', () => rewrite(cvc, (digits) => digits.slice(0, 4)))
    const checks = {
      'card-number': () => luhn(digitsOf(number)) && digitsOf(number).length > 12 ? '' : 'This is no card number. Check its digits.',
      'card-expiry': () => /^(0[1-9]|1[0-2]) ?\\/ ?\\d\\d$/.test(expiry.value) ? '' : 'Write it as on the card: month/year, such as 08/30.',
      'card-cvc': () => digitsOf(cvc).length === (isAmex() ? 4 : 3) ? '' : 'The security code has ' + (isAmex() ? 4 : 3) + ' digits.',
    }
    const check = (field) => say(field, field.value === '' ? '' : checks[field.id]())
    for (const field of [number, expiry, cvc]) field.addEventListener('change', () => check(field))
  }

  const wrong = document.querySelector('[aria-invalid]')
  if (wrong) wrong.focus()

  let sent = false
  document.addEventListener('submit', (event) => {
    if (sent) return event.preventDefault()
    sent = true
    if (event.submitter) event.submitter.setAttribute('aria-busy', 'true')
  })
  addEventListener('pageshow', (event) => { if (event.persisted) location.reload() })

  ${countdownScript}
  countdown()

  const shown = document.querySelector('[data-status]')
  if (!shown || ['SUCCEEDED', 'FAILED', 'EXPIRED', 'NOT_FOUND'].includes(shown.dataset.status)) return
  const events = new EventSource(location.pathname.replace(/\\/$/, '') + '/events')
  events.addEventListener('status', (event) => {
    if (JSON.parse(event.data).status === shown.dataset.status || sent) return
    events.close()
    location.replace(location.pathname)
  })
  addEventListener('pagehide', () => events.close())
})()
`

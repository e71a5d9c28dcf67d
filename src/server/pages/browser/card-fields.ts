/**
 * Card fields: groups digits while typing and checks on leaving a field. A marked field is checked at every letter, so
 * that a mark disappears as soon as it is fixed. Messages have reserved space, so that nothing moves under a click.
 */
import { readCard } from '../../control/card.ts'

interface CardFields {
  number: HTMLInputElement
  expiry: HTMLInputElement
  cvc: HTMLInputElement
}

export function prepareCardFields(): void {
  const [number, expiry, cvc] = ['card-number', 'card-expiry', 'card-cvc'].map((id) => document.getElementById(id))
  if (!isInput(number) || !isInput(expiry) || !isInput(cvc)) return
  const fields = { number, expiry, cvc }
  number.addEventListener('input', () => rewrite(number, (digits) => grouped(digits, isAmex(fields))))
  expiry.addEventListener('input', (event) => {
    const erasing = (event.inputType ?? '').startsWith('delete')
    rewrite(expiry, (digits) => monthAndYear(digits, erasing))
  })
  cvc.addEventListener('input', () => rewrite(cvc, (digits) => digits.slice(0, 4)))
  for (const field of [number, expiry, cvc]) {
    field.addEventListener('change', () => check(field, fields))
    // The length of the code depends on the card.
    field.addEventListener('input', () => {
      for (const marked of field === number ? [number, cvc] : [field])
        if (marked.getAttribute('aria-invalid')) check(marked, fields)
    })
  }
}

function isInput(element: HTMLElement | null | undefined): element is HTMLInputElement {
  return element instanceof HTMLInputElement
}

function digitsOf(field: HTMLInputElement): string {
  return field.value.replace(/\D/g, '')
}

function isAmex({ number }: CardFields): boolean {
  return /^3[47]/.test(digitsOf(number))
}

function grouped(digits: string, amex: boolean): string {
  const groups = amex
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10, 15)]
    : (digits.slice(0, 19).match(/\d{1,4}/g) ?? [])
  return groups.filter(Boolean).join(' ')
}

function monthAndYear(digits: string, erasing: boolean): string {
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits
  if (padded.length < 2 || (padded.length === 2 && erasing)) return padded
  return `${padded.slice(0, 2)} / ${padded.length === 6 ? padded.slice(4, 6) : padded.slice(2, 4)}`
}

/** Keeps the cursor behind the same digit. */
function rewrite(field: HTMLInputElement, format: (digits: string) => string): void {
  const start = field.selectionStart ?? field.value.length
  const before = field.value.slice(0, start).replace(/\D/g, '').length
  const atEnd = start === field.value.length
  field.value = format(digitsOf(field))
  let at = 0
  for (let seen = 0; at < field.value.length && seen < before; at++) if (/\d/.test(field.value.charAt(at))) seen++
  if (atEnd) at = field.value.length
  field.setSelectionRange(at, at)
}

function check(field: HTMLInputElement, fields: CardFields): void {
  mark(field, field.value === '' ? '' : problemOf(field, fields))
}

/** The server alone knows the time of the world, and so whether a card has expired. */
function problemOf(field: HTMLInputElement, { number, expiry, cvc }: CardFields): string {
  const { problems = {} } = readCard({ number: number.value, expiry: expiry.value, cvc: cvc.value }, 0)
  return (field === number ? problems.number : field === expiry ? problems.expiry : problems.cvc) ?? ''
}

function mark(field: HTMLInputElement, problem: string): void {
  const line = document.getElementById(`${field.id}-problem`)
  if (!line) return
  line.textContent = problem
  if (problem === '') {
    field.removeAttribute('aria-invalid')
    field.removeAttribute('aria-describedby')
  } else {
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute('aria-describedby', line.id)
  }
  follow()
}

/** Only the server checks phone numbers, so a changed number loses its message. */
export function preparePhoneField(): void {
  const phone = document.querySelector<HTMLInputElement>('#phone-number')
  phone?.addEventListener('input', () => mark(phone, ''))
}

/** The notice is about marked fields, so it hides with the last one. It keeps its place. */
export function prepareNotice(): void {
  const notice = document.querySelector<HTMLElement>('[data-corrected]')
  if (!notice) return
  notice.style.minHeight = `${notice.getBoundingClientRect().height}px`
  const marked = notice.textContent
  follow = () => {
    const inSight = Array.from(document.querySelectorAll('[aria-invalid]')).some((field) => field.checkVisibility())
    notice.textContent = (inSight ? marked : notice.dataset.corrected) ?? ''
  }
  for (const way of document.querySelectorAll('[name=way]')) way.addEventListener('change', follow)
}

let follow = () => {}

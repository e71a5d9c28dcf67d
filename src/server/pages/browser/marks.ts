/** What is wrong with a field, said below it. */

/** Marks a field with a problem, or as sound where there is none. */
export function mark(field: HTMLInputElement, problem: string): void {
  const line = document.getElementById(`${field.id}-problem`) as HTMLElement
  line.textContent = problem
  if (problem === '') {
    field.removeAttribute('aria-invalid')
    field.removeAttribute('aria-describedby')
  } else {
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute('aria-describedby', line.id)
  }
  sayCorrected()
}

/** A phone number is judged by the server alone: what it said of another number is withdrawn. */
export function preparePhoneField(): void {
  const phone = document.querySelector<HTMLInputElement>('#phone-number')
  phone?.addEventListener('input', () => mark(phone, ''))
}

/** Nothing is marked any more: the notice above says so, in the place that it had. */
function sayCorrected(): void {
  const notice = document.querySelector<HTMLElement>('[data-corrected]')
  if (!notice || document.querySelector('[aria-invalid]')) return
  notice.style.minHeight = `${notice.getBoundingClientRect().height}px`
  notice.textContent = notice.dataset.corrected ?? ''
  delete notice.dataset.corrected
}

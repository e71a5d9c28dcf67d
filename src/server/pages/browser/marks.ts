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
  follow()
}

/** A phone number is judged by the server alone: what it said of another number is withdrawn. */
export function preparePhoneField(): void {
  const phone = document.querySelector<HTMLInputElement>('#phone-number')
  phone?.addEventListener('input', () => mark(phone, ''))
}

/** Lets the notice above follow: it speaks of what is marked only while something in sight is, and keeps its place. */
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

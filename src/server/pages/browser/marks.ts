/** Shows problems below their fields. */

export function mark(field: HTMLInputElement, problem: string): void {
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

/** Takes all steps of work that lets others in between. */
export function atOnce<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

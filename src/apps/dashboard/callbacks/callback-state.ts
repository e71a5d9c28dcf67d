/** The state of a callback, as people see it. */

/** `retrying`: failed at least once and will be tried again, so it is no failure yet. */
export function shownState({ state, attempts }: { state: string; attempts: number }): string {
  return state === 'pending' && attempts > 0 ? 'retrying' : state
}

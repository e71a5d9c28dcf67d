/** The state of a callback as people see it. */

/** `retrying` is one that was tried in vain and will be tried again, which is no failure yet. */
export function shownState({ state, attempts }: { state: string; attempts: number }): string {
  return state === 'pending' && attempts > 0 ? 'retrying' : state
}

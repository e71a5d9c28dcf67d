/** Pages by the letter that is typed after `g`. */
export const goTo: Readonly<Record<string, { path: string; label: string }>> = {
  o: { path: '/', label: 'Overview' },
  p: { path: '/payments', label: 'Payments' },
  c: { path: '/callbacks', label: 'Callbacks' },
  r: { path: '/requests', label: 'Requests' },
  s: { path: '/scenario', label: 'Scenario' },
  w: { path: '/worlds', label: 'Worlds' },
}

/** Finds the nearest known name by Damerau-Levenshtein distance; undefined when none is near. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    const d = distance(name.toLowerCase(), candidate.toLowerCase(), bestDistance)
    if (d < bestDistance) {
      best = candidate
      bestDistance = d
    }
  }
  return best
}

/** Words of the field, each with what it is called here; what the reader can choose from decides. */
const otherWords = {
  balance: ['wallet', 'wallets'],
  chances: ['chance'],
  condition: ['when', 'where'],
  create: ['collect', 'new', 'save', 'start'],
  delay: ['after', 'latency', 'delay'],
  each: ['every'],
  every: ['nth'],
  fail: ['refuse', 'end'],
  fields: ['with'],
  frequency: ['nth'],
  if: ['when', 'where'],
  kind: ['on'],
  latency: ['after'],
  log: ['requests', 'events'],
  logs: ['requests', 'events'],
  odds: ['chance'],
  outcome: ['end'],
  percent: ['chance'],
  phone: ['handset'],
  probability: ['chance'],
  rate: ['chance'],
  resend: ['redeliver'],
  result: ['end'],
  retries: ['retry'],
  retry: ['redeliver'],
  sandbox: ['world'],
  set: ['with'],
  status: ['end'],
  time: ['clock', 'after'],
  timezone: ['zone'],
  type: ['on', 'kind'],
  wait: ['after'],
  webhook: ['callback', 'callbacks'],
  webhooks: ['callbacks', 'callback'],
}

/** A known name that is one whole part of it, such as the first part of `stk-push`; or what the field's word means. */
function meant(name: string, known: readonly string[]): string | undefined {
  const parts = name.split(/[-_ /.]/)
  const part = parts.length > 1 ? known.find((one) => one.length > 2 && parts.includes(one)) : undefined
  const words = new Map<string, readonly string[]>(Object.entries(otherWords)).get(name)
  return part ?? words?.find((word) => known.includes(word))
}

const renamed = new Map([['wary', 'assumptions: drawn, beside a seed, in a scenario or for a new world']])

export function didYouMean(name: string, known: Iterable<string>): string {
  const now = renamed.get(name.toLowerCase().replace(/^(?:--|mfano_)/, ''))
  if (now !== undefined) return ` Write ${now}.`
  const names = [...known]
  const word = name.toLowerCase().replace(/^--/, '')
  const suggestion = nearest(name, names) ?? meant(word, names)
  if (word === 'every' && suggestion === 'nth') return ' Did you mean "nth: { every: 3 }"?'
  return suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`
}

function distance(a: string, b: string, limit: number): number {
  if (a.length > 64 || b.length > 64 || Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let d = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d = Math.min(d, (before[j - 2] ?? 0) + 1)
      row.push(d)
    }
    before = last
    last = row
  }
  return last[b.length] ?? limit
}

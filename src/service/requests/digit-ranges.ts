/** Finds the ranges of whole numbers that match a text pattern, because JSON Schema applies patterns to texts only. */

export interface DigitRange {
  minimum: number
  maximum: number
}

/** Longer whole numbers change when they are read as numbers. */
export const LONGEST_DIGITS = 15

type Place = readonly number[]

/**
 * Supports patterns between `^` and `$` of characters, classes, groups and counts. Parts that need anything but digits
 * match no number.
 */
export function digitRanges(pattern: string): DigitRange[] {
  const { texts, rest } = readChoices(pattern.replace(/^\^/, '').replace(/\$$/, ''))
  if (rest !== '') throw new Error(`A pattern that no number can be held against: ${pattern}`)
  return merged(texts.filter(({ length }) => length > 0).flatMap(rangesOf))
}

interface Read<T> {
  texts: T
  rest: string
}

function readChoices(pattern: string): Read<Place[][]> {
  const first = readSequence(pattern)
  if (!first.rest.startsWith('|')) return first
  const others = readChoices(first.rest.slice(1))
  return { texts: [...first.texts, ...others.texts], rest: others.rest }
}

function readSequence(pattern: string): Read<Place[][]> {
  let texts: Place[][] = [[]]
  let rest = pattern
  while (rest !== '' && !/^[|)]/.test(rest)) {
    const atom = readAtom(rest)
    const [, quantifier = '', least = '1', comma, most] = /^(\?|\*|\+|\{(\d+)(,)?(\d+)?\})?/.exec(atom.rest) ?? []
    rest = atom.rest.slice(quantifier.length)
    const from = quantifier === '?' || quantifier === '*' ? 0 : Number(least)
    const to =
      quantifier === '?' ? 1 : /^[*+]/.test(quantifier) || (comma && !most) ? LONGEST_DIGITS : Number(most ?? least)
    texts = joined(texts, repeated(atom.texts, from, Math.min(to, LONGEST_DIGITS)))
  }
  return { texts, rest }
}

function readAtom(pattern: string): Read<Place[][]> {
  if (pattern.startsWith('(?:')) {
    const { texts, rest } = readChoices(pattern.slice(3))
    return { texts, rest: rest.slice(1) }
  }
  const [atom = ''] = /^(?:\\.|\[(?:\\.|[^\]])*\]|[^\\[])/.exec(pattern) ?? []
  const one = new RegExp(`^${atom}$`)
  const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((digit) => one.test(String(digit)))
  return { texts: digits.length > 0 ? [[digits]] : [], rest: pattern.slice(atom.length) }
}

function repeated(texts: Place[][], from: number, to: number): Place[][] {
  let now: Place[][] = [[]]
  const all: Place[][] = from === 0 ? [[]] : []
  for (let times = 1; times <= to; times++) {
    now = joined(now, texts)
    if (now.length === 0) break
    if (times >= from) all.push(...now)
  }
  return all
}

function joined(befores: Place[][], behinds: Place[][]): Place[][] {
  const texts = befores
    .flatMap((before) => behinds.map((behind) => [...before, ...behind]))
    .filter(({ length }) => length <= LONGEST_DIGITS)
  return [...new Map(texts.map((text) => [JSON.stringify(text), text])).values()]
}

function rangesOf([first = [], ...others]: Place[]): DigitRange[] {
  const begins = others.length === 0 ? first : first.filter((digit) => digit > 0)
  const free = others.length - 1 - others.findLastIndex(({ length }) => length < 10)
  const fixed = others.slice(0, others.length - free)
  const heads = fixed.reduce<number[]>(
    (all, place) => all.flatMap((head) => place.map((digit) => head * 10 + digit)),
    [...begins],
  )
  return heads.map((head) => ({ minimum: head * 10 ** free, maximum: (head + 1) * 10 ** free - 1 }))
}

function merged(ranges: DigitRange[]): DigitRange[] {
  const all: DigitRange[] = []
  for (const range of ranges.toSorted((a, b) => a.minimum - b.minimum)) {
    const last = all.at(-1)
    if (last && range.minimum <= last.maximum + 1) last.maximum = Math.max(last.maximum, range.maximum)
    else all.push({ ...range })
  }
  return all
}

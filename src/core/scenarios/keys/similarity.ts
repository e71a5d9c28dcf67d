/**
 * Similarity of two names, as a bank clerk would judge: ignores case, order and accents, and forgives small
 * misspellings.
 */
import { distance } from 'fastest-levenshtein'

const LONGEST_NAME = 200
const MOST_WORDS = 16
const SAME_WORD = 0.7

/**
 * From 0 (nothing shared) to 1. Half counts the share of both names, half that of the shorter one. So a missing middle
 * name costs little (`JANE MWANGI`, `JANE WANJIKU MWANGI`: 0.87), and a given name alone is not enough (`JANE`: 0.69).
 */
export function similarity(a: string, b: string): number {
  const [few = [], many = []] = [splitWords(a), splitWords(b)].sort((one, other) => size(one) - size(other))
  const [fewSize, manySize] = [size(few), size(many)]
  if (fewSize === 0) return manySize === 0 ? 1 : 0
  const free = [...many]
  let sharedOfFew = 0
  let shared = 0
  for (const word of few) {
    let at = -1
    let likeness = SAME_WORD
    for (const [i, candidate] of free.entries()) {
      const alike = wordLikeness(word, candidate)
      if (alike >= likeness && (at < 0 || alike > likeness)) {
        at = i
        likeness = alike
      }
    }
    if (at < 0) continue
    const [best = ''] = free.splice(at, 1)
    sharedOfFew += likeness * word.length
    shared += likeness * (word.length + best.length)
  }
  return (shared / (fewSize + manySize) + sharedOfFew / fewSize) / 2
}

function splitWords(name: string): string[] {
  const plain = name.slice(0, LONGEST_NAME).normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase()
  const parts = plain.replace(/['’]/g, '').split(/[^\p{L}\p{N}]+/u)
  return parts.filter((text) => text !== '').slice(0, MOST_WORDS)
}

function size(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0)
}

function wordLikeness(a: string, b: string): number {
  if (a === b) return 1
  const longest = Math.max(a.length, b.length)
  if (Math.abs(a.length - b.length) > longest * (1 - SAME_WORD)) return 0
  return 1 - distance(a, b) / longest
}

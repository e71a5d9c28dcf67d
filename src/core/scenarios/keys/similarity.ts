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
  const left = splitWords(a)
  const right = splitWords(b)
  const leftSize = size(left)
  const rightSize = size(right)
  if (leftSize === 0 || rightSize === 0) return leftSize === rightSize ? 1 : 0
  const [few, many] = leftSize <= rightSize ? [left, right] : [right, left]
  const free = new Set(many)
  let sharedOfFew = 0
  let shared = 0
  for (const word of few) {
    let best: Word | undefined
    let likeness = SAME_WORD
    for (const candidate of free) {
      const alike = wordLikeness(word.text, candidate.text)
      if (alike >= likeness && (best === undefined || alike > likeness)) {
        best = candidate
        likeness = alike
      }
    }
    if (!best) continue
    free.delete(best)
    sharedOfFew += likeness * word.text.length
    shared += likeness * (word.text.length + best.text.length)
  }
  return (shared / (leftSize + rightSize) + sharedOfFew / Math.min(leftSize, rightSize)) / 2
}

/** An object, so that a word that occurs twice counts twice. */
interface Word {
  text: string
}

function splitWords(name: string): Word[] {
  const plain = name.slice(0, LONGEST_NAME).normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase()
  const parts = plain.replace(/['’]/g, '').split(/[^\p{L}\p{N}]+/u)
  return parts
    .filter((text) => text !== '')
    .slice(0, MOST_WORDS)
    .map((text) => ({ text }))
}

function size(list: Word[]): number {
  return list.reduce((sum, word) => sum + word.text.length, 0)
}

function wordLikeness(a: string, b: string): number {
  if (a === b) return 1
  const longest = Math.max(a.length, b.length)
  if (Math.abs(a.length - b.length) > longest * (1 - SAME_WORD)) return 0
  return 1 - distance(a, b) / longest
}

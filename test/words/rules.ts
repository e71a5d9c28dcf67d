/** The rules of plain words, for one text. */
import { marked, type Token, type Tokens } from 'marked'

const SENTENCE_WORDS_MAX = 25
const CELL_WORDS_MAX = 12
/** Four lines of a page. */
const PARAGRAPH_CHARACTERS_MAX = 480
/** Words that stand in for a subject. A question may begin with them. */
const OPENINGS = /^(?:Who|What|Of|Such|There) /

export interface WordsProblem {
  line: number
  text: string
  why: string
}

export interface Measured {
  problems: WordsProblem[]
  words: number
  longestSentence: number
  longestCell: number
}

/** Reads a page of Markdown. Code blocks, quotes of output and comments do not count. */
export function measured(markdown: string): Measured {
  const found: Measured = { problems: [], words: 0, longestSentence: 0, longestCell: 0 }
  let at = 0
  for (const token of marked.lexer(markdown)) {
    // Tokens follow each other, so the text before one tells its line.
    const line = markdown.slice(0, at).split('\n').length
    look(token, line, found)
    at += token.raw.length
  }
  return found
}

function look(token: Token, line: number, found: Measured): void {
  if (isTable(token))
    for (const cell of [token.header, ...token.rows].flat()) lookAtCell(plain(cell.tokens), line, found)
  else if (isList(token)) lookAtItems(token, line, found)
  else if (token.type === 'paragraph') lookAtProse(plain(token.tokens), line, found)
}

function lookAtItems({ items }: Tokens.List, first: number, found: Measured): void {
  let line = first
  for (const item of items) {
    for (const token of item.tokens)
      if (token.type === 'text' || token.type === 'paragraph') lookAtProse(plain(token.tokens), line, found)
      else look(token, line, found)
    line += item.raw.trimEnd().split('\n').length
  }
}

function lookAtCell(text: string, line: number, found: Measured): void {
  const words = countOf(text)
  found.words += words
  found.longestCell = Math.max(found.longestCell, words)
  if (words > CELL_WORDS_MAX)
    found.problems.push({ line, text, why: `a table cell has at most ${CELL_WORDS_MAX} words, not ${words}` })
}

function lookAtProse(text: string, line: number, found: Measured): void {
  if (text.length > PARAGRAPH_CHARACTERS_MAX)
    found.problems.push({ line, text: text.slice(0, 60), why: 'a paragraph has at most four lines: make it a list' })
  for (const sentence of sentencesOf(text)) {
    const words = countOf(sentence)
    found.words += words
    found.longestSentence = Math.max(found.longestSentence, words)
    if (words > SENTENCE_WORDS_MAX)
      found.problems.push({
        line,
        text: sentence,
        why: `a sentence has at most ${SENTENCE_WORDS_MAX} words, not ${words}`,
      })
    if (OPENINGS.test(sentence) && !sentence.endsWith('?'))
      found.problems.push({ line, text: sentence, why: `begin with the subject, not with "${sentence.split(' ', 1)}"` })
    if (sentence.includes(';')) found.problems.push({ line, text: sentence, why: 'a semicolon is two sentences' })
  }
}

export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+(?=[A-Z`"'({])|\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

export function countOf(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

/** Code counts as one word, and a link by its text. */
function plain(tokens: readonly Token[] | undefined): string {
  return (tokens ?? [])
    .map((token) => {
      if (token.type === 'codespan') return '`code`'
      if (token.type === 'br') return '\n'
      if ('tokens' in token && token.tokens) return plain(token.tokens)
      return 'text' in token ? String(token.text).replaceAll(/\s+/g, ' ') : ''
    })
    .join('')
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table'
}

function isList(token: Token): token is Tokens.List {
  return token.type === 'list'
}

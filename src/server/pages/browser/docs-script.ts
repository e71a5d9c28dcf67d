import MiniSearch from 'minisearch'
import { once } from '../../../core/model/must.ts'

/** An entry of `search.json`: a part of a page, or an operation. */
export interface Findable {
  id: number
  title: string
  heading: string
  keywords: string
  text: string
  href: string
  isReference: boolean
}

const SHOWN = 12
/** The dashboard keeps its theme there, too. */
const THEME = 'mantine-color-scheme-value'
const LANGUAGE = 'mfano-language'

const root = document.documentElement
const form = document.querySelector<HTMLFormElement>('form.search')
const input = document.querySelector<HTMLInputElement>('#search')
const list = document.querySelector<HTMLUListElement>('#found')
const base = form?.dataset['base'] ?? ''

prepareTheme()
prepareSamples()
for (const pre of document.querySelectorAll<HTMLElement>('.doc pre')) addCopy(pre)
unfold()
addEventListener('hashchange', unfold)
if (form && input && list) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  input.addEventListener('focus', () => void load())
  input.addEventListener('input', () => void showResults(input.value))
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') list.replaceChildren()
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    input.focus()
  })
}

/** Until a reader chooses, the system decides. */
function prepareTheme(): void {
  const kept = localStorage.getItem(THEME)
  if (kept === 'light' || kept === 'dark') root.dataset['theme'] = kept
  const button = document.querySelector<HTMLButtonElement>('button.theme')
  if (!button) return
  const isDark = () =>
    (root.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')) === 'dark'
  const name = () => {
    button.textContent = isDark() ? '☀ Light' : '☾ Dark'
  }
  button.hidden = false
  name()
  button.addEventListener('click', () => {
    root.dataset['theme'] = isDark() ? 'light' : 'dark'
    localStorage.setItem(THEME, root.dataset['theme'])
    name()
  })
}

function prepareSamples(): void {
  const radios = document.querySelectorAll<HTMLInputElement>('[name=language]')
  for (const radio of radios) {
    if (radio.id === localStorage.getItem(LANGUAGE)) radio.checked = true
    radio.addEventListener('change', () => localStorage.setItem(LANGUAGE, radio.id))
  }
}

function addCopy(pre: HTMLElement): void {
  const [frame, button] = [document.createElement('div'), document.createElement('button')]
  frame.className = 'code'
  button.className = 'copy'
  button.type = 'button'
  button.textContent = 'Copy'
  pre.replaceWith(frame)
  frame.append(button, pre)
  button.addEventListener('click', async () => {
    const text = pre.textContent ?? ''
    // Without HTTPS a browser has no clipboard: the text is selected, to be copied by hand.
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    button.textContent = copied ? 'Copied' : 'Selected'
    if (!copied) getSelection()?.selectAllChildren(pre)
  })
}

function unfold(): void {
  const folded = document.getElementById(location.hash.slice(1))?.closest('details')
  if (folded) folded.open = true
}

/** Loaded with the first search, because most readers never search. */
const load = once(async () => {
  const answer = await fetch(`${base}search.json`)
  const search = new MiniSearch<Findable>({
    fields: ['heading', 'title', 'keywords', 'text'],
    storeFields: ['title', 'heading', 'href', 'isReference', 'text'],
    searchOptions: {
      boost: { keywords: 6, heading: 4, title: 2 },
      // A guide leads to its reference, and not the other way round.
      boostDocument: (_id, _term, stored) => (stored?.['isReference'] ? 1 : 3),
      prefix: true,
      fuzzy: 0.2,
      combineWith: 'AND',
    },
  })
  const found: Findable[] = await answer.json()
  search.addAll(found)
  return search
})

async function showResults(text: string): Promise<void> {
  const search = await load()
  // Somebody has typed on.
  if (text !== input?.value) return
  const items = search
    .search(text)
    .slice(0, SHOWN)
    .map(({ title, heading, href, text: whole, terms }) => {
      const [item, link] = [document.createElement('li'), document.createElement('a')]
      link.href = `${base}${href}`
      link.textContent = title === heading ? title : `${title}: ${heading}`
      const excerpt = document.createElement('small')
      excerpt.textContent = excerptOf(whole, terms)
      link.append(excerpt)
      item.append(link)
      return item
    })
  list?.replaceChildren(...items)
}

const EXCERPT_LENGTH = 120

function excerptOf(markdown: string, terms: readonly string[]): string {
  const plain = markdown
    .replaceAll(/```[\s\S]*?(?:```|$)|<!--[\s\S]*?-->/g, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const lower = plain.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term.toLowerCase())).filter((at) => at >= 0)
  const from = places.length === 0 ? 0 : Math.max(0, plain.lastIndexOf(' ', Math.min(...places) - 30))
  const end = from + EXCERPT_LENGTH
  return `${from > 0 ? '…' : ''}${plain.slice(from, end)}${end < plain.length ? '…' : ''}`
}

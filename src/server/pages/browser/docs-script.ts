/** Script of documentation pages: searches all pages in the browser. */
import MiniSearch from 'minisearch'
import { once } from '../../../core/model/once.ts'
import type { Findable } from '../markdown-page.ts'

const SHOWN = 12

const form = document.querySelector<HTMLFormElement>('form.search')
const input = document.querySelector<HTMLInputElement>('#search')
const list = document.querySelector<HTMLUListElement>('#found')

if (form && input && list) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  input.addEventListener('focus', () => void load())
  input.addEventListener('input', () => void show(input.value))
}

/** Loaded with the first search, because most readers never search. */
const load = once(async () => {
  const answer = await fetch('search.json')
  const search = new MiniSearch<Findable>({
    fields: ['heading', 'title', 'text'],
    storeFields: ['title', 'heading', 'href'],
    searchOptions: { boost: { heading: 4, title: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
  })
  const found: Findable[] = await answer.json()
  search.addAll(found)
  return search
})

async function show(text: string): Promise<void> {
  const search = await load()
  // Somebody has typed on.
  if (text !== input?.value) return
  const items = search
    .search(text)
    .slice(0, SHOWN)
    .map(({ title, heading, href }) => {
      const [item, link] = [document.createElement('li'), document.createElement('a')]
      link.href = href
      link.textContent = title === heading ? title : `${title}: ${heading}`
      item.append(link)
      return item
    })
  list?.replaceChildren(...items)
}

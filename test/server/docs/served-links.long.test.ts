/** Every page of documentation as it is served, by its links. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'

const bench = useBench()
const pages = readdirSync(join(import.meta.dirname, '../../../src/docs')).filter((name) => name.endsWith('.md'))

/** Addresses that a page of a world leads to, and the ids that it has. */
async function look(address: string): Promise<{ status: number; links: string[]; ids: Set<string> }> {
  const answer = await fetch(address)
  const text = await answer.text()
  const found = [...text.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = '']) => new URL(href, answer.url).href)
  return {
    status: answer.status,
    links: found,
    ids: new Set(Array.from(text.matchAll(/ id="([^"]*)"/g), ([, id = '']) => id)),
  }
}

it('is served without a link that leads nowhere', async () => {
  const { baseUrl } = await bench.world()
  const seen = new Map<string, Awaited<ReturnType<typeof look>>>()
  const dead: string[] = []
  const open = [
    { from: '', to: `${baseUrl}/docs` },
    { from: '', to: `${baseUrl}/docs/readme` },
  ]
  for (let next = open.shift(); next; next = open.shift()) {
    const [address = '', anchor] = next.to.split('#')
    // Worlds and their control planes are no pages, and other sites are not ours.
    if (!address.startsWith(`${baseUrl}/docs`) && !address.startsWith(`${baseUrl}/openapi`)) continue
    const known = seen.get(address)
    const page = known ?? (await look(address))
    seen.set(address, page)
    if (page.status !== 200) dead.push(`${next.from} -> ${next.to}: ${page.status}`)
    else if (anchor !== undefined && !page.ids.has(decodeURIComponent(anchor))) dead.push(`${next.from} -> ${next.to}`)
    if (!known) for (const to of page.links) open.push({ from: address.slice(baseUrl.length), to })
  }
  expect([...new Set(dead)]).toEqual([])
  expect(seen.size).toBeGreaterThan(2 * pages.length)
})

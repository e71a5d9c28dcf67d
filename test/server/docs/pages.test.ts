import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { anchorOf } from '../../../install/generate/pages/markdown.ts'
import { answer as answerOf } from '../../apps/cli/support.ts'
import { readDocument } from '../../support/examples.ts'
import { useBench } from '../../support/harness.ts'

// The pages of documentation, as files in the repository and as mfano serves them. What they show is run in test/readme.

const bench = useBench()
const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'src/docs')
const pages = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => join(folder, name))

/** As it is served, with its generated parts. */
function textOf(file: string): string {
  return readDocument(root, relative(root, file))
}

/** Links of a file, without those to elsewhere. */
function links(text: string): string[] {
  return [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to = '']) => to)
    .filter((to) => !/^https?:/.test(to))
}

function anchorsOf(text: string): string[] {
  const known = new Map<string, number>()
  return [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    anchorOf(heading, known),
  )
}

it('has links that lead to files and headings of the repository', () => {
  const others = ['README.md', 'src/README.md', 'scenarios/README.md'].map((name) => join(root, name))
  const dead = [...pages, ...others].flatMap((page) =>
    links(textOf(page)).flatMap((to) => {
      const [path = '', anchor] = to.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      const leads = existsSync(file) && (anchor === undefined || anchorsOf(textOf(file)).includes(anchor))
      return leads ? [] : [`${relative(root, page)}: ${to}`]
    }),
  )
  expect(dead).toEqual([])
})

it('is reached from the contents, page by page, and they from the README', () => {
  const contents = readFileSync(join(folder, 'contents.md'), 'utf8')
  expect(pages.filter((page) => !contents.includes(`](${relative(folder, page)})`))).toEqual([])
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('(src/docs/contents.md)')
})

it('tells agents where each page is as Markdown', async () => {
  const { baseUrl } = await bench.world()
  const answer = await fetch(`${baseUrl}/llms.txt`)
  const text = await answer.text()
  expect(text).toMatch(/^# mfano\n\n> mfano .*\n\n/)
  const listed = [...text.matchAll(/^- \[[^\]]+\]\((.*?)\): \S/gm)].map(([, to = '']) => to)
  expect(listed.length).toBe([...text.matchAll(/^- /gm)].length)
  expect(listed.length).toBeGreaterThan(pages.length + 4)
  for (const to of listed) {
    const page = await fetch(to)
    expect([to, page.status]).toEqual([to, 200])
    if (!to.endsWith('.md')) continue
    expect([to, page.headers.get('content-type')]).toEqual([to, 'text/markdown; charset=utf-8'])
    const words = await page.text()
    expect(words, to).toMatch(/^# /)
    // The bare address is a default that a page tells.
    expect(words, to).not.toContain('http://localhost:8080/')
  }
})

it('names in both contracts, as Markdown, every operation with its errors', async () => {
  const { baseUrl } = await bench.world()
  for (const [page, contract] of [
    ['service', 'openapi.json'],
    ['control', '_mfano/openapi.json'],
  ]) {
    const [text, { paths }] = await Promise.all([
      fetch(`${baseUrl}/docs/${page}.md`).then((answer) => answer.text()),
      fetch(`${baseUrl}/${contract}`).then((answer) => answer.json()),
    ])
    for (const [path, methods] of Object.entries(paths as Record<string, Record<string, { operationId: string }>>))
      for (const [method, { operationId }] of Object.entries(methods))
        expect(text.includes(`\`${method.toUpperCase()} ${path}\` · \`${operationId}\``), operationId).toBe(true)
  }
})

it('serves a skill with the head that agents look for, and links that answer', async () => {
  const { baseUrl } = await bench.world()
  const [, head = '', text = ''] = (await (await fetch(`${baseUrl}/SKILL.md`)).text()).split(/^---$/m)
  expect(parse(head)).toEqual({ name: 'mfano', description: expect.stringMatching(/^.{50,1024}$/) })
  expect(text).not.toContain('localhost:8080')
  const addresses = Array.from(text.matchAll(/http:\/\/[^\s)|`;,]+/g), ([address]) => address.replace(/\.$/, ''))
  const linked = addresses.filter((address) => /\/(?:docs|llms)/.test(address))
  expect(linked.length).toBeGreaterThan(3)
  for (const address of linked) expect([address, (await fetch(address)).status]).toEqual([address, 200])
})

it('has a skill whose commands are known', async () => {
  const page = readFileSync(join(root, 'install/generate/pages/SKILL.md'), 'utf8')
  const commands = [...page.matchAll(/`mfano ([a-z]+(?: [a-z]+)?)/g)].map(([, words = '']) => words)
  expect(commands.length).toBeGreaterThan(8)
  for (const words of commands.filter((one) => !one.startsWith('help')))
    expect([words, await answerOf([...words.split(' '), '--help'])]).toMatchObject([words, { code: 0 }])
})

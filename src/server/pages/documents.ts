/** Pages of the documentation and both contracts, as Markdown. */

import type { Hono } from 'hono'
import type { DocFiles } from '../front-ports.ts'
import { API_LIST, type NavGroup } from './docs-shell.ts'
import { type OpenApi, openApiMarkdown } from './openapi-markdown.ts'
import type { PagesContext, PagesEnv } from './page.ts'

export interface Document {
  name: string
  title: string
  summary: string
  /** Words of a reader's that the page itself may lack. */
  keywords: string
  group: Section
  markdown(): string | Promise<string>
  /** The contract, where the Markdown is of one. */
  contract?(): Promise<OpenApi>
}

/** Headings of the contents page. */
const sections = ['Start', 'Guides', 'Concepts', 'Reference'] as const
type Section = (typeof sections)[number]

export const FOLDER = 'src/docs/'
const CONTENTS = 'contents'
const ELSEWHERE: Readonly<Record<string, string>> = {
  readme: 'README.md',
  recipes: 'clients/README.md',
}

/** Built on demand, because most requests read other pages. */
export interface Contracts {
  service(): Promise<OpenApi>
  control(): Promise<OpenApi>
}

/**
 * In the order and the sections of the contents page; a page that it does not list is part of the reference. Examples to
 * paste use `baseUrl`.
 */
export function documents(files: DocFiles, contracts: Contracts, baseUrl: string): Document[] {
  const asPage = (text: string) => addressed(asServed(text, files), baseUrl)
  const listed = sectionsOf(files.read(`${FOLDER}${CONTENTS}.md`))
  const paths = new Set([...listed.keys(), ...files.names().map((name) => `${FOLDER}${name}`)])
  const pages = Array.from(paths, (path) => documentOf(files.read(path), path, listed.get(path) ?? 'Reference', asPage))
  const contract = (name: string, title: string, summary: string, read: () => Promise<OpenApi>): Document => ({
    name,
    title,
    summary,
    keywords: '',
    group: 'Reference',
    contract: read,
    markdown: async () => openApiMarkdown(await read()),
  })
  const isReference = ({ group }: Document) => group === 'Reference'
  return [
    ...pages.filter((page) => !isReference(page)),
    contract('service', 'Service API', 'Each operation of the simulated service, field by field.', contracts.service),
    contract('control', 'Control plane API', 'Each operation of the control plane, field by field.', contracts.control),
    ...pages.filter(isReference),
  ]
}

/** By path, in the order of the page. */
function sectionsOf(contents: string): Map<string, Section> {
  const parts = contents.split(/^## /m)
  return new Map(
    sections.flatMap((section) => {
      const part = parts.find((one) => one.startsWith(`${section}\n`)) ?? ''
      const links = Array.from(part.matchAll(/^- \[[^\]]+\]\(([^)]+\.md)\)/gm), ([, to = '']) => to)
      return links.map((to): [string, Section] => [
        to.startsWith('../../') ? to.slice('../../'.length) : `${FOLDER}${to}`,
        section,
      ])
    }),
  )
}

/** The service's contract has HTML pages that show more than its Markdown. */
export function addressOf(name: string): string {
  return name === 'service' ? API_LIST : name
}

export function guideGroups(all: readonly Document[]): NavGroup[] {
  return sections.map((group) => ({
    title: group,
    links: all.filter((one) => one.group === group).map(({ name, title }) => ({ to: addressOf(name), text: title })),
  }))
}

function documentOf(file: string, path: string, group: Section, asPage: (text: string) => string): Document {
  const name = nameOf(path) ?? path
  const [, keywords = ''] = file.match(/^<!-- search: (.*) -->$/m) ?? []
  const text = file.replace(/^<!--[\s\S]*?-->\n+/, '')
  const [, title = name, summary = ''] = text.match(/^# (.+)\n+((?:.+\n)+)/) ?? []
  return { name, title, summary: plain(summary), keywords, group, markdown: () => asPage(text) }
}

const namesElsewhere = new Map(Object.entries(ELSEWHERE).map(([name, path]) => [path, name]))

/** The name by which a Markdown file is served, whether it exists or not. */
function nameOf(path: string): string | undefined {
  return namesElsewhere.get(path) ?? path.match(/^src\/docs\/([\w-]+)\.md$/)?.[1]
}

function plain(text: string): string {
  return text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
}

/** Repository links become links between pages. A link to a file that is not served becomes text. */
function asServed(text: string, { names, recipes }: DocFiles): string {
  const pages = names()
  return text.replaceAll(
    /(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]*)(#[^)]*)?\)/g,
    (whole, image, words, to: string, hash = '') => {
      if (image === '!') return to.startsWith('pictures/') ? whole : ''
      const path = to.replace(/^(?:\.\.\/|\.\/)+/, '')
      const name = nameOf(pages.includes(path) ? `${FOLDER}${path}` : path)
      const address = name === undefined ? recipeAddress(recipes(), path) : `${name}.md${hash}`
      return address === undefined ? words : `[${words}](${address})`
    },
  )
}

/** Everything to paste or follow gets the address of this world. The bare address in a sentence is a default, which stays. */
function addressed(text: string, baseUrl: string): string {
  const origin = baseUrl.replace(/\/w\/[^/]+$/, '')
  return text.replaceAll(
    /^( *)```[\s\S]*?^\1```|http:\/\/localhost:8080\/(?:w\/)?|<http:\/\/localhost:8080[^>]*>|\]\(http:\/\/localhost:8080[^)]*\)/gm,
    (pasted) =>
      pasted.replaceAll('http://localhost:8080/w/', `${origin}/w/`).replaceAll('http://localhost:8080', baseUrl),
  )
}

export function llmsText(documents: readonly Document[], baseUrl: string): string {
  const list = (group: Section) =>
    documents
      .filter((one) => one.group === group)
      .map(({ name, title, summary }) => `- [${title}](${baseUrl}/docs/${name}.md): ${summary}`)
  const contracts = [
    `- [OpenAPI of the service](${baseUrl}/openapi.json): OpenAPI 3.1 of this world.`,
    `- [OpenAPI of the control plane](${baseUrl}/_mfano/openapi.json): OpenAPI 3.1 of what a test or an operator can do.`,
    `- [Both as OpenAPI 3.0](${baseUrl}/openapi.json?as=3.0): for tools that read no other; ${baseUrl}/_mfano/openapi.json?as=3.0 is the control plane.`,
    `- [JSON Schema of scenarios](${baseUrl}/_mfano/scenario.schema.json): what a scenario file may say.`,
    `- [JSON Schema of merchant files](${baseUrl}/_mfano/merchant.schema.json): how an app that is judged is described.`,
  ]
  return [
    '# mfano',
    '',
    `> ${documents.find(({ name }) => name === 'readme')?.summary ?? ''}`,
    '',
    `This one answers at ${baseUrl}: the service below ${baseUrl}/api, the operator's side below ${baseUrl}/_mfano, agents by the Model Context Protocol at ${baseUrl}/_mfano/mcp. An ordinary world takes the key mfano-key with the secret mfano-secret.`,
    '',
    `How to work with it, as a skill to install: ${baseUrl}/SKILL.md`,
    ...sections.flatMap((group) => [
      '',
      `## ${group}`,
      '',
      ...list(group),
      ...(group === 'Reference' ? contracts : []),
    ]),
    '',
  ].join('\n')
}

// Clients in other languages, files for CI and example merchants: served one by one, and each folder as an archive.

/** `clients/go/mfano.go` is served as `go/mfano.go`, `test/merchants/python/README.md` as `merchants/python/README.md`. */
const servedAs = (path: string) => path.replace(/^(?:clients|install|test)\//, '')

/**
 * The archive of a folder, or the address of a file, relative to `/docs/`; undefined where `path` is none of both.
 * The page on clients is beside them, so it names them without their folder.
 */
function recipeAddress(recipes: readonly string[], path: string): string | undefined {
  for (const one of [path, `clients/${path}`]) {
    if (recipes.includes(one)) return `recipes/${servedAs(one)}`
    if (recipes.some((file) => file.startsWith(`${one}/`))) return `recipes/${servedAs(one)}.tar`
  }
  return undefined
}

export function recipeRoutes(app: Hono<PagesEnv>): void {
  app.get('/docs/recipes/*', async (c) => {
    const { docs } = c.env
    const files = docs?.recipes() ?? []
    const asked = decodeURIComponent(c.req.path.slice('/docs/recipes/'.length))
    const file = files.find((path) => servedAs(path) === asked)
    if (docs && file !== undefined) return c.body(docs.read(file), 200, { 'content-type': 'text/plain; charset=utf-8' })
    const folder = /^(.+)\.tar$/.exec(asked)?.[1]
    const inside = files.filter((path) => servedAs(path).startsWith(`${folder}/`))
    if (docs && inside.length > 0) return sendArchive(c, docs, inside, `${folder}`)
    return c.text(`There is no recipe "${asked.slice(0, 80)}"; there are\n${files.map(servedAs).join('\n')}\n`, 404)
  })
}

/** It unpacks into a folder of the folder's last name. */
async function sendArchive(c: PagesContext, docs: DocFiles, paths: readonly string[], folder: string) {
  const { createTar } = await import('nanotar')
  const above = folder.lastIndexOf('/') + 1
  const files = paths.map((path) => ({ name: servedAs(path).slice(above), data: docs.read(path) }))
  // The same bytes each time.
  const bytes = new Uint8Array(createTar(files, { attrs: { mtime: 0 } }))
  return c.body(bytes, 200, { 'content-type': 'application/x-tar' })
}

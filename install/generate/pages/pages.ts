/**
 * Every file of the documentation, by its path under `/docs`: pages as HTML and Markdown, what a search finds, and
 * recipes. A server sends them as they are, but for what `src/server/pages/filled.ts` fills in.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html, raw } from 'hono/html'
import type { Contract, ContractExamples, OpenApi } from '../../../src/http/contract.ts'
import { controlContract } from '../../../src/server/control/control-contract.ts'
import { controlOperations } from '../../../src/server/control-operations.ts'
import type { Findable } from '../../../src/server/pages/browser/docs-script.ts'
import { BASE_URL, ORIGIN } from '../../../src/server/pages/filled.ts'
import { htmlOf, partsOf } from './markdown.ts'
import { conditionOf, openApiMarkdown, operationsOf } from './openapi-markdown.ts'
import { recipeAddress, recipeFiles } from './recipes.ts'
import { operationList, operationPage, type Reference, referenceNav } from './reference.ts'
import { SchemaTables } from './schema-tables.ts'
import { apiOverview, apiPages, everywhere, serviceContract } from './service-pages.ts'
import { type Html, type NavGroup, pageFile, where } from './shell.ts'
import { docsStyle } from './style.ts'

type Files = Record<string, string>

const root = join(import.meta.dirname, '../../..')
const FOLDER = 'src/docs/'

/** `texts`: the pages of `src/docs` with their made parts, by file name. */
export async function docsFiles(texts: Readonly<Files>, examples: ContractExamples): Promise<Files> {
  const service = serviceContract(examples)
  const control = controlContract(controlOperations, { baseUrl: BASE_URL, version: '' })
  const all = documents(texts, service, control)
  return {
    ...(await guideFiles(all)),
    ...(await serviceFiles(service)),
    ...(await controlFiles(control)),
    'docs.css': docsStyle,
    'search.json': searchText(all),
    'agents/llms.txt': llmsText(all),
    'agents/SKILL.md': readFileSync(join(import.meta.dirname, 'SKILL.md'), 'utf8').replaceAll(
      'http://localhost:8080',
      BASE_URL,
    ),
    'pages.txt': all.map(({ name }) => `${name}\n`).join(''),
    ...recipeFiles(),
  }
}

// Guides.

/** Headings of the contents page. */
const sections = ['Start', 'Guides', 'Reference'] as const
type Section = (typeof sections)[number]

interface Document {
  name: string
  title: string
  summary: string
  /** Words of a reader's that the page itself may lack. */
  keywords: string
  group: Section
  markdown: string
  /** The contract, for a page that is made from one. */
  contract?: OpenApi
}

const OTHERS = html`<p class="source">This page is written for the usual assumptions. This world has others: <a href="assumptions">Assumptions</a> marks them, and its <a href="../../openapi.json">OpenAPI</a> goes by them.</p>`
const OTHERS_IN_MARKDOWN = `<!--if usual--><!--else-->This page is written for the usual assumptions. This world has others: ${BASE_URL}/docs/api/assumptions marks them, and ${BASE_URL}/openapi.json goes by them.\n\n<!--end-->`

/** In the order and the sections of the contents page; a page that it does not list is part of the reference. */
function documents(texts: Readonly<Files>, service: OpenApi, control: OpenApi): Document[] {
  const listed = sectionsOf(texts['contents.md'] ?? '')
  const paths = new Set([...listed.keys(), ...Object.keys(texts).map((name) => `${FOLDER}${name}`)])
  const pages = Array.from(paths, (path) => {
    const text = texts[path.slice(FOLDER.length)] ?? readFileSync(join(root, path), 'utf8')
    return documentOf(text, path, listed.get(path) ?? 'Reference', Object.keys(texts))
  })
  const isReference = ({ group }: Document) => group === 'Reference'
  const contracts = { keywords: '', group: 'Reference' } as const
  return [
    ...pages.filter((page) => !isReference(page)),
    {
      ...contracts,
      name: 'service',
      title: 'Service API',
      summary: 'Each operation of the simulated service, field by field.',
      contract: service,
      markdown: openApiMarkdown(service).replace('\n\n', `\n\n${OTHERS_IN_MARKDOWN}`),
    },
    {
      ...contracts,
      name: 'control',
      title: 'Control plane API',
      summary: 'Each operation of the control plane, field by field.',
      contract: control,
      markdown: openApiMarkdown(control),
    },
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

function documentOf(file: string, path: string, group: Section, pages: readonly string[]): Document {
  const name = nameOf(path) ?? path
  const [, keywords = ''] = file.match(/^<!-- search: (.*) -->$/m) ?? []
  const text = file.replace(/^<!--[\s\S]*?-->\n+/, '')
  const [, title = name, summary = ''] = text.match(/^# (.+)\n+((?:.+\n)+)/) ?? []
  return { name, title, summary: plain(summary), keywords, group, markdown: addressed(asServed(text, pages)) }
}

const namesElsewhere = new Map([
  ['README.md', 'readme'],
  ['clients/README.md', 'recipes'],
])

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
function asServed(text: string, pages: readonly string[]): string {
  return text.replaceAll(
    /(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]*)(#[^)]*)?\)/g,
    (whole, image, words, to: string, hash = '') => {
      if (image === '!') return to.startsWith('pictures/') ? whole : ''
      const path = to.replace(/^(?:\.\.\/|\.\/)+/, '')
      const name = nameOf(pages.includes(path) ? `${FOLDER}${path}` : path)
      const address = name === undefined ? recipeAddress(path) : `${name}.md${hash}`
      return address === undefined ? words : `[${words}](${address})`
    },
  )
}

/** Everything to paste or follow gets the address of the world. The bare address in a sentence is a default, which stays. */
function addressed(text: string): string {
  return text.replaceAll(
    /^( *)```[\s\S]*?^\1```|http:\/\/localhost:8080\/(?:w\/)?|<http:\/\/localhost:8080[^>]*>|\]\(http:\/\/localhost:8080[^)]*\)/gm,
    (pasted) =>
      pasted.replaceAll('http://localhost:8080/w/', `${ORIGIN}/w/`).replaceAll('http://localhost:8080', BASE_URL),
  )
}

async function guideFiles(all: readonly Document[]): Promise<Files> {
  const groups: NavGroup[] = sections.map((group) => ({
    title: group,
    links: all
      .filter((one) => one.group === group)
      .map(({ name, title }) => ({ to: name === 'service' ? '../docs' : name, text: title })),
  }))
  const files: Files = {}
  for (const { name, title, markdown, contract } of all) {
    files[`${name}.md`] = markdown
    if (contract) continue
    const body = raw(htmlOf(markdown, (path) => readFileSync(join(root, FOLDER, path), 'utf8')))
    files[`${name}.html`] = await pageFile({ title, base: '', at: name, groups, markdown: `${name}.md`, body })
  }
  return files
}

// References.

export async function serviceFiles(contract: Contract): Promise<Files> {
  const reference = { at: 'api', document: contract } as const
  const first = { title: 'API reference', to: '../docs' }
  const groups = groupsOf(first, reference, everywhere)
  const body = apiOverview(reference)
  return {
    'service.html': await pageFile({
      title: first.title,
      base: 'docs/',
      at: first.to,
      groups,
      markdown: 'service.md',
      body,
    }),
    ...(await referenceFiles(reference, groups, 'service.md', apiPages(contract), where('usual', '', OTHERS))),
  }
}

async function controlFiles(document: OpenApi): Promise<Files> {
  const reference = { at: 'control', document } as const
  const first = { title: 'Control plane', to: 'control' }
  const groups = groupsOf(first, reference, {
    title: 'Everywhere',
    links: [{ to: 'control/records', text: 'Shared records' }],
  })
  const body = html`<h1>${document.info.title}</h1><p>${document.info.description}</p>
<p class="links"><a href="control-plane">Guide</a> <a href="../_mfano/openapi.json">OpenAPI</a></p>
${operationList(reference, '')}`
  return {
    'control.html': await pageFile({
      title: first.title,
      base: '',
      at: first.to,
      groups,
      markdown: 'control.md',
      body,
    }),
    ...(await referenceFiles(reference, groups, 'control.md', {}, '')),
  }
}

function groupsOf({ title, to }: { title: string; to: string }, reference: Reference, behind: NavGroup): NavGroup[] {
  return [{ title, links: [{ to, text: 'All operations' }] }, ...referenceNav(reference), behind]
}

/** A page for each operation, one for shared records, and `more` by name. `remark`: at the head of what the contract says. */
async function referenceFiles(
  { at, document }: Reference,
  groups: readonly NavGroup[],
  markdown: string,
  more: Readonly<Record<string, Html>>,
  remark: Html | string,
): Promise<Files> {
  const tables = new SchemaTables(document, '')
  const pages = [
    ...operationsOf(document).map((listed) => ({
      name: listed.operation.operationId,
      title: listed.operation.summary,
      only: conditionOf(listed.operation),
      body: html`${remark}${operationPage(document, listed, tables)}`,
    })),
    { name: 'records', title: 'records', only: undefined, body: html`${remark}${tables.records()}` },
    ...Object.entries(more).map(([name, body]) => ({ name, title: name, only: undefined, body })),
  ]
  const files: Files = {}
  for (const { name, title, only, body } of pages) {
    const page = await pageFile({ title, base: '../', at: `${at}/${name}`, groups, markdown, body })
    files[`${at}/${name}.html`] = String(await where(only, raw(page)))
  }
  return files
}

// Lists of all pages.

/** A line each, so that one that is not in every world can be left out. */
function searchText(all: readonly Document[]): string {
  const found = all.flatMap(({ name, title, keywords, markdown, contract, group }) => {
    const common = { title, isReference: group === 'Reference' }
    if (!contract)
      return partsOf(markdown).map(({ level, href, ...part }) => ({
        ...common,
        ...part,
        keywords: level === 1 ? keywords : '',
        href: `${name}${href}`,
        only: undefined,
      }))
    const folder = name === 'service' ? 'api' : name
    return operationsOf(contract).map(({ operation, method, path }) => ({
      ...common,
      heading: operation.summary,
      keywords,
      text: [method.toUpperCase(), path, operation.operationId, operation.description ?? ''].join(' '),
      href: `${folder}/${operation.operationId}`,
      only: conditionOf(operation),
    }))
  })
  const lines = found.map(({ only, ...one }, id) => {
    const line = `${JSON.stringify({ id, ...one } satisfies Findable)},`
    return only === undefined ? line : `<!--if ${only}-->${line}<!--end-->`
  })
  return `[\n${lines.join('\n').replace(/,$/, '')}\n]\n`
}

function llmsText(documents: readonly Document[]): string {
  const list = (group: Section) =>
    documents
      .filter((one) => one.group === group)
      .map(({ name, title, summary }) => `- [${title}](${BASE_URL}/docs/${name}.md): ${summary}`)
  const contracts = [
    `- [OpenAPI of the service](${BASE_URL}/openapi.json): OpenAPI 3.1 of this world.`,
    `- [OpenAPI of the control plane](${BASE_URL}/_mfano/openapi.json): OpenAPI 3.1 of what a test or an operator can do.`,
    `- [Both as OpenAPI 3.0](${BASE_URL}/openapi.json?as=3.0): for tools that read no other; ${BASE_URL}/_mfano/openapi.json?as=3.0 is the control plane.`,
    `- [JSON Schema of scenarios](${BASE_URL}/_mfano/scenario.schema.json): what a scenario file may say.`,
    `- [JSON Schema of merchant files](${BASE_URL}/_mfano/merchant.schema.json): how an app that is judged is described.`,
  ]
  return [
    '# mfano',
    '',
    `> ${documents.find(({ name }) => name === 'readme')?.summary ?? ''}`,
    '',
    `This one answers at ${BASE_URL}: the service below ${BASE_URL}/api, the operator's side below ${BASE_URL}/_mfano, agents by the Model Context Protocol at ${BASE_URL}/_mfano/mcp. An ordinary world takes the key mfano-key with the secret mfano-secret.`,
    '',
    `How to work with it, as a skill to install: ${BASE_URL}/SKILL.md`,
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

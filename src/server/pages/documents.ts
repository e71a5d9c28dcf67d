/** Pages of the documentation and both contracts, as Markdown. */
import type { DocFiles } from '../front-ports.ts'
import { API_LIST, type NavGroup } from './docs-shell.ts'
import { type OpenApi, openApiMarkdown } from './openapi-markdown.ts'
import { recipeAddress } from './recipes.ts'

export interface Document {
  name: string
  title: string
  summary: string
  group: GuideGroup
  markdown(): string | Promise<string>
  /** Of which it is the Markdown. */
  contract?(): Promise<OpenApi>
}

const groups = ['Guides', 'Reference', 'Contracts'] as const
type GuideGroup = (typeof groups)[number]

const REFERENCE = ['commands', 'settings', 'conditions', 'control-plane']
const ELSEWHERE: Readonly<Record<string, { path: string; group: GuideGroup }>> = {
  readme: { path: 'README.md', group: 'Guides' },
  recipes: { path: 'clients/README.md', group: 'Guides' },
  catalogue: { path: 'scenarios/README.md', group: 'Reference' },
}

/** Built on demand, because most requests read other pages. */
export interface Contracts {
  service(): Promise<OpenApi>
  control(): Promise<OpenApi>
}

/** README first, then guides, then the reference. Examples to paste use `baseUrl`. */
export function documents(files: DocFiles, contracts: Contracts, baseUrl: string): Document[] {
  const readme = files.read('README.md')
  const asPage = (text: string) => addressed(asServed(text, files), baseUrl)
  const fileDocument = (path: string, name: string, group: GuideGroup) =>
    documentOf(files.read(path), name, group, asPage)
  const order = (name: string) => (readme.indexOf(`src/docs/${name}.md`) + readme.length) % readme.length
  const pages = files
    .names()
    .map((file) => file.replace(/\.md$/, ''))
    .sort((a, b) => order(a) - order(b))
    .map((name) => fileDocument(`src/docs/${name}.md`, name, REFERENCE.includes(name) ? 'Reference' : 'Guides'))
  const others = Object.entries(ELSEWHERE).map(([name, { path, group }]) => fileDocument(path, name, group))
  return [
    ...others.filter(({ group }) => group === 'Guides'),
    ...pages,
    ...others.filter(({ group }) => group === 'Reference'),
    {
      name: 'service',
      title: 'The service',
      summary: 'Every operation of the simulated service, field by field.',
      group: 'Contracts',
      contract: contracts.service,
      markdown: async () => openApiMarkdown(await contracts.service()),
    },
    {
      name: 'control',
      title: 'The control plane, operation by operation',
      summary: "Every operation of the operator's side, field by field.",
      group: 'Contracts',
      contract: contracts.control,
      markdown: async () => openApiMarkdown(await contracts.control()),
    },
  ]
}

/** The service's contract has HTML pages that show more than its Markdown. */
export function addressOf(name: string): string {
  return name === 'service' ? API_LIST : name
}

export function guideGroups(all: readonly Document[]): NavGroup[] {
  return groups.map((group) => ({
    title: group,
    links: all.filter((one) => one.group === group).map(({ name, title }) => ({ to: addressOf(name), text: title })),
  }))
}

function documentOf(file: string, name: string, group: GuideGroup, asPage: (text: string) => string): Document {
  const text = file.replace(/^<!--[\s\S]*?-->\n+/, '')
  const [, title = name, summary = ''] = text.match(/^# (.+)\n+((?:.+\n)+)/) ?? []
  return { name, title, summary: plain(summary), group, markdown: () => asPage(text) }
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
  const elsewhere = new Map(Object.entries(ELSEWHERE).map(([name, { path }]) => [path, name]))
  return text.replaceAll(
    /(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]*)(#[^)]*)?\)/g,
    (_, image, words, to: string, hash = '') => {
      if (image === '!') return ''
      const path = to.replace(/^(?:\.\.\/|\.\/)+/, '').replace(/^src\/docs\//, '')
      const name = elsewhere.get(path) ?? (pages.includes(path) ? path.replace(/\.md$/, '') : undefined)
      const address = name === undefined ? recipeAddress(recipes(), path) : `${name}.md${hash}`
      return address === undefined ? words : `[${words}](${address})`
    },
  )
}

/** Code and links get the address of this world. Prose keeps the usual one. */
function addressed(text: string, baseUrl: string): string {
  const origin = baseUrl.replace(/\/w\/[^/]+$/, '')
  return text.replaceAll(
    /^```[\s\S]*?^```|<http:\/\/localhost:8080[^>]*>|\]\(http:\/\/localhost:8080[^)]*\)/gm,
    (pasted) =>
      pasted.replaceAll('http://localhost:8080/w/', `${origin}/w/`).replaceAll('http://localhost:8080', baseUrl),
  )
}

export function llmsText(documents: readonly Document[], baseUrl: string): string {
  const list = (group: GuideGroup) =>
    documents
      .filter((one) => one.group === group)
      .map(({ name, title, summary }) => `- [${title}](${baseUrl}/docs/${name}.md): ${summary}`)
  const contracts = [
    `- [OpenAPI of the service](${baseUrl}/openapi.json): OpenAPI 3.1 of this world.`,
    `- [OpenAPI of the control plane](${baseUrl}/_mfano/openapi.json): OpenAPI 3.1 of what a test or an operator can do.`,
    `- [Both as OpenAPI 3.0](${baseUrl}/openapi.json?as=3.0): for tools that read no other; ${baseUrl}/_mfano/openapi.json?as=3.0 is the control plane.`,
    `- [Arazzo](${baseUrl}/docs/mfano.arazzo.json): the usual flows over both, as steps that tools can run.`,
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
    ...groups.flatMap((group) => ['', `## ${group}`, '', ...list(group), ...(group === 'Contracts' ? contracts : [])]),
    '',
  ].join('\n')
}

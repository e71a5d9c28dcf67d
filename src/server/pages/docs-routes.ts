/** Routes of the documentation, for people and agents. */
import type { Hono } from 'hono'
import { html } from 'hono/html'
import type { Contract } from '../../http/contract.ts'
import type { DocFiles } from '../front-ports.ts'
import { apiOverview, apiPage, apiPages } from './docs-pages.ts'
import { API_LIST, CONTROL, docsShell, type NavGroup, type ShownPage } from './docs-shell.ts'
import { SchemaTables } from './docs-tables.ts'
import { type Contracts, type Document, documents, FOLDER, guideGroups, llmsText } from './documents.ts'
import type { OpenApi } from './openapi-markdown.ts'
import { builtScript, type Html, type PagesContext, type PagesEnv, sendPage, styleOf } from './page.ts'
import { operationList, operationPage, operationsOf, type Reference, referenceNav } from './reference.ts'
import { SKILL_FILE, SKILL_PAGE, skillText } from './skill.ts'
import { docsStyle } from './style.ts'

/** For hosts without documentation files: only the contracts are shown. */
const noFiles: DocFiles = { names: () => [], recipes: () => [], read: () => '' }

type Shown = Pick<ShownPage, 'base' | 'at' | 'markdown' | 'body'> & { title: string; reference?: Reference }

export function docsRoutes(app: Hono<PagesEnv>, contract: (c: PagesContext) => Promise<Contract>): void {
  const style = styleOf(docsStyle)
  // Takes long to print, and is the same for every page of a world.
  let printed: { baseUrl: string; document: OpenApi } | undefined
  const controlOf = async (c: PagesContext) => {
    const { baseUrl } = c.env
    if (printed?.baseUrl !== baseUrl) printed = { baseUrl, document: await printControl(c) }
    return printed.document
  }
  const contracts = (c: PagesContext): Contracts => ({ service: () => contract(c), control: () => controlOf(c) })
  const all = (c: PagesContext) => documents(c.env.docs ?? noFiles, contracts(c), c.env.baseUrl)

  const send = async (c: PagesContext, { title, reference, ...shown }: Shown) => {
    const script = await builtScript(c.env.assets, 'docs-script')
    const groups = reference ? groupsOf(reference) : guideGroups(all(c))
    const body = docsShell({ ...shown, groups, hasScript: script !== undefined })
    return sendPage(c, { title: `${title} · mfano`, style, script, body })
  }

  app.get('/llms.txt', (c) =>
    c.body(llmsText(all(c), c.env.baseUrl), 200, { 'content-type': 'text/plain; charset=utf-8' }),
  )

  app.get('/docs', async (c) => {
    const document = await contract(c)
    const body = apiOverview(document, c.env.world, 'docs/')
    const reference = { at: 'api', document } as const
    return send(c, { title: 'API reference', base: 'docs/', at: API_LIST, markdown: 'service.md', reference, body })
  })

  app.get(`/${SKILL_FILE}`, (c) => {
    const { docs = noFiles, baseUrl } = c.env
    return c.body(skillText(docs.read(SKILL_PAGE), baseUrl), 200, { 'content-type': 'text/markdown; charset=utf-8' })
  })

  app.get('/docs/search.json', async (c) => {
    const { findables } = await import('./markdown-page.ts')
    return c.json(await findables(all(c)))
  })

  app.get(`/docs/${CONTROL}`, async (c) => {
    const document = await controlOf(c)
    const reference = { at: 'control', document } as const
    const body = html`<h1>${document.info.title}</h1><p>${document.info.description}</p>
<p class="links"><a href="control-plane">Guide</a> <a href="../_mfano/openapi.json">OpenAPI</a></p>
${operationList(reference, '')}`
    return send(c, { title: 'Control plane', base: '', at: CONTROL, markdown: 'control.md', reference, body })
  })

  app.get('/docs/api/:name', async (c) => {
    const document = await contract(c)
    const own = apiPage(c.req.param('name'), document, c.env.world)
    return inReference(c, { at: 'api', document }, own)
  })

  app.get('/docs/control/:name', async (c) => inReference(c, { at: 'control', document: await controlOf(c) }))

  async function inReference(c: PagesContext, reference: Reference, own?: Html) {
    const { at, document } = reference
    const name = c.req.param('name') ?? ''
    const tables = new SchemaTables(document, '')
    const listed = operationsOf(document).find(({ operation }) => operation.operationId === name)
    const body = own ?? (listed ? operationPage(document, listed, tables) : name === 'records' && tables.records())
    if (!body) return c.text(`There is no operation "${name.slice(0, 80)}"; ${c.env.baseUrl}/docs lists them\n`, 404)
    const markdown = at === 'api' ? 'service.md' : 'control.md'
    const title = listed?.operation.summary ?? name
    return send(c, { title, base: '../', at: `${at}/${name}`, markdown, reference, body })
  }

  app.get('/docs/:page', async (c) => {
    const [, name = '', md] = c.req.param('page').match(/^(.*?)(\.md)?$/) ?? []
    const pages = all(c)
    const found = pages.find((one) => one.name === name)
    if (!found) return c.text(`There is no page "${name.slice(0, 80)}"; there are ${namesOf(pages)}\n`, 404)
    if (md !== undefined) return c.body(await found.markdown(), 200, { 'content-type': 'text/markdown; charset=utf-8' })
    if (name === 'service') return c.redirect('../docs', 302)
    const { htmlOf } = await import('./markdown-page.ts')
    const body = await htmlOf(found, (path) => (c.env.docs ?? noFiles).read(`${FOLDER}${path}`))
    return send(c, { title: found.title, base: '', at: name, markdown: `${name}.md`, body })
  })
}

function groupsOf(reference: Reference): NavGroup[] {
  const { at } = reference
  const top: NavGroup =
    at === 'api'
      ? { title: 'API reference', links: [{ to: API_LIST, text: 'All operations' }] }
      : { title: 'Control plane', links: [{ to: CONTROL, text: 'All operations' }] }
  const behind =
    at === 'api' ? apiPages : { title: 'Everywhere', links: [{ to: 'control/records', text: 'Shared records' }] }
  return [top, ...referenceNav(reference), behind]
}

function namesOf(pages: readonly Document[]): string {
  return pages.map(({ name }) => name).join(', ')
}

async function printControl(c: PagesContext): Promise<OpenApi> {
  const [{ controlOperations }, { controlContract }] = await Promise.all([
    import('../control-operations.ts'),
    import('../control/control-contract.ts'),
  ])
  const { baseUrl, version } = c.env
  return controlContract(controlOperations, { baseUrl, version })
}

/** Routes of the documentation, for people and agents. */
import type { Hono } from 'hono'
import { ARAZZO_FILE } from '../collection/arazzo.ts'
import { POSTMAN_FILE } from '../collection/postman.ts'
import { SKILL_FILE, SKILL_PAGE, skillText } from '../collection/skill.ts'
import type { flowFiles } from '../collection.ts'
import type { DocFiles } from '../front-ports.ts'
import { type Contracts, type Document, documents, llmsText } from './documents.ts'
import type { OpenApi } from './openapi-markdown.ts'
import { builtScript, type PagesContext, type PagesEnv, sendPage, styleOf } from './page.ts'
import { docStyle } from './style.ts'

type CollectionFiles = typeof flowFiles

/** For hosts without documentation files: only the contracts are shown. */
const noFiles: DocFiles = { names: () => [], recipes: () => [], read: () => '' }

export function docsRoutes(app: Hono<PagesEnv>, contract: (c: PagesContext) => Promise<OpenApi>): void {
  const style = styleOf(docStyle)
  const all = (c: PagesContext) =>
    documents(
      c.env.docs ?? noFiles,
      contractsOf(c, () => contract(c)),
      c.env.baseUrl,
    )

  app.get('/llms.txt', (c) =>
    c.body(llmsText(all(c), c.env.baseUrl), 200, { 'content-type': 'text/plain; charset=utf-8' }),
  )

  app.get(`/${SKILL_FILE}`, (c) => {
    const { docs = noFiles, baseUrl } = c.env
    return c.body(skillText(docs.read(SKILL_PAGE), baseUrl), 200, { 'content-type': 'text/markdown; charset=utf-8' })
  })

  app.get('/docs/search.json', async (c) => {
    const { findables } = await import('./markdown-page.ts')
    return c.json(await findables(all(c)))
  })

  const asFile = (name: string, files: () => Promise<CollectionFiles>) =>
    app.get(`/docs/${name}`, async (c) => {
      const { service, version, baseUrl } = c.env
      const text = (await (await files())(service, { baseUrl, version })).get(name) ?? ''
      return c.body(text, 200, {
        'content-type': 'application/json',
        'content-disposition': `attachment; filename="${name}"`,
      })
    })
  asFile(POSTMAN_FILE, async () => (await import('../collection.ts')).collectionFiles)
  asFile(ARAZZO_FILE, async () => (await import('../collection.ts')).flowFiles)

  app.get('/docs/:page', async (c) => {
    const [, name = '', md] = c.req.param('page').match(/^(.*?)(\.md)?$/) ?? []
    const pages = all(c)
    const found = pages.find((one) => one.name === name)
    if (!found) return c.text(`There is no page "${name.slice(0, 80)}"; there are ${namesOf(pages)}\n`, 404)
    if (md !== undefined) return c.body(await found.markdown(), 200, { 'content-type': 'text/markdown; charset=utf-8' })
    if (name === 'service') return c.redirect('../docs', 302)
    const { markdownPage } = await import('./markdown-page.ts')
    const script = await builtScript(c.env.assets, 'docs-script')
    return sendPage(c, {
      title: `${found.title} · mfano`,
      style,
      script,
      body: await markdownPage(found, pages, !!script),
    })
  })
}

function namesOf(pages: readonly Document[]): string {
  return pages.map(({ name }) => name).join(', ')
}

function contractsOf(c: PagesContext, service: () => Promise<OpenApi>): Contracts {
  return {
    service,
    async control() {
      const [{ controlOperations }, { controlContract }] = await Promise.all([
        import('../control-operations.ts'),
        import('../control/control-contract.ts'),
      ])
      const { baseUrl, version } = c.env
      return controlContract(controlOperations, c.env.service, { baseUrl, version })
    },
  }
}

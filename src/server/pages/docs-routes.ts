/** Routes of the documentation, for people and agents. The build makes its files; what is a world's own is filled in. */
import type { Hono } from 'hono'
import { html, raw } from 'hono/html'
import { measurementOf } from '../../http/contract.ts'
import { paymentsService } from '../../service/service.ts'
import type { ControlContext, ControlEnv } from '../control/control-context.ts'
import { filled } from './filled.ts'
import { builtScript, inlined, sendPage } from './page.ts'

export function docsRoutes(app: Hono<ControlEnv>): void {
  for (const name of ['llms.txt', 'SKILL.md'])
    app.get(`/${name}`, async (c) => (await sendText(c, `agents/${name}`)) ?? missingPage(c, name))

  app.get('/docs', async (c) => (await sendHtml(c, 'service')) ?? missingPage(c, 'service'))

  // The service's contract has more to show than its Markdown.
  app.get('/docs/service', (c) => c.redirect('../docs', 302))

  app.get('/docs/recipes/:path{.+}', async (c) => {
    const path = c.req.param('path')
    const found = await c.env.docs?.find(`recipes/${path}`)
    if (!found)
      return c.text(`There is no recipe "${path.slice(0, 80)}"; there are\n${await namesIn(c, 'recipes')}`, 404)
    const type = path.endsWith('.tar') ? found.type : 'text/plain; charset=utf-8'
    return c.body(found.bytes, 200, { 'content-type': type })
  })

  app.get('/docs/:folder{api|control}/:name', async (c) => {
    const { folder, name } = c.req.param()
    const lists = `${c.env.baseUrl}/docs lists them`
    return (
      (await sendHtml(c, `${folder}/${name}`)) ??
      c.text(`There is no operation "${name.slice(0, 80)}"; ${lists}\n`, 404)
    )
  })

  app.get('/docs/:page', async (c) => {
    const name = c.req.param('page')
    const isText = /^(?:.*\.md|search\.json)$/.test(name)
    return (await (isText ? sendText(c, name) : sendHtml(c, name))) ?? missingPage(c, name)
  })

  async function sendHtml(c: ControlContext, name: string): Promise<Response | undefined> {
    const page = await textOf(c, `${name}.html`)
    const [, title, body = ''] = /^<title>(.*)<\/title>\n([\s\S]*)$/.exec(page?.text ?? '') ?? []
    if (title === undefined) return undefined
    const style = inlined((await textOf(c, 'docs.css'))?.text ?? '')
    const script = await builtScript(c.env.assets, 'docs-script')
    return sendPage(c, { title: html`${raw(title)} · mfano`, style, script, body: html`${raw(body)}` })
  }
}

async function sendText(c: ControlContext, name: string): Promise<Response | undefined> {
  const found = await textOf(c, name)
  return found && c.body(found.text, 200, { 'content-type': found.type })
}

async function missingPage(c: ControlContext, name: string): Promise<Response> {
  const pages = (await namesIn(c, 'pages')).trim().replaceAll('\n', ', ')
  return c.text(`There is no page "${name.replace(/\.md$/, '').slice(0, 80)}"; there are ${pages}\n`, 404)
}

async function namesIn(c: ControlContext, list: 'pages' | 'recipes'): Promise<string> {
  return (await textOf(c, `${list}.txt`))?.text ?? ''
}

async function textOf(c: ControlContext, name: string): Promise<{ text: string; type: string } | undefined> {
  const found = await c.env.docs?.find(name)
  return found && { text: filled(new TextDecoder().decode(found.bytes), valuesOf(c)), type: found.type }
}

function valuesOf({ env: { world, baseUrl, origin, version } }: ControlContext): Record<string, string> {
  const { name, assumptions, measured } = world.core.scenario
  const measurements = { measured, wallUs: world.host.wallUs() }
  const isUsual = Object.entries(paymentsService.assumptions).every(
    ([id, { alternatives }]) => assumptions[id] === alternatives[0],
  )
  const days = Object.keys(measured).map((id) => [`measured:${id}`, measurementOf(id, measurements) ?? ''])
  const words = { 'base-url': baseUrl, origin, version, world: world.id, scenario: name }
  return {
    ...assumptions,
    ...Object.fromEntries(days),
    ...Object.fromEntries(Object.entries(words).map(([word, text]) => [word, String(html`${text}`)])),
    ...(isUsual && { usual: 'yes' }),
  }
}

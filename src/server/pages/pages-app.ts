import { Hono } from 'hono'
import { html, raw } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Refusal } from '../../core/model/refusal.ts'
import { asMeasured, measurementOf } from '../../http/contract.ts'
import { readBody } from '../../http/read-body.ts'
import { pathBelowBase } from '../../http/serve.ts'
import { paymentsService } from '../../service/service.ts'
import { type ControlContext, type ControlEnv, refusalOf } from '../control/control-context.ts'
import { isToken, logIn, logOut, mayEnter, requireAdmission } from '../control/guard.ts'
import { inForm, openApiForms } from '../control/openapi-30.ts'
import type { Asset } from '../front-ports.ts'
import { checkoutRoutes } from './checkout-page.ts'
import { filled } from './filled.ts'
import { handsetRoutes } from './handset-page.ts'
import { builtScript, type Inlined, inlined, pageHeaders, sendPage } from './page.ts'
import { loginStyle } from './style.ts'

function docsRoutes(app: Hono<ControlEnv>): void {
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

function dashboardRoutes(app: Hono<ControlEnv>): void {
  const style = inlined(loginStyle)

  app.get('/_mfano', (c) => c.redirect(`${new URL(c.req.url).pathname}/`, 302))

  app.get('/_mfano/', async (c) => {
    if (!(await mayEnter(c))) return c.redirect('login', 303)
    const index = await c.env.assets?.find('index.html')
    if (!index) return sendPage(c, { title: 'mfano', style, body: notBuilt(c.env.baseUrl), status: 503 })
    const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    const text = new TextDecoder().decode(index.bytes).replace('nonce=""', `nonce="${nonce}"`)
    return c.html(text, 200, pageHeaders(policy(nonce)))
  })

  app.get('/_mfano/app/:file', async (c) => {
    const asset = await c.env.assets?.find(`app/${c.req.param('file')}`)
    return asset ? sendAsset(c, asset) : c.text('The dashboard has no such file; load the page again.\n', 404)
  })

  app.get('/_mfano/login', async (c) => ((await mayEnter(c)) ? c.redirect('./', 303) : login(c, style)))

  app.post('/_mfano/login', async (c) => {
    const { adminToken } = c.env
    const given = new URLSearchParams(await readBody(c.req.raw)).get('token') ?? ''
    if (adminToken === undefined) return c.redirect('./', 303)
    if (!(await isToken(c, given.trim(), adminToken))) return login(c, style, WRONG)
    await logIn(c, adminToken)
    return c.redirect('./', 303)
  })

  app.post('/_mfano/logout', (c) => {
    logOut(c)
    return c.redirect('login', 303)
  })
}

/** Its own files and server; styles need the page's nonce. */
function policy(nonce: string): string[] {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
}

/** Cached for ever: a file's name has a hash of its content. */
function sendAsset(c: ControlContext, { type, bytes, gzip }: Asset): Response {
  const headers = {
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  }
  if (!gzip || !/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) return c.body(bytes, 200, headers)
  return c.body(gzip, 200, { ...headers, 'content-encoding': 'gzip' })
}

const WRONG = 'That is not the token that mfano was started with.'

function login(c: ControlContext, style: Inlined, wrong?: string): Promise<Response> {
  return sendPage(c, {
    title: 'Log in · mfano',
    style,
    status: wrong === undefined ? 200 : 401,
    formAction: "'self'",
    typed: 'token',
    body: html`<main><form class="card" method="post">
<h1>mfano</h1>
<p>This control plane is guarded by MFANO_ADMIN_TOKEN.</p>
<label for="token">Admin token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus${wrong ? html` aria-invalid="true" aria-describedby="wrong"` : ''}>
${wrong && html`<p class="wrong" id="wrong" role="alert" data-testid="wrong">${wrong}</p>`}
<button data-testid="login">Log in</button>
</form></main>`,
  })
}

function notBuilt(baseUrl: string) {
  return html`<main><div class="card"><h1>mfano</h1>
<p>The dashboard could not be built; the log says why. In a clone of the project: <code>npm ci</code>, then start mfano again.</p>
<p>The control plane answers without it: <a href="${baseUrl}/_mfano/health">health</a>, <a href="${baseUrl}/docs">contract</a>.</p>
</div></main>`
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6b57"/>' +
  '<path d="M7 23V9h3l6 8 6-8h3v14h-4v-7l-5 6-5-6v7z" fill="#fff"/></svg>'

export function pagesApp(): Hono<ControlEnv> {
  const app = new Hono<ControlEnv>({ getPath: pathBelowBase })
  const missingStyle = inlined(loginStyle)

  app.use((c, next) => {
    if (c.env.missing) return missingWorld(c, missingStyle)
    requireAdmission(c)
    return next()
  })
  app.get('/', (c) => c.redirect(`${new URL(c.req.url).pathname.replace(/\/$/, '')}/docs`, 302))
  app.get('/favicon.ico', (c) =>
    c.body(ICON, 200, { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=86400' }),
  )
  app.get('/openapi.json', async (c) => {
    const asked = c.req.query('as') ?? '3.1'
    const form = openApiForms.find((one) => one === asked)
    if (!form)
      return c.text(`as: expected ${openApiForms.join(' or ')}, got ${JSON.stringify(asked.slice(0, 80))}\n`, 400)
    return c.json(inForm(await contract(c), form))
  })
  docsRoutes(app)
  checkoutRoutes(app)
  dashboardRoutes(app)
  handsetRoutes(app)

  app.notFound((c) =>
    c.text(`Nothing is at ${c.req.method} ${c.req.path}; ${c.env.baseUrl}/docs says what there is\n`, 404),
  )
  app.onError((error, c) => {
    if (!(error instanceof Refusal)) c.env.worlds.failed(c.env.id, error, `${c.req.method} ${c.req.path}`)
    const { message, details, status } = refusalOf(error)
    return c.text(`${message}: ${details}\n`, status as ContentfulStatusCode)
  })
  return app
}

async function contract(c: ControlContext) {
  const { baseUrl, version, world } = c.env
  const examples = await paymentsService.examples(baseUrl)
  const { assumptions, measured } = world.core.scenario
  const wallUs = world.host.wallUs()
  return asMeasured(paymentsService.contract({ baseUrl, version, assumptions, examples }), { measured, wallUs })
}

function missingWorld(c: ControlContext, style: Inlined): Promise<Response> {
  const { id, origin } = c.env
  return sendPage(c, {
    title: 'No such world · mfano',
    style,
    status: 404,
    body: html`<main><div class="card" data-testid="missing-world">
<h1>There is no world “${id.slice(0, 80)}”</h1>
<p>It may have been removed, or its name is mistyped.</p>
<p><a href="${origin}/_mfano/#/worlds">The worlds of this server</a>, where one can be made.</p>
</div></main>`,
  })
}

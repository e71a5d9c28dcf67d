import { Hono } from 'hono'
import { html } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Refusal } from '../../core/model/refusal.ts'
import { asMeasured } from '../../http/contract.ts'
import { pathBelowBase } from '../../http/serve.ts'
import { paymentsService } from '../../service/service.ts'
import { type ControlContext, type ControlEnv, refusalOf } from '../control/control-context.ts'
import { requireAdmission } from '../control/guard.ts'
import { inForm, openApiForms } from '../control/openapi-30.ts'
import { checkoutRoutes } from './checkout-page.ts'
import { docsRoutes } from './docs-routes.ts'
import { handsetRoutes } from './handset-page.ts'
import { type Inlined, inlined, sendPage } from './page.ts'
import { dashboardRoutes } from './serve-dashboard.ts'
import { loginStyle } from './style.ts'

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

import type { Hono } from 'hono'
import { html } from 'hono/html'
import { readBody } from '../../http/read-body.ts'
import type { ControlContext, ControlEnv } from '../control/control-context.ts'
import { isLoggedIn, isToken, logIn, logOut } from '../control/guard.ts'
import type { Asset } from '../front-ports.ts'
import { type Inlined, inlined, sendPage } from './page.ts'
import { loginStyle } from './style.ts'

export function dashboardRoutes(app: Hono<ControlEnv>): void {
  const style = inlined(loginStyle)

  app.get('/_mfano', (c) => c.redirect(`${new URL(c.req.url).pathname}/`, 302))

  app.get('/_mfano/', async (c) => {
    if (!(await mayEnter(c))) return c.redirect('login', 303)
    const index = await c.env.assets?.find('index.html')
    if (!index) return sendPage(c, { title: 'mfano', style, body: notBuilt(c.env.baseUrl), status: 503 })
    const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    return c.html(new TextDecoder().decode(index.bytes).replace('nonce=""', `nonce="${nonce}"`), 200, {
      'content-security-policy': policy(nonce),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
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

export async function mayEnter(c: ControlContext): Promise<boolean> {
  const { adminToken } = c.env
  return adminToken === undefined || isLoggedIn(c, adminToken)
}

/** Its own files and server; styles need the page's nonce. */
function policy(nonce: string): string {
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
  ].join('; ')
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

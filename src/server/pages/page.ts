/** What pages have in common: context, styles, scripts and their policy. */
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Refusal } from '../../core/model/refusal.ts'
import type { World } from '../../core/world.ts'
import type { Worlds } from '../../core/worlds.ts'
import type { ServedService } from '../../service/parts.ts'
import type { Guesses } from '../control/guesses.ts'
import type { Assets, DocFiles } from '../front-ports.ts'

/** What every page is given. */
export interface PagesEnv {
  Bindings: {
    service: ServedService
    id: string
    /** Refuses where the world cannot be opened. */
    world: World
    worlds: Pick<Worlds, 'failed' | 'host'>
    /** The world's base URL as the caller reaches it. */
    baseUrl: string
    /** The path below the base URL, with its query. */
    path: string
    version: string
    adminToken: string | undefined
    guesses: Guesses
    /** Tells apart who asks, as far as the host can. */
    caller(): string
    /** The base URL that mfano was told that it has. */
    publicUrl: string | undefined
    assets?: Assets
    /** Why there is no such world. */
    missing?: Refusal
    /** The server's own base URL. */
    origin: string
    docs?: DocFiles
  }
}

export type PagesContext = Context<PagesEnv>

/** Escaped text, ready for a page. */
export type Html = ReturnType<typeof html>

/** A style sheet that stands in the page itself, allowed by its hash and nothing else. */
export interface Style {
  css: string
  /** For `style-src`. */
  source: Promise<string>
}

export function styleOf(css: string): Style {
  return { css, source: hashOf(css) }
}

/** A script that stands in the page itself, allowed in the same way. */
export interface Script {
  js: string
  /** For `script-src`. */
  source: Promise<string>
}

/** A script that was built from `browser/`; undefined where nothing was built, and pages do without. */
export async function builtScript(assets: Assets | undefined, name: string): Promise<Script | undefined> {
  const built = await assets?.find(`pages/${name}.js`)
  if (!built) return undefined
  const js = new TextDecoder().decode(built.bytes).trim()
  return { js, source: hashOf(js) }
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`
}

export interface Page {
  title: string
  style: Style
  body: Html
  status?: ContentfulStatusCode
  /** Where the page's forms may lead. */
  formAction?: string
  /** The content of a refresh: seconds, and an address if it is another. */
  refresh?: string | undefined
  /** The refresh is for browsers that run no script. */
  refreshWithoutScript?: boolean
  /** Runs when the page is there; it may ask this server, and nobody else. */
  script?: Script | undefined
}

/** Sends a page that loads nothing, runs nothing but the script that it brings, and cannot be framed. */
export async function sendPage(c: PagesContext, page: Page): Promise<Response> {
  const policy = [
    "default-src 'none'",
    `style-src ${await page.style.source}`,
    ...(page.script ? [`script-src ${await page.script.source}`, "connect-src 'self'"] : []),
    `form-action ${page.formAction ?? "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  const text = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${page.refresh !== undefined && refreshPart(page.refresh, page.refreshWithoutScript === true && page.script !== undefined)}
<title>${page.title}</title>
<style>${raw(page.style.css)}</style>
</head>
<body>
${page.body}
${page.script && html`<script>${raw(page.script.js)}</script>`}
</body>
</html>
`
  return c.html(text, page.status ?? 200, {
    'content-security-policy': policy.join('; '),
    // No other site is told of the page. With `no-referrer` its own forms would say `Origin: null`, like a stranger's.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
}

function refreshPart(content: string, withoutScript: boolean): Html {
  const meta = html`<meta http-equiv="refresh" content="${content}">`
  return withoutScript ? html`<noscript>${meta}</noscript>` : meta
}

/**
 * A form came from a page of another site, which must not act in anybody's name. Browsers say `Sec-Fetch-Site` only over
 * HTTPS and to localhost, and `Origin` everywhere.
 */
export function isForeign(c: PagesContext): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const origin = c.req.header('origin')
  if (origin === undefined) return false
  const host = URL.parse(origin)?.host
  return host !== new URL(c.req.url).host && host !== new URL(c.env.baseUrl).host
}

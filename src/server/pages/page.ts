import { html, raw } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { isLoopback } from '../../core/model/callback.ts'
import { type DurationUs, SECOND_US } from '../../core/model/time.ts'
import type { ControlContext } from '../control/control-context.ts'
import type { BuiltFiles } from '../front-ports.ts'

export type Html = ReturnType<typeof html>

export const simulated = html`<p class="simulated" data-testid="simulated">Simulated by mfano: no money moves</p>`

/** Prints an amount without its currency. */
export function figure(amount: number): string {
  return amount.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}

/** Counted down by a script, in world time. */
export function timer(leftUs: DurationUs, rate: number): Html {
  const leftS = Math.max(0, Math.ceil(leftUs / SECOND_US))
  const text = `${Math.floor(leftS / 60)}:${String(leftS % 60).padStart(2, '0')}`
  return html`<span data-testid="countdown" data-left="${leftS}" data-rate="${rate}" role="timer">${text}</span>`
}

/** A style or a script in the page, allowed by its hash, so that the page loads nothing. */
export interface Inlined {
  text: string
  source: Promise<string>
}

export function inlined(text: string): Inlined {
  return { text, source: hashOf(text) }
}

/** Built from `browser/`. Undefined when it was not built: pages work without. */
export async function builtScript(assets: BuiltFiles | undefined, name: string): Promise<Inlined | undefined> {
  const built = await assets?.find(`pages/${name}.js`)
  return built && inlined(new TextDecoder().decode(built.bytes).trim())
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`
}

export interface Page {
  title: string | Html
  style: Inlined
  body: Html
  status?: ContentfulStatusCode
  formAction?: string
  refresh?: string | undefined
  refreshWithoutScript?: boolean
  script?: Inlined | undefined
  /** The secret that people type on it. Over plain HTTP the page warns of readers on the way. */
  typed?: string | false
}

/** The page loads nothing, runs only its own script, and cannot be framed. */
export async function sendPage(c: ControlContext, page: Page): Promise<Response> {
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
<style>${raw(page.style.text)}</style>
</head>
<body>
${page.typed && isReadable(c) && unencrypted(c, page.typed)}
${page.body}
${page.script && html`<script>${raw(page.script.text)}</script>`}
</body>
</html>
`
  return c.html(text, page.status ?? 200, pageHeaders(policy))
}

export function pageHeaders(policy: readonly string[]): Record<string, string> {
  return {
    'content-security-policy': policy.join('; '),
    // Tells no other site about the page. With `no-referrer`, its own forms would send `Origin: null`, as a stranger's
    // do.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
}

/** Whether others on the way could read what is typed: it goes over plain HTTP, and not within one machine. */
function isReadable(c: ControlContext): boolean {
  const { protocol, hostname } = new URL(c.env.baseUrl)
  return protocol === 'http:' && !isLoopback(hostname)
}

function unencrypted({ env: { authority, baseUrl, path } }: ControlContext, typed: string): Html {
  const secure = baseUrl.replace(/^http:/, 'https:')
  const instead =
    authority === undefined ? 'Start mfano with --tls' : html`Use <a href="${secure}${path}">${secure}</a>`
  return html`<p class="unencrypted" role="alert" data-testid="unencrypted">This page came over plain HTTP, so others on the network can read the ${typed} that you type. ${instead}.</p>`
}

function refreshPart(content: string, withoutScript: boolean): Html {
  const meta = html`<meta http-equiv="refresh" content="${content}">`
  return withoutScript ? html`<noscript>${meta}</noscript>` : meta
}

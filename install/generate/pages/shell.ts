/** Shared by all pages of documentation: header, search, theme, navigation, the page before and the one behind. */
import { html, raw } from 'hono/html'

export type Html = ReturnType<typeof html>

export interface NavGroup {
  title: string
  /** Addresses are relative to the folder of the documentation. */
  links: readonly NavLink[]
  /** As that of a link. */
  only?: string | undefined
}

interface NavLink {
  to: string
  text: string
  /** Shown only in worlds with this choice, such as `error-body=flat`. */
  only?: string | undefined
}

export interface ShownPage {
  title: string
  /** From the page to the folder of the documentation: `docs/`, nothing, or `../`. */
  base: string
  /** As a link of the navigation has it. */
  at: string
  groups: readonly NavGroup[]
  /** Its Markdown, relative to that folder. */
  markdown: string
  body: Html | string
}

/** A part of a page for worlds where this is so, and another for others, as `filled` chooses: `error-body=flat`. */
export function where(condition: string | undefined, part: Html | string, otherwise: Html | string = ''): Html {
  if (condition === undefined) return html`${part}`
  return html`${raw(`<!--if ${condition}-->`)}${part}${otherwise !== '' && html`${raw('<!--else-->')}${otherwise}`}${raw('<!--end-->')}`
}

/** The value of a name, filled in when the page is sent. */
export function filledIn(name: string): Html {
  return html`${raw(`<!--= ${name}-->`)}`
}

/** A whole page, as a file. */
export async function pageFile({ title, base, at, groups, markdown, body }: ShownPage): Promise<string> {
  const links = groups.flatMap((group) => group.links)
  const here = links.findIndex(({ to }) => to === at)
  const tops = [
    { to: 'contents', text: 'Guides' },
    { to: '../docs', text: 'API' },
    { to: 'control', text: 'Control plane' },
    { to: '../_mfano/', text: 'Dashboard' },
  ]
  const isHere = ({ to }: NavLink) => to === at
  const nav = groups.map((group) =>
    where(
      group.only,
      html`<details${group.links.some(isHere) && html` open`}><summary>${group.title}</summary>
<ul>${group.links.map((one) => where(one.only, html`<li><a href="${base}${one.to}"${isHere(one) && html` aria-current="page"`}>${one.text}</a></li>`))}</ul></details>`,
    ),
  )
  const beside = (rel: string, sign: string, behind: readonly NavLink[]) => {
    const one = behind.find(({ only }) => only === undefined)
    const text = (to?: NavLink) =>
      to ? html`<a rel="${rel}" href="${base}${to.to}"><span aria-hidden="true">${sign}</span> ${to.text}</a>` : ''
    return where(behind[0]?.only, text(behind[0]), text(one))
  }
  return String(
    await html`<title>${title}</title>
<a class="skip" href="#content">Skip to the text</a>
<header class="top"><div class="inner">
<p class="brand"><a href="${base}readme">mfano</a></p>
<nav aria-label="Parts">${tops.map(({ to, text }) => html`<a href="${base}${to}">${text}</a>`)}</nav>
<form class="search" role="search" hidden data-base="${base}"><label for="search">Search</label>
<input id="search" type="search" autocomplete="off" placeholder="Press / to search"><ul id="found" aria-live="polite"></ul></form>
<button class="theme" type="button" hidden>Theme</button>
</div></header>
<div class="shell">
<input type="checkbox" id="menu"><label for="menu">Pages</label>
<nav class="toc" aria-label="Pages">${nav}</nav>
<main id="content" class="doc" tabindex="-1">${body}
<nav class="beside" aria-label="Page before and behind">${beside('prev', '←', links.slice(0, here).reverse())}${beside('next', '→', links.slice(here + 1))}</nav>
<p class="source"><a href="${base}${markdown}">As Markdown</a></p></main>
</div>`,
  )
}

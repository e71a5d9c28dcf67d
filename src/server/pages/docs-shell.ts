/** Shared by all pages of documentation: header, search, theme, navigation, the page before and the one behind. */
import { html } from 'hono/html'
import type { Html } from './page.ts'

export interface NavGroup {
  title: string
  /** Addresses are relative to the folder of the documentation. */
  links: readonly { to: string; text: string }[]
}

export interface ShownPage {
  /** From the page to the folder of the documentation: `docs/`, nothing, or `../`. */
  base: string
  /** As a link of the navigation has it. */
  at: string
  groups: readonly NavGroup[]
  /** Its Markdown, relative to that folder. */
  markdown: string
  hasScript: boolean
  body: Html
}

export const API_LIST = '../docs'
export const CONTROL = 'control'

export function docsShell({ base, at, groups, markdown, hasScript, body }: ShownPage): Html {
  const links = groups.flatMap((group) => group.links)
  const here = links.findIndex(({ to }) => to === at)
  const link = ({ to, text }: { to: string; text: string }, more: Html | false = false) =>
    html`<a href="${base}${to}"${more}>${text}</a>`
  const tops = [
    { to: 'contents', text: 'Guides' },
    { to: API_LIST, text: 'API' },
    { to: CONTROL, text: 'Control plane' },
    { to: '../_mfano/', text: 'Dashboard' },
  ]
  const nav = groups.map(
    (group) => html`<details${group.links.some(({ to }) => to === at) && html` open`}><summary>${group.title}</summary>
<ul>${group.links.map((one) => html`<li>${link(one, one.to === at && html` aria-current="page"`)}</li>`)}</ul></details>`,
  )
  const beside = [
    { rel: 'prev', sign: '←', to: links[here - 1] },
    { rel: 'next', sign: '→', to: links[here + 1] },
  ]
  return html`<a class="skip" href="#content">Skip to the text</a>
<header class="top"><div class="inner">
<p class="brand"><a href="${base}readme">mfano</a></p>
<nav aria-label="Parts">${tops.map((one) => link(one))}</nav>
${
  hasScript &&
  html`<form class="search" role="search" hidden data-base="${base}"><label for="search">Search</label>
<input id="search" type="search" autocomplete="off" placeholder="Press / to search"><ul id="found" aria-live="polite"></ul></form>
<button class="theme" type="button" hidden>Theme</button>`
}
</div></header>
<div class="shell">
<input type="checkbox" id="menu"><label for="menu">Pages</label>
<nav class="toc" aria-label="Pages">${nav}</nav>
<main id="content" class="doc" tabindex="-1">${body}
<nav class="beside" aria-label="Page before and behind">${beside.map(({ rel, sign, to }) => to && html`<a rel="${rel}" href="${base}${to.to}"><span aria-hidden="true">${sign}</span> ${to.text}</a>`)}</nav>
<p class="source"><a href="${base}${markdown}">As Markdown</a></p></main>
</div>`
}

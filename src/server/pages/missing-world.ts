/** The page for a world that does not exist. */
import { html } from 'hono/html'
import { type PagesContext, type Style, sendPage } from './page.ts'

export function missingWorld(c: PagesContext, style: Style): Promise<Response> {
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

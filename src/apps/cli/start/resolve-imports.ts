/** Speeds up a start from many source files: skips most of Node's work at each import. */
import { registerHooks } from 'node:module'

/**
 * Replaces `node:http2`. The HTTP adapter only uses it to detect HTTP/2 requests, which mfano does not serve. Loading
 * it with TLS takes a thirtieth of a start.
 */
export const NO_HTTP2 = 'data:text/javascript,export class Http2ServerRequest {} export const constants = {}'

/**
 * Resolves a relative import to the named file without asking Node whether it exists, for its real path, and for its
 * format. All files of a folder with the same ending share a format, so only the first is looked up. A missing file
 * fails when it is read. It changes module loading, so call it only in mfano's own process.
 */
export function resolveImports(): void {
  const formats = new Map<string, string>()
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL = '' } = context
      if (specifier === 'node:http2' && parentURL.includes('/@hono/node-server/'))
        return { url: NO_HTTP2, format: 'module', shortCircuit: true }
      // What is required may be named without its ending.
      if (!/^\.\.?\//.test(specifier) || !context.conditions.includes('import')) return next(specifier, context)
      const { href: url } = new URL(specifier, parentURL)
      const alike = url.slice(0, url.lastIndexOf('/') + 1) + url.slice(url.lastIndexOf('.'))
      const format = formats.get(alike)
      if (format !== undefined) return { url, format, shortCircuit: true }
      const found = next(specifier, context)
      if (found.format) formats.set(alike, found.format)
      return found
    },
  })
}

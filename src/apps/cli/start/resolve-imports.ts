/** Spares a start of many files most of what Node looks up at each import, and what none of them needs. */
import { registerHooks } from 'node:module'

/**
 * Stands in for `node:http2`. The HTTP adapter asks of each request whether it came by HTTP/2, which mfano does not speak: to
 * load that, with TLS, is a thirtieth of a start.
 */
export const NO_HTTP2 = 'data:text/javascript,export class Http2ServerRequest {} export const constants = {}'

/**
 * From now on a relative import is the file that it names. Node asks at each whether that is there, what its real path is, and
 * what format the nearest `package.json` gives it. The format is one for all files of a folder that end alike, so only the
 * first of them is looked up; a file that is not there fails when it is read. For a process that nobody else runs in.
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

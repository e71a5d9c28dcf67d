// @ts-check
// Modules that a library imports and mfano does not use, each with a source that stands in. A bundle is built without
// them. A clone starts without them, which saves a tenth of its start and 6 MB.

/** The HTTP adapter only detects HTTP/2 requests by it. Node loads TLS along with it. */
const HTTP2 = 'export class Http2ServerRequest {} export const constants = {}'
/** Messages in fifty languages. English is imported by itself. */
const LOCALES = 'export {}'

/**
 * The address of what stands in for a module, if it is one of these.
 * @param {string} name as the library imports it
 * @param {string | undefined} importer path or address of the module that imports
 */
export function standIn(name, importer = '') {
  const isFrom = (/** @type {string} */ library) => importer.replaceAll('\\', '/').includes(`/node_modules/${library}/`)
  if (name === 'node:http2' && isFrom('@hono/node-server')) return `data:text/javascript,${HTTP2}`
  if (name === '../locales/index.js' && isFrom('zod')) return `data:text/javascript,${LOCALES}`
  return undefined
}

export function leaveOutUnused() {
  process.getBuiltinModule('node:module').registerHooks({
    resolve: (name, context, next) => {
      const url = standIn(name, context.parentURL)
      return url === undefined ? next(name, context) : { url, shortCircuit: true }
    },
  })
}

/** W3C Trace Context, which callbacks continue so that instrumented apps see one trace. */

export interface TraceContext {
  parent: string
  state?: string
}

/** Later versions may append parts, which the recommendation forbids to pass on. */
const PARENT = /^(?!ff)([\da-f]{2})(-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(-.*)?$/
const STATE = /^[\t\x20-\x7e]{1,512}$/

export function readTraceContext(
  parent: string | undefined,
  state: () => string | undefined,
): TraceContext | undefined {
  const [, version, ids, more] = (parent !== undefined && PARENT.exec(parent)) || []
  if (ids === undefined || (version === '00' && more !== undefined)) return undefined
  const given = state()
  return { parent: `00${ids}`, ...(given !== undefined && STATE.test(given) && { state: given }) }
}

export function traceHeaders({ parent, state }: TraceContext): Record<string, string> {
  return { traceparent: parent, ...(state !== undefined && { tracestate: state }) }
}

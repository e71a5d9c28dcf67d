/** What ties a request to what follows from it: W3C Trace Context, as callers of instrumented apps send it. */

export interface TraceContext {
  /** `traceparent`, in the form of version 00. */
  parent: string
  /** `tracestate`, as it came. */
  state?: string
}

/** Version, trace id, parent id and flags; what a later version puts behind them is not ours to pass on. */
const PARENT = /^(?!ff)([\da-f]{2})(-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(-.*)?$/
/** Printable, and no longer than everybody has to pass on. */
const STATE = /^[\t\x20-\x7e]{1,512}$/

/** The context that headers bring; undefined where there is none, or none that keeps to the recommendation. */
export function readTraceContext(
  parent: string | undefined,
  state: () => string | undefined,
): TraceContext | undefined {
  const [, version, ids, more] = (parent !== undefined && PARENT.exec(parent)) || []
  if (ids === undefined || (version === '00' && more !== undefined)) return undefined
  const given = state()
  return { parent: `00${ids}`, ...(given !== undefined && STATE.test(given) && { state: given }) }
}

/** The headers that carry a context on. */
export function traceHeaders({ parent, state }: TraceContext): Record<string, string> {
  return { traceparent: parent, ...(state !== undefined && { tracestate: state }) }
}

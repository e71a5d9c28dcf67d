/** Paths of requests, and the operations at them. */
import type { Operation } from './operation.ts'

/** Hono's `getPath` for apps that get the path below a world's base URL in their bindings: `/w/test-1` is already off. */
export function pathBelowBase(_request: Request, options?: { env?: unknown }): string {
  return pathOf((options?.env as { path: string } | undefined)?.path ?? '/')
}

/** A path without its query. */
export function pathOf(path: string): string {
  const end = path.indexOf('?')
  return end === -1 ? path : path.slice(0, end)
}

/** The operations at a path, whatever their methods. */
export function operationsAt(operations: readonly Operation[], path: string): Operation[] {
  return operations.filter((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
}

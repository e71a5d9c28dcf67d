/** Paths of requests, and the operations at them. */
import type { Operation } from './operation.ts'

/** Hono's `getPath` for apps that get the path below a world's base URL in their bindings: `/w/test-1` is already off. */
export function pathBelowBase(_request: Request, options?: { env?: unknown }): string {
  const env = options?.env as { path: string } | undefined
  return (env?.path ?? '/').split('?', 1)[0] as string
}

/** An operation at a path, whatever its method. */
export function operationAt(operations: readonly Operation[], path: string): Operation | undefined {
  const [asked = ''] = path.split('?', 1)
  return operations.find((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(asked))
}

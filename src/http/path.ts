/** Paths of requests, and the operations at them. */
import type { Operation } from './operation.ts'

/** Hono's `getPath` for apps that get the path below a world's base URL in their bindings: `/w/test-1` is already off. */
export function pathBelowBase(_request: Request, options?: { env?: unknown }): string {
  const env = options?.env as { path: string; takenFor?: { path: string } } | undefined
  return env?.takenFor?.path ?? ((env?.path ?? '/').split('?', 1)[0] as string)
}

/** The operations at a path, whatever their methods. */
export function operationsAt(operations: readonly Operation[], path: string): Operation[] {
  return operations.filter((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
}

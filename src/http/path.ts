/** Hono's `getPath` for apps that get the path below a world's base URL in their bindings: `/w/test-1` is already off. */
export function pathBelowBase(_request: Request, options?: { env?: unknown }): string {
  const env = options?.env as { path: string } | undefined
  return (env?.path ?? '/').split('?', 1)[0] as string
}

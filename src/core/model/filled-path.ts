/** Addresses of a path with names in it, `/payments/:id`. */
import { must } from './must.ts'

export type QueryValue = string | number | boolean | undefined

/** Undefined values are left out. */
export function filledPath(
  template: string,
  path: Readonly<Record<string, string | number>> = {},
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const filled = template.replace(/:(\w+)/g, (whole, name: string) =>
    name in path ? encodeURIComponent(must(path[name])) : whole,
  )
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length > 0 ? `${filled}?${new URLSearchParams(given)}` : filled
}

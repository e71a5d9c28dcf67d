/** Stand in a built page for the addresses of the world and of the server. */
export const BASE_URL = 'http://base-url.invalid'
export const ORIGIN = 'http://origin.invalid'

const WITHIN = '((?:(?!<!--(?:if|end)).)*?)'
const CHOICE = new RegExp(`<!--if ([\\w:-]+)(?:=([\\w-]+))?-->${WITHIN}(?:<!--else-->${WITHIN})?<!--end-->`, 'gs')

/**
 * `<!--= NAME-->` becomes the value of that name. A part between `<!--if NAME=VALUE-->` and `<!--end-->` stays where that
 * is so, and where it is not, the part behind its `<!--else-->`. `<!--if NAME-->` asks whether there is a value.
 */
export function filled(text: string, values: Readonly<Record<string, string | undefined>>): string {
  const chosen = text.replaceAll(CHOICE, (_, name: string, value: string | undefined, kept: string, otherwise = '') =>
    (value === undefined ? values[name] !== undefined : values[name] === value) ? kept : otherwise,
  )
  // One that was in another is chosen first.
  if (chosen !== text) return filled(chosen, values)
  return text
    .replaceAll(/<!--= ([\w:-]+)-->/g, (_, name: string) => values[name] ?? '')
    .replaceAll(BASE_URL, values['base-url'] ?? '')
    .replaceAll(ORIGIN, values['origin'] ?? '')
}

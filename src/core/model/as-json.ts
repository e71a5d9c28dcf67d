/** Text that may be JSON. */

/** Whatever walks a value calls itself at each level. */
const LEVELS_MAX = 1000

/** The text itself where it is no JSON, or is nested too deeply to be walked. */
export function asJson(text: string | null): unknown {
  // Each level needs two characters.
  if (text === null || (text.length > 2 * LEVELS_MAX && levelsOf(text) > LEVELS_MAX)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** How deep JSON is nested. */
export function levelsOf(text: string): number {
  let depth = 0
  let most = 0
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (c === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++
    } else if (c === '{' || c === '[') most = Math.max(most, ++depth)
    else if (c === '}' || c === ']') depth--
  }
  return most
}

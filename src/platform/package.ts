import { readFileSync } from 'node:fs'

/** Our version, from package.json, which stands above both src and dist. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** The licences of the libraries that the built program has inside, as most of them ask to be handed on. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One text. `files`: what was bundled, relative to `root`. */
export function licencesOf(files: readonly string[], root: string): string {
  const folders = new Set(files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []))
  return [...folders]
    .sort()
    .map((folder) => licenceOf(join(root, folder)))
    .join('\n\n')
}

function licenceOf(folder: string): string {
  const { name, version, license }: { name: string; version: string; license?: string } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const file = existsSync(folder) && readdirSync(folder).find((one) => /^(?:licen[cs]e|copying)/i.test(one))
  if (!file && !license) throw new Error(`${folder} names no licence, so it cannot be bundled`)
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`
  return `## ${name} ${version} (${license})\n\n${text}\n`
}

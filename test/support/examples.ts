import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A piece of code that a doc comment shows. */
export interface Example {
  /** Where it stands: `clock.ts:26`. */
  where: string
  file: string
  code: string
}

const root = join(import.meta.dirname, '../..')
const folders = ['src/apps/testing', 'src/client'].map((folder) => join(root, folder))

/** Every `@example` of the kit. One that is not a block of TypeScript is a mistake. */
export function examples(): Example[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => ({ folder, file })),
  )
  return files.flatMap(({ folder, file }) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return [...text.matchAll(/^ *\* @example\n((?: *\*.*\n)+?) *\*\/\n/gm)].flatMap((match) => {
      const words = (match[1] as string).replace(/^ *\* ?/gm, '')
      const line = text.slice(0, match.index).split('\n').length
      const blocks = [...words.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
      if (blocks.length === 0) throw new Error(`${file}:${line}: the example shows no TypeScript`)
      return blocks.map((block) => ({ where: `${file}:${line}`, file, code: block[1] as string }))
    })
  })
}

/** What the documentation shows of a test suite. */
export function readmeExamples(): Example[] {
  const blocks = [...readFileSync(join(root, 'src/docs/testing.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
  return blocks.map((block, i) => ({ where: `testing.md:${i + 1}`, file: 'testing.md', code: block[1] as string }))
}

/** A page of `src/docs`, with its generated parts where it has some; or another file of the project. */
export function readDocument(folder: string, path: string): string {
  const made = join(folder, path.replace(/^src\/docs\//, 'dist/made/'))
  return readFileSync(existsSync(made) ? made : join(folder, path), 'utf8')
}

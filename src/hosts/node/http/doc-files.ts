/** Documentation pages and recipes of the package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DocFiles, RECIPE_FOLDERS } from '../../../server/front-ports.ts'
import { packageRoot } from '../package.ts'

export function docFiles(): DocFiles {
  const root = packageRoot()
  let recipes: readonly string[] | undefined
  return {
    names: () => readdirSync(join(root, 'src/docs')).filter((name) => name.endsWith('.md')),
    recipes: () => {
      recipes ??= recipeFiles(root)
      return recipes
    },
    read: (path) => readDocument(root, path),
  }
}

/** Pages that have generated parts are kept without them, and read with them. */
export function readDocument(root: string, path: string): string {
  try {
    return readFileSync(join(root, path.replace(/^src\/docs\//, 'dist/docs/')), 'utf8')
  } catch {
    // It has none, or a build is replacing them.
    return readFileSync(join(root, path), 'utf8')
  }
}

/** Paths of all files that are shipped as recipes, from the package's root. */
export function recipeFiles(root: string): string[] {
  return RECIPE_FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/__pycache__|\.pyc$/.test(join(entry.parentPath, entry.name)))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .replaceAll('\\', '/'),
      )
      .sort(),
  )
}

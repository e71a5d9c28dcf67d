/** Scenarios and documentation in the bundle. */
import { documents, scenarios } from 'mfano:package'
import { loadedLibraries } from '../../../core/loaded-libraries.ts'
import type { ScenarioTexts } from '../../../core/scenario-library.ts'
import { type DocFiles, RECIPE_FOLDERS } from '../../../server/front-ports.ts'

export const bundledScenarios: ScenarioTexts = {
  known: Object.keys(scenarios).sort(),
  readShipped: (name) => {
    const text = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
    return text === undefined ? undefined : { file: `scenarios/${name}.yaml`, text }
  },
  readFile: () => undefined,
  resolve: (path) => path,
  libraries: loadedLibraries,
}

export const bundledDocs: DocFiles = {
  names: () => Object.keys(documents).flatMap((path) => (/^src\/docs\/.*\.md$/.test(path) ? path.slice(9) : [])),
  recipes: () =>
    Object.keys(documents).filter((path) => RECIPE_FOLDERS.some((folder) => path.startsWith(`${folder}/`))),
  read: (path) => documents[path] ?? '',
}

import { documents, scenarios } from 'mfano:package'
import { loadedLibraries } from '../../../core/loaded-libraries.ts'
import { nameAndValue } from '../../../core/model/text.ts'
import type { ScenarioTexts } from '../../../core/scenario-library.ts'
import type { WorldsOptions } from '../../../core/worlds.ts'
import { assetType, type BuiltFiles } from '../../../server/front-ports.ts'
import type { Bindings } from '../bindings.ts'

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

export const bundledDocs: BuiltFiles = {
  find: async (name) =>
    Object.hasOwn(documents, name)
      ? { type: assetType(name), bytes: new TextEncoder().encode(documents[name]) }
      : undefined,
}

export function deployedAssets(files: { fetch: typeof fetch }): BuiltFiles {
  return {
    // Plain: the platform compresses what it sends, and would compress a compressed copy once more.
    find: async (name) => {
      const answer = await files.fetch(`http://assets/${name}`)
      return answer.ok ? { type: assetType(name), bytes: new Uint8Array(await answer.arrayBuffer()) } : undefined
    },
  }
}

export function usualOf({
  MFANO_SCENARIO,
  MFANO_SET,
  MFANO_RECORD,
}: Bindings): Pick<WorldsOptions, 'scenario' | 'parameters' | 'record'> {
  return {
    scenario: MFANO_SCENARIO || 'default',
    ...(MFANO_SET && { parameters: Object.fromEntries(MFANO_SET.trim().split('\n').map(nameAndValue)) }),
    record: MFANO_RECORD === 'true' || MFANO_RECORD === '1',
  }
}

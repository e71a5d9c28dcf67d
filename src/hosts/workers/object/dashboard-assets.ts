/** Serves the dashboard's files that are deployed with the worker. */
import { type Asset, type Assets, assetType } from '../../../server/front-ports.ts'

export function deployedAssets(files: { fetch: typeof fetch }): Assets {
  const read = async (name: string) => {
    const answer = await files.fetch(`http://assets/${name}`)
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined
  }
  return {
    // Plain: the platform compresses what it sends, and would compress a compressed copy once more.
    find: async (name): Promise<Asset | undefined> => {
      const bytes = await read(name)
      return bytes && { type: assetType(name), bytes }
    },
    nonce: () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)))).replaceAll(/[+/=]/g, ''),
  }
}

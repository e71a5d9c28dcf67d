/** What is wrong with a package as npm would publish it, by the tools of those who write such packages. */
import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'

/** Problems of a tarball, a line each; none when its entries and types are found by every resolution that is meant. */
export async function packageProblems(tarball: string): Promise<{ problems: string[]; entries: string[] }> {
  const bytes = new Uint8Array(readFileSync(tarball))
  const { messages } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
  const analysis = await checkPackage(createPackageFromTarballData(bytes))
  if (analysis.types === false) return { problems: ['the package has no types'], entries: [] }
  // The resolution of before Node 12 knows no exports; and the Node that it needs takes ES modules in by require, too.
  const problems = analysis.problems.filter(
    (one: { kind: string }) =>
      !('resolutionKind' in one && one.resolutionKind === 'node10') && one.kind !== 'CJSResolvesToESM',
  )
  return {
    problems: [...messages, ...problems].map((one) => JSON.stringify(one)),
    entries: Object.keys(analysis.entrypoints),
  }
}

/** What the palette finds. */

/** One thing that can be chosen. */
export interface PaletteEntry {
  /** Its own among all. */
  key: string
  label: string
  /** What it is, or where it leads, in a few words. */
  detail?: string | undefined
  /** A badge at its end, such as a status. */
  state?: string | undefined
  choose(): void
}

/** Findings of a sort, under a heading. */
export interface EntryGroup {
  title: string
  findings: readonly PaletteEntry[]
}

/** Of those whose words begin with every word that was typed, the first few: those that begin with it come first. */
export function matching(findings: readonly PaletteEntry[], typed: string, most = 6): PaletteEntry[] {
  const wanted = wordsOf(typed)
  const start = wanted.join(' ')
  return findings
    .filter(({ label, detail = '' }) => {
      const words = wordsOf(`${label} ${detail}`)
      return wanted.every((one) => words.some((word) => word.startsWith(one)))
    })
    .map((finding) => ({ finding, first: wordsOf(finding.label).join(' ').startsWith(start) ? 0 : 1 }))
    .sort((a, b) => a.first - b.first)
    .slice(0, most)
    .map(({ finding }) => finding)
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

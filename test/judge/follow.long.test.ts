/** An app with timers of its own is judged as its edition is that is told the time. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answer, folder } from '../apps/cli/support.ts'

const merchant = join(import.meta.dirname, '../merchants/mishahara')
const LONG_MS = 400_000

/** A merchant file of one edition, with a mistake planted. */
function edition(name: 'merchant' | 'told', bug: string): string {
  const file = join(folder(), `${name}.yaml`)
  const text = readFileSync(join(merchant, `${name}.yaml`), 'utf8')
  writeFileSync(file, text.replace('node ', `node ${merchant}/`).replace('env:', `env:\n    BUG: "${bug}"`))
  return file
}

interface Found {
  findings: { code: string; reference?: string; scenario?: string }[]
}

const foundIn = (out: string) =>
  (JSON.parse(out) as Found).findings.map(({ code, reference, scenario }) => `${scenario}: ${code} ${reference}`).sort()

it.each([
  { bug: 'only-hears', scenario: 'callback-lost', ends: 1 },
  { bug: '', scenario: 'executed-but-503', ends: 0 },
])(
  'gauntlet under $scenario finds, with the bug "$bug", what it finds in the edition with a tick',
  async ({ bug, scenario, ends }) => {
    const [follows, told] = [edition('merchant', bug), edition('told', bug)]
    const run = (file: string) => answer(['gauntlet', file, '--scenario', scenario, '--json'])
    const [first, second] = [await run(follows), await run(told)]
    expect(foundIn(first.out)).toEqual(foundIn(second.out))
    expect([first.code, second.code]).toEqual([ends, ends])
  },
  LONG_MS,
)

it(
  'explore finds a bug of timing without an address that is told the time',
  async () => {
    const out = folder()
    const file = edition('merchant', 'only-hears')
    const { code, out: document } = await answer([
      'explore',
      file,
      '--within',
      '60s',
      '--seed',
      '1',
      '--out',
      out,
      '--json',
    ])
    expect(code).toBe(1)
    expect((JSON.parse(document) as Found).findings).toContainEqual(expect.objectContaining({ code: 'stale' }))
  },
  LONG_MS,
)

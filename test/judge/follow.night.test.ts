/** An app with timers of its own is judged as its edition is that is told the time. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { answer, folder } from '../apps/cli/support.ts'

const merchant = join(import.meta.dirname, '../merchants/mishahara')
const LONG_MS = 400_000
vi.setConfig({ testTimeout: LONG_MS })

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

it('gauntlet finds what it finds in the edition with a tick', async () => {
  const run = (name: 'merchant' | 'told') =>
    answer(['gauntlet', edition(name, 'only-hears'), '--scenario', 'callback-lost', '--json'])
  const [follows, told] = [await run('merchant'), await run('told')]
  expect(foundIn(follows.out)).toEqual(foundIn(told.out))
  expect([follows.code, told.code]).toEqual([1, 1])
})

it(
  'explore finds a bug of timing, as it does in the edition with a tick',
  async () => {
    const choices = [{ do: 'tell', kind: 'send-money', nth: 1, as: 'lost' }]
    const known = folder({ 'known.schedule.json': JSON.stringify({ code: 'stale', choices }) })
    const codes = async (name: 'merchant' | 'told') => {
      const replayed = ['--within', '1d', '--replay', known, '--only-replay', '--json']
      const { code, out } = await answer(['explore', edition(name, 'only-hears'), ...replayed])
      expect(code, out).toBe(1)
      return (JSON.parse(out) as Found).findings.map(({ code }) => code)
    }
    const followed = await codes('merchant')
    expect(followed).toEqual(['stale'])
    expect(await codes('told')).toEqual(followed)
  },
  2 * LONG_MS,
)

it('replay repeats what a gauntlet found, and says why it was kept', async () => {
  const capsules = folder()
  vi.stubEnv('MFANO_CAPSULES', capsules)
  onTestFinished(() => void vi.unstubAllEnvs())
  const judged = ['gauntlet', edition('merchant', 'only-hears'), '--scenario', 'callback-lost', '--json']
  const found = await answer(judged)
  const [{ text }] = JSON.parse(found.out).findings
  const [name = ''] = readdirSync(capsules)
  const { code, out } = await answer(['replay', join(capsules, name), '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ identical: true, why: text })
})

/** How many schedules `mfano explore` runs in a second: of a small app, of one that can be reset, of one with many payments. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Benchmark, folder, inChild, path, type Row } from './kit.ts'
import type { Searched, Searching } from './searching.ts'

const RESET = 'reset: { post: /reset }\n'
const SECOND_SALE =
  '  order: { post: /sales, body: { order: "E{n}", phone: "25471200050{n}", price: 900 } }\n  suppliers:\n'

const merchants = [
  { what: 'of a small Node app', least: 5, schedules: 48, edit: without(RESET) },
  { what: 'of a small Node app that can be reset', least: 20, schedules: 120, edit: (text: string) => text },
  {
    what: 'of a Node app with eight payments a day',
    least: 3,
    schedules: 32,
    edit: (text: string) => without(RESET)(text).replace('  suppliers:\n', SECOND_SALE),
  },
]

function without(part: string): (text: string) => string {
  return (text) => text.replace(part, '')
}

export const explore: Benchmark = async (plan) => {
  const rows: Row[] = []
  for (const { what, least, schedules, edit } of merchants) {
    const copy = folder()
    cpSync(path('test/judge/explore/planted'), copy, { recursive: true })
    const file = join(copy, 'merchant.yaml')
    const text = readFileSync(file, 'utf8').replace('command: node', `command: ${process.execPath}`)
    writeFileSync(file, edit(text))
    const count = plan.quick ? Math.ceil(schedules / 4) : schedules
    const given: Searching = { file, schedules: count }
    const { perSecond, searcherMs, appMs } = await inChild<Searched>('searching.ts', given, { profiled: true })
    rows.push({
      what: `schedules that \`explore\` runs in a second, ${what}`,
      ours: `${searcherMs.toFixed(0)} ms of processor each, ${appMs.toFixed(0)} ms for the app`,
      figures: [{ value: perSecond, unit: '/s', least }],
      how: `the shop of test/judge/explore/planted without a mistake, ${count} schedules of one seed, as many at a time as a search runs, after the ordinary day`,
    })
  }
  return rows
}

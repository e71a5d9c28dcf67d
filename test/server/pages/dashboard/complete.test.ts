import { describe, expect, it } from 'vitest'
import { pathTo } from '../../../../src/apps/dashboard/scenario/complete.ts'

/** The path to the line that ends in `|`, items as `-`. */
function at(text: string): string {
  const lines = text.split('|')[0]?.split('\n') ?? []
  const line = lines.pop() ?? ''
  return pathTo(lines.map((one) => `${one}\n`).join(''), line)
    .map((step) => (typeof step === 'string' ? step : '-'))
    .join(' ')
}

describe('the place of a line in a scenario', () => {
  it.each([
    ['name: x\n|', ''],
    ['clock:\n  mo|', 'clock'],
    ['rules:\n  - na|', 'rules -'],
    ['rules:\n  - name: big\n    wh|', 'rules -'],
    ['rules:\n  - name: big\n    then:\n      en|', 'rules - then'],
    ['rules:\n  - name: a\n    then: { end: FAILED }\n  - name: b\n    o|', 'rules -'],
    ['directory:\n  subscribers:\n    - pho|', 'directory subscribers -'],
    ['callbacks:\n  retry:\n    att|', 'callbacks retry'],
    ['# said before\nrails:\n  limits:\n    - on: till\n      per|', 'rails limits -'],
  ])('%j is below %j', (text, path) => {
    expect(at(text)).toBe(path)
  })
})

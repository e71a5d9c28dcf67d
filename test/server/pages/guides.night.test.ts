import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { expectAccessible, expectNoOverflow, type Look, OF_A_LOOK } from './axe.ts'
import { useBrowser } from './browser.ts'

const bench = useBench()
const browser = useBrowser()

const looks: readonly Look[] = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 }, only: OF_A_LOOK },
]

it.each(looks)(
  'each page of documentation is readable by everybody in $colorScheme',
  { timeout: 180_000 },
  async ({ only, ...look }) => {
    const world = await bench.world()
    const listed = await (await fetch(`${world.baseUrl}/llms.txt`)).text()
    const names = Array.from(listed.matchAll(/\/docs\/([\w-]+)\.md\)/g), ([, name = '']) => name)
    expect(names.length).toBeGreaterThan(15)
    const page = await (await browser(look)).newPage()
    const blocked: string[] = []
    page.on('console', (message) => blocked.push(message.text()))
    for (const name of names) {
      await page.goto(`${world.baseUrl}/docs/${name}`)
      await page.getByRole('main').waitFor()
      await expectAccessible(page, only)
      await expectNoOverflow(page)
    }
    expect(blocked).toEqual([])
  },
)

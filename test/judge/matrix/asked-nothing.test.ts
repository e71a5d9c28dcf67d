/** A suite that never reaches its world proves nothing, whatever it ends with. */
import { expect, it } from 'vitest'
import { answer } from '../../apps/cli/support.ts'

it('gives no verdict on a suite that asked its world nothing, green or red', async () => {
  for (const end of ['0', '1']) {
    const suite = ['--', process.execPath, '-e', `console.log('it ends with ${end}'); process.exit(${end})`]
    const { code, out } = await answer(['matrix', '--json', ...suite])
    const { defaults, findings, runs } = JSON.parse(out)
    expect({ code, verdict: defaults.verdict, findings, runs }).toEqual({
      code: 2,
      verdict: 'unjudged',
      findings: [],
      runs: [],
    })
    expect(defaults.said).toContain('It asked its world nothing.')
    expect(defaults.said).toContain('--env MY_URL={baseUrl}')
    expect(defaults.said).toContain(`it ends with ${end}`)
  }
})

it('tells a person so', async () => {
  const { code, out } = await answer(['matrix', '--', process.execPath, '-e', ''])
  expect(code).toBe(2)
  expect(out).toMatch(/could not be judged under the defaults, so no alternative was tried/)
  expect(out).toContain('It asked its world nothing.')
})

it('is so of mutants, too, which judge no app', async () => {
  const { code, out } = await answer(['mutants', '--', process.execPath, '-e', ''])
  expect(code).toBe(2)
  expect(out).toMatch(/could not be judged, so no mutant was tried\.\n[\s\S]*It asked its world nothing\./)
  const app = await answer(['mutants', 'merchant.yaml'])
  expect(app).toMatchObject({ code: 2, errors: expect.stringContaining('got merchant.yaml') })
})

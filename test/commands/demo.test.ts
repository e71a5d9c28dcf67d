import type { WriteStream } from 'node:tty'
import { expect, it } from 'vitest'
import { progressOn } from '../../src/commands/progress.ts'
import { answer, command } from './support.ts'

it('tells the whole tour, each callback when it arrives, without pauses where nobody reads along', async () => {
  const { code, out, errors } = await answer(['demo'], 100)
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  const lines = out.split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
  const told = lines.filter((line) => /^\w{3} [\d:]{8} {2}callback /.test(line))
  for (const line of [
    'Fri 09:00:02  callback KES 1,500.00 to the phone 254712345678: SUCCESS',
    'Fri 09:00:04  callback KES 20,000.00 to a bank account: SUCCESS',
    'Fri 09:00:02  callback TZS 45,000.00 to a phone in Tanzania: SUCCESS',
    'Fri 09:00:05  callback KES 12,500.00 into the bank account: arrived',
    'Fri 09:00:10  callback KES 500.00 from a phone in Kenya: SUCCESS',
    'Fri 09:00:08  callback KES 999.00 at the checkout page: SUCCEEDED',
    "Fri 09:00:19  callback KES 9,000.00 to JOHN DOE at somebody else's account: FAILED",
    'Fri 09:00:37  callback KES 450.00 to the till 123456: SUCCESS, told again',
    'Sun 09:00:42  callback KES 5,000.00 to the phone 254712000409, which had been SUCCESS: FAILED',
  ])
    expect(told).toContain(line)
  expect(told).toHaveLength(16)
  expect(out).toMatch(/\nWALLET +BEFORE +AFTER +CHANGE\nKES +1,000,000\.00 +988,599\.00 +-11,401\.00\n/)
  expect(out).toContain('Every debit has its credit.')
  expect(out).toMatch(/What to do now:\n {2}mfano {2}/)
})

it('tells it in JSON for programs, in a process of its own that ends by itself', async () => {
  const { code, out } = await command(['demo', '--json'])
  expect(code).toBe(0)
  const story = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(story.filter(({ event }) => event === 'act')).toHaveLength(7)
  expect(story).toContainEqual(
    expect.objectContaining({ event: 'callback', data: expect.objectContaining({ answered: 503 }) }),
  )
  expect(story.find(({ event }) => event === 'wallets').wallets).toContainEqual(
    expect.objectContaining({ currency: 'KES', change: -11_401 }),
  )
  expect(story.at(-1)).toEqual({ event: 'end' })
})

it('draws progress on a terminal, takes it away again, and leaves no trace elsewhere', () => {
  const written: string[] = []
  const stream = (isTTY: boolean) =>
    ({ isTTY, columns: 60, write: (text: string) => written.push(text) }) as unknown as WriteStream
  const nobody = progressOn(stream(false), 'moving time')
  nobody.at(0.5)
  nobody.end()
  expect(written).toEqual([])

  const progress = progressOn(stream(true), 'moving time')
  progress.at(0.5, '12h on')
  progress.at(0.5, '12h on')
  progress.at(undefined, '13h on')
  progress.end()
  progress.end()
  expect(written).toEqual([
    '\r\u001b[Kmoving time  ████████████░░░░░░░░░░░░   50%  12h on',
    '\r\u001b[Kmoving time  13h on',
    '\r\u001b[K',
  ])
})

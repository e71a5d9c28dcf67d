import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { entry } from '../../support/program-entry.ts'
import { answer, asking, words } from './support.ts'

const bench = useBench()
const { at, said, json } = asking(bench)

describe('clock settle', () => {
  it('tells what happened, and says when nothing is left', async () => {
    const world = await bench.world()
    await said(world, `payment collect stk 254711000409 500 --callback ${bench.receiver.url('/done')}`)
    const told = await said(world, 'clock settle')
    expect(told).toMatch(
      /^26 Jan 2025, 16:28:05 UTC {2}2 steps, 2 callbacks delivered; nothing is due\n\nWhat happened\n/,
    )
    expect(told).toMatch(/\n24 Jan 2025, 16:28:05 UTC +payment +stk PENDING to SUCCESS by plan, KES 500\.00 +\S+\n/)
    expect(told).toMatch(/\n26 Jan 2025, 16:28:05 UTC +callback +callback 2 delivered, attempt 1: answered 200 +\S+\n/)
    expect(bench.receiver.at('/done').map(({ status }) => status)).toEqual(['SUCCESS', 'FAILED'])
  })

  it('says what is left, and fails, when it may go no further', async () => {
    const world = await bench.world()
    await said(world, 'payment collect stk 254711000409 500')
    await said(world, 'payment collect stk 254711000999 50')
    const ran = await answer(['clock', 'settle', '--within', '1h', ...at(world)])
    expect(ran.code).toBe(1)
    expect(ran.out).toMatch(
      /\nStill to come\nAT .*\n26 Jan 2025, 16:28:05 UTC +payment +\S+ +SUCCESS is not its last state/,
    )
    expect(ran.out).toMatch(/\nNever ends by itself\nPAYMENT .*\n\S+ +PENDING +It stays PENDING for ever/)
  })

  it('stops at a breakpoint, or fails', async () => {
    const world = await bench.world()
    await said(world, 'payment collect stk 254711000409 500')
    const stopped = await said(world, `clock settle --until 'payment.status == "SUCCESS"'`)
    expect(stopped).toMatch(/^24 Jan 2025, 16:28:05 UTC .*; the breakpoint holds\n/)
    expect(stopped).toMatch(/\nThe breakpoint held for\nAT .*\n.*PENDING to SUCCESS by plan/)
    const typed = `clock advance 3d --until 'payment.status == "FAILED" && payment.amount > 1000'`
    const ran = await answer([...words(typed), ...at(world)])
    expect(ran.code).toBe(1)
  })
})

describe('wait', () => {
  it('gives what is so, or says what came nearest', async () => {
    const world = await bench.world()
    const { uuid } = await json(world, 'payment collect bank 100')
    expect(await json(world, `wait payment --where 'payment.status == "SUCCESS"'`)).toMatchObject({
      matches: [{ uuid }],
    })
    const typed = `wait payment --where 'payment.amount > 1000' --timeout 10ms`
    const ran = await answer([...words(typed), ...at(world)])
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.errors).toMatch(/Not so within 10ms: nothing found; the nearest: payment\.amount is 100\./)
  })
})

describe('verify', () => {
  it('says how often something was, and what came nearest to it', async () => {
    const world = await bench.world()
    await said(world, 'payment collect bank 100')
    expect(await said(world, `verify payment --where 'payment.amount == 100.0' --exactly 1`)).toMatch(
      /^found +1\n\nMatches\nUUID +# +KIND +STATUS +AMOUNT .*\n\S+ +1 +bank-collection +SUCCESS +KES 100\.00 /,
    )
    const ran = await answer([...words(`verify payment --where 'payment.amount == 200.0'`), ...at(world)])
    expect(ran).toMatchObject({ code: 1, errors: '' })
    expect(ran.out).toMatch(/found 0, expected at least 1; the nearest: payment\.amount is 100/)
    expect(ran.out).toMatch(/\nNearest\nUUID +# +KIND .*\n\S+ +1 +bank-collection /)
    expect(await json(world, 'verify callback --exactly 0')).toMatchObject({ ok: true, found: 0 })
  })
})

describe('events', () => {
  it('tells what happens while it happens, until it is stopped', async () => {
    const world = await bench.world()
    await said(world, 'payment collect bank 100')
    const typed = ['events', '--types', 'payment', '--recent', '1', ...at(world)]
    const child = spawn(process.execPath, [entry, ...typed], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill())
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const next = async () => (await lines.next()).value
    expect(await next()).toMatch(
      /^24 Jan 2025, 16:28:00 UTC {2}payment +bank-collection SUCCESS by operator, KES 100\.00 {2}\S+$/,
    )
    await said(world, 'payment collect stk 254712345678 500')
    expect(await next()).toMatch(/stk PENDING by operator, KES 500\.00 {2}\S+$/)
  })
})

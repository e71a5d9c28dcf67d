import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { answer, asking, folder } from './support.ts'

const bench = useBench({ files: true })
const { at, said, json } = asking(bench)

describe('snapshot', () => {
  it('saves a world, takes it back, and is removed', async () => {
    const world = await bench.world({ id: 'shop' })
    expect(await said(world, 'snapshot list')).toMatch(/^No snapshots yet\. .* mfano snapshot save before-payday/)
    await said(world, `snapshot save before-payday --note 'nobody is paid'`)
    await said(world, 'payment collect bank 100')
    await said(world, 'clock advance 1d')
    expect(await said(world, 'snapshot list')).toMatch(
      /\nshop +before-payday +nobody is paid +24 Jan 2025, 16:28:00 UTC +default +[\d.]+ kB\n$/,
    )
    expect(await said(world, 'snapshot restore before-payday')).toBe(
      'World shop is restored. Its clock shows 24 Jan 2025, 16:28:00 UTC.\n',
    )
    expect(await json(world, 'payment list')).toMatchObject({ total: 0 })
    expect(await answer(['snapshot', 'save', 'before-payday', ...at(world)])).toMatchObject({ code: 1, out: '' })
    await said(world, 'snapshot save before-payday --replace')
    await said(world, 'snapshot delete before-payday')
    expect(await json(world, 'snapshot list')).toEqual({ snapshots: [] })
  })
})

describe('world', () => {
  it('forks a world, or a snapshot of one', async () => {
    const world = await bench.world({ id: 'shop' })
    await said(world, 'payment collect bank 100')
    await said(world, 'snapshot save paid')
    await said(world, 'payment collect bank 200')
    const at = ['--url', bench.simulator.baseUrl]
    expect((await answer(['world', 'fork', 'shop', 'fork-1', ...at])).out).toContain('/w/fork-1\n')
    const forked = await answer(['world', 'fork', 'shop/paid', '--scenario', 'late-reversal', '--json', ...at])
    const { id, scenario } = JSON.parse(forked.out)
    expect(scenario).toBe('late-reversal')
    const total = async (world: string) =>
      JSON.parse((await answer(['payment', 'list', '--json', ...at, '--world', world])).out).total
    expect([await total('fork-1'), await total(id)]).toEqual([2, 1])
    await said(world, 'snapshot delete paid')
  })

  it('goes down to a file and up from one, and overwrites nothing by accident', async () => {
    const world = await bench.world({ id: 'shop' })
    await said(world, 'payment collect bank 100')
    const file = join(folder(), 'shop.mfano')
    const at = ['--url', bench.simulator.baseUrl]
    const run = (...typed: string[]) => answer([...typed, ...at])
    expect((await run('world', 'download', 'shop', file)).out).toMatch(/^Wrote \S+shop\.mfano \([\d.]+ kB\)\.\n$/)
    expect((await run('world', 'download', 'shop', file)).errors).toContain('is there already, and stays as it is')
    expect((await run('world', 'upload', file)).errors).toContain('World shop exists already')
    const uploaded = await run('world', 'upload', file, 'copy')
    expect(uploaded.out).toContain('/w/copy\n')
    expect(uploaded.out).toMatch(/\nIts callbacks are paused\. Send them: mfano callback resume .*--world copy\n$/)
    expect((await run('world', 'upload', file, '--replace')).code).toBe(0)
    expect((await run('callback', 'resume', '--world', 'copy')).out).toBe('Callbacks are sent again. Pending: 0.\n')
    expect((await run('callback', 'resume', '--world', 'copy')).out).toBe('Callbacks were not paused.\n')
    const list = await answer(['payment', 'list', '--json', ...at, '--world', 'copy'])
    expect(JSON.parse(list.out)).toMatchObject({ total: 1 })

    writeFileSync(file, readFileSync(file).subarray(0, 1000))
    expect(await run('world', 'upload', file, 'broken')).toMatchObject({ code: 1, out: '' })
    expect(await run('world', 'upload', join(folder(), 'none.mfano'))).toMatchObject({ code: 2, out: '' })
    expect(await run('world', 'download', 'nowhere', join(folder(), 'x'))).toMatchObject({ code: 1, out: '' })
  })
})

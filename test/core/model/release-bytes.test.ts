import { expect, it } from 'vitest'
import { releasableBytes, releaseBytes, releasing } from '../../../src/core/model/release-bytes.ts'

const MEGABYTE = 1024 ** 2

it('frees many bytes in steps, so that nobody waits for the system', () => {
  const bytes = releasableBytes(10 * MEGABYTE).fill(7)
  const left: number[] = []
  for (const _ of releasing(bytes)) left.push(bytes.length / MEGABYTE)
  expect(left).toEqual([6, 2])
  expect(bytes.length).toBe(0)
})

it('frees bytes of others in one step, and none that may share their memory', () => {
  const plain = new Uint8Array(10 * MEGABYTE)
  expect([...releasing(plain)]).toEqual([])
  expect(plain.length).toBe(0)
  const pooled = Buffer.from('a text')
  releaseBytes(pooled)
  expect(pooled.toString()).toBe('a text')
})

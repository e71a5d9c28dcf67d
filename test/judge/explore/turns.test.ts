/** Work that waits for its turn: how much is under way, and what goes first. */
import { expect, it } from 'vitest'
import { Turns } from '../../../src/judge/explore/turns.ts'

/** What may begin has begun. */
const begins = () => new Promise((resolve) => setImmediate(resolve))

function useTurns(most: number) {
  const turns = new Turns(most)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (name: string, first = false) =>
    turns.take(
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => void ends.set(name, resolve))
      },
      { first },
    )
  const end = async (name: string, work: Promise<void>) => {
    await begins()
    ends.get(name)?.()
    await work
    await begins()
  }
  return { turns, begun, begin, end }
}

it('has no more under way than it may, and begins what is first before what waited longer', async () => {
  const { begun, begin, end } = useTurns(2)
  const [a] = [begin('a'), begin('b'), begin('c'), begin('d', true)]
  await begins()
  expect(begun).toEqual(['a', 'b'])
  await end('a', a as Promise<void>)
  expect(begun).toEqual(['a', 'b', 'd'])
})

it('begins only what is first while it is held, and the others after', async () => {
  const { turns, begun, begin, end } = useTurns(2)
  await turns.hold(async () => {
    void begin('other')
    await end('first', begin('first', true))
    expect(begun).toEqual(['first'])
  })
  await begins()
  expect(begun).toEqual(['first', 'other'])
})

it('goes on where work has failed', async () => {
  const { turns, begun, begin } = useTurns(1)
  const failing = turns.take(() => Promise.reject(new Error('in vain')))
  void begin('next')
  await expect(failing).rejects.toThrow('in vain')
  await begins()
  expect(begun).toEqual(['next'])
})

/** The house: nine rooms with a face each. Imports point down, reach another room by its face, and never go in a circle. */
import { expect, it } from 'vitest'
import { type Room, roomOf, rooms } from './rooms.ts'
import { files, importsOf } from './source.ts'

/** Every import, types too, with the rooms at both ends. */
const imports = files.flatMap((from) =>
  importsOf(from).map((to) => ({ from, to, name: `${from} -> ${to}`, room: roomOf(from), other: roomOf(to) })),
)
const across = imports.filter(({ room, other }) => room !== other)

/** Hosts have a face for each of the two machines that they adapt to. */
const halves = /^hosts\/(?:node|workers)\//

/** Whether a file belongs to the face of its room. */
function inFace(file: string, { path }: Room): boolean {
  return !file.slice((halves.exec(file)?.[0] ?? path).length).includes('/')
}

it('has nine rooms, and a room for every file', () => {
  expect(rooms.map(({ path }) => path)).toHaveLength(9)
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => !roomOf(file))).toEqual([])
})

it('lists rooms so that each knows only rooms below it', () => {
  const order = rooms.map(({ path }) => path.slice(0, -1))
  for (const [i, { knows }] of rooms.entries()) expect(knows.filter((name) => order.indexOf(name) <= i)).toEqual([])
})

it('imports from a room only where the map says that it is known', () => {
  const unknown = across.filter(({ room, other }) => !room?.knows.includes(other?.path.slice(0, -1) as string))
  expect(unknown.map(({ name }) => name)).toEqual([])
})

it('reaches another room by its face; the nouns of core/model are everybody’s', () => {
  const behind = across.filter(({ to, other }) => !to.startsWith('core/model/') && !inFace(to, other as Room))
  expect(behind.map(({ name }) => name)).toEqual([])
})

it.each(rooms)('keeps the face of $path small, and asks for all of it', (room) => {
  const face = files.filter((file) => file.startsWith(room.path) && inFace(file, room) && !file.endsWith('.d.ts'))
  expect(face.length).toBeLessThanOrEqual(room.mostFaceFiles)
  if (room.path === 'apps/') return
  const asked = new Set(across.map(({ to }) => to))
  expect(face.filter((file) => !asked.has(file))).toEqual([])
})

it.each(rooms.filter(({ folders }) => folders.length > 0))('imports downwards within $path', ({ path, folders }) => {
  const placeOf = (file: string) => {
    const inRoom = file.slice(path.length)
    const all = folders.filter((folder) => inRoom.startsWith(folder)).sort((a, b) => b.length - a.length)
    return all[0] === undefined ? undefined : folders.indexOf(all[0])
  }
  const inside = files.filter((file) => file.startsWith(path))
  expect(inside.filter((file) => file.slice(path.length).includes('/') && placeOf(file) === undefined)).toEqual([])
  const upward = imports.filter(({ from, to }) => {
    if (!from.startsWith(path) || !to.startsWith(path)) return false
    const [here, there] = [placeOf(from), placeOf(to)]
    return here !== undefined && there !== undefined && there < here
  })
  expect(upward.map(({ name }) => name)).toEqual([])
})

it('imports nothing in a circle', () => {
  // A file falls away once all that it imports has, or all that import it: what is left is in a circle, or between two.
  const left = new Map(files.map((file) => [file, importsOf(file)]))
  for (let before = 0; before !== left.size; ) {
    before = left.size
    const asked = new Set([...left.values()].flat())
    for (const [file, all] of left) if (!asked.has(file) || !all.some((one) => left.has(one))) left.delete(file)
  }
  expect([...left.keys()]).toEqual([])
})

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { unpackWorld } from '../../src/world/world-file.ts'
import { dataDirectory, startOn } from '../support/restart.ts'
import { look, outcome } from './carried/look.ts'

// A world that mfano wrote when its database had version 9, and the same world as others wrote it that had versions 16 to 19: payments of every kind, some of them still under way, made
// twice, taken back or waiting for a float; callbacks that are retried, held, delayed and repeated; refused and repeated
// requests. Beside it stands what that mfano said of it, then and twenty days later.

const file = (name: string) => gunzipSync(readFileSync(join(import.meta.dirname, 'carried', name)))
const said = JSON.parse(file('world-of-version-9.json.gz').toString())

const versions = [9, 16, 17, 18, 19]

test.each(versions)('a world file of version %d holds what it held, and goes on as it would have', async (version) => {
  const server = await startOn(':memory:')
  const body = file(`world-of-version-${version}.mfano.gz`)
  const put = await fetch(`${server.baseUrl}/_mfano/worlds/old/file?callbacks=as-they-are`, { method: 'PUT', body })
  expect(put.status, await put.text()).toBe(201)
  const world = server.world('old')
  expect(look(world)).toEqual(said.before)
  await world.advance('20d')
  expect(outcome(world)).toEqual(said.after)
})

test.each(versions)('the database of a data directory of version %d holds what it held', async (version) => {
  const directory = dataDirectory()
  const { image } = await unpackWorld(file(`world-of-version-${version}.mfano.gz`))
  writeFileSync(join(directory, 'old.db'), image)
  const world = (await startOn(directory)).world('old')
  expect(look(world)).toEqual(said.before)
})

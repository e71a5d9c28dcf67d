import { expect, it } from 'vitest'
import { files, textOf } from './source.ts'

const matching = (pattern: RegExp, except: RegExp) =>
  files.filter((file) => !except.test(file) && !file.endsWith('.tsx') && pattern.test(textOf(file)))

it('reads the wall clock and sets timers in one module, and rolls no dice', () => {
  expect(files.length).toBeGreaterThan(150)
  const outside = /\b(?:Real)?Date\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(|\bsetTimeout\(|\bsetInterval\(/
  expect(matching(outside, /^$/)).toEqual(['hosts/node/wall.ts'])
})

it('keeps the core free of Node', () => {
  const core = /^(?!(?:server|service|http|inspect|core)\/)/
  expect(
    matching(
      /from 'node:|from 'better-sqlite3'|from 'undici'|\bBuffer\.|\bprocess\.(?:env|argv|cwd|exit|stdout|on|nextTick)\b/,
      core,
    ),
  ).toEqual([])
})

it('has SQL in src/core/store and nowhere else', () => {
  expect(
    matching(
      /\b(?:SELECT|INSERT INTO|DELETE FROM) [\w*(]|\bUPDATE \w+ SET /,
      /^(?:core\/store|core\/compared-rows|core\/schema|hosts)(?:\/|\.ts)/,
    ),
  ).toEqual([])
})

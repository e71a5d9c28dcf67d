/** The rooms of the house, as `src/README.md` and the README of each room list them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const src = join(import.meta.dirname, '../../src')

/** How much TypeScript a folder may hold: a room, or `test/`. */
export interface Size {
  path: string
  mostFiles: number
  mostLines: number
}

/** A room: what it may import from, and of how many files its face may be. */
export interface Room {
  /** `core/`. */
  path: string
  knows: readonly string[]
  mostFaceFiles: number
  /** Its subfolders, from the top to the bottom: each imports only from those below. */
  folders: readonly string[]
}

/** Rows of the first table behind a heading whose first cell is a folder in code marks. */
function folderRows(file: string): string[][] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^\| `[\w./-]+\/` \|/.test(line))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    )
}

const unmarked = (cell: string) => cell.replaceAll('`', '')

const rows = folderRows(join(src, 'README.md'))

export const sizes: readonly Size[] = rows.map((row) => ({
  path: unmarked(row[0] as string),
  mostFiles: Number(row.at(-2)),
  mostLines: Number(row.at(-1)),
}))

export const rooms: readonly Room[] = rows
  .filter(({ length }) => length === 6)
  .map(([path = '', , knows = '', face = '']) => ({
    path: unmarked(path),
    knows: knows === 'nothing' ? [] : unmarked(knows).split(', '),
    mostFaceFiles: Number(face),
    folders: folderRows(join(src, unmarked(path), 'README.md')).map(([folder = '']) => unmarked(folder)),
  }))

/** The room that a file is in. */
export function roomOf(file: string): Room | undefined {
  return rooms.find(({ path }) => file.startsWith(path))
}

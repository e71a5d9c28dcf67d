/** Sources of forks: worlds and snapshots. */
import { didYouMean } from './did-you-mean.ts'
import { hintOf } from './hint.ts'
import { Refusal } from './refusal.ts'

export type ForkSource = { world: string; snapshot?: string }

/** A world's id wins over a snapshot's name; write `world/name` for the snapshot. */
export function findSource(
  from: string,
  worlds: { has(id: string): boolean; ids(): readonly string[] },
  snapshots: { names(): readonly { world: string; name: string }[] },
): ForkSource {
  const slash = from.indexOf('/')
  if (slash !== -1) return { world: from.slice(0, slash), snapshot: from.slice(slash + 1) }
  if (worlds.has(from)) return { world: from }
  const all = snapshots.names()
  const [found, ...others] = all.filter(({ name }) => name === from)
  if (found && others.length === 0) return { world: found.world, snapshot: from }
  if (found) {
    const choice = [found, ...others].map(({ world }) => `"${world}/${from}"`).join(' or ')
    throw new Refusal('AMBIGUOUS_NAME', `from: several worlds have a snapshot "${from}"; write ${choice}`)
  }
  const known = [...worlds.ids(), ...all.flatMap(({ world, name }) => [name, `${world}/${name}`])]
  throw new Refusal(
    'SOURCE_NOT_FOUND',
    `from: there is neither a world nor a snapshot "${from.slice(0, 80)}".${didYouMean(from, known)}`,
    {
      hints: [hintOf('{} and', 'world.list'), hintOf('{} list what there is.', 'snapshot.list')],
    },
  )
}

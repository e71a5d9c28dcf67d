/** Opens a capsule's file for a replay. */
import { readFileSync } from 'node:fs'
import { errorOf } from '../../../core/model/must.ts'
import { ensureSchema } from '../../../core/schema.ts'
import { whyUnreadable } from '../../../hosts/node/file-access.ts'
import { scenarioLibrary } from '../../../hosts/node/scenarios.ts'
import { openSqliteCopy, sqliteImage } from '../../../hosts/node/sqlite.ts'
import { unpackCapsule } from '../../../server/capsule.ts'
import { Replay } from '../../../server/replay.ts'
import { CommandFailed, USAGE } from '../command.ts'

export async function openCapsule(file: string): Promise<Replay> {
  try {
    const capsule = await unpackCapsule(read(file))
    const empty = () => sqliteImage(ensureSchema)
    return Replay.begin(capsule, {
      library: scenarioLibrary(),
      database: (image) => openSqliteCopy(image ?? empty()),
    })
  } catch (error) {
    throw error instanceof CommandFailed ? error : badCapsule(file, error)
  }
}

/** A capsule comes from elsewhere, so whatever fails in it is no failure of the app and none of mfano. */
export function badCapsule(file: string, error: unknown): CommandFailed {
  return new CommandFailed(`${file} is no capsule that can be replayed: ${errorOf(error).message}.`, '', {
    code: 'BAD_CAPSULE',
    exitCode: USAGE,
  })
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read:`, `${whyUnreadable(error)}.`, { code: 'NO_FILE', exitCode: USAGE })
  }
}

/** A progress bar for a long request to a server. */
import { everyRealMs } from '../../hosts/node/wall.ts'
import type { Output } from './output.ts'

const LOOK_EVERY_MS = 150

/**
 * Polls only if a person watches. `look` asks for the progress. Its errors are ignored, because the request itself will
 * report them.
 */
export async function whileWatched<T>(
  output: Output,
  label: string,
  look: () => Promise<{ fraction: number | undefined; note?: string }>,
  question: () => Promise<T>,
): Promise<T> {
  if (!output.watched) return question()
  const progress = output.progress(label)
  let looking = false
  const stop = everyRealMs(LOOK_EVERY_MS, () => {
    if (looking) return
    looking = true
    look()
      .then(({ fraction, note }) => progress.at(fraction, note))
      .catch(() => {})
      .finally(() => {
        looking = false
      })
  })
  try {
    return await question()
  } finally {
    stop()
    progress.end()
  }
}

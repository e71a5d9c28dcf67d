/** A bar while a server works on a question. */
import { everyRealMs } from '../../hosts/node/wall.ts'
import type { Output } from './output.ts'

/** How often to look, in real milliseconds. */
const LOOK_EVERY_MS = 150

/**
 * Draws how far a question is while it is being answered; only a person who watches costs looks. `look` asks the server;
 * what it says is left out where it fails, because the question itself will say what is wrong.
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

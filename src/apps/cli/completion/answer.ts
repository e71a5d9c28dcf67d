/** Answers a shell that completes a command line. */
import type { LoadService } from '../command.ts'
import type { Output } from '../output.ts'
import { candidates } from './candidates.ts'
import { splitLine } from './split.ts'

/**
 * Answers a shell: `__complete words …`, the words behind `mfano` of which the last is under the cursor, or
 * `__complete line LINE BREAKS`, the whole line up to the cursor and the signs at which that shell takes words apart.
 */
export async function answerShell(
  [form, ...rest]: readonly string[],
  { out }: Output,
  service: LoadService,
): Promise<void> {
  if (form === 'words') out(asText(await candidates(rest, service)))
  if (form !== 'line') return
  const [line = '', breaks = ''] = rest
  const typed = splitLine(line).slice(1)
  // The shell replaces only what stands behind the last of its signs.
  const current = typed.at(-1) ?? ''
  const from = Math.max(...[...breaks].map((sign) => current.lastIndexOf(sign))) + 1
  const lines = await candidates(typed, service)
  out(asText(lines.map((one) => (one.startsWith(':') ? one : one.slice(Math.max(0, from))))))
}

function asText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

/** Delta debugging (Zeller): finds a minimal set of choices under which something still fails. */

/**
 * `fails` must hold for all items together. The result fails too, and no longer fails with any one item left out. The
 * empty set is assumed to pass.
 */
export async function narrow<Item>(
  items: readonly Item[],
  fails: (part: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let failing = items
  for (let pieces = 2; failing.length > 1; ) {
    const parts: (readonly Item[])[] = split(failing, pieces)
    const others: (readonly Item[])[] =
      pieces > 2 ? parts.map((part) => failing.filter((one) => !part.includes(one))) : []
    const smaller = await firstOf([...parts, ...others], fails)
    if (smaller) {
      pieces = parts.includes(smaller) ? 2 : Math.max(pieces - 1, 2)
      failing = smaller
    } else if (pieces < failing.length) pieces = Math.min(2 * pieces, failing.length)
    else return failing
  }
  return failing
}

async function firstOf<Item>(
  parts: readonly (readonly Item[])[],
  fails: (part: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[] | undefined> {
  for (const part of parts) if (part.length > 0 && (await fails(part))) return part
  return undefined
}

function split<Item>(items: readonly Item[], pieces: number): Item[][] {
  const bounds = Array.from({ length: pieces + 1 }, (_, at) => Math.round((at * items.length) / pieces))
  return bounds.slice(1).map((end, at) => items.slice(bounds[at], end))
}

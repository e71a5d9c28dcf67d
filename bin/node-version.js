// @ts-check
// Which Node runs mfano. Any Node reads this file, so it keeps to the syntax of 2020.

/** Says why this Node cannot run mfano; undefined where it can. */
export function unfitNode() {
  const { node, bun } = /** @type {{ node: string, bun?: string }} */ (process.versions)
  const [major = 0, minor = 0] = node.split('.').map(Number)
  // Bun calls itself a Node of the newest version.
  if (bun === undefined && (major >= 24 || (major === 22 && minor >= 19))) return undefined
  const found = bun === undefined ? node : `Bun ${bun}`
  return `mfano needs Node.js 22.19, 24 or newer, and this is ${found} (${process.execPath})`
}

/** Pages whose words are not held to the rules yet, each with its problems. A number may only fall, and no page comes. */
export const notHeld: Readonly<Record<string, number>> = {
  'src/docs/assumptions.md': 2,
  'src/docs/calibrate.md': 1,
  'src/docs/corpus.md': 5,
  'src/docs/evidence.md': 4,
  'src/docs/faults.md': 1,
  'src/docs/ledger.md': 1,
  'src/docs/one-clock.md': 3,
  'src/docs/scenarios.md': 1,
  'src/docs/testing.md': 5,
  'src/docs/time.md': 1,
  'src/docs/worlds.md': 1,
}

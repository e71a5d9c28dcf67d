/** Which attempts an operator asked for: they are no automatic retries. */
export const byHand = `
ALTER TABLE attempt ADD COLUMN by_hand INTEGER NOT NULL DEFAULT 0;
`

/** How inboxes answer, what they answered to each message, and what its signature was worth. */
export const personality = `
CREATE TABLE personality (
  inbox TEXT NOT NULL,
  asked TEXT NOT NULL,
  settings TEXT NOT NULL,
  taken INTEGER NOT NULL,
  PRIMARY KEY (inbox, asked)
) WITHOUT ROWID;
ALTER TABLE inbox ADD COLUMN answered TEXT;
ALTER TABLE inbox ADD COLUMN signature TEXT;
`

/** Runs by name, and what was in force from one change of scenario or run to the next. */
export const runs = `
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  doc TEXT NOT NULL
);
CREATE TABLE stretch (
  id INTEGER PRIMARY KEY,
  -- The run that it was part of, if any.
  run_id INTEGER,
  doc TEXT NOT NULL
);
CREATE INDEX stretch_run ON stretch (run_id);
`

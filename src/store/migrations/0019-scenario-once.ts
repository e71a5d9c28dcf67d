/**
 * A world's scenario stands once, as the one in force. Its text, which is most of what a new world holds, stood a second
 * time in how the world began.
 */
export const scenarioOnce = `
INSERT INTO meta (key, value)
  SELECT 'scenario', value -> '$.scenario' FROM meta
  WHERE key = 'origin' AND CASE WHEN json_valid(value) THEN value ->> '$.scenario' END IS NOT NULL
  ON CONFLICT DO NOTHING;
UPDATE meta SET value = json_remove(value, '$.scenario') WHERE key = 'origin' AND json_valid(value)`

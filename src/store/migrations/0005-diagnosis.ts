/** What the doctor said of an attempt, so that old attempts keep theirs when its words change. */
export const diagnosis = `
ALTER TABLE attempt ADD COLUMN diagnosis TEXT;
`

/** What came to a world from outside, where somebody wants to be able to repeat it. */
export const recorded = `
CREATE TABLE recorded (
  n INTEGER PRIMARY KEY,
  entry TEXT NOT NULL
);
`

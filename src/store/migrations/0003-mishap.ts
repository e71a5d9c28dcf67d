/** What goes wrong with telling a merchant, and callbacks that wait for the next one to the same address. */
export const mishap = `
ALTER TABLE callback ADD COLUMN mishap TEXT;
CREATE INDEX callback_held ON callback (url) WHERE state = 'held';
`

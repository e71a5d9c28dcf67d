/** A callback carries the trace context of the request whose payment it tells of. */
export const trace = `
ALTER TABLE callback ADD COLUMN trace TEXT;
`

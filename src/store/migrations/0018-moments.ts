/**
 * A moment of a payment's history is an array, without names: what a step adds to a payment's row then mostly has room
 * on its page, where pages were split before.
 */
export const moments = `
UPDATE payment SET history = (
  SELECT json_group_array(json(CASE WHEN value ->> '$.detail' IS NULL
    THEN json_array(value ->> '$.atUs', value ->> '$.event', value ->> '$.status', value ->> '$.by')
    ELSE json_array(value ->> '$.atUs', value ->> '$.event', value ->> '$.status', value ->> '$.by', value ->> '$.detail')
  END))
  FROM json_each(history));
`

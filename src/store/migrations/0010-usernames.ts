/** Whether two users may have the same name is a choice of the scenario now, and none of the database. */
export const usernames = `
CREATE TABLE api_user_renewed (
  id INTEGER PRIMARY KEY,
  organisation_id INTEGER NOT NULL REFERENCES organisation (id),
  username TEXT NOT NULL,
  user_type TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  roles TEXT NOT NULL,
  password_scrypt TEXT NOT NULL,
  created_at_us INTEGER NOT NULL
);
INSERT INTO api_user_renewed SELECT * FROM api_user;
DROP TABLE api_user;
ALTER TABLE api_user_renewed RENAME TO api_user;
CREATE INDEX api_user_name ON api_user (username);
`

/** What the pages of documentation show works as it stands there. The README is run by readme.test.ts. */
import { it } from 'vitest'
import { runPage, shown } from './pages.ts'

const documentation = shown.filter(({ path }) => path !== 'README.md')

it.for(documentation)('$path shows commands that work, and what they print', { timeout: 180_000 }, runPage)

// The entry, and nothing else; bin/mfano.js comes here once it knows that this Node is new enough.
import { enableCompileCache } from 'node:module'

// For who runs this file itself: compiled code is kept between starts, which halves the time that the second one takes.
enableCompileCache()
import('./cli/run.ts').then(({ main }) => main())

// The entry, and nothing else; bin/mfano.js comes here once it knows that this Node is new enough.
import { enableCompileCache } from 'node:module'
import { rememberFormats } from './hosts/node/remember-formats.ts'

// For who runs this file itself: compiled code is kept between starts, which halves the time that the second one takes.
enableCompileCache()
rememberFormats()
import('./commands/main.ts').then(({ main }) => main())

/** `node --import mfano/clock app.js`: the app's timers and dates are those of a world. */
import { takePart } from './clock/preload.ts'

await takePart(process.env)

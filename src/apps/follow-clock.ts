import { takePart } from './clock/preload.ts'

await takePart(process.env)

/** A peer that keeps what it was given in memory: emulate's payments service, as its package ships it. */
import { createEmulator } from 'emulate'

const emulator = await createEmulator({ service: 'stripe', port: 0 })
console.log(JSON.stringify({ port: Number(new URL(emulator.url).port) }))

// Loaded before the program: on this machine it is earlier than it is, by so many milliseconds.
const { timeOrigin } = performance
const { now } = Date
const backMs = Number(process.env.WALL_BACK_MS)
Object.defineProperty(performance, 'timeOrigin', { value: timeOrigin - backMs })
Date.now = () => now() - backMs

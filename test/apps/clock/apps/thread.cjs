// A thread with a timer of its own.
const { parentPort } = require('node:worker_threads')

setTimeout(() => parentPort.postMessage('rang'), 200_000)

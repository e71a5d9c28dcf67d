/**
 * Preloaded into the Node apps that are judged, each of which lives for seconds. After a few answers to `fetch`, V8 would
 * optimize the WebAssembly of its HTTP parser: 0.1 s of processor and 40 MB, which such an app never earns back.
 */
const channels = require('node:diagnostics_channel')

/** By its first request an app is loaded. V8 takes no code from Node's cache once a flag of it differs. */
const LOADED = 'http.server.request.start'

channels.subscribe(LOADED, function spare() {
  channels.unsubscribe(LOADED, spare)
  require('node:v8').setFlagsFromString('--wasm-tiering-budget=2000000000')
})

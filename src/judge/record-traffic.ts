/** Records traffic with the real service: a reverse proxy that writes each exchange to a HAR file, without secrets. */
export { recordTraffic } from './traffic/recording-proxy.ts'

/** Only undici's agent: all of undici takes twice as long to load, and 12 MB more. */
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici'

  export default Agent
}

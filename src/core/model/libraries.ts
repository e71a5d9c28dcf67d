/** The libraries that texts and conditions are read with. */
import type * as cel from '@marcbachmann/cel-js'
import type * as re2 from 're2js'
import type * as yaml from 'yaml'

/** Each is asked for where it is needed: a start whose texts are known reads none, and so a host may load them late. */
export interface Libraries {
  yaml(): typeof yaml
  cel(): typeof cel
  re2(): typeof re2
}

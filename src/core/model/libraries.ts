/** Libraries that parse scenarios and conditions. */
import type * as cel from '@marcbachmann/cel-js'
import type * as re2 from 're2js'
import type * as yaml from 'yaml'

/** Loaded on first use: a start that finds its scenario compiled needs none, and takes a fifth less processor time. */
export interface Libraries {
  yaml(): typeof yaml
  cel(): typeof cel
  re2(): typeof re2
}

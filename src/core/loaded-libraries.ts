import * as cel from '@marcbachmann/cel-js'
import * as re2 from 're2js'
import * as yaml from 'yaml'
import type { Libraries } from './model/kind.ts'

export const loadedLibraries: Libraries = { yaml: () => yaml, cel: () => cel, re2: () => re2 }

/** The commands `mfano scenario …`. */
import type { Group } from '../command.ts'
import { explainCommand } from './explain.ts'
import { lintCommand } from './lint.ts'
import { listCommand } from './list.ts'
import { newCommand } from './new.ts'
import { previewCommand } from './preview.ts'
import { showCommand } from './show.ts'
import { useCommand } from './use.ts'
import { verifyCommand } from './verify.ts'

/** `mfano scenario …`. */
export const scenarioGroup: Group = {
  commands: [
    lintCommand,
    explainCommand,
    previewCommand,
    showCommand,
    listCommand,
    newCommand,
    useCommand,
    verifyCommand,
  ],
  otherwise: 'list',
}

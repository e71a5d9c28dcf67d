/** The commands `mfano scenario …`. */
import type { Group } from '../command.ts'
import { conditionsCommand } from './scenario-conditions.ts'
import { explainCommand } from './scenario-explain.ts'
import { hitsCommand } from './scenario-hits.ts'
import { lintCommand } from './scenario-lint.ts'
import { listCommand } from './scenario-list.ts'
import { newCommand } from './scenario-new.ts'
import { previewCommand } from './scenario-preview.ts'
import { showCommand } from './scenario-show.ts'
import { useCommand } from './scenario-use.ts'
import { verifyCommand } from './scenario-verify.ts'

/** `mfano scenario …`. */
export const scenarioGroup: Group = {
  commands: [
    lintCommand,
    conditionsCommand,
    explainCommand,
    previewCommand,
    showCommand,
    listCommand,
    newCommand,
    useCommand,
    hitsCommand,
    verifyCommand,
  ],
  otherwise: 'list',
}

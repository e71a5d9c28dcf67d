/** The commands `mfano scenario …`. */
import type { CommandGroup } from '../command.ts'
import { scenarioExplainCommand } from './scenario-explain.ts'
import { hitsCommand } from './scenario-hits.ts'
import { lintCommand } from './scenario-lint.ts'
import { listCommand } from './scenario-list.ts'
import { newCommand } from './scenario-new.ts'
import { previewCommand } from './scenario-preview.ts'
import { showCommand } from './scenario-show.ts'
import { useCommand } from './scenario-use.ts'
import { scenarioVerifyCommand } from './scenario-verify.ts'

export const scenarioGroup: CommandGroup = {
  commands: [
    lintCommand,
    scenarioExplainCommand,
    previewCommand,
    showCommand,
    listCommand,
    newCommand,
    useCommand,
    hitsCommand,
    scenarioVerifyCommand,
  ],
  otherwise: 'list',
}

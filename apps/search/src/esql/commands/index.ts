import type { Command } from '@logstack/esql'
import type { QueryContext } from '../define-command.ts'
import { Problem } from '../problems.ts'
import type { Stage } from '../stage.ts'
import { dissect } from './dissect.ts'
import { drop } from './drop.ts'
import { enrich } from './enrich.ts'
import { evaluate } from './eval.ts'
import { grok } from './grok.ts'
import { keep } from './keep.ts'
import { limit } from './limit.ts'
import { lookupJoin } from './lookup-join.ts'
import { mvExpand } from './mv-expand.ts'
import { rename } from './rename.ts'
import { sample } from './sample.ts'
import { sort } from './sort.ts'
import { stats } from './stats.ts'
import { where } from './where.ts'

/** Applies a processing command to the rows before it. Throws `Problem`. */
export function applyCommand(stage: Stage, command: Command, context: QueryContext): Stage {
  return { ...applied(stage, command, context), past: [...(stage.past ?? []), command.command] }
}

function applied(stage: Stage, command: Command, context: QueryContext): Stage {
  switch (command.command) {
    case 'where':
      return where.apply(stage, command, context)
    case 'eval':
      return evaluate.apply(stage, command, context)
    case 'keep':
      return keep.apply(stage, command, context)
    case 'drop':
      return drop.apply(stage, command, context)
    case 'rename':
      return rename.apply(stage, command, context)
    case 'sort':
      return sort.apply(stage, command, context)
    case 'limit':
      return limit.apply(stage, command, context)
    case 'stats':
      return stats.apply(stage, command, context)
    case 'mv_expand':
      return mvExpand.apply(stage, command, context)
    case 'dissect':
      return dissect.apply(stage, command, context)
    case 'grok':
      return grok.apply(stage, command, context)
    case 'lookup':
      return lookupJoin.apply(stage, command, context)
    case 'sample':
      return sample.apply(stage, command, context)
    case 'enrich':
      return enrich.apply(stage, command, context)
    default:
      throw new Problem(command.from, `${command.command.toUpperCase()} is not supported`)
  }
}

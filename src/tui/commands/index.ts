import type { Command } from './command.ts'
import { compact, preview, redo, undo } from './compaction.ts'
import { context } from './context.ts'
import { help, quit } from './help.ts'
import { model } from './model.ts'
import { permissions, policy } from './policy.ts'
import { pin, recall, redact, summary } from './record.ts'
import { cost, exportCommand, todo } from './reports.ts'
import { example, fork, newSession, rename, resume, sessions } from './sessions.ts'

/** All commands, in the order of help and suggestions. */
export const COMMANDS: readonly Command[] = [
  compact,
  context,
  undo,
  redo,
  preview,
  summary,
  recall,
  pin,
  redact,
  model,
  policy,
  permissions,
  sessions,
  resume,
  newSession,
  fork,
  rename,
  todo,
  cost,
  exportCommand,
  example,
  help,
  quit,
]

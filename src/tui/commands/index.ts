import type { Command } from './command.ts'
import { slashCompact, slashPreview, slashRedo, slashUndo } from './compaction.ts'
import { slashContext } from './context.ts'
import { slashCopy } from './copy.ts'
import { slashHelp, slashQuit } from './help.ts'
import { slashInit } from './init.ts'
import { slashMcp } from './mcp.ts'
import { slashModel } from './model.ts'
import { slashPermissions } from './permissions.ts'
import { slashPolicy } from './policy.ts'
import { slashPin, slashRecall, slashRedact, slashSummary } from './record.ts'
import { slashCost, slashExport, slashTodo } from './reports.ts'
import { slashRewind } from './rewind.ts'
import { slashExample, slashFork, slashNewSession, slashRename, slashResume, slashSessions } from './sessions.ts'
import { slashTheme } from './theme.ts'
import { slashThink } from './think.ts'

/** All commands, in the order of help and suggestions. */
export const COMMANDS: readonly Command[] = [
  slashCompact,
  slashContext,
  slashUndo,
  slashRedo,
  slashRewind,
  slashPreview,
  slashSummary,
  slashRecall,
  slashPin,
  slashRedact,
  slashModel,
  slashThink,
  slashPolicy,
  slashPermissions,
  slashMcp,
  slashSessions,
  slashResume,
  slashNewSession,
  slashFork,
  slashRename,
  slashCopy,
  slashTodo,
  slashCost,
  slashExport,
  slashInit,
  slashTheme,
  slashExample,
  slashHelp,
  slashQuit,
]

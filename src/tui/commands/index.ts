import { nearest } from '../../model/problems/problem-text.ts'
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
import { slashCost, slashExport, slashTodo } from './reports.ts'
import { slashPin, slashRecall, slashRedact, slashRewind, slashSummary } from './rewind.ts'
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

/** A line that begins with a slash: a command, or an unknown name. */
export type SlashCommand =
  | { readonly kind: 'command'; readonly command: Command; readonly rest: string }
  | { readonly kind: 'unknown'; readonly text: string }

/** The command in a line. A line such as `/etc/hosts is wrong` is a message, not a command. */
export function slashCommandIn(text: string): SlashCommand | undefined {
  const found = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(text)
  if (found === null) return undefined
  const [, name = '', rest = ''] = found
  const command = COMMANDS.find((each) => each.name === name)
  if (command !== undefined) return { kind: 'command', command, rest: rest.trim() }
  const meant = nearest(
    name,
    COMMANDS.map((each) => each.name),
  )
  const hint = meant === undefined ? '/help lists them' : `did you mean /${meant}?`
  return { kind: 'unknown', text: `There is no command /${name}: ${hint}` }
}

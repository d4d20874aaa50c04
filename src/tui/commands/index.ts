import type {
  AutocompleteItem,
  AutocompleteProvider,
  AutocompleteSuggestions,
} from '@earendil-works/pi-tui/dist/autocomplete.js'
import { nearest } from '../../model/problems/problem-text.ts'
import type { Command } from './command.ts'
import {
  slashCompact,
  slashContext,
  slashCost,
  slashMemory,
  slashPreview,
  slashRedo,
  slashTodo,
  slashUndo,
} from './context.ts'
import { slashCopy, slashHelp, slashQuit } from './help.ts'
import { slashJobs } from './jobs.ts'
import { slashLeaveOut, slashPutBack } from './leave-out.ts'
import { slashPin, slashRecall, slashRedact, slashRewind, slashSummary } from './rewind.ts'
import { slashExample, slashFork, slashNewSession, slashRename, slashResume, slashSessions } from './sessions.ts'
import { slashMcp, slashModel, slashPermissions, slashPlan, slashPolicy, slashThink } from './settings.ts'

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
  slashMemory,
  slashPin,
  slashLeaveOut,
  slashPutBack,
  slashRedact,
  slashModel,
  slashThink,
  slashPolicy,
  slashPlan,
  slashPermissions,
  slashMcp,
  slashJobs,
  slashSessions,
  slashResume,
  slashNewSession,
  slashFork,
  slashRename,
  slashCopy,
  slashTodo,
  slashCost,
  slashExample,
  slashHelp,
  slashQuit,
]

/** A line that begins with a slash: a command, or an unknown name. */
export type SlashCommand =
  | { readonly kind: 'command'; readonly command: Command; readonly rest: string }
  | { readonly kind: 'unknown'; readonly text: string }

/** The command in a line. A line such as `/etc/hosts is wrong` is a message, not a command. */
export function slashCommandIn(text: string, own: readonly Command[] = []): SlashCommand | undefined {
  const found = /^\/([\w.:/-]+)(?:\s+([\s\S]*))?$/.exec(text)
  if (found === null) return undefined
  const [, name = '', rest = ''] = found
  const commands = [...COMMANDS, ...own]
  const command = commands.find((each) => each.name === name)
  if (command !== undefined) return { kind: 'command', command, rest: rest.trim() }
  if (/[.:/]/.test(name)) return undefined
  const meant = nearest(
    name,
    commands.map((each) => each.name),
  )
  const hint = meant === undefined ? '/help lists them' : `did you mean /${meant}?`
  return { kind: 'unknown', text: `There is no command /${name}: ${hint}` }
}

type SuggestionsDeps = {
  readonly commands: () => readonly Command[]
  readonly files: (query: string) => Promise<readonly string[]>
  /** False while no suggestions may open, as during a compaction. */
  readonly isAllowed: () => boolean
}

/** Completes commands at the beginning of a message, and files of the workspace after an `@`. */
export function suggestions({ commands, files, isAllowed }: SuggestionsDeps): AutocompleteProvider {
  return {
    async getSuggestions(lines, cursorLine, cursorCol, { signal }) {
      if (!isAllowed()) return null
      const before = (lines[cursorLine] ?? '').slice(0, cursorCol)
      const command = cursorLine === 0 ? /^\s*\/([\w.:/-]*)$/.exec(before) : null
      if (command !== null) return commandSuggestions(commands(), command[1] ?? '')
      const prefix = wordBefore(before)
      if (!prefix.startsWith('@')) return null
      const found = await files(prefix.replace(/^@"?/, ''))
      return signal.aborted || !isAllowed() ? null : fileSuggestions(prefix, found)
    },
    applyCompletion(lines, cursorLine, cursorCol, item, prefix) {
      const line = lines[cursorLine] ?? ''
      // The user has typed since the list was made. Inserting the item would put it into the middle of the new text.
      if (wordBefore(line.slice(0, cursorCol)) !== prefix) return { lines, cursorLine, cursorCol }
      const before = line.slice(0, cursorCol - prefix.length)
      const text = `${before}${item.value} `
      return {
        lines: lines.with(cursorLine, text + line.slice(cursorCol).trimStart()),
        cursorLine,
        cursorCol: text.length,
      }
    },
    shouldTriggerFileCompletion: () => true,
  }
}

function commandSuggestions(commands: readonly Command[], typed: string): AutocompleteSuggestions | null {
  const items = commands
    .filter(({ name }) => name.startsWith(typed))
    .map(({ name, about }): AutocompleteItem => ({ value: `/${name}`, label: `/${name}`, description: about }))
  return items.length === 0 ? null : { items, prefix: `/${typed}` }
}

function fileSuggestions(prefix: string, paths: readonly string[]): AutocompleteSuggestions | null {
  const items = paths.map(
    (path): AutocompleteItem => ({
      value: /\s/.test(path) ? `@"${path}"` : `@${path}`,
      label: path,
    }),
  )
  return items.length === 0 ? null : { items, prefix }
}

/** The last word of a text. The name of a file in quotes, `@"two words`, is one word. */
function wordBefore(text: string): string {
  return /(?:(?<=^|\s)@"[^"]*|\S*)$/.exec(text)?.[0] ?? ''
}

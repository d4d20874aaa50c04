import type {
  AutocompleteItem,
  AutocompleteProvider,
  AutocompleteSuggestions,
} from '@earendil-works/pi-tui/dist/autocomplete.js'
import type { Command } from '../commands/command.ts'

export type SuggestionsDeps = {
  readonly commands: readonly Command[]
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
      const command = cursorLine === 0 ? /^\s*\/([\w-]*)$/.exec(before) : null
      if (command !== null) return commandSuggestions(commands, command[1] ?? '')
      const file = /(?:^|\s)@(\S*)$/.exec(before)
      if (file === null) return null
      const found = await files(file[1] ?? '')
      return signal.aborted || !isAllowed() ? null : fileSuggestions(file[1] ?? '', found)
    },
    applyCompletion(lines, cursorLine, cursorCol, item, prefix) {
      const line = lines[cursorLine] ?? ''
      // The user has typed since the list was made. Inserting the item would put it into the middle of the new text.
      if (wordBefore(line, cursorCol) !== prefix) return { lines, cursorLine, cursorCol }
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

function fileSuggestions(typed: string, paths: readonly string[]): AutocompleteSuggestions | null {
  const items = paths.map((path): AutocompleteItem => ({ value: `@${path}`, label: path }))
  return items.length === 0 ? null : { items, prefix: `@${typed}` }
}

function wordBefore(line: string, column: number): string | undefined {
  return /\S*$/.exec(line.slice(0, column))?.[0]
}

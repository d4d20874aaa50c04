import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { Command } from '../tui/commands/command.ts'
import { COMMANDS, slashCommandIn } from '../tui/commands/index.ts'
import { ownCommands } from '../tui/commands/own.ts'
import type { Line, OwnCommandRow, Port } from '../tui/port/port.ts'
import type { State } from '../tui/state/state.ts'

/** Commands that need a terminal, or that open another session, which an editor does itself. */
const ELSEWHERE = new Set(['copy', 'example', 'fork', 'help', 'new', 'quit', 'resume', 'rewind', 'sessions', 'redact'])

const OFFERED: readonly Command[] = COMMANDS.filter(({ name }) => !ELSEWHERE.has(name))

/** The commands that an editor lists: those of Pith, and the user's and the project's own commands and skills. */
export function offeredCommands(own: readonly OwnCommandRow[]): AvailableCommand[] {
  return [...OFFERED, ...ownCommands(own, COMMANDS)].map(({ name, takes, about }) => ({
    name,
    description: about,
    ...(takes !== undefined && { input: { hint: takes } }),
  }))
}

/** The means of a slash command of an editor. `show` gets its output. */
export type SlashDeps = {
  readonly port: Port
  readonly state: () => State
  readonly show: (text: string) => void
  /** Runs a turn. */
  readonly say: (text: string) => Promise<void>
  readonly now: () => number
}

/** Runs the command that a prompt is, or returns false if it is none. A choice that a terminal would ask for is not made. */
export async function runSlash(text: string, { port, state, show, say, now }: SlashDeps): Promise<boolean> {
  if (!text.startsWith('/')) return false
  const found = slashCommandIn(text, ownCommands(await port.ownCommands(), COMMANDS))
  if (found === undefined) return false
  if (found.kind === 'unknown') {
    show(found.text)
    return true
  }
  const { command, rest } = found
  if (ELSEWHERE.has(command.name)) {
    show(`/${command.name} is a command of the terminal (pith)`)
    return true
  }
  const leave = async () => undefined
  await command.run(
    {
      port,
      builtIn: OFFERED,
      state,
      show: (lines) => show(`\`\`\`\n${lines.map(plain).join('\n')}\n\`\`\``),
      note: (words) => show(words),
      pick: async ({ title, rows }) => {
        const choices = rows.map(({ cells }) => cells.map(([cell]) => cell).join('  '))
        show([title, ...choices.slice(0, MOST_CHOICES)].filter((line) => line !== undefined && line !== '').join('\n'))
        show(`Type the choice after /${command.name}.`)
        return undefined
      },
      secret: leave,
      edit: leave,
      say,
      compose: (words) => show(words),
      compacting: () => undefined,
      copy: () => undefined,
      moveTo: leave,
      quit: () => undefined,
      now,
    },
    rest,
  )
  return true
}

const MOST_CHOICES = 20

function plain(line: Line): string {
  return line
    .map(([text]) => text)
    .join('')
    .trimEnd()
}

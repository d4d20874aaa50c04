import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { Command } from '../tui/commands/command.ts'
import { COMMANDS, slashCommandIn } from '../tui/commands/index.ts'
import type { Line, Port } from '../tui/port/port.ts'
import type { State } from '../tui/state/state.ts'

/** Commands that need a terminal, or that open another session, which an editor does itself. */
const ELSEWHERE = new Set([
  'copy',
  'example',
  'fork',
  'help',
  'new',
  'quit',
  'rename',
  'resume',
  'rewind',
  'sessions',
  'redact',
])

const OFFERED: readonly Command[] = COMMANDS.filter(({ name }) => !ELSEWHERE.has(name))

export function availableCommands(): AvailableCommand[] {
  return OFFERED.map(({ name, takes, about }) => ({
    name,
    description: about,
    ...(takes !== undefined && { input: { hint: takes } }),
  }))
}

/** The session that a slash command of an editor works on. `show` gets its output. */
export type SlashDeps = {
  readonly port: Port
  readonly state: () => State
  readonly show: (text: string) => void
  readonly now: () => number
}

/** Runs the command that a prompt is, or returns false if it is none. A choice that a terminal would ask for is not made. */
export async function runSlash(text: string, { port, state, show, now }: SlashDeps): Promise<boolean> {
  const found = slashCommandIn(text)
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
      say: (words) => port.say(words),
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

import type { OwnCommandRow } from '../port/port.ts'
import type { Command } from './command.ts'

/** The user's and the project's own commands and skills, as commands. A built-in command wins over a file with its name. */
export function ownCommands(rows: readonly OwnCommandRow[], builtIn: readonly Command[]): Command[] {
  return rows
    .filter((row) => hiddenBy(row, builtIn) === undefined)
    .map(({ name, takes, about, source }) => ({
      name,
      takes,
      about: `${about} (${source})`,
      run: ({ say }, rest) => say(`/${name} ${rest}`.trim()),
    }))
}

/** The command that is used instead of a file with the same name; undefined if the file is used. */
export function hiddenBy({ name, hiddenBy }: OwnCommandRow, builtIn: readonly Command[]): string | undefined {
  return builtIn.some((command) => command.name === name) ? 'a built-in command' : hiddenBy
}

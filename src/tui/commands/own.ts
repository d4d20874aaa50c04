import { type Line, line, type OwnCommandRow, type Span, table } from '../port/port.ts'
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

/** The own commands for the help, and those that are not used because of their names. */
export function ownCommandLines(rows: readonly OwnCommandRow[], builtIn: readonly Command[]): Line[] {
  if (rows.length === 0) return []
  const used = ownCommands(rows, builtIn).map(({ name, takes, about }): Span[] => [
    [`/${name}${takes === undefined ? '' : ` ${takes}`}`, 'accent'],
    [about],
  ])
  const hidden = rows.flatMap((row) => {
    const by = hiddenBy(row, builtIn)
    return by === undefined ? [] : [line(`/${row.name} of ${row.source} is not used: ${by} has this name`, 'muted')]
  })
  return [line(''), line('Your own commands and skills', 'bold'), ...table(used), ...hidden]
}

function hiddenBy({ name, hiddenBy }: OwnCommandRow, builtIn: readonly Command[]): string | undefined {
  return builtIn.some((command) => command.name === name) ? 'a built-in command' : hiddenBy
}

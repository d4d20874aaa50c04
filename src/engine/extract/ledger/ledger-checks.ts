import type { CommandFact } from '../../../model/facts/log-index.ts'
import type { CheckKind } from './check-kind.ts'
import type { KnownCommand } from './known-commands.ts'

/** The last run of a test, a build, a type check or a linter. `ok` is undefined where nothing says how it ended. */
export type LedgerCheck = Pick<CommandFact, 'command' | 'seq' | 'tests'> & {
  readonly kind: CheckKind
  readonly ok: boolean | undefined
}

/** The commands that check the work, in the order of the log. */
export function ledgerChecks(commands: readonly KnownCommand[]): LedgerCheck[] {
  return commands
    .flatMap(({ fact, check: kind }): LedgerCheck[] => {
      if (kind === undefined) return []
      const { command, seq, tests } = fact
      return [{ command, seq, kind, ok: outcomeIn(fact), ...(tests === undefined ? {} : { tests }) }]
    })
    .toSorted((a, b) => a.seq - b.seq)
}

/** Where the exit status is hidden behind a filter, the numbers say it. */
function outcomeIn({ ok, tests }: CommandFact): boolean | undefined {
  if (tests !== undefined && tests.failed > 0) return false
  return ok ?? (tests !== undefined && tests.passed > 0 ? true : undefined)
}

import type { CommandFact } from '../../../model/facts/log-index.ts'
import { type ShellStep, shellSteps } from '../shell/shell-steps.ts'
import { type CheckKind, checkKind } from './check-kind.ts'
import { otherKind } from './command-kind.ts'

/** A command of an index, taken apart once for all that ask what it is for. */
export type KnownCommand = {
  readonly fact: CommandFact
  /** Of its first characters. */
  readonly steps: readonly ShellStep[]
  /** The check of the work that it is, if it is one. */
  readonly check: CheckKind | undefined
  /** That, or what else a project is worked on with: run, install and the like. */
  readonly kind: string | undefined
}

export function knownCommands(commands: readonly CommandFact[]): KnownCommand[] {
  return commands.map((fact) => {
    const text = fact.command.slice(0, LOOKED_AT)
    const steps = shellSteps(text)
    const check = checkKind(text, steps)
    return { fact, steps, check, kind: check ?? otherKind(fact.command) }
  })
}

const LOOKED_AT = 4_000

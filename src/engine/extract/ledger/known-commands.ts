import type { CommandFact } from '../../../model/types.ts'
import { type ShellStep, shellSteps } from '../shell/shell-steps.ts'
import { type CheckKind, checkKind } from './check-kind.ts'
import { otherKind } from './command-kind.ts'

/** A command of an index, parsed once for everyone who needs its purpose. */
export type KnownCommand = {
  readonly fact: CommandFact
  /** The steps of its first characters. */
  readonly steps: readonly ShellStep[]
  /** The kind of check, if it is one. */
  readonly check: CheckKind | undefined
  /** The kind of check, or another typical kind of command: run, install and the like. */
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

import { PithError } from '../../model/problems/errors.ts'

/** The exit codes of the program. */
export const EXIT = {
  done: 0,
  /** The command could not do its work; one line on standard error says why. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** A run ended, but something was refused: a call by the permissions, or the answer by the provider. */
  refused: 3,
  /** A run was ended by its limits: cost, time, steps, or a context that no longer fits. */
  outOfBudget: 4,
  /** The user interrupted it (Ctrl+C); finished work is kept. */
  interrupted: 130,
} as const

/** An error of the command line itself, such as a flag with a name that nothing has. The program ends with exit code 2. */
export class UsageError extends PithError {}

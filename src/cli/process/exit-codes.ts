/** The exit codes of the program. */
export const EXIT = {
  done: 0,
  /** The command could not do its work; one line on standard error says why. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** The user interrupted it (Ctrl+C); finished work is kept. */
  interrupted: 130,
} as const

/** What the program's exit code says. */
export const EXIT = {
  done: 0,
  /** What was asked for could not be done; one line on standard error says why. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** The user interrupted it (Ctrl+C); what was done is kept. */
  interrupted: 130,
} as const

/** V8 would let the garbage of long sessions grow to hundreds of megabytes before it looks for any. It takes this at its start only. */
export const SMALL_HEAP = '--optimize-for-size'

/** Starts the command again in this process with a small heap, if it is one that holds many sessions and has none yet. */
export async function withSmallHeap(args: readonly string[]): Promise<void> {
  const holdsSessions = args[0] === 'gateway' && args[1] !== 'status'
  // Without `execve` there would be a second process between the command and its signals.
  if (!holdsSessions || process.execArgv.includes(SMALL_HEAP) || process.execve === undefined) return
  if (process.platform === 'win32') return
  // Loaded only here: starting processes takes Node a tenth of the time of a short command to load.
  const { becomeProgram } = await import('./become-program.ts')
  becomeProgram(process.execPath, [SMALL_HEAP, ...process.execArgv, ...process.argv.slice(1)], process.env)
}

import type { MainScreen } from './main-screen.ts'

export type Guard = { readonly suspend: () => void; readonly release: () => void }

const SIGNALS = { SIGHUP: 129, SIGTERM: 143, SIGINT: 130 } as const

/** Restores the terminal and prints the goodbye, whatever ends the process: an error, a signal or an exit. */
export function guardProcess(tui: MainScreen, goodbye: () => void): Guard {
  let isStopped = false
  const restore = () => {
    if (isStopped) return
    isStopped = true
    tui.stop()
    goodbye()
  }
  // This must run before the listener that reports the error: its message must not go into the screen.
  process.prependListener('uncaughtException', restore)
  process.once('exit', restore)
  const stops = Object.entries(SIGNALS).map(([signal, code]) => {
    const stop = () => {
      restore()
      process.exit(code)
    }
    process.on(signal, stop)
    return () => process.off(signal, stop)
  })
  return {
    suspend: () => {
      tui.stop()
      process.once('SIGCONT', () => {
        tui.start()
        tui.requestRender(true)
      })
      process.kill(0, 'SIGTSTP')
    },
    release: () => {
      isStopped = true
      process.off('uncaughtException', restore)
      process.off('exit', restore)
      for (const stop of stops) stop()
    },
  }
}

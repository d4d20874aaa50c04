import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'

/** Draws the first screen, says what it has cost the processor so far, and ends. `node first-screen.ts FOLDER` */
enableCompileCache()
const [folder = ''] = process.argv.slice(2)
const extension = folder.endsWith('dist') ? 'js' : 'ts'
const { runTerminal } = await import(resolve(folder, `tui/run-terminal.${extension}`))
const { NullTerminal } = await import('./null-terminal.ts')
const terminal = new NullTerminal()
terminal.onWrite = (data) => {
  if (!data.includes('──')) return
  const { user, system } = process.cpuUsage()
  process.stdout.write(`${(user + system) / 1_000}\n`)
  process.exit(0)
}
await runTerminal({ terminal, env: process.env, open: () => new Promise(() => {}) })

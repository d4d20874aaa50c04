import { execFile, spawnSync } from 'node:child_process'
import { inject } from 'vitest'
import type { ConfigFolders } from './config-folders.ts'

const MAIN = inject('program')

/** How a command ended. */
export type Ended = { readonly stdout: string; readonly stderr: string; readonly code: number | null }

/** Runs the real command line in the user's workspace, with nothing of this machine's settings. */
export function pith(folders: ConfigFolders, args: readonly string[], env: NodeJS.ProcessEnv = {}): Ended {
  const { stdout, stderr, status } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: folders.workspace,
    env: { PATH: process.env.PATH, HOME: folders.home, ...folders.env, ...env },
    encoding: 'utf8',
  })
  return { stdout, stderr, code: status }
}

/** The same through a shell, where `pith` is a command. */
export function shell(folders: ConfigFolders, line: string, env: NodeJS.ProcessEnv = {}): Ended {
  const script = `pith() { "${process.execPath}" "${MAIN}" "$@"; }\n${line}`
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script], {
    cwd: folders.workspace,
    env: { PATH: process.env.PATH, HOME: folders.home, ...folders.env, ...env },
    encoding: 'utf8',
  })
  return { stdout, stderr, code: status }
}

/** The same without waiting: for commands that talk to a server of the test's own. */
export function pithBeside(
  folders: ConfigFolders,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [MAIN, ...args],
      { cwd: folders.workspace, env: { PATH: process.env.PATH, HOME: folders.home, ...folders.env, ...env } },
      (_, stdout, stderr) => done({ stdout, stderr, code: child.exitCode }),
    )
  })
}

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Config, type ConfigInput, loadConfig } from '../../src/config/index.ts'

/** A user and a workspace of theirs in a folder of its own, gone after the test. */
export type ConfigFolders = {
  readonly home: string
  readonly workspace: string
  readonly userFile: string
  readonly projectFile: string
  readonly env: NodeJS.ProcessEnv
  readonly user: (text: string) => void
  readonly project: (text: string) => void
  readonly load: (input?: ConfigInput) => Config
}

export function configFolders(): ConfigFolders {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pith-config-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const home = join(root, 'home')
  const workspace = join(home, 'work')
  const userFile = join(root, 'pith', 'config.yaml')
  const projectFile = join(workspace, '.pith', 'config.yaml')
  const env = { PITH_HOME: dirname(userFile) }
  mkdirSync(join(workspace, '.git'), { recursive: true })
  return {
    home,
    workspace,
    userFile,
    projectFile,
    env,
    user: (text) => put(userFile, text),
    project: (text) => put(projectFile, text),
    load: (input) => loadConfig({ cwd: workspace, home, ...input, env: { ...env, ...input?.env } }),
  }
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

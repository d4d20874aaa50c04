import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { counted } from '../../engine/report/numbers.ts'
import { isHarmlessGit } from '../tools/bash/harmless-git.ts'

/** The date and the state of git when a session begins, as a sentence for the model. */
export async function startFacts(
  workspace: string,
  now: number,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const began = `The session began on ${new Date(now).toISOString().slice(0, 10)}`
  const git = await gitState(workspace, env)
  return git === undefined ? `${began}.` : `${began}; then ${git}.`
}

async function gitState(workspace: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const folder = gitFolder(workspace)
  const head = folder === undefined ? undefined : textOf(join(folder, 'HEAD'))
  if (folder === undefined || head === undefined) return undefined
  const [, branch] = /^ref: refs\/heads\/([^\s`"<>]{1,200})\s*$/.exec(head) ?? []
  const where = branch === undefined ? 'git was on no branch' : `the git branch was ${branch}`
  const changed = await changedFiles(workspace, folder, env)
  if (changed === undefined) return where
  return `${where}, with ${changed === 0 ? 'no uncommitted changes' : counted(changed, 'uncommitted file')}`
}

/** The folder of git. A worktree has a file that names it. */
function gitFolder(workspace: string): string | undefined {
  const path = join(workspace, '.git')
  const [, target] = /^gitdir: ([^\n]+)\n?$/.exec(textOf(path) ?? '') ?? []
  return target === undefined ? path : resolve(workspace, target)
}

const LONGEST_MS = 1_000

/**
 * The number of files that `git status` lists. Git is asked only if the repository's configuration names no program: it could run
 * one for that, and the user has not allowed any command yet.
 */
async function changedFiles(workspace: string, folder: string, env: Readonly<Record<string, string>>) {
  const common = resolve(folder, textOf(join(folder, 'commondir'))?.trim() ?? '.')
  if (!isHarmlessGit(join(common, 'config'), { workspace, elsewhere: [] })) return undefined
  const args = ['--no-optional-locks', '-c', 'core.fsmonitor=false', 'status', '--porcelain', '--ignore-submodules=all']
  const limits = { cwd: workspace, env, timeout: LONGEST_MS, maxBuffer: 4_000_000 }
  const found = await promisify(execFile)('git', args, limits).catch(() => undefined)
  return found?.stdout.split('\n').filter((line) => line !== '').length
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

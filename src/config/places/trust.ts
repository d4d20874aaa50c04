import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { PithError } from '../../model/problems/errors.ts'
import { readConfigText } from '../read/read-config-file.ts'
import { readUnasked } from '../read/read-unasked.ts'
import type { Value } from '../values-of.ts'
import { writePrivate } from '../write/write-private.ts'
import { dataFolder } from './folders.ts'

/** Keys that a project's file may set only after the user trusts it: they could run commands, or send keys, secrets and sessions elsewhere. */
const NEEDS_TRUST: readonly string[] = [
  'hooks',
  'providers',
  'permissions',
  'sandbox',
  'sandbox_open',
  'store',
  'server',
  'gateway',
  'mcp',
  'policy.prompt',
  'policy.redact_secrets',
]

/** The trusted workspaces, each with the hash of the project file that the user trusted. */
const trustedSchema = z.record(z.string(), z.string())

/** True when a project's file may set this value only in a trusted workspace. */
export function needsTrust({ path }: Pick<Value, 'path'>): boolean {
  return NEEDS_TRUST.includes(path[0] ?? '') || NEEDS_TRUST.includes(path.slice(0, 2).join('.'))
}

/** True when the user trusted this workspace with exactly this text of its project file. */
export function isTrusted(workspace: string, text: string, env: NodeJS.ProcessEnv): boolean {
  return new Map(Object.entries(readTrusted(env))).get(workspace) === hashOf(text)
}

/** False for a folder with a configuration of its own that the user has not trusted. */
export function isTrustedFolder(workspace: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const found = readUnasked(projectFile(workspace), { inside: workspace })
  return found.kind === 'missing' || (found.kind === 'text' && isTrusted(workspace, found.text, env))
}

/** Remembers that the user trusts the current text of the project file. A changed file must be trusted again. */
export function trustWorkspace(workspace: string, env: NodeJS.ProcessEnv = process.env): void {
  const file = projectFile(workspace)
  const found = readUnasked(file, { inside: workspace })
  if (found.kind === 'missing') throw new PithError('bad-config', `${file} does not exist: there is nothing to trust`)
  if (found.kind === 'refused') throw new PithError('bad-config', `${file} is not read: ${found.why}`)
  writeTrusted({ ...readTrusted(env), [workspace]: hashOf(found.text) }, env)
}

/** Withdraws the trust; false when there was none. */
export function untrustWorkspace(workspace: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const { [workspace]: trusted, ...others } = readTrusted(env)
  if (trusted === undefined) return false
  writeTrusted(others, env)
  return true
}

/** The user's answer to a file of the project other than its configuration. */
export type TrustAnswer = 'trusted' | 'refused'

/** The answer for exactly this text of the file; undefined if the user was not asked yet. */
export function trustAnswer(file: string, text: string, env: NodeJS.ProcessEnv): TrustAnswer | undefined {
  const answer = new Map(Object.entries(readTrusted(env))).get(file)
  if (answer === storedAnswer('trusted', text)) return 'trusted'
  return answer === storedAnswer('refused', text) ? 'refused' : undefined
}

export function rememberAnswer(file: string, text: string, answer: TrustAnswer, env: NodeJS.ProcessEnv): void {
  writeTrusted({ ...readTrusted(env), [file]: storedAnswer(answer, text) }, env)
}

/** The stored form of an answer. Pith 0.2 stored a yes as the hash alone, after a question without environment and headers. That yes must not count. */
function storedAnswer(answer: TrustAnswer, text: string): string {
  return `${answer} ${hashOf(text)}`
}

function readTrusted(env: NodeJS.ProcessEnv): Record<string, string> {
  const text = readConfigText(trustedFile(env))
  if (text === undefined) return {}
  try {
    return trustedSchema.parse(JSON.parse(text))
  } catch {
    throw new PithError('bad-config', `${trustedFile(env)} is damaged: delete it, then trust your workspaces again`)
  }
}

function writeTrusted(trusted: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv): void {
  writePrivate(trustedFile(env), `${JSON.stringify(trusted, null, 2)}\n`)
}

function trustedFile(env: NodeJS.ProcessEnv): string {
  return join(dataFolder(env), 'trusted.json')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The workspace of a session: the nearest folder upwards with `.pith` or `.git`, below the user's home, or else `from` itself. */
export function findWorkspace(from: string, home: string = homedir()): string {
  const start = realPath(from)
  const top = realPath(home)
  for (let folder = start; ; folder = dirname(folder)) {
    // A ~/.pith or a ~/.git with dotfiles does not make the home folder a workspace.
    if (folder === top || folder === dirname(folder)) return start
    if (existsSync(join(folder, '.pith')) || existsSync(join(folder, '.git'))) return folder
  }
}

/** The configuration file of a workspace. */
export function projectFile(workspace: string): string {
  return join(workspace, '.pith', 'config.yaml')
}

/** The path without symbolic links, so that one folder has one name. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

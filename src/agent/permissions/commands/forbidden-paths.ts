import { relative } from 'node:path'
import { isInside } from '../../../config/read/read-unasked.ts'
import { coversPath, pathPattern } from '../../sandbox/path-pattern.ts'
import type { PathUse } from './plain-command.ts'

/** Looks for files. */
export type FileProbe = {
  readonly exists: (path: string) => boolean
  /** All paths below a folder; undefined if there are too many, or a link leads elsewhere. */
  readonly below: (folder: string) => readonly string[] | undefined
  /** The path with all links resolved; undefined if it does not exist. */
  readonly real?: (path: string) => string | undefined
}

/** `yes`: the text shows it. `maybe`: it does not show the opposite. */
export type PathFinding = { readonly answer: 'yes' | 'maybe'; readonly source: string }

type PathRule = { readonly kind: 'read' | 'edit'; readonly pattern: string }
type Place = { readonly workspace: string; readonly probe?: FileProbe }

/** Whether a command uses a path that a rule forbids. What may not be read may not be changed either; names may be listed. */
export function usesForbidden(rule: PathRule, uses: readonly PathUse[], place: Place): 'yes' | 'maybe' | undefined {
  let found: 'maybe' | undefined
  for (const use of uses) {
    if (use.access === 'names' || (rule.kind === 'edit' && use.access !== 'edit')) continue
    const answer = usesPath(rule.pattern, use, place)
    if (answer === 'yes') return 'yes'
    // Git may replace a file without showing what was in it.
    if (rule.kind !== 'read' || use.access !== 'edit' || use.isOfGit !== true) found ??= answer
  }
  return found
}

function usesPath(pattern: string, use: PathUse, place: Place): 'yes' | 'maybe' | undefined {
  const { workspace, probe } = place
  if (use.isGlob) return globMeets(pattern, use, place) ? 'maybe' : undefined
  if (isForbidden(pattern, use.path, workspace)) return 'yes'
  const real = probe?.real?.(use.written)
  if (real !== undefined && isForbidden(pattern, real, workspace)) return 'yes'
  // The workspace may have other names, through links or mounts that we cannot look for here.
  if (probe?.real === undefined && !use.isPart && !isInside(workspace, use.path)) return 'maybe'
  return use.goesDown && isBelow(pattern, use, place) ? 'maybe' : undefined
}

/** Some disks ignore the case of names. */
function isForbidden(pattern: string, path: string, workspace: string): boolean {
  const shown = isInside(workspace, path) ? relative(workspace, path) : path
  return coversPath(pathPattern(pattern.toLowerCase()), shown.toLowerCase(), workspace.toLowerCase())
}

/** Whether a forbidden path may be below a folder. Git also prints files that are only in its history. */
function isBelow(pattern: string, { path, isOfGit }: PathUse, { workspace, probe }: Place): boolean {
  if (!mayBeBelow(pattern, path, workspace)) return false
  if (probe === undefined || isOfGit === true) return true
  if (!pattern.includes('*')) return probe.exists(absolute(pattern, workspace))
  return probe.below(path)?.some((each) => isForbidden(pattern, each, workspace)) ?? true
}

/** By the pattern alone: the part before its first `*` and the folder are on one way. */
function mayBeBelow(pattern: string, folder: string, workspace: string): boolean {
  const [fixed = ''] = absolute(pattern, workspace).split(/[^/]*\*/, 1)
  const start = fixed.replace(/\/+$/, '')
  return (
    pattern.startsWith('**') || isInside(folder, start) || (pattern.includes('*') && isInside(start || '/', folder))
  )
}

function absolute(pattern: string, workspace: string): string {
  return pattern.startsWith('/') ? pattern : `${workspace}/${pattern.replace(/^\.\//, '')}`
}

function globMeets(pattern: string, use: PathUse, place: Place): boolean {
  const { workspace, probe } = place
  const folder = use.path.replace(/\/[^/]*[*?].*$/s, '') || '/'
  if (!mayBeBelow(pattern, folder, workspace)) return false
  if (probe === undefined) return true
  const glob = new RegExp(
    `^${use.path
      .replace(/[.+^$|()[\]{}\\]/g, '\\$&')
      .replace(/\*+/g, '[^/]*')
      .replace(/\?/g, '[^/]')}`,
  )
  const files = pattern.includes('*') ? probe.below(folder) : [absolute(pattern, workspace)].filter(probe.exists)
  return files?.some((each) => isForbidden(pattern, each, workspace) && glob.test(each)) ?? true
}

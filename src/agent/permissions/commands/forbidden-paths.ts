import { relative } from 'node:path'
import { isInside } from '../../../config/read/read-unasked.ts'
import { coversPath, pathPattern } from '../../sandbox/path-pattern.ts'
import type { PathUse } from './plain-command.ts'

/** Looks for files. */
export type FileProbe = {
  readonly exists: (path: string) => boolean
  /** All paths below a folder, and those that links lead to; undefined if there are too many, or a link leads to a folder. */
  readonly below: (folder: string) => readonly string[] | undefined
  /** The path with all links resolved, also if the file does not exist yet; undefined if that cannot be found out. */
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
  const real = probe?.real?.(use.written)
  const paths = real === undefined ? [use.path] : [use.path, real]
  if (paths.some((path) => isForbidden(pattern, path, workspace))) return 'yes'
  // The workspace may have other names, through links or mounts that we cannot look for here.
  if (probe?.real === undefined && !use.isPart && !isInside(workspace, use.path)) return 'maybe'
  return use.goesDown && paths.some((path) => isBelow(pattern, { ...use, path }, place)) ? 'maybe' : undefined
}

/** Some disks ignore the case of names. */
function isForbidden(pattern: string, path: string, workspace: string): boolean {
  const shown = isInside(workspace, path) ? relative(workspace, path) : path
  return coversPath(pathPattern(pattern.toLowerCase()), shown.toLowerCase(), workspace.toLowerCase())
}

/**
 * Whether a forbidden path may be below a folder. Git uses all of its repository from each folder of it, also files that are only
 * in its history. In any folder there may be links to a forbidden path. A folder may get new files.
 */
function isBelow(pattern: string, { path, isOfGit, access }: PathUse, { workspace, probe }: Place): boolean {
  const isOnTheWay = mayBeBelow(pattern, path, workspace)
  if (isOfGit === true) return isOnTheWay || !pattern.startsWith('/')
  if (probe === undefined || (isOnTheWay && access === 'edit' && !pattern.startsWith('**'))) return isOnTheWay
  if (!pattern.includes('*')) {
    if (!probe.exists(absolute(pattern, workspace))) return false
    if (isOnTheWay) return true
  }
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
  if (probe === undefined) return mayBeBelow(pattern, folder, workspace)
  if (!pattern.includes('*') && !probe.exists(absolute(pattern, workspace))) return false
  const glob = new RegExp(
    `^${use.path
      .replace(/[.+^$|()[\]{}\\]/g, '\\$&')
      .replace(/\*+/g, '[^/]*')
      .replace(/\?/g, '[^/]')}`,
  )
  const isMet = (each: string) =>
    glob.test(each) && [each, probe.real?.(each) ?? each].some((path) => isForbidden(pattern, path, workspace))
  return probe.below(folder)?.some(isMet) ?? true
}

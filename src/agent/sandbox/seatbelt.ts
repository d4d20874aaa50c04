import { dirname } from 'node:path'
import { isInside } from '../../config/read/read-unasked.ts'
import type { SandboxPlace } from './places.ts'
import { canExpand, type ForbiddenPath, forbidsNetwork, rulePaths } from './rule-paths.ts'
import type { SandboxFolders, Wall, WrapOrder } from './sandbox.ts'

/** macOS: the system's own sandbox. We have never tested it on a Mac. */
export function seatbelt({ workspace, places }: SandboxFolders, hasNetwork: boolean): Wall {
  // The last line that matches decides.
  const profile = (all: readonly SandboxPlace[], { never }: WrapOrder) => {
    const { unreadable, readOnly } = rulePaths(never, workspace)
    const hidden = all.filter(({ access }) => access === 'none')
    return [
      '(version 1)',
      '(allow default)',
      '(deny file-write*)',
      `(allow file-write* ${SYSTEM.map(subpath).join(' ')})`,
      ...all.flatMap(placeLines),
      ...all.flatMap(({ path, access, from = path }) =>
        from === path ? [] : [`(allow file-read*${access === 'write' ? ' file-write*' : ''} ${subpath(from)})`],
      ),
      ...denied('file-write*', [...readOnly, ...unreadable]),
      ...denied('file-read*', unreadable),
      ...unmovable([...readOnly, ...unreadable, ...hidden], workspace),
      ...(hasNetwork && !forbidsNetwork(never) ? [] : ['(deny network*)']),
    ].join('\n')
  }
  return {
    name: 'seatbelt',
    hasNetwork,
    enforces: (rule) => rule.kind === 'network' || canExpand(rule),
    wrap: (program, order) => {
      const all = places()
      const named = all.flatMap(({ from, variable }) => (variable && from ? [`${variable}=${from}`] : []))
      const env = named.length === 0 ? [] : ['/usr/bin/env', ...named]
      return ['/usr/bin/sandbox-exec', '-p', profile(all, order), ...env, ...program]
    },
  }
}

const SYSTEM = ['/private/tmp', '/private/var/folders', '/dev']

/**
 * A path cannot lead to another one here. So private folders, and files without their secrets, are used through the variable
 * that names them. The real folder is read-only, and the real file cannot be read.
 */
function placeLines({ path, access, from = path }: SandboxPlace): string[] {
  const name = subpath(path)
  if (access === 'none' || (access === 'read' && from !== path)) return [`(deny file-read* file-write* ${name})`]
  if (from === path && access === 'write') return [`(allow file-read* file-write* ${name})`]
  return [`(allow file-read* ${name})`, `(deny file-write* ${name})`]
}

function subpath(path: string): string {
  return `(subpath ${JSON.stringify(path)})`
}

function literal(path: string): string {
  return `(literal ${JSON.stringify(path)})`
}

function denied(operation: string, paths: readonly ForbiddenPath[]): string[] {
  if (paths.length === 0) return []
  const names = paths.map(({ path, isFolder }) => (isFolder ? subpath(path) : literal(path)))
  return [`(deny ${operation} ${names.join(' ')})`]
}

/** The profile names paths, so a file in a folder that was moved would be free. These folders cannot be moved. */
function unmovable(paths: readonly Pick<ForbiddenPath, 'path'>[], workspace: string): string[] {
  const above = new Set<string>()
  for (const { path } of paths)
    for (let folder = dirname(path); folder !== workspace && isInside(workspace, folder); folder = dirname(folder))
      above.add(folder)
  if (above.size === 0) return []
  return [`(deny file-write-unlink ${[...above].map(literal).join(' ')})`]
}

import { dirname } from 'node:path'
import { isInside } from '../../config/read/read-unasked.ts'
import { canExpand, type ForbiddenPath, forbidsNetwork, rulePaths } from './rule-paths.ts'
import type { Sandbox, SandboxFolders, WrapOrder } from './sandbox.ts'

/** macOS: the system's own sandbox. We have never tested it on a Mac. */
export function seatbelt({ workspace, writable }: SandboxFolders, hasNetwork: boolean): Sandbox {
  const folders = [...writable, '/private/tmp', '/private/var/folders', '/dev']
  // The last line that matches decides.
  const profile = ({ never }: WrapOrder) => {
    const { unreadable, readOnly } = rulePaths(never, workspace)
    return [
      '(version 1)',
      '(allow default)',
      '(deny file-write*)',
      `(allow file-write* ${folders.map((folder) => `(subpath ${JSON.stringify(folder)})`).join(' ')})`,
      ...denied('file-write*', [...readOnly, ...unreadable]),
      ...denied('file-read*', unreadable),
      ...unmovable([...readOnly, ...unreadable], workspace),
      ...(hasNetwork && !forbidsNetwork(never) ? [] : ['(deny network*)']),
    ].join('\n')
  }
  return {
    name: 'seatbelt',
    hasNetwork,
    enforces: (rule) => rule.kind === 'network' || canExpand(rule),
    wrap: (program, order) => ['/usr/bin/sandbox-exec', '-p', profile(order), ...program],
  }
}

function denied(operation: string, paths: readonly ForbiddenPath[]): string[] {
  if (paths.length === 0) return []
  const names = paths.map(({ path, isFolder }) => `(${isFolder ? 'subpath' : 'literal'} ${JSON.stringify(path)})`)
  return [`(deny ${operation} ${names.join(' ')})`]
}

/** The profile names paths, so a file in a folder that was moved would be free. These folders cannot be moved. */
function unmovable(paths: readonly ForbiddenPath[], workspace: string): string[] {
  const above = new Set<string>()
  for (const { path } of paths)
    for (let folder = dirname(path); folder !== workspace && isInside(workspace, folder); folder = dirname(folder))
      above.add(folder)
  if (above.size === 0) return []
  return [`(deny file-write-unlink ${[...above].map((folder) => `(literal ${JSON.stringify(folder)})`).join(' ')})`]
}
